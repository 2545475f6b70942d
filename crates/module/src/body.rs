//! Bodies whose schema only a provider has: every argument and block as written.

use std::sync::Arc;

use smol_str::SmolStr;

use super::reader::BlockReader;
use diagnostics::{Diagnostic, Diagnostics, Role, Span, lints};
use hcl::{
    Expr, ExprKind, Ident, ObjectItem, ObjectKey,
    analysis::as_keyword,
    config::{
        AttributeSchema, BlockSchema, BodyContent as ConfigContent, BodySchema, ConfigAttribute,
        ConfigBlock, ConfigBody,
    },
};
use stack::guarded;

/// Arguments and blocks in source order.
#[derive(Clone, Debug, Default)]
pub struct WrittenBody {
    pub arguments: Vec<BodyArgument>,
    pub blocks: Vec<BodyBlock>,
    /// Where another body overrides this one: the names of the arguments that were here before. Terraform then
    /// drops whatever the schema does not have, and looks for required arguments among these only.
    pub overridden: Option<Vec<SmolStr>>,
}

/// `NAME = EXPRESSION`. In JSON a block looks like this too: an object, or an array of objects.
#[derive(Clone, Debug)]
pub struct BodyArgument {
    pub name: Ident,
    pub expr: Arc<Expr>,
    /// From the name to the end of the value.
    pub span: Span,
    /// In JSON: the names that `dynamic` blocks inside of the argument bind.
    pub iterators: Vec<SmolStr>,
}

/// A block inside of a body.
#[derive(Clone, Debug)]
pub struct BodyBlock {
    pub kind: Ident,
    pub labels: Vec<SmolStr>,
    pub content: BlockContent,
}

/// A block of a module as it is written: `resource "TYPE" "NAME" { … }`.
#[derive(Clone, Debug)]
pub struct WrittenBlock {
    pub kind: SmolStr,
    pub labels: Vec<SmolStr>,
    /// The header.
    pub span: Span,
    pub body: WrittenBody,
}

impl WrittenBlock {
    /// Errors in the block are reported where its meaning is read.
    pub(super) fn read(reader: &mut BlockReader<'_>, block: &ConfigBlock<'_>) -> WrittenBlock {
        let (reported, features) = (reader.diagnostics.len(), reader.features.len());
        let body = WrittenBody::read(reader, block.body, &NOTHING);
        reader.diagnostics.truncate(reported);
        reader.features.truncate(features);
        let labels = block.labels.iter().map(|it| it.text.clone()).collect();
        WrittenBlock { kind: block.kind.name.clone(), labels, span: block.header, body }
    }

    /// Replaces this block by one of an override file; `lifecycle` is merged argument by argument.
    pub(super) fn merge(&mut self, mut new: WrittenBody) {
        let is_lifecycle = |it: &BodyBlock| it.kind.name == "lifecycle";
        let old = self.body.blocks.iter_mut().find(|it| is_lifecycle(it));
        if let Some(BodyBlock { content: BlockContent::Plain(old), .. }) = old {
            for it in new.blocks.extract_if(.., |it| is_lifecycle(it)) {
                if let BlockContent::Plain(body) = it.content {
                    old.merge(body);
                }
            }
        }
        self.body.merge(new);
    }

    /// Whether a block of an override file replaces this one. Blocks without labels are the same block.
    pub(super) fn is_same(&self, other: &WrittenBlock) -> bool {
        let alias = |it: &WrittenBlock| match &it.body.argument("alias")?.expr.kind {
            ExprKind::String(alias) => Some(alias.clone()),
            _ => None,
        };
        self.kind == other.kind && self.labels == other.labels && alias(self) == alias(other)
    }
}

const DYNAMIC: BodySchema =
    BodySchema { attributes: &[], blocks: &[BlockSchema { kind: "dynamic", labels: &["type"] }] };

const DYNAMIC_BODY: BodySchema = BodySchema {
    attributes: &[
        AttributeSchema { name: "for_each", required: true },
        AttributeSchema { name: "iterator", required: false },
    ],
    blocks: &[BlockSchema { kind: "content", labels: &[] }],
};

/// Takes nothing of a body.
pub(super) const NOTHING: BodySchema = BodySchema { attributes: &[], blocks: &[] };

/// The content of a block.
#[derive(Clone, Debug)]
pub enum BlockContent {
    Plain(WrittenBody),
    /// `dynamic "NAME"`: makes one block for each element of a collection.
    Dynamic(Box<Dynamic>),
}

