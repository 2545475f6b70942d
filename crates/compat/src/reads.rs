//! The parts of a variable that a rule reads, and whether these are the same on both sides although the type
//! changed elsewhere.
//!
//! If the object `var.x` gets another attribute, `var.x.name` stays what it was. So does
//! `alltrue([for it in var.x : it.name != ""])` of a list: it reads the number of elements and each name.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use super::defaults::same_default;
use hcl::{BinaryOp, Expr, ExprKind, ForExpr};
use module::{Module, Variable};
use stack::guarded;
use tf_value::{Type, typeexpr::Defaults};

/// A step from a variable to what a rule reads of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadStep {
    Attribute(SmolStr),
    /// Any element, or one that is not known here.
    Any,
}

/// Steps from a variable.
pub type Path = Vec<ReadStep>;

/// A part of a variable that is read.
#[derive(Clone, Debug)]
struct Read {
    variable: SmolStr,
    path: Path,
    depth: Depth,
}

/// How much of something is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Depth {
    /// Whether it is there, and whether it is null.
    Null,
    /// Also how many elements there are, and their keys.
    Shape,
    All,
}

/// Locals that refer to locals, this deep.
const DEEPEST: usize = 20;

/// The most reads of one expression.
const MOST: usize = 2000;

/// Whether the expression reads no part that differs; `differing` has the paths for each variable of another
/// type.
pub fn is_untouched(
    expr: &Expr,
    module: &Module,
    differing: &BTreeMap<SmolStr, Vec<Path>>,
) -> bool {
    let mut reader = ReadCollector { module, bound: Vec::new(), depth: 0, found: Vec::new() };
    reader.whole(expr);
    reader.found.len() < MOST
        && reader.found.iter().all(|read| {
            differing.get(&read.variable).is_none_or(|all| !all.iter().any(|it| read.meets(it)))
        })
}

impl Read {
    fn meets(&self, differing: &Path) -> bool {
        let is_alike = |(one, other): (&ReadStep, &ReadStep)| {
            one == other || *one == ReadStep::Any || *other == ReadStep::Any
        };
        if !self.path.iter().zip(differing).all(is_alike) {
            return false;
        }
        differing.len() <= self.path.len()
            || match self.depth {
                Depth::Null => false,
                // Another attribute changes the keys and elements that a `for` sees.
                Depth::Shape => matches!(differing[self.path.len()], ReadStep::Attribute(_)),
                Depth::All => true,
            }
    }
}

struct ReadCollector<'m> {
    module: &'m Module,
    /// The names that a `for` or a splat binds, each with the part of a variable that it means, if it is
    /// one.
    bound: Vec<(&'m str, Option<(SmolStr, Path)>)>,
    depth: usize,
    found: Vec<Read>,
}

impl<'m> ReadCollector<'m> {
    fn add(&mut self, variable: SmolStr, path: Path, depth: Depth) {
        if self.found.len() < MOST {
            self.found.push(Read { variable, path, depth });
        }
    }

    /// The part of a variable that an expression means, if it is one.
    fn place(&self, expr: &'m Expr, depth: usize) -> Option<(SmolStr, Path)> {
        let deeper = |expr, step| {
            let (variable, mut path) = self.place(expr, depth)?;
            path.push(step);
            Some((variable, path))
        };
        guarded(|| match &expr.bare().kind {
            ExprKind::Variable(name) => self.of_bound(name)?.clone(),
            ExprKind::SplatItem => self.of_bound("*")?.clone(),
            ExprKind::GetAttr { base, name } => match &base.kind {
                ExprKind::Variable(root) if self.of_bound(root).is_none() => match root.as_str() {
                    "var" => Some((name.name.clone(), Vec::new())),
                    "local" if depth < DEEPEST && self.bound.is_empty() => {
                        self.place(&self.module.locals.get(&name.name)?.expr, depth + 1)
                    }
                    _ => None,
                },
                _ => deeper(base, ReadStep::Attribute(name.name.clone())),
            },
            ExprKind::Index { base, .. } => deeper(base, ReadStep::Any),
            _ => None,
        })
    }

    fn of_bound(&self, name: &str) -> Option<&Option<(SmolStr, Path)>> {
        self.bound.iter().rfind(|it| it.0 == name).map(|it| &it.1)
    }

