//! Values for a variable: of its type mostly, from the literals of its rules and from its default.

use serde_json::{Map, Value as Json, json};
use testkit::random::Random;
use tf_value::Type;

use super::sample::sample;

const STRINGS: &[&str] = &[
    "",
    "a",
    "A",
    "ab",
    "a-b",
    "a_b",
    " a",
    "a\n",
    "é",
    "e\u{301}",
    "👩‍👩‍👧",
    "true",
    "false",
    "0",
    "1",
    "1.5",
    "-1",
    "null",
    "Inf",
    "10.0.0.0/8",
    "10.0.0.1",
    "2001:db8::/32",
    "us-east-1",
    "my-name-01",
    "t3.micro",
    "2024-01-01T00:00:00Z",
    "a@example.com",
    "https://example.com/x",
    "arn:aws:iam::123456789012:role/x",
    "{\"a\":1}",
    "${a}",
    "%{b}",
    "prod",
    "dev",
    "staging",
    "123456789012",
    "00000000-0000-0000-0000-000000000000",
    "Standard",
    "gp3",
    "1.30",
    "x.y.z",
];
const NUMBERS: &[&str] =
    &["0", "1", "-1", "2", "3", "5", "10", "0.5", "1.0", "1e3", "65535", "65536", "-0.0", "1e21"];

/// What the text of a module's rules offers.
pub struct Pool {
    strings: Vec<String>,
    numbers: Vec<i64>,
}

impl Pool {
    /// Takes the literals of conditions and types out of the module's text.
    pub fn new(text: &str) -> Pool {
        let mut pool = Pool { strings: Vec::new(), numbers: Vec::new() };
        let mut rest = text;
        while let Some(at) = rest.find(|it: char| it == '"' || it.is_ascii_digit()) {
            rest = &rest[at..];
            if rest.starts_with('"') {
                let end = string_end(rest);
                pool.strings.push(unescaped(&rest[1..end]));
                rest = &rest[(end + 1).min(rest.len())..];
            } else {
                let end = rest.find(|it: char| !it.is_ascii_digit()).unwrap_or(rest.len());
                pool.numbers.extend(rest[..end].parse::<i64>().ok().filter(|it| *it < 1 << 40));
                rest = &rest[end..];
            }
        }
        pool
    }

    fn string(&self, random: &mut Random) -> String {
        let from_text = |random: &mut Random| {
            if self.strings.is_empty() { None } else { Some(random.pick(&self.strings).clone()) }
        };
        match random.below(10) {
            0..4 => from_text(random).unwrap_or_default(),
            4..7 => from_text(random).and_then(|it| sample(&it, random)).unwrap_or_default(),
            7 => "a".repeat(usize::try_from(self.near(random)).unwrap_or_default().min(300)),
            _ => (*random.pick(STRINGS)).to_owned(),
        }
    }

    /// A number of the rules, or a neighbour of one.
    fn near(&self, random: &mut Random) -> i64 {
        if self.numbers.is_empty() {
            return 3;
        }
        random.pick(&self.numbers) + i64::try_from(random.below(3)).unwrap_or(0) - 1
    }

    fn number(&self, random: &mut Random) -> Json {
        if random.chance(60) {
            return json!(self.near(random));
        }
        let text: &&str = random.pick(NUMBERS);
        serde_json::from_str(text).unwrap()
    }

    fn length(&self, random: &mut Random) -> usize {
        if random.chance(80) {
            return random.below(4);
        }
        usize::try_from(self.near(random)).unwrap_or_default().min(12)
    }

    /// A value for a type constraint; now and then null, or of another type.
    pub fn value(&self, ty: &Type, random: &mut Random) -> Json {
        match random.below(100) {
            0..3 => return Json::Null,
            3..5 => return self.any(random),
            _ => (),
        }
        match ty {
            Type::Dynamic => self.any(random),
            Type::String => Json::String(self.string(random)),
            Type::Number if random.chance(5) => Json::String(self.number(random).to_string()),
            Type::Number => self.number(random),
            Type::Bool if random.chance(5) => json!(random.pick(&["true", "false", "1", "yes"])),
            Type::Bool => json!(random.chance(50)),
            Type::List(it) | Type::Set(it) => {
                let length = self.length(random);
                (0..length).map(|_| self.value(it, random)).collect()
            }
            Type::Map(it) => {
                let length = self.length(random);
                let members = (0..length).map(|_| (self.string(random), self.value(it, random)));
                Json::Object(members.collect())
            }
            Type::Tuple(of) => of.iter().map(|it| self.value(it, random)).collect(),
            Type::Object(object) => {
                let mut members = Map::new();
                for (name, ty) in &object.attributes {
                    let absent = if object.optional.contains(name) { 50 } else { 1 };
                    if !random.chance(absent) {
                        members.insert(name.to_string(), self.value(ty, random));
                    }
                }
                if random.chance(5) {
                    members.insert("surplus".to_owned(), json!(1));
                }
                Json::Object(members)
            }
        }
    }

    fn any(&self, random: &mut Random) -> Json {
        match random.below(8) {
            0..3 => json!(self.string(random)),
            3 => self.number(random),
            4 => json!(random.chance(50)),
            5 => json!([self.string(random), self.string(random)]),
            6 => json!({ self.string(random): self.string(random) }),
            _ => json!([{ "a": self.string(random) }, { "a": self.number(random) }]),
        }
    }

    /// The value with one leaf replaced.
    pub fn mutated(&self, value: &Json, random: &mut Random) -> Json {
        match value {
            Json::Array(all) if !all.is_empty() && random.chance(85) => {
                let mut all = all.clone();
                let at = random.below(all.len());
                all[at] = self.mutated(&all[at], random);
                Json::Array(all)
            }
            Json::Object(all) if !all.is_empty() && random.chance(85) => {
                let mut all = all.clone();
                let key = all.keys().nth(random.below(all.len())).cloned().unwrap();
                let changed = self.mutated(&all[&key], random);
                all.insert(key, changed);
                Json::Object(all)
            }
            Json::String(_) => self.value(&Type::String, random),
            Json::Number(_) => self.value(&Type::Number, random),
            Json::Bool(_) => self.value(&Type::Bool, random),
            _ => self.any(random),
        }
    }
}

/// The place of the closing quote of a literal that begins the text.
fn string_end(text: &str) -> usize {
    let mut escaped = false;
    let end = text.char_indices().skip(1).find(|(_, it)| {
        let ends = *it == '"' && !escaped;
        escaped = *it == '\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |it| it.0)
}

fn unescaped(text: &str) -> String {
    text.replace("\\\\", "\\").replace("\\\"", "\"").replace("\\n", "\n")
}
