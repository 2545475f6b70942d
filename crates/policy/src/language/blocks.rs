//! `rule` blocks, and the blocks in them.

use std::collections::{BTreeMap, BTreeSet};

use smol_str::SmolStr;

use super::{
    BlockKind, BlockPattern, Demand, LabelPattern, MemberValidator, NestedBlock, PolicyRule,
    RuleTarget, Valid, When, label, problem, reader::RuleFileReader,
};
use diagnostics::{Level, LintId, Span, did_you_mean};
use hcl::{Attribute, Block, BlockLabel, Body, Item};
use stack::guarded;

pub(super) const SETTINGS: [&str; 4] = ["level", "undecided", "message", "when"];
/// Blocks of a rule besides those that are like what they judge.
pub(super) const IN_RULES: [&str; 4] = ["forbid", "needs", "any_of", "count"];

/// Arguments and blocks of a resource that Terraform itself reads and that a plan does not contain.
const NOT_PLANNED: [&str; 6] =
    ["for_each", "lifecycle", "depends_on", "provider", "provisioner", "connection"];

pub(super) fn rules(reader: &mut RuleFileReader<'_>, blocks: &[&Block]) -> Vec<PolicyRule> {
    let mut ids: BTreeMap<SmolStr, Span> = BTreeMap::new();
    let mut rules = Vec::new();
    for block in blocks {
        let Some((id, span)) = label(block, "ID", &mut reader.problems) else { continue };
        if !LintId::is_of_policy(id) {
            let detail =
                "Use lowercase letters, digits and hyphens, such as \"no-public-buckets\".";
            reader.error(format!("{id:?} is not a valid rule id"), detail, span);
        }
        if ids.insert(id.into(), span).is_some() {
            reader.error(format!("Duplicate rule {id:?}"), "", span);
        }
        rules.push(rule(reader, id, block));
    }
    rules
}

fn rule(reader: &mut RuleFileReader<'_>, id: &str, block: &Block) -> PolicyRule {
    let mut rule = PolicyRule {
        id: id.into(),
        span: block.header,
        level: Some(Level::Error),
        undecided: Some(Level::Warning),
        message: None,
        when: When::default(),
        demands: Vec::new(),
        counts: Vec::new(),
        needs: Vec::new(),
    };
    let mut seen = BTreeSet::new();
    for item in &block.body.items {
        match item {
            Item::Attribute(it) => match it.name.name.as_str() {
                "level" => rule.level = reader.level(it).unwrap_or(rule.level),
                "undecided" => rule.undecided = reader.level(it).unwrap_or(rule.undecided),
                "message" => rule.message = reader.message(it),
                "when" => rule.when = reader.when(it),
                name => {
                    let hint = did_you_mean(name, SETTINGS);
                    let detail =
                        format!("A rule can contain {}, and blocks.{hint}", SETTINGS.join(", "));
                    reader.error(format!("Unknown rule argument {name:?}"), detail, it.name.span);
                    reader.advise(super::words::instead_of_argument(name));
                }
            },
            Item::Block(it) if it.kind.name == "needs" => {
                rule.needs.extend(need(reader, it).map(|it| vec![it]));
            }
            Item::Block(it) if it.kind.name == "count" => {
                rule.counts.extend(super::counts::read(reader, it));
            }
            Item::Block(it) if it.kind.name == "any_of" => {
                rule.needs.extend(alternatives(reader, it));
            }
            Item::Block(it) => {
                let Some(demand) = demand(reader, it) else { continue };
                let target = &demand.target;
                for label in &target.labels {
                    let key = (demand.is_forbidden, target.kind.as_str(), label.0.clone());
                    if !demand.is_forbidden && !seen.insert(key) {
                        let detail = "Merge them into one block, or write two rules.";
                        let summary = format!(
                            "Duplicate {} {:?} in this rule",
                            target.kind.as_str(),
                            label.0
                        );
                        reader.error(summary, detail, it.header);
                    }
                }
                rule.demands.push(demand);
            }
        }
    }
    let resources = rule.demands.iter();
    let resources =
        resources.filter(|it| !it.is_forbidden && it.target.kind == BlockKind::Resource).count();
    if let (Some(need), true) = (rule.needs.iter().flatten().next(), resources != 1) {
        let detail = "It states what each object of that block needs.";
        reader.error("needs requires exactly one resource block in the rule", detail, need.span);
    }
    let has_no_action = |it: &(BlockKind, Span)| {
        !matches!(it.0, BlockKind::Resource | BlockKind::Data | BlockKind::Output)
    };
    let kinds = rule.demands.iter().map(|it| (it.target.kind, it.target.span));
    let mut kinds = kinds.chain(rule.counts.iter().map(|it| (it.kind, it.span)));
    if let (Some(_), Some((kind, span))) = (&rule.when.actions, kinds.find(has_no_action)) {
        let summary = format!("when.actions does not apply to a {}", kind.as_str());
        reader.error(summary, "A plan has no actions for it; write a separate rule.", span);
    }
    if rule.demands.is_empty() && block.body.items.iter().all(|it| matches!(it, Item::Attribute(_)))
    {
        let detail = "A rule without blocks would judge nothing.";
        reader.error(format!("The rule {id:?} is empty"), detail, block.header);
    }
    rule
}

