//! Where in a variable's type an attribute is written, and which object of the type has one of a name.

use diagnostics::{Sources, Span};
use hcl::{Expr, ExprKind, ObjectItem, ObjectKey, parse_value};
use module::Variable;
use stack::guarded;
use tf_value::{Path, Step, Type};

/// A variable's type as it is written, with spans.
pub(super) struct WrittenType(Option<Expr>);

impl WrittenType {
    /// Reads the type again; the module keeps no spans in it.
    pub fn new(variable: &Variable, sources: &Sources) -> WrittenType {
        let read = |span: Span| {
            let file = sources.file(span.file);
            let text = file.bytes.get(span.range())?;
            // In JSON the type is in a text, whose whole span is enough.
            let (expr, problems) = parse_value(span.file, text, span.start);
            problems.is_empty().then_some(expr)
        };
        WrittenType(variable.type_span.and_then(read))
    }

    /// The beginning of the object at a path: `object(`, without its attributes.
    pub fn object(&self, path: &Path) -> Option<Span> {
        let expr = self.at(path)?;
        match &expr.kind {
            ExprKind::Call { name, .. } => Some(name.span),
            _ => Some(expr.span),
        }
    }

    /// The name of an attribute in the object at a path.
    pub fn attribute(&self, path: &Path, name: &str) -> Option<Span> {
        item(self.at(path)?, name).map(|it| it.0)
    }

    fn at(&self, path: &Path) -> Option<&Expr> {
        let mut expr = bare(self.0.as_ref()?);
        for step in &path.0 {
            let inner = match (step, &expr.kind) {
                (Step::Attribute(name), _) => item(expr, name)?.1,
                (Step::Index(key), ExprKind::Call { name, args, .. }) if name.name == "tuple" => {
                    let ExprKind::Tuple(elements) = &args.first()?.kind else { return None };
                    let index = key.as_number()?.to_i64()?;
                    elements.get(usize::try_from(index).ok()?)?
                }
                (Step::Index(_), ExprKind::Call { args, .. }) => args.first()?,
                _ => return None,
            };
            expr = bare(inner);
        }
        Some(expr)
    }
}

/// The type inside of parentheses and of `optional(…)`.
fn bare(mut expr: &Expr) -> &Expr {
    loop {
        expr = expr.bare();
        match &expr.kind {
            ExprKind::Call { name, args, .. } if name.name == "optional" => match args.first() {
                Some(inner) => expr = inner,
                None => return expr,
            },
            _ => return expr,
        }
    }
}

/// The span of the name and the type of an attribute in `object({ … })`.
fn item<'e>(expr: &'e Expr, wanted: &str) -> Option<(Span, &'e Expr)> {
    let ExprKind::Call { name, args, .. } = &expr.kind else { return None };
    let ExprKind::Object(items) = &args.first().filter(|_| name.name == "object")?.kind else {
        return None;
    };
    items.iter().find_map(|ObjectItem { key, value }| match key {
        ObjectKey::Name(it) if it.name == wanted => Some((it.span, value)),
        ObjectKey::Expr(Expr { kind: ExprKind::String(it), span }) if it == wanted => {
            Some((*span, value))
        }
        _ => None,
    })
}

/// An object of a type that has an attribute which another one lacks.
pub(super) struct Found {
    /// The path from the whole value; where it leaves the given one, an index means every element.
    pub object: Path,
    /// The number of steps that it has in common with the given path.
    common: usize,
    /// Whether it is inside of the object that lacks the attribute.
    is_inside: bool,
}

impl Found {
    /// `It belongs in forwarded_values, which has one.` `whole` is the variable's name; the keys of a hidden
    /// variable's value are not shown.
    pub fn sentence(&self, whole: &str, shows_keys: bool) -> String {
        let (common, rest) = self.object.0.split_at(self.common);
        let path = match (self.is_inside, shows_keys) {
            (true, _) => shown(rest, String::new()),
            (false, true) => shown(rest, format!("{whole}{}", Path(common.to_vec()))),
            (false, false) => shown(&self.object.0, whole.to_owned()),
        };
        format!("{path} has an attribute of that name.")
    }
}

/// The most objects of a type that are searched.
const MOST_SEARCHED: usize = 2000;

/// The object that is nearest to the one at `path` and has an attribute of that name: one inside of it, or else
/// inside of the nearest one around it.
pub(super) fn search(whole: &Type, path: &Path, name: &str) -> Option<Found> {
    let mut around = vec![whole];
    for step in &path.0 {
        let inner = inside(around.last()?, step)?;
        around.push(inner);
    }
    let mut left = MOST_SEARCHED;
    for (depth, ty) in around.iter().enumerate().rev() {
        let mut at = Path(path.0[..depth].to_vec());
        if descend(ty, &mut at, name, &mut left) {
            let is_inside = depth == path.0.len();
            return Some(Found { object: at, common: depth, is_inside });
        }
    }
    None
}

fn inside<'t>(ty: &'t Type, step: &Step) -> Option<&'t Type> {
    match (ty, step) {
        (Type::Object(it), Step::Attribute(name)) => it.attributes.get(name),
        (Type::Tuple(elements), Step::Index(key)) => {
            elements.get(usize::try_from(key.as_number()?.to_i64()?).ok()?)
        }
        (Type::List(it) | Type::Set(it) | Type::Map(it), Step::Index(_)) => Some(it),
        _ => None,
    }
}

/// Extends the path to the first object with the attribute; an object that has it hides those inside of it.
fn descend(ty: &Type, at: &mut Path, name: &str, left: &mut usize) -> bool {
    let Some(rest) = left.checked_sub(1) else { return false };
    *left = rest;
    let mut into = |step: Step, inner: &Type, left: &mut usize| {
        at.0.push(step);
        let is_found = guarded(|| descend(inner, at, name, left));
        if !is_found {
            at.0.pop();
        }
        is_found
    };
    match ty {
        Type::Object(it) if it.attributes.contains_key(name) => true,
        Type::Object(it) => {
            it.attributes.iter().any(|(name, ty)| into(Step::Attribute(name.clone()), ty, left))
        }
        Type::List(it) | Type::Set(it) | Type::Map(it) => into(Step::index(0), it, left),
        Type::Tuple(elements) => {
            elements.iter().enumerate().any(|(index, ty)| into(Step::index(index), ty, left))
        }
        _ => false,
    }
}

/// A path in a type, after the beginning of it: `rules[*].match`.
fn shown(path: &[Step], mut text: String) -> String {
    for step in path {
        match step {
            Step::Attribute(name) if text.is_empty() => text += name,
            Step::Attribute(name) => text += &format!(".{name}"),
            Step::Index(_) => text += "[*]",
        }
    }
    text
}
