//! Random expressions, most of them well-typed, over all functions and forms.

mod functions;
mod pools;

pub use functions::{FUNCTIONS, LATER, Signature, has_failures};

use pools::{NAMES, pool};
use testkit::{program::Program, random::Random};

/// What kind of value an expression is wanted to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    String,
    Number,
    /// A small whole number.
    Index,
    Bool,
    ListOfStrings,
    ListOfNumbers,
    ListOfBools,
    SetOfStrings,
    SetOfNumbers,
    MapOfStrings,
    MapOfNumbers,
    MapOfLists,
    Tuple,
    Object,
    Null,
}

const KINDS: [Kind; 15] = [
    Kind::String,
    Kind::Number,
    Kind::Index,
    Kind::Bool,
    Kind::ListOfStrings,
    Kind::ListOfNumbers,
    Kind::ListOfBools,
    Kind::SetOfStrings,
    Kind::SetOfNumbers,
    Kind::MapOfStrings,
    Kind::MapOfNumbers,
    Kind::MapOfLists,
    Kind::Tuple,
    Kind::Object,
    Kind::Null,
];

/// Makes expressions; the same seed makes the same ones.
pub struct Generator {
    random: Random,
    /// Those that are called.
    functions: Vec<&'static Signature>,
    /// Names bound around the place, and what they hold.
    names: Vec<(String, Kind)>,
}

impl Generator {
    pub fn new(seed: u64) -> Generator {
        let functions = FUNCTIONS.iter().collect();
        Generator { random: Random::new(seed), functions, names: Vec::new() }
    }

    /// Calls what other releases have, too, unless it is the recorded one that is asked.
    pub fn of_program(mut self, program: &Program) -> Generator {
        if !program.is_recorded() {
            self.functions.extend(LATER);
        }
        self
    }

    pub fn functions(&self) -> &[&'static Signature] {
        &self.functions
    }

    /// The next expression, and the function that it is about, if it is about one.
    pub fn next(&mut self) -> (String, Option<&'static Signature>) {
        if self.random.chance(25) {
            let depth = 2 + self.random.below(3);
            return (self.any(depth), None);
        }
        let signature = *self.random.pick(&self.functions);
        (self.call(signature, 1), Some(signature))
    }

