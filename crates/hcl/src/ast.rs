//! The tree: bodies, attributes, blocks and expressions.

use std::sync::Arc;

use diagnostics::Span;
use smol_str::SmolStr;
use stack::guarded;

/// A name and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Ident {
    pub name: SmolStr,
    pub span: Span,
}

/// A native-syntax body: attributes and blocks in source order.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    pub items: Vec<Item>,
    /// Further attributes whose names are already set. Each one is an error.
    pub repeated: Vec<Attribute>,
    /// Between the braces, or the whole file.
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    Attribute(Attribute),
    Block(Block),
}

impl Item {
    /// From its name or type to its end.
    pub fn span(&self) -> Span {
        match self {
            Item::Attribute(it) => it.span,
            Item::Block(it) => it.span,
        }
    }
}

/// `name = value`
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    pub name: Ident,
    /// Shared with what is read from it.
    pub value: Arc<Expr>,
    /// From the name to the end of the value.
    pub span: Span,
}

/// `type "label" { … }`
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    pub kind: Ident,
    pub labels: Vec<BlockLabel>,
    pub body: Body,
    /// From the type to the last label: HCL's "definition range".
    pub header: Span,
    /// From the type to the closing brace.
    pub span: Span,
}

/// A block label, after escapes; its text is not normalised.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockLabel {
    pub text: SmolStr,
    /// Quotes included.
    pub span: Span,
    pub quoted: bool,
}

/// An expression, as HCL's own tree has it.
///
/// There are two ways to read one. The static rules of Terraform ask what is written, which is `kind`:
/// `(string)` is not a type and `"${var.x}"` is not a reference, since `Paren` and `Wrap` match nothing
/// else. What only asks for the value reads [`Expr::bare`], for which parentheses and a template around
/// one expression do not exist.
///
/// It may be nested or chained deeply, so it is copied, compared and dropped with the stack growing
/// where needed.
#[derive(Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

impl Expr {
    /// The expression without parentheses around it, and without a template that only wraps it: what gives the value,
    /// and where its errors are.
    pub fn bare(&self) -> &Expr {
        let mut expr = self;
        while let ExprKind::Paren(inner) | ExprKind::Wrap(inner) = &expr.kind {
            expr = inner;
        }
        expr
    }

    /// Whether it is `null`.
    pub fn is_null(&self) -> bool {
        matches!(self.bare().kind, ExprKind::Null)
    }

    /// Whether it is `[]` or `{}`.
    pub fn is_empty(&self) -> bool {
        match &self.bare().kind {
            ExprKind::Tuple(all) => all.is_empty(),
            ExprKind::Object(all) => all.is_empty(),
            _ => false,
        }
    }

    /// Whether no other expression is inside of it.
    pub fn is_leaf(&self) -> bool {
        matches!(
            self.kind,
            ExprKind::Number(_)
                | ExprKind::Bool(_)
                | ExprKind::Null
                | ExprKind::String(_)
                | ExprKind::Variable(_)
                | ExprKind::SplatItem
                | ExprKind::Invalid
        )
    }
}

impl Clone for Expr {
    fn clone(&self) -> Self {
        let kind = guarded(|| self.kind.clone());
        Expr { kind, span: self.span }
    }
}

impl PartialEq for Expr {
    fn eq(&self, other: &Self) -> bool {
        self.span == other.span && guarded(|| self.kind == other.kind)
    }
}

