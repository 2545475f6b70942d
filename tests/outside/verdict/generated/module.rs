//! Random modules: variables of nested types with rules over one another, locals, outputs, overrides.

use std::fmt::Write as _;

use testkit::random::Random;

/// A type as it is written.
#[derive(Clone, Debug)]
enum Kind {
    /// Without a `type` argument.
    Untyped,
    Any,
    String,
    Number,
    Bool,
    List(Box<Kind>),
    Set(Box<Kind>),
    Map(Box<Kind>),
    Tuple(Vec<Kind>),
    /// Each attribute with its default, where it is optional.
    Object(Vec<(&'static str, Kind, Option<String>)>),
}

const ATTRIBUTES: &[&str] = &["a", "b", "size"];
const STRINGS: &[&str] = &["a", "ab", "prod", "", "10.0.0.0/8", "1", "true"];

/// The texts of `main.tf` and, now and then, of `override.tf`.
pub fn module(random: &mut Random) -> (String, Option<String>) {
    let kinds: Vec<Kind> = (0..2 + random.below(3)).map(|_| kind(random, 2)).collect();
    let mut maker = Maker { random, kinds };
    let count = maker.kinds.len();
    let mut text: String = (0..count).map(|it| maker.variable(it)).collect();
    text += &maker.locals();
    let overrides = maker.random.chance(25).then(|| maker.overrides());
    (text, overrides)
}

fn kind(random: &mut Random, depth: usize) -> Kind {
    let inner = |random: &mut Random| Box::new(kind(random, depth - 1));
    match random.below(if depth == 0 { 8 } else { 16 }) {
        0..3 => Kind::String,
        3 | 4 => Kind::Number,
        5 => Kind::Bool,
        6 => Kind::Any,
        7 if depth == 2 => Kind::Untyped,
        7 => Kind::String,
        8 | 9 => Kind::List(inner(random)),
        10 => Kind::Set(inner(random)),
        11 | 12 => Kind::Map(inner(random)),
        13 => Kind::Tuple((0..=random.below(2)).map(|_| kind(random, depth - 1)).collect()),
        _ => Kind::Object(
            ATTRIBUTES[..=random.below(3)]
                .iter()
                .map(|name| {
                    let kind = kind(random, depth - 1);
                    let default = literal(&kind, random);
                    let default =
                        if random.chance(50) { format!(", {default}") } else { String::new() };
                    (*name, kind, random.chance(60).then_some(default))
                })
                .collect(),
        ),
    }
}

impl Kind {
    fn text(&self) -> String {
        match self {
            Kind::Untyped | Kind::Any => "any".to_owned(),
            Kind::String => "string".to_owned(),
            Kind::Number => "number".to_owned(),
            Kind::Bool => "bool".to_owned(),
            Kind::List(it) => format!("list({})", it.text()),
            Kind::Set(it) => format!("set({})", it.text()),
            Kind::Map(it) => format!("map({})", it.text()),
            Kind::Tuple(all) => {
                format!("tuple([{}])", all.iter().map(Kind::text).collect::<Vec<_>>().join(", "))
            }
            Kind::Object(all) => {
                let member = |(name, kind, default): &(&str, Kind, Option<String>)| match default {
                    Some(default) => format!("{name} = optional({}{default})", kind.text()),
                    None => format!("{name} = {}", kind.text()),
                };
                format!("object({{ {} }})", all.iter().map(member).collect::<Vec<_>>().join(", "))
            }
        }
    }
}

/// A constant of the type, mostly.
fn literal(kind: &Kind, random: &mut Random) -> String {
    if random.chance(6) {
        return "null".to_owned();
    }
    match kind {
        Kind::String | Kind::Any | Kind::Untyped => format!("{:?}", random.pick(STRINGS)),
        Kind::Number if random.chance(20) => format!("\"{}\"", random.below(9)),
        Kind::Number => random.below(9).to_string(),
        Kind::Bool => random.chance(50).to_string(),
        Kind::List(it) | Kind::Set(it) => {
            let all: Vec<String> = (0..random.below(3)).map(|_| literal(it, random)).collect();
            format!("[{}]", all.join(", "))
        }
        Kind::Map(it) => {
            let keys = &ATTRIBUTES[..random.below(3)];
            let all: Vec<String> =
                keys.iter().map(|key| format!("{key} = {}", literal(it, random))).collect();
            format!("{{ {} }}", all.join(", "))
        }
        Kind::Tuple(all) => {
            let all: Vec<String> = all.iter().map(|it| literal(it, random)).collect();
            format!("[{}]", all.join(", "))
        }
        Kind::Object(all) => {
            let given: Vec<_> =
                all.iter().filter(|it| it.2.is_none() || random.chance(50)).collect();
            let all: Vec<String> =
                given.iter().map(|it| format!("{} = {}", it.0, literal(&it.1, random))).collect();
            format!("{{ {} }}", all.join(", "))
        }
    }
}

struct Maker<'r> {
    random: &'r mut Random,
    /// The types of `v0`, `v1` and so on.
    kinds: Vec<Kind>,
}

impl Maker<'_> {
    fn variable(&mut self, index: usize) -> String {
        let kind = self.kinds[index].clone();
        let mut text = format!("variable \"v{index}\" {{\n");
        if !matches!(kind, Kind::Untyped) {
            writeln!(text, "  type = {}", kind.text()).unwrap();
        }
        if self.random.chance(50) {
            writeln!(text, "  default = {}", literal(&kind, self.random)).unwrap();
        }
        for (name, percent) in [("nullable", 25), ("sensitive", 15), ("ephemeral", 7)] {
            if self.random.chance(percent) {
                writeln!(text, "  {name} = {}", self.random.chance(60)).unwrap();
            }
        }
        for _ in 0..self.random.below(3) {
            let (condition, message) = (self.rule(index), self.message(index));
            text += &format!(
                "  validation {{\n    condition = {condition}\n    error_message = {message}\n  }}\n"
            );
        }
        text + "}\n"
    }