    /// True in so many of a hundred cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.random.chance(percent)
    }

    /// A call, sometimes with an argument that does not fit.
    pub fn call(&mut self, signature: &Signature, depth: usize) -> String {
        let mut args: Vec<String> = Vec::new();
        for parameter in signature.parameters.split_whitespace() {
            let (name, many) = match parameter.strip_suffix('*') {
                Some(name) => (name, self.random.below(4)),
                None => match parameter.strip_suffix('?') {
                    Some(name) => (name, self.random.below(2)),
                    None => (parameter, 1),
                },
            };
            args.extend((0..many).map(|_| self.argument(name, depth)));
        }
        if self.random.chance(22) {
            self.spoil(&mut args);
        }
        let name = signature.name;
        let prefix = if self.random.chance(2) { "core::" } else { "" };
        if self.random.chance(3) && !args.is_empty() {
            let last = args.pop().unwrap_or_default();
            args.push(String::new());
            let start = args.join(", ");
            return format!("{prefix}{name}({start}[{last}]...)");
        }
        format!("{prefix}{name}({})", args.join(", "))
    }

    /// Makes the arguments wrong, or at least unusual.
    fn spoil(&mut self, args: &mut Vec<String>) {
        let at = self.random.below(args.len().max(1));
        match self.random.below(6) {
            0 if !args.is_empty() => drop(args.remove(at)),
            1 => args.push(self.any(0)),
            2 if !args.is_empty() => args[at] = "null".to_string(),
            3 if !args.is_empty() => {
                let pool = *self.random.pick(NAMES);
                args[at] = self.text_of(pool);
            }
            4 if args.len() > 1 => args.swap(0, 1),
            _ if !args.is_empty() => args[at] = self.any(1),
            _ => (),
        }
    }

    fn argument(&mut self, name: &str, depth: usize) -> String {
        match name {
            "S" => self.of(Kind::String, depth),
            "N" => self.of(Kind::Number, depth),
            "I" => self.of(Kind::Index, depth),
            "B" => self.of(Kind::Bool, depth),
            "LS" => self.of(Kind::ListOfStrings, depth),
            "LN" => self.of(Kind::ListOfNumbers, depth),
            "LB" => self.of(Kind::ListOfBools, depth),
            "SS" => self.of(Kind::SetOfStrings, depth),
            "MS" => self.of(Kind::MapOfStrings, depth),
            "MN" => self.of(Kind::MapOfNumbers, depth),
            "ML" => self.of(Kind::MapOfLists, depth),
            "T" => self.of(Kind::Tuple, depth),
            "O" => self.of(Kind::Object, depth),
            "L" => self.one_of(&[Kind::ListOfStrings, Kind::ListOfNumbers, Kind::Tuple], depth),
            "SET" => {
                self.one_of(&[Kind::SetOfStrings, Kind::SetOfNumbers, Kind::ListOfStrings], depth)
            }
            "M" => self.one_of(&[Kind::MapOfStrings, Kind::MapOfNumbers, Kind::Object], depth),
            "A" => self.any(depth),
            // Old releases take nothing else for `nonsensitive`.
            "MARKED" if self.random.chance(60) => format!("sensitive({})", self.any(depth)),
            "MARKED" => self.any(depth),
            pool => self.text_of(pool),
        }
    }

    fn text_of(&mut self, name: &str) -> String {
        (*self.random.pick(pool(name))).to_string()
    }

    fn one_of(&mut self, kinds: &[Kind], depth: usize) -> String {
        let kind = *self.random.pick(kinds);
        self.of(kind, depth)
    }

    pub fn any(&mut self, depth: usize) -> String {
        self.one_of(&KINDS, depth)
    }

    /// An expression of a kind.
    pub fn of(&mut self, kind: Kind, depth: usize) -> String {
        if depth == 0 || self.random.chance(35) {
            return self.leaf(kind);
        }
        let depth = depth - 1;
        match self.random.below(12) {
            0 => {
                let (condition, other) = (self.of(Kind::Bool, depth), self.of(kind, depth));
                let value = self.of(kind, depth);
                format!("({condition} ? {value} : {other})")
            }
            1 => format!("try({}, {})", self.any(depth), self.of(kind, depth)),
            2 => format!("[{}, {}][{}]", self.of(kind, depth), self.any(0), self.random.below(2)),
            3 => format!("{{a = {}, b = 1}}.a", self.of(kind, depth)),
            4 => format!("({})", self.of(kind, depth)),
            5 => format!("coalesce({})", self.of(kind, depth)),
            6 => {
                let signature = *self.random.pick(&self.functions);
                if signature.result == Some(kind) {
                    self.call(signature, depth)
                } else {
                    self.form(kind, depth)
                }
            }
            _ => self.form(kind, depth),
        }
    }

    fn leaf(&mut self, kind: Kind) -> String {
        let bound: Vec<String> =
            self.names.iter().filter(|(_, it)| *it == kind).map(|(name, _)| name.clone()).collect();
        if !bound.is_empty() && self.random.chance(60) {
            return self.random.pick(&bound).clone();
        }
        let name = match kind {
            Kind::String => "TEXT",
            Kind::Number => "NUMBER",
            Kind::Index => "INDEX",
            Kind::Bool => "BOOL",
            Kind::ListOfStrings => "STRINGS",
            Kind::ListOfNumbers => "NUMBERS",
            Kind::ListOfBools => "BOOLS",
            Kind::SetOfStrings => "STRINGSET",
            Kind::SetOfNumbers => "NUMBERSET",
            Kind::MapOfStrings => "STRINGMAP",
            Kind::MapOfNumbers => "NUMBERMAP",
            Kind::MapOfLists => "LISTMAP",
            Kind::Tuple => "TUPLE",
            Kind::Object => "OBJECT",
            Kind::Null => "NULL",
        };
        self.text_of(name)
    }

    /// An expression form that makes the kind.
    fn form(&mut self, kind: Kind, depth: usize) -> String {
        match kind {
            Kind::String => self.text(depth),
            Kind::Number => self.number(depth),
            Kind::Index => match self.random.below(3) {
                0 => format!("length({})", self.argument("L", depth)),
                1 => format!("{} % 3", self.leaf(Kind::Index)),
                _ => self.leaf(kind),
            },
            Kind::Bool => self.truth(depth),
            Kind::ListOfStrings => self.list(Kind::String, depth),
            Kind::ListOfNumbers => self.list(Kind::Number, depth),
            Kind::ListOfBools => self.list(Kind::Bool, depth),
            Kind::SetOfStrings => format!("toset({})", self.of(Kind::ListOfStrings, depth)),
            Kind::SetOfNumbers => format!("toset({})", self.of(Kind::ListOfNumbers, depth)),
            Kind::MapOfStrings => self.map(Kind::String, depth),
            Kind::MapOfNumbers => self.map(Kind::Number, depth),
            Kind::MapOfLists => self.map(Kind::ListOfStrings, depth),
            Kind::Tuple => self.tuple(depth),
            Kind::Object => self.object(depth),
            Kind::Null => match self.random.below(3) {
                0 => format!("{{a = null}}.{}", self.random.pick(&["a", "b"])),
                1 => format!("one({})", self.random.pick(&["[]", "var.el", "[null]", "[1, 2]"])),
                _ => self.leaf(kind),
            },
        }
    }

    fn text(&mut self, depth: usize) -> String {
        match self.random.below(8) {
            0..=2 => {
                let (first, second) = (self.scalar(depth), self.scalar(depth));
                let between =
                    self.random.pick(&["", "-", " ", "\\n", "é", "$${", "%%{", "$", "\u{301}"]);
                format!("\"a${{{first}}}{between}${{{second}}}\"")
            }
            3 => {
                let condition = self.of(Kind::Bool, depth);
                let (yes, no) = (self.scalar(depth), self.scalar(depth));
                let strip = self.random.pick(&["", "~"]);
                format!(
                    "\"x %{{if {condition}{strip}}} ${{{yes}}} %{{{strip}else}} ${{{no}}} %{{endif}} y\""
                )
            }
            4 => {
                let collection = self.argument("L", depth);
                let body = self.bound("t", Kind::String, |it| it.scalar(depth));
                format!("\"%{{for t in {collection}~}} ${{{body}}}, %{{endfor}}\"")
            }
            5 => format!("tostring({})", self.scalar(depth)),
            6 => format!("<<-EOT\n    a ${{{}}}\n      b\n    EOT\n", self.scalar(depth)),
            _ => format!("\"${{{}}}\"", self.of(Kind::String, depth)),
        }
    }

    fn scalar(&mut self, depth: usize) -> String {
        self.one_of(&[Kind::String, Kind::Number, Kind::Bool, Kind::String], depth)
    }

    fn number(&mut self, depth: usize) -> String {
        if self.random.chance(15) {
            return format!("-{}", self.of(Kind::Number, depth));
        }
        let operator = *self.random.pick(&["+", "-", "*", "/", "%", "+", "-", "*"]);
        let right =
            if self.random.chance(10) { self.scalar(depth) } else { self.of(Kind::Number, depth) };
        format!("{} {operator} {right}", self.of(Kind::Number, depth))
    }

    fn truth(&mut self, depth: usize) -> String {
        match self.random.below(7) {
            0 => format!("!{}", self.of(Kind::Bool, depth)),
            1 | 2 => {
                let operator = *self.random.pick(&["&&", "||"]);
                format!("{} {operator} {}", self.of(Kind::Bool, depth), self.of(Kind::Bool, depth))
            }
            3 | 4 => {
                let operator = *self.random.pick(&["==", "!="]);
                let kind = *self.random.pick(&KINDS);
                let other = if self.random.chance(70) { kind } else { *self.random.pick(&KINDS) };
                format!("({} {operator} {})", self.of(kind, depth), self.of(other, depth))
            }
            5 => {
                let operator = *self.random.pick(&["<", "<=", ">", ">="]);
                format!(
                    "({} {operator} {})",
                    self.of(Kind::Number, depth),
                    self.of(Kind::Number, depth)
                )
            }
            _ => format!("can({})", self.any(depth)),
        }
    }

    fn list(&mut self, element: Kind, depth: usize) -> String {
        match self.random.below(4) {
            0 => {
                let count = self.random.below(4);
                let items: Vec<String> = (0..count).map(|_| self.of(element, depth)).collect();
                format!("tolist([{}])", items.join(", "))
            }
            1 => {
                let collection = self.argument("L", depth);
                let value = self.bound("x", Kind::String, |it| it.of(element, depth));
                let condition = self.condition(depth);
                format!("[for x in {collection} : {value}{condition}]")
            }
            2 => format!("[{{a = {}}}][*].a", self.of(element, depth)),
            _ => {
                let items: Vec<String> = (0..2).map(|_| self.of(element, depth)).collect();
                format!("[{}]", items.join(", "))
            }
        }
    }

    fn condition(&mut self, depth: usize) -> String {
        if self.random.chance(60) {
            return String::new();
        }
        format!(" if {}", self.bound("x", Kind::String, |it| it.of(Kind::Bool, depth)))
    }

    fn map(&mut self, value: Kind, depth: usize) -> String {
        match self.random.below(3) {
            0 => format!(
                "tomap({{a = {}, \"b c\" = {}}})",
                self.of(value, depth),
                self.of(value, depth)
            ),
            1 => {
                let collection = self.argument("M", depth);
                let value = self.bound("k", Kind::String, |it| it.of(value, depth));
                let group = if self.random.chance(15) { "..." } else { "" };
                let key = *self.random.pick(&["k", "k", "upper(k)", "\"same\"", "x"]);
                format!("{{for k, x in {collection} : {key} => {value}{group}}}")
            }
            _ => format!("{{a = {}, z = {}}}", self.of(value, depth), self.of(value, depth)),
        }
    }

    fn tuple(&mut self, depth: usize) -> String {
        match self.random.below(5) {
            0 => format!("{}[*]", self.any(depth)),
            1 => format!("{}.*.{}", self.argument("L", depth), self.random.pick(&["a", "b", "0"])),
            2 => format!("var.lo[*].{}", self.random.pick(&["n", "v", "zz"])),
            _ => {
                let count = self.random.below(4);
                let items: Vec<String> = (0..count).map(|_| self.any(depth)).collect();
                format!("[{}]", items.join(", "))
            }
        }
    }

    fn object(&mut self, depth: usize) -> String {
        let key = match self.random.below(5) {
            0 => format!("({})", self.scalar(depth)),
            1 => "\"${\"k\"}1\"".to_string(),
            2 => "null".to_string(),
            _ => "b".to_string(),
        };
        format!("{{a = {}, {key} = {}}}", self.any(depth), self.any(depth))
    }

    /// Makes something with a name bound.
    fn bound(&mut self, name: &str, kind: Kind, make: impl FnOnce(&mut Self) -> String) -> String {
        self.names.push((name.to_string(), kind));
        let made = make(self);
        self.names.pop();
        made
    }
}