/// A `dynamic` block.
#[derive(Clone, Debug, Default)]
pub struct Dynamic {
    /// The type of the blocks that it makes, from its label.
    pub kind: SmolStr,
    pub for_each: Option<Expr>,
    /// The argument `labels`, which no block of a provider takes.
    pub labels: Option<Expr>,
    /// The name of the element in the body: the block's type, unless `iterator` names another.
    pub iterator: SmolStr,
    pub body: WrittenBody,
    /// The errors in its form: a missing argument, another name, no `content`.
    pub malformed: Diagnostics,
}

impl WrittenBody {
    /// Reads what a schema leaves of a body: the arguments and blocks that are not Terraform's own. `lifecycle = 1` and
    /// `count {}` are left, because `lifecycle` is a block and `count` is an argument; in JSON both look the same.
    pub(super) fn read(
        reader: &mut BlockReader<'_>,
        body: ConfigBody<'_>,
        taken: &BodySchema,
    ) -> WrittenBody {
        WrittenBody::left_by(&[taken], reader, body)
    }

    fn left_by(
        taken: &[&BodySchema],
        reader: &mut BlockReader<'_>,
        body: ConfigBody<'_>,
    ) -> WrittenBody {
        guarded(|| {
            let (arguments, blocks) = body.everything();
            let is_json = matches!(body, ConfigBody::Json(_));
            let is_argument = |name: &str| {
                taken.iter().flat_map(|schema| schema.attributes).any(|own| own.name == name)
            };
            let is_block = |name: &str| {
                taken.iter().flat_map(|schema| schema.blocks).any(|own| own.kind == name)
            };
            let is_taken = |name: &str| is_argument(name) || is_json && is_block(name);
            let arguments = arguments.iter().filter(|it| !is_taken(&it.name.name));
            let arguments = arguments.map(|it| BodyArgument::read(reader, it)).collect();
            let mut found = Vec::new();
            for it in blocks.iter().filter(|it| !is_block(&it.kind.name)) {
                let content = match it.labels.first() {
                    _ if it.kind.name == "dynamic" => {
                        BlockContent::Dynamic(Dynamic::read(reader, it).into())
                    }
                    _ => BlockContent::Plain(WrittenBody::read(reader, it.body, &NOTHING)),
                };
                let labels = it.labels.iter().map(|it| it.text.clone()).collect();
                found.push(BodyBlock { kind: it.kind.clone(), labels, content });
            }
            WrittenBody { arguments, blocks: found, overridden: None }
        })
    }

    /// Like [`WrittenBody::read`], for a body whose schema a provider has. Terraform looks for `dynamic` blocks in it,
    /// in JSON as well.
    pub(super) fn read_expanded(
        reader: &mut BlockReader<'_>,
        body: ConfigBody<'_>,
        taken: &BodySchema,
    ) -> WrittenBody {
        if matches!(body, ConfigBody::Native(_)) {
            return WrittenBody::read(reader, body, taken);
        }
        guarded(|| {
            let mut found = WrittenBody::left_by(&[taken, &DYNAMIC], reader, body);
            let (content, problems) = body.partial_content(&DYNAMIC);
            for it in &content.blocks {
                let labels = it.labels.iter().map(|it| it.text.clone()).collect();
                let content = BlockContent::Dynamic(Dynamic::read_json(reader, it).into());
                found.blocks.push(BodyBlock { kind: it.kind.clone(), labels, content });
            }
            if let Some(place) = problems.first().and_then(Diagnostic::span) {
                let kind = Ident { name: "dynamic".into(), span: place };
                let malformed = misplaced(problems);
                let unnamed = Dynamic { kind: kind.name.clone(), malformed, ..Dynamic::default() };
                let content = BlockContent::Dynamic(unnamed.into());
                found.blocks.push(BodyBlock { kind, labels: Vec::new(), content });
            }
            found
        })
    }

    /// Reads the block `_`, whose arguments belong to the body though Terraform reserves their names.
    pub(super) fn read_escaped(
        &mut self,
        reader: &mut BlockReader<'_>,
        content: &ConfigContent<'_>,
    ) {
        for it in content.blocks_of("_") {
            let escaped = WrittenBody::read(reader, it.body, &NOTHING);
            self.arguments.extend(escaped.arguments);
            self.blocks.extend(escaped.blocks);
        }
    }

    /// The argument with this name.
    pub fn argument(&self, name: &str) -> Option<&BodyArgument> {
        self.arguments.iter().find(|it| it.name.name == name)
    }

