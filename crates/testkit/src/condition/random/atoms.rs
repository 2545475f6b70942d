//! What a random condition asks of one value.

use super::{Name, PATTERNS, Ty, Writer};

impl Writer {
    fn string(&mut self, text: &str, depth: usize) -> String {
        let inner = if depth > 0 { self.string(text, depth - 1) } else { text.to_owned() };
        match self.random.below(13) {
            0 => format!("lower({inner})"),
            1 => format!("upper({inner})"),
            2 => format!("trimspace({inner})"),
            3 | 10 => {
                let (offset, length) = (self.position(&inner), self.position(&inner));
                format!("substr({inner}, {offset}, {length})")
            }
            11 => format!("strrev({inner})"),
            12 => format!("split(\"\", {inner})[{}]", self.random.below(3)),
            4 => format!("split(\"/\", {inner})[{}]", self.random.below(2)),
            5 => format!("coalesce({inner}, {})", self.text()),
            6 => format!("try({inner}, {})", self.text()),
            _ => inner,
        }
    }

    /// Counted from the beginning or from the end.
    fn position(&mut self, text: &str) -> String {
        let number = self.random.below(5);
        match self.random.below(5) {
            0 => format!("-{number}"),
            1 => format!("length({text}) - {number}"),
            2 => format!("length({text})"),
            _ => number.to_string(),
        }
    }

