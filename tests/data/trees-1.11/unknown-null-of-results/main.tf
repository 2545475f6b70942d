variable "yes" { default = true }
resource "terraform_data" "u" { input = "q" }
resource "terraform_data" "v" { count = 2 }
resource "terraform_data" "w" { for_each = toset(["a", "b"]) }

output "o0" {
  value = 1
  precondition {
    condition     = var.yes ? (abs(timestamp())) == null : true
    error_message = "0"
  }
}

output "o1" {
  value = 1
  precondition {
    condition     = var.yes ? (abspath(timestamp())) == null : true
    error_message = "1"
  }
}

output "o2" {
  value = 1
  precondition {
    condition     = var.yes ? (alltrue(jsondecode(timestamp()))) == null : true
    error_message = "2"
  }
}

output "o3" {
  value = 1
  precondition {
    condition     = var.yes ? (anytrue(jsondecode(timestamp()))) == null : true
    error_message = "3"
  }
}

output "o4" {
  value = 1
  precondition {
    condition     = var.yes ? (base64decode(timestamp())) == null : true
    error_message = "4"
  }
}

output "o5" {
  value = 1
  precondition {
    condition     = var.yes ? (base64encode(timestamp())) == null : true
    error_message = "5"
  }
}

output "o6" {
  value = 1
  precondition {
    condition     = var.yes ? (base64gzip(timestamp())) == null : true
    error_message = "6"
  }
}

output "o7" {
  value = 1
  precondition {
    condition     = var.yes ? (base64sha256(timestamp())) == null : true
    error_message = "7"
  }
}

output "o8" {
  value = 1
  precondition {
    condition     = var.yes ? (base64sha512(timestamp())) == null : true
    error_message = "8"
  }
}

output "o9" {
  value = 1
  precondition {
    condition     = var.yes ? (basename(timestamp())) == null : true
    error_message = "9"
  }
}

output "o10" {
  value = 1
  precondition {
    condition     = var.yes ? (bcrypt(timestamp())) == null : true
    error_message = "10"
  }
}

output "o11" {
  value = 1
  precondition {
    condition     = var.yes ? (can(timestamp())) == null : true
    error_message = "11"
  }
}

output "o12" {
  value = 1
  precondition {
    condition     = var.yes ? (can(tostring(null))) == null : true
    error_message = "12"
  }
}

output "o13" {
  value = 1
  precondition {
    condition     = var.yes ? (ceil(timestamp())) == null : true
    error_message = "13"
  }
}

output "o14" {
  value = 1
  precondition {
    condition     = var.yes ? (chomp(timestamp())) == null : true
    error_message = "14"
  }
}

output "o15" {
  value = 1
  precondition {
    condition     = var.yes ? (chunklist(jsondecode(timestamp()), 2)) == null : true
    error_message = "15"
  }
}

output "o16" {
  value = 1
  precondition {
    condition     = var.yes ? (cidrhost(timestamp(), 5)) == null : true
    error_message = "16"
  }
}

output "o17" {
  value = 1
  precondition {
    condition     = var.yes ? (cidrnetmask(timestamp())) == null : true
    error_message = "17"
  }
}

output "o18" {
  value = 1
  precondition {
    condition     = var.yes ? (cidrsubnet(timestamp(), 8, 255)) == null : true
    error_message = "18"
  }
}

output "o19" {
  value = 1
  precondition {
    condition     = var.yes ? (cidrsubnets(timestamp(), 4, 4, 8, 4)) == null : true
    error_message = "19"
  }
}

output "o20" {
  value = 1
  precondition {
    condition     = var.yes ? (coalesce(timestamp(), "b")) == null : true
    error_message = "20"
  }
}

output "o21" {
  value = 1
  precondition {
    condition     = var.yes ? (coalesce(jsondecode(timestamp()), jsondecode(timestamp()))) == null : true
    error_message = "21"
  }
}

output "o22" {
  value = 1
  precondition {
    condition     = var.yes ? (coalescelist(timestamp(), ["a"])) == null : true
    error_message = "22"
  }
}

output "o23" {
  value = 1
  precondition {
    condition     = var.yes ? (coalescelist(["a", timestamp()], ["a"])) == null : true
    error_message = "23"
  }
}

output "o24" {
  value = 1
  precondition {
    condition     = var.yes ? (compact(jsondecode(timestamp()))) == null : true
    error_message = "24"
  }
}

output "o25" {
  value = 1
  precondition {
    condition     = var.yes ? (concat(jsondecode(timestamp()), ["b"])) == null : true
    error_message = "25"
  }
}

output "o26" {
  value = 1
  precondition {
    condition     = var.yes ? (concat(["a", timestamp()], ["b"])) == null : true
    error_message = "26"
  }
}

output "o27" {
  value = 1
  precondition {
    condition     = var.yes ? (contains(timestamp(), "a")) == null : true
    error_message = "27"
  }
}

output "o28" {
  value = 1
  precondition {
    condition     = var.yes ? (contains(jsondecode(timestamp()), "a")) == null : true
    error_message = "28"
  }
}

output "o29" {
  value = 1
  precondition {
    condition     = var.yes ? (csvdecode(timestamp())) == null : true
    error_message = "29"
  }
}

output "o30" {
  value = 1
  precondition {
    condition     = var.yes ? (dirname(timestamp())) == null : true
    error_message = "30"
  }
}

output "o31" {
  value = 1
  precondition {
    condition     = var.yes ? (distinct(jsondecode(timestamp()))) == null : true
    error_message = "31"
  }
}