    /// Merges an override file's body: its arguments replace earlier ones, and its blocks replace all
    /// blocks of their types, whether a `dynamic` block makes them or not.
    pub fn merge(&mut self, new: WrittenBody) {
        if self.overridden.is_none() {
            let names = self.arguments.iter().map(|it| it.name.name.clone());
            self.overridden = Some(names.collect());
        }
        for it in new.arguments {
            match self.arguments.iter_mut().find(|base| base.name.name == it.name.name) {
                Some(base) => *base = it,
                None => self.arguments.push(it),
            }
        }
        let replaced = |it: &BodyBlock| new.blocks.iter().any(|new| new.made() == it.made());
        self.blocks.retain(|it| !replaced(it));
        self.blocks.extend(new.blocks);
    }

    /// All expressions that are evaluated, in no particular order.
    pub fn expressions<'b>(&'b self, found: &mut Vec<&'b Expr>) {
        found.extend(self.arguments.iter().map(|it| &*it.expr));
        for block in &self.blocks {
            guarded(|| match &block.content {
                BlockContent::Plain(body) => body.expressions(found),
                BlockContent::Dynamic(it) => {
                    found.extend(&it.for_each);
                    it.body.expressions(found);
                }
            });
        }
    }
}

impl BodyBlock {
    /// The type of the blocks that it makes: for a `dynamic` block, its label.
    fn made(&self) -> &str {
        match &self.content {
            BlockContent::Plain(_) => &self.kind.name,
            BlockContent::Dynamic(it) => &it.kind,
        }
    }
}

impl BodyArgument {
    pub(super) fn read(
        reader: &mut BlockReader<'_>,
        argument: &ConfigAttribute<'_>,
    ) -> BodyArgument {
        let (expr, problems) = match argument.name.name.as_str() {
            "dynamic" => argument.labelled_expression(),
            _ => argument.shared_expression(),
        };
        reader.add(problems);
        let mut iterators = Vec::new();
        if argument.json_value().is_some() {
            if argument.name.name == "dynamic" {
                add_iterators(&expr, &mut iterators);
            }
            find_iterators(&expr, &mut iterators);
        }
        BodyArgument { name: argument.name.clone(), expr, span: argument.span, iterators }
    }
}

impl Dynamic {
    fn read(reader: &mut BlockReader<'_>, block: &ConfigBlock<'_>) -> Dynamic {
        let kind = &block.labels.first().map(|it| it.text.clone()).unwrap_or_default();
        let (arguments, blocks) = block.body.everything();
        let mut malformed = Dynamic::malformed(block, &arguments, &blocks);
        let mut argument = |name: &str| {
            let found = arguments.iter().find(|it| it.name.name == name)?;
            Some(reader.expression(found))
        };
        let [for_each, labels, iterator] = ["for_each", "labels", "iterator"].map(&mut argument);
        if let Some(it) = iterator.as_ref().filter(|it| as_keyword(it).is_none()) {
            let detail = "Write the name of an iterator without quotes.";
            malformed.push(wrong_form("Invalid expression", detail, it.span));
        }
        let iterator = iterator.as_ref().and_then(as_keyword).map(SmolStr::from);
        let content = blocks.iter().find(|it| it.kind.name == "content");
        let body =
            content.map(|it| WrittenBody::read(reader, it.body, &NOTHING)).unwrap_or_default();
        let iterator = iterator.unwrap_or_else(|| kind.clone());
        Dynamic { kind: kind.clone(), for_each, labels, iterator, body, malformed }
    }

    fn read_json(reader: &mut BlockReader<'_>, block: &ConfigBlock<'_>) -> Dynamic {
        let kind = block.labels.first().map(|it| it.text.clone()).unwrap_or_default();
        let (content, problems) = block.body.content(&DYNAMIC_BODY);
        let mut malformed = misplaced(problems);
        let for_each = content.attribute("for_each").map(|it| reader.expression(it));
        let iterator = content.attribute("iterator").map(|it| (it.static_expression().0, it));
        let keyword = iterator.as_ref().and_then(|(expr, _)| as_keyword(expr));
        if let Some((_, it)) = iterator.as_ref().filter(|_| keyword.is_none()) {
            let detail = "The name of an iterator must be a string that contains a name.";
            malformed.push(wrong_form("Invalid expression", detail, it.value_span()));
        }
        malformed.extend(wrong_contents(block, &content.blocks.iter().collect::<Vec<_>>()));
        let body = content.blocks.first();
        let body = body
            .map(|it| WrittenBody::read_expanded(reader, it.body, &NOTHING))
            .unwrap_or_default();
        let iterator = keyword.map_or_else(|| kind.clone(), SmolStr::from);
        Dynamic { kind, for_each, labels: None, iterator, body, malformed }
    }

