//! `count "TYPE" { min = 1, max = 3 }`: how many objects of a type there are.

use super::{
    BlockKind, BlockPattern, Count,
    blocks::{forbidden_kind, names, where_pattern},
    reader::RuleFileReader,
};
use diagnostics::{Span, did_you_mean};
use hcl::{Attribute, Block, Item};
use stack::guarded;
use tf_value::{Type, convert};

pub(super) fn read(reader: &mut RuleFileReader<'_>, block: &Block) -> Option<Count> {
    let (kind, labels) = forbidden_kind(&block.labels);
    let known = BlockKind::ALL.iter().filter(|it| it.1 != BlockKind::Terraform);
    let Some((_, kind)) = known.clone().find(|it| it.0 == kind) else {
        let hint = did_you_mean(kind, known.clone().map(|it| it.0));
        let detail =
            format!("Write count \"TYPE\" {{ max = 3 }}, or count data \"TYPE\" {{ … }}.{hint}");
        reader.error(format!("Unknown kind {kind:?} in count"), detail, block.header);
        return None;
    };
    let labels = names(reader, *kind, labels, block.header)?;
    if *kind == BlockKind::Ephemeral {
        reader.written.push(("ephemeral blocks".into(), block.header));
    }
    let mut count = Count {
        kind: *kind,
        labels,
        filter: None,
        filter_span: block.header,
        min: None,
        max: None,
        span: block.header,
    };
    for item in &block.body.items {
        match item {
            Item::Attribute(it) if it.name.name == "min" => count.min = bound(reader, it),
            Item::Attribute(it) if it.name.name == "max" => count.max = bound(reader, it),
            Item::Block(it) if it.kind.name == "where" && it.labels.is_empty() => {
                let filter: BlockPattern = guarded(|| where_pattern(reader, &it.body));
                (count.filter, count.filter_span) = (Some(filter), it.header);
            }
            Item::Attribute(Attribute { name, .. }) | Item::Block(Block { kind: name, .. }) => {
                let detail = "Use min, max (equal for an exact number) and where { … }, which \
                    selects the counted objects.";
                reader.error(
                    format!("Unknown argument {:?} in count", name.name),
                    detail,
                    name.span,
                );
            }
        }
    }
    if let (Some((min, _)), Some((max, span))) = (count.min, count.max)
        && min > max
    {
        reader.error("The bounds contradict each other", "min is above max.", span);
    }
    if count.min.is_none() && count.max.is_none() && block.body.items.iter().all(is_where) {
        let detail = "Write min = 1, max = 3, or both.";
        reader.error("count has no bounds", detail, block.header);
    }
    Some(count)
}

fn is_where(item: &Item) -> bool {
    matches!(item, Item::Block(it) if it.kind.name == "where")
}

/// A whole number that is not below zero, with its place; `None` after an error.
fn bound(reader: &mut RuleFileReader<'_>, attribute: &Attribute) -> Option<(u64, Span)> {
    let value = reader.constant(&attribute.value)?;
    if !value.is_known() {
        // A context without a value was already reported.
        return None;
    }
    let number = convert(&value, &Type::Number).ok();
    let number = number.as_ref().and_then(|it| it.as_number()).filter(|it| it.is_integer());
    let found = number.and_then(tf_value::Number::to_u64);
    if found.is_none() {
        let summary = format!("{} must be a whole number of at least 0", attribute.name.name);
        reader.error(summary, "", attribute.value.span);
    }
    found.map(|it| (it, attribute.span))
}
