//! Why a condition is false: the parts that made it false, their values, and the path inside of the
//! variable's value that they are about.

use diagnostics::Sources;
use hcl::{BinaryOp, Expr, ExprKind, ForExpr, ObjectKey, UnaryOp};
use smol_str::SmolStr;
use stack::guarded;
use tf_eval::{Scope, evaluate_part};
use tf_value::{Path, Step, Type, Value, json, ops};

/// The number of values that one explanation shows.
const MAX_FACTS: usize = 6;
/// The characters that are shown of one value, and of one expression.
const MAX_TEXT: usize = 80;

/// Why a condition is false. For example: `port.number is 70000 in var.ports[1]`.
#[derive(Debug, Default)]
pub(super) struct Explanation {
    /// The text; empty if there is nothing to say. Marked values are left out.
    pub text: String,
    /// The innermost path in the variable's value that the false parts are all about.
    pub path: Path,
}

/// Explains a condition of the variable `name` that is false in this scope. Every value that must not be
/// shown is marked.
pub(super) fn explain(
    condition: &Expr,
    name: &str,
    scope: &Scope<'_>,
    sources: &Sources,
) -> Explanation {
    let mut walk = Walk::new(scope, sources, name);
    walk.why(condition, false);
    walk.facts.finish(MAX_FACTS)
}

/// The values that an expression reads which cannot be evaluated. For example: `var.size is 2`. A value that
/// must not be shown is `(sensitive)`.
pub(super) fn operands(expr: &Expr, scope: &Scope<'_>, sources: &Sources) -> String {
    let mut walk = Walk { names_hidden: true, ..Walk::new(scope, sources, "") };
    walk.failed(expr);
    walk.facts.finish(MAX_FACTS).text
}

/// A walk down the parts of a condition that decided it.
struct Walk<'a> {
    scope: &'a Scope<'a>,
    sources: &'a Sources,
    /// The variable that the condition is about.
    name: &'a str,
    bound: Vec<Bound>,
    facts: Facts,
    /// Whether values that must not be shown are named.
    names_hidden: bool,
}

/// A name that an iteration binds.
#[derive(Clone)]
struct Bound {
    name: SmolStr,
    value: Value,
    /// The path of the value inside of the variable's value.
    path: Option<Path>,
}

