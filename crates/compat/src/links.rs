//! The links between questions about one expression: `f(x) < 3` and `f(x) > 5` are not both true.

use smol_str::SmolStr;

use super::objects::deep_form;
use hcl::{BinaryOp, Expr, ExprKind, UnaryOp};
use module::Module;

/// Longer numbers do not count as literals.
const DIGITS: usize = 30;

/// A literal constant.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    Number(i128),
    Text(SmolStr),
    Null,
}

/// A question without its expression.
#[derive(Clone, Debug)]
enum Asks {
    /// `E < 3`; the operator is that with the expression on the left.
    Order(BinaryOp, i128),
    /// `E == "a"`
    Is(Literal),
    /// `can(E)`
    Can,
    /// `contains(["a"], E)`
    Among(Vec<SmolStr>),
    /// `length(setsubtract(E, ["a"])) == 0`
    Within(Vec<SmolStr>),
}

/// A question about an expression.
#[derive(Clone, Debug)]
pub struct Link {
    /// The normal form of the expression.
    of: String,
    asks: Asks,
    /// Whether the expression is a length.
    is_length: bool,
}

/// The answer to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkAnswer {
    True,
    False,
    Null,
    Error,
}

pub fn literal(expr: &Expr) -> Option<Literal> {
    let integer = |it: &str| it.parse().ok().filter(|_| it.len() <= DIGITS);
    match &expr.bare().kind {
        ExprKind::Number(it) => integer(it).map(Literal::Number),
        ExprKind::Unary { op: UnaryOp::Negate, operand } => match &operand.bare().kind {
            ExprKind::Number(it) => integer(it).map(|it: i128| Literal::Number(-it)),
            _ => None,
        },
        ExprKind::String(it) => Some(Literal::Text(it.clone())),
        ExprKind::Null => Some(Literal::Null),
        _ => None,
    }
}

impl Link {
    pub fn of(question: &Expr, module: &Module) -> Option<Link> {
        let (expr, asks) = asked(question.bare())?;
        let is_length = matches!(&expr.bare().kind,
            ExprKind::Call { name, expand: false, .. } if name.name == "length");
        Some(Link { of: deep_form(expr, module)?, asks, is_length })
    }
}

/// The texts of a literal list: `["a", "b"]`.
fn texts(list: &Expr) -> Option<Vec<SmolStr>> {
    let ExprKind::Tuple(all) = &list.bare().kind else { return None };
    let texts = all.iter().map(|it| match literal(it) {
        Some(Literal::Text(it)) => Some(it),
        _ => None,
    });
    texts.collect()
}

/// The arguments of a call with two.
fn called<'e>(expr: &'e Expr, function: &str) -> Option<(&'e Expr, &'e Expr)> {
    let ExprKind::Call { name, args, expand: false } = &expr.bare().kind else { return None };
    let [one, other] = args.as_slice() else { return None };
    (name.name == function).then_some((one, other))
}

/// The two sets in `length(setsubtract(E, F))`.
fn subtracted(length: &Expr) -> Option<(&Expr, &Expr)> {
    let ExprKind::Call { name, args, expand: false } = &length.bare().kind else { return None };
    let [set] = args.as_slice() else { return None };
    (name.name == "length").then(|| called(set, "setsubtract"))?
}

fn asked(question: &Expr) -> Option<(&Expr, Asks)> {
    match &question.kind {
        ExprKind::Binary { op, left, right, .. } => {
            let (expr, other, op) = match (literal(left), literal(right)) {
                (None, Some(it)) => (left, it, *op),
                (Some(it), None) => (right, it, turned(*op)),
                _ => return None,
            };
            if let (BinaryOp::Equal | BinaryOp::LessOrEqual, Literal::Number(0)) = (op, &other)
                && let Some((set, list)) = subtracted(expr)
                && let Some(texts) = texts(list)
            {
                return Some((set, Asks::Within(texts)));
            }
            match (op, other) {
                (BinaryOp::Equal, it) => Some((expr, Asks::Is(it))),
                (
                    BinaryOp::Less
                    | BinaryOp::LessOrEqual
                    | BinaryOp::Greater
                    | BinaryOp::GreaterOrEqual,
                    Literal::Number(it),
                ) => Some((expr, Asks::Order(op, it))),
                _ => None,
            }
        }
        ExprKind::Call { name, args, expand: false } => match (name.name.as_str(), args.as_slice())
        {
            ("can", [it]) => Some((it, Asks::Can)),
            ("contains", [list, it]) => Some((it, Asks::Among(texts(list)?))),
            _ => None,
        },
        _ => None,
    }
}

/// The operator after both sides are swapped.
fn turned(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Less => BinaryOp::Greater,
        BinaryOp::LessOrEqual => BinaryOp::GreaterOrEqual,
        BinaryOp::Greater => BinaryOp::Less,
        BinaryOp::GreaterOrEqual => BinaryOp::LessOrEqual,
        other => other,
    }
}

/// Everything that answers say about one expression.
#[derive(Default)]
struct Demands<'l> {
    /// Whether it fails.
    fails: Option<bool>,
    /// Whether it is a number, or is converted to one.
    is_ordered: Option<bool>,
    least: Option<i128>,
    /// The upper bound. Like `least` it is doubled, as `limit` says.
    most: Option<i128>,
    is: Option<&'l Literal>,
    among: Vec<&'l Vec<SmolStr>>,
    not_among: Vec<&'l Vec<SmolStr>>,
    within: Vec<&'l Vec<SmolStr>>,
    not_within: Vec<&'l Vec<SmolStr>>,
}