    /// Reads the elements of a value one by one; returns the part of a variable that an element is.
    fn elements(&mut self, expr: &'m Expr) -> Option<(SmolStr, Path)> {
        let expr = expr.bare();
        if let ExprKind::Call { name, args, expand: false } = &expr.kind {
            match (name.name.as_str(), args.as_slice()) {
                ("slice", [list, from, to]) => {
                    [from, to].into_iter().for_each(|it| self.whole(it));
                    return guarded(|| self.elements(list));
                }
                ("reverse" | "values", [list]) => return guarded(|| self.elements(list)),
                ("coalesce" | "try", [list, other]) if other.is_empty() => {
                    return guarded(|| self.elements(list));
                }
                _ => (),
            }
        }
        let Some((variable, mut path)) = self.place(expr, 0) else {
            self.whole(expr);
            return None;
        };
        self.keys(expr);
        self.add(variable.clone(), path.clone(), Depth::Shape);
        path.push(ReadStep::Any);
        Some((variable, path))
    }

    /// Reads the indices in an expression such as `var.x[var.i].name`.
    fn keys(&mut self, expr: &'m Expr) {
        match &expr.bare().kind {
            ExprKind::Index { base, key, .. } => {
                self.whole(key);
                guarded(|| self.keys(base));
            }
            ExprKind::GetAttr { base, .. } => guarded(|| self.keys(base)),
            _ => (),
        }
    }

    /// Reads all of a value.
    fn whole(&mut self, expr: &'m Expr) {
        if self.found.len() >= MOST {
            return;
        }
        guarded(|| {
            if let Some((variable, path)) = self.place(expr, 0) {
                self.keys(expr);
                return self.add(variable, path, Depth::All);
            }
            match &expr.kind {
                ExprKind::GetAttr { base, name } if self.is_local(base) => self.local(&name.name),
                ExprKind::Call { name, args, expand: false }
                    if matches!(name.name.as_str(), "length" | "keys" | "can")
                        && args.len() == 1 =>
                {
                    self.shape(&args[0]);
                }
                ExprKind::Binary {
                    op: BinaryOp::Equal | BinaryOp::NotEqual, left, right, ..
                } if [left, right].iter().any(|it| it.is_null()) => {
                    self.nullness(left);
                    self.nullness(right);
                }
                ExprKind::For(it) => self.each(it, ReadCollector::whole),
                ExprKind::Splat { source, each, .. } => {
                    let element = self.elements(source);
                    self.bound.push(("*", element));
                    self.whole(each);
                    self.bound.pop();
                }
                // A name that is not a variable may depend on all variables.
                ExprKind::Variable(name) => {
                    if self.of_bound(name).is_none() {
                        self.everything();
                    }
                }
                ExprKind::Template(_) if has_loop(expr) => self.everything(),
                _ => expr.for_each_child(&mut |it| self.whole(it)),
            }
        });
    }

    /// Reads a `for`; `value` says how much of its values is read.
    fn each(&mut self, it: &'m ForExpr, value: impl Fn(&mut Self, &'m Expr)) {
        let element = self.elements(&it.collection);
        let before = self.bound.len();
        if let Some(key) = &it.key_name {
            self.bound.push((&key.name, None));
        }
        self.bound.push((&it.value_name.name, element));
        [&it.key, &it.condition].into_iter().flatten().for_each(|it| self.whole(it));
        value(self, &it.value);
        self.bound.truncate(before);
    }

    /// Reads how many elements a value has and their keys, and whether it can be evaluated.
    fn shape(&mut self, expr: &'m Expr) {
        let expr = expr.bare();
        guarded(|| match &expr.kind {
            // A `for` that groups (`...`) reads its values in full, too.
            ExprKind::For(it) if !it.group => self.each(it, ReadCollector::nullness),
            _ if self.place(expr, 0).is_some() => _ = self.elements(expr),
            _ => self.whole(expr),
        });
    }

    /// Reads whether a value is null, and whether it can be evaluated.
    fn nullness(&mut self, expr: &'m Expr) {
        let expr = expr.bare();
        guarded(|| {
            if let Some((variable, path)) = self.place(expr, 0) {
                self.keys(expr);
                return self.add(variable, path, Depth::Null);
            }
            match &expr.kind {
                // Values of any types can be compared, and the result is never null.
                ExprKind::Binary {
                    op: BinaryOp::Equal | BinaryOp::NotEqual, left, right, ..
                } => {
                    self.nullness(left);
                    self.nullness(right);
                }
                ExprKind::Call { name, args, expand: false } => {
                    match (name.name.as_str(), args.as_slice()) {
                        ("lookup", [of, key, default]) if default.is_null() => {
                            self.whole(key);
                            if let Some((variable, path)) = self.elements(of) {
                                self.add(variable, path, Depth::Null);
                            }
                        }
                        ("try", args) => args.iter().for_each(|it| self.nullness(it)),
                        _ => self.whole(expr),
                    }
                }
                _ => self.whole(expr),
            }
        });
    }

    fn is_local(&self, base: &Expr) -> bool {
        matches!(&base.kind, ExprKind::Variable(it) if it == "local" && self.of_bound(it).is_none())
    }

    fn local(&mut self, name: &SmolStr) {
        let Some(local) = self.module.locals.get(name) else { return };
        if self.depth >= DEEPEST {
            return self.everything();
        }
        self.depth += 1;
        let bound = std::mem::take(&mut self.bound);
        self.whole(&local.expr);
        self.bound = bound;
        self.depth -= 1;
    }

    /// Gives up: everything may be read.
    fn everything(&mut self) {
        let names = self.module.variables.keys().cloned().collect::<Vec<_>>();
        names.into_iter().for_each(|it| self.add(it, Vec::new(), Depth::All));
    }
}