impl Drop for Expr {
    fn drop(&mut self) {
        if !self.is_leaf() {
            let kind = std::mem::replace(&mut self.kind, ExprKind::Invalid);
            guarded(|| drop(kind));
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A number as written; never signed (a negative number is `Unary` over `Number`).
    Number(SmolStr),
    Bool(bool),
    Null,
    /// A quoted string, heredoc or bare template without sequences: the text after escapes and
    /// heredoc flush, in Unicode NFC.
    String(SmolStr),
    /// A string, heredoc or bare template with sequences.
    Template(Vec<TemplatePart>),
    /// A template that is exactly one `${ }`: the value keeps its type.
    Wrap(Box<Expr>),
    /// The root of a traversal: `var` in `var.a`.
    Variable(SmolStr),
    /// `base.name`
    GetAttr {
        base: Box<Expr>,
        name: Ident,
    },
    /// `base[key]`, and the legacy `base.0` whose key is a `Number`.
    Index {
        base: Box<Expr>,
        key: Box<Expr>,
        legacy: bool,
    },
    /// `source.*…` or `source[*]…`; `each` is built on `SplatItem`.
    Splat {
        kind: SplatKind,
        source: Box<Expr>,
        each: Box<Expr>,
        marker: Span,
    },
    /// The element inside the `each` of the nearest splat.
    SplatItem,
    /// `name(args…)`; a namespaced name is joined by `::`.
    Call {
        name: Ident,
        args: Vec<Expr>,
        expand: bool,
    },
    Unary {
        op: UnaryOp,
        operand: Box<Expr>,
    },
    Binary {
        op: BinaryOp,
        left: Box<Expr>,
        right: Box<Expr>,
        op_span: Span,
    },
    Conditional {
        condition: Box<Expr>,
        then: Box<Expr>,
        otherwise: Box<Expr>,
    },
    /// `(inner)`: has the value of what it holds.
    Paren(Box<Expr>),
    Tuple(Vec<Expr>),
    Object(Vec<ObjectItem>),
    For(Box<ForExpr>),
    /// Replaces an expression with a syntax error, which was reported.
    Invalid,
}

/// A part of a template.
#[derive(Clone, Debug, PartialEq)]
pub enum TemplatePart {
    /// Text after escapes, strip markers and flush; never empty; neighbours are one part.
    Literal {
        text: SmolStr,
        span: Span,
    },
    /// The expression inside `${ }`.
    Interpolation(Expr),
    If {
        condition: Box<Expr>,
        then: Vec<TemplatePart>,
        otherwise: Vec<TemplatePart>,
        span: Span,
    },
    For {
        key: Option<Ident>,
        value: Ident,
        collection: Box<Expr>,
        body: Vec<TemplatePart>,
        span: Span,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SplatKind {
    /// `.*`: applies to the following `.name` and `.0` only.
    Attribute,
    /// `[*]`: applies to every following step.
    Full,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    Negate,
    Not,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    Or,
    And,
    Equal,
    NotEqual,
    Greater,
    GreaterOrEqual,
    Less,
    LessOrEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
}

impl BinaryOp {
    /// Whether the result is a number; that of the others is a bool.
    pub fn is_arithmetic(self) -> bool {
        use BinaryOp::{Add, Divide, Modulo, Multiply, Subtract};
        matches!(self, Add | Subtract | Multiply | Divide | Modulo)
    }

    /// The operator as written.
    pub fn as_str(self) -> &'static str {
        match self {
            BinaryOp::Or => "||",
            BinaryOp::And => "&&",
            BinaryOp::Equal => "==",
            BinaryOp::NotEqual => "!=",
            BinaryOp::Greater => ">",
            BinaryOp::GreaterOrEqual => ">=",
            BinaryOp::Less => "<",
            BinaryOp::LessOrEqual => "<=",
            BinaryOp::Add => "+",
            BinaryOp::Subtract => "-",
            BinaryOp::Multiply => "*",
            BinaryOp::Divide => "/",
            BinaryOp::Modulo => "%",
        }
    }
}

/// `key = value` in an object constructor; duplicates are kept (in Terraform the last one wins).
#[derive(Clone, Debug, PartialEq)]
pub struct ObjectItem {
    pub key: ObjectKey,
    pub value: Expr,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ObjectKey {
    /// A bare word, `true`, `false` and `null` included: the string of that name.
    Name(Ident),
    /// Any other expression.
    Expr(Expr),
    /// A key of JSON with sequences. An object with one takes each key once, and no secret as a key.
    Template(Expr),
}

/// `[for …]` and `{for …}`
#[derive(Clone, Debug, PartialEq)]
pub struct ForExpr {
    pub key_name: Option<Ident>,
    pub value_name: Ident,
    pub collection: Expr,
    /// Present exactly for `{for}`.
    pub key: Option<Expr>,
    pub value: Expr,
    pub condition: Option<Expr>,
    /// `...` after the value.
    pub group: bool,
}

// Visits the expressions inside of an expression.

impl Expr {
    /// Whether an error of syntax left out a part of it.
    pub fn is_broken(&self) -> bool {
        let mut is_broken = matches!(self.kind, ExprKind::Invalid);
        self.for_each_child(&mut |it| is_broken = is_broken || guarded(|| it.is_broken()));
        is_broken
    }

    /// Visits the expressions directly inside of this one, in source order; those of a template are
    /// at any depth of its directives.
    pub fn for_each_child<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        match &self.kind {
            ExprKind::Template(parts) => for_each_in_template(parts, visit),
            ExprKind::Wrap(it) | ExprKind::Paren(it) => visit(it),
            ExprKind::GetAttr { base, .. } => visit(base),
            ExprKind::Index { base, key, .. } => [base, key].into_iter().for_each(|it| visit(it)),
            ExprKind::Splat { source, each, .. } => {
                [source, each].into_iter().for_each(|it| visit(it));
            }
            ExprKind::Call { args, .. } | ExprKind::Tuple(args) => args.iter().for_each(visit),
            ExprKind::Unary { operand, .. } => visit(operand),
            ExprKind::Binary { left, right, .. } => {
                [left, right].into_iter().for_each(|it| visit(it));
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                [condition, then, otherwise].into_iter().for_each(|it| visit(it));
            }
            ExprKind::Object(items) => {
                for item in items {
                    if let ObjectKey::Expr(key) | ObjectKey::Template(key) = &item.key {
                        visit(key);
                    }
                    visit(&item.value);
                }
            }
            ExprKind::For(it) => {
                let parts = [Some(&it.collection), it.key.as_ref(), Some(&it.value)];
                parts.into_iter().flatten().chain(&it.condition).for_each(visit);
            }
            ExprKind::Number(_)
            | ExprKind::Bool(_)
            | ExprKind::Null
            | ExprKind::String(_)
            | ExprKind::Variable(_)
            | ExprKind::SplatItem
            | ExprKind::Invalid => (),
        }
    }
}

fn for_each_in_template<'e>(parts: &'e [TemplatePart], visit: &mut dyn FnMut(&'e Expr)) {
    for part in parts {
        match part {
            TemplatePart::Literal { .. } => (),
            TemplatePart::Interpolation(it) => visit(it),
            TemplatePart::If { condition, then, otherwise, .. } => {
                visit(condition);
                nested(then, visit);
                nested(otherwise, visit);
            }
            TemplatePart::For { collection, body, .. } => {
                visit(collection);
                nested(body, visit);
            }
        }
    }
}

fn nested<'e>(parts: &'e [TemplatePart], visit: &mut dyn FnMut(&'e Expr)) {
    guarded(|| for_each_in_template(parts, visit));
}