    /// A condition that refers to the variable, and now and then to others.
    fn rule(&mut self, index: usize) -> String {
        let own = format!("var.v{index}");
        let kind = self.kinds[index].clone();
        let first = self.condition(&kind, &own, 2);
        // An earlier variable, so that cycles are rare.
        let count = if self.random.chance(2) { self.kinds.len() } else { index.max(1) };
        let earlier = self.random.below(count);
        let (other, other_kind) = (format!("var.v{earlier}"), self.kinds[earlier].clone());
        match self.random.below(14) {
            0 => format!("{own} == null || {first}"),
            1 => format!("{own} != null && {first}"),
            2 => format!("{own} == null ? true : {first}"),
            3 => format!("{first} || {}", self.condition(&other_kind, &other, 1)),
            4 => format!("{first} && {}", self.condition(&other_kind, &other, 1)),
            5 => format!("{} ? {first} : true", self.condition(&other_kind, &other, 1)),
            6 => format!("{own} != {other}"),
            7 => format!("try({first}, false)"),
            8 => format!("can({first})"),
            9 if index > 0 => format!("local.l0 != null && {first}"),
            10 if index > 0 => format!("try(local.l0, 1) != {own} || {first}"),
            11 => format!("!({first})"),
            _ => first,
        }
    }

