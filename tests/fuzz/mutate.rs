//! Inputs made of a corpus: flipped, spliced, repeated, nested, with tokens of what is read.

/// The size that the limits on time and memory are for.
pub const MAX_SIZE: usize = 64 * 1024;

/// What the readers know, and numbers, letters and brackets that have been hard for readers.
const TOKENS: &[&str] = &[
    "variable",
    "locals",
    "output",
    "terraform",
    "validation",
    "condition",
    "error_message",
    "type",
    "default",
    "nullable",
    "sensitive",
    "ephemeral",
    "required_version",
    "moved",
    "check",
    "assert",
    "module",
    "data",
    "resource",
    "provider",
    "dynamic",
    "var.x",
    "var.name",
    "local.x",
    "each.key",
    "count.index",
    "self",
    "path.module",
    "terraform.workspace",
    "string",
    "number",
    "bool",
    "any",
    "list(",
    "set(",
    "map(",
    "object({",
    "tuple([",
    "optional(",
    "null",
    "true",
    "false",
    "for",
    "in",
    "if",
    "else",
    "endif",
    "endfor",
    "...",
    "=>",
    "==",
    "!=",
    "<=",
    ">=",
    "&&",
    "||",
    "!",
    "?",
    ":",
    "-",
    "*",
    "/",
    "%",
    "[*]",
    ".*",
    "[0]",
    ".0",
    "\"",
    "\"${",
    "${",
    "}",
    "%{",
    "%{ if true }",
    "%{ endif }",
    "~}",
    "$${",
    "%%{",
    "<<EOT\n",
    "<<-EOT\n",
    "\nEOT\n",
    "#",
    "//",
    "/*",
    "*/",
    "\\u0041",
    "\\U0010FFFF",
    "\\n",
    "\\\"",
    "\r\n",
    "\u{feff}",
    "\u{0}",
    "\u{301}",
    "👩‍👩‍👧",
    "ß",
    "\u{212a}",
    "0",
    "-1",
    "1e999",
    "1e-999",
    "9223372036854775808",
    "0.1",
    "1e2147483648",
    "99999999999999999999999999999999",
    "0x10",
    "1.",
    ".5",
    "(?P<n>",
    "(?i)",
    "(?:",
    "[[:alpha:]]",
    "[^",
    "\\Q",
    "\\E",
    "\\pL",
    "\\b",
    "{2,}",
    "{1000}",
    "{1,1000}",
    "a**",
    "(a|b)*",
    "x{10}{10}{10}",
    "$",
    "^",
    "|",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    ",",
    "=",
    "\n",
    " ",
    "{\"a\":",
    "[{\"a\":1}]",
    "\"$ref\":\"#\"",
    "\"properties\":{",
    "\"//\":\"\"",
    "\"__default__\"",
    "~> 1.2",
    ">= 0.13, < 2",
    "1.2.3-beta.1",
    "terraschema:ignore",
    "all",
    "../",
    "./",
    "**",
    "*/",
    "length(",
    "regex(",
    "can(",
    "try(",
    "contains(",
    "alltrue([",
    "setproduct(",
    "range(",
    "format(",
    "replace(",
    "yamldecode(",
    "jsondecode(",
    "csvdecode(",
    "cidrsubnet(",
    "flatten(",
    "templatestring(",
    "formatdate(",
    "timeadd(",
    "merge(",
    "repeat",
    "%s",
    "%v",
    "%#v",
    "%5.2f",
    "&a ",
    "*a",
    "!!binary ",
    "? ",
    "- ",
    ": |\n",
    "---\n",
    "2006-01-02T15:04:05Z",
    "10.0.0.0/8",
    "::ffff:10.0.0.1/96",
    "-----BEGIN RSA PRIVATE KEY-----",
    "=== ",
    "\t",
];

/// Openers of what nests, with their closers.
const NESTS: &[(&str, &str)] = &[
    ("(", ")"),
    ("[", "]"),
    ("{", "}"),
    ("{a=", "}"),
    ("{\"a\":", "}"),
    ("\"${", "}\""),
    ("!", ""),
    ("-", ""),
    ("list(", ")"),
    ("object({a=", "})"),
    ("a {\n", "\n}"),
    ("[for x in ", ": x]"),
    ("%{if true}", "%{endif}"),
    ("true ? ", " : 1"),
    ("(?:", ")*"),
    ("- ", ""),
    ("a: ", ""),
    ("1+", "1"),
    ("x[", "]"),
    ("tolist(", ")"),
    ("<<A\n${", "}\nA\n"),
    ("optional(", ")"),
    ("a.", "b"),
    ("../", ""),
];

