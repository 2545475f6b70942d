//! Types of generated values: how they are written, constants of them, and conditions about them.

use testkit::random::Random;

/// A type.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    Any,
    String,
    Number,
    Bool,
    List(Box<Kind>),
    Set(Box<Kind>),
    Map(Box<Kind>),
    Tuple(Vec<Kind>),
    Object(Vec<Attribute>),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    pub name: &'static str,
    pub kind: Kind,
    pub presence: Presence,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Presence {
    Required,
    Optional,
    /// With a default.
    Default(String),
}

pub const ATTRIBUTES: &[&str] = &["a", "b", "size"];
const STRINGS: &[&str] = &["a", "ab", "prod", "", "10.0.0.0/8", "1", "true"];

pub fn kind(random: &mut Random, depth: usize) -> Kind {
    let inner = |random: &mut Random| Box::new(kind(random, depth - 1));
    match random.below(if depth == 0 { 7 } else { 14 }) {
        0..3 => Kind::String,
        3 | 4 => Kind::Number,
        5 => Kind::Bool,
        6 if depth == 2 => Kind::Any,
        6 => Kind::String,
        7 | 8 => Kind::List(inner(random)),
        9 => Kind::Set(inner(random)),
        10 => Kind::Map(inner(random)),
        11 => Kind::Tuple((0..=random.below(2)).map(|_| kind(random, depth - 1)).collect()),
        _ => {
            let names = &ATTRIBUTES[..=random.below(3)];
            let mut all: Vec<Attribute> =
                names.iter().map(|name| attribute(name, random, depth - 1)).collect();
            all[0].presence = Presence::Required;
            Kind::Object(all)
        }
    }
}

fn attribute(name: &'static str, random: &mut Random, depth: usize) -> Attribute {
    let kind = kind(random, depth);
    let presence = match random.below(5) {
        0 | 1 => Presence::Required,
        2 => Presence::Optional,
        _ => Presence::Default(literal(&kind, random)),
    };
    Attribute { name, kind, presence }
}

