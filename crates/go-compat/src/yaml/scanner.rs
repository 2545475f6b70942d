//! Cuts a YAML 1.1 text into tokens, as the library does that Terraform uses: indentation begins
//! and ends blocks, and what turns out to be a key gets its token after the fact.

use std::collections::VecDeque;

use super::{
    cursor::{BOM, Cursor, Token, is_gap},
    properties, scalars,
};
use crate::GoError;

/// The limit for the characters between a key and its colon.
const MAX_KEY: usize = 1024;

/// A line and a column of the text, counted from 0, the column in characters.
type Position = (usize, usize);

pub struct Scanner<'a> {
    cursor: Cursor<'a>,
    /// Each with the position where it begins.
    tokens: VecDeque<(Token, Position)>,
    /// The number of tokens that were taken.
    taken: usize,
    /// Where the token begins that was taken last.
    taken_at: Position,
    /// Where the token begins that is being scanned.
    start: Position,
    /// Where the text is malformed, once it is.
    malformed_at: Option<Position>,
    is_ended: bool,
    /// A second byte order mark begins the text: the library takes every line's first character
    /// for one.
    begins_with_mark: bool,
    /// The column of the innermost block; -1 outside of all blocks.
    indent: isize,
    outer_indents: Vec<isize>,
    /// Whether a key without `?` can begin here.
    allows_key: bool,
    /// The number of surrounding flow collections.
    flow_level: usize,
    /// Possible keys, at most one at each level, outermost first.
    keys: VecDeque<PossibleKey>,
}

#[derive(Clone, Copy)]
struct PossibleKey {
    flow_level: usize,
    /// Whether nothing but a key is valid here.
    is_required: bool,
    /// The number of its first token.
    token: usize,
    index: usize,
    line: usize,
    column: isize,
}

impl<'a> Scanner<'a> {
    pub fn new(text: &'a str) -> Self {
        let cursor = Cursor::new(text);
        Scanner {
            begins_with_mark: cursor.is_at(BOM),
            cursor,
            tokens: VecDeque::new(),
            taken: 0,
            taken_at: (0, 0),
            start: (0, 0),
            malformed_at: None,
            is_ended: false,
            indent: -1,
            outer_indents: Vec::new(),
            allows_key: true,
            flow_level: 0,
            keys: VecDeque::new(),
        }
    }

    /// Peeks at the next token. After the last one it always returns the end.
    pub fn peek(&mut self) -> Result<&Token, GoError> {
        if let Err(error) = self.fill() {
            let here = self.here();
            self.malformed_at.get_or_insert(here);
            return Err(error);
        }
        Ok(self.tokens.front().map_or(&Token::StreamEnd, |(token, _)| token))
    }

    fn fill(&mut self) -> Result<(), GoError> {
        while !self.is_ended && self.needs_more()? {
            self.fetch()?;
        }
        Ok(())
    }

    /// Takes the next token.
    pub fn next_token(&mut self) -> Result<Token, GoError> {
        self.peek()?;
        self.taken += 1;
        let Some((token, start)) = self.tokens.pop_front() else { return Ok(Token::StreamEnd) };
        self.taken_at = start;
        Ok(token)
    }

    /// Where the text is malformed, or else where the next token begins: line and column, counted from 0.
    pub fn position(&self) -> (usize, usize) {
        self.malformed_at.or(self.tokens.front().map(|(_, start)| *start)).unwrap_or(self.here())
    }

    /// Makes the token that was taken last the place of the error that follows.
    pub fn blame_taken(&mut self) {
        self.malformed_at.get_or_insert(self.taken_at);
    }

    fn here(&self) -> Position {
        (self.cursor.line, self.cursor.column)
    }

    /// Whether the next token is still open, since one that belongs before it may follow.
    fn needs_more(&mut self) -> Result<bool, GoError> {
        if self.tokens.is_empty() {
            return Ok(true);
        }
        self.forget_stale_keys()?;
        Ok(self.keys.front().is_some_and(|it| it.token == self.taken))
    }

