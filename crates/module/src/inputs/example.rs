//! Examples of values files, such as `terraform.tfvars.example`.
//!
//! Terraform does not read them; people copy them and replace the placeholders. So a placeholder is a value that is not
//! known yet, and some of them are not even HCL: `region = <your region>`.

use std::borrow::Cow;

use super::{
    GivenValue, given,
    values_file::{is_auto_file, is_json_file, is_values_file},
};
use crate::evaluate_constant;
use diagnostics::{Diagnostics, FileId, Span, has_errors, lints};
use hcl::{Body, Expr, ExprKind, ObjectItem, ObjectKey, parse_body_at};
use release::Release;
use smol_str::SmolStr;
use stack::guarded;
use tf_eval::{Meter, RootReference, references};
use tf_value::{Marks, Type, Value, nfc};

/// Why the value of a placeholder is not known.
pub const REASON: &str = "a placeholder in an example";

/// What the name of an example adds to that of a values file.
const ENDINGS: [&str; 4] = ["example", "sample", "template", "dist"];

/// Words that only placeholders have.
const WORDS: [&str; 17] = [
    "change",
    "changeit",
    "changeme",
    "changethis",
    "enter",
    "fill",
    "fixme",
    "here",
    "insert",
    "paste",
    "placeholder",
    "redacted",
    "replace",
    "replaceme",
    "tbd",
    "todo",
    "yours",
];

/// An example's name without what marks it as one: `a.tfvars.json` for `a.tfvars.json.example`, and for
/// `a.tfvars.example.json`. `None` if the name of the file says nothing of the kind.
fn unmarked(name: &str) -> Option<Cow<'_, str>> {
    let is_mark = |it: &str| ENDINGS.iter().any(|mark| it.eq_ignore_ascii_case(mark));
    let (rest, last) = name.rsplit_once('.')?;
    if is_mark(last) {
        return is_values_file(rest).then_some(Cow::Borrowed(rest));
    }
    let (inner, mark) = rest.rsplit_once('.')?;
    let is_json = last == "json" && is_mark(mark) && inner.ends_with(".tfvars");
    is_json.then(|| Cow::Owned(format!("{inner}.json")))
}

/// Whether a file of this name is an example of a values file: `*.tfvars.example`, `*.tfvars.json.sample`,
/// `example.tfvars`, `prod.example.tfvars`, `template.tfvars`. A file that Terraform reads automatically is not an example.
pub fn is_example_file(name: &str) -> bool {
    if unmarked(name).is_some() {
        return true;
    }
    let stem = name.strip_suffix(".json").unwrap_or(name).strip_suffix(".tfvars");
    let Some(stem) = stem.filter(|_| !is_auto_file(name)) else { return false };
    let last = stem.rsplit(['.', '-', '_']).next().unwrap_or(stem);
    // `launch-template.tfvars` may hold the values of one.
    let after_dot = stem.rsplit('.').next().unwrap_or(stem);
    ["example", "examples", "sample"].iter().any(|it| last.eq_ignore_ascii_case(it))
        || after_dot.eq_ignore_ascii_case("template")
}

/// Whether the text of an example is JSON.
pub(super) fn is_json_example(name: &str) -> bool {
    unmarked(name).map_or_else(|| is_json_file(name), |it| is_json_file(&it))
}

/// Whether a text is there to be replaced: `<your region>`, `CHANGEME`, `ami-xxxxxxxx`, or nothing.
pub fn is_placeholder(text: &str) -> bool {
    let text = text.trim();
    let is_wrapped = |open: &str, close: &str| {
        text.len() > open.len() + close.len() && text.starts_with(open) && text.ends_with(close)
    };
    let has = |it: &str| text.contains(it);
    if ["...", "…", "***", "???", "${", "$(", "{{", "|"].iter().any(|it| has(it))
        || text.find('<').is_some_and(|at| at == 0 || text[at..].contains('>'))
        || [("[", "]"), ("{", "}"), ("(", ")"), ("%", "%"), ("__", "__"), ("@", "@")]
            .iter()
            .any(|(open, close)| is_wrapped(open, close))
        || text.strip_prefix('$').is_some_and(|rest| rest.starts_with(char::is_alphabetic))
    {
        return true;
    }
    let lower = text.to_lowercase();
    if lower.contains("xxx") || lower.contains("change_me") || lower.contains("change-me") {
        return true;
    }
    let mut words = lower.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty());
    let is_word = |it: &str| {
        WORDS.contains(&it) || it.starts_with("your") || it.chars().all(|char| char == 'x')
    };
    // Neither letters nor digits but zeros are nothing, too.
    let is_nothing = |it: char| !it.is_alphanumeric() || it == '0' && text.len() > 8;
    text.chars().all(is_nothing) || words.any(is_word) || is_constant_name(text)
}