impl Kind {
    pub fn text(&self) -> String {
        match self {
            Kind::Any => "any".to_owned(),
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
                let member = |it: &Attribute| match &it.presence {
                    Presence::Required => format!("{} = {}", it.name, it.kind.text()),
                    Presence::Optional => format!("{} = optional({})", it.name, it.kind.text()),
                    Presence::Default(default) => {
                        format!("{} = optional({}, {default})", it.name, it.kind.text())
                    }
                };
                format!("object({{ {} }})", all.iter().map(member).collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// Of a value that no variable has converted: it may lack what is optional.
    pub fn unconverted(&self) -> Kind {
        let inner = |it: &Kind| Box::new(it.unconverted());
        match self {
            Kind::List(it) => Kind::List(inner(it)),
            Kind::Set(it) => Kind::Set(inner(it)),
            Kind::Map(it) => Kind::Map(inner(it)),
            Kind::Tuple(all) => Kind::Tuple(all.iter().map(Kind::unconverted).collect()),
            Kind::Object(all) => {
                let required = all.iter().filter(|it| it.presence == Presence::Required);
                Kind::Object(
                    required
                        .map(|it| Attribute { kind: it.kind.unconverted(), ..it.clone() })
                        .collect(),
                )
            }
            it => it.clone(),
        }
    }

    /// Whether a value of another type surely does for this one.
    pub fn takes(&self, other: &Kind) -> bool {
        match (self, other) {
            (Kind::Any, _) => true,
            (Kind::String, Kind::String | Kind::Number | Kind::Bool) => true,
            (Kind::List(to), Kind::List(from) | Kind::Set(from)) => to.takes(from),
            (Kind::Set(to), Kind::List(from) | Kind::Set(from)) => to.takes(from),
            (Kind::Map(to), Kind::Map(from)) => to.takes(from),
            (Kind::Tuple(to), Kind::Tuple(from)) => {
                to.len() == from.len() && to.iter().zip(from).all(|(to, from)| to.takes(from))
            }
            (Kind::Object(to), Kind::Object(from)) => to.iter().all(|to| {
                let same = from.iter().find(|it| it.name == to.name);
                same.map_or(to.presence != Presence::Required, |it| to.kind.takes(&it.kind))
            }),
            (to, from) => to == from,
        }
    }
}

/// A constant of the type.
pub fn literal(kind: &Kind, random: &mut Random) -> String {
    match kind {
        Kind::String | Kind::Any => format!("{:?}", random.pick(STRINGS)),
        Kind::Number if random.chance(10) => format!("\"{}\"", random.below(5)),
        Kind::Number => random.below(5).to_string(),
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
            let is_given = |it: &&Attribute, random: &mut Random| {
                it.presence == Presence::Required || random.chance(50)
            };
            let given: Vec<&Attribute> = all.iter().filter(|it| is_given(it, random)).collect();
            let all: Vec<String> = given
                .iter()
                .map(|it| format!("{} = {}", it.name, literal(&it.kind, random)))
                .collect();
            format!("{{ {} }}", all.join(", "))
        }
    }
}

/// Something that holds for every value of the type that is not null.
pub fn surely(kind: &Kind, place: &str, random: &mut Random) -> String {
    let pick = random.below(4);
    match kind {
        Kind::String => match pick {
            0 => format!("length({place}) < 2000"),
            1 => format!("{place} != \"nope\""),
            2 => format!("can(regex(\"^.*$\", {place}))"),
            _ => format!("lower({place}) == lower({place})"),
        },
        Kind::Number => match pick {
            0 => format!("{place} >= -9"),
            1 => format!("floor({place}) <= {place}"),
            2 => format!("{place} < 100000"),
            _ => format!("can(tostring({place}))"),
        },
        Kind::Bool => format!("{place} || !{place}"),
        Kind::List(it) | Kind::Set(it) => match pick {
            0 | 1 if !matches!(**it, Kind::Any) => {
                format!(
                    "alltrue([for e in {place} : e == null ? true : {}])",
                    surely(it, "e", random)
                )
            }
            2 => format!("length([for e in {place} : e]) == length({place})"),
            _ => format!("length({place}) >= 0"),
        },
        Kind::Map(it) => match pick {
            0 | 1 => {
                format!(
                    "alltrue([for k, e in {place} : e == null ? true : {}])",
                    surely(it, "e", random)
                )
            }
            2 => format!("length(keys({place})) == length({place})"),
            _ => format!("length({place}) >= 0"),
        },
        Kind::Tuple(all) => match pick {
            0 | 1 => format!(
                "{place}[0] == null ? true : {}",
                surely(&all[0], &format!("{place}[0]"), random)
            ),
            _ => format!("length({place}) == {}", all.len()),
        },
        Kind::Object(all) => match pick {
            0..3 => {
                let it = random.pick(all);
                let place = format!("{place}.{}", it.name);
                format!("{place} == null ? true : {}", surely(&it.kind, &place, random))
            }
            _ => format!("can({place}.{})", all[0].name),
        },
        Kind::Any => match pick {
            0 => format!("jsonencode({place}) != \"x\""),
            1 => format!("can({place})"),
            2 => format!("{place} == {place}"),
            _ => format!("try(length({place}), 0) >= 0"),
        },
    }
}

/// Something that holds for some values of the type.
pub fn perhaps(kind: &Kind, place: &str, random: &mut Random) -> String {
    let (pick, number, string) = (random.below(6), random.below(3), *random.pick(STRINGS));
    match kind {
        Kind::String => match pick {
            0 => format!("length({place}) > {number}"),
            1 => format!("contains([\"a\", \"prod\", \"ab\"], {place})"),
            2 => format!("can(regex(\"^[a-z]+$\", {place}))"),
            3 => format!("startswith({place}, \"{string}\")"),
            4 => format!("{place} != \"{string}\""),
            _ => format!("try(tonumber({place}) > 1, true)"),
        },
        Kind::Number => match pick {
            0 => format!("{place} > {number}"),
            1 => format!("{place} >= 1 && {place} <= {}", number + 2),
            2 => format!("{place} % 2 == 0"),
            3 => format!("contains([1, 2, 3], {place})"),
            4 => format!("10 / {place} > 1"),
            _ => format!("{place} != {number}"),
        },
        Kind::Bool => match pick {
            0..3 => place.to_owned(),
            3 => format!("{place} == true"),
            _ => format!("!{place}"),
        },
        Kind::List(it) | Kind::Set(it) => match pick {
            0 => format!("length({place}) > {number}"),
            1 => format!("alltrue([for e in {place} : {}])", perhaps(it, "e", random)),
            2 => format!("anytrue([for e in {place} : {}])", perhaps(it, "e", random)),
            3 => format!("length(distinct({place})) == length({place})"),
            4 if matches!(kind, Kind::List(_)) => perhaps(it, &format!("{place}[0]"), random),
            _ => format!("length({place}) < {}", number + 1),
        },
        Kind::Map(it) => match pick {
            0 => format!("length({place}) > 0"),
            1 | 2 => format!("alltrue([for k, e in {place} : {}])", perhaps(it, "e", random)),
            3 => format!("contains(keys({place}), \"a\")"),
            4 => perhaps(it, &format!("{place}[\"a\"]"), random),
            _ => format!("length({place}) < {}", number + 1),
        },
        Kind::Tuple(all) => {
            let at = random.below(all.len());
            perhaps(&all[at], &format!("{place}[{at}]"), random)
        }
        Kind::Object(all) => {
            let it = random.pick(all).clone();
            perhaps(&it.kind, &format!("{place}.{}", it.name), random)
        }
        Kind::Any => match pick {
            0 => format!("can(tostring({place}))"),
            1 => format!("try(length({place}) > {number}, true)"),
            2 => format!("try({place}.a, \"a\") == \"a\""),
            3 => format!("can({place}[0]) || {place} == \"{string}\""),
            4 => format!("jsonencode({place}) != \"[]\""),
            _ => format!("{place} != \"{string}\""),
        },
    }
}
