//! Random expressions over what a place of a generated module may refer to.

use std::collections::BTreeSet;

use testkit::random::Random;

use super::kind::{self, Kind, Presence};

/// What is special about a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traits {
    pub sensitive: bool,
    pub ephemeral: bool,
    pub unknown: bool,
    pub null: bool,
}

impl Traits {
    pub fn and(self, other: Traits) -> Traits {
        Traits {
            sensitive: self.sensitive || other.sensitive,
            ephemeral: self.ephemeral || other.ephemeral,
            unknown: self.unknown || other.unknown,
            null: self.null || other.null,
        }
    }
}

/// Something to refer to.
#[derive(Clone, Debug)]
pub struct Named {
    pub text: String,
    pub kind: Kind,
    pub traits: Traits,
    /// The variables of the module on which it depends.
    pub needs: BTreeSet<String>,
}

/// What an expression refers to, all together.
#[derive(Clone, Debug, Default)]
pub struct Used {
    pub traits: Traits,
    pub needs: BTreeSet<String>,
}

/// What an expression at a place may use.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    pub names: &'a [Named],
    pub sensitive: bool,
    pub ephemeral: bool,
    pub unknown: bool,
}

/// Makes expressions, a few of them wrong.
pub struct Maker<'r> {
    pub random: &'r mut Random,
    /// How many mistakes are left to be made.
    pub slips: usize,
    /// In how many of a hundred cases a rule or an expression fails for some values.
    pub choosy: usize,
    /// What expressions referred to since [`Maker::used`] was asked last.
    used: Used,
}