    fn fetch(&mut self) -> Result<(), GoError> {
        self.skip_to_token();
        self.start = self.here();
        self.forget_stale_keys()?;
        self.close_blocks(self.column());
        let cursor = &self.cursor;
        let Some(first) = cursor.peek() else { return self.end() };
        if cursor.column == 0 && first == '%' {
            return self.directive();
        }
        if cursor.is_at_document("---") {
            return self.document(Token::DocumentStart);
        }
        if cursor.is_at_document("...") {
            return self.document(Token::DocumentEnd);
        }
        let before_gap = cursor.has_gap_at(1);
        match first {
            '[' => self.open(Token::FlowSequenceStart),
            '{' => self.open(Token::FlowMappingStart),
            ']' => self.close(Token::FlowSequenceEnd),
            '}' => self.close(Token::FlowMappingEnd),
            ',' => self.flow_entry(),
            '-' if before_gap => self.block_entry(),
            '?' if self.is_in_flow() || before_gap => self.key(),
            ':' if self.is_in_flow() || before_gap => self.value(),
            '*' => self.simple(|cursor, _| properties::anchor(cursor).map(Token::Alias)),
            '&' => self.simple(|cursor, _| properties::anchor(cursor).map(Token::Anchor)),
            '!' => self.simple(|cursor, _| properties::tag(cursor)),
            '\'' | '"' => self.simple(|cursor, _| scalars::scan_quoted(cursor)),
            '|' | '>' if !self.is_in_flow() => self.block_scalar(),
            _ if can_begin_plain(first, cursor.peek_at(1), self.is_in_flow()) => self.plain(),
            _ => Err(GoError(format!("no token begins with {first:?}"))),
        }
    }

    fn is_in_flow(&self) -> bool {
        self.flow_level > 0
    }

    fn column(&self) -> isize {
        self.cursor.column.cast_signed()
    }

    /// Skips white space, comments and line ends.
    fn skip_to_token(&mut self) {
        loop {
            if self.begins_with_mark && self.cursor.column == 0 {
                self.cursor.next();
            }
            let takes_tabs = self.is_in_flow() || !self.allows_key;
            self.cursor.take_while(|it| it == ' ' || (takes_tabs && it == '\t'));
            if self.cursor.is_at('#') {
                self.cursor.take_line();
            }
            if !self.cursor.is_at_break() {
                return;
            }
            self.cursor.take_break();
            self.allows_key |= !self.is_in_flow();
        }
    }

    /// Drops possible keys of earlier lines: a key without `?` is on one line with its colon.
    fn forget_stale_keys(&mut self) -> Result<(), GoError> {
        let (line, index) = (self.cursor.line, self.cursor.index);
        let is_stale = |it: &PossibleKey| it.line < line || it.index + MAX_KEY < index;
        while self.keys.front().is_some_and(is_stale) {
            let key = self.keys.pop_front();
            key.map_or(Ok(()), |key| self.forget(key))?;
        }
        Ok(())
    }

    /// Notes that a key may begin here.
    fn note_key(&mut self) -> Result<(), GoError> {
        if !self.allows_key {
            return Ok(());
        }
        let key = PossibleKey {
            flow_level: self.flow_level,
            is_required: !self.is_in_flow() && self.indent == self.column(),
            token: self.taken + self.tokens.len(),
            index: self.cursor.index,
            line: self.cursor.line,
            column: self.column(),
        };
        self.drop_key()?;
        self.keys.push_back(key);
        Ok(())
    }

    /// Takes the possible key of this level.
    fn take_key(&mut self) -> Option<PossibleKey> {
        let is_here = self.keys.back().is_some_and(|it| it.flow_level == self.flow_level);
        if is_here { self.keys.pop_back() } else { None }
    }

    /// Drops the possible key of this level.
    fn drop_key(&mut self) -> Result<(), GoError> {
        self.take_key().map_or(Ok(()), |key| self.forget(key))
    }

    /// Drops a possible key that turned out not to be one.
    fn forget(&mut self, key: PossibleKey) -> Result<(), GoError> {
        if key.is_required {
            self.malformed_at = Some((key.line, key.column.cast_unsigned()));
            return Err(GoError::new("a colon is missing after a key"));
        }
        Ok(())
    }

    /// Begins a block if the column is right of the surrounding block's. `at` is the token before which
    /// it begins.
    fn open_block(&mut self, column: isize, at: usize, token: Token, start: Position) {
        if self.is_in_flow() || self.indent >= column {
            return;
        }
        self.outer_indents.push(self.indent);
        self.indent = column;
        self.tokens.insert(at.min(self.tokens.len()), (token, start));
    }

    /// Ends the blocks whose column is right of this one.
    fn close_blocks(&mut self, column: isize) {
        while !self.is_in_flow() && self.indent > column {
            self.tokens.push_back((Token::BlockEnd, self.start));
            self.indent = self.outer_indents.pop().unwrap_or(-1);
        }
    }