/// Whether some value of the expressions may give these answers; `true` where that is not known.
pub fn may_be(answers: &[(&Link, LinkAnswer)]) -> bool {
    let mut seen: Vec<&str> = Vec::new();
    for (link, _) in answers {
        if seen.contains(&link.of.as_str()) {
            continue;
        }
        seen.push(&link.of);
        let own: Vec<_> = answers.iter().filter(|it| it.0.of == link.of).collect();
        let mut demands = Demands::default();
        if own.iter().any(|it| demands.add(it.0, it.1).is_none())
            || !demands.holds(link.is_length, &own)
        {
            return false;
        }
    }
    true
}

/// Notes a fact; `None` if the opposite was noted before.
fn agree(known: &mut Option<bool>, value: bool) -> Option<()> {
    let is_same = *known.get_or_insert(value) == value;
    is_same.then_some(())
}

impl<'l> Demands<'l> {
    fn add(&mut self, link: &'l Link, answer: LinkAnswer) -> Option<()> {
        match (&link.asks, answer) {
            (Asks::Can, _) => agree(&mut self.fails, answer == LinkAnswer::False),
            (Asks::Is(_), LinkAnswer::Error) => agree(&mut self.fails, true),
            (Asks::Is(it), _) => {
                agree(&mut self.fails, false)?;
                if answer == LinkAnswer::True {
                    (*self.is.get_or_insert(it) == it).then_some(())?;
                    match it {
                        Literal::Number(_) => agree(&mut self.is_ordered, true)?,
                        Literal::Null => agree(&mut self.is_ordered, false)?,
                        Literal::Text(_) => (),
                    }
                }
                Some(())
            }
            (Asks::Order(..), LinkAnswer::Error | LinkAnswer::Null) => {
                agree(&mut self.is_ordered, false)
            }
            (Asks::Order(op, limit), _) => {
                agree(&mut self.fails, false)?;
                agree(&mut self.is_ordered, true)?;
                self.limit(*op, *limit, answer == LinkAnswer::True);
                Some(())
            }
            (Asks::Among(_), LinkAnswer::Error | LinkAnswer::Null) => Some(()),
            (Asks::Within(_), LinkAnswer::Error | LinkAnswer::Null) => Some(()),
            (Asks::Within(it), _) => {
                agree(&mut self.fails, false)?;
                if answer == LinkAnswer::True {
                    self.within.push(it);
                } else {
                    self.not_within.push(it);
                }
                Some(())
            }
            (Asks::Among(it), _) => {
                agree(&mut self.fails, false)?;
                if answer == LinkAnswer::True {
                    self.among.push(it);
                } else {
                    self.not_among.push(it);
                }
                Some(())
            }
        }
    }

    /// Notes a bound, doubled, so that a strict one becomes an inclusive one: `E < 3` means at most 5 halves.
    fn limit(&mut self, op: BinaryOp, limit: i128, is_true: bool) {
        let point = limit.saturating_mul(2);
        let (is_least, limit) = match (op, is_true) {
            (BinaryOp::Less, true) | (BinaryOp::GreaterOrEqual, false) => (false, point - 1),
            (BinaryOp::LessOrEqual, true) | (BinaryOp::Greater, false) => (false, point),
            (BinaryOp::Greater, true) | (BinaryOp::LessOrEqual, false) => (true, point + 1),
            _ => (true, point),
        };
        if is_least {
            self.least = self.least.max(Some(limit));
        } else {
            self.most = Some(self.most.map_or(limit, |it| it.min(limit)));
        }
    }

    fn holds(&self, is_length: bool, own: &[&(&Link, LinkAnswer)]) -> bool {
        // A length is a whole number, and never null.
        let (mut least, mut most) = (self.least, self.most);
        if is_length {
            if self.is_ordered == Some(false) && self.fails == Some(false)
                || self.is == Some(&Literal::Null)
            {
                return false;
            }
            least = Some(least.map_or(0, |it| (it + it.rem_euclid(2)).max(0)));
            most = most.map(|it| it - it.rem_euclid(2));
        }
        if self.fails == Some(true) && self.is_ordered == Some(true) {
            return false;
        }
        if let (Some(least), Some(most)) = (least, most) {
            if least > most {
                return false;
            }
            // One number is left, and an answer may exclude it.
            if is_length && least == most {
                let is_refused = own.iter().any(|(link, answer)| {
                    let Asks::Is(Literal::Number(it)) = link.asks else { return false };
                    *answer == LinkAnswer::False && it * 2 == least
                });
                if is_refused && self.fails != Some(true) {
                    return false;
                }
            }
        }
        if let Some(Literal::Number(it)) = self.is {
            let point = it.saturating_mul(2);
            let is_refused = own.iter().any(|(link, answer)| {
                matches!(&link.asks, Asks::Is(Literal::Number(other)) if other == it)
                    && *answer == LinkAnswer::False
            });
            if is_refused || least.is_some_and(|it| point < it) || most.is_some_and(|it| point > it)
            {
                return false;
            }
        }
        let contradict = |ones: &[&Vec<SmolStr>], others: &[&Vec<SmolStr>]| {
            let is_part = |one: &&Vec<SmolStr>| {
                others.iter().any(|it| one.iter().all(|text| it.contains(text)))
            };
            ones.iter().any(is_part)
        };
        !contradict(&self.among, &self.not_among) && !contradict(&self.within, &self.not_within)
    }
}
