//! The messages of tflint's plugin protocol and of go-plugin's own services, written by hand: the
//! numbers and types of the fields are the protocol, their names are ours.

use std::collections::HashMap;

use prost::Message;

/// A message without fields.
#[derive(Clone, Copy, PartialEq, Message)]
pub struct Empty {}

#[derive(Clone, PartialEq, Message)]
pub struct Text {
    #[prost(string, tag = "1")]
    pub value: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct Texts {
    #[prost(string, repeated, tag = "1")]
    pub values: Vec<String>,
}

#[derive(Clone, PartialEq, Message)]
pub struct ConfigSchema {
    #[prost(message, optional, tag = "1")]
    pub schema: Option<BodySchema>,
}

#[derive(Clone, PartialEq, Message)]
pub struct ConfigContent {
    #[prost(message, optional, tag = "1")]
    pub content: Option<BodyContent>,
}

/// Which rules run, as the command line and the configuration say.
#[derive(Clone, PartialEq, Message)]
pub struct GlobalConfig {
    #[prost(map = "string, message", tag = "1")]
    pub rules: HashMap<String, RuleSwitch>,
    #[prost(bool, tag = "2")]
    pub disabled_by_default: bool,
    #[prost(string, repeated, tag = "3")]
    pub only: Vec<String>,
    #[prost(bool, tag = "4")]
    pub fix: bool,
}

#[derive(Clone, PartialEq, Message)]
pub struct RuleSwitch {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(bool, tag = "2")]
    pub enabled: bool,
}

#[derive(Clone, PartialEq, Message)]
pub struct ApplyGlobalConfig {
    #[prost(message, optional, tag = "1")]
    pub config: Option<GlobalConfig>,
}

/// Asks for a check; `runner` is the id under which the broker announces the way back.
#[derive(Clone, Copy, PartialEq, Message)]
pub struct Check {
    #[prost(uint32, tag = "1")]
    pub runner: u32,
}

#[derive(Clone, PartialEq, Message)]
pub struct Files {
    #[prost(map = "string, bytes", tag = "1")]
    pub files: HashMap<String, Vec<u8>>,
}

#[derive(Clone, PartialEq, Message)]
pub struct GetRuleConfig {
    #[prost(string, tag = "1")]
    pub rule: String,
    #[prost(message, optional, tag = "2")]
    pub schema: Option<BodySchema>,
}

#[derive(Clone, PartialEq, Message)]
pub struct EmitIssue {
    #[prost(message, optional, tag = "1")]
    pub rule: Option<Rule>,
    #[prost(string, tag = "2")]
    pub message: String,
    #[prost(message, optional, tag = "3")]
    pub range: Option<Range>,
    #[prost(bool, tag = "4")]
    pub fixable: bool,
}

#[derive(Clone, Copy, PartialEq, Message)]
pub struct IssueApplied {
    #[prost(bool, tag = "1")]
    pub applied: bool,
}

#[derive(Clone, PartialEq, Message)]
pub struct Rule {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(bool, tag = "2")]
    pub enabled: bool,
    #[prost(enumeration = "Severity", tag = "3")]
    pub severity: i32,
    #[prost(string, tag = "4")]
    pub link: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub enum Severity {
    /// Never sent: tflint stops at a severity that it does not know.
    Unspecified = 0,
    Error = 1,
    Warning = 2,
    Notice = 3,
}

#[derive(Clone, PartialEq, Message)]
pub struct BodySchema {
    #[prost(message, repeated, tag = "1")]
    pub attributes: Vec<AttributeSchema>,
}

#[derive(Clone, PartialEq, Message)]
pub struct AttributeSchema {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(bool, tag = "2")]
    pub required: bool,
}

#[derive(Clone, PartialEq, Message)]
pub struct BodyContent {
    #[prost(map = "string, message", tag = "1")]
    pub attributes: HashMap<String, Attribute>,
}

#[derive(Clone, PartialEq, Message)]
pub struct Attribute {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(message, optional, tag = "4")]
    pub range: Option<Range>,
    #[prost(message, optional, tag = "6")]
    pub expression: Option<Expression>,
}

/// An expression as source text; in JSON it is the JSON token.
#[derive(Clone, PartialEq, Message)]
pub struct Expression {
    #[prost(bytes = "vec", tag = "1")]
    pub source: Vec<u8>,
    #[prost(message, optional, tag = "2")]
    pub range: Option<Range>,
}

#[derive(Clone, PartialEq, Message)]
pub struct Range {
    #[prost(string, tag = "1")]
    pub filename: String,
    #[prost(message, optional, tag = "2")]
    pub start: Option<Position>,
    /// Exclusive.
    #[prost(message, optional, tag = "3")]
    pub end: Option<Position>,
}

/// Line and column from 1, a column being a grapheme cluster; bytes from 0.
#[derive(Clone, Copy, PartialEq, Message)]
pub struct Position {
    #[prost(int64, tag = "1")]
    pub line: i64,
    #[prost(int64, tag = "2")]
    pub column: i64,
    #[prost(int64, tag = "3")]
    pub byte: i64,
}

/// Where the broker listens for a service.
#[derive(Clone, PartialEq, Message)]
pub struct Address {
    #[prost(uint32, tag = "1")]
    pub service: u32,
    /// `unix` or `tcp`
    #[prost(string, tag = "2")]
    pub network: String,
    #[prost(string, tag = "3")]
    pub address: String,
}

#[derive(Clone, Copy, PartialEq, Message)]
pub struct Health {
    /// 1 is serving.
    #[prost(int32, tag = "1")]
    pub status: i32,
}
