//! The site of a position in a text that may be half-written: which key, which value, inside of what.
//!
//! A parser gives up where an editor begins: after `env = "` there is no tree. This scan knows brackets, keys and
//! values only, so that it always has an answer.

use std::ops::Range;

use stack::checkpoint;

/// A step to a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Link {
    Key(String),
    Index(usize),
    /// A block, with its type and labels.
    Block(Vec<String>),
}

/// What a position is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// A key, or where one can begin.
    Key,
    /// A value, or where one can begin.
    Value,
}

/// The site of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Site {
    pub part: Part,
    /// The steps to the object or body that holds a key, or to the value.
    pub links: Vec<Link>,
    /// The word or the quoted text at the position, quotes included; empty where there is none.
    pub word: Range<usize>,
    pub is_quoted: bool,
    /// The other keys of the object or body that holds a key.
    pub siblings: Vec<String>,
    /// Whether the key is followed by `=` or `:` already.
    pub has_value: bool,
    /// The function that is called with the value, or with the object that holds the key.
    pub call: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bracket {
    /// A file or a block of the native syntax.
    Body,
    Object,
    List,
    Paren,
}

/// An open bracket.
#[derive(Debug)]
struct Frame {
    number: usize,
    bracket: Bracket,
    /// The words of the item so far.
    words: Vec<(String, Range<usize>)>,
    /// The key of the item, once `=` or `:` came.
    key: Option<String>,
    index: usize,
    /// The keys of the items before.
    keys: Vec<String>,
    /// How the frame is reached from the one around it.
    link: Option<Link>,
    /// The name before a parenthesis.
    call: Option<String>,
}

/// What the scan found at the position, before the rest of the text was read.
struct Found {
    frame: usize,
    site: Site,
}

/// The scan of one text.
struct Scan<'t> {
    text: &'t str,
    offset: usize,
    is_json: bool,
    frames: Vec<Frame>,
    frames_made: usize,
    found: Option<Found>,
    /// The last word.
    last: Range<usize>,
}

/// The brackets of a text, each from the opening to the closing one. One that is not closed is left out.
pub(crate) fn brackets(text: &str, is_json: bool) -> Vec<Range<usize>> {
    let scan = Scan {
        text,
        offset: 0,
        is_json,
        frames: Vec::new(),
        frames_made: 0,
        found: None,
        last: 0..0,
    };
    let (mut open, mut pairs, mut at) = (Vec::new(), Vec::new(), 0);
    while at < text.len() {
        let end = scan.token_end(at);
        match &text[at..end] {
            "{" | "[" | "(" => open.push(at),
            "}" | "]" | ")" => pairs.extend(open.pop().map(|start| start..at)),
            _ => (),
        }
        at = end;
    }
    pairs.sort_unstable_by_key(|it| it.start);
    pairs
}

/// The site of a byte in a text. JSON begins with a value, the native syntax with a body.
pub(crate) fn site(text: &str, offset: usize, is_json: bool) -> Site {
    let (frames, frames_made, found, last) = (Vec::new(), 0, None, 0..0);
    let mut scan = Scan { text, offset, is_json, frames, frames_made, found, last };
    scan.open(if is_json { Bracket::Paren } else { Bracket::Body }, None);
    scan.run();
    let empty = Site {
        part: Part::Value,
        links: Vec::new(),
        word: offset..offset,
        is_quoted: false,
        siblings: Vec::new(),
        has_value: false,
        call: None,
    };
    scan.found.map_or(empty, |it| it.site)
}