output "o32" {
  value = 1
  precondition {
    condition     = var.yes ? (element(jsondecode(timestamp()), 0)) == null : true
    error_message = "32"
  }
}

output "o33" {
  value = 1
  precondition {
    condition     = var.yes ? (element(["a", timestamp()], 0)) == null : true
    error_message = "33"
  }
}

output "o34" {
  value = 1
  precondition {
    condition     = var.yes ? (endswith(timestamp(), "bc")) == null : true
    error_message = "34"
  }
}

output "o35" {
  value = 1
  precondition {
    condition     = var.yes ? (ephemeralasnull(timestamp())) == null : true
    error_message = "35"
  }
}

output "o36" {
  value = 1
  precondition {
    condition     = var.yes ? (ephemeralasnull(jsondecode(timestamp()))) == null : true
    error_message = "36"
  }
}

output "o37" {
  value = 1
  precondition {
    condition     = var.yes ? (ephemeralasnull(tostring(null))) == null : true
    error_message = "37"
  }
}

output "o38" {
  value = 1
  precondition {
    condition     = var.yes ? (flatten(timestamp())) == null : true
    error_message = "38"
  }
}

output "o39" {
  value = 1
  precondition {
    condition     = var.yes ? (flatten(["a", timestamp()])) == null : true
    error_message = "39"
  }
}

output "o40" {
  value = 1
  precondition {
    condition     = var.yes ? (floor(timestamp())) == null : true
    error_message = "40"
  }
}

output "o41" {
  value = 1
  precondition {
    condition     = var.yes ? (format(timestamp(), 1000000)) == null : true
    error_message = "41"
  }
}

output "o42" {
  value = 1
  precondition {
    condition     = var.yes ? (format("%v", jsondecode(timestamp()))) == null : true
    error_message = "42"
  }
}

output "o43" {
  value = 1
  precondition {
    condition     = var.yes ? (formatdate(timestamp(), "2018-01-02T23:12:01Z")) == null : true
    error_message = "43"
  }
}

output "o44" {
  value = 1
  precondition {
    condition     = var.yes ? (formatlist(timestamp(), ["a", "b"], "c")) == null : true
    error_message = "44"
  }
}

output "o45" {
  value = 1
  precondition {
    condition     = var.yes ? (formatlist("%s-%s", jsondecode(timestamp()), "c")) == null : true
    error_message = "45"
  }
}

output "o46" {
  value = 1
  precondition {
    condition     = var.yes ? (indent(timestamp(), "a\nb\n\nc")) == null : true
    error_message = "46"
  }
}

output "o47" {
  value = 1
  precondition {
    condition     = var.yes ? (index(timestamp(), "b")) == null : true
    error_message = "47"
  }
}

output "o48" {
  value = 1
  precondition {
    condition     = var.yes ? (index(jsondecode(timestamp()), "b")) == null : true
    error_message = "48"
  }
}

output "o49" {
  value = 1
  precondition {
    condition     = var.yes ? (join(timestamp(), [])) == null : true
    error_message = "49"
  }
}

output "o50" {
  value = 1
  precondition {
    condition     = var.yes ? (jsondecode(timestamp())) == null : true
    error_message = "50"
  }
}

output "o51" {
  value = 1
  precondition {
    condition     = var.yes ? (jsonencode(timestamp())) == null : true
    error_message = "51"
  }
}

output "o52" {
  value = 1
  precondition {
    condition     = var.yes ? (keys(jsondecode(timestamp()))) == null : true
    error_message = "52"
  }
}

output "o53" {
  value = 1
  precondition {
    condition     = var.yes ? (keys(tomap({a = timestamp()}))) == null : true
    error_message = "53"
  }
}

output "o54" {
  value = 1
  precondition {
    condition     = var.yes ? (length(timestamp())) == null : true
    error_message = "54"
  }
}

output "o55" {
  value = 1
  precondition {
    condition     = var.yes ? (log(timestamp(), 10)) == null : true
    error_message = "55"
  }
}

output "o56" {
  value = 1
  precondition {
    condition     = var.yes ? (lookup(jsondecode(timestamp()), "a", "z")) == null : true
    error_message = "56"
  }
}

output "o57" {
  value = 1
  precondition {
    condition     = var.yes ? (lookup(tomap({a = timestamp()}), "a", "z")) == null : true
    error_message = "57"
  }
}

output "o58" {
  value = 1
  precondition {
    condition     = var.yes ? (lower(timestamp())) == null : true
    error_message = "58"
  }
}

output "o59" {
  value = 1
  precondition {
    condition     = var.yes ? (matchkeys(jsondecode(timestamp()), ["a", "b", "a"], ["a"])) == null : true
    error_message = "59"
  }
}

output "o60" {
  value = 1
  precondition {
    condition     = var.yes ? (max(timestamp(), 54, 3)) == null : true
    error_message = "60"
  }
}

output "o61" {
  value = 1
  precondition {
    condition     = var.yes ? (md5(timestamp())) == null : true
    error_message = "61"
  }
}

output "o62" {
  value = 1
  precondition {
    condition     = var.yes ? (merge(jsondecode(timestamp()), { b = 2 })) == null : true
    error_message = "62"
  }
}

output "o63" {
  value = 1
  precondition {
    condition     = var.yes ? (merge(tomap({a = timestamp()}), { b = 2 })) == null : true
    error_message = "63"
  }
}

output "o64" {
  value = 1
  precondition {
    condition     = var.yes ? (min(timestamp(), 54, 3)) == null : true
    error_message = "64"
  }
}