/// `needs "TYPE" { … }`, `needs data "TYPE" { … }`
fn need(reader: &mut RuleFileReader<'_>, block: &Block) -> Option<RuleTarget> {
    let (kind, labels) = forbidden_kind(&block.labels);
    let found = BlockKind::ALL.iter().find(|it| it.0 == kind).map(|it| it.1);
    let Some(found @ (BlockKind::Resource | BlockKind::Data)) = found else {
        let detail = "Write a resource or a data source.";
        reader.error(format!("Unknown kind {kind:?} in needs"), detail, block.header);
        return None;
    };
    let labels = names(reader, found, labels, block.header)?;
    let subjects = std::mem::take(&mut reader.subjects);
    reader.is_in_needs = true;
    let mut pattern = guarded(|| pattern(reader, &block.body, PatternRole::Needed(found)));
    reader.is_in_needs = false;
    pattern.has_subject = std::mem::replace(&mut reader.subjects, subjects) > 0;
    let mut links = pattern.members.iter().filter(|it| matches!(it.validator.kind, Valid::Subject));
    if let Some(second) = links.nth(1) {
        reader.error(
            "Two arguments are `subject`",
            "Only one argument can be `subject`.",
            second.span,
        );
    }
    Some(RuleTarget { kind: found, labels, pattern, span: block.header })
}

fn alternatives(reader: &mut RuleFileReader<'_>, block: &Block) -> Option<Vec<RuleTarget>> {
    if let Some(label) = block.labels.first() {
        reader.error("any_of cannot have a label", "", label.span);
    }
    let mut found = Vec::new();
    for item in &block.body.items {
        match item {
            Item::Block(it) if it.kind.name == "needs" => found.extend(need(reader, it)),
            Item::Block(Block { header: span, .. }) | Item::Attribute(Attribute { span, .. }) => {
                reader.error("any_of can contain only needs blocks", "", *span);
            }
        }
    }
    if block.body.items.is_empty() {
        reader.error("any_of must contain needs blocks", "", block.header);
    }
    (!found.is_empty()).then_some(found)
}

fn demand(reader: &mut RuleFileReader<'_>, block: &Block) -> Option<Demand> {
    let kind = block.kind.name.as_str();
    let (is_forbidden, kind, labels, at) = match kind {
        "forbid" => {
            let (kind, rest) = forbidden_kind(&block.labels);
            (true, kind, rest, block.header)
        }
        _ => (false, kind, block.labels.as_slice(), block.kind.span),
    };
    let Some((_, found)) = BlockKind::ALL.iter().find(|it| it.0 == kind) else {
        let known = BlockKind::ALL.iter().map(|it| it.0);
        let known = known.chain(IN_RULES);
        let hint = did_you_mean(kind, known.clone());
        let detail = format!("Use {}.{hint}", known.collect::<Vec<_>>().join(", "));
        reader.error(format!("Unknown block {kind:?} in a rule"), detail, at);
        reader.advise(super::words::instead_of_block(kind));
        return None;
    };
    let labels = match found {
        BlockKind::Terraform => no_label(reader, labels)?,
        _ => names(reader, *found, labels, block.header)?,
    };
    if matches!(found, BlockKind::Terraform | BlockKind::Ephemeral) {
        reader.written.push((SmolStr::new(format!("{} blocks", found.as_str())), block.header));
    }
    let pattern = guarded(|| pattern(reader, &block.body, PatternRole::Outermost(*found)));
    if let Some(count) = pattern.count.as_ref().filter(|_| is_forbidden || pattern.filter.is_some())
    {
        let detail = "It covers all instances of a resource, so it cannot be used in forbid or \
            together with where.";
        reader.error("count applies to every instance", detail, count.span);
    }
    Some(Demand {
        is_forbidden,
        target: RuleTarget { kind: *found, labels, pattern, span: block.header },
        conditions: None,
    })
}

/// `forbid "TYPE"` means resources, `forbid data "TYPE"` another kind.
pub(super) fn forbidden_kind(labels: &[BlockLabel]) -> (&str, &[BlockLabel]) {
    match labels.split_first() {
        Some((kind, rest)) if !kind.quoted => (&kind.text, rest),
        _ => ("resource", labels),
    }
}

/// Refuses labels: a `terraform` block has none.
fn no_label(reader: &mut RuleFileReader<'_>, labels: &[BlockLabel]) -> Option<Vec<LabelPattern>> {
    if let Some(label) = labels.first() {
        reader.error("terraform cannot have a label", "Write terraform { … }.", label.span);
        return None;
    }
    Some(vec![LabelPattern(SmolStr::default())])
}

