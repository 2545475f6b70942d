//! Reads `check` blocks: an assertion that cannot be evaluated fails a plan, a false one does not.

use super::{
    Check, blocks,
    file::{Declared, FileContent},
    names,
    reader::BlockReader,
    rule,
};
use hcl::config::{BlockSchema, BodySchema, ConfigBlock};

const SCHEMA: BodySchema = BodySchema {
    attributes: &[],
    blocks: &[
        BlockSchema { kind: "assert", labels: &[] },
        BlockSchema { kind: "data", labels: &["type", "name"] },
    ],
};

/// Reads a `check` block, which has its one label, and the data sources in it.
pub(super) fn read(
    reader: &mut BlockReader<'_>,
    block: &ConfigBlock<'_>,
    file: &mut FileContent,
) -> Option<(Check, Vec<Declared>)> {
    let label = block.labels.first()?;
    let content = reader.content(block.body, &SCHEMA);
    let mut check = Check { name: label.text.clone(), asserts: Vec::new(), span: block.header };
    let mut declared = Vec::new();
    for it in &content.blocks {
        if it.kind.name == "assert" {
            check.asserts.extend(rule::read_condition(reader, it, "assert"));
        } else if let [kind, name] = it.labels.as_slice() {
            if !declared.is_empty() {
                let detail = "A check can have only one data source.";
                reader.error("Multiple data resource blocks", detail, it.header);
            }
            let kind = format!("data.{}", kind.text).into();
            let what = "data resource name";
            reader.diagnostics.extend(names::check(reader.rule, what, &name.text, name.span));
            let (arguments, inner) = it.body.everything();
            let is_repetition = |name: &str| matches!(name, "count" | "for_each");
            for argument in arguments.iter().filter(|it| is_repetition(&it.name.name)) {
                let summary = format!("Invalid {:?} attribute", argument.name.name);
                let detail = "A data source in a check cannot have \"count\" or \"for_each\".";
                reader.error(&summary, detail, argument.span);
            }
            for lifecycle in inner.iter().filter(|it| it.kind.name == "lifecycle") {
                let detail = "A data source in a check cannot have a \"lifecycle\" block.";
                reader.error("Invalid lifecycle block", detail, lifecycle.header);
            }
            blocks::read_scoped_data(reader, it, &label.text, file);
            declared.push(Declared { kind, name: name.text.clone(), span: it.header });
        }
    }
    if check.asserts.is_empty() && !reader.is_override {
        let detail = "A check must have at least one assert block.";
        reader.error("Zero assert blocks", detail, block.header);
    }
    Some((check, declared))
}
