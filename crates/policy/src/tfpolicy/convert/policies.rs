//! Reads and writes `*.policy.hcl`.

use std::{fmt::Write as _, sync::Arc};

use super::{Clause, Converted, Declared, Literal, Shared, Test, input, listed, literals, quote};
use crate::tfpolicy::{
    functions::plain,
    reader::{as_id, rule_id},
    reads::path_of,
};
use diagnostics::Sources;
use hcl::{BinaryOp, Block, Body, Expr, ExprKind, Item, UnaryOp};
use smol_str::SmolStr;
use tf_eval::references;
use tf_value::Step;

const ROOT: &str = "input";

pub(super) fn read(body: &Body, sources: &Sources, path: &str) -> Converted {
    let mut found = Converted::default();
    for item in &body.items {
        let Item::Block(block) = item else { continue };
        match block.kind.name.as_str() {
            "policy" | "locals" => (),
            "input" => found.inputs.extend(declared(block, sources)),
            "resource_policy" => match shared(block, path) {
                Ok(it) => found.policies.push(it),
                Err(why) => found.left.push((name(block), why.to_owned())),
            },
            _ => found.left.push((name(block), "rules have no such block".to_owned())),
        }
    }
    found
}

fn name(block: &Block) -> String {
    let labels: Vec<String> = block.labels.iter().map(|it| quote(&it.text)).collect();
    format!("{} {}", block.kind.name, labels.join(" "))
}

/// A block that declares a value, with its arguments as they are written.
pub(super) fn declared(block: &Block, sources: &Sources) -> Option<Declared> {
    let name = block.labels.first()?.text.clone();
    let arguments = block.body.items.iter().filter_map(|it| match it {
        Item::Attribute(it) => {
            Some((it.name.name.clone(), sources.snippet(it.value.span).to_string()))
        }
        Item::Block(_) => None,
    });
    Some(Declared { name, arguments: arguments.collect() })
}

type Result<T> = std::result::Result<T, &'static str>;

fn shared(block: &Block, path: &str) -> Result<Shared> {
    let [ty, label] = block.labels.as_slice() else { return Err("it lacks a label") };
    let mut shared = Shared {
        id: rule_id(path, &label.text),
        ty: ty.text.clone(),
        is_advisory: false,
        message: None,
        operations: None,
        filter: Vec::new(),
        demanded: Vec::new(),
    };
    let mut messages = Vec::new();
    for item in &block.body.items {
        match item {
            Item::Attribute(it) => match it.name.name.as_str() {
                "filter" => shared.filter = clauses(&it.value)?,
                "operations" => shared.operations = Some(operations(&it.value)?),
                "enforcement_level" => {
                    shared.is_advisory = match &it.value.kind {
                        ExprKind::String(it) => it == "advisory",
                        _ => return Err("its level depends on an input"),
                    }
                }
                _ => return Err("it has an argument of another kind"),
            },
            Item::Block(it) if it.kind.name == "enforce" => {
                for item in &it.body.items {
                    let Item::Attribute(it) = item else { return Err("enforce has a block") };
                    match it.name.name.as_str() {
                        "condition" => shared.demanded.extend(clauses(&it.value)?),
                        "error_message" => messages.push(Arc::clone(&it.value)),
                        _ => (),
                    }
                }
            }
            Item::Block(_) => return Err("it has locals"),
        }
    }
    if let [one] = messages.as_slice()
        && let ExprKind::String(text) = &one.kind
    {
        shared.message = Some(text.to_string());
    }
    if shared.demanded.is_empty() { Err("it demands nothing") } else { Ok(shared) }
}

fn operations(expr: &Expr) -> Result<Vec<String>> {
    let ExprKind::Tuple(all) = &expr.kind else { return Err("its operations are not written") };
    let texts = all.iter().map(|it| match &it.kind {
        ExprKind::String(it) if it != "delete" => Some(it.to_string()),
        _ => None,
    });
    texts.collect::<Option<_>>().ok_or("a delete has other values in rules")
}

const OTHER: &str = "a condition has no validator";

/// A condition as clauses that must all hold.
fn clauses(expr: &Expr) -> Result<Vec<Clause>> {
    let one = |path, test| Ok(vec![Clause { path, test }]);
    match &expr.bare().kind {
        ExprKind::Binary { op: BinaryOp::And, left, right, .. } => {
            let mut all = clauses(left)?;
            all.extend(clauses(right)?);
            Ok(all)
        }
        ExprKind::Binary { op, left, right, .. } => {
            let is_null = matches!(right.kind, ExprKind::Null);
            match op {
                BinaryOp::NotEqual if is_null => one(argument(left, None)?, Test::Required),
                BinaryOp::Equal if is_null => one(argument(left, None)?, Test::Forbidden),
                BinaryOp::Equal | BinaryOp::NotEqual => {
                    let value = Literal::read(right, ROOT).ok_or(OTHER)?;
                    let path = argument(left, Some(&value))?;
                    match op {
                        BinaryOp::Equal => one(path, Test::OneOf(vec![value])),
                        _ if path.len() == 1 => one(path, Test::Not(value)),
                        _ => Err(OTHER),
                    }
                }
                BinaryOp::GreaterOrEqual | BinaryOp::LessOrEqual => {
                    let bound =
                        Literal::read(right, ROOT).filter(Literal::is_bound).ok_or(OTHER)?;
                    let path = argument(left, Some(&bound))?;
                    match op {
                        BinaryOp::GreaterOrEqual => one(path, Test::AtLeast(bound)),
                        _ => one(path, Test::AtMost(bound)),
                    }
                }
                _ => Err(OTHER),
            }
        }
        ExprKind::Unary { op: UnaryOp::Not, operand } => not(operand),
        ExprKind::Call { name, args, .. } => match (plain(&name.name), args.as_slice()) {
            ("contains", [list, value]) => {
                let path = argument(value, None)?;
                match &list.kind {
                    ExprKind::Tuple(all) => {
                        one(path, Test::OneOf(literals(all, ROOT).ok_or(OTHER)?))
                    }
                    _ => one(path, Test::OneOfInput(input(list, ROOT).ok_or(OTHER)?)),
                }
            }
            ("regex_match", [value, pattern]) => match &pattern.kind {
                ExprKind::String(it) => one(argument(value, None)?, Test::Pattern(it.clone())),
                _ => Err(OTHER),
            },
            _ => Err(OTHER),
        },
        _ => Err(OTHER),
    }
}

