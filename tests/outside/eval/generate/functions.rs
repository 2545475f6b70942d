//! All functions and what they take, in a small notation. A letter is a kind of value (S string, N number, I small
//! whole number, B bool, L list or tuple, LS, LN, LB lists, SS and SET sets, M map or object, MS, MN, ML maps, O
//! object, T tuple, A anything). A word is a pool of texts. `*` is zero to three of it, `?` zero or one.

use super::Kind;

pub struct Signature {
    pub name: &'static str,
    pub parameters: &'static str,
    pub result: Option<Kind>,
}

const fn f(name: &'static str, parameters: &'static str, result: Option<Kind>) -> Signature {
    Signature { name, parameters, result }
}

const S: Option<Kind> = Some(Kind::String);
const N: Option<Kind> = Some(Kind::Number);
const B: Option<Kind> = Some(Kind::Bool);
const LS: Option<Kind> = Some(Kind::ListOfStrings);
const LN: Option<Kind> = Some(Kind::ListOfNumbers);
const A: Option<Kind> = None;

pub const FUNCTIONS: &[Signature] = &[
    f("abs", "N", N),
    f("abspath", "PATH", A),
    f("alltrue", "LB", B),
    f("anytrue", "LB", B),
    f("base64decode", "BASE64", S),
    f("base64encode", "S", S),
    f("base64gzip", "S", S),
    f("base64sha256", "S", S),
    f("base64sha512", "S", S),
    f("basename", "PATH", S),
    f("bcrypt", "S COST?", A),
    f("can", "A", B),
    f("ceil", "N", N),
    f("chomp", "LINES", S),
    f("chunklist", "L SIZE", A),
    f("cidrhost", "CIDR HOST", S),
    f("cidrnetmask", "CIDR", S),
    f("cidrsubnet", "CIDR BITS HOST", S),
    f("cidrsubnets", "CIDR BITS*", LS),
    f("coalesce", "A S*", A),
    f("coalescelist", "L L*", A),
    f("compact", "LS", LS),
    f("concat", "L L*", A),
    f("contains", "LS S", B),
    f("csvdecode", "CSV", A),
    f("dirname", "PATH", S),
    f("distinct", "L", A),
    f("element", "L I", A),
    f("endswith", "TEXT PART", B),
    f("ephemeralasnull", "A", A),
    f("file", "FILE", S),
    f("filebase64", "FILE", S),
    f("filebase64sha256", "FILE", S),
    f("filebase64sha512", "FILE", S),
    f("fileexists", "FILE", B),
    f("filemd5", "FILE", S),
    f("fileset", "DIR GLOB", Some(Kind::SetOfStrings)),
    f("filesha1", "FILE", S),
    f("filesha256", "FILE", S),
    f("filesha512", "FILE", S),
    f("flatten", "T", A),
    f("floor", "N", N),
    f("format", "FORMAT N*", S),
    f("formatdate", "DATEFORMAT DATE", S),
    f("formatlist", "FORMAT LS*", LS),
    f("indent", "INDEX LINES", S),
    f("index", "LS MEMBER", N),
    f("issensitive", "A", B),
    f("join", "S LS*", S),
    f("jsondecode", "JSON", A),
    f("jsonencode", "A", S),
    f("keys", "M", A),
    f("length", "A", N),
    f("log", "N N", N),
    f("lookup", "MS KEY S?", S),
    f("lower", "TEXT", S),
    f("matchkeys", "LS LS LS", LS),
    f("max", "N N*", N),
    f("md5", "S", S),
    f("merge", "M M*", A),
    f("min", "N N*", N),
    f("nonsensitive", "MARKED", A),
    f("one", "ONE", A),
    f("parseint", "DIGITS BASE", N),
    f("pathexpand", "PATH", S),
    f("plantimestamp", "", A),
    f("pow", "SMALL SMALL", N),
    f("range", "I I? I?", LN),
    f("regex", "PATTERN TEXT", A),
    f("regexall", "PATTERN TEXT", A),
    f("replace", "TEXT PATTERN_OR_TEXT REPLACEMENT", S),
    f("reverse", "L", A),
    f("rsadecrypt", "CIPHERTEXT PRIVATEKEY", S),
    f("sensitive", "A", A),
    f("setintersection", "SET SET*", A),
    f("setproduct", "SET SET*", A),
    f("setsubtract", "SET SET", A),
    f("setunion", "SET SET*", A),
    f("sha1", "S", S),
    f("sha256", "S", S),
    f("sha512", "S", S),
    f("signum", "I", N),
    f("slice", "L START END", A),
    f("sort", "LS", LS),
    f("split", "SEPARATOR TEXT", LS),
    f("startswith", "TEXT PART", B),
    f("strcontains", "TEXT PART", B),
    f("strrev", "TEXT", S),
    f("substr", "TEXT OFFSET OFFSET", S),
    f("sum", "LN", N),
    f("templatefile", "TEMPLATE VARS", S),
    f("templatestring", "TEMPLATEREF VARS", S),
    f("textdecodebase64", "ENCODED ENCODING", S),
    f("textencodebase64", "TEXT ENCODING", S),
    f("timeadd", "DATE DURATION", S),
    f("timecmp", "DATE DATE", N),
    f("timestamp", "", A),
    f("title", "TEXT", S),
    f("tobool", "BOOLISH", B),
    f("tolist", "L", A),
    f("tomap", "M", A),
    f("tonumber", "NUMBERISH", N),
    f("toset", "L", A),
    f("tostring", "SCALAR", S),
    f("transpose", "ML", A),
    f("trim", "TEXT PART", S),
    f("trimprefix", "TEXT PART", S),
    f("trimspace", "LINES", S),
    f("trimsuffix", "TEXT PART", S),
    f("try", "FAILING A*", A),
    f("upper", "TEXT", S),
    f("urlencode", "TEXT", S),
    f("uuid", "", A),
    f("uuidv5", "NAMESPACE TEXT", S),
    f("values", "M", A),
    f("yamldecode", "YAML", A),
    f("yamlencode", "A", S),
    f("zipmap", "LS L", A),
];

/// What Terraform 1.11 does not have, and functions of a provider that every release may have.
pub const LATER: &[Signature] = &[
    f("base64gunzip", "GZIPPED", S),
    f("cidrcontains", "CIDR CONTAINED", B),
    f("convert", "A TYPE", A),
    f("provider::terraform::decode_tfvars", "TFVARS", A),
    f("provider::terraform::encode_expr", "A", S),
    f("provider::terraform::encode_tfvars", "O", S),
    f("urldecode", "URLENCODED", S),
];

/// Functions that take anything, so that a call fails only by the number of its arguments or by one
/// of them.
const NEVER_FAIL: &[&str] = &["plantimestamp", "timestamp", "uuid"];

/// Whether calls with the right number of arguments can fail.
pub fn has_failures(name: &str) -> bool {
    !NEVER_FAIL.contains(&name)
}
