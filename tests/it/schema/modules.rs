//! Modules from texts, for tests that need no files.

use terraschema::{
    condition,
    diagnostic::Span,
    module::{Module, Validation, Variable},
    syntax::{Block, Expr, Item, parse_body},
    typeexpr::{Constraint, parse_type},
};

/// The module of one `.tf` file.
pub fn module(text: &str) -> Module {
    let mut module = Module::default();
    let file = module.sources.add("variables.tf", text.as_bytes().to_vec());
    let (body, diagnostics) = parse_body(file, text.as_bytes());
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    for item in &body.items {
        if let Item::Block(block) = item
            && block.kind.name == "variable"
        {
            let variable = variable(block);
            module.variables.insert(variable.name.clone(), variable);
        }
    }
    module
}

fn variable(block: &Block) -> Variable {
    let argument = |name: &str| argument(block, name);
    let constraint = argument("type").map_or_else(Constraint::any, |it| {
        parse_type(it, &|it| Ok(condition::fold(it).unwrap())).0
    });
    let default_expr = argument("default").cloned();
    let default =
        default_expr.as_ref().map(|it| constraint.accept(&condition::fold(it).unwrap()).unwrap());
    let constant = |name: &str| argument(name).and_then(condition::fold);
    let text = |name: &str| constant(name).and_then(|it| it.as_str().map(str::to_owned));
    let flag = |name: &str| constant(name).and_then(|it| it.as_bool());
    let validations = block.body.items.iter().filter_map(|it| match it {
        Item::Block(block) => Some(Validation {
            condition: self::argument(block, "condition").unwrap().clone(),
            error_message: self::argument(block, "error_message").cloned(),
            span: block.header,
        }),
        Item::Attribute(_) => None,
    });
    Variable {
        name: block.labels[0].text.clone(),
        span: block.header,
        name_span: Span::default(),
        constraint,
        type_span: argument("type").map(|it| it.span),
        default,
        default_expr,
        description: text("description"),
        description_span: None,
        nullable: flag("nullable"),
        sensitive: flag("sensitive"),
        ephemeral: None,
        deprecated: None,
        validations: validations.collect(),
    }
}

fn argument<'b>(block: &'b Block, name: &str) -> Option<&'b Expr> {
    block.body.items.iter().find_map(|it| match it {
        Item::Attribute(it) if it.name.name == name => Some(&it.value),
        _ => None,
    })
}