    pub(super) fn atom(&mut self, name: &Name, scope: &[Name]) -> String {
        let text = name.text.clone();
        let (order, number) = (self.order(), self.bound());
        match name.ty {
            Ty::String => self.about_string(&text),
            Ty::Number => match self.random.below(10) {
                6 => format!("tostring({text}) == \"{number}\""),
                7 => self.about_string(&format!("tostring({text})")),
                8 => format!("{text} % 2 == {number}"),
                5 => format!("can(regex(\"{}\", {text}))", self.random.pick(&NUMERALS)),
                0 => format!("{text} % 2 == 0"),
                1 => format!("floor({text}) == {text}"),
                2 => format!("contains([0, 1, 2.5], {text})"),
                3 => format!("try({text} {order} {number}, true)"),
                4 => {
                    let other = self.value(scope);
                    format!("{text} {order} {}", other.text)
                }
                _ => format!("{text} {order} {number}"),
            },
            Ty::Bool => match self.random.below(4) {
                0 => format!("{text} == false"),
                1 => format!("{text} != null"),
                _ => text,
            },
            Ty::Strings | Ty::Set => match self.random.below(18) {
                15 => format!("length({text}) % 2 == 1 && length({text}) {order} {number}"),
                16 => format!("{number} >= length({text}) && length({text}) % 3 != 1"),
                17 => format!(
                    "length(compact([for e in {text} : e == {} ? \"x\" : \"\"])) == length({text})",
                    self.text()
                ),
                13 => format!("contains({}, {})", self.slice(&text), self.text()),
                14 => format!("length({}) {order} {number}", self.slice(&text)),
                10 => {
                    format!(
                        "sum([for e in {text} : e == {} ? 0 : 1]) {order} {number}",
                        self.text()
                    )
                }
                11 => format!("sum([for e in {text} : upper(e) == \"A\" ? 1 : 0]) == 0"),
                12 => format!(
                    "alltrue([for e in {text} : e != {} if length({text}) > {number}])",
                    self.text()
                ),
                6 => format!(
                    "length([for e in {text} : e if e != {}]) == length({text})",
                    self.text()
                ),
                7 => format!("length({text}) + length({text}) {order} {number}"),
                8 => format!("length(compact({text})) {order} {number}"),
                0 => format!("length({text}) {order} {number}"),
                1 => format!("contains({text}, {})", self.text()),
                2 => format!("length(setsubtract({text}, {})) {order} {number}", self.texts()),
                3 => format!("length(setintersection({text}, {})) > 0", self.texts()),
                4 => format!("length({text}) == length(distinct({text}))"),
                5 => format!("{text}[{number}] == {}", self.text()),
                _ => format!("length(concat({text}, {})) {order} {number}", self.texts()),
            },
            Ty::Map => match self.random.below(9) {
                7 => format!("length({text}) % 2 == 0 && length({text}) < 4"),
                8 => format!("length(compact([for k, v in {text} : v])) == length({text})"),
                0 => format!("length({text}) {order} {number}"),
                1 => format!("contains(keys({text}), {})", self.text()),
                2 => format!("lookup({text}, \"a\", \"b\") == {}", self.text()),
                3 => format!("{text}[\"a\"] == {}", self.text()),
                4 => format!("contains(values({text}), {})", self.text()),
                5 => format!("length(setsubtract(keys({text}), {})) == 0", self.texts()),
                _ => format!("try({text}.a, null) == {}", self.text()),
            },
            Ty::Object => format!("{text} != null"),
            Ty::Objects => match self.random.below(7) {
                3 => format!(
                    "length(flatten([for e in {text} : [for f in e.l : f if f == {}]])) == \
                     length(flatten([for e in {text} : [for g in e.l : true]]))",
                    self.text()
                ),
                4 => format!(
                    "length([for e in {text} : e if e.b && e.n != null]) == length([for e in \
                     {text} : e if e.b])"
                ),
                5 => format!("length([for e in {text} : e.l[0]]) {order} {number}"),
                0 => format!("length({text}) {order} {number}"),
                1 => format!("contains({text}[*].s, {})", self.text()),
                2 => format!("length({text}) == length(distinct({text}[*].s))"),
                _ => format!("{text}[{number}].s == {}", self.text()),
            },
            Ty::ObjectMap => match self.random.below(3) {
                0 => format!("length({text}) {order} {number}"),
                1 => format!("contains(keys({text}), {})", self.text()),
                _ => format!("lookup({text}, \"a\", null) == null"),
            },
            Ty::Numbers | Ty::Anys => match self.random.below(7) {
                0 => format!("length({text}) {order} {number}"),
                1 => format!("contains({text}, {number})"),
                2 => format!("{text}[{number}] {order} {number}"),
                3 => format!("length({text}) == length(distinct({text}))"),
                4 => format!("max({text}...) {order} {number}"),
                5 => format!("try({text}[0], null) == {number}"),
                _ => format!("sum({text}) {order} {number}"),
            },
            Ty::Matrix => match self.random.below(6) {
                0 => format!("length({text}) {order} {number}"),
                1 => format!("length(flatten({text})) {order} {number}"),
                2 => format!("contains(flatten({text}), {})", self.text()),
                3 => format!("alltrue([for e in {text} : length(e) {order} {number}])"),
                4 => format!(
                    "alltrue(flatten([for e in {text} : [for f in e : f != {}]]))",
                    self.text()
                ),
                _ => format!("{text}[{number}][0] == {}", self.text()),
            },
            Ty::NumberMap | Ty::AnyMap => match self.random.below(6) {
                0 => format!("length({text}) {order} {number}"),
                1 => format!("contains(keys({text}), {})", self.text()),
                2 => format!("lookup({text}, \"a\", {number}) {order} {number}"),
                3 => format!("contains(values({text}), {number})"),
                4 => format!("try({text}.a, null) == {}", self.constant()),
                _ => format!("{text}[\"a\"] {order} {number}"),
            },
            Ty::Tuple => match self.random.below(4) {
                0 => format!("{text}[0] == {}", self.text()),
                1 => format!("{text}[1] {order} {number}"),
                2 => format!("alltrue([for e in {text} : e != null])"),
                _ => format!("length(compact({text})) {order} {number}"),
            },
            Ty::Inner => match self.random.below(6) {
                0 => format!("{text} != null"),
                1 => format!("can({text}.s)"),
                2 => format!("try({text}.n, 0) {order} {number}"),
                3 => format!("coalesce(try({text}.s, null), \"a\") == {}", self.text()),
                4 => format!("sum([for e, f in {text} : f == null ? 0 : 1]) {order} {number}"),
                _ => format!("length([for e in values({text}) : e if e != null]) {order} {number}"),
            },
            Ty::Bools => match self.random.below(5) {
                0 => format!("alltrue({text})"),
                1 => format!("anytrue({text})"),
                2 => format!("contains({text}, {})", self.constant()),
                3 => format!("{text}[{number}]"),
                _ => format!("length({text}) {order} {number}"),
            },
            Ty::ListMap => match self.random.below(6) {
                0 => format!("length({text}) {order} {number}"),
                1 => format!("contains(flatten(values({text})), {})", self.text()),
                2 => format!("contains(lookup({text}, \"a\", []), {})", self.text()),
                3 => format!("length({text}[\"a\"]) {order} {number}"),
                4 => format!("length(concat(values({text})...)) {order} {number}"),
                _ => format!("try({text}.a[0], null) == {}", self.text()),
            },
            Ty::Inners => match self.random.below(5) {
                0 => format!("length({text}) {order} {number}"),
                1 => format!("contains({text}[*].s, {})", self.text()),
                2 => format!("length({text}) == length(distinct([for e in {text} : e.s]))"),
                3 => format!("length([for e in {text} : e if e.s != null]) {order} {number}"),
                _ => format!("one({text}[*].n) {order} {number}"),
            },
            Ty::InnerMap => match self.random.below(6) {
                0 => format!("length({text}) {order} {number}"),
                1 => format!("try({text}[\"a\"].s, null) == {}", self.text()),
                2 => format!("contains(values({text})[*].n, {number})"),
                3 => format!("lookup({text}, \"a\", null) != null"),
                4 => format!("length(compact([for e, f in {text} : f.s])) {order} {number}"),
                _ => format!("contains(keys({text}), {})", self.text()),
            },
            Ty::Deep => match self.random.below(6) {
                0 => format!("length({text}) {order} {number}"),
                1 => format!("length({text}[*].c) {order} {number}"),
                2 => format!("contains(flatten({text}[*].c[*].n), {number})"),
                3 => format!("length(flatten([for e in {text} : e.c])) {order} {number}"),
                4 => format!("alltrue([for e in {text} : length(e.c) {order} {number}])"),
                _ => format!("can({text}[{number}].c[0].t)"),
            },
            Ty::Items => match self.random.below(6) {
                0 => format!("length({text}) {order} {number}"),
                1 => format!("contains({text}[*].t, {})", self.constant()),
                2 => format!("try({text}[0].n, 0) {order} {number}"),
                3 => format!("sum(concat([0], {text}[*].n)) {order} {number}"),
                4 => format!("max([for e in {text} : e.n]...) {order} {number}"),
                _ => format!("length({text}) == length(toset({text}[*].t))"),
            },
            Ty::DeepItem | Ty::Item | Ty::Holder => match self.random.below(3) {
                0 => format!("{text} != null"),
                1 => format!("can({text}.s)"),
                _ => format!("length(keys({text})) {order} {number}"),
            },
            Ty::Any => match self.random.below(18) {
                12 => format!("try({text}[{number}], null) == {}", self.constant()),
                13 => format!("can({text}[\"{number}\"])"),
                14 => format!("try(length({text}), {number}) {order} {number}"),
                15 => format!("contains(keys(try({text}, {{}})), {})", self.text()),
                16 => format!("try(contains({text}, {}), false)", self.text()),
                17 => format!("lookup(try({text}, {{}}), \"a\", {number}) {order} {number}"),
                10 | 11 => format!("length({text}) {order} {number}"),
                5 => format!("can(regex(\"{}\", {text}))", self.random.pick(&PATTERNS)),
                6 => format!("can(regex(\"{}\", {text}))", self.random.pick(&NUMERALS)),
                7 => format!("{text} {order} {number}"),
                8 => format!("startswith({text}, \"t\")"),
                0 => format!("lookup({text}, \"a\", null) == {}", self.text()),
                1 => format!("length(setsubtract(keys({text}), {})) == 0", self.texts()),
                2 => format!("try({text}.a.b, null) == {}", self.text()),
                3 => format!("contains({}, {text})", self.texts()),
                4 => format!("can({text}.a)"),
                _ => format!("{text}.a == {}", self.text()),
            },
        }
    }