impl Scan<'_> {
    fn open(&mut self, bracket: Bracket, link: Option<Link>) {
        let number = self.frames_made;
        self.frames_made += 1;
        let (words, key, keys) = (Vec::new(), None, Vec::new());
        self.frames.push(Frame { number, bracket, words, key, index: 0, keys, link, call: None });
    }

    fn run(&mut self) {
        let mut at = 0;
        let bytes = self.text.as_bytes();
        while at < bytes.len() {
            checkpoint();
            let start = at;
            at = self.token_end(at);
            let token = &self.text[start..at];
            // A position at the end of a word belongs to it.
            let is_word = is_word(token);
            if self.found.is_none() && (self.offset < at || is_word && self.offset == at) {
                self.note(if is_word { start..at } else { self.offset..self.offset });
            }
            self.take(token, start);
            if is_word {
                self.last = start..at;
            }
            // Behind the bracket around the position nothing is about it.
            let is_left = |it: &Found| !self.frames.iter().any(|frame| frame.number == it.frame);
            if "}])".contains(token) && self.found.as_ref().is_some_and(is_left) {
                return;
            }
        }
        if self.found.is_none() {
            self.note(self.offset..self.offset);
        }
        while let Some(frame) = self.frames.pop() {
            self.close_item(&frame);
        }
    }

    /// The end of the token at a byte.
    fn token_end(&self, start: usize) -> usize {
        let rest = &self.text[start..];
        let first = rest.chars().next().unwrap_or(' ');
        let length = match first {
            '"' => quoted(rest),
            '#' if !self.is_json => rest.find('\n').unwrap_or(rest.len()),
            '/' if !self.is_json && rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if !self.is_json && rest.starts_with("/*") => {
                rest.find("*/").map_or(rest.len(), |it| it + 2)
            }
            '<' if !self.is_json && rest.starts_with("<<") => heredoc(rest),
            '\n' => 1,
            it if it.is_whitespace() => {
                rest.find(|it: char| !it.is_whitespace() || it == '\n').unwrap_or(rest.len())
            }
            it if is_of_word(it) => rest.find(|it| !is_of_word(it)).unwrap_or(rest.len()),
            it => it.len_utf8(),
        };
        start + length.max(1)
    }

    /// Takes a token that begins at a byte.
    fn take(&mut self, token: &str, start: usize) {
        let Some(frame) = self.frames.last_mut() else { return };
        let is_value =
            frame.key.is_some() || matches!(frame.bracket, Bracket::List | Bracket::Paren);
        match token {
            "\n" => {
                let ends = matches!(frame.bracket, Bracket::Body | Bracket::Object);
                if ends && !self.is_json {
                    self.end_item();
                }
            }
            "," => self.end_item(),
            "=" | ":" if !is_value => {
                frame.key = frame.words.last().map(|it| it.0.clone()).or(Some(String::new()));
                self.settle();
            }
            "{" => {
                let (bracket, link) = self.inner(Bracket::Object);
                self.open(bracket, link);
            }
            "[" => {
                let (_, link) = self.inner(Bracket::List);
                self.open(Bracket::List, link);
            }
            "(" => {
                let (_, link) = self.inner(Bracket::Paren);
                let call =
                    (self.last.end == start).then(|| self.text[self.last.clone()].to_owned());
                self.open(Bracket::Paren, link);
                if let Some(frame) = self.frames.last_mut() {
                    frame.call = call.filter(|it| !it.is_empty());
                }
            }
            "}" | "]" | ")" => {
                if self.frames.len() > 1
                    && let Some(frame) = self.frames.pop()
                {
                    self.close_item(&frame);
                }
            }
            _ if is_word(token) && !is_value => {
                frame.words.push((unquoted(token).to_owned(), start..start + token.len()));
            }
            _ => (),
        }
    }

    /// The bracket that opens here, and how it is reached.
    fn inner(&mut self, bracket: Bracket) -> (Bracket, Option<Link>) {
        let Some(frame) = self.frames.last_mut() else { return (bracket, None) };
        if let Some(key) = &frame.key {
            return (bracket, Some(Link::Key(key.clone())));
        }
        match frame.bracket {
            Bracket::List => (bracket, Some(Link::Index(frame.index))),
            Bracket::Body => {
                let words = frame.words.iter().map(|it| it.0.clone()).collect();
                (Bracket::Body, Some(Link::Block(words)))
            }
            _ => (bracket, None),
        }
    }

    fn end_item(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.close_item(&frame);
            let (words, key, index) = (Vec::new(), None, frame.index + 1);
            let mut keys = frame.keys;
            keys.extend(frame.key);
            self.frames.push(Frame { words, key, index, keys, ..frame });
        }
    }

    /// The position may be in a key that turns out to have a value.
    fn settle(&mut self) {
        let Some(frame) = self.frames.last() else { return };
        if let Some(found) = &mut self.found
            && found.frame == frame.number
            && frame.words.last().is_some_and(|it| it.1 == found.site.word)
        {
            found.site.has_value = true;
        }
    }

    /// Keys of the frame of the position are its siblings.
    fn close_item(&mut self, frame: &Frame) {
        if let Some(found) = &mut self.found
            && found.frame == frame.number
            && let Some(key) = &frame.key
            && frame
                .words
                .last()
                .is_none_or(|it| it.1 != found.site.word || found.site.part == Part::Value)
        {
            found.site.siblings.push(key.clone());
        }
    }

    /// Notes the site of the position, with the keys before it.
    fn note(&mut self, word: Range<usize>) {
        let Some(frame) = self.frames.last() else { return };
        let mut links: Vec<Link> = self.frames.iter().filter_map(|it| it.link.clone()).collect();
        let part = match (&frame.key, frame.bracket) {
            (Some(key), _) => {
                links.push(Link::Key(key.clone()));
                Part::Value
            }
            (None, Bracket::List) => {
                links.push(Link::Index(frame.index));
                Part::Value
            }
            (None, Bracket::Paren) => Part::Value,
            (None, Bracket::Body | Bracket::Object) => Part::Key,
        };
        let is_quoted = self.text[word.clone()].starts_with('"');
        let holder = match frame.bracket {
            Bracket::Object if frame.key.is_none() => self.frames.iter().rev().nth(1),
            _ => Some(frame),
        };
        let call = holder.filter(|it| it.bracket == Bracket::Paren).and_then(|it| it.call.clone());
        let siblings = frame.keys.clone();
        let site = Site { part, links, word, is_quoted, siblings, has_value: false, call };
        self.found = Some(Found { frame: frame.number, site });
    }
}

