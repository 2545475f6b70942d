//! Reads `variable` blocks.

use super::{
    INVALID_VARIABLE, Variable,
    constant::evaluate_constant,
    content::{BlockKind, Schema, content},
    names,
    reader::Reader,
};
use crate::{
    diagnostic::{Diagnostic, Role, Span},
    syntax::{Attribute, Block, Expr},
    typeexpr::{self, Constraint},
    value::Value,
    version::Version,
};

const SCHEMA: Schema = Schema {
    attributes: &[
        "description",
        "default",
        "type",
        "sensitive",
        "ephemeral",
        "nullable",
        "deprecated",
        "const",
    ],
    required: &[],
    blocks: &[BlockKind { name: "validation", labels: &[] }],
};

/// Reads a `variable` block, which has its one label.
pub(super) fn read(reader: &mut Reader<'_>, block: &Block) -> Option<Variable> {
    let label = block.labels.first()?;
    let first = reader.diagnostics.len();
    let outer = std::mem::replace(&mut reader.rule, INVALID_VARIABLE);
    reader.diagnostics.extend(names::check_variable(&label.text, label.span));
    let variable =
        read_body(reader, block, Variable::new(label.text.clone(), block.header, label.span));
    reader.rule = outer;
    for it in reader.diagnostics.iter_mut().skip(first) {
        it.variable.get_or_insert_with(|| label.text.clone());
    }
    Some(variable)
}

fn read_body(reader: &mut Reader<'_>, block: &Block, mut variable: Variable) -> Variable {
    let content = content(&block.body, &SCHEMA, reader.rule, &mut reader.diagnostics);
    let argument = |name: &str| content.attributes.get(name).copied();
    reader.since(argument("sensitive"), Version::new(0, 14, 0));
    reader.since(argument("nullable"), Version::new(1, 1, 0));
    reader.since(argument("ephemeral"), Version::new(1, 10, 0));
    reader.since(argument("deprecated"), Version::new(1, 15, 0));
    reader.since(argument("const"), Version::new(1, 15, 0));
    variable.description = reader.string(argument("description"));
    variable.description_span = argument("description").map(|it| it.value.span);
    read_type(reader, argument("type"), &mut variable);
    variable.sensitive = reader.bool(argument("sensitive"));
    variable.ephemeral = reader.bool(argument("ephemeral"));
    variable.nullable = reader.bool(argument("nullable"));
    variable.deprecated = reader.string(argument("deprecated"));
    variable.constant = reader.bool(argument("const"));
    read_default(reader, argument("default"), &mut variable);
    for block in content.blocks {
        if reader.is_override {
            let detail = "An override file cannot change a variable's validation rules.";
            reader.error("Can't override validation blocks", detail, block.header);
        } else if let Some(rule) = super::rule::read_validation(reader, block, &variable.name) {
            variable.validations.push(rule);
        }
    }
    variable
}

fn read_type(reader: &mut Reader<'_>, argument: Option<&Attribute>, variable: &mut Variable) {
    let Some(argument) = argument else { return };
    let version = reader.options.version;
    let fold = |expr: &Expr| {
        let (value, problems) = evaluate_constant(expr, INVALID_VARIABLE, version);
        problems.into_iter().next().map_or(Ok(value), Err)
    };
    let (constraint, problems) = typeexpr::parse_type(&argument.value, &fold);
    reader.diagnostics.extend(problems);
    variable.constraint = constraint;
    variable.type_span = Some(argument.value.span);
}

fn read_default(reader: &mut Reader<'_>, argument: Option<&Attribute>, variable: &mut Variable) {
    let Some(argument) = argument else { return };
    variable.default_expr = Some(argument.value.clone());
    let unknown = Value::unknown(variable.constraint.ty.without_optional());
    let Some(value) = reader.constant(&argument.value) else {
        variable.default = Some(unknown);
        return;
    };
    // An override's type may stand in the base: it is converted when they are merged.
    match variable.constraint.accept(&value) {
        Ok(value) => variable.default = Some(value),
        Err(error) => {
            let detail = format!("The default does not have the variable's type: {error}.");
            reader.diagnostics.push(invalid_default(detail, argument.value.span));
            variable.default = Some(unknown);
        }
    }
    if variable.nullable == Some(false) && value.is_null() {
        reader.diagnostics.push(null_default(argument.value.span));
    }
}

pub(super) fn invalid_default(detail: impl Into<String>, span: Span) -> Diagnostic {
    let diagnostic = Diagnostic::error(INVALID_VARIABLE, "Invalid default value for variable");
    diagnostic.detail(detail).at(Role::Value, span)
}

pub(super) fn null_default(span: Span) -> Diagnostic {
    invalid_default("With nullable = false the default must not be null.", span)
}

impl Variable {
    /// A variable whose block is empty.
    pub fn new(name: impl Into<smol_str::SmolStr>, span: Span, name_span: Span) -> Self {
        Variable {
            name: name.into(),
            span,
            name_span,
            constraint: Constraint::any(),
            type_span: None,
            default: None,
            default_expr: None,
            description: None,
            description_span: None,
            nullable: None,
            sensitive: None,
            ephemeral: None,
            deprecated: None,
            constant: None,
            validations: Vec::new(),
        }
    }
}
