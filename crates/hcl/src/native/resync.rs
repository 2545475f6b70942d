//! Finds the next item after an error.

use super::{Parser, Token, TokenKind as T};
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