    /// About `p`, a part of a string.
    fn about_part(&mut self) -> String {
        let (order, number) = (self.order(), self.bound());
        let one = match self.random.below(5) {
            0 => format!("p == {}", self.text()),
            1 => format!("length(p) {order} {number}"),
            2 => "can(tonumber(p))".to_owned(),
            3 => format!("contains({}, p)", self.texts()),
            _ => format!("can(regex(\"{}\", p))", self.random.pick(&PATTERNS)),
        };
        match self.random.below(4) {
            0 => format!("!({one})"),
            1 => format!("({one} || p == {})", self.text()),
            2 => format!("({one} && p != {})", self.text()),
            _ => one,
        }
    }

    fn about_format(&mut self, text: &str) -> String {
        let about = *self.random.pick(&ABOUT_FORMATS);
        let comparison = format!("{} {}", self.order(), self.bound());
        about.replace('~', &comparison).replace('@', text)
    }

    fn about_string(&mut self, text: &str) -> String {
        let depth = self.random.below(3);
        let text = self.string(text, depth);
        let (order, number) = (self.order(), self.bound());
        let pattern = *self.random.pick(&PATTERNS);
        match self.random.below(30) {
            24..=29 => self.about_format(&text),
            20 => format!("\"${{{text}}}/x\" == {}", self.text()),
            21 => format!("regex(\"{pattern}\", {text}) == {}", self.text()),
            22 => format!("{text} == try(regex(\"{pattern}\", {text}), null)"),
            23 => format!("can(regex(\"{pattern}\", \"${{{text}}}-1\"))"),
            14 => {
                let all = *self.random.pick(&["alltrue", "anytrue"]);
                let about = self.about_part();
                format!("{all}([for p in split(\"/\", {text}) : {about}])")
            }
            15 => format!("can(jsondecode({text}))"),
            16 => format!("contains(split(\"/\", {text}), {})", self.text()),
            0 | 1 => format!("{text} == {}", self.text()),
            2 => format!("{text} != null"),
            3 | 4 => format!("contains({}, {text})", self.texts()),
            5 | 6 => format!("can(regex(\"{pattern}\", {text}))"),
            7 => format!("length({text}) {order} {number}"),
            19 => format!("try({text}.k, {}) == \"a\"", self.text()),
            18 => format!("length({text}) - 2 {order} {number}"),
            8 => format!("length(regexall(\"{pattern}\", {text})) {order} {number}"),
            9 => format!("startswith({text}, {})", self.text()),
            10 => format!("strcontains({text}, {})", self.text()),
            11 => format!("tonumber({text}) {order} {number}"),
            12 => format!("parseint({text}, 10) {order} {number}"),
            13 => {
                let separator = *self.random.pick(&["/", "/", ""]);
                format!("length(split(\"{separator}\", {text})) {order} {number}")
            }
            17 => format!("try(index({}, {text}), {number}) {order} {number}", self.texts()),
            _ => format!("can(cidrhost({text}, {number}))"),
        }
    }
}

