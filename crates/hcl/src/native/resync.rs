//! Finds the next item after an error.

use super::{Parser, Token, TokenKind, TokenKind as T};
use diagnostics::{Diagnostic, Role};
use stack::Depth;

/// The limit for tokens that are searched for the ends of items without one.
const MOST_IN_VAIN: usize = 20_000_000;

impl Parser<'_> {
    /// Goes to the end of the item that began at token `start`: the line end at which its brackets
    /// are balanced, or a brace that closes the body around it. When the brackets never balance,
    /// goes to the next line that looks like the beginning of an outermost item.
    pub(super) fn resync(&mut self, start: usize) {
        self.lost = false;
        self.height = 0;
        if self.stopped {
            self.at = self.tokens.len() - 1;
            return;
        }
        let reached = self.at;
        if let Some(at) = self.balanced_end(start, reached) {
            self.at = at;
            return;
        }
        self.outermost = self.depth != Depth::of(super::MAX_DEPTH);
        let last = self.tokens.len() - 1;
        self.at = (reached.max(start + 1)..last).find(|it| self.begins_item(*it)).unwrap_or(last);
    }

    /// The position behind the item's last token, at `reached` or later.
    fn balanced_end(&mut self, start: usize, reached: usize) -> Option<usize> {
        let mut open: Vec<T> = Vec::new();
        let mut strings = Vec::new();
        for at in start..self.tokens.len() {
            let kind = self.tokens[at].kind;
            match kind {
                T::OpenQuote | T::OpenHeredoc => strings.push(open.len()),
                T::CloseQuote | T::CloseHeredoc => open.truncate(strings.pop().unwrap_or(0)),
                // The scanner ended all strings here.
                T::QuotedNewline => {
                    open.truncate(strings.first().copied().unwrap_or(open.len()));
                    strings.clear();
                }
                T::OpenBrace | T::Interpolation | T::Directive => open.push(T::OpenBrace),
                T::OpenParen | T::OpenBracket => open.push(kind),
                T::CloseBrace | T::SequenceEnd => {
                    // A missing `)` or `]` before a brace counts as closed.
                    if let Some(to) = open.iter().rposition(|it| *it == T::OpenBrace) {
                        open.truncate(to);
                    } else if kind == T::CloseBrace && at > start {
                        return Some(at);
                    }
                }
                T::CloseParen if open.last() == Some(&T::OpenParen) => {
                    open.pop();
                }
                T::CloseBracket if open.last() == Some(&T::OpenBracket) => {
                    open.pop();
                }
                T::Newline if open.is_empty() && at + 1 >= reached => return Some(at + 1),
                T::End if open.is_empty() => return Some(at),
                _ => {}
            }
        }
        // Every later item searches the same tokens again.
        self.in_vain += self.tokens.len() - start;
        if self.in_vain > MOST_IN_VAIN {
            self.stop(self.tokens[start]);
        }
        None
    }

    /// Whether a line begins with this token in its first column, and with `name =`, `name {` or
    /// `name "label"`.
    fn begins_item(&self, at: usize) -> bool {
        let token = self.tokens[at];
        let first = token.start == 0 || self.bytes.get(token.start as usize - 1) == Some(&b'\n');
        let next = self.tokens.get(at + 1).map(|it| it.kind);
        first
            && token.kind == T::Ident
            && matches!(next, Some(T::Assign | T::OpenBrace | T::OpenQuote))
    }

    pub(super) fn previous(&self) -> Token {
        self.tokens[self.at.saturating_sub(1)]
    }
}

// Reports the characters that the scanner refused, before all errors of the parser.

impl Parser<'_> {
    pub(super) fn report_scan_errors(&mut self) {
        let mut told_encoding = false;
        let mut quote_line = None;
        let mut line = 0;
        let mut looked_up_to = 0;
        for at in 0..self.tokens.len() {
            let token = self.tokens[at];
            let diagnostic = match token.kind {
                TokenKind::NotUtf8 if !told_encoding => {
                    told_encoding = true;
                    self.not_utf8(token)
                }
                TokenKind::QuotedNewline => self.string_over_line_end(at),
                TokenKind::ForeignOperator => self.foreign_operator(token),
                TokenKind::Unknown => {
                    let start = token.start as usize;
                    if let Some(end) = memchr::memrchr(b'\n', &self.bytes[looked_up_to..start]) {
                        line = looked_up_to + end + 1;
                    }
                    looked_up_to = start;
                    if is_quote(&self.text(token)) && quote_line.replace(line) == Some(line) {
                        continue;
                    }
                    self.unknown_character(token)
                }
                _ => continue,
            };
            self.add_diagnostic(diagnostic);
            if self.stopped {
                return;
            }
        }
    }

    fn not_utf8(&self, token: Token) -> Diagnostic {
        self.diagnostic(
            token,
            "Invalid character encoding",
            "This byte is not UTF-8. Terraform reads only UTF-8 files.",
        )
        .help(match self.bytes {
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => "The file is UTF-16: save it as UTF-8.",
            _ => "Save the file as UTF-8.",
        })
    }

    fn string_over_line_end(&self, at: usize) -> Diagnostic {
        let opener = self.tokens[..at].iter().rfind(|it| it.kind == TokenKind::OpenQuote);
        let mut diagnostic = self
            .diagnostic(
                self.tokens[at],
                "String without a closing quote",
                "The line ends inside a quoted string.",
            )
            .help(
                "Close the string with a quote on the same line. For text of several lines, \
                write \\n or use a heredoc (<<EOT).",
            );
        if let Some(opener) = opener {
            diagnostic =
                diagnostic.at_with(Role::Value, self.span(*opener), "the string starts here");
        }
        diagnostic
    }

    fn foreign_operator(&self, token: Token) -> Diagnostic {
        let text = self.text(token);
        let instead = match &*text {
            "&" => "Write && for a logical \"and\".",
            "|" => "Write || for a logical \"or\".",
            "^" => "To raise a number to a power, call pow.",
            _ => "Write ! for a logical \"not\".",
        };
        self.diagnostic(token, "Unsupported operator", format!("Terraform has no operator {text}."))
            .help(instead)
    }

    fn unknown_character(&self, token: Token) -> Diagnostic {
        let text = self.text(token);
        let (detail, help) = match &*text {
            it if is_quote(it) => (
                format!("Terraform does not allow {} marks around strings.", quote_name(it)),
                "Use double quotes: \"text\".",
            ),
            "`" => ("Terraform does not allow backquotes.".into(), "Use a heredoc (<<EOT)."),
            ";" => ("Terraform does not allow semicolons.".into(), "Begin a new line instead."),
            it if it.chars().all(char::is_whitespace) => (
                format!("The white space character U+{:04X} is not allowed here.", code(it)),
                "Use spaces.",
            ),
            it => (format!("U+{:04X} is not allowed outside of strings.", code(it)), ""),
        };
        let diagnostic = self.diagnostic(token, "Invalid character", detail);
        if help.is_empty() { diagnostic } else { diagnostic.help(help) }
    }
}

fn code(text: &str) -> u32 {
    text.chars().next().map_or(0, u32::from)
}

fn is_quote(text: &str) -> bool {
    matches!(text, "'" | "\u{2018}" | "\u{2019}" | "\u{201c}" | "\u{201d}" | "\u{ab}" | "\u{bb}")
}

fn quote_name(text: &str) -> &'static str {
    if text == "'" { "single quotation" } else { "typographic quotation" }
}