output "o65" {
  value = 1
  precondition {
    condition     = var.yes ? (one(jsondecode(timestamp()))) == null : true
    error_message = "65"
  }
}

output "o66" {
  value = 1
  precondition {
    condition     = var.yes ? (one(tolist([timestamp()]))) == null : true
    error_message = "66"
  }
}

output "o67" {
  value = 1
  precondition {
    condition     = var.yes ? (parseint(timestamp(), 10)) == null : true
    error_message = "67"
  }
}

output "o68" {
  value = 1
  precondition {
    condition     = var.yes ? (parseint(jsondecode(timestamp()), 10)) == null : true
    error_message = "68"
  }
}

output "o69" {
  value = 1
  precondition {
    condition     = var.yes ? (pathexpand(timestamp())) == null : true
    error_message = "69"
  }
}

output "o70" {
  value = 1
  precondition {
    condition     = var.yes ? (pow(timestamp(), 2)) == null : true
    error_message = "70"
  }
}

output "o71" {
  value = 1
  precondition {
    condition     = var.yes ? (range(timestamp())) == null : true
    error_message = "71"
  }
}

output "o72" {
  value = 1
  precondition {
    condition     = var.yes ? (regex(timestamp(), "")) == null : true
    error_message = "72"
  }
}

output "o73" {
  value = 1
  precondition {
    condition     = var.yes ? (regex("", timestamp())) == null : true
    error_message = "73"
  }
}

output "o74" {
  value = 1
  precondition {
    condition     = var.yes ? (regexall(timestamp(), "1234abcd5678efgh9")) == null : true
    error_message = "74"
  }
}

output "o75" {
  value = 1
  precondition {
    condition     = var.yes ? (replace(timestamp(), "", "-")) == null : true
    error_message = "75"
  }
}

output "o76" {
  value = 1
  precondition {
    condition     = var.yes ? (reverse(jsondecode(timestamp()))) == null : true
    error_message = "76"
  }
}

output "o77" {
  value = 1
  precondition {
    condition     = var.yes ? (reverse(split(",", timestamp()))) == null : true
    error_message = "77"
  }
}

output "o78" {
  value = 1
  precondition {
    condition     = var.yes ? (setintersection(jsondecode(timestamp()), ["b", "c"])) == null : true
    error_message = "78"
  }
}

output "o79" {
  value = 1
  precondition {
    condition     = var.yes ? (setproduct(jsondecode(timestamp()), ["c", "d"])) == null : true
    error_message = "79"
  }
}

output "o80" {
  value = 1
  precondition {
    condition     = var.yes ? (setproduct(split(",", timestamp()), ["c", "d"])) == null : true
    error_message = "80"
  }
}

output "o81" {
  value = 1
  precondition {
    condition     = var.yes ? (setsubtract(jsondecode(timestamp()), ["a", "c"])) == null : true
    error_message = "81"
  }
}

output "o82" {
  value = 1
  precondition {
    condition     = var.yes ? (setunion(jsondecode(timestamp()), ["b", "c"], ["d"])) == null : true
    error_message = "82"
  }
}

output "o83" {
  value = 1
  precondition {
    condition     = var.yes ? (sha1(timestamp())) == null : true
    error_message = "83"
  }
}

output "o84" {
  value = 1
  precondition {
    condition     = var.yes ? (sha256(timestamp())) == null : true
    error_message = "84"
  }
}

output "o85" {
  value = 1
  precondition {
    condition     = var.yes ? (sha512(timestamp())) == null : true
    error_message = "85"
  }
}

output "o86" {
  value = 1
  precondition {
    condition     = var.yes ? (signum(timestamp())) == null : true
    error_message = "86"
  }
}

output "o87" {
  value = 1
  precondition {
    condition     = var.yes ? (slice(jsondecode(timestamp()), 1, 3)) == null : true
    error_message = "87"
  }
}

output "o88" {
  value = 1
  precondition {
    condition     = var.yes ? (slice(split(",", timestamp()), 1, 3)) == null : true
    error_message = "88"
  }
}

output "o89" {
  value = 1
  precondition {
    condition     = var.yes ? (sort(jsondecode(timestamp()))) == null : true
    error_message = "89"
  }
}

output "o90" {
  value = 1
  precondition {
    condition     = var.yes ? (split(timestamp(), "")) == null : true
    error_message = "90"
  }
}

output "o91" {
  value = 1
  precondition {
    condition     = var.yes ? (startswith(timestamp(), "")) == null : true
    error_message = "91"
  }
}

output "o92" {
  value = 1
  precondition {
    condition     = var.yes ? (strcontains(timestamp(), "")) == null : true
    error_message = "92"
  }
}

output "o93" {
  value = 1
  precondition {
    condition     = var.yes ? (strrev(timestamp())) == null : true
    error_message = "93"
  }
}

output "o94" {
  value = 1
  precondition {
    condition     = var.yes ? (substr(timestamp(), 1, 3)) == null : true
    error_message = "94"
  }
}

output "o95" {
  value = 1
  precondition {
    condition     = var.yes ? (sum(timestamp())) == null : true
    error_message = "95"
  }
}

output "o96" {
  value = 1
  precondition {
    condition     = var.yes ? (sum(jsondecode(timestamp()))) == null : true
    error_message = "96"
  }
}

output "o97" {
  value = 1
  precondition {
    condition     = var.yes ? (textdecodebase64(timestamp(), "UTF-16LE")) == null : true
    error_message = "97"
  }
}

