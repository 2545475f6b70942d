//! Texts of the formats that functions read: addresses, times, durations, Base64, JSON, CSV,
//! numerals, URLs. Most are right, or wrong in one place.

use super::values::Random;

#[derive(Clone, Copy, PartialEq)]
pub enum Format {
    Address,
    Time,
    Duration,
    Base64,
    Json,
    Csv,
    Numeral,
    Url,
}

impl Format {
    /// What a function reads from its texts.
    pub fn read_by(function: &str) -> &'static [Format] {
        match function {
            "cidrhost" | "cidrnetmask" | "cidrsubnet" | "cidrsubnets" | "cidrcontains" => {
                &[Format::Address]
            }
            "timeadd" => &[Format::Time, Format::Duration],
            "timecmp" | "formatdate" => &[Format::Time],
            "base64decode" | "textdecodebase64" | "base64gunzip" => &[Format::Base64],
            "jsondecode" | "yamldecode" => &[Format::Json],
            "csvdecode" => &[Format::Csv],
            "parseint" | "tonumber" => &[Format::Numeral],
            "urldecode" => &[Format::Url],
            _ => &[],
        }
    }

    pub fn text(self, random: &mut Random) -> String {
        let mut text = match self {
            Format::Address => address(random),
            Format::Time => time(random),
            Format::Duration => duration(random),
            Format::Base64 => {
                joined(&["YQ==", "YWI=", "YWJj", "w6k=", "/+8=", "====", "YQ"], random)
            }
            Format::Json => json(random),
            Format::Csv => {
                joined(&["a,b\n", "1,2\n", "\"x,\"\"y\",z\n", "a\n", "\"", ",\r\n"], random)
            }
            Format::Numeral => numeral(random),
            Format::Url => {
                joined(&["a", "%20", "+", "%C3%A9", "%", "%2", "%zz", "/", "%FF"], random)
            }
        };
        if random.below(4) == 0 {
            let characters: Vec<char> = text.chars().collect();
            let at = random.below(characters.len() + 1);
            let mut changed: Vec<char> = characters[..at].to_vec();
            let rest = characters.get(at + random.below(2)..).unwrap_or_default();
            if random.below(3) > 0 {
                changed
                    .push(*random.pick(&['0', '1', ':', '/', '.', '-', ' ', 'a', 'Z', '\u{e9}']));
            }
            text = changed.into_iter().chain(rest.iter().copied()).collect();
        }
        text
    }
}

/// One to three of the parts, in a row.
fn joined(parts: &[&str], random: &mut Random) -> String {
    (0..=random.below(3)).map(|_| *random.pick(parts)).collect()
}

fn address(random: &mut Random) -> String {
    let address = match random.below(5) {
        0 | 1 => ipv4(random),
        2 => format!("::{}{}", random.pick(&["", "ffff:", "FFFF:", "0:ffff:"]), ipv4(random)),
        _ => ipv6(random),
    };
    let mask = match random.below(8) {
        0 => String::new(),
        1 => {
            (*random.pick(&["/", "/08", "/+8", "/ 8", "/-1", "/8/8", "/1e1", "%eth0/8"])).to_owned()
        }
        2 => format!("/{}", 95 + random.below(36)),
        _ => format!("/{}", random.below(34)),
    };
    address + &mask
}

fn ipv4(random: &mut Random) -> String {
    const OCTETS: [&str; 14] =
        ["0", "1", "9", "10", "99", "127", "128", "192", "255", "10", "172", "256", "01", ""];
    let count = if random.below(10) == 0 { 3 + random.below(3) } else { 4 };
    let common = if random.below(4) == 0 { OCTETS.len() } else { OCTETS.len() - 3 };
    let octets: Vec<_> = (0..count).map(|_| *random.pick(&OCTETS[..common])).collect();
    octets.join(".")
}

fn ipv6(random: &mut Random) -> String {
    const GROUPS: [&str; 8] = ["0", "1", "ffff", "fe80", "2001", "0db8", "AbC", "00001"];
    let common = if random.below(6) == 0 { GROUPS.len() } else { GROUPS.len() - 1 };
    let groups = |count: usize, random: &mut Random| {
        let groups: Vec<_> = (0..count).map(|_| *random.pick(&GROUPS[..common])).collect();
        groups.join(":")
    };
    match random.below(4) {
        0 => groups(8, random),
        1 => format!("{}:{}", groups(6, random), ipv4(random)),
        _ => {
            let (before, after) = (random.below(5), random.below(5));
            format!("{}::{}", groups(before, random), groups(after, random))
        }
    }
}

fn time(random: &mut Random) -> String {
    let date = *random.pick(&[
        "2024-01-01",
        "2024-02-29",
        "2023-02-29",
        "2024-12-31",
        "2024-04-31",
        "0000-01-01",
        "9999-12-31",
        "2024-00-10",
        "2024-13-01",
        "2024-1-1",
        "1900-02-29",
        "2000-02-29",
    ]);
    let hour = *random.pick(&[
        "00:00:00",
        "23:59:59",
        "10:20:30",
        "24:00:00",
        "23:60:00",
        "23:59:60",
        "1:02:03",
        "01:2:3",
        "12:00:00.5",
        "12:00:00.123456789",
        "12:00:00.1234567890",
        "12:00:00,5",
        "12:00:00.",
    ]);
    let zone = *random.pick(&[
        "Z", "Z", "z", "+00:00", "-00:00", "+01:00", "-23:59", "+24:00", "+14:60", "", "+0100",
        "+1:00",
    ]);
    let separator = *random.pick(&["T", "T", "T", "T", "t", " ", ""]);
    format!("{date}{separator}{hour}{zone}")
}

fn duration(random: &mut Random) -> String {
    const NUMBERS: [&str; 8] = ["0", "1", "10", "1.5", ".5", "5.", "", "9223372036"];
    const UNITS: [&str; 9] = ["h", "m", "s", "ms", "us", "\u{b5}s", "ns", "d", ""];
    let mut text = (*random.pick(&["", "", "-", "+", "--"])).to_owned();
    for _ in 0..=random.below(3) {
        text += *random.pick(&NUMBERS);
        text += *random.pick(&UNITS);
    }
    text
}

fn json(random: &mut Random) -> String {
    (*random.pick(&[
        "{}",
        "[]",
        "1",
        "-1",
        "01",
        "1.0",
        "1e5",
        "1e",
        "true",
        "null",
        "\"a\"",
        "'a'",
        "{\"a\": 1}",
        "{\"a\": null}",
        "{\"a\": 1, \"a\": 2}",
        "[1,]",
        "[1, \"a\"]",
        "{a: 1}",
        "a: 1",
        "- a",
        "a: b: c",
        "\"\\u00e9\"",
        "\"\\x\"",
        "",
        " ",
        "1 2",
        "~",
        "yes",
        "0x1F",
        "&a [*a]",
        "!!str 1",
        "a: |\n  b",
        "---\na",
        "[a, b",
        "{\"b\": [1, {}]}",
    ]))
    .to_owned()
}

fn numeral(random: &mut Random) -> String {
    let sign = *random.pick(&["", "", "", "-", "+", " "]);
    let digits = *random.pick(&[
        "0",
        "1",
        "7",
        "10",
        "007",
        "1_000",
        "ff",
        "FF",
        "zZ",
        "0x1f",
        "0b1",
        "1.5",
        "1.0",
        "1e3",
        "1E-2",
        ".5",
        "5.",
        "inf",
        "NaN",
        "12345678901234567890",
        "",
    ]);
    format!("{sign}{digits}")
}