/// A source of random numbers that every machine repeats (SplitMix64).
pub struct Random(u64);

impl Random {
    /// The numbers of one input: the same seed, name and index give the same ones.
    pub fn of(seed: u64, name: &str, index: u64) -> Random {
        let name = name.bytes().fold(seed, |hash, it| hash.wrapping_mul(31) + u64::from(it));
        let mut random = Random(name ^ index.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        random.next();
        random
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut it = self.0;
        it = (it ^ (it >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        it = (it ^ (it >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        it ^ (it >> 31)
    }

    /// Below `bound`, and 0 when that is 0.
    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(bound.max(1)).unwrap()).unwrap()
    }

    fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    /// Mostly small, up to `bound`.
    fn small(&mut self, bound: usize) -> usize {
        let limit =
            1_usize << self.below(usize::BITS as usize - bound.leading_zeros() as usize + 1);
        self.below(limit.min(bound + 1))
    }
}

/// One input: a text of the corpus with some changes, at most [`MAX_SIZE`] long.
pub fn input(random: &mut Random, corpus: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = random.pick(corpus).clone();
    for _ in 0..random.small(12) {
        change(random, &mut bytes, corpus);
        bytes.truncate(MAX_SIZE);
    }
    bytes
}

fn change(random: &mut Random, bytes: &mut Vec<u8>, corpus: &[Vec<u8>]) {
    let at = random.below(bytes.len() + 1);
    let end = at + random.small(bytes.len() - at);
    match random.below(12) {
        0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
        1 if at < bytes.len() => bytes[at] = random.next().to_le_bytes()[0],
        2 => drop(bytes.drain(at..end)),
        3 => replace(bytes, at, at, random.pick(TOKENS).as_bytes()),
        4 => replace(bytes, at, end, random.pick(TOKENS).as_bytes()),
        5 => word(random, bytes, at),
        6 => splice(random, bytes, at, end, corpus),
        7 => nest(random, bytes, at, end),
        8 => {
            let part = bytes[at..end].to_vec();
            // Long repetitions are rare, or inputs would be nothing else.
            let times = if random.below(32) == 0 { random.small(4096) } else { random.small(4) };
            replace(bytes, end, end, &part.repeat(times.min(MAX_SIZE / part.len().max(1))));
        }
        9 => {
            let part: Vec<u8> = bytes.drain(at..end).collect();
            let to = random.below(bytes.len() + 1);
            replace(bytes, to, to, &part);
        }
        10 if random.below(8) == 0 => bytes.truncate(at),
        _ => {
            let digits = format!("{}", random.next() >> random.below(64));
            replace(bytes, at, end.min(at + 4), digits.as_bytes());
        }
    }
}

/// Puts a token in the place of the word at `at`.
fn word(random: &mut Random, bytes: &mut Vec<u8>, at: usize) {
    let is_word = |it: &u8| it.is_ascii_alphanumeric() || *it == b'_';
    let start = bytes[..at].iter().rposition(|it| !is_word(it)).map_or(0, |it| it + 1);
    let end = bytes[at..].iter().position(|it| !is_word(it)).map_or(bytes.len(), |it| at + it);
    replace(bytes, start, end, random.pick(TOKENS).as_bytes());
}

fn splice(random: &mut Random, bytes: &mut Vec<u8>, at: usize, end: usize, corpus: &[Vec<u8>]) {
    let other = random.pick(corpus);
    let from = random.below(other.len() + 1);
    let to = from + random.small(other.len() - from);
    replace(bytes, at, end, &other[from..to]);
}

/// Wraps a part, rarely thousands of times.
fn nest(random: &mut Random, bytes: &mut Vec<u8>, at: usize, end: usize) {
    let (open, close) = random.pick(NESTS);
    let bound = if random.below(64) == 0 { 20_000 } else { 8 };
    let depth = random.small(bound).min(MAX_SIZE / open.len());
    let closers = if random.below(4) == 0 { depth / 2 } else { depth };
    replace(bytes, end, end, close.repeat(closers).as_bytes());
    replace(bytes, at, at, open.repeat(depth).as_bytes());
}

fn replace(bytes: &mut Vec<u8>, start: usize, end: usize, with: &[u8]) {
    bytes.splice(start..end, with.iter().copied());
}
