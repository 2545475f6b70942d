//! Reads `variable` blocks.

use super::{Validation, Variable, names, reader::BlockReader};
use diagnostics::{Diagnostic, Role, Span, lints};
use hcl::config::{AttributeSchema, BlockSchema, BodySchema, ConfigAttribute, ConfigBlock};
use release::changes;
use tf_value::{Value, typeexpr::Constraint};

const SCHEMA: BodySchema = BodySchema {
    attributes: &[
        AttributeSchema { name: "description", required: false },
        AttributeSchema { name: "default", required: false },
        AttributeSchema { name: "type", required: false },
        AttributeSchema { name: "sensitive", required: false },
        AttributeSchema { name: "ephemeral", required: false },
        AttributeSchema { name: "nullable", required: false },
        AttributeSchema { name: "deprecated", required: false },
        AttributeSchema { name: "const", required: false },
    ],
    blocks: &[BlockSchema { kind: "validation", labels: &[] }],
};

/// Reads a `variable` block, which has its one label.
pub(super) fn read(reader: &mut BlockReader<'_>, block: &ConfigBlock<'_>) -> Option<Variable> {
    let label = block.labels.first()?;
    let first = reader.diagnostics.len();
    reader.diagnostics.extend(names::check_variable(&label.text, label.span));
    let variable = Variable::new(label.text.clone(), block.header, label.span);
    let variable = reader.of_variables(|reader| read_body(reader, block, variable));
    for it in reader.diagnostics.iter_mut().skip(first) {
        it.variable.get_or_insert_with(|| label.text.clone());
    }
    Some(variable)
}

fn read_body(
    reader: &mut BlockReader<'_>,
    block: &ConfigBlock<'_>,
    mut variable: Variable,
) -> Variable {
    let content = reader.content(block.body, &SCHEMA);
    let argument = |name: &str| content.attribute(name);
    reader.since(argument("sensitive"), &changes::SENSITIVE);
    reader.since(argument("nullable"), &changes::NULLABLE);
    reader.since(argument("ephemeral"), &changes::EPHEMERAL);
    reader.since(argument("deprecated"), &changes::DEPRECATED);
    reader.since(argument("const"), &changes::CONST);
    variable.description = reader.string(argument("description"));
    variable.description_span = argument("description").map(ConfigAttribute::value_span);
    read_type(reader, argument("type"), &mut variable);
    variable.sensitive = reader.bool(argument("sensitive"));
    variable.ephemeral = reader.bool(argument("ephemeral"));
    variable.nullable = reader.bool(argument("nullable"));
    variable.deprecated = reader.string(argument("deprecated"));
    let is_empty = variable.deprecated.as_deref() == Some("");
    if let (Some(it), true) = (argument("deprecated"), is_empty)
        && !reader.options.release.has(&changes::DEPRECATED_EMPTY)
    {
        let detail = "It must not be empty: say what to use instead of the variable.";
        reader.error("Invalid `deprecated` value", detail, it.value_span());
    }
    variable.constant = reader.bool(argument("const"));
    check_constant(reader, &variable);
    read_default(reader, argument("default"), &mut variable);
    for (index, block) in content.blocks.iter().enumerate() {
        let index = (!block.is_in_array()).then_some(index);
        let before = reader.diagnostics.len();
        reader.came_with(&changes::VALIDATION, "\"validation\"", block.header);
        if reader.is_override {
            let detail = "An override file cannot change a variable's validation rules.";
            reader.error("Can't override validation blocks", detail, block.header);
        } else if let Some(rule) = super::rule::read_validation(reader, block, &variable.name) {
            variable.validations.push(Validation { index, ..rule });
        }
        for problem in &mut reader.diagnostics[before..] {
            problem.validation = index;
        }
    }
    variable
}

/// A constant variable is known to `init`, so it cannot be secret.
fn check_constant(reader: &mut BlockReader<'_>, variable: &Variable) {
    if variable.constant != Some(true) || !reader.options.release.has(&changes::CONST_ALONE) {
        return;
    }
    let kinds = [("ephemeral", variable.ephemeral), ("sensitive", variable.sensitive)];
    for (kind, _) in kinds.into_iter().filter(|it| it.1 == Some(true)) {
        let detail = format!(
            "A const variable must be known before everything else, so it cannot be \
                {kind}."
        );
        reader.error(&format!("Const variable cannot be {kind}"), detail, variable.span);
    }
}

fn read_type(
    reader: &mut BlockReader<'_>,
    argument: Option<&ConfigAttribute<'_>>,
    variable: &mut Variable,
) {
    let Some(argument) = argument else { return };
    let constraint = reader.type_constraint(argument);
    if constraint.ty.has_optional() {
        reader.came_with(&changes::OPTIONAL, "optional()", argument.value_span());
    }
    variable.constraint = constraint;
    variable.type_span = Some(argument.value_span());
}

fn read_default(
    reader: &mut BlockReader<'_>,
    argument: Option<&ConfigAttribute<'_>>,
    variable: &mut Variable,
) {
    let Some(argument) = argument else { return };
    let before = reader.diagnostics.len();
    let expr = reader.literal(argument);
    let is_sound = reader.diagnostics.len() == before;
    let unknown = Value::unknown(variable.constraint.ty.without_optional());
    let value = if is_sound { reader.constant(&expr) } else { None };
    variable.default_expr = Some(expr);
    let Some(value) = value else {
        variable.default = Some(unknown);
        return;
    };
    // The type may follow in an override file: the default is converted when they are merged.
    match variable.constraint.accept(&value) {
        Ok(value) => variable.default = Some(value),
        Err(error) => {
            let more = if variable.is_hidden() { String::new() } else { error.more() };
            let detail = format!(
                "This default value is not compatible with the variable's type \
                constraint: {error}{more}."
            );
            reader.diagnostics.push(invalid_default(detail, argument.value_span()));
            variable.default = Some(unknown);
        }
    }
    if variable.nullable == Some(false) && value.is_null() {
        reader.diagnostics.push(null_default(argument.value_span()));
    }
}

pub(super) fn invalid_default(detail: impl Into<String>, span: Span) -> Diagnostic {
    let diagnostic =
        Diagnostic::new(&lints::INVALID_VARIABLE, "Invalid default value for variable");
    diagnostic.detail(detail).at(Role::Value, span)
}

pub(super) fn null_default(span: Span) -> Diagnostic {
    invalid_default("A variable with nullable = false cannot have null as its default.", span)
}

impl Variable {
    /// A variable with an empty block.
    pub fn new(name: impl Into<smol_str::SmolStr>, span: Span, name_span: Span) -> Self {
        Variable {
            name: name.into(),
            span,
            name_span,
            constraint: Constraint::any(),
            type_span: None,
            default: None,
            default_for_null: None,
            default_expr: None,
            description: None,
            description_span: None,
            nullable: None,
            sensitive: None,
            ephemeral: None,
            deprecated: None,
            constant: None,
            validations: Vec::new(),
            own_nulls: std::sync::OnceLock::new(),
        }
    }
}
