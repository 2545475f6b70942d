//! Turns documents into values.

use std::collections::{BTreeMap, HashMap};

use crate::functions::{
    CallContext, Failure, Function, Param, ReturnType, Ty,
    encoding::{
        at_offset, on_line,
        yaml::scalar::{YAML_TAG, resolve},
    },
    text,
};
use go_compat::yaml::{ScalarStyle, Scanner, Token};
use release::{Release, changes};
use smol_str::SmolStr;
use stack::{Depth, guarded};
use tf_value::{Type, Value, convert};

pub const YAMLDECODE: Function = Function::pure(
    "yamldecode",
    "Decodes a YAML document; the type of the result follows from the text.",
    &[Param::new("src", Ty::String)],
    ReturnType::Fixed(Ty::Any),
    body,
);

/// The limit for nested sequences and mappings. Terraform's library has no limit, so a deeper text is
/// undecided.
const MAX_DEPTH: u32 = 20_000;

fn body(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let text = text(&args[0]);
    context.host.spend(text.len() as u64 / 4)?;
    check_characters(text)?;
    let scanner = Scanner::new(text);
    let (anchors, depth) = (HashMap::new(), Depth::of(MAX_DEPTH));
    let mut decoder = Decoder { context, scanner, anchors, handles: Vec::new(), depth };
    decoder.document().map_err(|failure| match failure {
        Failure::Call(reason) => {
            let (line, column) = decoder.scanner.position();
            Failure::Call(on_line(line, column, &reason))
        }
        other => other,
    })
}

fn check_characters(text: &str) -> Result<(), Failure> {
    let is_control = |it: char| it.is_control() && !matches!(it, '\t' | '\n' | '\r' | '\u{85}');
    let is_refused = |it: char| is_control(it) || matches!(it, '\u{fffe}' | '\u{ffff}');
    let Some(offset) = text.find(is_refused) else { return Ok(()) };
    Err(Failure::Call(at_offset(text, offset, "control characters are not allowed")))
}

struct Decoder<'a> {
    pub(super) context: &'a CallContext<'a>,
    pub(super) scanner: Scanner<'a>,
    /// Anchored values with their numbers of nodes; `None` while the node is being read.
    anchors: HashMap<String, Option<Node>>,
    /// The prefixes that directives give to tag handles.
    handles: Vec<(String, String)>,
    depth: Depth,
}

/// A value and how many nodes it has.
pub(super) type Node = (Value, u64);

/// The properties before a node: its anchor and its tag.
#[derive(Default)]
pub(super) struct Properties {
    pub anchor: Option<String>,
    pub tag: Option<String>,
}

/// The surroundings of a node.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Around {
    Block,
    /// Behind a key; the dashes of a sequence need no indent there.
    BehindKey,
    Flow,
}

