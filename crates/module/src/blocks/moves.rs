//! Reads `moved`, `import` and `removed` blocks.

use super::{lifecycle, provisioner, refuse_second, static_expression};
use crate::{
    Import, Move, Provisioner, Removal,
    address::{Address, AddressForm, AddressKind},
    reader::BlockReader,
};
use diagnostics::Span;
use hcl::{
    Expr, ExprKind,
    analysis::{ConstantIndex, Traversal, absolute_traversal, closed_traversal, open_traversal},
    config::{AttributeSchema, BlockSchema, BodySchema, ConfigAttribute, ConfigBlock},
};
use release::changes;

const MOVED: BodySchema = BodySchema {
    attributes: &[
        AttributeSchema { name: "from", required: true },
        AttributeSchema { name: "to", required: true },
    ],
    blocks: &[],
};

const IMPORT: BodySchema = BodySchema {
    attributes: &[
        AttributeSchema { name: "to", required: true },
        AttributeSchema { name: "id", required: false },
        AttributeSchema { name: "identity", required: false },
        AttributeSchema { name: "for_each", required: false },
        AttributeSchema { name: "provider", required: false },
    ],
    blocks: &[],
};

const REMOVED: BodySchema = BodySchema {
    attributes: &[AttributeSchema { name: "from", required: true }],
    blocks: &[
        BlockSchema { kind: "lifecycle", labels: &[] },
        BlockSchema { kind: "connection", labels: &[] },
        BlockSchema { kind: "provisioner", labels: &["type"] },
    ],
};

const REMOVED_LIFECYCLE: BodySchema =
    BodySchema { attributes: &[AttributeSchema { name: "destroy", required: false }], blocks: &[] };

/// Reads a `moved` block, whose addresses differ and are both of resources or both of modules.
pub(super) fn moved(reader: &mut BlockReader<'_>, block: &ConfigBlock<'_>) -> Option<Move> {
    refuse_override(reader, block);
    let content = reader.content(block.body, &MOVED);
    let form = AddressForm::of(reader.options.release);
    let mut end = |name: &str| address(reader, content.attribute(name)?, form);
    let (Some(from), Some(to)) = (end("from"), end("to")) else { return None };
    if (from.kind == AddressKind::Module) != (to.kind == AddressKind::Module) {
        let detail = "Both addresses must be resources, or both must be modules.";
        reader.error("Invalid \"moved\" addresses", detail, block.header);
    } else if from == to {
        let detail = "Both addresses are the same, so nothing moves.";
        reader.error("Redundant move statement", detail, block.header);
    } else {
        return Some(Move { span: block.header, from, to });
    }
    None
}

/// Reads an `import` block, whose address may have computed keys.
pub(super) fn import(reader: &mut BlockReader<'_>, block: &ConfigBlock<'_>) -> Option<Import> {
    refuse_override(reader, block);
    let content = reader.content(block.body, &IMPORT);
    // Later versions accept an `identity` instead.
    let takes_identity = reader.options.release.has(&changes::IMPORT_IDENTITY);
    match (content.attribute("id"), content.attribute("identity")) {
        (None, None) => missing(reader, "id", block.header),
        (None, Some(_)) if !takes_identity => missing(reader, "id", block.header),
        (Some(_), Some(it)) if takes_identity => {
            let detail = "Set either \"id\" or \"identity\", not both.";
            reader.error("Conflicting import arguments", detail, it.name.span);
        }
        _ => (),
    }
    reader.since(content.attribute("for_each"), &changes::IMPORT_FOR_EACH);
    reader.since(content.attribute("identity"), &changes::IMPORT_IDENTITY);
    let release = reader.options.release;
    let to = content.attribute("to")?;
    let expr = static_expression(reader, to);
    let is_constant = absolute_traversal(&expr).is_some();
    let traversal = with_any_keys(&expr);
    let is_resource =
        traversal.and_then(|it| Address::new(&it, AddressForm::of(release))).is_some_and(|it| {
            let is_data =
                it.kind == AddressKind::Data && !release.has(&changes::IMPORT_RESOURCES_ONLY);
            it.kind == AddressKind::Resource || (is_data && is_constant)
        });
    let mut is_fit = is_resource;
    if is_resource && !is_constant {
        reader.uses(&changes::IMPORT_DYNAMIC, to.value_span());
        is_fit = release.has(&changes::IMPORT_DYNAMIC);
    }
    if !is_fit {
        let detail = "Only managed resources can be imported.";
        reader.error("Invalid import address", detail, to.value_span());
    }
    let provider = content.attribute("provider");
    let provider =
        provider.and_then(|it| Some((lifecycle::read_provider(reader, it)?, it.value_span())));
    let mut argument = |name: &str| Some(reader.expression(content.attribute(name)?));
    let (for_each, id, identity) = (argument("for_each"), argument("id"), argument("identity"));
    Some(Import { span: block.header, to: expr, for_each, id, identity, provider })
}

