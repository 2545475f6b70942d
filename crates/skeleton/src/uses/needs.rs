//! The kinds of values that operators, functions and neighbours need.

use hcl::{BinaryOp, Expr, ExprKind, UnaryOp};
use smol_str::SmolStr;
use tf_value::Type;

/// The kind of value that an expression must be.
#[derive(Clone, Debug, PartialEq)]
pub enum Need {
    Type(Type),
    /// A list, a set or a tuple.
    Elements,
    /// A map or an object.
    Keys,
    /// A text that matches a pattern.
    Matches(SmolStr),
    /// A text, or what becomes one.
    Text,
}

/// The patterns of what functions take: the beginnings of their names, the argument, and a pattern that such texts
/// match. `fit` has a text for each.
const PATTERNS: [(&[&str], usize, &str); 4] = [
    (&["cidr"], 0, CIDR),
    (&["base64decode", "base64gunzip", "textdecodebase64"], 0, BASE64),
    (&["formatdate"], 1, TIMESTAMP),
    (&["timeadd", "timecmp"], 0, TIMESTAMP),
];

pub const CIDR: &str = "^[0-9a-fA-F.:]+/[0-9]{1,3}$";
pub const BASE64: &str = "^[A-Za-z0-9+/]+=+$";
pub const TIMESTAMP: &str = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}";

/// The kinds that arguments of functions must have: from a position on, or at one.
const ARGUMENTS: [(&[&str], Arguments, Kind); 11] = [
    (&["tonumber"], Arguments::At(0), Kind::Number),
    (&["tobool"], Arguments::At(0), Kind::Bool),
    (&["cidrhost", "cidrsubnet", "cidrsubnets"], Arguments::From(1), Kind::Number),
    (&["abs", "ceil", "floor", "max", "min", "range"], Arguments::From(0), Kind::Number),
    (
        &["cidrhost", "cidrsubnet", "cidrsubnets", "chomp", "format", "lower", "replace", "substr"],
        Arguments::At(0),
        Kind::Text,
    ),
    (&["title", "trim", "trimprefix", "trimspace", "upper"], Arguments::At(0), Kind::Text),
    (&["regex", "regexall", "split"], Arguments::At(1), Kind::Text),
    (&["join"], Arguments::At(1), Kind::List),
    (&["concat", "setproduct", "setunion", "setintersection"], Arguments::From(0), Kind::List),
    (
        &["compact", "contains", "distinct", "element", "flatten", "one", "sort", "toset"],
        Arguments::At(0),
        Kind::List,
    ),
    (&["keys", "values"], Arguments::At(0), Kind::Map),
];

#[derive(Clone, Copy)]
enum Arguments {
    At(usize),
    From(usize),
}

#[derive(Clone, Copy)]
enum Kind {
    Bool,
    Number,
    Text,
    List,
    Map,
}

/// What the parts of an expression must be.
pub fn needs(expr: &Expr) -> Vec<(&Expr, Need)> {
    match &expr.kind {
        ExprKind::Unary { op, operand } => {
            let ty = if *op == UnaryOp::Not { Type::Bool } else { Type::Number };
            vec![(operand, Need::Type(ty))]
        }
        ExprKind::Binary { op, left, right, .. } => {
            let ty = match op {
                BinaryOp::Equal | BinaryOp::NotEqual => return neighbours(left, right),
                BinaryOp::And | BinaryOp::Or => Type::Bool,
                _ => Type::Number,
            };
            vec![(left, Need::Type(ty.clone())), (right, Need::Type(ty))]
        }
        ExprKind::Conditional { condition, then, otherwise } => {
            let mut all = vec![(&**condition, Need::Type(Type::Bool))];
            all.extend(neighbours(then, otherwise));
            all
        }
        ExprKind::Call { name, args, .. } => match (name.name.as_str(), args.as_slice()) {
            ("lookup", [_, _, default]) => neighbours(expr, default),
            (name, args) => of_call(name, args),
        },
        ExprKind::Template(_) => {
            let mut all = Vec::new();
            expr.for_each_child(&mut |it| all.push((it, Need::Text)));
            all
        }
        _ => Vec::new(),
    }
}

fn of_call<'e>(name: &str, args: &'e [Expr]) -> Vec<(&'e Expr, Need)> {
    // What `try` and `coalesce` choose from has one kind.
    if let ("coalesce" | "coalescelist" | "try", [first, .., last]) = (name, args) {
        return neighbours(first, last);
    }
    let mut out = Vec::new();
    for (_, at, pattern) in PATTERNS.iter().filter(|of| of.0.iter().any(|it| name.starts_with(it)))
    {
        out.extend(args.get(*at).map(|it| (it, Need::Matches(SmolStr::new_static(pattern)))));
    }
    // A part of a text that becomes a number.
    if let ("tonumber", [text]) = (name, args)
        && let ExprKind::Template(_) = &text.kind
    {
        text.for_each_child(&mut |it| out.push((it, Need::Type(Type::Number))));
    }
    if let ("format", [spec, rest @ ..]) = (name, args)
        && let ExprKind::String(spec) = &spec.kind
    {
        let numbers = rest.iter().zip(takes_numbers(spec)).filter(|it| it.1);
        out.extend(numbers.map(|it| (it.0, Need::Type(Type::Number))));
    }
    for (_, which, kind) in ARGUMENTS.iter().filter(|it| it.0.contains(&name)) {
        let need = match kind {
            Kind::Bool => Need::Type(Type::Bool),
            Kind::Number => Need::Type(Type::Number),
            Kind::Text => Need::Type(Type::String),
            Kind::List => Need::Elements,
            Kind::Map => Need::Keys,
        };
        let chosen = match *which {
            Arguments::At(at) => args.get(at..).unwrap_or_default().get(..1).unwrap_or_default(),
            Arguments::From(at) => args.get(at..).unwrap_or_default(),
        };
        out.extend(chosen.iter().map(|it| (it, need.clone())));
    }
    out
}

/// For each verb of a format, whether it takes a number.
fn takes_numbers(spec: &str) -> Vec<bool> {
    let verbs = spec.replace("%%", "");
    let each = verbs.split('%').skip(1);
    each.map(|rest| {
        let verb = rest.trim_start_matches(|it: char| it.is_ascii_digit() || "+-# .".contains(it));
        verb.starts_with(['b', 'd', 'e', 'f', 'g', 'o', 'x', 'X'])
    })
    .collect()
}

/// Two expressions that must be of one kind: a literal decides about the other.
fn neighbours<'e>(left: &'e Expr, right: &'e Expr) -> Vec<(&'e Expr, Need)> {
    let of = |literal: &Expr| match &literal.kind {
        ExprKind::Bool(_) => Some(Need::Type(Type::Bool)),
        ExprKind::Number(_) => Some(Need::Type(Type::Number)),
        // What is compared with an empty text may be a number as well.
        ExprKind::String(it) if it.is_empty() => None,
        ExprKind::String(_) => Some(Need::Type(Type::String)),
        ExprKind::Tuple(_) => Some(Need::Elements),
        ExprKind::Object(_) => Some(Need::Keys),
        _ => None,
    };
    let of_left = of(right).map(|it| (left, it));
    of_left.into_iter().chain(of(left).map(|it| (right, it))).collect()
}