impl<'a> Walk<'a> {
    fn new(scope: &'a Scope<'a>, sources: &'a Sources, name: &'a str) -> Walk<'a> {
        let (bound, facts) = (Vec::new(), Facts::default());
        Walk { scope, sources, name, bound, facts, names_hidden: false }
    }

    /// The value of a part; `None` when it cannot be evaluated.
    fn value(&self, expr: &Expr) -> Option<Value> {
        let names: Vec<_> =
            self.bound.iter().map(|it| (it.name.clone(), it.value.clone())).collect();
        let evaluation = evaluate_part(expr, self.scope, &names);
        evaluation.diagnostics.is_empty().then_some(evaluation.value)
    }

    fn truth(&self, expr: &Expr) -> Option<bool> {
        self.value(expr)?.as_bool()
    }

    /// Notes the value of a part, unless it must not be shown.
    fn fact(&mut self, expr: &Expr) {
        let Some(value) = self.value(expr) else { return };
        if value.deep_marks().is_hidden() && self.names_hidden {
            let text = short(&one_line(&self.sources.snippet(expr.span)));
            self.facts.add(text, "(sensitive)".to_owned());
            return;
        }
        if value.deep_marks().is_hidden() || !value.is_wholly_known() {
            return;
        }
        let text = short(&one_line(&self.sources.snippet(expr.span)));
        let value = json::value_to_json_start(&value, 4 * MAX_TEXT).unwrap_or_default();
        self.facts.add(text, short(&value));
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn short(text: &str) -> String {
    if text.chars().count() <= MAX_TEXT {
        return text.to_owned();
    }
    text.chars().take(MAX_TEXT).chain("…".chars()).collect()
}

// The facts that an explanation has found so far.

#[derive(Debug, Default)]
struct Facts {
    /// Expressions and their values, in the order of the condition, each once.
    shown: Vec<(String, String)>,
    /// The path that all false parts have in common; `None` while there is none.
    path: Option<Path>,
    /// The elements that decided, such as `var.ports[1]`.
    elements: Vec<String>,
    /// Why a part can never hold.
    never: Option<String>,
}

impl Facts {
    pub fn add(&mut self, expr: String, value: String) {
        let fact = (expr, value);
        if fact.0 != fact.1 && !self.shown.contains(&fact) {
            self.shown.push(fact);
        }
    }

    /// Narrows the path to what it has in common with `path`.
    pub fn about(&mut self, path: &Path) {
        self.path = Some(match self.path.take() {
            None => path.clone(),
            Some(known) => {
                let same = known.0.iter().zip(&path.0).take_while(|(a, b)| a == b).count();
                Path(known.0.into_iter().take(same).collect())
            }
        });
    }

    /// Notes an element of a collection that decided.
    pub fn element(&mut self, element: String) {
        if !self.elements.contains(&element) {
            self.elements.push(element);
        }
    }

    /// Notes why a part can never hold.
    pub fn never(&mut self, reason: String) {
        self.never.get_or_insert(reason);
    }

    pub fn finish(self, most: usize) -> Explanation {
        let facts = self.shown.iter().take(most).map(|(expr, value)| format!("{expr} is {value}"));
        let mut text = facts.collect::<Vec<_>>().join(", ");
        if let (Some(element), false) = (self.elements.last(), text.is_empty()) {
            text += &format!(" in {element}");
        }
        if let Some(reason) = self.never {
            text = if text.is_empty() { reason } else { format!("{text}; {reason}") };
        }
        Explanation { text, path: self.path.unwrap_or_default() }
    }
}

// The path inside of the variable's value that an expression reads.

impl Walk<'_> {
    /// The path whose value an expression gives: `var.x.a[0]`, `port.number`.
    pub fn value_path(&self, expr: &Expr) -> Option<Path> {
        guarded(|| match &expr.bare().kind {
            ExprKind::Variable(name) => {
                let bound = self.bound.iter().rev().find(|it| it.name == *name)?;
                bound.path.clone()
            }
            ExprKind::GetAttr { base, name } if is_root(base) => {
                (name.name == self.name && self.is_free("var")).then(Path::default)
            }
            ExprKind::GetAttr { base, name } => {
                Some(self.value_path(base)?.with(Step::Attribute(name.name.clone())))
            }
            ExprKind::Index { base, key, .. } => {
                let path = self.value_path(base)?;
                let is_set = matches!(self.value(base)?.ty(), Type::Set(_));
                let key = self.value(key)?.unmark_deep().0;
                (!is_set && key.is_known() && !key.is_null()).then(|| path.with(Step::Index(key)))
            }
            _ => None,
        })
    }

    fn is_free(&self, name: &str) -> bool {
        !self.bound.iter().any(|it| it.name == name)
    }
}

fn is_root(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Variable(name) if name == "var")
}

// The walk down from a wrong condition to the parts that made it wrong.

/// Functions that give the elements of their arguments in another form.
const SAME_ELEMENTS: [&str; 7] =
    ["flatten", "concat", "tolist", "values", "compact", "toset", "distinct"];