/// Whether it looks like the name of an environment variable: `PROJECT_ID`.
fn is_constant_name(text: &str) -> bool {
    text.contains('_')
        && text.starts_with(|it: char| it.is_ascii_uppercase())
        && text.chars().all(|it| it.is_ascii_uppercase() || it.is_ascii_digit() || it == '_')
}

/// A value that is not filled in.
fn open() -> Value {
    Value::unknown_not_null(Type::Dynamic).with_marks(Marks::UNDECIDED)
}

/// The value of a text in an example; `None` if it is that text.
fn behind(text: &str) -> Option<Value> {
    is_placeholder(text).then(open)
}

/// Evaluates a value of an example. In a call (`is_call`), whatever refers to something is not known; elsewhere it is
/// an error, as in every values file.
pub(super) fn evaluate(
    given: &GivenValue,
    is_call: bool,
    left_out: &[Span],
    release: Release,
    meter: &Meter,
) -> (Value, Diagnostics) {
    match given {
        GivenValue::Json(it) => given::evaluate(it, &behind),
        GivenValue::Expr(it) => {
            let mut example = Example { is_call, left_out, release, meter, found: Vec::new() };
            let value = example.value(it);
            if example.found.is_empty() {
                return (value, Vec::new());
            }
            (Value::unknown(Type::Dynamic), example.found)
        }
        other => other.evaluate(false, release, meter),
    }
}

struct Example<'a> {
    is_call: bool,
    left_out: &'a [Span],
    release: Release,
    meter: &'a Meter,
    found: Diagnostics,
}

impl Example<'_> {
    fn value(&mut self, expr: &Expr) -> Value {
        guarded(|| match &expr.kind {
            ExprKind::String(it) | ExprKind::Variable(it) if is_placeholder(it) => open(),
            // Most values are texts.
            ExprKind::String(it) => Value::string(it),
            ExprKind::Bool(it) => Value::bool(*it),
            // A template stays one: it may be a placeholder.
            ExprKind::Paren(it) => self.value(it),
            ExprKind::Tuple(elements) if self.is_cut(expr, elements) => open(),
            ExprKind::Tuple(elements) => {
                Value::tuple(elements.iter().map(|it| self.value(it)).collect())
            }
            ExprKind::Object(items) if self.is_cut(expr, items.iter().map(|it| &it.value)) => {
                open()
            }
            ExprKind::Object(items) => self.object(expr, items),
            _ => self.constant(expr),
        })
    }

    /// Whether something of a list or an object itself is left out, not of a value in it.
    fn is_cut<'e>(&self, expr: &Expr, inner: impl IntoIterator<Item = &'e Expr>) -> bool {
        let own = |at: &&Span| expr.span.start <= at.start && at.end <= expr.span.end;
        let mut cuts: Vec<Span> = self.left_out.iter().filter(own).copied().collect();
        if cuts.is_empty() {
            return false;
        }
        for it in inner {
            cuts.retain(|at| at.end <= it.span.start || it.span.end <= at.start);
        }
        !cuts.is_empty()
    }

    fn object(&mut self, expr: &Expr, items: &[ObjectItem]) -> Value {
        let keys: Option<Vec<SmolStr>> = items.iter().map(key).collect();
        let Some(mut sorted) = keys.clone() else { return self.constant(expr) };
        sorted.sort_unstable();
        sorted.dedup();
        if sorted.len() < items.len() {
            return self.constant(expr);
        }
        let values = items.iter().map(|it| self.value(&it.value)).collect::<Vec<_>>();
        Value::object(keys.into_iter().flatten().zip(values).collect())
    }

    fn constant(&mut self, expr: &Expr) -> Value {
        let rule = &lints::INVALID_INPUT_SYNTAX;
        let (value, found) = evaluate_constant(expr, rule, self.release, self.meter);
        if !found.is_empty() {
            if !self.is_call && !is_template(expr) {
                self.found.extend(found);
            }
            return open();
        }
        value.as_str().and_then(behind).unwrap_or(value)
    }
}