output "o98" {
  value = 1
  precondition {
    condition     = var.yes ? (textencodebase64(timestamp(), "UTF-16LE")) == null : true
    error_message = "98"
  }
}

output "o99" {
  value = 1
  precondition {
    condition     = var.yes ? (timeadd(timestamp(), "10m")) == null : true
    error_message = "99"
  }
}

output "o100" {
  value = 1
  precondition {
    condition     = var.yes ? (timecmp(timestamp(), "2020-01-01T01:00:00+01:00")) == null : true
    error_message = "100"
  }
}

output "o101" {
  value = 1
  precondition {
    condition     = var.yes ? (title(timestamp())) == null : true
    error_message = "101"
  }
}

output "o102" {
  value = 1
  precondition {
    condition     = var.yes ? (tobool(timestamp())) == null : true
    error_message = "102"
  }
}

output "o103" {
  value = 1
  precondition {
    condition     = var.yes ? (tobool(tostring(null))) == null : true
    error_message = "103"
  }
}

output "o104" {
  value = 1
  precondition {
    condition     = var.yes ? (tolist(jsondecode(timestamp()))) == null : true
    error_message = "104"
  }
}

output "o105" {
  value = 1
  precondition {
    condition     = var.yes ? (tolist(["a", timestamp()])) == null : true
    error_message = "105"
  }
}

output "o106" {
  value = 1
  precondition {
    condition     = var.yes ? (tolist(null)) == null : true
    error_message = "106"
  }
}

output "o107" {
  value = 1
  precondition {
    condition     = var.yes ? (tomap(jsondecode(timestamp()))) == null : true
    error_message = "107"
  }
}

output "o108" {
  value = 1
  precondition {
    condition     = var.yes ? (tomap(tomap({a = timestamp()}))) == null : true
    error_message = "108"
  }
}

output "o109" {
  value = 1
  precondition {
    condition     = var.yes ? (tomap(null)) == null : true
    error_message = "109"
  }
}

output "o110" {
  value = 1
  precondition {
    condition     = var.yes ? (tonumber(timestamp())) == null : true
    error_message = "110"
  }
}

output "o111" {
  value = 1
  precondition {
    condition     = var.yes ? (tonumber(tostring(null))) == null : true
    error_message = "111"
  }
}

output "o112" {
  value = 1
  precondition {
    condition     = var.yes ? (toset(jsondecode(timestamp()))) == null : true
    error_message = "112"
  }
}

output "o113" {
  value = 1
  precondition {
    condition     = var.yes ? (toset(["a", timestamp()])) == null : true
    error_message = "113"
  }
}

output "o114" {
  value = 1
  precondition {
    condition     = var.yes ? (toset(null)) == null : true
    error_message = "114"
  }
}

output "o115" {
  value = 1
  precondition {
    condition     = var.yes ? (tostring(timestamp())) == null : true
    error_message = "115"
  }
}

output "o116" {
  value = 1
  precondition {
    condition     = var.yes ? (tostring(tostring(null))) == null : true
    error_message = "116"
  }
}

output "o117" {
  value = 1
  precondition {
    condition     = var.yes ? (transpose(jsondecode(timestamp()))) == null : true
    error_message = "117"
  }
}

output "o118" {
  value = 1
  precondition {
    condition     = var.yes ? (trim(timestamp(), "x")) == null : true
    error_message = "118"
  }
}

output "o119" {
  value = 1
  precondition {
    condition     = var.yes ? (trimprefix(timestamp(), "a")) == null : true
    error_message = "119"
  }
}

output "o120" {
  value = 1
  precondition {
    condition     = var.yes ? (trimspace(timestamp())) == null : true
    error_message = "120"
  }
}

output "o121" {
  value = 1
  precondition {
    condition     = var.yes ? (trimsuffix(timestamp(), "b")) == null : true
    error_message = "121"
  }
}

output "o122" {
  value = 1
  precondition {
    condition     = var.yes ? (try(timestamp())) == null : true
    error_message = "122"
  }
}

output "o123" {
  value = 1
  precondition {
    condition     = var.yes ? (try(tostring(null))) == null : true
    error_message = "123"
  }
}

output "o124" {
  value = 1
  precondition {
    condition     = var.yes ? (upper(timestamp())) == null : true
    error_message = "124"
  }
}

output "o125" {
  value = 1
  precondition {
    condition     = var.yes ? (urlencode(timestamp())) == null : true
    error_message = "125"
  }
}

output "o126" {
  value = 1
  precondition {
    condition     = var.yes ? (uuidv5(timestamp(), "example.com")) == null : true
    error_message = "126"
  }
}

output "o127" {
  value = 1
  precondition {
    condition     = var.yes ? (values(jsondecode(timestamp()))) == null : true
    error_message = "127"
  }
}

output "o128" {
  value = 1
  precondition {
    condition     = var.yes ? (values(tomap({a = timestamp()}))) == null : true
    error_message = "128"
  }
}

output "o129" {
  value = 1
  precondition {
    condition     = var.yes ? (yamldecode(timestamp())) == null : true
    error_message = "129"
  }
}

output "o130" {
  value = 1
  precondition {
    condition     = var.yes ? (yamlencode(timestamp())) == null : true
    error_message = "130"
  }
}

output "o131" {
  value = 1
  precondition {
    condition     = var.yes ? (yamlencode(tostring(null))) == null : true
    error_message = "131"
  }
}

output "o132" {
  value = 1
  precondition {
    condition     = var.yes ? (zipmap(jsondecode(timestamp()), [1, 2])) == null : true
    error_message = "132"
  }
}

