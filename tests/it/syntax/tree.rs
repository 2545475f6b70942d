//! The syntax tree in the form of the recorded data (`tests/data/syntax/README.md`).

use diagnostics::Span;
use hcl::{
    Body, Expr, ExprKind, ForExpr, Ident, Item, ObjectKey, SplatKind, TemplatePart, UnaryOp,
};
use serde_json::{Value, json};

pub fn body(body: &Body) -> Value {
    body.items.iter().map(item).collect()
}

fn item(item: &Item) -> Value {
    match item {
        Item::Attribute(it) => {
            node("attr", it.span, vec![json!(it.name.name.as_str()), expr(&it.value)])
        }
        Item::Block(it) => {
            let labels =
                it.labels.iter().map(|it| node("label", it.span, vec![json!(it.text.as_str())]));
            let rest = vec![json!(it.kind.name.as_str()), labels.collect(), self::body(&it.body)];
            node("block", it.span, rest)
        }
    }
}

pub fn expr(it: &Expr) -> Value {
    stacker::maybe_grow(64 * 1024, 1024 * 1024, || expr_here(it))
}

fn expr_here(it: &Expr) -> Value {
    let span = it.span;
    let text = |it: &str| json!(it);
    match &it.kind {
        ExprKind::Number(it) => node("num", span, vec![json!(super::number::canonical(it))]),
        ExprKind::Bool(it) => node("bool", span, vec![json!(it)]),
        ExprKind::Null => node("null", span, vec![]),
        ExprKind::String(it) => node("str", span, vec![text(it)]),
        ExprKind::Template(it) => node("tmpl", span, vec![parts(it)]),
        ExprKind::Wrap(it) => node("wrap", span, vec![expr(it)]),
        ExprKind::Variable(it) => node("var", span, vec![text(it)]),
        ExprKind::GetAttr { base, name } => node("get", span, vec![expr(base), text(&name.name)]),
        ExprKind::Index { base, key, .. } => node("idx", span, vec![expr(base), expr(key)]),
        ExprKind::Splat { kind, source, each, .. } => {
            let kind = if *kind == SplatKind::Full { "full" } else { "attr" };
            node("splat", span, vec![text(kind), expr(source), expr(each)])
        }
        ExprKind::SplatItem => node("it", span, vec![]),
        ExprKind::Call { name, args, expand } => {
            node("call", span, vec![text(&name.name), exprs(args), json!(expand)])
        }
        ExprKind::Unary { op, operand } => {
            let op = if *op == UnaryOp::Not { "!" } else { "-" };
            node("un", span, vec![text(op), expr(operand)])
        }
        ExprKind::Binary { op, left, right, .. } => {
            node("bin", span, vec![text(op.as_str()), expr(left), expr(right)])
        }
        ExprKind::Conditional { condition, then, otherwise } => {
            node("cond", span, vec![expr(condition), expr(then), expr(otherwise)])
        }
        ExprKind::Paren(it) => node("paren", span, vec![expr(it)]),
        ExprKind::Tuple(it) => node("tuple", span, vec![exprs(it)]),
        ExprKind::Object(items) => {
            let items = items.iter().map(|it| json!([key(&it.key), expr(&it.value)]));
            node("obj", span, vec![items.collect()])
        }
        ExprKind::For(it) => for_expr(it, span),
        ExprKind::Invalid => node("invalid", span, vec![]),
    }
}

fn for_expr(it: &ForExpr, span: Span) -> Value {
    let optional = |it: &Option<Expr>| it.as_ref().map_or(Value::Null, expr);
    let rest = vec![
        name(it.key_name.as_ref()),
        name(Some(&it.value_name)),
        expr(&it.collection),
        optional(&it.key),
        expr(&it.value),
        optional(&it.condition),
        json!(it.group),
    ];
    node("for", span, rest)
}

fn key(it: &ObjectKey) -> Value {
    match it {
        ObjectKey::Name(it) => node("key", it.span, vec![json!(it.name.as_str())]),
        ObjectKey::Expr(it) | ObjectKey::Template(it) => expr(it),
    }
}

fn name(it: Option<&Ident>) -> Value {
    it.map_or(Value::Null, |it| json!(it.name.as_str()))
}

fn exprs(it: &[Expr]) -> Value {
    it.iter().map(expr).collect()
}

fn parts(it: &[TemplatePart]) -> Value {
    it.iter().map(part).collect()
}

fn part(it: &TemplatePart) -> Value {
    match it {
        TemplatePart::Literal { text, span } => node("lit", *span, vec![json!(text.as_str())]),
        TemplatePart::Interpolation(it) => expr(it),
        TemplatePart::If { condition, then, otherwise, span } => {
            node("%if", *span, vec![expr(condition), parts(then), parts(otherwise)])
        }
        TemplatePart::For { key, value, collection, body, span } => {
            let rest = vec![name(key.as_ref()), name(Some(value)), expr(collection), parts(body)];
            node("%for", *span, rest)
        }
    }
}

fn node(kind: &str, span: Span, rest: Vec<Value>) -> Value {
    let mut all = vec![json!(kind), json!(span.start), json!(span.end)];
    all.extend(rest);
    Value::Array(all)
}