impl Decoder<'_> {
    fn document(&mut self) -> Result<Value, Failure> {
        self.start()?;
        let value = match self.scanner.peek()? {
            Token::Version(_)
            | Token::TagDirective(..)
            | Token::DocumentStart
            | Token::DocumentEnd
            | Token::StreamEnd => self.empty(Properties::default())?.0,
            _ => self.node(Around::Block)?.0,
        };
        while self.takes(&Token::DocumentEnd)? {}
        match self.scanner.peek()? {
            Token::StreamEnd => Ok(value),
            _ => Err(Failure::call("there is more than one document")),
        }
    }

    /// Reads directives and `---`, or nothing.
    fn start(&mut self) -> Result<(), Failure> {
        let mut version = None;
        loop {
            match self.scanner.peek()? {
                Token::Version(it) if version.is_none() && it == "1.1" => {
                    version = Some(self.scanner.next_token()?);
                }
                Token::TagDirective(handle, prefix)
                    if declared(&self.handles, handle).is_none() =>
                {
                    let directive = (handle.clone(), prefix.clone());
                    self.handles.push(directive);
                    self.scanner.next_token()?;
                }
                Token::Version(_) | Token::TagDirective(..) => {
                    return Err(Failure::call("a directive is repeated or unknown"));
                }
                Token::StreamEnd => return Err(Failure::call("missing document")),
                Token::DocumentStart => {
                    self.scanner.next_token()?;
                    return Ok(());
                }
                Token::DocumentEnd => return Err(Failure::call("unexpected end of a document")),
                _ if version.is_none() && self.handles.is_empty() => return Ok(()),
                _ => return Err(Failure::call("no document follows the directives")),
            }
        }
    }

    /// Takes the next token if it equals `token`.
    pub(super) fn takes(&mut self, token: &Token) -> Result<bool, Failure> {
        let is_next = self.scanner.peek()? == token;
        if is_next {
            self.scanner.next_token()?;
        }
        Ok(is_next)
    }

    pub(super) fn is_at(&mut self, tokens: &[Token]) -> Result<bool, Failure> {
        let next = self.scanner.peek()?;
        Ok(tokens.contains(next))
    }

    pub(super) fn node(&mut self, place: Around) -> Result<Node, Failure> {
        guarded(|| self.unguarded_node(place))
    }

    fn unguarded_node(&mut self, place: Around) -> Result<Node, Failure> {
        self.context.host.spend(4)?;
        if let Token::Alias(name) = self.scanner.peek()? {
            let name = name.clone();
            self.scanner.next_token()?;
            return self.alias(&name);
        }
        let properties = self.properties()?;
        match self.scanner.peek()? {
            Token::BlockEntry if place == Around::BehindKey => {
                self.nested(properties, "seq", Self::unindented_sequence)
            }
            Token::Scalar(..) => self.scalar(properties),
            Token::FlowSequenceStart => self.nested(properties, "seq", Self::flow_sequence),
            Token::FlowMappingStart => self.nested(properties, "map", Self::flow_mapping),
            Token::BlockSequenceStart if place != Around::Flow => {
                self.nested(properties, "seq", Self::block_sequence)
            }
            Token::BlockMappingStart if place != Around::Flow => {
                self.nested(properties, "map", Self::block_mapping)
            }
            _ if properties.anchor.is_some() || properties.tag.is_some() => self.empty(properties),
            _ => Err(Failure::call("a value is missing")),
        }
    }

    /// Reads an anchor and a tag, in either order.
    pub(super) fn properties(&mut self) -> Result<Properties, Failure> {
        let mut properties = Properties::default();
        loop {
            match self.scanner.peek()? {
                Token::Anchor(name) if properties.anchor.is_none() => {
                    properties.anchor = Some(name.clone());
                }
                Token::Tag(handle, suffix) if properties.tag.is_none() => {
                    let prefix =
                        if handle.is_empty() { Some("") } else { prefix(&self.handles, handle) };
                    let prefix = prefix
                        .ok_or_else(|| Failure::call("the handle of a tag is not declared"))?;
                    properties.tag = Some(format!("{prefix}{suffix}"));
                }
                _ => return Ok(properties),
            }
            self.scanner.next_token()?;
        }
    }

    /// Takes the next token if it is a scalar.
    pub(super) fn scalar_text(&mut self) -> Result<Option<(String, ScalarStyle)>, Failure> {
        if !matches!(self.scanner.peek()?, Token::Scalar(..)) {
            return Ok(None);
        }
        match self.scanner.next_token()? {
            Token::Scalar(text, style) => Ok(Some((text, style))),
            _ => Ok(None),
        }
    }

    fn scalar(&mut self, properties: Properties) -> Result<Node, Failure> {
        let Some((text, style)) = self.scalar_text()? else { return self.empty(properties) };
        let value = resolve(&text, style, properties.tag.as_deref(), self.context.release);
        let value = value.inspect_err(|_| self.scanner.blame_taken())?;
        Ok(self.anchored(properties.anchor, (value, 1)))
    }

    /// The node for an empty place.
    pub(super) fn empty(&mut self, properties: Properties) -> Result<Node, Failure> {
        let value =
            resolve("", ScalarStyle::Plain, properties.tag.as_deref(), self.context.release)?;
        Ok(self.anchored(properties.anchor, (value, 1)))
    }

    /// The anchored value again. Each use is charged, so a few bytes cannot expand to billions of nodes.
    fn alias(&mut self, name: &str) -> Result<Node, Failure> {
        match self.anchors.get(name) {
            Some(Some((value, size))) => {
                self.context.host.spend(*size)?;
                Ok((value.clone(), *size))
            }
            Some(None) => Err(self.blamed("an anchor refers to itself")),
            None => Err(self.blamed("unknown anchor")),
        }
    }

    /// A failure at the token that was taken last.
    pub(super) fn blamed(&mut self, reason: &str) -> Failure {
        self.scanner.blame_taken();
        Failure::call(reason)
    }

    pub(super) fn nested(
        &mut self,
        properties: Properties,
        kind: &str,
        read: fn(&mut Self) -> Result<Node, Failure>,
    ) -> Result<Node, Failure> {
        check_tag(properties.tag.as_deref(), kind)?;
        let Some(inner) = self.depth.inner() else { return Err(Failure::too_deep()) };
        if let Some(anchor) = &properties.anchor {
            self.anchors.insert(anchor.clone(), None);
        }
        let outer = std::mem::replace(&mut self.depth, inner);
        let node = read(self)?;
        self.depth = outer;
        Ok(self.anchored(properties.anchor, node))
    }

    fn anchored(&mut self, anchor: Option<String>, node: Node) -> Node {
        if let Some(anchor) = anchor {
            self.anchors.insert(anchor, Some(node.clone()));
        }
        node
    }
}