    fn push(&mut self, token: Token) -> Result<(), GoError> {
        self.tokens.push_back((token, self.start));
        Ok(())
    }

    /// Ends every block; no key can be here.
    fn leave_document(&mut self) -> Result<(), GoError> {
        self.close_blocks(-1);
        self.drop_key()?;
        self.allows_key = false;
        Ok(())
    }

    fn end(&mut self) -> Result<(), GoError> {
        self.leave_document()?;
        self.is_ended = true;
        self.push(Token::StreamEnd)
    }

    fn directive(&mut self) -> Result<(), GoError> {
        self.leave_document()?;
        let token = properties::directive(&mut self.cursor)?;
        self.push(token)
    }

    fn document(&mut self, token: Token) -> Result<(), GoError> {
        self.leave_document()?;
        self.cursor.skip(3);
        self.push(token)
    }

    fn open(&mut self, token: Token) -> Result<(), GoError> {
        self.note_key()?;
        self.flow_level += 1;
        self.allows_key = true;
        self.cursor.skip(1);
        self.push(token)
    }

    fn close(&mut self, token: Token) -> Result<(), GoError> {
        self.drop_key()?;
        self.flow_level = self.flow_level.saturating_sub(1);
        self.allows_key = false;
        self.cursor.skip(1);
        self.push(token)
    }

    fn flow_entry(&mut self) -> Result<(), GoError> {
        self.drop_key()?;
        self.allows_key = true;
        self.cursor.skip(1);
        self.push(Token::FlowEntry)
    }

    /// Begins a block at an indicator, which is valid only where a key could be.
    fn open_block_here(&mut self, token: Token) -> Result<(), GoError> {
        if self.is_in_flow() {
            return Ok(());
        }
        if !self.allows_key {
            return Err(GoError::new("a block cannot begin here"));
        }
        self.open_block(self.column(), usize::MAX, token, self.start);
        Ok(())
    }

    fn block_entry(&mut self) -> Result<(), GoError> {
        self.open_block_here(Token::BlockSequenceStart)?;
        self.drop_key()?;
        self.allows_key = true;
        self.cursor.skip(1);
        self.push(Token::BlockEntry)
    }

    fn key(&mut self) -> Result<(), GoError> {
        self.open_block_here(Token::BlockMappingStart)?;
        self.drop_key()?;
        self.allows_key = !self.is_in_flow();
        self.cursor.skip(1);
        self.push(Token::Key)
    }

    fn value(&mut self) -> Result<(), GoError> {
        if let Some(key) = self.take_key() {
            let at = key.token.saturating_sub(self.taken).min(self.tokens.len());
            let start = (key.line, key.column.cast_unsigned());
            self.tokens.insert(at, (Token::Key, start));
            self.open_block(key.column, at, Token::BlockMappingStart, start);
            self.allows_key = false;
        } else {
            self.open_block_here(Token::BlockMappingStart)?;
            self.allows_key = !self.is_in_flow();
        }
        self.cursor.skip(1);
        self.push(Token::Value)
    }

    /// Scans a token that may begin a key.
    fn simple(
        &mut self,
        scan: impl FnOnce(&mut Cursor<'a>, isize) -> Result<Token, GoError>,
    ) -> Result<(), GoError> {
        self.note_key()?;
        self.allows_key = false;
        let token = scan(&mut self.cursor, self.indent)?;
        self.push(token)
    }

    fn plain(&mut self) -> Result<(), GoError> {
        let is_in_flow = self.is_in_flow();
        let mut ends_line = false;
        self.simple(|cursor, indent| {
            let (token, ends) = scalars::scan_plain(cursor, indent, is_in_flow)?;
            ends_line = ends;
            Ok(token)
        })?;
        self.allows_key |= ends_line;
        Ok(())
    }

    fn block_scalar(&mut self) -> Result<(), GoError> {
        self.drop_key()?;
        self.allows_key = true;
        let token = scalars::scan_block(&mut self.cursor, self.indent)?;
        self.push(token)
    }
}

fn can_begin_plain(first: char, second: Option<char>, is_in_flow: bool) -> bool {
    match first {
        '-' => true,
        '?' | ':' => !is_in_flow && !is_gap(second),
        _ => !is_gap(Some(first)) && !",[]{}#&*!|>'\"%@`".contains(first),
    }
}
