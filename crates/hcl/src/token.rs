//! The tokens of HCL native syntax.

/// The kind of a token. White space and comments that do not end a line produce no token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A line end; a line comment's token spans the comment too.
    Newline,
    Ident,
    Number,
    /// `"` that begins a string.
    OpenQuote,
    /// `"` that ends a string.
    CloseQuote,
    /// Text of a quoted string; backslash escapes count.
    QuotedText,
    /// Text of one line of a heredoc or bare template, its line end included.
    PlainText,
    /// One or more line ends inside a quoted string, where none may be.
    QuotedNewline,
    /// `<<MARKER` and its line end.
    OpenHeredoc,
    /// The line of the closing marker, without its line end.
    CloseHeredoc,
    /// `${` or `${~`
    Interpolation,
    /// `%{` or `%{~`
    Directive,
    /// `}` or `~}` that ends a sequence.
    SequenceEnd,
    OpenBrace,
    CloseBrace,
    OpenBracket,
    CloseBracket,
    OpenParen,
    CloseParen,
    Comma,
    Dot,
    Ellipsis,
    Colon,
    DoubleColon,
    Question,
    Assign,
    Arrow,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    And,
    Or,
    Not,
    Plus,
    Minus,
    Star,
    Slash,
    Percent,
    /// `&`, `|`, `^` or `~`: operators that other languages have.
    ForeignOperator,
    /// A character without a meaning in HCL.
    Unknown,
    /// A byte that is not UTF-8.
    NotUtf8,
    /// The end of the input; always the last token.
    End,
}

/// A token: its kind and its bytes, from `start` to `end` of the input.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub kind: TokenKind,
    pub start: u32,
    pub end: u32,
}

impl Token {
    /// Whether a sequence marker (`${~`, `~}`) strips white space on its outer side.
    pub fn strips(self) -> bool {
        let plain = if self.kind == TokenKind::SequenceEnd { 1 } else { 2 };
        self.end - self.start > plain
    }

    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}