/// What Terraform's own references begin with; nobody fills in `path.module`.
const PARTS: [&str; 5] = ["data", "local", "module", "path", "var"];

/// Whether a text has places that somebody fills in: `"${AWS_REGION}-a"`, but not `"${path.module}/a"`.
fn is_template(expr: &Expr) -> bool {
    let is_part = |it: &RootReference<'_>| it.first.is_some() && PARTS.contains(&it.name);
    matches!(expr.kind, ExprKind::Template(_) | ExprKind::Wrap(_))
        && !references(expr).iter().any(is_part)
}

fn key(item: &ObjectItem) -> Option<SmolStr> {
    match &item.key {
        ObjectKey::Name(it) => Some(nfc(&it.name)),
        ObjectKey::Expr(Expr { kind: ExprKind::String(it), .. }) => Some(nfc(it)),
        ObjectKey::Expr(_) | ObjectKey::Template(_) => None,
    }
}

/// The lines of an example, or of a part of one whose place in the file is `offset`, which say that something is left
/// out: `# ...`.
pub fn left_out(file: FileId, bytes: &[u8], offset: u32) -> Vec<Span> {
    let mut found = Vec::new();
    let mut at = offset as usize;
    for line in bytes.split_inclusive(|it| *it == b'\n') {
        let end = at + line.len();
        let text = line.trim_ascii();
        let comment = text.strip_prefix(b"#").or_else(|| text.strip_prefix(b"//"));
        let comment = comment.and_then(|it| std::str::from_utf8(it).ok());
        if comment.is_some_and(|it| is_cut(it.trim_matches(['#', '/', ' ', '\t']))) {
            found.push(Span::new(file, at, end));
        }
        at = end;
    }
    found
}

/// Whether a comment says that something is left out.
fn is_cut(comment: &str) -> bool {
    let marks = ["...", "…", "etc", "etc."];
    marks.iter().any(|it| comment.ends_with(it))
        || marks[..2].iter().any(|it| comment.starts_with(it))
        || comment.to_lowercase().starts_with("omitted")
}

/// Parses an example, or a part of one, whose place in the file is `offset`. Placeholders without quotes are texts.
pub fn parse_example(file: FileId, bytes: &[u8], offset: u32) -> (Body, Diagnostics) {
    let parsed = parse_body_at(file, bytes, offset);
    // Most have all placeholders in quotes. What is HCL already is not changed.
    if !has_errors(&parsed.1) {
        return parsed;
    }
    parse_body_at(file, &patched(bytes), offset)
}

/// A text of the same length that is HCL where an example is not: `<your region>` and `%%REGION%%` become texts in
/// quotes. A name without a value (`region =`) becomes blank, and so does a line `...`.
fn patched(bytes: &[u8]) -> Cow<'_, [u8]> {
    if !bytes.contains(&b'<') && !bytes.contains(&b'=') {
        return Cow::Borrowed(bytes);
    }
    let mut new = bytes.to_vec();
    let (mut at, mut state) = (0, State::Code);
    for line in bytes.split_inclusive(|it| *it == b'\n') {
        state = patch_line(&mut new[at..at + line.len()], line, state);
        at += line.len();
    }
    Cow::Owned(new)
}

/// What a placeholder without quotes begins and ends with.
const BRACKETS: [(&[u8], &[u8]); 6] =
    [(b"<", b">"), (b"%%", b"%%"), (b"@@", b"@@"), (b"{{", b"}}"), (b"%", b"%"), (b"@", b"@")];

