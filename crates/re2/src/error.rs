//! Why a pattern is refused, in Go's kinds.

/// A pattern that Go's `regexp/syntax` refuses (or, [`ErrorKind::Budget`], that we do).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("error parsing regexp: {kind}: `{fragment}`")]
pub struct Error {
    pub kind: ErrorKind,
    /// The part of the pattern that Go blames; empty where it blames none.
    pub fragment: String,
}

impl Error {
    pub(super) fn new(kind: ErrorKind, fragment: &str) -> Error {
        Error { kind, fragment: fragment.to_owned() }
    }
}

/// The kinds of error, worded as Go words them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ErrorKind {
    #[error("invalid character class range")]
    InvalidCharRange,
    #[error("invalid escape sequence")]
    InvalidEscape,
    #[error("invalid named capture")]
    InvalidNamedCapture,
    #[error("invalid or unsupported Perl syntax")]
    InvalidPerlOp,
    #[error("invalid nested repetition operator")]
    InvalidRepeatOp,
    #[error("invalid repeat count")]
    InvalidRepeatSize,
    #[error("missing closing ]")]
    MissingBracket,
    #[error("missing closing )")]
    MissingParen,
    #[error("missing argument to repetition operator")]
    MissingRepeatArgument,
    #[error("trailing backslash at end of expression")]
    TrailingBackslash,
    #[error("unexpected )")]
    UnexpectedParen,
    #[error("expression nests too deeply")]
    NestingDepth,
    #[error("expression too large")]
    Large,
    /// Valid in Go, but compiling it would take more memory than we allow.
    #[error("expression needs too much memory to compile")]
    Budget,
}
