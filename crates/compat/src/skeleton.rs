//! A condition as a skeleton of `&&`, `||`, `!` and the like over opaque questions.
//!
//! Two conditions share their questions: `f(x) < 3` asked twice has one answer, whatever `f` is. So a proof
//! may go through the answers ([`cases`](super::cases)) where no set knows the values.

use super::{
    kinds::is_never_equal,
    links::{Link, Literal, literal},
    objects::deep_form,
};
use hcl::{BinaryOp, Expr, ExprKind, Ident, UnaryOp};
use module::{Module, Variable};
use stack::guarded;

/// The most questions of all conditions.
const QUESTIONS: usize = 24;

/// Locals that refer to locals, this deep.
const DEEPEST: usize = 10;

/// The most parts of a skeleton.
const PARTS: usize = 200;

/// A part of a condition.
#[derive(Debug)]
pub enum Node {
    Known(bool),
    Question(usize),
    Not(Box<Node>),
    And(Box<Node>, Box<Node>),
    Or(Box<Node>, Box<Node>),
    Choose(Box<Node>, Box<Node>, Box<Node>),
    Equal(Box<Node>, Box<Node>),
    /// A comparison of numbers that depend on conditions: `(a ? 1 : 0) + (b ? 1 : 0) < 2`.
    Compare(BinaryOp, Box<Amount>, Box<Amount>),
    Try(Box<Node>, Box<Node>),
    Can(Box<Node>),
    /// `alltrue` or `anytrue` of a literal list.
    Each(bool, Vec<Node>),
}

/// A number that depends on conditions.
#[derive(Debug)]
pub enum Amount {
    Known(i128),
    Choose(Box<Node>, Box<Amount>, Box<Amount>),
    Add(Box<Amount>, Box<Amount>),
}

/// A part of a condition that is not looked into.
pub struct Question<'m> {
    /// Questions with equal keys have the same answer; `None` if the answer depends on more than is here.
    key: Option<String>,
    pub expr: Expr,
    /// The rule that contains it.
    pub of: (&'m Module, &'m Variable),
    /// Its link to other questions about the same expression.
    pub link: Option<Link>,
    pub may_be_true: bool,
    pub may_be_null: bool,
    pub may_fail: bool,
}

/// Reads conditions, and gathers their questions.
#[derive(Default)]
pub struct SkeletonReader<'m> {
    pub questions: Vec<Question<'m>>,
    parts: usize,
}

impl<'m> SkeletonReader<'m> {
    /// The skeleton; `None` where it is too large.
    pub fn read(&mut self, expr: &'m Expr, of: (&'m Module, &'m Variable)) -> Option<Node> {
        self.node(expr, of, 0)
    }

