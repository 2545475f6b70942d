//! Guesses arguments from the constants in rules, if the sets say nothing.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use super::{contract::ModuleContract, names::names};
use hcl::{Expr, ExprKind, ObjectKey};
use module::Variable;
use projection::sets::{Sample, ValueSet, witnesses};
use stack::guarded;
use tf_value::{Number, Type, Value, typeexpr::value_source};

/// The most constants of each kind.
const MOST: usize = 40;

/// The longest list that is guessed.
const LONGEST: usize = 5;

/// How deep values of any type nest.
const DEEPEST: usize = 3;

/// The constants and names of attributes in rules. Values are made from them.
#[derive(Default)]
pub struct Guesses {
    texts: Vec<SmolStr>,
    numbers: Vec<Number>,
    names: Vec<SmolStr>,
    state: u64,
}

impl Guesses {
    /// Gathers them from the rules of these variables in both contracts.
    pub fn of(contracts: [&ModuleContract<'_>; 2], variables: &[SmolStr]) -> Guesses {
        let mut out = Guesses { state: 0x9e37_79b9_7f4a_7c15, ..Guesses::default() };
        for contract in contracts {
            for name in variables {
                let rules = contract.variable(name).map(|it| it.validations.as_slice());
                for rule in rules.unwrap_or_default() {
                    out.gather(&rule.condition);
                    for local in names(&rule.condition, &contract.module).locals() {
                        if let Some(it) = contract.module.locals.get(local) {
                            out.gather(&it.expr);
                        }
                    }
                }
            }
        }
        for it in ["", "a", "A", "1", "a/b", "é"] {
            out.add_text(it);
        }
        (-1..4).for_each(|it| out.numbers.push(Number::from_i64(it)));
        for it in ["a", "b"] {
            out.add_name(it);
        }
        out
    }

    fn add_text(&mut self, text: &str) {
        if self.texts.len() < MOST && !self.texts.iter().any(|it| it == text) {
            self.texts.push(text.into());
        }
    }

    fn add_name(&mut self, name: &str) {
        if self.names.len() < MOST && !self.names.iter().any(|it| it == name) {
            self.names.push(name.into());
        }
    }

    fn gather(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::String(text) => {
                self.add_text(text);
                // A text may be the name of a member, too.
                self.add_name(text);
            }
            ExprKind::Number(text) => {
                if let (Some(it), true) = (Number::parse(text), self.numbers.len() < MOST) {
                    let one = Number::from_i64(1);
                    self.numbers.push(it.clone());
                    for it in [it.add(&one), it.subtract(&one)] {
                        self.numbers.extend(it.ok());
                    }
                }
            }
            ExprKind::GetAttr { name, .. } => self.add_name(&name.name),
            ExprKind::Object(items) => {
                for item in items {
                    if let ObjectKey::Name(name) = &item.key {
                        self.add_name(&name.name);
                    }
                }
            }
            _ => (),
        }
        guarded(|| expr.for_each_child(&mut |it| self.gather(it)));
    }

    fn below(&mut self, limit: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        usize::try_from((self.state >> 33) % limit.max(1) as u64).unwrap_or(0)
    }

    /// A value for a variable: null, one of the pool that its own rules leave, or any of its type.
    pub fn value(&mut self, variable: &Variable, pool: &[Value]) -> Value {
        if variable.is_nullable() && self.below(8) == 0 {
            return Value::null(Type::Dynamic);
        }
        if !pool.is_empty() && self.below(3) == 0 {
            return pool[self.below(pool.len())].clone();
        }
        self.of_type(&variable.constraint.ty, 0)
    }

    fn of_type(&mut self, ty: &Type, depth: usize) -> Value {
        guarded(|| match ty {
            Type::Bool => Value::bool(self.below(2) == 0),
            Type::Number => Value::number(self.number()),
            Type::String => Value::string(self.text()),
            Type::List(element) => Value::tuple(self.elements(element, depth)),
            Type::Set(element) => {
                let mut all = self.elements(element, depth);
                let mut seen: Vec<String> = Vec::new();
                all.retain(|it| {
                    let text = value_source(it);
                    let is_new = !seen.contains(&text);
                    seen.push(text);
                    is_new
                });
                Value::tuple(all)
            }
            Type::Map(element) => {
                let count = self.below(LONGEST);
                let each = (0..count).map(|_| (self.name(), self.of_type(element, depth)));
                Value::object(each.collect())
            }
            Type::Tuple(all) => {
                Value::tuple(all.iter().map(|it| self.of_type(it, depth)).collect())
            }
            Type::Object(object) => {
                let mut out = BTreeMap::new();
                for (name, ty) in &object.attributes {
                    if !object.optional.contains(name) || self.below(2) == 0 {
                        out.insert(name.clone(), self.of_type(ty, depth));
                    }
                }
                Value::object(out)
            }
            Type::Dynamic => self.of_any(depth),
        })
    }

    fn elements(&mut self, element: &Type, depth: usize) -> Vec<Value> {
        let count = self.below(LONGEST);
        // Elements that are not scalars have one type in the whole list.
        if *element == Type::Dynamic {
            let first = self.of_any(depth + 1);
            let ty = first.ty().clone();
            return (0..count)
                .map(|at| {
                    if at == 0 || !matches!(ty, Type::Bool | Type::Number | Type::String) {
                        first.clone()
                    } else {
                        self.of_type(&ty, depth)
                    }
                })
                .collect();
        }
        (0..count).map(|_| self.of_type(element, depth)).collect()
    }

    fn of_any(&mut self, depth: usize) -> Value {
        let most = if depth < DEEPEST { 6 } else { 3 };
        match self.below(most) {
            0 => self.of_type(&Type::String, depth),
            1 => self.of_type(&Type::Number, depth),
            2 => self.of_type(&Type::Bool, depth),
            3 | 4 => {
                let count = self.below(4);
                let each = (0..count).map(|_| (self.name(), self.of_any(depth + 1)));
                Value::object(each.collect())
            }
            _ => {
                let count = self.below(4);
                Value::tuple((0..count).map(|_| self.of_any(depth + 1)).collect())
            }
        }
    }

    fn name(&mut self) -> SmolStr {
        let at = self.below(self.names.len());
        self.names[at].clone()
    }

    fn number(&mut self) -> Number {
        let at = self.below(self.numbers.len());
        self.numbers[at].clone()
    }

    fn constant(&mut self) -> SmolStr {
        let at = self.below(self.texts.len());
        self.texts[at].clone()
    }

    fn text(&mut self) -> String {
        let text = self.constant().to_string();
        match self.below(12) {
            0 => text + &self.constant(),
            1 => text.to_uppercase(),
            2 => text.repeat(1 + self.below(4)),
            3 => self.number().to_decimal(),
            4 => {
                let sample = Sample { count: 3, seed: self.state | 1, null: false };
                let all = witnesses(&ValueSet::Anything, &Type::String, sample);
                all.last().and_then(Value::as_str).unwrap_or_default().to_owned()
            }
            _ => text,
        }
    }
}