impl Maker<'_> {
    pub fn new(random: &mut Random, slips: usize, choosy: usize) -> Maker<'_> {
        Maker { random, slips, choosy, used: Used::default() }
    }

    /// Whether to make a mistake here.
    pub fn slips(&mut self, percent: usize) -> bool {
        let slips = self.slips > 0 && self.random.chance(percent);
        self.slips -= usize::from(slips);
        slips
    }

    pub fn is_choosy(&mut self) -> bool {
        self.random.chance(self.choosy)
    }

    pub fn used(&mut self) -> Used {
        std::mem::take(&mut self.used)
    }

    pub fn refer(&mut self, to: &Named) {
        self.used.traits = self.used.traits.and(to.traits);
        self.used.needs.extend(to.needs.iter().cloned());
    }

    /// A condition over a place, with or without something else.
    pub fn condition(&mut self, kind: &Kind, text: &str, place: &Place<'_>) -> String {
        let first = self.says(kind, text);
        let Some(other) = self.pick(place, &|_| true) else { return first };
        if self.random.chance(50) {
            return first;
        }
        self.refer(&other);
        let second = self.says(&other.kind, &other.text);
        let guarded = if other.traits.null {
            format!("({} == null ? true : {second})", other.text)
        } else {
            format!("({second})")
        };
        match self.random.below(7) {
            0 => format!("({first}) || {guarded}"),
            1 => format!("{guarded} ? ({first}) : true"),
            2 if self.is_choosy() => format!("{text} != {}", other.text),
            3 => format!("try({first}, false) && {guarded}"),
            4 => format!("can({}) && ({first})", other.text),
            _ => format!("({first}) && {guarded}"),
        }
    }

    fn says(&mut self, kind: &Kind, text: &str) -> String {
        if self.is_choosy() {
            kind::perhaps(kind, text, self.random)
        } else {
            kind::surely(kind, text, self.random)
        }
    }

    /// An error message about a place.
    pub fn message(&mut self, text: &str, place: &Place<'_>) -> String {
        match self.random.below(12) {
            0..3 => format!("\"bad ${{jsonencode({text})}}\""),
            3 => format!("try(\"bad ${{{text}}}\", \"no\")"),
            4 => match self.pick(place, &|_| true) {
                Some(it) => {
                    self.refer(&it);
                    format!("\"bad ${{jsonencode({})}}\"", it.text)
                }
                None => "\"bad\"".to_owned(),
            },
            5 if self.slips(20) => {
                let all =
                    ["null", "\"\"", "\"bad ${var.nope}\"", "[\"bad\"]", "\"${tonumber(\"x\")}\""];
                (*self.random.pick(&all)).to_owned()
            }
            _ => "\"bad\"".to_owned(),
        }
    }

    /// A name that may be used at the place.
    pub fn pick(&mut self, place: &Place<'_>, is_wanted: &dyn Fn(&Kind) -> bool) -> Option<Named> {
        let fits = |it: &&Named| {
            is_wanted(&it.kind)
                && (place.sensitive || !it.traits.sensitive)
                && (place.ephemeral || !it.traits.ephemeral)
                && (place.unknown || !it.traits.unknown)
        };
        let all: Vec<&Named> = place.names.iter().filter(fits).collect();
        if all.is_empty() {
            return None;
        }
        // What was made last is the most interesting.
        let at = self.random.below(all.len()).max(self.random.below(all.len()));
        Some(all[at].clone())
    }

    /// An expression of the type, mostly.
    pub fn expr(&mut self, kind: &Kind, place: &Place<'_>, depth: usize) -> String {
        if self.slips(3) {
            return self.wrong(place);
        }
        if self.random.chance(65)
            && let Some(it) = self.pick(place, &|it| kind.takes(it))
        {
            self.refer(&it);
            return if it.traits.null && (self.random.chance(85) || !self.is_choosy()) {
                format!("({0} == null ? {1} : {0})", it.text, self.literal(&it.kind))
            } else {
                it.text
            };
        }
        if depth == 0 || self.random.chance(40) {
            return self.literal(kind);
        }
        self.composed(kind, place, depth - 1)
    }

    fn literal(&mut self, kind: &Kind) -> String {
        kind::literal(kind, self.random)
    }

    fn wrong(&mut self, place: &Place<'_>) -> String {
        match self.random.below(14) {
            0 => "var.nope".to_owned(),
            1 => "local.nope".to_owned(),
            2 => "module.nope.o0".to_owned(),
            3 => "terraform_data.nope.id".to_owned(),
            4 => "each.value".to_owned(),
            5 => "count.index".to_owned(),
            6 => "self.input".to_owned(),
            7 => "tonumber(\"x\")".to_owned(),
            8 => "null".to_owned(),
            9 => "[]".to_owned(),
            10 => "{ zz = 1 }".to_owned(),
            11 => "each.key".to_owned(),
            _ => match self
                .pick(&Place { sensitive: true, ephemeral: true, unknown: true, ..*place }, &|_| {
                    true
                }) {
                Some(it) => {
                    self.refer(&it);
                    let tails = ["", ".nope", "[7]", "[\"zz\"]", "[*]", "[-1]"];
                    format!("{}{}", it.text, self.random.pick(&tails))
                }
                None => "\"x\"".to_owned(),
            },
        }
    }

    fn composed(&mut self, kind: &Kind, place: &Place<'_>, depth: usize) -> String {
        let list = || Kind::List(Box::new(Kind::String));
        let map = || Kind::Map(Box::new(Kind::String));
        let is_plain = matches!(kind, Kind::String | Kind::Number | Kind::Bool);
        if is_plain && self.random.chance(12) {
            let (first, second) = (self.expr(kind, place, depth), self.expr(kind, place, depth));
            let condition = self.expr(&Kind::Bool, place, depth);
            return match self.random.below(3) {
                0 => format!("try({first}, {second})"),
                _ => format!("({condition} ? {first} : {second})"),
            };
        }
        if self.random.chance(3) && place.sensitive {
            self.used.traits.sensitive = true;
            return format!("sensitive({})", self.expr(kind, place, depth));
        }
        if self.is_choosy() && self.random.chance(12) {
            return self.fragile(kind, place, depth);
        }
        match kind {
            Kind::String => match self.random.below(9) {
                0 | 1 => format!("\"${{{}}}-x\"", self.expr(kind, place, depth)),
                2 => format!("upper({})", self.expr(kind, place, depth)),
                3 => format!("join(\",\", {})", self.expr(&list(), place, depth)),
                4 => format!(
                    "format(\"%s.%v\", {}, {})",
                    self.expr(kind, place, depth),
                    self.expr(&Kind::Number, place, depth)
                ),
                5 => format!("jsonencode({})", self.expr(&Kind::Any, place, depth)),
                6 => format!("lookup({}, \"a\", \"d\")", self.expr(&map(), place, depth)),
                7 => format!("tostring({})", self.expr(&Kind::Number, place, depth)),
                _ => format!("trimspace({})", self.expr(kind, place, depth)),
            },
            Kind::Number => match self.random.below(5) {
                0 => format!("length({})", self.expr(&list(), place, depth)),
                1 => format!("({} + 1)", self.expr(kind, place, depth)),
                2 => format!("length(tostring({}))", self.expr(&Kind::String, place, depth)),
                3 => format!("try(tonumber({}), 3)", self.expr(&Kind::String, place, depth)),
                _ => format!("min({}, 3)", self.expr(kind, place, depth)),
            },
            Kind::Bool => match self.random.below(5) {
                0 => format!("{} > 1", self.expr(&Kind::Number, place, depth)),
                1 => format!("{} == \"a\"", self.expr(&Kind::String, place, depth)),
                2 => format!("can({})", self.expr(&Kind::Any, place, depth)),
                3 => format!("contains({}, \"a\")", self.expr(&list(), place, depth)),
                _ => format!("!{}", self.expr(kind, place, 0)),
            },
            Kind::List(it) => match self.random.below(5) {
                0 => format!(
                    "concat({0}, [{1}])",
                    self.expr(kind, place, depth),
                    self.expr(it, place, depth)
                ),
                1 => format!("[for e in {} : e]", self.expr(kind, place, depth)),
                2 if **it == Kind::String => format!("keys({})", self.expr(&map(), place, depth)),
                _ => format!("[{}, {}]", self.expr(it, place, depth), self.expr(it, place, depth)),
            },
            Kind::Set(it) => {
                format!("toset({})", self.expr(&Kind::List(it.clone()), place, depth))
            }
            Kind::Map(it) => match self.random.below(4) {
                0 => format!(
                    "merge({}, {{ b = {} }})",
                    self.expr(kind, place, depth),
                    self.expr(it, place, depth)
                ),
                1 => format!("{{ for k, e in {} : k => e }}", self.expr(kind, place, depth)),
                2 => format!(
                    "{{ for e in toset({}) : e => {} }}",
                    self.expr(&Kind::Set(Box::new(Kind::String)), place, 0),
                    self.expr(it, place, depth)
                ),
                _ => format!(
                    "{{ a = {}, b = {} }}",
                    self.expr(it, place, depth),
                    self.expr(it, place, depth)
                ),
            },
            Kind::Tuple(all) => {
                let all: Vec<String> = all.iter().map(|it| self.expr(it, place, depth)).collect();
                format!("[{}]", all.join(", "))
            }
            Kind::Object(all) => {
                let mut members = Vec::new();
                for it in all {
                    if it.presence == Presence::Required && !self.slips(2) || self.random.chance(40)
                    {
                        members.push(format!(
                            "{} = {}",
                            it.name,
                            self.expr(&it.kind, place, depth)
                        ));
                    }
                }
                if self.random.chance(4) {
                    members.push("further = 1".to_owned());
                }
                format!("{{ {} }}", members.join(", "))
            }
            Kind::Any => {
                let kind = kind::kind(self.random, 1);
                self.expr(&kind, place, depth)
            }
        }
    }

    /// An expression that fails for some values.
    fn fragile(&mut self, kind: &Kind, place: &Place<'_>, depth: usize) -> String {
        match kind {
            Kind::String => match self.random.below(4) {
                0 => format!(
                    "{{ a = \"x\", ab = \"y\", prod = \"z\" }}[{}]",
                    self.expr(kind, place, depth)
                ),
                1 => format!("regex(\"^[a-z]+\", {})", self.expr(kind, place, depth)),
                2 => format!("{}[0]", self.expr(&Kind::List(Box::new(Kind::String)), place, depth)),
                _ => format!("coalesce({}, \"\")", self.expr(kind, place, depth)),
            },
            Kind::Number => match self.random.below(3) {
                0 => format!("tonumber({})", self.expr(&Kind::String, place, depth)),
                1 => format!("[1, 2, 3][{}]", self.expr(kind, place, depth)),
                _ => format!("6 / {}", self.expr(kind, place, depth)),
            },
            Kind::Bool => format!("tobool({})", self.expr(&Kind::String, place, depth)),
            Kind::List(_) => format!("slice({}, 0, 1)", self.expr(kind, place, depth)),
            _ => self.literal(kind),
        }
    }
}
