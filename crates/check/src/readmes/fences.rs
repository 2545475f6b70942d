//! Fenced code of Markdown that may be about a module.

use std::{borrow::Cow, ops::Range};

/// The languages of code that is looked at.
const LANGUAGES: [&str; 5] = ["hcl", "hcl-terraform", "terraform", "tf", "tfvars"];

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

/// A block that is not closed yet.
struct Open {
    /// The characters that close it, at least as many.
    mark: char,
    count: usize,
    start: usize,
    /// Whether its language is one that is looked at.
    is_code: bool,
    is_values: bool,
    is_quoted: bool,
    /// The last line of text before it.
    above: String,
}

/// The fenced code that may be about a module. Sections about earlier versions are left out, and so are comments.
pub fn fences(text: &str) -> Vec<Fence> {
    let (mut found, mut open) = (Vec::new(), None::<Open>);
    let mut headings: Vec<(usize, bool)> = Vec::new();
    let (mut at, mut above, mut in_comment) = (0, "", false);
    for whole in text.split_inclusive('\n') {
        let (start, line) = (at, whole.trim_start_matches('\u{feff}').trim());
        at += whole.len();
        let rest = line.trim_start_matches(['>', ' ', '\t']);
        let is_quoted = line.starts_with('>');
        let line = match &open {
            Some(it) if !it.is_quoted => line,
            // Its quote ends, and it does with that.
            Some(_) if !is_quoted => {
                open = None;
                line
            }
            _ => rest,
        };
        in_comment |= open.is_none() && line.starts_with("<!--");
        if in_comment {
            in_comment = !line.contains("-->");
            continue;
        }
        let mark = line.chars().next().filter(|it| matches!(it, '`' | '~'));
        let count = mark.map_or(0, |mark| line.chars().take_while(|it| *it == mark).count());
        if let Some(it) = &open {
            let closes = mark == Some(it.mark) && count >= it.count && line.len() == count;
            if closes {
                let is_past = headings.iter().any(|it| it.1);
                found.extend(
                    open.take()
                        .filter(|it| it.is_code && !is_past)
                        .and_then(|it| fence(&text[it.start..start], it.start, &it)),
                );
                above = "";
            }
            continue;
        }
        if let Some(mark) = mark.filter(|_| count >= 3) {
            let info = line[count..].trim().to_ascii_lowercase();
            let language = info.split(|it: char| !it.is_ascii_alphanumeric() && it != '-');
            let language = language.into_iter().find(|it| !it.is_empty()).unwrap_or_default();
            let is_code = LANGUAGES.contains(&language);
            let (is_values, above) = (language == "tfvars", above.to_owned());
            open = Some(Open { mark, count, start: at, is_code, is_values, is_quoted, above });
            continue;
        }
        let level = line.chars().take_while(|it| *it == '#').count();
        if level > 0 && line[level..].starts_with(' ') {
            headings.retain(|it| it.0 < level);
            headings.push((level, is_past(line)));
        }
        if !line.is_empty() {
            above = line;
        }
    }
    found
}

fn is_past(heading: &str) -> bool {
    let heading = heading.to_lowercase();
    let mut words = heading.split(|it: char| !it.is_alphanumeric());
    words.any(|word| PAST.iter().any(|it| word.starts_with(it)))
}

/// The code if it calls a module, or is that of a values file.
fn fence(whole: &str, start: usize, open: &Open) -> Option<Fence> {
    let blank = open.is_quoted.then(|| unquoted(whole.as_bytes()));
    let code = blank.as_deref().map_or(Some(whole), |it| std::str::from_utf8(it).ok())?;
    let sources: Vec<String> = code.lines().filter_map(source).collect();
    let first = code.lines().map(str::trim).find(|it| !it.is_empty()).unwrap_or_default();
    let comment = Some(first).filter(|it| it.starts_with('#') || it.starts_with("//"));
    let values_file = comment.and_then(values_file).or_else(|| values_file(&open.above));
    let is_values = open.is_values || values_file.is_some();
    (is_values || !sources.is_empty()).then(|| Fence {
        body: start..start + code.len(),
        sources,
        is_values,
        values_file,
        is_quoted: open.is_quoted,
    })
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
    }

    #[test]
    fn sections_about_earlier_versions() {
        let code = "```hcl\nsource = \"./a\"\n```\n";
        let text = format!("# A\n## Upgrading from 1.x\n### Then\n{code}## Use\n{code}");
        assert_eq!(bodies(&text).len(), 1);
        assert_eq!(bodies(&format!("## Holding on\n{code}")).len(), 1);
    }
}
