//! The normal form of expressions: without places, parentheses and the names of locals. With
//! `locals { a = var.x }`, `(local.a) == 1` and `var.x == 1` have the same form.

use std::fmt::Write;

use hcl::{BinaryOp, Expr, ExprKind, ObjectKey, TemplatePart};
use module::Module;
use stack::guarded;
use tf_eval::functions::{self, DependsOn};

/// The longest form that is written.
const LONGEST: usize = 100_000;

/// Locals that refer to locals, this deep.
const DEEPEST: usize = 40;

/// The form of an expression, with all locals expanded; `None` if it depends on files or the time, or is too
/// large.
pub fn form(expr: &Expr, module: &Module) -> Option<String> {
    let mut writer = Writer { module, out: String::new(), depth: 0, bound: Vec::new() };
    writer.expr(expr)?;
    Some(writer.out)
}

struct Writer<'m> {
    module: &'m Module,
    out: String,
    depth: usize,
    /// Names that a `for` binds.
    bound: Vec<&'m str>,
}

impl<'m> Writer<'m> {
    fn text(&mut self, text: &str) -> Option<()> {
        self.out.push_str(text);
        (self.out.len() <= LONGEST).then_some(())
    }

    fn all<'e>(&mut self, name: &str, parts: impl IntoIterator<Item = &'e Expr>) -> Option<()>
    where
        'e: 'm,
    {
        self.text(name)?;
        self.text("(")?;
        for part in parts {
            self.expr(part)?;
            self.text(",")?;
        }
        self.text(")")
    }

    fn expr(&mut self, expr: &'m Expr) -> Option<()> {
        guarded(|| self.kind(&expr.kind))
    }

    fn kind(&mut self, kind: &'m ExprKind) -> Option<()> {
        match kind {
            ExprKind::Number(it) => self.text(it),
            ExprKind::Bool(it) => self.text(if *it { "true" } else { "false" }),
            ExprKind::Null => self.text("null"),
            ExprKind::String(it) => {
                _ = write!(self.out, "{it:?}");
                self.text("")
            }
            ExprKind::Template(parts) => {
                self.text("\"")?;
                self.template(parts)?;
                self.text("\"")
            }
            ExprKind::Paren(it) | ExprKind::Wrap(it) => self.expr(it),
            ExprKind::Variable(name) => self.text(name),
            ExprKind::GetAttr { base, name } => {
                if let ExprKind::Variable(root) = &base.kind
                    && root == "local"
                    && !self.bound.contains(&"local")
                    && let Some(local) = self.module.locals.get(&name.name)
                {
                    return self.local(&local.expr);
                }
                self.all(&format!(".{}", name.name), [&**base])
            }
            ExprKind::Index { base, key, .. } => match &key.kind {
                ExprKind::String(name) => self.all(&format!(".{name}"), [&**base]),
                _ => self.all("[]", [&**base, &**key]),
            },
            ExprKind::Splat { kind, source, each, .. } => {
                self.all(&format!("{kind:?}"), [&**source, &**each])
            }
            ExprKind::SplatItem => self.text("*"),
            ExprKind::Call { name, args, expand } => {
                if !is_pure(&name.name) {
                    return None;
                }
                self.all(&name.name, args)?;
                self.text(if *expand { "..." } else { "" })
            }
            ExprKind::Unary { op, operand } => self.all(&format!("{op:?}"), [&**operand]),
            ExprKind::Binary { op: op @ (BinaryOp::And | BinaryOp::Or), .. } => {
                let mut parts = Vec::new();
                operands(kind, *op, &mut parts);
                self.text(op.as_str())?;
                self.text("(")?;
                for part in parts {
                    self.expr(part)?;
                    self.text(",")?;
                }
                self.text(")")
            }
            ExprKind::Binary { op, left, right, .. } => self.all(op.as_str(), [&**left, &**right]),
            ExprKind::Conditional { condition, then, otherwise } => {
                self.all("?", [&**condition, &**then, &**otherwise])
            }
            ExprKind::Tuple(elements) => self.all("", elements),
            ExprKind::Object(items) => {
                self.text("{")?;
                for item in items {
                    match &item.key {
                        ObjectKey::Name(name) => {
                            _ = write!(self.out, "{:?}", name.name);
                        }
                        ObjectKey::Expr(key) | ObjectKey::Template(key) => self.expr(key)?,
                    }
                    self.text("=")?;
                    self.expr(&item.value)?;
                    self.text(",")?;
                }
                self.text("}")
            }
            ExprKind::For(it) => {
                let key = it.key_name.as_ref().map_or("", |it| it.name.as_str());
                self.text(&format!("for({key},{},", it.value_name.name))?;
                self.expr(&it.collection)?;
                let before = self.bound.len();
                self.bound.extend([key, it.value_name.name.as_str()]);
                for part in [it.key.as_ref(), Some(&it.value), it.condition.as_ref()] {
                    self.text(",")?;
                    part.map_or(Some(()), |it| self.expr(it))?;
                }
                self.bound.truncate(before);
                self.text(if it.group { "...)" } else { ")" })
            }
            ExprKind::Invalid => None,
        }
    }

    /// Expands a local, in which names that a `for` around it binds are not visible.
    fn local(&mut self, expr: &'m Expr) -> Option<()> {
        (self.depth < DEEPEST).then_some(())?;
        self.depth += 1;
        let bound = std::mem::take(&mut self.bound);
        self.expr(expr)?;
        self.bound = bound;
        self.depth -= 1;
        Some(())
    }

    fn template(&mut self, parts: &'m [TemplatePart]) -> Option<()> {
        for part in parts {
            match part {
                TemplatePart::Literal { text, .. } => {
                    _ = write!(self.out, "{text:?}");
                    self.text("")?;
                }
                TemplatePart::Interpolation(it) => {
                    self.text("${")?;
                    self.expr(it)?;
                    self.text("}")?;
                }
                TemplatePart::If { condition, then, otherwise, .. } => {
                    self.text("%{if ")?;
                    self.expr(condition)?;
                    self.text("}")?;
                    self.template(then)?;
                    self.text("%{else}")?;
                    self.template(otherwise)?;
                    self.text("%{endif}")?;
                }
                TemplatePart::For { key, value, collection, body, .. } => {
                    let key = key.as_ref().map_or("", |it| it.name.as_str());
                    self.text(&format!("%{{for {key},{} ", value.name))?;
                    self.expr(collection)?;
                    self.text("}")?;
                    let before = self.bound.len();
                    self.bound.extend([key, value.name.as_str()]);
                    self.template(body)?;
                    self.bound.truncate(before);
                    self.text("%{endfor}")?;
                }
            }
        }
        Some(())
    }
}

/// Whether calls of the same expressions give the same result.
pub fn is_pure(function: &str) -> bool {
    let function = functions::lookup(function.strip_prefix("core::").unwrap_or(function));
    let is_pure = |it: DependsOn| matches!(it, DependsOn::Arguments | DependsOn::Expressions);
    function.is_some_and(|it| is_pure(it.depends_on))
}

/// The operands of a chain of one operator.
fn operands<'e>(kind: &'e ExprKind, op: BinaryOp, out: &mut Vec<&'e Expr>) {
    let ExprKind::Binary { op: own, left, right, .. } = kind else { return };
    if *own != op {
        return;
    }
    for side in [left, right] {
        let bare = side.bare();
        match &bare.kind {
            ExprKind::Binary { op: inner, .. } if *inner == op => {
                guarded(|| operands(&bare.kind, op, out));
            }
            _ => out.push(bare),
        }
    }
}
