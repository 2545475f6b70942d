//! Documents into values: sequences are tuples, mappings are objects.

use std::collections::{BTreeMap, HashMap};

use saphyr_parser::{Event, Parser, ScalarStyle, StrInput, Tag};
use smol_str::SmolStr;

use super::scalar::{YAML_TAG, resolve};
use crate::{
    functions::{Context, Failure, Function, Param, ReturnType, Ty, text},
    value::{Type, Value, convert},
};

pub const YAMLDECODE: Function = Function {
    name: "yamldecode",
    description: "Reads a YAML document; the result's type follows from it.",
    params: &[Param::new("src", Ty::String)],
    variadic: None,
    returns: ReturnType::Fixed(Ty::Any),
    body,
};

/// As deep as Go's library nests sequences and mappings.
const MAX_DEPTH: usize = 10_000;

fn body(context: &Context<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let text = text(&args[0]);
    context.host.spend(text.len() as u64 / 4)?;
    check_characters(text)?;
    check_directives(text)?;
    // YAML 1.1 knows one more line end.
    let text = text.replace('\u{85}', "\n");
    match decode(context, &text) {
        Err(Failure::Call(_)) if text.contains(":\t") => decode(context, &spaced(&text)),
        result => result,
    }
}

fn decode(context: &Context<'_>, text: &str) -> Result<Value, Failure> {
    let parser = Parser::new_from_str(text);
    let end = text.chars().count();
    let ends_open = !text.ends_with('\n');
    let decoder = Decoder { context, parser, anchors: HashMap::new(), depth: 0, end, ends_open };
    decoder.document()
}

