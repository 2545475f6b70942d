//! `policy convert`: policies as rules, and rules as policies, where both languages have the same words.
//!
//! Both front ends read a file into [`Converted`], and both write one from it. A policy or rule with anything
//! that the other language has no word for is left out and named, since it can stay in its own file: one run
//! judges by the files of both languages.

mod policies;
mod rules;

use std::fmt::Write as _;

use super::SUFFIX;
use crate::language;
use diagnostics::{Diagnostic, Sources};
use hcl::{Expr, ExprKind, UnaryOp, parse_body};
use smol_str::SmolStr;

/// The policies of a file that both languages have words for.
#[derive(Default)]
struct Converted {
    inputs: Vec<Declared>,
    policies: Vec<Shared>,
    /// What is left out: a name, and why.
    left: Vec<(String, String)>,
}

/// An `input` or `context` block: its name, and its arguments as they are written.
struct Declared {
    name: SmolStr,
    arguments: Vec<(SmolStr, String)>,
}

/// A policy in the words of both languages.
struct Shared {
    id: String,
    ty: SmolStr,
    is_advisory: bool,
    message: Option<String>,
    operations: Option<Vec<String>>,
    filter: Vec<Clause>,
    demanded: Vec<Clause>,
}

/// A file in the other language.
pub struct ConvertedFile {
    pub text: String,
    /// How many policies or rules were converted.
    pub count: usize,
    /// What was left out: a name, and why.
    pub left: Vec<(String, String)>,
}

/// Converts a file (path as shown, text) to the other language. Errors: it is not valid HCL.
pub fn convert(path: &str, text: &[u8]) -> Result<ConvertedFile, (Vec<Diagnostic>, Sources)> {
    let mut sources = Sources::new();
    let id = sources.add(path.to_owned(), text);
    let (body, problems) = parse_body(id, text);
    if !problems.is_empty() {
        return Err((problems, sources));
    }
    let is_policy = path.ends_with(SUFFIX);
    let converted = match is_policy {
        true => policies::read(&body, &sources, path),
        false => rules::read(&body, &sources),
    };
    let mut out = String::new();
    for (name, why) in &converted.left {
        _ = writeln!(out, "# Left in {}: {name}, because {why}.", file_name(path));
    }
    let parts = if is_policy { rules::write(&converted) } else { policies::write(&converted) };
    for part in parts {
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(&part);
    }
    let (count, left) = (converted.policies.len(), converted.left);
    Ok(ConvertedFile { text: out, count, left })
}

/// The name that the converted file would have.
pub fn other_name(path: &str) -> Option<String> {
    let own = path.strip_suffix(language::SUFFIX).map(|it| format!("{it}{SUFFIX}"));
    own.or_else(|| Some(format!("{}{}", path.strip_suffix(SUFFIX)?, language::SUFFIX)))
}

fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

// A condition on one argument, in the words of both languages.

/// `PATH TEST`: `tags.env` is one of two texts.
struct Clause {
    pub path: Vec<SmolStr>,
    pub test: Test,
}

/// What is required of the argument. Only `Forbidden` and `Not` accept a null.
enum Test {
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
enum Literal {
    Text(SmolStr),
    Number(String),
    Bool(bool),
    Input(SmolStr),
}

impl Literal {
    /// Reads a constant. `root` is the name of the inputs: `input` or `context`.
    pub fn read(expr: &Expr, root: &str) -> Option<Literal> {
        let expr = expr.bare();
        Some(match &expr.kind {
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
fn input(expr: &Expr, root: &str) -> Option<SmolStr> {
    let ExprKind::GetAttr { base, name } = &expr.kind else { return None };
    matches!(&base.kind, ExprKind::Variable(it) if it == root).then(|| name.name.clone())
}

/// All constants of `[…]` or of arguments.
fn literals(all: &[Expr], root: &str) -> Option<Vec<Literal>> {
    let found: Vec<Literal> =
        all.iter().map(|it| Literal::read(it, root)).collect::<Option<_>>()?;
    (!found.is_empty()).then_some(found)
}

/// The constants, separated by commas.
fn listed(all: &[Literal], root: &str) -> String {
    all.iter().map(|it| it.write(root)).collect::<Vec<_>>().join(", ")
}

/// A text in quotes, without sequences of templates.
fn quote(text: &str) -> String {
    tf_value::quoted(text).replace("${", "$${").replace("%{", "%%{")
}