    /// A condition about a value of a type.
    fn condition(&mut self, kind: &Kind, place: &str, depth: usize) -> String {
        let number = self.random.below(4);
        let string = *self.random.pick(STRINGS);
        if depth == 0 {
            return format!("{place} != null");
        }
        let pick = self.random.below(6);
        match kind {
            Kind::String => match pick {
                0 => format!("length({place}) > {number}"),
                1 => format!("contains([\"a\", \"prod\"], {place})"),
                2 => format!("can(regex(\"^[a-z]+$\", {place}))"),
                3 => format!("startswith({place}, \"{string}\")"),
                4 => format!("{place} != \"{string}\""),
                _ => format!("try(tonumber({place}) > 1, true)"),
            },
            Kind::Number => match pick {
                0 => format!("{place} > {number}"),
                1 => format!("{place} >= 1 && {place} <= {}", number + 2),
                2 => format!("floor({place}) == {place}"),
                3 => format!("contains([1, 2, 3], {place})"),
                4 => format!("{place} % 2 == 0"),
                _ => format!("\"${{{place}}}\" != \"{number}\""),
            },
            Kind::Bool => match pick {
                0..3 => place.to_owned(),
                3 => format!("!{place}"),
                _ => format!("{place} == true"),
            },
            Kind::List(it) | Kind::Set(it) => {
                let inner = self.condition(it, "e", depth - 1);
                match pick {
                    0 => format!("length({place}) > {number}"),
                    1 => format!("length(distinct({place})) == length({place})"),
                    2 => format!("anytrue([for e in {place} : {inner}])"),
                    3 => format!("tolist({place})[0] != null"),
                    _ => format!("alltrue([for e in {place} : {inner}])"),
                }
            }
            Kind::Map(it) => {
                let inner = self.condition(it, "e", depth - 1);
                match pick {
                    0 => format!("length({place}) > {number}"),
                    1 => format!("contains(keys({place}), \"a\")"),
                    2 => format!("lookup({place}, \"a\", null) == null"),
                    3 => format!("length({{ for k, e in {place} : k => e if {inner} }}) < 2"),
                    _ => format!("alltrue([for k, e in {place} : k != \"size\" && {inner}])"),
                }
            }
            Kind::Tuple(all) => self.condition(&all[0], &format!("{place}[0]"), depth - 1),
            Kind::Object(all) => {
                let (name, kind, _) = all[self.random.below(all.len())].clone();
                let inner = self.condition(&kind, &format!("{place}.{name}"), depth);
                match pick {
                    0 => format!("{place}.{name} == null || {inner}"),
                    1 => format!("{place}.{name} == null ? true : {inner}"),
                    2 => format!("length({place}) > {number}"),
                    _ => inner,
                }
            }
            Kind::Any | Kind::Untyped => match pick {
                0 => format!("can(tostring({place}))"),
                1 => format!("try(length({place}) > {number}, true)"),
                2 => format!("try({place}.a, 1) == 1"),
                3 => format!("can({place}[0]) || {place} == \"{string}\""),
                4 => format!("jsonencode({place}) != \"[]\""),
                _ => format!("{place} != {number}"),
            },
        }
    }

    fn message(&mut self, index: usize) -> String {
        let other = self.random.below(index + 1);
        match self.random.below(30) {
            0 => format!("\"not ${{var.v{index}}}\""),
            1..5 => format!("\"not ${{jsonencode(var.v{other})}}\""),
            5..9 => format!("try(\"not ${{var.v{other}}}\", \"no\")"),
            9 | 10 if index > 0 => "\"not ${jsonencode(local.l0)}\"".to_owned(),
            _ => "\"no\"".to_owned(),
        }
    }

    /// Locals and an output, of the first variable and of the last one.
    fn locals(&mut self) -> String {
        let last = self.kinds.len() - 1;
        let expression = |maker: &mut Self, it: usize| {
            let place = format!("var.v{it}");
            let own = match maker.kinds[it] {
                Kind::Tuple(_) => format!("{place}[0]"),
                Kind::List(_) if maker.random.chance(30) => format!("{place}[0]"),
                Kind::List(_) => format!("[for e in {place} : e]"),
                Kind::Set(_) | Kind::Map(_) => format!("length({place})"),
                Kind::Object(_) => format!("[for k, e in {place} : k]"),
                _ => format!("\"${{{place}}}-\""),
            };
            match maker.random.below(24) {
                0 => format!("length({place})"),
                1 => format!("{place}[0]"),
                2 => format!("\"${{{place}}}\""),
                3..6 => format!("try({place}.a, null)"),
                6..9 => format!("jsonencode({place})"),
                9..13 => own,
                13..16 => format!("try(length({place}), 0)"),
                _ => place,
            }
        };
        let (first, second) = (expression(self, 0), expression(self, last));
        let mut text = format!("locals {{\n  l0 = {first}\n  l1 = {second}\n}}\n");
        if self.random.chance(20) {
            let of = *self.random.pick(&["local.l0", "local.l1", "try(local.l1, 1)"]);
            let sensitive = self.random.chance(50);
            text += &format!("output \"o\" {{\n  value = {of}\n  sensitive = {sensitive}\n}}\n");
        }
        text
    }

    fn overrides(&mut self) -> String {
        let index = self.random.below(self.kinds.len());
        let kind = self.kinds[index].clone();
        let argument = match self.random.below(7) {
            0 => format!("type = {}", self::kind(self.random, 1).text()),
            1 => format!("nullable = {}", self.random.chance(50)),
            2 => format!("sensitive = {}", self.random.chance(50)),
            3 => return format!("locals {{\n  l0 = {}\n}}\n", literal(&kind, self.random)),
            _ => format!("default = {}", literal(&kind, self.random)),
        };
        format!("variable \"v{index}\" {{\n  {argument}\n}}\n")
    }
}