impl Walk<'_> {
    /// Collects the parts that made `expr` give `is`.
    pub fn why(&mut self, expr: &Expr, is: bool) {
        let expr = expr.bare();
        guarded(|| match &expr.kind {
            ExprKind::Unary { op: UnaryOp::Not, operand } => self.why(operand, !is),
            ExprKind::Binary { op: op @ (BinaryOp::And | BinaryOp::Or), .. } => {
                self.operands(*op, expr, is);
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                let taken = self.truth(condition) == Some(true);
                self.leaf(condition);
                self.why(if taken { then } else { otherwise }, is);
            }
            ExprKind::Call { name, args, expand: false } => {
                match (name.name.as_str(), args.as_slice()) {
                    // One element decides here; in the other cases all elements do.
                    ("alltrue", [list]) if !is => self.element(list, false),
                    ("anytrue", [list]) if is => self.element(list, true),
                    _ => self.leaf(expr),
                }
            }
            _ => self.leaf(expr),
        });
    }

    /// Explains only the operands with the result of the whole: they decided. Each operand of a chain is evaluated
    /// once, not once more with each of its beginnings.
    fn operands(&mut self, op: BinaryOp, chain: &Expr, is: bool) {
        let mut left = vec![chain];
        while let Some(operand) = left.pop() {
            match &operand.bare().kind {
                ExprKind::Binary { op: other, left: first, right: second, .. } if *other == op => {
                    left.extend([&**second, first]);
                }
                _ if self.truth(operand).is_none_or(|it| it == is) => self.why(operand, is),
                _ => (),
            }
        }
    }

    /// Explains the first element with the result `is` in a list of conditions, or else the list as a
    /// whole.
    fn element(&mut self, list: &Expr, is: bool) {
        if !self.find_element(list, is) {
            self.leaf(list);
        }
    }

    fn find_element(&mut self, list: &Expr, is: bool) -> bool {
        guarded(|| match &list.bare().kind {
            ExprKind::For(it) => self.find_in_for(it, is),
            ExprKind::Tuple(elements) => elements.iter().any(|it| self.is_element(it, is)),
            ExprKind::Object(items) => items.iter().any(|it| self.is_element(&it.value, is)),
            ExprKind::Call { name, args, .. } if SAME_ELEMENTS.contains(&name.name.as_str()) => {
                args.iter().any(|it| self.find_element(it, is))
            }
            _ => false,
        })
    }

    /// Whether an element decided, as a condition or as a list of conditions.
    fn is_element(&mut self, element: &Expr, is: bool) -> bool {
        match self.value(element) {
            Some(value) if value.as_bool() == Some(is) => {
                self.why(element, is);
                true
            }
            Some(value) if value.as_sequence().is_some() => self.find_element(element, is),
            _ => false,
        }
    }

    fn find_in_for(&mut self, it: &ForExpr, is: bool) -> bool {
        let Some(collection) = self.value(&it.collection) else { return false };
        let path = self.value_path(&it.collection);
        let (depth, marks) = (self.bound.len(), collection.deep_marks());
        let Some(elements) = ops::elements(&collection) else { return false };
        for (key, value) in elements {
            // A key is as secret as its value.
            let (key, value) = (key.with_marks(marks), value.clone().with_marks(marks));
            let path = path.as_ref().and_then(|it| element_path(it, collection.ty(), &key));
            self.bind(it, &key, value, path);
            let is_taken = it.condition.as_ref().is_none_or(|it| self.truth(it) == Some(true));
            let found = is_taken && self.is_element(&it.value, is);
            self.bound.truncate(depth);
            if found {
                let name = one_line(&self.sources.snippet(it.collection.span));
                if !marks.is_hidden() {
                    self.facts.element(element_name(&name, collection.ty(), &key));
                }
                return true;
            }
        }
        false
    }

    fn bind(&mut self, it: &ForExpr, key: &Value, value: Value, path: Option<Path>) {
        if let Some(name) = &it.key_name {
            // A key has no path of its own; an error in it is shown at its element.
            let bound = Bound { name: name.name.clone(), value: key.clone(), path: path.clone() };
            self.bound.push(bound);
        }
        self.bound.push(Bound { name: it.value_name.name.clone(), value, path });
    }

    /// Notes what an expression that cannot be evaluated reads.
    pub fn failed(&mut self, expr: &Expr) {
        match &expr.bare().kind {
            ExprKind::GetAttr { base, .. } => self.reads(base),
            ExprKind::Index { base, key, .. } => {
                self.reads(base);
                self.reads(key);
            }
            _ => self.leaf(expr.bare()),
        }
    }

    /// A comparison of a collection with `{}` or `[]`: their types differ, so it never holds.
    fn empty_constructor(&mut self, left: &Expr, right: &Expr) {
        for (value, constructor) in [(left, right), (right, left)] {
            let (text, name) = match &constructor.bare().kind {
                ExprKind::Object(items) if items.is_empty() => ("{}", "an object"),
                ExprKind::Tuple(items) if items.is_empty() => ("[]", "a tuple"),
                _ => continue,
            };
            let Some(ty) = self.value(value).map(|it| it.ty().clone()) else { continue };
            let kind = match ty {
                Type::Map(_) => "a map",
                Type::List(_) => "a list",
                Type::Set(_) => "a set",
                _ => continue,
            };
            let value = one_line(&self.sources.snippet(value.span));
            self.facts.never(format!(
                "this never holds, because {text} is {name} and {value} is {kind}: write \
                 length({value}) == 0"
            ));
        }
    }

    /// A part without truth values inside: notes its operands, and the names that they read.
    fn leaf(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Binary { op, left, right, .. } => {
                self.operand(left);
                self.operand(right);
                if *op == BinaryOp::Equal {
                    self.empty_constructor(left, right);
                }
            }
            ExprKind::Call { name, args, .. } if ["can", "try"].contains(&name.name.as_str()) => {
                args.iter().for_each(|it| self.reads(it));
            }
            ExprKind::Call { args, .. } => args.iter().for_each(|it| self.operand(it)),
            _ => self.operand(expr),
        }
    }

    /// Notes an operand and the names that it reads, unless it is a constant.
    fn operand(&mut self, expr: &Expr) {
        let expr = expr.bare();
        if matches!(expr.kind, ExprKind::Call { .. } | ExprKind::Binary { .. } | ExprKind::For(_))
            && depends(expr)
        {
            self.fact(expr);
        }
        self.reads(expr);
    }

    /// Notes every name with its steps that an expression reads.
    fn reads(&mut self, expr: &Expr) {
        let expr = expr.bare();
        guarded(|| match &expr.kind {
            ExprKind::Variable(_) | ExprKind::GetAttr { .. } | ExprKind::Index { .. } => {
                self.read(expr);
            }
            _ => children(expr).into_iter().for_each(|it| self.reads(it)),
        });
    }

    fn read(&mut self, expr: &Expr) {
        if let Some(path) = self.value_path(expr) {
            self.facts.about(&path);
        }
        self.fact(expr);
    }
}