/// The names in the one label of a block: several are separated by commas.
pub(super) fn names(
    reader: &mut RuleFileReader<'_>,
    kind: BlockKind,
    labels: &[BlockLabel],
    header: Span,
) -> Option<Vec<LabelPattern>> {
    let [label] = labels else {
        let detail = match labels.len() {
            0 => "Write one label: a type, a name, or \"*\".",
            _ => {
                "Write one label for a type; separate several types with commas, \"a, b\". To \
                select single objects, write when = { addresses = […] }."
            }
        };
        reader.error(format!("{} must have one label", kind.as_str()), detail, header);
        return None;
    };
    let names: Vec<LabelPattern> =
        label.text.split(',').map(|it| LabelPattern(it.trim().into())).collect();
    if names.iter().any(|it| it.0.is_empty()) {
        reader.error("The label is empty", "", label.span);
        return None;
    }
    Some(names)
}

/// Where a pattern is in a rule.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PatternRole {
    Outermost(BlockKind),
    /// In `needs`.
    Needed(BlockKind),
    Nested,
    InWhere,
}

/// Reads the pattern of a `where`.
pub(super) fn where_pattern(reader: &mut RuleFileReader<'_>, body: &Body) -> BlockPattern {
    pattern(reader, body, PatternRole::InWhere)
}

/// Reads the pattern of a block.
fn pattern(reader: &mut RuleFileReader<'_>, body: &Body, place: PatternRole) -> BlockPattern {
    let mut pattern = BlockPattern::default();
    let mut seen = BTreeSet::new();
    for item in &body.items {
        match item {
            Item::Attribute(it) => {
                let name = &it.name.name;
                if !seen.insert(name.clone()) {
                    reader.error(format!("Duplicate {name:?}"), "", it.name.span);
                }
                if is_unplanned(reader, place, name, it.name.span) {
                    continue;
                }
                let Some(validator) = reader.validator(&it.value) else { continue };
                let member = MemberValidator { name: name.clone(), span: it.span, validator };
                match place {
                    PatternRole::Outermost(BlockKind::Resource | BlockKind::Data)
                        if name == "count" =>
                    {
                        pattern.count = Some(member);
                    }
                    _ => pattern.members.push(member),
                }
            }
            Item::Block(it) => nested(reader, it, place, &mut pattern),
        }
    }
    pattern.mentions = super::mentions::of(&pattern);
    pattern
}

fn nested(
    reader: &mut RuleFileReader<'_>,
    block: &Block,
    place: PatternRole,
    into: &mut BlockPattern,
) {
    let (name, labels) = match (block.kind.name.as_str(), block.labels.as_slice()) {
        ("where", []) if place != PatternRole::InWhere => {
            if into.filter.is_some() {
                reader.error("Duplicate where block", "", block.header);
            }
            if !into.blocks.is_empty() {
                let detail = "Write it before the other blocks. For a nested block that is called where, \
                    write block \"where\" { … }.";
                reader.error("where must be the first block", detail, block.header);
            }
            let filter = guarded(|| pattern(reader, &block.body, PatternRole::InWhere));
            into.filter = Some(Box::new(filter));
            into.filter_span = block.header;
            return;
        }
        ("block", [label]) => (label.text.clone(), &[][..]),
        (name, labels) => (SmolStr::new(name), labels),
    };
    if let Some(label) = labels.first() {
        let detail = "Remove the label. Write block \"NAME\" { … } only for names that the \
            language itself uses.";
        reader.error("A nested block with a label", detail, label.span);
        return;
    }
    if is_unplanned(reader, place, &name, block.header) {
        return;
    }
    let place = if place == PatternRole::InWhere { place } else { PatternRole::Nested };
    let pattern = guarded(|| pattern(reader, &block.body, place));
    into.blocks.push(NestedBlock { name, span: block.header, pattern });
}

/// Notes a name that a plan does not contain. Returns whether it is a `count` in `needs`, which is an error.
fn is_unplanned(
    reader: &mut RuleFileReader<'_>,
    place: PatternRole,
    name: &str,
    span: Span,
) -> bool {
    let is_written = match place {
        PatternRole::Outermost(BlockKind::Resource) | PatternRole::Needed(BlockKind::Resource) => {
            NOT_PLANNED.contains(&name)
        }
        // In a data source `provisioner` and `connection` are arguments of the provider.
        PatternRole::Outermost(BlockKind::Data) | PatternRole::Needed(_) => {
            NOT_PLANNED[..4].contains(&name)
        }
        PatternRole::Outermost(BlockKind::Module) => {
            matches!(name, "count" | "for_each" | "providers" | "depends_on")
        }
        _ => false,
    };
    if is_written {
        reader.written.push((name.into(), span));
    }
    let is_counted = matches!(place, PatternRole::Needed(_)) && name == "count";
    if is_counted {
        let detail = "It counts the instances of the judged object, and this is one instance.";
        reader.problems.push(problem("needs cannot have count", detail, span));
    }
    is_counted
}
