//! The tokens of a YAML text.

use std::fmt;

/// A token. Where a block begins and ends follows from the indentation.
#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    StreamEnd,
    /// `%YAML` with its version, as written.
    Version(String),
    /// `%TAG` with handle and prefix.
    TagDirective(String, String),
    DocumentStart,
    DocumentEnd,
    BlockSequenceStart,
    BlockMappingStart,
    BlockEnd,
    FlowSequenceStart,
    FlowSequenceEnd,
    FlowMappingStart,
    FlowMappingEnd,
    BlockEntry,
    FlowEntry,
    Key,
    Value,
    Alias(String),
    Anchor(String),
    /// Handle and suffix; a verbatim tag has no handle.
    Tag(String, String),
    Scalar(String, ScalarStyle),
}

/// As messages name it: "the end of the block is expected, and the text \"b\" follows".
impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Token::StreamEnd => "the end of the text",
            Token::Version(_) => "`%YAML`",
            Token::TagDirective(..) => "`%TAG`",
            Token::DocumentStart => "`---`",
            Token::DocumentEnd => "`...`",
            Token::BlockSequenceStart | Token::BlockEntry => "`-`",
            Token::BlockMappingStart | Token::Key => "a key",
            Token::BlockEnd => "the end of the block",
            Token::FlowSequenceStart => "`[`",
            Token::FlowSequenceEnd => "`]`",
            Token::FlowMappingStart => "`{`",
            Token::FlowMappingEnd => "`}`",
            Token::FlowEntry => "a comma",
            Token::Value => "a colon",
            Token::Alias(name) => return write!(f, "the alias *{name}"),
            Token::Anchor(name) => return write!(f, "the anchor &{name}"),
            Token::Tag(handle, suffix) => return write!(f, "the tag {handle}{suffix}"),
            Token::Scalar(text, _) => return write!(f, "the text {text:?}"),
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScalarStyle {
    Plain,
    Quoted,
    Block,
}