output "o133" {
  value = 1
  precondition {
    condition     = var.yes ? (zipmap(["a", "b"], split(",", timestamp()))) == null : true
    error_message = "133"
  }
}

output "o134" {
  value = 1
  precondition {
    condition     = var.yes ? (coalescelist(split(",", timestamp()), tolist(["a"]))) == null : true
    error_message = "134"
  }
}

output "o135" {
  value = 1
  precondition {
    condition     = var.yes ? (coalescelist(split(",", timestamp()), split(",", timestamp()))) == null : true
    error_message = "135"
  }
}

output "o136" {
  value = 1
  precondition {
    condition     = var.yes ? (coalescelist(tolist([]), split(",", timestamp()))) == null : true
    error_message = "136"
  }
}

output "o137" {
  value = 1
  precondition {
    condition     = var.yes ? (issensitive(timestamp())) == null : true
    error_message = "137"
  }
}

output "o138" {
  value = 1
  precondition {
    condition     = var.yes ? (issensitive([timestamp()])) == null : true
    error_message = "138"
  }
}

output "o139" {
  value = 1
  precondition {
    condition     = var.yes ? (issensitive(terraform_data.u.id)) == null : true
    error_message = "139"
  }
}

output "o140" {
  value = 1
  precondition {
    condition     = var.yes ? (issensitive(jsondecode(timestamp()))) == null : true
    error_message = "140"
  }
}

output "o141" {
  value = 1
  precondition {
    condition     = var.yes ? (nonsensitive(timestamp())) == null : true
    error_message = "141"
  }
}

output "o142" {
  value = 1
  precondition {
    condition     = var.yes ? (sensitive(timestamp()) == "a") == null : true
    error_message = "142"
  }
}

output "o143" {
  value = 1
  precondition {
    condition     = var.yes ? (nonsensitive(sensitive(timestamp()))) == null : true
    error_message = "143"
  }
}

output "o144" {
  value = 1
  precondition {
    condition     = var.yes ? (nonsensitive(split(",", timestamp()))) == null : true
    error_message = "144"
  }
}

output "o145" {
  value = 1
  precondition {
    condition     = var.yes ? (transpose(tomap({a=split(",", timestamp())}))) == null : true
    error_message = "145"
  }
}

output "o146" {
  value = 1
  precondition {
    condition     = var.yes ? (transpose(tomap({a=tolist([timestamp()])}))) == null : true
    error_message = "146"
  }
}

output "o147" {
  value = 1
  precondition {
    condition     = var.yes ? (keys(zipmap(split(",", timestamp()), split(",", timestamp())))) == null : true
    error_message = "147"
  }
}

output "o148" {
  value = 1
  precondition {
    condition     = var.yes ? (values(zipmap(split(",", timestamp()), split(",", timestamp())))) == null : true
    error_message = "148"
  }
}

output "o149" {
  value = 1
  precondition {
    condition     = var.yes ? (lookup(zipmap(split(",", timestamp()), split(",", timestamp())), "a", "b")) == null : true
    error_message = "149"
  }
}

output "o150" {
  value = 1
  precondition {
    condition     = var.yes ? (lookup(zipmap(split(",", timestamp()), split(",", timestamp())), "a", timestamp())) == null : true
    error_message = "150"
  }
}

output "o151" {
  value = 1
  precondition {
    condition     = var.yes ? (merge(zipmap(split(",", timestamp()), split(",", timestamp())), {a="b"})) == null : true
    error_message = "151"
  }
}

output "o152" {
  value = 1
  precondition {
    condition     = var.yes ? (merge(zipmap(split(",", timestamp()), split(",", timestamp())), tomap({a="b"}))) == null : true
    error_message = "152"
  }
}

output "o153" {
  value = 1
  precondition {
    condition     = var.yes ? (merge(zipmap(split(",", timestamp()), split(",", timestamp())),zipmap(split(",", timestamp()), split(",", timestamp())))) == null : true
    error_message = "153"
  }
}

output "o154" {
  value = 1
  precondition {
    condition     = var.yes ? (merge({a=timestamp()}, jsondecode(timestamp()))) == null : true
    error_message = "154"
  }
}

output "o155" {
  value = 1
  precondition {
    condition     = var.yes ? (flatten([split(",", timestamp())])) == null : true
    error_message = "155"
  }
}

output "o156" {
  value = 1
  precondition {
    condition     = var.yes ? (flatten(split(",", timestamp()))) == null : true
    error_message = "156"
  }
}

output "o157" {
  value = 1
  precondition {
    condition     = var.yes ? (flatten([timestamp()])) == null : true
    error_message = "157"
  }
}

output "o158" {
  value = 1
  precondition {
    condition     = var.yes ? (flatten({a=timestamp()})) == null : true
    error_message = "158"
  }
}

output "o159" {
  value = 1
  precondition {
    condition     = var.yes ? (flatten(zipmap(split(",", timestamp()), split(",", timestamp())))) == null : true
    error_message = "159"
  }
}

output "o160" {
  value = 1
  precondition {
    condition     = var.yes ? (flatten(tomap({a=["b",timestamp()]}))) == null : true
    error_message = "160"
  }
}

output "o161" {
  value = 1
  precondition {
    condition     = var.yes ? (flatten(toset([timestamp()]))) == null : true
    error_message = "161"
  }
}

output "o162" {
  value = 1
  precondition {
    condition     = var.yes ? (sum([timestamp()])) == null : true
    error_message = "162"
  }
}