/// `!CONDITION`
fn not(operand: &Expr) -> Result<Vec<Clause>> {
    let operand = operand.bare();
    let is_call = matches!(operand.kind, ExprKind::Call { .. });
    match clauses(operand)?.as_mut_slice() {
        [Clause { path, test: Test::OneOf(all) }] if is_call && path.len() == 1 => {
            let (path, test) = (std::mem::take(path), Test::NoneOf(std::mem::take(all)));
            Ok(vec![Clause { path, test }])
        }
        _ => Err(OTHER),
    }
}

/// The path of `attrs.PATH`, or of `core::try(attrs.PATH, DEFAULT)` where the default does not pass. `wanted`: the
/// value that it is compared with.
fn argument(expr: &Expr, wanted: Option<&Literal>) -> Result<Vec<SmolStr>> {
    let expr = expr.bare();
    match &expr.kind {
        ExprKind::Call { name, args, .. } if plain(&name.name) == "try" => {
            let [inside, default] = args.as_slice() else { return Err(OTHER) };
            let is_null = matches!(default.kind, ExprKind::Null);
            let is_other = match (wanted, Literal::read(default, ROOT)) {
                (Some(Literal::Text(one)), Some(Literal::Text(other))) => *one != other,
                (Some(Literal::Bool(one)), Some(Literal::Bool(other))) => *one != other,
                _ => false,
            };
            if is_null || is_other { argument(inside, None) } else { Err(OTHER) }
        }
        _ => {
            let found = references(expr);
            let [root] = found.as_slice() else { return Err(OTHER) };
            let steps = path_of(root).0;
            let is_whole = root.steps().len() == steps.len() && root.whole().span == expr.span;
            if root.name != "attrs" || !is_whole || steps.is_empty() {
                return Err(OTHER);
            }
            let names = steps.into_iter().filter_map(|it| match it {
                Step::Attribute(name) => Some(name),
                Step::Index(_) => None,
            });
            Ok(names.collect())
        }
    }
}

/// The blocks of a policy file.
pub(super) fn write(converted: &Converted) -> Vec<String> {
    let mut parts: Vec<String> = converted.inputs.iter().map(|it| block(ROOT, it)).collect();
    for it in &converted.policies {
        let mut out = String::new();
        let label = as_id(&it.id).replace('-', "_");
        _ = writeln!(out, "resource_policy {} {} {{", quote(&it.ty), quote(&label));
        if it.is_advisory {
            out.push_str("  enforcement_level = \"advisory\"\n");
        }
        if let Some(operations) = &it.operations {
            let words: Vec<String> = operations.iter().map(|it| quote(it)).collect();
            _ = writeln!(out, "  operations = [{}]", words.join(", "));
        }
        if !it.filter.is_empty() {
            let all: Vec<String> = it.filter.iter().map(condition).collect();
            _ = writeln!(out, "  filter = {}", all.join(" && "));
        }
        for clause in &it.demanded {
            _ = write!(out, "\n  enforce {{\n    condition = {}\n", condition(clause));
            if let Some(message) = &it.message {
                _ = writeln!(out, "    error_message = {}", quote(message));
            }
            out.push_str("  }\n");
        }
        out.push_str("}\n");
        parts.push(out);
    }
    parts
}

/// A block that declares a value.
pub(super) fn block(kind: &str, it: &Declared) -> String {
    let mut out = format!("{kind} {} {{\n", quote(&it.name));
    for (name, value) in &it.arguments {
        _ = writeln!(out, "  {name} = {value}");
    }
    out.push_str("}\n");
    out
}

fn condition(clause: &Clause) -> String {
    let path = clause.path.join(".");
    let value = match clause.path.len() {
        1 => format!("attrs.{path}"),
        _ => format!("core::try(attrs.{path}, null)"),
    };
    match &clause.test {
        Test::Required => format!("{value} != null"),
        Test::Forbidden => format!("{value} == null"),
        Test::OneOf(all) => match all.as_slice() {
            [one] => format!("{value} == {}", one.write(ROOT)),
            all => format!("core::contains([{}], {value})", listed(all, ROOT)),
        },
        Test::OneOfInput(name) => format!("core::contains({ROOT}.{name}, {value})"),
        Test::NoneOf(all) => format!("!core::contains([{}], {value})", listed(all, ROOT)),
        Test::Not(it) => format!("{value} != {}", it.write(ROOT)),
        Test::AtLeast(bound) => format!("{value} >= {}", bound.write(ROOT)),
        Test::AtMost(bound) => format!("{value} <= {}", bound.write(ROOT)),
        Test::Pattern(text) => format!("core::regex_match({value}, {})", quote(text)),
    }
}
