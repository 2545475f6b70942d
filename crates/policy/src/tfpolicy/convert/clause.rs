//! A condition on one argument, in the words of both languages.

use hcl::{Expr, ExprKind, UnaryOp};
use smol_str::SmolStr;

/// `PATH TEST`: `tags.env` is one of two texts.
pub(super) struct Clause {
    pub path: Vec<SmolStr>,
    pub test: Test,
}

/// What is required of the argument. Only `Forbidden` and `Not` accept a null.
pub(super) enum Test {
    Required,
    Forbidden,
    OneOf(Vec<Literal>),
    /// One of the elements of an input.
    OneOfInput(SmolStr),
    NoneOf(Vec<Literal>),
    /// Null, or another value.
    Not(Literal),
    AtLeast(Literal),
    AtMost(Literal),
    Pattern(SmolStr),
}

/// A constant, or an input.
#[derive(Clone)]
pub(super) enum Literal {
    Text(SmolStr),
    Number(String),
    Bool(bool),
    Input(SmolStr),
}

impl Literal {
    /// Reads a constant. `root` is the name of the inputs: `input` or `context`.
    pub fn read(expr: &Expr, root: &str) -> Option<Literal> {
        Some(match &expr.kind {
            ExprKind::Paren(it) => return Literal::read(it, root),
            ExprKind::String(it) => Literal::Text(it.clone()),
            ExprKind::Number(it) => Literal::Number(it.to_string()),
            ExprKind::Bool(it) => Literal::Bool(*it),
            ExprKind::Unary { op: UnaryOp::Negate, operand } => match &operand.kind {
                ExprKind::Number(it) => Literal::Number(format!("-{it}")),
                _ => return None,
            },
            _ => Literal::Input(input(expr, root)?),
        })
    }

    /// The constant as it is written. `root` is the name of the inputs.
    pub fn write(&self, root: &str) -> String {
        match self {
            Literal::Text(it) => quote(it),
            Literal::Number(it) => it.clone(),
            Literal::Bool(it) => it.to_string(),
            Literal::Input(name) => format!("{root}.{name}"),
        }
    }

    pub fn is_bound(&self) -> bool {
        matches!(self, Literal::Number(_) | Literal::Input(_))
    }
}

/// The name in `ROOT.NAME`.
pub(super) fn input(expr: &Expr, root: &str) -> Option<SmolStr> {
    let ExprKind::GetAttr { base, name } = &expr.kind else { return None };
    matches!(&base.kind, ExprKind::Variable(it) if it == root).then(|| name.name.clone())
}

/// All constants of `[…]` or of arguments.
pub(super) fn literals(all: &[Expr], root: &str) -> Option<Vec<Literal>> {
    let found: Vec<Literal> =
        all.iter().map(|it| Literal::read(it, root)).collect::<Option<_>>()?;
    (!found.is_empty()).then_some(found)
}

/// The constants, separated by commas.
pub(super) fn listed(all: &[Literal], root: &str) -> String {
    all.iter().map(|it| it.write(root)).collect::<Vec<_>>().join(", ")
}

/// A text in quotes, without sequences of templates.
pub(super) fn quote(text: &str) -> String {
    tf_value::quoted(text).replace("${", "$${").replace("%{", "%%{")
}