/// Reads a `removed` block, whose address covers all instances of a resource or a module.
pub(super) fn removed(reader: &mut BlockReader<'_>, block: &ConfigBlock<'_>) -> Option<Removal> {
    let content = reader.content(block.body, &REMOVED);
    refuse_second(reader, &content, &["connection"]);
    for it in &content.blocks {
        reader.block_since(it, &changes::REMOVED_LIFECYCLE);
    }
    for it in content.blocks_of("lifecycle") {
        let content = reader.content(it.body, &REMOVED_LIFECYCLE);
        reader.bool(content.attribute("destroy"));
    }
    let blocks = content.blocks_of("provisioner");
    let provisioners: Vec<Provisioner> =
        blocks.filter_map(|it| provisioner::read(reader, it)).collect();
    provisioner::check_references(reader, &provisioners, None);
    for it in provisioners.iter().filter(|it| !it.is_of_destruction) {
        let detail = "A removed resource can only have provisioners with \"when = destroy\".";
        reader.error("Invalid provisioner block", detail, it.span);
    }
    let argument = content.attribute("from")?;
    let form = AddressForm::plain(reader.options.release);
    let from = address(reader, argument, form)?;
    if from.kind == AddressKind::Data {
        let detail = "A data source cannot be destroyed.";
        reader.error("Data source address not allowed", detail, argument.value_span());
    }
    let of_resources = content.blocks.iter().filter(|it| it.kind.name != "lifecycle");
    for it in of_resources.filter(|_| from.kind == AddressKind::Module) {
        let detail = "Only resources can have provisioners and connections, not modules.";
        reader.error(&format!("Invalid {} block", it.kind.name), detail, it.header);
    }
    if from.has_key {
        let detail = "The address must cover all instances: write it without a key.";
        reader.error("Instance keys not allowed", detail, argument.value_span());
    }
    Some(Removal { span: block.header, from, from_span: argument.value_span() })
}

fn refuse_override(reader: &mut BlockReader<'_>, block: &ConfigBlock<'_>) {
    if reader.is_override {
        let summary = format!("Cannot override '{}' blocks", block.kind.name);
        reader.error(&summary, "An override file cannot contain such a block.", block.header);
    }
}

fn missing(reader: &mut BlockReader<'_>, name: &str, place: Span) {
    let detail = format!("The argument \"{name}\" is required here.");
    reader.error("Missing required argument", detail, place);
}

fn address(
    reader: &mut BlockReader<'_>,
    argument: &ConfigAttribute<'_>,
    form: AddressForm,
) -> Option<Address> {
    let expr = static_expression(reader, argument);
    let traversal = absolute_traversal(&expr);
    let address = traversal.as_ref().and_then(|it| Address::new(it, form));
    if address.is_none() {
        let detail = "The address of a resource or of a module is required here.";
        let is_reference = traversal.is_some();
        let summary = if is_reference { "Invalid address" } else { "Invalid expression" };
        reader.error(summary, detail, argument.value_span());
    }
    address
}

/// The traversal with some key in place of each that is evaluated. `None` for any other form, and for a key
/// that no instance has.
fn with_any_keys(to: &Expr) -> Option<Traversal> {
    let (root, _) = open_traversal(to);
    let some_key = |key: &Expr| match key.kind {
        ExprKind::Null | ExprKind::Bool(_) => None,
        _ => Some(ConstantIndex::new(key).unwrap_or(ConstantIndex::Number("0".into()))),
    };
    let is_named = matches!(root.kind, ExprKind::Variable(_));
    closed_traversal(to, some_key).filter(|_| is_named)
}