output "o163" {
  value = 1
  precondition {
    condition     = var.yes ? (sum(tolist([1, tonumber(terraform_data.u.id)]))) == null : true
    error_message = "163"
  }
}

output "o164" {
  value = 1
  precondition {
    condition     = var.yes ? (sum(split(",", timestamp()))) == null : true
    error_message = "164"
  }
}

output "o165" {
  value = 1
  precondition {
    condition     = var.yes ? (slice(split(",", timestamp()), 0, 1)) == null : true
    error_message = "165"
  }
}

output "o166" {
  value = 1
  precondition {
    condition     = var.yes ? (slice([timestamp(),"a"], 0, 1)) == null : true
    error_message = "166"
  }
}

output "o167" {
  value = 1
  precondition {
    condition     = var.yes ? (chunklist(split(",", timestamp()), timestamp())) == null : true
    error_message = "167"
  }
}

output "o168" {
  value = 1
  precondition {
    condition     = var.yes ? (chunklist(["a"], tonumber(terraform_data.u.id))) == null : true
    error_message = "168"
  }
}

output "o169" {
  value = 1
  precondition {
    condition     = var.yes ? (plantimestamp()) == null : true
    error_message = "169"
  }
}

output "o170" {
  value = 1
  precondition {
    condition     = var.yes ? (uuid()) == null : true
    error_message = "170"
  }
}

output "o171" {
  value = 1
  precondition {
    condition     = var.yes ? (bcrypt("a")) == null : true
    error_message = "171"
  }
}

output "o172" {
  value = 1
  precondition {
    condition     = var.yes ? (timestamp()) == null : true
    error_message = "172"
  }
}

output "o173" {
  value = 1
  precondition {
    condition     = var.yes ? (fileset("{}", timestamp())) == null : true
    error_message = "173"
  }
}

output "o174" {
  value = 1
  precondition {
    condition     = var.yes ? (element(split(",", timestamp()), 0)) == null : true
    error_message = "174"
  }
}

output "o175" {
  value = 1
  precondition {
    condition     = var.yes ? (element([timestamp(), "a"], tonumber(terraform_data.u.id))) == null : true
    error_message = "175"
  }
}

output "o176" {
  value = 1
  precondition {
    condition     = var.yes ? (element(["a"], tonumber(terraform_data.u.id))) == null : true
    error_message = "176"
  }
}

output "o177" {
  value = 1
  precondition {
    condition     = var.yes ? (index(split(",", timestamp()), "a")) == null : true
    error_message = "177"
  }
}

output "o178" {
  value = 1
  precondition {
    condition     = var.yes ? (index(["a"], terraform_data.u.id)) == null : true
    error_message = "178"
  }
}

output "o179" {
  value = 1
  precondition {
    condition     = var.yes ? (contains(split(",", timestamp()), "a")) == null : true
    error_message = "179"
  }
}

output "o180" {
  value = 1
  precondition {
    condition     = var.yes ? (zipmap(["a"], split(",", timestamp()))) == null : true
    error_message = "180"
  }
}

output "o181" {
  value = 1
  precondition {
    condition     = var.yes ? (zipmap(split(",", timestamp()), ["a"])) == null : true
    error_message = "181"
  }
}

output "o182" {
  value = 1
  precondition {
    condition     = var.yes ? (zipmap(split(",", timestamp()), split(",", timestamp()))) == null : true
    error_message = "182"
  }
}

output "o183" {
  value = 1
  precondition {
    condition     = var.yes ? (zipmap(["a"], tolist([timestamp()]))) == null : true
    error_message = "183"
  }
}

output "o184" {
  value = 1
  precondition {
    condition     = var.yes ? (zipmap(split(",", timestamp()), tolist([1]))) == null : true
    error_message = "184"
  }
}

output "o185" {
  value = 1
  precondition {
    condition     = var.yes ? (zipmap(tolist([timestamp()]), tolist([1]))) == null : true
    error_message = "185"
  }
}

output "o186" {
  value = 1
  precondition {
    condition     = var.yes ? (zipmap(["a",timestamp()], tolist([1,2]))) == null : true
    error_message = "186"
  }
}

output "o187" {
  value = 1
  precondition {
    condition     = var.yes ? (matchkeys(split(",", timestamp()),["a"],["a"])) == null : true
    error_message = "187"
  }
}

output "o188" {
  value = 1
  precondition {
    condition     = var.yes ? (one(split(",", timestamp()))) == null : true
    error_message = "188"
  }
}

output "o189" {
  value = 1
  precondition {
    condition     = var.yes ? (one([timestamp()])) == null : true
    error_message = "189"
  }
}

output "o190" {
  value = 1
  precondition {
    condition     = var.yes ? (one(toset(split(",", timestamp())))) == null : true
    error_message = "190"
  }
}

output "o191" {
  value = 1
  precondition {
    condition     = var.yes ? (range(tonumber(terraform_data.u.id))) == null : true
    error_message = "191"
  }
}

output "o192" {
  value = 1
  precondition {
    condition     = var.yes ? (distinct([timestamp()])) == null : true
    error_message = "192"
  }
}

output "o193" {
  value = 1
  precondition {
    condition     = var.yes ? (distinct(toset(split(",", timestamp())))) == null : true
    error_message = "193"
  }
}

output "o194" {
  value = 1
  precondition {
    condition     = var.yes ? (sort(toset(split(",", timestamp())))) == null : true
    error_message = "194"
  }
}

output "o195" {
  value = 1
  precondition {
    condition     = var.yes ? (compact(split(",", timestamp()))) == null : true
    error_message = "195"
  }
}