    fn node(
        &mut self,
        expr: &'m Expr,
        of: (&'m Module, &'m Variable),
        depth: usize,
    ) -> Option<Node> {
        self.parts += 1;
        (self.parts <= PARTS).then_some(())?;
        guarded(|| {
            let expr = expr.bare();
            let mut node = |it: &'m Expr| Some(Box::new(self.node(it, of, depth)?));
            match &expr.kind {
                ExprKind::Bool(it) => return Some(Node::Known(*it)),
                ExprKind::GetAttr { .. } => {
                    if depth < DEEPEST
                        && let Some(local) = local(expr, of.0)
                        && is_boolean(local, of.0, depth)
                    {
                        return self.node(local, of, depth + 1);
                    }
                }
                ExprKind::Unary { op: UnaryOp::Not, operand } => {
                    return Some(Node::Not(node(operand)?));
                }
                ExprKind::Binary { op: BinaryOp::And, left, right, .. } => {
                    return Some(Node::And(node(left)?, node(right)?));
                }
                ExprKind::Binary { op: BinaryOp::Or, left, right, .. } => {
                    return Some(Node::Or(node(left)?, node(right)?));
                }
                ExprKind::Binary { op, left, right, .. } => {
                    return self.compared(expr, *op, left, right, of, depth);
                }
                ExprKind::Conditional { condition, then, otherwise }
                    if [then, otherwise].iter().all(|it| is_boolean(it, of.0, depth)) =>
                {
                    return Some(Node::Choose(node(condition)?, node(then)?, node(otherwise)?));
                }
                ExprKind::Call { name, args, expand: false } => {
                    let is_boolean = |it: &Expr| is_boolean(it, of.0, depth);
                    match (name.name.as_str(), args.as_slice()) {
                        ("can", [it]) if is_boolean(it) => return Some(Node::Can(node(it)?)),
                        ("try", [it, fallback]) if is_boolean(it) && is_boolean(fallback) => {
                            return Some(Node::Try(node(it)?, node(fallback)?));
                        }
                        (name @ ("alltrue" | "anytrue"), [list]) => {
                            if let ExprKind::Tuple(all) = &list.bare().kind
                                && all.iter().all(is_boolean)
                            {
                                let all = all.iter().map(|it| Some(*node(it)?));
                                return Some(Node::Each(
                                    name == "alltrue",
                                    all.collect::<Option<_>>()?,
                                ));
                            }
                        }
                        _ => (),
                    }
                }
                _ => (),
            }
            self.question(expr, of)
        })
    }

    fn compared(
        &mut self,
        whole: &'m Expr,
        op: BinaryOp,
        left: &'m Expr,
        right: &'m Expr,
        of: (&'m Module, &'m Variable),
        depth: usize,
    ) -> Option<Node> {
        let is_equality = matches!(op, BinaryOp::Equal | BinaryOp::NotEqual);
        let turned = |it: Node| if op == BinaryOp::NotEqual { Node::Not(it.into()) } else { it };
        if is_equality && [left, right].iter().all(|it| is_boolean(it, of.0, depth)) {
            let both = [self.node(left, of, depth)?, self.node(right, of, depth)?];
            let [left, right] = both.map(Box::new);
            return Some(turned(Node::Equal(left, right)));
        }
        if has_amount(left) || has_amount(right) {
            let before = self.questions.len();
            let amounts = self.amount(left, of, depth).zip(self.amount(right, of, depth));
            if let Some((left, right)) = amounts {
                return Some(Node::Compare(op, left.into(), right.into()));
            }
            self.questions.truncate(before);
        }
        if is_equality {
            for (one, other) in [(left, right), (right, left)] {
                let Some(wanted) = literal(other) else { continue };
                if let Some((tried, fallback)) = attempt(one)
                    && !is_boolean(tried, of.0, depth)
                {
                    let Some(fallback) = literal(fallback) else { continue };
                    let can = self.question(&called("can", tried), of)?;
                    let equal = self.question(&equal(tried, other), of)?;
                    let otherwise = Node::Known(fallback == wanted);
                    let node = Node::Choose(can.into(), equal.into(), otherwise.into());
                    return Some(turned(node));
                }
                if op == BinaryOp::NotEqual {
                    return Some(turned(self.question(&equal(one, other), of)?));
                }
            }
        }
        self.question(whole, of)
    }

    fn amount(
        &mut self,
        expr: &'m Expr,
        of: (&'m Module, &'m Variable),
        depth: usize,
    ) -> Option<Amount> {
        self.parts += 1;
        (self.parts <= PARTS).then_some(())?;
        guarded(|| {
            let expr = expr.bare();
            match &expr.kind {
                ExprKind::Conditional { condition, then, otherwise } => {
                    let condition = self.node(condition, of, depth)?;
                    let both = [self.amount(then, of, depth)?, self.amount(otherwise, of, depth)?];
                    let [then, otherwise] = both.map(Box::new);
                    Some(Amount::Choose(condition.into(), then, otherwise))
                }
                ExprKind::Binary { op: BinaryOp::Add, left, right, .. } => {
                    let both = [self.amount(left, of, depth)?, self.amount(right, of, depth)?];
                    let [left, right] = both.map(Box::new);
                    Some(Amount::Add(left, right))
                }
                _ => match literal(expr)? {
                    Literal::Number(it) => Some(Amount::Known(it)),
                    _ => None,
                },
            }
        })
    }

