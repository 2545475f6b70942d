//! Random edits of files, as an editor sends them.
//!
//! `TERRASCHEMA_EDITS` is their number, `TERRASCHEMA_SEED` chooses others.

use std::env;

use serde_json::json;
use testkit::{client::Client, random::Random};

use super::{Texts, Units, assert_same};

const MODULE: &str = "variable \"size\" {\r
  type    = number\r
  default = 2\r
  validation {\r
    condition     = var.size > 1\r
    error_message = \"💥 At least two.\"\r
  }\r
}\r
variable \"tags\" {
  type = map(object({ name = string, on = optional(bool, true) }))
}
output \"out\" {
  value = var.tags
}
";

const VALUES: &str = "# é 💥 e\u{301}
size = 1 /* 👩‍👩‍👧 */
tags = {
  \"a💥\" = { name = \"x\", on = \"perhaps\", more = 1 }
  b     = { name = [] }
}
nmae = \"x\"
";

const JSON: &str =
    "{\"size\": 1, \"tags\": {\"💥\": {\"name\": \"a\", \"nmae\": null}},\r\n\"b\": []}\n";

/// What somebody types.
pub(super) const TYPED: &[&str] = &[
    "\n",
    "\r\n",
    "\"",
    "{",
    "}",
    "[",
    "]",
    "=",
    " = ",
    ",",
    "💥",
    "é",
    "e\u{301}",
    "#",
    "/*",
    "*/",
    "${",
    "%{",
    "size",
    "var.size",
    "1",
    "null",
    "true",
    ".",
    "<<EOT\n",
    "EOT\n",
    "\t",
    "(",
    ")",
    "\u{feff}",
    "\0",
    "\\",
    "variable \"x\" {}\n",
    "x = 1\n",
    "\u{202e}",
    "validation {",
    "\"a\": 1,",
];

/// A position of the protocol for a byte.
pub(super) fn position(text: &str, at: usize, units: Units) -> serde_json::Value {
    let before = &text[..at];
    let line = before.matches('\n').count();
    let start = before.rfind('\n').map_or(0, |it| it + 1);
    json!({"line": line, "character": units.count(&before[start..])})
}

#[test]
fn random_edits_are_judged_as_check_does() {
    let number = |name: &str| env::var(name).ok().and_then(|it| it.parse::<u64>().ok());
    let edits = number("TERRASCHEMA_EDITS").unwrap_or(120);
    let seed = number("TERRASCHEMA_SEED").unwrap_or(1);
    let mut random = Random::new(seed);
    let names = ["main.tf", "prod.tfvars", "terraform.tfvars.json"];
    let originals = [MODULE, VALUES, JSON];
    for round in 0..edits.div_ceil(40) {
        let units = if round % 2 == 0 { Units::Utf16 } else { Units::Bytes };
        let mut client = Client::with(&[], units.capabilities(), json!({}));
        let mut texts = Texts::new();
        for (name, text) in names.iter().zip(originals) {
            texts.insert((*name).to_owned(), text.to_owned());
            client.write(name, text);
            client.open(name);
        }
        for edit in 0..40 {
            let name = *random.pick(&names);
            let text = texts[name].clone();
            let starts: Vec<usize> = (0..=text.len())
                .filter(|it| text.is_char_boundary(*it) && !text[..*it].ends_with('\r'))
                .collect();
            let start = *random.pick(&starts);
            let long = if random.chance(10) { 60 } else { 3 };
            let end = (start + random.below(long)).min(text.len());
            let end = *starts.iter().find(|it| **it >= end).unwrap();
            let typed = if random.chance(70) { *random.pick(TYPED) } else { "" };
            // A lone carriage return is a line end of the protocol and not of ours.
            let new = format!("{}{typed}{}", &text[..start], &text[end..]);
            if new.replace("\r\n", "").contains('\r') {
                continue;
            }
            let range =
                json!({"start": position(&text, start, units), "end": position(&text, end, units)});
            client.change(name, json!([{"range": range, "text": typed}]));
            texts.insert(name.to_owned(), new);
            let what = format!("seed {seed}, round {round}, edit {edit} of {name}");
            assert_same(&mut client, &texts, units, &what);
        }
    }
}