/// A template with `%{ for }` binds names, too.
fn has_loop(expr: &Expr) -> bool {
    use hcl::TemplatePart;
    let ExprKind::Template(parts) = &expr.kind else { return false };
    let is_plain = |it: &TemplatePart| {
        matches!(it, TemplatePart::Literal { .. } | TemplatePart::Interpolation(_))
    };
    !parts.iter().all(is_plain)
}

/// The paths at which values of two variables differ for the same arguments: by their types, or by defaults of
/// attributes.
pub fn differing(was: &Variable, is: &Variable) -> Vec<Path> {
    let mut out = Vec::new();
    let (was, is) = (&was.constraint, &is.constraint);
    let (was_defaults, is_defaults) = (was.defaults.as_ref(), is.defaults.as_ref());
    differ(&was.ty, &is.ty, was_defaults, is_defaults, &mut Vec::new(), &mut out);
    out
}

/// Whether different elements of a set may become equal, or equal ones different, because another default fills
/// them in.
pub fn merges(was: &Variable, is: &Variable) -> bool {
    differing(was, is).iter().any(|path| {
        let at = path.iter().try_fold(&was.constraint.ty, |ty, step| match step {
            ReadStep::Attribute(name) => ty.as_object()?.attributes.get(name),
            ReadStep::Any => ty.element(),
        });
        matches!(at, Some(Type::Set(_)))
    })
}

fn differ(
    was: &Type,
    is: &Type,
    was_defaults: Option<&Defaults>,
    is_defaults: Option<&Defaults>,
    path: &mut Path,
    out: &mut Vec<Path>,
) {
    if was == is && was_defaults.is_none() && is_defaults.is_none() {
        return;
    }
    guarded(|| match (was, is) {
        (Type::Object(was), Type::Object(is)) => {
            let child = |of: Option<&Defaults>, name: &str| {
                of.and_then(|it| it.children.get(name)).cloned()
            };
            let value =
                |of: Option<&Defaults>, name: &str| of.and_then(|it| it.values.get(name)).cloned();
            let all = was.attributes.keys().chain(is.attributes.keys());
            for name in all {
                path.push(ReadStep::Attribute(name.clone()));
                match (was.attributes.get(name), is.attributes.get(name)) {
                    (Some(one), Some(other)) => {
                        let is_same = match (value(was_defaults, name), value(is_defaults, name)) {
                            (Some(one), Some(other)) => same_default(&one, &other),
                            (None, None) => true,
                            _ => false,
                        };
                        if is_same {
                            let (before, after) =
                                (child(was_defaults, name), child(is_defaults, name));
                            differ(one, other, before.as_ref(), after.as_ref(), path, out);
                        } else {
                            out.push(path.clone());
                        }
                    }
                    _ => out.push(path.clone()),
                }
                path.pop();
            }
        }
        (Type::List(was), Type::List(is)) | (Type::Map(was), Type::Map(is)) => {
            let child = |of: Option<&Defaults>| of.and_then(|it| it.children.get("")).cloned();
            let (before, after) = (child(was_defaults), child(is_defaults));
            path.push(ReadStep::Any);
            differ(was, is, before.as_ref(), after.as_ref(), path, out);
            path.pop();
        }
        // Elements of a set may become equal, and a value without a type is converted as a whole.
        _ if was == is && was_defaults == is_defaults => (),
        _ => out.push(path.clone()),
    });
}