output "o196" {
  value = 1
  precondition {
    condition     = var.yes ? (reverse(toset(split(",", timestamp())))) == null : true
    error_message = "196"
  }
}

output "o197" {
  value = 1
  precondition {
    condition     = var.yes ? (reverse([timestamp()])) == null : true
    error_message = "197"
  }
}

output "o198" {
  value = 1
  precondition {
    condition     = var.yes ? (concat(split(",", timestamp()),["a"])) == null : true
    error_message = "198"
  }
}

output "o199" {
  value = 1
  precondition {
    condition     = var.yes ? (concat(split(",", timestamp()),[1])) == null : true
    error_message = "199"
  }
}

output "o200" {
  value = 1
  precondition {
    condition     = var.yes ? (setproduct(toset(split(",", timestamp())),["a"])) == null : true
    error_message = "200"
  }
}

output "o201" {
  value = 1
  precondition {
    condition     = var.yes ? (setproduct([timestamp()],["a"])) == null : true
    error_message = "201"
  }
}

output "o202" {
  value = 1
  precondition {
    condition     = var.yes ? (setunion([timestamp()],["a"])) == null : true
    error_message = "202"
  }
}

output "o203" {
  value = 1
  precondition {
    condition     = var.yes ? (setunion(["a"],[timestamp()])) == null : true
    error_message = "203"
  }
}

output "o204" {
  value = 1
  precondition {
    condition     = var.yes ? (setintersection([timestamp()],["a"])) == null : true
    error_message = "204"
  }
}

output "o205" {
  value = 1
  precondition {
    condition     = var.yes ? (setsubtract([timestamp()],["a"])) == null : true
    error_message = "205"
  }
}

output "o206" {
  value = 1
  precondition {
    condition     = var.yes ? (setsubtract(["a"],[timestamp()])) == null : true
    error_message = "206"
  }
}

output "o207" {
  value = 1
  precondition {
    condition     = var.yes ? (try(terraform_data.u.id, "a")) == null : true
    error_message = "207"
  }
}

output "o208" {
  value = 1
  precondition {
    condition     = var.yes ? (try(tonumber(terraform_data.u.id), 1)) == null : true
    error_message = "208"
  }
}

output "o209" {
  value = 1
  precondition {
    condition     = var.yes ? (try(split(",", timestamp()), [])) == null : true
    error_message = "209"
  }
}

output "o210" {
  value = 1
  precondition {
    condition     = var.yes ? (can(split(",", timestamp())[0])) == null : true
    error_message = "210"
  }
}

output "o211" {
  value = 1
  precondition {
    condition     = var.yes ? (can(regex("a",timestamp()))) == null : true
    error_message = "211"
  }
}

output "o212" {
  value = 1
  precondition {
    condition     = var.yes ? ("${timestamp()}") == null : true
    error_message = "212"
  }
}

output "o213" {
  value = 1
  precondition {
    condition     = var.yes ? ("${terraform_data.u.id}") == null : true
    error_message = "213"
  }
}

output "o214" {
  value = 1
  precondition {
    condition     = var.yes ? ("a${tonumber(terraform_data.u.id)}") == null : true
    error_message = "214"
  }
}

output "o215" {
  value = 1
  precondition {
    condition     = var.yes ? ("${tonumber(terraform_data.u.id)}b") == null : true
    error_message = "215"
  }
}

output "o216" {
  value = 1
  precondition {
    condition     = var.yes ? (split(",", timestamp())[0]) == null : true
    error_message = "216"
  }
}

output "o217" {
  value = 1
  precondition {
    condition     = var.yes ? (split(",", timestamp())[*]) == null : true
    error_message = "217"
  }
}

output "o218" {
  value = 1
  precondition {
    condition     = var.yes ? (tobool(terraform_data.u.id) ? "a" : "b") == null : true
    error_message = "218"
  }
}

output "o219" {
  value = 1
  precondition {
    condition     = var.yes ? (tobool(terraform_data.u.id) ? "a" : null) == null : true
    error_message = "219"
  }
}

output "o220" {
  value = 1
  precondition {
    condition     = var.yes ? (tobool(terraform_data.u.id) ? timestamp() : "b") == null : true
    error_message = "220"
  }
}

output "o221" {
  value = 1
  precondition {
    condition     = var.yes ? (tobool(terraform_data.u.id) ? split(",", timestamp()) : tolist(["b"])) == null : true
    error_message = "221"
  }
}

output "o222" {
  value = 1
  precondition {
    condition     = var.yes ? (tobool(terraform_data.u.id) ? [] : ["b"]) == null : true
    error_message = "222"
  }
}

output "o223" {
  value = 1
  precondition {
    condition     = var.yes ? (tobool(terraform_data.u.id) ? {} : {a="b"}) == null : true
    error_message = "223"
  }
}

output "o224" {
  value = 1
  precondition {
    condition     = var.yes ? (tobool(terraform_data.u.id) ? 1 : 2) == null : true
    error_message = "224"
  }
}

output "o225" {
  value = 1
  precondition {
    condition     = var.yes ? (tobool(terraform_data.u.id) ? "ab" : "ac") == null : true
    error_message = "225"
  }
}

output "o226" {
  value = 1
  precondition {
    condition     = var.yes ? (-tonumber(terraform_data.u.id)) == null : true
    error_message = "226"
  }
}

output "o227" {
  value = 1
  precondition {
    condition     = var.yes ? (!tobool(terraform_data.u.id)) == null : true
    error_message = "227"
  }
}

