//! Fenced code of Markdown that may be about a module.

use std::{borrow::Cow, ops::Range};

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Parser, Tag, TagEnd};

/// The languages of code that is looked at.
const LANGUAGES: [&str; 7] =
    ["hcl", "hcl-terraform", "opentofu", "terraform", "tf", "tfvars", "tofu"];

/// Words in headings of sections about what used to be.
const PAST: [&str; 9] = [
    "before",
    "breaking",
    "changelog",
    "deprecat",
    "history",
    "migrat",
    "old",
    "previous",
    "upgrad",
];

/// A block of code.
#[derive(Debug, PartialEq, Eq)]
pub struct Fence {
    /// In bytes, without the lines of the fence.
    pub body: Range<usize>,
    /// What may be sources of calls.
    pub sources: Vec<String>,
    /// Whether the code is the text of a values file.
    pub is_values: bool,
    /// The path of that file, if the code or the line above it says so.
    pub values_file: Option<String>,
    /// Whether it is in a quote, whose lines begin with `>`.
    is_quoted: bool,
}

impl Fence {
    /// The code of the fence in the bytes of the file, which keeps its places: the marks of a quote are blank.
    pub fn code<'b>(&self, bytes: &'b [u8]) -> Cow<'b, [u8]> {
        let code = bytes.get(self.body.clone()).unwrap_or_default();
        if self.is_quoted { Cow::Owned(unquoted(code)) } else { Cow::Borrowed(code) }
    }
}

/// The same lines, in which the marks of quotes are blanks.
fn unquoted(code: &[u8]) -> Vec<u8> {
    let mut new = code.to_vec();
    for line in new.split_inclusive_mut(|it| *it == b'\n') {
        let marks = line.iter_mut().take_while(|it| b"> \t".contains(it));
        marks.for_each(|it| *it = if *it == b'>' { b' ' } else { *it });
    }
    new
}

/// The fenced code that may be about a module. Sections about earlier versions are left out, and so are comments.
pub fn fences(text: &str) -> Vec<Fence> {
    let mut found = Vec::new();
    // The sections around, and whether each is about an earlier version.
    let mut headings: Vec<(HeadingLevel, bool)> = Vec::new();
    let mut quotes = 0_usize;
    // A byte order mark does not belong to the first line.
    let from = text.len() - text.trim_start_matches('\u{feff}').len();
    for (event, place) in Parser::new(&text[from..]).into_offset_iter() {
        let place = from + place.start..from + place.end;
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                headings.retain(|it| it.0 < level);
                headings.push((level, is_past(&text[place])));
            }
            Event::Start(Tag::BlockQuote(_)) => quotes += 1,
            Event::End(TagEnd::BlockQuote(_)) => quotes = quotes.saturating_sub(1),
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                let is_now = !headings.iter().any(|it| it.1);
                let body = language(&info).filter(|_| is_now).zip(body(text, place.clone()));
                found.extend(body.and_then(|(language, body)| {
                    let before = &text[..place.start];
                    fence(text, before, body, quotes > 0, language == "tfvars")
                }));
            }
            _ => (),
        }
    }
    found
}

/// The language of code that is looked at.
fn language(info: &str) -> Option<&'static str> {
    let mut words = info.split(|it: char| !it.is_ascii_alphanumeric() && it != '-');
    let first = words.find(|it| !it.is_empty())?;
    LANGUAGES.into_iter().find(|it| it.eq_ignore_ascii_case(first))
}

/// The lines between those of a fence; `None` where nothing closes it.
fn body(text: &str, fence: Range<usize>) -> Option<Range<usize>> {
    let whole = text[fence.clone()].trim_end();
    let mark = whole.chars().next()?;
    let count = whole.chars().take_while(|it| *it == mark).count();
    let (before, last) = whole.rsplit_once('\n')?;
    let marks = last.trim_start_matches(['>', ' ', '\t']);
    let is_closed = marks.len() >= count && marks.chars().all(|it| it == mark);
    let start = before.find('\n').map_or(before.len(), |it| it) + 1;
    is_closed.then(|| fence.start + start..fence.start + before.len() + 1)
}

fn is_past(heading: &str) -> bool {
    let heading = heading.to_lowercase();
    let mut words = heading.split(|it: char| !it.is_alphanumeric());
    words.any(|word| PAST.iter().any(|it| word.starts_with(it)))
}