/// What is asked of a text, `@`, that a function reads; `~` is an order and a number.
const ABOUT_FORMATS: [&str; 52] = [
    // Of the machine, where `k.txt` may be there.
    "file(\"k.txt\") == @",
    "can(file(\"k.txt\"))",
    "!can(file(\"k.txt\"))",
    "try(file(\"k.txt\"), \"a\") == @",
    "fileexists(\"k.txt\")",
    "!fileexists(\"k.txt\")",
    "length(fileset(\".\", \"k.*\")) ~",
    "contains(fileset(\".\", \"k.*\"), @)",
    "contains([file(\"k.txt\"), \"b\"], @)",
    "abspath(\"k.txt\") != @",
    "filesha256(\"k.txt\") == @",
    "templatefile(\"k.txt\", {}) != @",
    "can(cidrhost(@, 0))",
    "can(cidrhost(@, 255))",
    "can(cidrhost(@, -1))",
    "!can(cidrhost(@, 256))",
    "cidrhost(@, 0) == split(\"/\", @)[0]",
    "cidrhost(@, 1) != \"10.0.0.1\"",
    "can(cidrnetmask(@))",
    "cidrnetmask(@) == \"255.0.0.0\"",
    "can(cidrnetmask(\"${@}/8\"))",
    "can(cidrhost(\"${@}/32\", 0))",
    "can(cidrhost(\"10.0.0.0/${@}\", 0))",
    "can(cidrsubnet(@, 8, 2))",
    "can(cidrsubnet(@, 0, 0))",
    "cidrsubnet(@, 0, 0) == @",
    "can(cidrsubnets(@, 1, 2))",
    "alltrue([for p in split(\",\", @) : can(cidrhost(p, 0))])",
    "try(tonumber(split(\"/\", @)[1]), 0) ~",
    "can(cidrhost(@, 0)) && !can(cidrnetmask(@))",
    "can(regex(\"^10[.]\", @)) && can(cidrhost(@, 0))",
    "can(timeadd(@, \"1h\"))",
    "can(timeadd(\"2024-01-01T00:00:00Z\", @))",
    "can(formatdate(\"YYYY\", @))",
    "formatdate(\"YYYY\", @) == \"2024\"",
    "timecmp(@, \"2024-02-29T12:00:00Z\") ~",
    "can(timecmp(@, @))",
    "can(base64decode(@))",
    "base64encode(base64decode(@)) == @",
    "can(textdecodebase64(@, \"UTF-8\"))",
    "can(jsondecode(@))",
    "can(jsondecode(@).a)",
    "length(jsondecode(@)) ~",
    "can(yamldecode(@))",
    "can(keys(yamldecode(@)))",
    "can(csvdecode(@))",
    "can(urldecode(@))",
    "can(parseint(@, 16))",
    "parseint(@, 2) ~",
    "can(tonumber(@))",
    "can(tobool(@))",
    "can(regex(@, \"a\"))",
];

/// Patterns that numbers match, or nearly.
const NUMERALS: [&str; 5] =
    ["^[0-9]{1,2}$", "^[1-9][0-9]*$", "^(?:2|3|0?1|t.*)$", "^-?[0-9]", "^[a-z]"];