/// The length of a quoted text; it ends at the end of its line at the latest.
fn quoted(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, it) in text.char_indices().skip(1) {
        match it {
            '\n' => return at,
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return at + 1,
            _ => (),
        }
    }
    text.len()
}

/// The length of a heredoc, or of the operator if it is not a heredoc.
fn heredoc(text: &str) -> usize {
    let begin = text.trim_start_matches(['<', '-']);
    let name = &begin[..begin.find(|it| !is_of_word(it)).unwrap_or(begin.len())];
    if name.is_empty() {
        return 2;
    }
    let mut length = 0;
    for (at, line) in text.split_inclusive('\n').enumerate() {
        if at > 0 && line.trim() == name {
            return length + line.trim_end_matches(['\n', '\r']).len();
        }
        length += line.len();
    }
    length
}

fn is_of_word(it: char) -> bool {
    it.is_alphanumeric() || "_-.".contains(it)
}

fn is_word(token: &str) -> bool {
    token.starts_with(|it| it == '"' || is_of_word(it))
}

/// A word without its quotes. The last quote may be missing.
pub(crate) fn unquoted(word: &str) -> &str {
    let Some(inner) = word.strip_prefix('"') else { return word };
    inner.strip_suffix('"').unwrap_or(inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The site of `|` in a text.
    fn at(text: &str, is_json: bool) -> Site {
        let offset = text.find('|').unwrap();
        site(&text.replacen('|', "", 1), offset, is_json)
    }

    fn shown(text: &str) -> String {
        let it = at(text, text.starts_with('{'));
        let links: Vec<String> = it
            .links
            .iter()
            .map(|link| match link {
                Link::Key(it) => it.clone(),
                Link::Index(it) => it.to_string(),
                Link::Block(it) => it.join(" "),
            })
            .collect();
        let word = text.replacen('|', "", 1)[it.word.clone()].to_owned();
        format!("{:?} {} [{word}] {}", it.part, links.join("/"), it.siblings.join(","))
    }

    #[test]
    fn a_site_is_known_in_half_written_texts() {
        for (text, expected) in [
            ("|", "Key  [] "),
            ("na|", "Key  [na] "),
            ("a = 1\nna|\nb = 2\n", "Key  [na] a,b"),
            ("a = |", "Value a [] a"),
            ("a = |\nb = 1\n", "Value a [] a,b"),
            ("a = \"x|", "Value a [\"x] a"),
            ("a = \"x|\"\nb = 1", "Value a [\"x\"] a,b"),
            ("a = { | }", "Key a [] "),
            ("a = { b = 1, | }", "Key a [] b"),
            ("a = {\n  b = 1\n  c|\n  d = 2\n}\n", "Key a [c] b,d"),
            ("a = {\n  b = {\n    c = |\n", "Value a/b/c [] c"),
            ("a = [1, |]", "Value a/1 [] "),
            ("a = [{ b| = 1 }]", "Key a/0 [b] "),
            ("module \"m\" {\n  source = \"./m\"\n  |\n}\n", "Key module m [] source"),
            ("module \"m\" {\n  a = tr|\n}\n", "Value module m/a [tr] a"),
            ("# a = |\n", "Key  [] "),
            ("a = <<EOT\n}\nEOT\nb|\n", "Key  [b] a"),
            ("{\"a\": |}", "Value a [] a"),
            ("{\"a\": 1, \"|\"}", "Key  [\"\"] a"),
            ("{\"a\": {\"b|\": 1}}", "Key a [\"b\"] "),
            ("{|", "Key  [] "),
            ("a = {}}\n]b| = 1", "Key  [b] a"),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    #[test]
    fn a_call_is_known_by_its_function() {
        let call = |text: &str| at(text, false).call;
        assert_eq!(call("a = string({ | })").as_deref(), Some("string"));
        assert_eq!(call("a = any(1, |)").as_deref(), Some("any"));
        assert_eq!(call("a = any(1, { b = | })"), None);
        assert_eq!(call("a = (|)"), None);
        assert_eq!(call("a = any(1)\nb|"), None);
    }

    #[test]
    fn a_key_with_a_value_is_known_as_such() {
        assert!(at("na| = 1\n", false).has_value);
        assert!(at("{\"na|\": 1}", true).has_value);
        assert!(!at("na|\nb = 1\n", false).has_value);
    }

    #[test]
    fn every_position_of_any_text_has_a_site() {
        let text = "a = {\"x\": [<<E\nE\n, \"ü💥\" }]) = {{ \"\\\" /* ";
        for offset in 0..=text.len() {
            for is_json in [false, true] {
                let it = site(text, offset, is_json);
                assert!(text.get(it.word).is_some());
            }
        }
    }
}
