//! The tokens of a YAML text.

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
    Scalar(String, Style),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    Plain,
    Quoted,
    Block,
}