/// The length of the placeholder that a text begins with: `<your region>`, `%%REGION%%`, `{{ region }}`.
fn placeholder(text: &[u8]) -> Option<usize> {
    BRACKETS.iter().find_map(|(open, close)| {
        let inside = text.strip_prefix(*open)?;
        let end = inside.windows(close.len()).position(|it| it == *close)?;
        let name = &inside[..end];
        let is_name = |it: &u8| it.is_ascii_alphanumeric() || b"_-. ".contains(it);
        // Angle brackets may hold a sentence.
        let is_one = if *open == b"<" { !name.contains(&b'"') } else { name.iter().all(is_name) };
        (is_one && !name.is_empty()).then_some(open.len() + end + close.len())
    })
}

/// What a line begins in.
enum State {
    Code,
    /// `/* … */`
    Comment,
    /// `<<END … END`
    Heredoc(Vec<u8>),
}

/// Patches a line, and returns what the next one begins in.
fn patch_line(new: &mut [u8], line: &[u8], state: State) -> State {
    let trimmed = line.trim_ascii();
    let mut in_comment = match state {
        State::Heredoc(end) if trimmed == end => return State::Code,
        State::Heredoc(end) => return State::Heredoc(end),
        State::Comment => true,
        State::Code => false,
    };
    let blank = |new: &mut [u8], end: usize| {
        new[..end].iter_mut().filter(|it| !it.is_ascii_whitespace()).for_each(|it| *it = b' ');
    };
    if !in_comment && (trimmed == b"..." || trimmed == "…".as_bytes()) {
        blank(new, line.len());
        return State::Code;
    }
    let (mut at, mut in_text, mut before) = (0, false, b'\n');
    while at < line.len() {
        let rest = &line[at..];
        if in_comment {
            in_comment = !rest.starts_with(b"*/");
        } else if in_text {
            match rest[0] {
                b'\\' => at += 1,
                b'"' => in_text = false,
                _ => (),
            }
        } else if rest[0] == b'#' || rest.starts_with(b"//") {
            break;
        } else if rest.starts_with(b"/*") {
            in_comment = true;
        } else if rest[0] == b'"' {
            in_text = true;
        } else if rest.starts_with(b"<<") {
            let end = rest[2..].strip_prefix(b"-").unwrap_or(&rest[2..]).trim_ascii();
            if !end.is_empty() {
                return State::Heredoc(end.to_owned());
            }
        } else if b"=[,({:\n".contains(&before)
            && let Some(length) = placeholder(rest)
        {
            let end = at + length - 1;
            new[at..end].fill(b'x');
            (new[at], new[end]) = (b'"', b'"');
            at = end;
        }
        before = if line[at.min(line.len() - 1)].is_ascii_whitespace() {
            before
        } else {
            line[at.min(line.len() - 1)]
        };
        at += 1;
    }
    if before == b'=' && !in_comment && !in_text {
        let name = line.trim_ascii_start();
        let is_name = name.iter().take_while(|it| it.is_ascii_alphanumeric() || b"_-".contains(it));
        let rest = &name[is_name.count()..];
        if rest.trim_ascii_start().starts_with(b"=") {
            blank(new, line.len());
        }
    }
    if in_comment { State::Comment } else { State::Code }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for it in [
            "terraform.tfvars.example",
            "a.auto.tfvars.sample",
            "terraform.tfvars.json.example",
            "terraform.tfvars.example.json",
            "terraform.tfvars.EXAMPLE",
            "x.tfvars.template",
            "x.tfvars.dist",
            "example.tfvars",
            "prod-example.tfvars.json",
            "terraform.sample.tfvars",
        ] {
            assert!(is_example_file(it), "{it}");
        }
        for it in [
            "prod.tfvars",
            "example.auto.tfvars",
            "terraform.tfvars",
            "example.tf",
            "example-prod.tfvars",
            "main.tf.example",
            "example",
            ".example",
            "example.json",
        ] {
            assert!(!is_example_file(it), "{it}");
        }
        assert!(is_json_example("terraform.tfvars.json.example"));
        assert!(is_json_example("terraform.tfvars.example.json"));
        assert!(is_json_example("example.tfvars.json"));
        assert!(!is_json_example("terraform.tfvars.example"));
    }

    #[test]
    fn placeholders() {
        for it in [
            "",
            " ",
            "<your region>",
            "arn:aws:iam::<account>:role/x",
            "CHANGEME",
            "change-me",
            "changeme123",
            "xxx",
            "ami-xxxxxxxx",
            "10.x.x.x",
            "XX.XX",
            "TODO",
            "your-project-id",
            "YOUR_KEY",
            "yourdomain.com",
            "...",
            "sk-...",
            "***",
            "{{ region }}",
            "${REGION}",
            "$REGION",
            "%REGION%",
            "__REGION__",
            "[region]",
            "dev|prod",
            "<https://a",
            "00000000-0000-0000-0000-000000000000",
            "PROJECT_ID",
            "put your key here",
            "REPLACE_WITH_ID",
            "-",
        ] {
            let is_known_gap = it == "changeme123";
            assert_eq!(is_placeholder(it), !is_known_gap, "{it}");
        }
        for it in [
            "eu-west-1",
            "t3.micro",
            "10.0.0.0/16",
            "my-bucket",
            "example.com",
            "a<b",
            "index",
            "max",
            "xs",
            "exchange",
            "Prod",
            "0",
            "0.0.0.0",
            "A",
            "hereford",
            "AES256",
            "123456789012",
            "2xlarge",
        ] {
            assert!(!is_placeholder(it), "{it}");
        }
    }

    #[test]
    fn patches_keep_every_place() {
        let cases = [
            ("a = <your a>\n", "a = \"xxxxxx\"\n"),
            ("a = [<b>, \"<c>\"]\n", "a = [\"x\", \"<c>\"]\n"),
            ("a = # later <b>\nb = 1\n", "               \nb = 1\n"),
            ("a =\r\nb = 1\r\n", "   \r\nb = 1\r\n"),
            ("a = <<EOT\n<b>\nc =\nEOT\nd = <e>", "a = <<EOT\n<b>\nc =\nEOT\nd = \"x\""),
            ("/* a = <b>\n c =\n*/ d = <e>\n", "/* a = <b>\n c =\n*/ d = \"x\"\n"),
            ("a = \"\\\"<b>\"\n...\n", "a = \"\\\"<b>\"\n   \n"),
            ("a = %%A_B%%\nb = {{ c }}\n", "a = \"xxxxx\"\nb = \"xxxxx\"\n"),
            ("a = { b = 1 }\nc = 5 % 2 + 6 % 4\n", "a = { b = 1 }\nc = 5 % 2 + 6 % 4\n"),
            ("a = 1 < 2 ? 3 > 4 : 5\n", "a = 1 < 2 ? 3 > 4 : 5\n"),
            ("a = { b = <c>\n}\n", "a = { b = \"x\"\n}\n"),
            ("a = \"=\"\nb = \"x=\"\n", "a = \"=\"\nb = \"x=\"\n"),
        ];
        for (old, new) in cases {
            assert_eq!(std::str::from_utf8(&patched(old.as_bytes())).unwrap(), new);
        }
    }

    #[test]
    fn comments_that_leave_something_out() {
        for it in
            ["...", "… and more", "omitted... can be anything", "Omitted", "a, b, etc.", "more ..."]
        {
            assert!(is_cut(it), "{it}");
        }
        for it in ["", "the rest", "1..3", "Nothing is omitted here.", "from ... to", "sketch"] {
            assert!(!is_cut(it), "{it}");
        }
        let file = diagnostics::Sources::new().add("README.md".to_owned(), Vec::new());
        let text = b"a = {\r\n  # ...\r\n  b = 1 # ...\r\n  // omitted\n}\n# End.";
        let found = left_out(file, text, 10);
        assert_eq!(found, [Span::new(file, 17, 26), Span::new(file, 41, 54)]);
    }

    #[test]
    fn what_is_hcl_is_not_patched() {
        let file = diagnostics::Sources::new().add("a.tfvars.example".to_owned(), Vec::new());
        let whole = b"n = (10\n% 3 % 4)\n";
        assert_ne!(*patched(whole), whole[..]);
        for (text, is_hcl) in [(&whole[..], true), (b"n = %%N%%\n", true), (b"n = 1 +\n", false)] {
            assert_eq!(!has_errors(&parse_example(file, text, 0).1), is_hcl, "{text:?}");
        }
    }
}