/// The text with spaces for the tabs between a key's colon and the value: the parser at hand takes
/// YAML 1.2's view of tabs.
fn spaced(text: &str) -> String {
    let line = |line: &str| match line.split_once(":\t") {
        Some((key, value)) if !key.trim().is_empty() && !key.contains(['"', '\'']) => {
            format!("{key}: {}", value.trim_start_matches(['\t', ' ']))
        }
        _ => line.to_owned(),
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

fn check_characters(text: &str) -> Result<(), Failure> {
    let is_control = |it: char| it.is_control() && !matches!(it, '\t' | '\n' | '\r' | '\u{85}');
    if text.contains(is_control) {
        return Err(Failure::call("control characters are not allowed"));
    }
    let behind_dash = text.strip_prefix('-').map(|it| it.trim_start_matches(' '));
    if behind_dash.unwrap_or(text).starts_with('\t') {
        return Err(Failure::call("a document, or its first item, cannot begin with a tab"));
    }
    if text.contains(['\u{2028}', '\u{2029}']) {
        return Err(Failure::Undecided("the text has line ends of YAML 1.1 alone".to_owned()));
    }
    Ok(())
}

/// There are two directives, and one version of YAML.
fn check_directives(text: &str) -> Result<(), Failure> {
    for line in text.lines() {
        if let Some(directive) = line.strip_prefix('%') {
            let mut words = directive.split_whitespace();
            match (words.next(), words.next()) {
                (Some("YAML"), Some("1.1")) | (Some("TAG"), _) => (),
                _ => return Err(Failure::Call(format!("the directive {line:?} is not known"))),
            }
        } else if !line.is_empty() && !line.starts_with('#') {
            break;
        }
    }
    Ok(())
}

struct Decoder<'a> {
    context: &'a Context<'a>,
    parser: Parser<'a, StrInput<'a>>,
    /// Anchored values and how many nodes they have; none while the node is being read.
    anchors: HashMap<usize, Option<(Value, u64)>>,
    depth: usize,
    /// The length of the text in characters, and whether its last line has no end.
    end: usize,
    ends_open: bool,
}

/// A value and how many nodes it has.
type Node = (Value, u64);

impl<'a> Decoder<'a> {
    fn document(mut self) -> Result<Value, Failure> {
        loop {
            match self.event()? {
                Event::DocumentStart(_) => break,
                Event::StreamEnd => return Err(Failure::call("there is no document")),
                _ => (),
            }
        }
        let first = self.event()?;
        let (value, _) = self.node(first)?;
        loop {
            match self.event()? {
                Event::StreamEnd => return Ok(value),
                Event::DocumentStart(_) => {
                    return Err(Failure::call("there is more than one document"));
                }
                _ => (),
            }
        }
    }

    fn event(&mut self) -> Result<Event<'a>, Failure> {
        match self.parser.next() {
            Some(Ok((Event::Scalar(text, style, anchor, tag), span)))
                if self.ends_open
                    && span.end.index() >= self.end
                    && matches!(style, ScalarStyle::Literal | ScalarStyle::Folded) =>
            {
                // The last line of the block has no end that could be kept.
                let text = text.strip_suffix('\n').unwrap_or(&text).to_owned();
                Ok(Event::Scalar(text.into(), style, anchor, tag))
            }
            Some(Ok((event, _))) => Ok(event),
            Some(Err(error)) => Err(Failure::Call(format!("no YAML: {error}"))),
            None => Err(Failure::call("the document ends too early")),
        }
    }

    fn node(&mut self, event: Event<'a>) -> Result<Node, Failure> {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.unguarded_node(event))
    }

    fn unguarded_node(&mut self, event: Event<'a>) -> Result<Node, Failure> {
        self.context.host.spend(4)?;
        match event {
            Event::Alias(anchor) => self.alias(anchor),
            // Terraform's library has nothing to show for a block without lines.
            Event::Scalar(text, ScalarStyle::Literal | ScalarStyle::Folded, anchor, None)
                if text.is_empty() =>
            {
                Ok(self.anchored(anchor, (Value::null(Type::String), 1)))
            }
            Event::Scalar(text, style, anchor, tag) => {
                let tag = tag.as_deref().map(full_tag);
                let value = resolve(&text, style == ScalarStyle::Plain, tag.as_deref())?;
                Ok(self.anchored(anchor, (value, 1)))
            }
            Event::SequenceStart(anchor, tag) => {
                check_tag(tag.as_deref(), "seq")?;
                self.nested(anchor, Self::sequence)
            }
            Event::MappingStart(anchor, tag) => {
                check_tag(tag.as_deref(), "map")?;
                self.nested(anchor, Self::mapping)
            }
            _ => Err(Failure::call("a value is missing")),
        }
    }

    /// The value again; each time counts, so that few bytes cannot stand for billions of nodes.
    fn alias(&mut self, anchor: usize) -> Result<Node, Failure> {
        match self.anchors.get(&anchor) {
            Some(Some((value, size))) => {
                self.context.host.spend(*size)?;
                Ok((value.clone(), *size))
            }
            Some(None) => Err(Failure::call("an anchor is referred to inside of itself")),
            None => Err(Failure::call("there is no such anchor")),
        }
    }

    fn nested(
        &mut self,
        anchor: usize,
        read: fn(&mut Self) -> Result<Node, Failure>,
    ) -> Result<Node, Failure> {
        if self.depth >= MAX_DEPTH {
            return Err(Failure::call("the document is nested too deeply"));
        }
        if anchor != 0 {
            self.anchors.insert(anchor, None);
        }
        self.depth += 1;
        let node = read(self)?;
        self.depth -= 1;
        Ok(self.anchored(anchor, node))
    }

    fn anchored(&mut self, anchor: usize, node: Node) -> Node {
        if anchor != 0 {
            self.anchors.insert(anchor, Some(node.clone()));
        }
        node
    }

    fn sequence(&mut self) -> Result<Node, Failure> {
        let (mut elements, mut size) = (Vec::new(), 1);
        loop {
            match self.event()? {
                Event::SequenceEnd => return Ok((Value::tuple(elements), size)),
                event => {
                    let (element, count) = self.node(event)?;
                    elements.push(element);
                    size += count;
                }
            }
        }
    }

    /// Later keys replace earlier ones, and so do those that `<<` brings.
    fn mapping(&mut self) -> Result<Node, Failure> {
        let (mut attributes, mut size) = (BTreeMap::new(), 1);
        loop {
            let key = match self.event()? {
                Event::MappingEnd => return Ok((Value::object(attributes), size)),
                event => self.key(event)?,
            };
            let event = self.event()?;
            let (value, count) = self.node(event)?;
            size += count;
            match key {
                Some(key) => drop(attributes.insert(key, value)),
                None => merge(&mut attributes, &value)?,
            }
        }
    }

    /// A key as text; none for the merge key. An anchor at a key is not remembered.
    fn key(&mut self, event: Event<'a>) -> Result<Option<SmolStr>, Failure> {
        let value = match event {
            Event::Scalar(text, _, _, None) if text == "<<" => return Ok(None),
            Event::Scalar(text, style, _, tag) => {
                let tag = tag.as_deref().map(full_tag);
                resolve(&text, style == ScalarStyle::Plain, tag.as_deref())?
            }
            Event::Alias(anchor) => self.alias(anchor)?.0,
            _ => return Err(Failure::call("only strings are allowed as keys of a mapping")),
        };
        if value.is_null() {
            return Err(Failure::call("the key of a mapping cannot be null"));
        }
        let key = convert(&value, &Type::String).ok();
        let key = key.as_ref().and_then(Value::as_str).map(SmolStr::new);
        key.map(Some).ok_or_else(|| Failure::call("only strings are allowed as keys of a mapping"))
    }
}

fn merge(attributes: &mut BTreeMap<SmolStr, Value>, value: &Value) -> Result<(), Failure> {
    let Some(merged) = value.as_mapping() else {
        return Err(Failure::call("only a mapping can be merged into a mapping"));
    };
    attributes.extend(merged.iter().map(|(key, it)| (key.clone(), it.clone())));
    Ok(())
}

fn full_tag(tag: &Tag) -> String {
    format!("{}{}", tag.handle, tag.suffix)
}

fn check_tag(tag: Option<&Tag>, expected: &str) -> Result<(), Failure> {
    match tag.map(full_tag) {
        Some(tag) if tag.strip_prefix(YAML_TAG) != Some(expected) => {
            Err(Failure::Call(format!("the tag {tag:?} does not fit a {expected}")))
        }
        _ => Ok(()),
    }
}