    fn question(&mut self, expr: &Expr, of: (&'m Module, &'m Variable)) -> Option<Node> {
        let key = deep_form(expr, of.0);
        if key.is_some()
            && let Some(at) = self.questions.iter().position(|it| it.key == key)
        {
            return Some(Node::Question(at));
        }
        (self.questions.len() < QUESTIONS).then_some(())?;
        let may_fail = !matches!(&expr.bare().kind,
            ExprKind::Call { name, expand: false, .. } if name.name == "can");
        self.questions.push(Question {
            key,
            link: Link::of(expr, of.0),
            may_be_true: !is_never_equal(expr, of.0),
            may_be_null: !is_boolean(expr, of.0, 0),
            may_fail,
            of,
            expr: expr.clone(),
        });
        Some(Node::Question(self.questions.len() - 1))
    }
}

/// Whether a part of a number depends on a condition.
fn has_amount(expr: &Expr) -> bool {
    match &expr.bare().kind {
        ExprKind::Conditional { .. } => true,
        ExprKind::Binary { op: BinaryOp::Add, left, right, .. } => {
            guarded(|| has_amount(left) || has_amount(right))
        }
        _ => false,
    }
}

/// The expression of a local.
fn local<'m>(expr: &Expr, module: &'m Module) -> Option<&'m Expr> {
    let ExprKind::GetAttr { base, name } = &expr.kind else { return None };
    let is_local = matches!(&base.kind, ExprKind::Variable(it) if it == "local");
    is_local.then(|| module.locals.get(&name.name).map(|it| &it.expr))?
}

/// Both arguments of a `try`.
fn attempt(expr: &Expr) -> Option<(&Expr, &Expr)> {
    let ExprKind::Call { name, args, expand: false } = &expr.bare().kind else { return None };
    let [tried, fallback] = args.as_slice() else { return None };
    (name.name == "try").then_some((tried, fallback))
}

fn called(function: &str, argument: &Expr) -> Expr {
    let name = Ident { name: function.into(), span: argument.span };
    let kind = ExprKind::Call { name, args: vec![argument.clone()], expand: false };
    Expr { kind, span: argument.span }
}

fn equal(left: &Expr, right: &Expr) -> Expr {
    let (op, op_span, span) = (BinaryOp::Equal, right.span, left.span);
    let (left, right) = (left.clone().into(), right.clone().into());
    Expr { kind: ExprKind::Binary { op, left, right, op_span }, span }
}

/// Whether the value is true or false, or there is none; never null, and never converted.
pub fn is_boolean(expr: &Expr, module: &Module, depth: usize) -> bool {
    use BinaryOp::{And, Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual, Or};
    let expr = expr.bare();
    let is_boolean = |it: &Expr| guarded(|| self::is_boolean(it, module, depth));
    match &expr.kind {
        ExprKind::Bool(_) | ExprKind::Unary { op: UnaryOp::Not, .. } => true,
        ExprKind::Binary { op, .. } => {
            matches!(
                op,
                And | Or | Equal | NotEqual | Less | LessOrEqual | Greater | GreaterOrEqual
            )
        }
        ExprKind::Conditional { then, otherwise, .. } => is_boolean(then) && is_boolean(otherwise),
        ExprKind::Call { name, args, expand: false } => match name.name.as_str() {
            "can" | "contains" | "alltrue" | "anytrue" | "startswith" | "endswith" => true,
            "try" => args.iter().all(is_boolean),
            _ => false,
        },
        ExprKind::GetAttr { .. } if depth < DEEPEST => local(expr, module)
            .is_some_and(|it| guarded(|| self::is_boolean(it, module, depth + 1))),
        _ => false,
    }
}