/// The prefix that a directive gives to a tag handle.
fn declared<'h>(handles: &'h [(String, String)], handle: &str) -> Option<&'h str> {
    handles.iter().find(|(it, _)| it == handle).map(|(_, prefix)| prefix.as_str())
}

/// The prefix of a tag handle.
fn prefix<'h>(handles: &'h [(String, String)], handle: &str) -> Option<&'h str> {
    declared(handles, handle).or(match handle {
        "!" => Some("!"),
        "!!" => Some(YAML_TAG),
        _ => None,
    })
}

fn check_tag(tag: Option<&str>, expected: &str) -> Result<(), Failure> {
    match tag {
        Some(tag) if tag.strip_prefix(YAML_TAG) != Some(expected) => {
            Err(Failure::Call(format!("a {expected} cannot have the tag {tag:?}")))
        }
        _ => Ok(()),
    }
}

// Sequences, which become tuples, and mappings, which become objects.

impl Decoder<'_> {
    pub(super) fn block_sequence(&mut self) -> Result<Node, Failure> {
        self.scanner.next_token()?;
        let mut elements = Elements::default();
        while self.takes(&Token::BlockEntry)? {
            let ends = [Token::BlockEntry, Token::BlockEnd];
            elements.push(self.node_before(&ends, Around::Block)?);
        }
        self.expect(&Token::BlockEnd)?;
        Ok(elements.sequence())
    }

    pub(super) fn unindented_sequence(&mut self) -> Result<Node, Failure> {
        let mut elements = Elements::default();
        while self.takes(&Token::BlockEntry)? {
            let ends = [Token::BlockEntry, Token::Key, Token::Value, Token::BlockEnd];
            elements.push(self.node_before(&ends, Around::Block)?);
        }
        Ok(elements.sequence())
    }

    pub(super) fn flow_sequence(&mut self) -> Result<Node, Failure> {
        self.scanner.next_token()?;
        let mut elements = Elements::default();
        while !self.takes(&Token::FlowSequenceEnd)? {
            if !elements.nodes.is_empty() {
                self.expect(&Token::FlowEntry)?;
                if self.takes(&Token::FlowSequenceEnd)? {
                    break;
                }
            }
            elements.push(match self.scanner.peek()? {
                Token::Key => self.nested(Properties::default(), "map", Self::pair)?,
                _ => self.node(Around::Flow)?,
            });
        }
        Ok(elements.sequence())
    }

    /// A pair in a flow sequence: `[a: b]`.
    fn pair(&mut self) -> Result<Node, Failure> {
        self.scanner.next_token()?;
        let ends = [Token::Value, Token::FlowEntry, Token::FlowSequenceEnd];
        if self.is_at(&ends)? {
            // Without a key the library loses a token, and finds an error or a null key.
            return Err(Failure::call("a key is missing"));
        }
        let mut members = Members::default();
        let key = self.key(Around::Flow)?;
        let value = self.value(&ends[1..], Around::Flow)?;
        members.insert(key, value, self.context.release)?;
        Ok(members.mapping())
    }

    pub(super) fn block_mapping(&mut self) -> Result<Node, Failure> {
        self.scanner.next_token()?;
        let mut members = Members::default();
        let ends = [Token::Key, Token::Value, Token::BlockEnd];
        while self.takes(&Token::Key)? {
            if self.is_at(&ends)? {
                return Err(null_key());
            }
            let key = self.key(Around::BehindKey)?;
            let value = self.value(&ends, Around::BehindKey)?;
            members.insert(key, value, self.context.release)?;
        }
        self.expect(&Token::BlockEnd)?;
        Ok(members.mapping())
    }

    pub(super) fn flow_mapping(&mut self) -> Result<Node, Failure> {
        self.scanner.next_token()?;
        let mut members = Members::default();
        let ends = [Token::Value, Token::FlowEntry, Token::FlowMappingEnd];
        let mut is_first = true;
        while !self.takes(&Token::FlowMappingEnd)? {
            if !std::mem::take(&mut is_first) {
                self.expect(&Token::FlowEntry)?;
                if self.takes(&Token::FlowMappingEnd)? {
                    break;
                }
            }
            let has_value = self.takes(&Token::Key)?;
            if has_value && self.is_at(&ends)? {
                return Err(null_key());
            }
            let key = self.key(Around::Flow)?;
            let value = if has_value {
                self.value(&ends[1..], Around::Flow)?
            } else {
                self.empty(Properties::default())?
            };
            members.insert(key, value, self.context.release)?;
        }
        Ok(members.mapping())
    }

    /// The value behind a key: `:` and a node, if they are written.
    fn value(&mut self, ends: &[Token], place: Around) -> Result<Node, Failure> {
        if self.takes(&Token::Value)? {
            return self.node_before(ends, place);
        }
        self.empty(Properties::default())
    }

    /// A node, or an empty one before one of these tokens.
    fn node_before(&mut self, ends: &[Token], place: Around) -> Result<Node, Failure> {
        if self.is_at(ends)? { self.empty(Properties::default()) } else { self.node(place) }
    }

    fn expect(&mut self, token: &Token) -> Result<(), Failure> {
        if self.takes(token)? {
            return Ok(());
        }
        let next = self.scanner.peek()?;
        Err(Failure::Call(format!("expected {token}, found {next}")))
    }

    /// A key as text; `None` for the merge key. An anchor at a key is not remembered.
    fn key(&mut self, place: Around) -> Result<Option<SmolStr>, Failure> {
        if let Token::Alias(_) = self.scanner.peek()? {
            let (value, _) = self.node(place)?;
            return key_text(&value).map(Some).inspect_err(|_| self.scanner.blame_taken());
        }
        let Properties { tag, .. } = self.properties()?;
        let ends = [Token::Key, Token::Value, Token::BlockEnd, Token::FlowEntry];
        let (text, style) = match self.scalar_text()? {
            Some(it) => it,
            None if self.is_at(&ends)? || self.is_at(&[Token::FlowMappingEnd])? => {
                (String::new(), ScalarStyle::Plain)
            }
            None => return Err(Failure::call("only strings are allowed as keys of a mapping")),
        };
        let release = self.context.release;
        let is_tagged = tag.as_deref().and_then(|it| it.strip_prefix(YAML_TAG)) == Some("merge");
        let merges_more = release.has(&changes::YAML_MERGE_LISTS);
        if (text == "<<" && tag.is_none()) || (merges_more && is_tagged) {
            return Ok(None);
        }
        let value = resolve(&text, style, tag.as_deref(), release);
        let key = value.and_then(|it| key_text(&it));
        key.map(Some).inspect_err(|_| self.scanner.blame_taken())
    }
}