    /// The errors in the labels of a block, and in which arguments and blocks there are.
    fn malformed(
        block: &ConfigBlock<'_>,
        arguments: &[ConfigAttribute<'_>],
        blocks: &[ConfigBlock<'_>],
    ) -> Diagnostics {
        let mut found = Vec::new();
        if block.labels.len() != 1 {
            let detail = "A \"dynamic\" block must have one label: the type of the blocks that \
                it generates.";
            found.push(wrong_form("Invalid labels of dynamic", detail, block.header));
        }
        if !arguments.iter().any(|it| it.name.name == "for_each") {
            let detail = "The argument \"for_each\" is required here.";
            let problem = Diagnostic::new(&lints::MISSING_ARGUMENT, "Missing required argument");
            found.push(problem.detail(detail).at(Role::Declaration, block.header));
        }
        // No block of a provider has labels, so `labels` says nothing either.
        let is_known =
            |it: &&ConfigAttribute<'_>| ["for_each", "iterator"].contains(&it.name.name.as_str());
        for it in arguments.iter().filter(|it| !is_known(it)) {
            let detail = format!("An argument named \"{}\" is not expected here.", it.name.name);
            found.push(wrong_form("Unsupported argument", detail, it.name.span));
        }
        let (contents, others): (Vec<_>, Vec<_>) =
            blocks.iter().partition(|it| it.kind.name == "content");
        for it in others {
            let detail = format!("Blocks of type \"{}\" are not expected here.", it.kind.name);
            found.push(wrong_form("Unsupported block type", detail, it.kind.span));
        }
        found.extend(wrong_contents(block, &contents));
        for it in contents.iter().filter(|it| !it.labels.is_empty()) {
            let detail = "A \"content\" block cannot have labels.";
            found.push(wrong_form("Extraneous label for content", detail, it.header));
        }
        found
    }
}

/// The errors for a `dynamic` block that does not have one `content` block.
fn wrong_contents(block: &ConfigBlock<'_>, contents: &[&ConfigBlock<'_>]) -> Diagnostics {
    if contents.is_empty() {
        let detail = "A \"dynamic\" block must have a \"content\" block.";
        return vec![wrong_form("Missing dynamic content block", detail, block.header)];
    }
    let repeated = contents.iter().skip(1).map(|it| {
        let detail = "Only one \"content\" block is allowed here.";
        wrong_form("Extraneous dynamic content block", detail, it.header)
    });
    repeated.collect()
}

/// The errors of reading a body as ones that a verdict reports where it looks at the block.
fn misplaced(found: Diagnostics) -> Diagnostics {
    let rule = &lints::UNSUPPORTED_ARGUMENT;
    found.into_iter().map(|it| Diagnostic { rule: rule.into(), ..it }).collect()
}

fn wrong_form(summary: &str, detail: impl Into<String>, span: Span) -> Diagnostic {
    Diagnostic::new(&lints::UNSUPPORTED_ARGUMENT, summary)
        .detail(detail)
        .at(Role::Declaration, span)
}

/// Collects the names that "dynamic" members bind. Without a schema JSON does not show whether these are blocks, so the
/// names count as bound in the whole argument.
fn find_iterators(expr: &Expr, found: &mut Vec<SmolStr>) {
    guarded(|| match &expr.kind {
        ExprKind::Object(items) => {
            for item in items {
                if key(item) == Some("dynamic") {
                    add_iterators(&item.value, found);
                }
                find_iterators(&item.value, found);
            }
        }
        ExprKind::Tuple(items) => items.iter().for_each(|it| find_iterators(it, found)),
        _ => (),
    });
}

/// `{"TYPE": {"for_each": …, "iterator": "NAME", "content": …}}`, or arrays of these.
fn add_iterators(dynamic: &Expr, found: &mut Vec<SmolStr>) {
    match &dynamic.kind {
        ExprKind::Object(items) => {
            for item in items {
                found.extend(key(item).map(SmolStr::from));
                add_names(&item.value, found);
            }
        }
        ExprKind::Tuple(items) => items.iter().for_each(|it| add_iterators(it, found)),
        _ => (),
    }
}

fn add_names(block: &Expr, found: &mut Vec<SmolStr>) {
    match &block.kind {
        ExprKind::Object(items) => {
            let named = items.iter().filter(|it| key(it) == Some("iterator"));
            found.extend(named.filter_map(|it| match &it.value.kind {
                ExprKind::String(name) => Some(name.clone()),
                _ => None,
            }));
        }
        ExprKind::Tuple(items) => items.iter().for_each(|it| add_names(it, found)),
        _ => (),
    }
}

fn key(item: &ObjectItem) -> Option<&str> {
    match &item.key {
        ObjectKey::Name(it) => Some(&it.name),
        ObjectKey::Expr(Expr { kind: ExprKind::String(it), .. }) => Some(it),
        ObjectKey::Expr(_) | ObjectKey::Template(_) => None,
    }
}