/// Whether an expression reads anything.
fn depends(expr: &Expr) -> bool {
    guarded(|| match &expr.bare().kind {
        ExprKind::Variable(_) => true,
        _ => children(expr).into_iter().any(depends),
    })
}

fn element_path(collection: &Path, ty: &Type, key: &Value) -> Option<Path> {
    match ty {
        // A set orders its elements differently from the given list.
        Type::Set(_) => Some(collection.clone()),
        Type::Object(_) => Some(collection.with(Step::Attribute(key.as_str()?.into()))),
        _ => Some(collection.with(Step::Index(key.clone()))),
    }
}

/// The name of an element: `var.ports[1]`; an element of a set has no name of its own.
fn element_name(collection: &str, ty: &Type, key: &Value) -> String {
    match ty {
        Type::Set(_) => format!("an element of {collection}"),
        _ => format!("{collection}{}", Path(vec![Step::Index(key.clone())])),
    }
}

/// The parts of an expression, without those that an iteration evaluates for each element.
fn children(expr: &Expr) -> Vec<&Expr> {
    match &expr.bare().kind {
        ExprKind::Unary { operand, .. } => vec![operand],
        ExprKind::Binary { left, right, .. } => vec![left, right],
        ExprKind::Conditional { condition, then, otherwise } => vec![condition, then, otherwise],
        ExprKind::Call { args, .. } | ExprKind::Tuple(args) => args.iter().collect(),
        ExprKind::GetAttr { base, .. } => vec![base],
        ExprKind::Index { base, key, .. } => vec![base, key],
        ExprKind::Splat { source, .. } => vec![source],
        ExprKind::For(it) => vec![&it.collection],
        ExprKind::Object(items) => {
            let keys = items.iter().filter_map(|it| match &it.key {
                ObjectKey::Expr(key) | ObjectKey::Template(key) => Some(key),
                ObjectKey::Name(_) => None,
            });
            keys.chain(items.iter().map(|it| &it.value)).collect()
        }
        ExprKind::Template(parts) => parts
            .iter()
            .filter_map(|it| match it {
                hcl::TemplatePart::Interpolation(it) => Some(it),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}
