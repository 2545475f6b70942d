//! Sequences, which become tuples, and mappings, which become objects.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use super::{
    decode::{Around, Decoder, Node, Properties},
    scalar::{YAML_TAG, resolve},
};
use crate::functions::Failure;
use go_compat::yaml::{ScalarStyle, Token};
use release::{Release, changes};
use tf_value::{Type, Value, convert};

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