/// The code if it calls a module, or is that of a values file.
fn fence(
    text: &str,
    before: &str,
    body: Range<usize>,
    is_quoted: bool,
    is_tfvars: bool,
) -> Option<Fence> {
    let whole = &text[body.clone()];
    let blank = is_quoted.then(|| unquoted(whole.as_bytes()));
    let code = blank.as_deref().map_or(Some(whole), |it| std::str::from_utf8(it).ok())?;
    let sources: Vec<String> = code.lines().filter_map(source).collect();
    let first = code.lines().map(str::trim).find(|it| !it.is_empty()).unwrap_or_default();
    let comment = Some(first).filter(|it| it.starts_with('#') || it.starts_with("//"));
    let above = || before.lines().rev().find(|it| !it.trim().is_empty());
    let values_file = comment.and_then(values_file).or_else(|| values_file(above()?));
    let is_values = is_tfvars || values_file.is_some();
    let is_wanted = is_values || !sources.is_empty();
    is_wanted.then_some(Fence { body, sources, is_values, values_file, is_quoted })
}

/// The text of a line `source = "…"`.
fn source(line: &str) -> Option<String> {
    let rest = line.trim().strip_prefix("source")?.trim_start().strip_prefix('=')?;
    let rest = rest.trim_start().strip_prefix('"')?;
    Some(rest.split('"').next().unwrap_or_default().to_owned())
}

/// The path of the values file that a line mentions.
fn values_file(line: &str) -> Option<String> {
    let is_end = |it: char| it.is_whitespace() || "`'\"()[]*:,;<>".contains(it);
    let ends = |it: &&str| it.trim_end_matches('.').ends_with(".tfvars");
    line.split(is_end).find(ends).map(|it| it.trim_end_matches('.').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bodies(text: &str) -> Vec<&str> {
        fences(text).into_iter().map(|it| &text[it.body]).collect()
    }

    #[test]
    fn code_of_calls_and_of_values_files() {
        let call = "module \"a\" {\n  source = \"./a\"\n}\n";
        let text =
            format!("# A\n```hcl\n{call}```\n~~~~ terraform\n{call}~~~\n~~~~\n```sh\n{call}```\n");
        assert_eq!(bodies(&text), [call, &format!("{call}~~~\n")]);
        assert_eq!(fences(&text)[0].sources, ["./a"]);
        let quote = "> ```hcl\n> source = \"./a\"\r\n>\n> ```\n";
        let [fence] = &fences(quote)[..] else { panic!() };
        assert_eq!(fence.sources, ["./a"]);
        assert_eq!(*fence.code(quote.as_bytes()), b"  source = \"./a\"\r\n \n"[..]);
        assert_eq!(bodies("> ```hcl\n> source = \"./a\"\n\n> ```\n"), [""; 0], "the quote ends");
        assert_eq!(bodies("<!--\n```hcl\nsource = \"./a\"\n```\n-->\n"), [""; 0]);
        assert_eq!(bodies("<!-- a -->\n```tfvars\n<!--\n```\n"), ["<!--\n"]);
        assert_eq!(bodies("\u{feff}```tfvars\na = 1\n```\n"), ["a = 1\n"]);
        assert_eq!(bodies("```hcl\nname = 1\n```\n"), [""; 0]);
        assert_eq!(bodies("Write `env/prod.tfvars`:\n\n```hcl\nname = 1\n```\n"), ["name = 1\n"]);
        assert_eq!(bodies("```tfvars\r\nname = 1\r\n```\r\n"), ["name = 1\r\n"]);
        let of_comment = fences("Text.\n```terraform\n# prod.tfvars\nname = 1\n```\n");
        assert_eq!(of_comment[0].values_file.as_deref(), Some("prod.tfvars"));
        assert_eq!(bodies("```hcl\nsource = \"./a\"\n"), [""; 0], "it is not closed");
        assert_eq!(bodies("```HCL title=x\nsource = \"./a\"\n```"), ["source = \"./a\"\n"]);
        assert_eq!(bodies("```tofu\nsource = \"./a\"\n```"), ["source = \"./a\"\n"]);
        assert_eq!(bodies("```tfvars\n```\n"), [""], "it is empty");
        let list = "1. Write\n\n   ~~~hcl\n   source = \"./a\"\n   ~~~\n2. Run\n";
        assert_eq!(bodies(list), ["   source = \"./a\"\n"]);
        assert_eq!(bodies("    ```hcl\n    source = \"./a\"\n    ```\n"), [""; 0], "it is text");
    }

    #[test]
    fn sections_about_earlier_versions() {
        let code = "```hcl\nsource = \"./a\"\n```\n";
        let text = format!("# A\n## Upgrading from 1.x\n### Then\n{code}## Use\n{code}");
        assert_eq!(bodies(&text).len(), 1);
        assert_eq!(bodies(&format!("## Holding on\n{code}")).len(), 1);
        assert_eq!(bodies(&format!("Old\n===\n\n{code}")).len(), 0, "an underlined heading");
    }
}