output "o228" {
  value = 1
  precondition {
    condition     = var.yes ? (tonumber(terraform_data.u.id) + 1) == null : true
    error_message = "228"
  }
}

output "o229" {
  value = 1
  precondition {
    condition     = var.yes ? (tonumber(terraform_data.u.id) > 1) == null : true
    error_message = "229"
  }
}

output "o230" {
  value = 1
  precondition {
    condition     = var.yes ? (terraform_data.u.id == "a") == null : true
    error_message = "230"
  }
}

output "o231" {
  value = 1
  precondition {
    condition     = var.yes ? ([for x in split(",", timestamp()) : x]) == null : true
    error_message = "231"
  }
}

output "o232" {
  value = 1
  precondition {
    condition     = var.yes ? ([for x in [timestamp()] : x]) == null : true
    error_message = "232"
  }
}

output "o233" {
  value = 1
  precondition {
    condition     = var.yes ? ([for x in split(",", timestamp()) : x if x == "a"]) == null : true
    error_message = "233"
  }
}

output "o234" {
  value = 1
  precondition {
    condition     = var.yes ? ([for x in ["a", "b"] : x if x == timestamp()]) == null : true
    error_message = "234"
  }
}

output "o235" {
  value = 1
  precondition {
    condition     = var.yes ? (zipmap(split(",", timestamp()), split(",", timestamp()))["a"]) == null : true
    error_message = "235"
  }
}

output "o236" {
  value = 1
  precondition {
    condition     = var.yes ? (zipmap(split(",", timestamp()), split(",", timestamp())).a) == null : true
    error_message = "236"
  }
}

output "o237" {
  value = 1
  precondition {
    condition     = var.yes ? ({a=timestamp()}.a) == null : true
    error_message = "237"
  }
}

output "o238" {
  value = 1
  precondition {
    condition     = var.yes ? ({a=timestamp()}[timestamp()]) == null : true
    error_message = "238"
  }
}

output "o239" {
  value = 1
  precondition {
    condition     = var.yes ? ([timestamp()][tonumber(terraform_data.u.id)]) == null : true
    error_message = "239"
  }
}

output "o240" {
  value = 1
  precondition {
    condition     = var.yes ? (["a","b"][tonumber(terraform_data.u.id)]) == null : true
    error_message = "240"
  }
}

output "o241" {
  value = 1
  precondition {
    condition     = var.yes ? (tomap({a="b"})[timestamp()]) == null : true
    error_message = "241"
  }
}

output "o242" {
  value = 1
  precondition {
    condition     = var.yes ? (tolist([split(",", timestamp()),split(",", timestamp())])[0]) == null : true
    error_message = "242"
  }
}

output "o243" {
  value = 1
  precondition {
    condition     = var.yes ? (tolist([timestamp()])[0]) == null : true
    error_message = "243"
  }
}

output "o244" {
  value = 1
  precondition {
    condition     = var.yes ? (toset([timestamp()])) == null : true
    error_message = "244"
  }
}

output "o245" {
  value = 1
  precondition {
    condition     = var.yes ? (tolist(toset([timestamp()]))) == null : true
    error_message = "245"
  }
}

output "o246" {
  value = 1
  precondition {
    condition     = var.yes ? (tolist([timestamp()])) == null : true
    error_message = "246"
  }
}

output "o247" {
  value = 1
  precondition {
    condition     = var.yes ? (tomap({a=timestamp()})["a"]) == null : true
    error_message = "247"
  }
}

output "o248" {
  value = 1
  precondition {
    condition     = var.yes ? (tostring(length(split(",", timestamp())))) == null : true
    error_message = "248"
  }
}

output "o249" {
  value = 1
  precondition {
    condition     = var.yes ? (toset(split(",", timestamp()))) == null : true
    error_message = "249"
  }
}

output "o250" {
  value = 1
  precondition {
    condition     = var.yes ? (tolist(toset(split(",", timestamp())))) == null : true
    error_message = "250"
  }
}

output "o251" {
  value = 1
  precondition {
    condition     = var.yes ? (terraform_data.u.output) == null : true
    error_message = "251"
  }
}

output "o252" {
  value = 1
  precondition {
    condition     = var.yes ? (terraform_data.u.id) == null : true
    error_message = "252"
  }
}

output "o253" {
  value = 1
  precondition {
    condition     = var.yes ? (terraform_data.u.input) == null : true
    error_message = "253"
  }
}

output "o254" {
  value = 1
  precondition {
    condition     = var.yes ? (terraform_data.v[0].output) == null : true
    error_message = "254"
  }
}

output "o255" {
  value = 1
  precondition {
    condition     = var.yes ? (terraform_data.v[0].id) == null : true
    error_message = "255"
  }
}

output "o256" {
  value = 1
  precondition {
    condition     = var.yes ? (terraform_data.v[*].id) == null : true
    error_message = "256"
  }
}

output "o257" {
  value = 1
  precondition {
    condition     = var.yes ? (terraform_data.w["a"].output) == null : true
    error_message = "257"
  }
}

output "o258" {
  value = 1
  precondition {
    condition     = var.yes ? (terraform_data.u.triggers_replace) == null : true
    error_message = "258"
  }
}

output "o259" {
  value = 1
  precondition {
    condition     = var.yes ? ([for x in terraform_data.v : x.id]) == null : true
    error_message = "259"
  }
}

output "o260" {
  value = 1
  precondition {
    condition     = var.yes ? (values(terraform_data.w)[*].id) == null : true
    error_message = "260"
  }
}
