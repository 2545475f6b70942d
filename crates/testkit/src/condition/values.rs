//! Canonical values of a type, biased to what a condition and its translation compare with.

use hcl::{Expr, ExprKind};
use module::Module;
use regex_syntax::hir::Hir;
use serde_json::Value as Json;
use tf_value::Type;

use super::{
    formats::Format,
    matching::{changed, is_canonical, matching, parse},
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

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// Texts that the idioms of modules ask for, and those that distinguish dialects.
const TEXTS: [&str; 46] = [
    "",
    "a",
    "A",
    "ab",
    "a-b",
    "a b",
    "é",
    "😀",
    "x\n",
    "1",
    "İ",
    "ſ",
    "\u{85}x",
    "\u{2028}",
    "1e3",
    "+5",
    ".5",
    "Inf",
    "٣",
    "x,y",
    "a.b",
    "10.0.0.0/16",
    "010.0.0.1/08",
    "::/0",
    "10.0.0.1",
    "10.0.0.0/32",
    "2001:db8::/64",
    "arn:aws:iam::123456789012:role/x",
    "2024-02-29T10:00:00Z",
    "2024-02-30T10:00:00Z",
    "2024-02-29",
    "https://example.com/a?b=c",
    "me@example.com",
    "1.2.3",
    "v1.2",
    "12h",
    "true",
    "null",
    "{\"a\": 1}",
    "[1]",
    "YWI=",
    "{",
    "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/r",
    "projects/p/x",
    "*",
    "3fa85f64-5717-4562-b3fc-2c963f66afa6",
];

/// What values are made of.
pub struct Pool {
    strings: Vec<String>,
    patterns: Vec<Hir>,
    numbers: Vec<f64>,
    /// What the condition's functions read.
    formats: Vec<Format>,
    /// Whether the schema takes null somewhere inside.
    nulls: bool,
}

impl Pool {
    /// From a condition, the locals that it refers to, and its translation.
    pub fn of(module: &Module, conditions: &[&Expr], schema: &Json) -> Pool {
        let mut pool = Pool {
            strings: Vec::new(),
            patterns: Vec::new(),
            numbers: Vec::new(),
            formats: Vec::new(),
            nulls: schema.to_string().contains("\"null\""),
        };
        conditions.iter().for_each(|it| pool.collect(module, it, 0));
        pool.collect_schema(schema);
        // What the author wrote comes up more often than what everybody may write.
        let own: Vec<String> = pool.strings.clone();
        for _ in 0..(60 / own.len().max(1)).min(8) {
            pool.strings.extend(own.iter().cloned());
        }
        pool.strings.extend(TEXTS.map(str::to_owned));
        pool.numbers.extend([0.0, 1.0, -1.0, 3.0, 100.0]);
        pool
    }

    /// The pattern and the words in it, which are near what it matches.
    fn text(&mut self, text: &str) {
        self.strings.push(text.to_owned());
        let words = text.split(|it: char| !it.is_alphanumeric() && it != '-' && it != '_');
        self.strings.extend(words.filter(|it| !it.is_empty()).map(str::to_owned));
        if text.contains(['[', '(', '^', '\\', '*']) {
            self.patterns.extend(parse(text));
        }
    }

    fn number(&mut self, number: f64) {
        self.numbers.extend([number, number - 1.0, number + 1.0]);
        self.strings.extend([number, number + 1.0].map(|it| it.to_string()));
    }

    fn collect_schema(&mut self, schema: &Json) {
        match schema {
            Json::Object(members) => {
                for (key, it) in members {
                    match (key.as_str(), it) {
                        ("pattern", Json::String(pattern)) => self.patterns.extend(parse(pattern)),
                        ("patternProperties", Json::Object(patterns)) => {
                            self.patterns.extend(patterns.keys().filter_map(|it| parse(it)));
                        }
                        ("enum", Json::Array(values)) => {
                            let texts = values.iter().filter_map(Json::as_str);
                            self.strings.extend(texts.map(str::to_owned));
                        }
                        ("required", Json::Array(names)) => {
                            let names = names.iter().filter_map(Json::as_str);
                            self.strings.extend(names.map(str::to_owned));
                        }
                        _ => (),
                    }
                    self.collect_schema(it);
                }
            }
            Json::Array(elements) => elements.iter().for_each(|it| self.collect_schema(it)),
            Json::Number(it) => self.numbers.extend(it.as_f64()),
            _ => (),
        }
    }

    fn collect(&mut self, module: &Module, expr: &Expr, depth: usize) {
        match &expr.kind {
            ExprKind::String(text) => self.text(text),
            ExprKind::Number(text) => self.number(text.parse().unwrap_or_default()),
            ExprKind::GetAttr { base, name } => {
                let is_local = matches!(&base.kind, ExprKind::Variable(it) if it == "local");
                let local = module.locals.get(&name.name).filter(|_| is_local && depth < 8);
                if let Some(local) = local {
                    self.collect(module, &local.expr, depth + 1);
                } else {
                    self.collect(module, base, depth);
                    self.strings.push(name.name.to_string());
                }
            }
            kind => {
                if let ExprKind::Call { name, .. } = kind {
                    self.formats.extend(Format::read_by(&name.name));
                }
                expr.for_each_child(&mut |it| self.collect(module, it, depth));
            }
        }
    }

    /// A value inside of another one: sometimes null, where the schema may take that.
    fn inner(&self, ty: &Type, random: &mut Random, depth: usize) -> Json {
        let is_possible = self.nulls || *ty == Type::Dynamic;
        if is_possible && random.below(10) == 0 {
            Json::Null
        } else {
            self.value(ty, random, depth)
        }
    }

    /// A value of the type's JSON kinds that is not null itself.
    pub fn value(&self, ty: &Type, random: &mut Random, depth: usize) -> Json {
        match ty {
            Type::String => self.string(random).into(),
            Type::Number => self.number_value(random),
            Type::Bool => (random.below(2) == 0).into(),
            Type::List(element) | Type::Set(element) => {
                let count = self.count(random, depth);
                let mut elements: Vec<Json> = Vec::new();
                for _ in 0..count {
                    let repeated = !elements.is_empty() && random.below(5) == 0;
                    elements.push(if repeated {
                        random.pick(&elements).clone()
                    } else {
                        self.inner(element, random, depth + 1)
                    });
                }
                if matches!(ty, Type::Set(_)) {
                    unique(&mut elements);
                }
                elements.into()
            }
            Type::Map(element) => {
                let count = self.count(random, depth);
                let member = |_| (self.string(random), self.inner(element, random, depth + 1));
                (0..count).map(member).collect::<serde_json::Map<_, _>>().into()
            }
            Type::Object(object) => {
                // Most of the optional attributes, or one of them, or none.
                let one = random.below(2 * object.attributes.len().max(1));
                let most = random.below(4) > 0;
                let mut members = serde_json::Map::new();
                for (index, (name, ty)) in object.attributes.iter().enumerate() {
                    let there = if most { random.below(3) > 0 } else { index == one };
                    if there || !object.optional.contains(name) {
                        members.insert(name.to_string(), self.inner(ty, random, depth + 1));
                    }
                }
                members.into()
            }
            Type::Tuple(elements) => {
                elements.iter().map(|it| self.inner(it, random, depth + 1)).collect()
            }
            Type::Dynamic => {
                let flat = [Type::String, Type::Number, Type::Bool];
                let nested = [Type::list(Type::Dynamic), Type::map(Type::Dynamic)];
                let kinds: Vec<&Type> = if depth < 4 {
                    flat.iter().chain(&flat).chain(&nested).chain(&nested).collect()
                } else {
                    flat.iter().collect()
                };
                let kind = *random.pick(&kinds);
                self.value(kind, random, depth + 1)
            }
        }
    }

    /// A value that differs in one place.
    pub fn changed(&self, value: &Json, ty: &Type, random: &mut Random, depth: usize) -> Json {
        if random.below(8) == 0 {
            return if depth > 0 {
                self.inner(ty, random, depth)
            } else {
                self.value(ty, random, depth)
            };
        }
        let any = (Type::list(Type::Dynamic), Type::map(Type::Dynamic));
        let ty = match (value, ty) {
            (Json::Array(_), Type::Dynamic) => &any.0,
            (Json::Object(_), Type::Dynamic) => &any.1,
            _ => ty,
        };
        match (value, ty) {
            (Json::String(text), Type::String | Type::Dynamic) => {
                for _ in 0..8 {
                    let text = match random.below(8) {
                        0 => self.resized(text, random),
                        _ => changed(text, random),
                    };
                    if is_canonical(&text) {
                        return text.into();
                    }
                }
                value.clone()
            }
            (Json::Number(it), Type::Number | Type::Dynamic) => {
                let number = it.as_f64().unwrap_or_default();
                let step = *random.pick(&[1.0, 0.5, 0.125, 0.01]);
                #[expect(clippy::cast_precision_loss, reason = "a small number")]
                let steps = random.below(21) as f64 - 10.0;
                if random.below(3) == 0 {
                    self.number_value(random)
                } else {
                    json(number + steps * step)
                }
            }
            (Json::Array(elements), Type::List(element) | Type::Set(element)) => {
                let mut elements = elements.clone();
                if elements.is_empty() || random.below(3) == 0 {
                    elements.push(self.inner(element, random, depth + 1));
                } else if random.below(8) == 0 {
                    self.grow(&mut elements, matches!(ty, Type::Set(_)), random);
                } else {
                    let at = random.below(elements.len());
                    match random.below(4) {
                        0 => drop(elements.remove(at)),
                        1 => elements.push(elements[at].clone()),
                        _ => elements[at] = self.changed(&elements[at], element, random, depth + 1),
                    }
                }
                if matches!(ty, Type::Set(_)) {
                    unique(&mut elements);
                }
                elements.into()
            }
            (Json::Object(members), Type::Map(element)) => {
                let mut members = members.clone();
                let keys: Vec<String> = members.keys().cloned().collect();
                if keys.is_empty() || random.below(4) == 0 {
                    members.insert(self.string(random), self.inner(element, random, depth + 1));
                    return members.into();
                }
                let key = random.pick(&keys);
                match random.below(4) {
                    0 => drop(members.remove(key)),
                    1 => {
                        let it = members[key].clone();
                        members.insert(self.string(random), it);
                    }
                    _ => {
                        let it = self.changed(&members[key], element, random, depth + 1);
                        members.insert(key.clone(), it);
                    }
                }
                members.into()
            }
            (Json::Object(members), Type::Object(object)) if !object.attributes.is_empty() => {
                let mut members = members.clone();
                let names: Vec<_> = object.attributes.keys().collect();
                let name = *random.pick(&names);
                let ty = &object.attributes[name];
                match members.get(name.as_str()) {
                    Some(_) if object.optional.contains(name) && random.below(4) == 0 => {
                        members.remove(name.as_str());
                    }
                    Some(it) => {
                        let it = self.changed(it, ty, random, depth + 1);
                        members.insert(name.to_string(), it);
                    }
                    None => {
                        members.insert(name.to_string(), self.inner(ty, random, depth + 1));
                    }
                }
                members.into()
            }
            _ => self.value(ty, random, depth),
        }
    }

    /// The text repeated up to a length that the condition may name.
    fn resized(&self, text: &str, random: &mut Random) -> String {
        let text = if text.is_empty() { "a" } else { text };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small")]
        let length = random.pick(&self.numbers).clamp(0.0, 5000.0) as usize;
        text.chars().cycle().take(length).collect()
    }

    /// Repeats the elements up to a number of them that the condition may name.
    fn grow(&self, elements: &mut Vec<Json>, distinct: bool, random: &mut Random) {
        const MOST: f64 = 1100.0;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small")]
        let count = random.pick(&self.numbers).clamp(0.0, MOST) as usize;
        elements.truncate(count.max(1));
        for index in elements.len()..count {
            let it = match &elements[index % elements.len()] {
                Json::String(text) if distinct => format!("{text}{index}").into(),
                Json::Number(_) if distinct => index.into(),
                other => other.clone(),
            };
            elements.push(it);
        }
    }

    fn count(&self, random: &mut Random, depth: usize) -> usize {
        if depth == 0 && random.below(10) == 0 {
            return random.below(60);
        }
        if random.below(3 + 3 * depth) == 0 {
            let number = *random.pick(&self.numbers);
            let most = if depth == 0 { 120.0 } else { 12.0 };
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small")]
            return number.clamp(0.0, most) as usize;
        }
        random.below(3)
    }

    fn number_value(&self, random: &mut Random) -> Json {
        let number = *random.pick(&self.numbers);
        #[expect(clippy::cast_precision_loss, reason = "a small number")]
        let small = |random: &mut Random, limit: usize| random.below(limit) as f64;
        let number = match random.below(10) {
            0 => number + small(random, 200) / 8.0 - 12.5,
            1 | 2 => number + small(random, 200) - 100.0,
            3 => number * small(random, 40) / 4.0,
            4 => number * small(random, 200),
            // Between two that the condition names.
            5 | 6 => {
                let other = *random.pick(&self.numbers);
                let between = number + (other - number) * small(random, 65) / 64.0;
                if random.below(2) == 0 { between.round() } else { between }
            }
            _ => number,
        };
        json(number)
    }

    fn string(&self, random: &mut Random) -> String {
        for _ in 0..8 {
            let text = self.any_string(random);
            if is_canonical(&text) {
                return text;
            }
        }
        String::new()
    }

    fn any_string(&self, random: &mut Random) -> String {
        if !self.formats.is_empty() && random.below(2) == 0 {
            return random.pick(&self.formats).text(random);
        }
        if !self.patterns.is_empty() && random.below(2) == 0 {
            let mut text = matching(random.pick(&self.patterns), random);
            while random.below(3) == 0 {
                text += &matching(random.pick(&self.patterns), random);
            }
            return if random.below(3) == 0 { changed(&text, random) } else { text };
        }
        let base = random.pick(&self.strings);
        match random.below(12) {
            0 => format!("{base}{}", random.pick(&self.strings)),
            1 => format!("{base}-{}", random.below(10)),
            2 => {
                let number = *random.pick(&self.numbers);
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "small"
                )]
                let length = number.clamp(0.0, 5000.0) as usize;
                let letters = *random.pick(&["abc1", "😀é"]);
                letters.chars().cycle().take(length).collect()
            }
            3..=5 => changed(base, random),
            6 => random.below(100_000).to_string(),
            _ => base.clone(),
        }
    }
}

/// A whole number without a fraction.
fn json(number: f64) -> Json {
    if number.fract() == 0.0 && number.abs() < 1e15 {
        #[expect(clippy::cast_possible_truncation, reason = "a small integer")]
        return (number as i64).into();
    }
    number.into()
}

fn unique(elements: &mut Vec<Json>) {
    let mut seen: Vec<Json> = Vec::new();
    elements.retain(|it| {
        let new = !seen.contains(it);
        if new {
            seen.push(it.clone());
        }
        new
    });
}
