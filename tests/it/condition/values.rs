//! Canonical values of a type, biased to the constants in a variable's conditions.

use terraschema::{
    module::Variable,
    syntax::{Expr, ExprKind, ObjectKey},
    value::Type,
};

/// A small generator of pseudo-random numbers, the same in every run.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed | 1)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % limit
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// What the conditions of a variable compare with.
#[derive(Default)]
pub struct Constants {
    strings: Vec<String>,
    numbers: Vec<f64>,
}

impl Constants {
    pub fn of(variable: &Variable) -> Constants {
        let mut constants = Constants::default();
        variable.validations.iter().for_each(|it| constants.collect(&it.condition));
        constants.strings.extend(
            [
                "",
                "a",
                "A",
                "ab",
                "a-b",
                "a b",
                "é",
                "😀",
                "10.0.0.0/16",
                "x\n",
                "1",
                "İ",
                "ſ",
                "\u{85}x",
                "\u{2028}",
                "010.0.0.1/08",
                "::/0",
                "1e3",
                "+5",
                ".5",
                "Inf",
                "٣",
                "x,y",
                "a.b",
            ]
            .map(str::to_owned),
        );
        constants.numbers.extend([0.0, 1.0, -1.0, 0.5, 3.0, 100.0]);
        constants
    }

    fn collect(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::String(text) => {
                self.strings.push(text.to_string());
                // Parts of patterns and of lists in one string are near what they match.
                let words = text.split(|it: char| !it.is_alphanumeric() && it != '-' && it != '_');
                self.strings.extend(words.filter(|it| !it.is_empty()).map(str::to_owned));
            }
            ExprKind::Number(text) => {
                let number: f64 = text.parse().unwrap_or_default();
                self.numbers.extend([number, number - 1.0, number + 1.0]);
            }
            ExprKind::Paren(it) | ExprKind::Wrap(it) | ExprKind::Unary { operand: it, .. } => {
                self.collect(it);
            }
            ExprKind::GetAttr { base, .. } => self.collect(base),
            ExprKind::Index { base, key, .. } => {
                self.collect(base);
                self.collect(key);
            }
            ExprKind::Splat { source, .. } => self.collect(source),
            ExprKind::Call { args, .. } | ExprKind::Tuple(args) => {
                args.iter().for_each(|it| self.collect(it));
            }
            ExprKind::Binary { left, right, .. } => {
                self.collect(left);
                self.collect(right);
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                self.collect(condition);
                self.collect(then);
                self.collect(otherwise);
            }
            ExprKind::Object(items) => {
                for item in items {
                    if let ObjectKey::Expr(key) = &item.key {
                        self.collect(key);
                    }
                    self.collect(&item.value);
                }
            }
            ExprKind::For(it) => {
                self.collect(&it.collection);
                self.collect(&it.value);
                it.condition.iter().for_each(|it| self.collect(it));
            }
            _ => (),
        }
    }

    /// A value as JSON text of the type's JSON kinds, without nulls.
    pub fn value(&self, ty: &Type, random: &mut Random, depth: usize) -> serde_json::Value {
        match ty {
            Type::String => self.string(random).into(),
            Type::Number => self.number(random),
            Type::Bool => (random.below(2) == 0).into(),
            Type::List(element) | Type::Set(element) => {
                let count = self.count(random, depth);
                let elements = (0..count).map(|_| self.value(element, random, depth + 1));
                let mut elements: Vec<_> = elements.collect();
                if matches!(ty, Type::Set(_)) {
                    let mut seen = Vec::new();
                    elements.retain(|it| {
                        !seen.contains(it) && {
                            seen.push(it.clone());
                            true
                        }
                    });
                }
                elements.into()
            }
            Type::Map(element) => {
                let count = self.count(random, depth);
                let member = |_| (self.string(random), self.value(element, random, depth + 1));
                (0..count).map(member).collect::<serde_json::Map<_, _>>().into()
            }
            Type::Object(object) => {
                let mut members = serde_json::Map::new();
                for (name, ty) in &object.attributes {
                    if !object.optional.contains(name) || random.below(3) > 0 {
                        members.insert(name.to_string(), self.value(ty, random, depth + 1));
                    }
                }
                members.into()
            }
            Type::Tuple(elements) => {
                elements.iter().map(|it| self.value(it, random, depth + 1)).collect()
            }
            Type::Dynamic => {
                let kinds = [Type::String, Type::Number, Type::Bool, Type::list(Type::String)];
                let kind = random.pick(&kinds).clone();
                self.value(&kind, random, depth + 1)
            }
        }
    }

    fn count(&self, random: &mut Random, depth: usize) -> usize {
        if depth == 0 && random.below(2) == 0 {
            let number = *random.pick(&self.numbers);
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small")]
            return number.clamp(0.0, 12.0) as usize;
        }
        random.below(3)
    }

    fn number(&self, random: &mut Random) -> serde_json::Value {
        let number = *random.pick(&self.numbers);
        let number = if random.below(8) == 0 { number + 0.5 } else { number };
        if number.fract() == 0.0 && number.abs() < 1e15 {
            #[expect(clippy::cast_possible_truncation, reason = "a small integer")]
            return (number as i64).into();
        }
        number.into()
    }

    fn string(&self, random: &mut Random) -> String {
        let base = random.pick(&self.strings);
        match random.below(12) {
            0 => format!("{base}{}", random.pick(&self.strings)),
            1 => format!("{base}-{}", random.below(10)),
            2 => {
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "small"
                )]
                let length = random.pick(&self.numbers).clamp(0.0, 300.0) as usize;
                "abc1".chars().cycle().take(length).collect()
            }
            3 => base.chars().skip(1).collect(),
            4 => base.to_uppercase(),
            5 => base.to_lowercase(),
            6 => format!("{base}\n"),
            7 => format!(" {base}"),
            _ => base.clone(),
        }
    }
}