fn null_key() -> Failure {
    Failure::call("the key of a mapping cannot be null")
}

fn key_text(value: &Value) -> Result<SmolStr, Failure> {
    if value.is_null() {
        return Err(null_key());
    }
    let key = convert(value, &Type::String).ok();
    let key = key.as_ref().and_then(Value::as_str).map(SmolStr::new);
    key.ok_or_else(|| Failure::call("only strings are allowed as keys of a mapping"))
}

/// The elements of a sequence.
#[derive(Default)]
struct Elements {
    nodes: Vec<Value>,
    size: u64,
}

impl Elements {
    fn push(&mut self, (value, size): Node) {
        self.nodes.push(value);
        self.size += size;
    }

    fn sequence(self) -> Node {
        (Value::tuple(self.nodes), self.size + 1)
    }
}

/// The members of a mapping. A later key replaces an earlier one, and so does a key that `<<` brings.
#[derive(Default)]
struct Members {
    attributes: BTreeMap<SmolStr, Value>,
    size: u64,
}

impl Members {
    fn insert(
        &mut self,
        key: Option<SmolStr>,
        (value, size): Node,
        release: Release,
    ) -> Result<(), Failure> {
        self.size += size;
        match key {
            Some(key) => drop(self.attributes.insert(key, value)),
            None => merge(&mut self.attributes, &value, release)?,
        }
        Ok(())
    }

    fn mapping(self) -> Node {
        (Value::object(self.attributes), self.size + 1)
    }
}

/// Merges the mapping behind `<<`, or the mappings of a sequence there.
fn merge(
    attributes: &mut BTreeMap<SmolStr, Value>,
    value: &Value,
    release: Release,
) -> Result<(), Failure> {
    let elements = value.as_sequence().filter(|_| release.has(&changes::YAML_MERGE_LISTS));
    if let Some(elements) = elements {
        return elements.iter().try_for_each(|it| merge_one(attributes, it));
    }
    merge_one(attributes, value)
}

fn merge_one(attributes: &mut BTreeMap<SmolStr, Value>, value: &Value) -> Result<(), Failure> {
    let Some(merged) = value.as_mapping() else {
        return Err(Failure::call("only a mapping can be merged into a mapping"));
    };
    attributes.extend(merged.iter().map(|(key, it)| (key.clone(), it.clone())));
    Ok(())
}
