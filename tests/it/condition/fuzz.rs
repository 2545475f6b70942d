//! Random conditions over random values: the schema accepts what the evaluator accepts under the
//! operators of Terraform 1.11 and of 1.12, and an exact one nothing else.
//!
//! `TERRASCHEMA_FUZZ` is how many conditions are made (80), `TERRASCHEMA_SEED` makes other ones.

use rayon::prelude::*;

use release::Release;
use tf_eval::functions::{self, Function};

use super::{evidence::Subject, values::Random};
use crate::{functions::not_judged::is_judged, schema::modules::module_of};

/// A value in scope: an expression and its type.
#[derive(Clone)]
struct Name {
    text: String,
    ty: Ty,
}

#[derive(Clone, Copy, PartialEq)]
enum Ty {
    String,
    Number,
    Bool,
    Strings,
    Set,
    Map,
    Object,
    Objects,
    ObjectMap,
    Any,
    Numbers,
    Matrix,
    NumberMap,
    Anys,
    AnyMap,
    Tuple,
    /// An object inside of one, which may be absent.
    Inner,
    Bools,
    ListMap,
    Inners,
    /// Lists of objects with a list of objects.
    Deep,
    DeepItem,
    Items,
    Item,
    /// An object whose collections may be absent.
    Holder,
    InnerMap,
}

impl Ty {
    /// What its attributes are called, and what they are.
    fn attributes(self) -> &'static [(&'static str, Ty)] {
        match self {
            Ty::Inner => &[("s", Ty::String), ("n", Ty::Number)],
            Ty::DeepItem => &[("s", Ty::String), ("c", Ty::Items)],
            Ty::Item => &[("n", Ty::Number), ("t", Ty::String)],
            Ty::Holder => &[
                ("i", Ty::Inner),
                ("c", Ty::InnerMap),
                ("e", Ty::Set),
                ("y", Ty::Any),
                ("g", Ty::Bools),
                ("q", Ty::Items),
            ],
            _ => &[],
        }
    }
}

/// The attributes of the one object type, all kinds of absence among them.
const ATTRIBUTES: [(&str, &str, Ty); 12] = [
    ("s", "string", Ty::String),
    ("t", "optional(string)", Ty::String),
    ("d", "optional(string, \"b\")", Ty::String),
    ("n", "optional(number)", Ty::Number),
    ("k", "optional(number, 3)", Ty::Number),
    ("b", "optional(bool)", Ty::Bool),
    ("f", "optional(bool, false)", Ty::Bool),
    ("l", "optional(list(string))", Ty::Strings),
    ("m", "optional(map(string), {})", Ty::Map),
    ("a", "optional(any)", Ty::Any),
    ("o", "optional(object({ s = optional(string), n = number }))", Ty::Inner),
    ("w", "optional(list(number), [1])", Ty::Numbers),
];

/// A default in which required attributes are null, so that the schema takes null there; nothing for a type
/// without such attributes.
fn default_with_nulls(ty: Ty) -> &'static str {
    match ty {
        Ty::Object => "{ s = null, o = { n = null } }",
        Ty::Objects => "[{ s = null }, { s = \"a\", t = null, o = { n = null } }]",
        Ty::ObjectMap => "{ a = { s = null } }",
        Ty::Inner | Ty::Item => "{ n = null }",
        Ty::Inners | Ty::Items => "[{ n = null }, { n = 1 }]",
        Ty::InnerMap => "{ a = { n = null } }",
        Ty::DeepItem => "{ s = null, c = [{ n = null }] }",
        Ty::Deep => "[{ s = \"a\", c = [{ n = null }] }, { s = null }]",
        Ty::Matrix => "[[\"a\", null]]",
        Ty::NumberMap => "{ a = null }",
        Ty::Tuple => "[null, 1]",
        _ => "",
    }
}

const TEXTS: [&str; 10] =
    ["a", "b", "", "Ab", "a/b", "10", "10.0.0.0/8", "\u{e9}", "e\u{301}", "1e3"];
const PATTERNS: [&str; 8] = [
    "^a",
    "b$",
    "^[a-z]+$",
    "^[A-Z]?[^/]*$",
    "[0-9]{2,3}",
    "^(?:a|b/.)$",
    "(?i)ab",
    "^\\\\s*\\\\S",
];

fn ty(ty: Ty) -> String {
    let attributes = || {
        let each = ATTRIBUTES.map(|(name, ty, _)| format!("{name} = {ty}"));
        format!("object({{ {} }})", each.join(", "))
    };
    match ty {
        Ty::String => "string".to_owned(),
        Ty::Number => "number".to_owned(),
        Ty::Bool => "bool".to_owned(),
        Ty::Strings => "list(string)".to_owned(),
        Ty::Set => "set(string)".to_owned(),
        Ty::Map => "map(string)".to_owned(),
        Ty::Object => attributes(),
        Ty::Objects => format!("list({})", attributes()),
        Ty::ObjectMap => format!("map({})", attributes()),
        Ty::Any => "any".to_owned(),
        Ty::Numbers => "list(number)".to_owned(),
        Ty::Matrix => "list(list(string))".to_owned(),
        Ty::NumberMap => "map(number)".to_owned(),
        Ty::Anys => "list(any)".to_owned(),
        Ty::AnyMap => "map(any)".to_owned(),
        Ty::Tuple => "tuple([string, number])".to_owned(),
        Ty::Inner => INNER.to_owned(),
        Ty::Bools => "list(bool)".to_owned(),
        Ty::ListMap => "map(list(string))".to_owned(),
        Ty::Inners => format!("set({INNER})"),
        Ty::InnerMap => format!("map({INNER})"),
        Ty::Deep => format!("list({})", self::ty(Ty::DeepItem)),
        Ty::DeepItem => {
            format!("object({{ s = string, c = optional({}, []) }})", self::ty(Ty::Items))
        }
        Ty::Items => format!("list({})", self::ty(Ty::Item)),
        Ty::Item => "object({ n = number, t = optional(string) })".to_owned(),
        Ty::Holder => format!(
            "object({{ i = optional({INNER}), c = optional(map({INNER})), e = optional(set(string)), y = \
             optional(any), g = optional(list(bool), [true]), q = optional({}) }})",
            self::ty(Ty::Items)
        ),
    }
}

const INNER: &str = "object({ s = optional(string), n = number })";

struct Writer {
    random: Random,
    names: usize,
}

impl Writer {
    fn text(&mut self) -> String {
        format!("\"{}\"", self.random.pick(&TEXTS))
    }

    fn texts(&mut self) -> String {
        let count = 1 + self.random.below(3);
        let texts: Vec<_> = (0..count).map(|_| self.text()).collect();
        format!("[{}]", texts.join(", "))
    }

    fn number(&mut self) -> usize {
        self.random.below(4)
    }

    /// What numbers are compared with, and what an index may be.
    fn bound(&mut self) -> &'static str {
        let bounds = ["0", "1", "2", "3", "0", "1", "2", "3", "1.5", "0.5", "-1"];
        bounds[self.random.below(bounds.len())]
    }

    fn order(&mut self) -> &'static str {
        let orders = ["==", "!=", "<", "<=", ">", ">="];
        orders[self.random.below(orders.len())]
    }

    /// One of the names, or an attribute of one.
    fn value(&mut self, scope: &[Name]) -> Name {
        let name = self.random.pick(scope).clone();
        let attributes = name.ty.attributes();
        if !attributes.is_empty() && self.random.below(6) > 0 {
            let (attribute, ty) = *self.random.pick(attributes);
            let inner = Name { text: format!("{}.{attribute}", name.text), ty };
            return if ty == Ty::Inner { self.value(&[inner]) } else { inner };
        }
        if name.ty != Ty::Object {
            return name;
        }
        let (attribute, _, ty) = *self.random.pick(&ATTRIBUTES);
        Name { text: format!("{}.{attribute}", name.text), ty }
    }

    fn truth(&mut self, scope: &[Name], depth: usize) -> String {
        if depth == 0 || self.random.below(5) == 0 {
            let name = self.value(scope);
            return self.atom(&name, scope);
        }
        let depth = depth - 1;
        match self.random.below(20) {
            14..=19 => self.asked(scope),
            0 | 1 => format!("({} && {})", self.truth(scope, depth), self.truth(scope, depth)),
            2 | 3 => format!("({} || {})", self.truth(scope, depth), self.truth(scope, depth)),
            4 => format!("!({})", self.truth(scope, depth)),
            5 => {
                let condition = self.truth(scope, depth);
                let then = self.truth(scope, depth);
                format!("({condition} ? {then} : {})", self.truth(scope, depth))
            }
            6 => {
                let fallback = self.random.pick(&["true", "false"]);
                format!("try({}, {fallback})", self.truth(scope, depth))
            }
            7 => format!("can({})", self.truth(scope, depth)),
            8 => {
                let name = self.value(scope);
                format!("({} == null || {})", name.text, self.atom(&name, scope))
            }
            9 => {
                let name = self.value(scope);
                format!("({} != null && {})", name.text, self.atom(&name, scope))
            }
            11 => {
                let one = self.truth(scope, 0);
                let (order, number) = (self.order(), self.bound());
                format!("(({one} ? 1 : 0) + ({} ? 1 : 0) {order} {number})", self.truth(scope, 0))
            }
            10 => format!("({} == {})", self.truth(scope, depth), self.truth(scope, depth)),
            _ => self.quantified(scope, depth),
        }
    }

    /// A question whose answer hangs on where something fails.
    fn asked(&mut self, scope: &[Name]) -> String {
        let inner = match self.random.below(50) {
            0 => self.call_of_provider(scope),
            1..=7 => self.keyed(scope),
            8..=14 => self.chosen(scope),
            _ => self.call(scope, 2),
        };
        self.question(&inner)
    }

    /// As [`Writer::asked`], of a call of one function, each as likely as the others.
    fn asked_of_any_function(&mut self, scope: &[Name]) -> String {
        let function = *self.random.pick(&judged());
        let call = self.call_of(function, scope, 1);
        self.question(&call)
    }

    fn question(&mut self, inner: &str) -> String {
        let constant = self.constant();
        match self.random.below(9) {
            0..=2 => format!("can({inner})"),
            3 | 4 => format!("!can({inner})"),
            5 => format!("try({inner}, {constant}) == {constant}"),
            6 => format!("{inner} == {constant}"),
            7 => format!("{inner} != null"),
            _ => {
                let (order, number) = (self.order(), self.bound());
                format!("length({inner}) {order} {number}")
            }
        }
    }

    /// `{for … : key => value}` of anything.
    fn keyed(&mut self, scope: &[Name]) -> String {
        let source = self.argument(scope, 1);
        self.names += 1;
        let (value, key) = (format!("v{}", self.names), format!("k{}", self.names));
        let part = *self.random.pick(&["", "", ".s", ".t", ".n"]);
        let given = match self.random.below(6) {
            0 => key.clone(),
            1 => "\"a\"".to_owned(),
            2 => format!("lower({value}{part})"),
            _ => format!("{value}{part}"),
        };
        let filter = match self.random.below(4) {
            0 => format!(" if {value}{part} != {}", self.constant()),
            _ => String::new(),
        };
        let group = if self.random.below(4) == 0 { "..." } else { "" };
        let head = format!("for {key}, {value} in {source}");
        match self.random.below(5) {
            0 => format!("[{head} : {given}{filter}]"),
            1 => format!("keys({{{head} : {given} => {value}{group}{filter}}})"),
            _ => format!("{{{head} : {given} => {value}{group}{filter}}}"),
        }
    }

    /// One of two values, mostly of unlike types; or a part of what is made.
    fn chosen(&mut self, scope: &[Name]) -> String {
        let (one, other) = (self.argument(scope, 1), self.argument(scope, 1));
        match self.random.below(8) {
            7 => {
                let table = *self.random.pick(&[
                    "{ a = \"b\" }",
                    "{ a = 1, \"5\" = true }",
                    "tomap({ a = 1, b = 2 })",
                    "tomap({ a = [\"b\"] })",
                ]);
                match self.random.below(3) {
                    0 => format!("{table}[{one}]"),
                    _ => format!("lookup({table}, {one}, {other})"),
                }
            }
            0 => format!("coalesce({one}, {other})"),
            1 => format!("lookup({one}, \"a\", {other})"),
            2 => format!("try({one}, {other})"),
            3 => {
                let made = self.keyed(scope);
                let map = match self.random.below(4) {
                    0 => made,
                    1 => format!("tomap({made})"),
                    2 => format!("merge({made}, {one})"),
                    _ => format!("tomap({one})"),
                };
                match self.random.below(5) {
                    0 => format!("{map}.a"),
                    1 => format!("{map}[\"a\"]"),
                    2 => format!("lookup({map}, \"a\")"),
                    _ => format!("lookup({map}, \"a\", {other})"),
                }
            }
            4 => {
                let count = self.random.below(4);
                self.names += 1;
                let name = format!("e{}", self.names);
                let list = match self.random.below(3) {
                    0 => format!("concat([for {name} in {one} : {name}], [{other}])"),
                    1 => format!("flatten([for {name} in {one} : [{name}]])"),
                    _ => format!("[for {name} in {one} : {name}]"),
                };
                match self.random.below(5) {
                    0 => format!("{list}[{count}]"),
                    1 => format!("element({list}, {count})"),
                    2 => format!("zipmap([\"a\", \"b\"], {list})"),
                    3 => format!("zipmap([\"a\"], {list}).a"),
                    _ => format!("slice({list}, 0, {count})"),
                }
            }
            _ => {
                let name = self.value(scope);
                format!("({} ? {one} : {other})", self.atom(&name, scope))
            }
        }
    }

    /// A call of any function, with any arguments.
    fn call(&mut self, scope: &[Name], depth: usize) -> String {
        let common = [
            "coalesce",
            "compact",
            "concat",
            "contains",
            "distinct",
            "flatten",
            "keys",
            "length",
            "lookup",
            "setsubtract",
            "setunion",
            "tolist",
            "tomap",
            "tonumber",
            "toset",
            "tostring",
            "values",
        ];
        let function = if self.random.below(2) == 0 {
            *self.random.pick(&judged())
        } else {
            let name = *self.random.pick(&common);
            functions::lookup(name).unwrap()
        };
        self.call_of(function, scope, depth)
    }

    fn call_of(&mut self, function: &Function, scope: &[Name], depth: usize) -> String {
        let fixed = function.params.len();
        let count = match function.variadic {
            Some(_) => fixed + self.random.below(3),
            None => fixed,
        };
        let mut args = Vec::new();
        for index in 0..count {
            let is_first = index == 0;
            let is_constant = self.random.below(if is_first { 8 } else { 3 }) == 0;
            args.push(if is_constant { self.constant() } else { self.argument(scope, depth) });
        }
        format!("{}({})", function.name, args.join(", "))
    }

    /// A call of a function of Terraform's own provider. A rule may fail in it, and schemas know nothing about it.
    fn call_of_provider(&mut self, scope: &[Name]) -> String {
        let value = self.value(scope).text;
        match self.random.below(3) {
            0 => format!("provider::terraform::decode_tfvars({value})"),
            1 => format!("provider::terraform::encode_tfvars({{ a = {value} }})"),
            _ => format!("provider::terraform::encode_expr({value})"),
        }
    }

    fn argument(&mut self, scope: &[Name], depth: usize) -> String {
        if self.random.below(60) == 0 {
            return self.call_of_provider(scope);
        }
        match self.random.below(14) {
            0 => self.constant(),
            1 | 2 if depth > 0 => self.call(scope, depth - 1),
            3 => format!("[{}, {}]", self.value(scope).text, self.constant()),
            4 => format!("[{}]", self.value(scope).text),
            5 => format!("{{ a = {} }}", self.value(scope).text),
            6 | 7 => self.composed(scope, depth),
            _ => self.value(scope).text,
        }
    }

    /// Something made of values without a call.
    fn composed(&mut self, scope: &[Name], depth: usize) -> String {
        let one = self.value(scope).text;
        match self.random.below(16) {
            0 => format!("[{one}, {}]", self.value(scope).text),
            1 => format!("{{ a = {one}, b = {} }}", self.constant()),
            2 => format!("{{ a = {one}, b = {} }}", self.value(scope).text),
            3 => format!("[for e in {one} : e]"),
            4 => format!("[for e in {one} : [e, {}]]", self.constant()),
            5 => format!("{one}[*]"),
            6 => format!("{one}[*].s"),
            7 => format!("{one}[*].c[*].n"),
            8 => format!("\"${{{one}}}\""),
            9 => format!("({one} == {})", self.constant()),
            10 => format!("({one} == {})", self.value(scope).text),
            11 => format!("({one} == null ? {} : {one})", self.constant()),
            12 => format!("[for k, v in {one} : k]"),
            13 => format!("{{ for k, v in {one} : k => v if v != {} }}", self.constant()),
            14 if depth > 0 => format!("[{}, {}]", one, self.call(scope, depth - 1)),
            _ => format!("{one}[{}]", self.number()),
        }
    }

    fn constant(&mut self) -> String {
        let constants = [
            "\"a\"",
            "\"\"",
            "\"5\"",
            "5",
            "1",
            "0",
            "true",
            "null",
            "[]",
            "{}",
            "[\"a\"]",
            "[5]",
            "[null]",
            "{ a = \"b\" }",
            "toset([\"a\", \"b\"])",
            "tolist([\"a\"])",
            "tomap({ a = 1 })",
            "[[\"a\"]]",
            "\"\u{e9}\"",
            "12345678901234567890",
            "0.1",
            "-1",
            "[\"a\", null]",
            "{ a = null }",
            "[true, \"a\"]",
        ];
        (*self.random.pick(&constants)).to_owned()
    }

    fn quantified(&mut self, scope: &[Name], depth: usize) -> String {
        let name = self.value(scope);
        let (source, element, keyed) = match name.ty {
            Ty::Strings | Ty::Set => (name.text, Ty::String, false),
            Ty::Map => (name.text, Ty::String, true),
            Ty::Objects => (name.text, Ty::Object, false),
            Ty::ObjectMap => (name.text, Ty::Object, true),
            Ty::Numbers => (name.text, Ty::Number, false),
            Ty::Matrix => (name.text, Ty::Strings, false),
            Ty::NumberMap => (name.text, Ty::Number, true),
            Ty::Anys => (name.text, Ty::Any, false),
            Ty::AnyMap => (name.text, Ty::Any, true),
            Ty::Bools => (name.text, Ty::Bool, false),
            Ty::ListMap => (name.text, Ty::Strings, true),
            Ty::Inners => (name.text, Ty::Inner, false),
            Ty::InnerMap => (name.text, Ty::Inner, true),
            Ty::Deep => (name.text, Ty::DeepItem, false),
            Ty::Items => (name.text, Ty::Item, false),
            Ty::Any => return self.over_any(&name.text, scope, depth),
            _ => return self.atom(&name, scope),
        };
        let source = match self.random.below(5) {
            0 => format!("coalesce({source}, {})", if keyed { "{}" } else { "[]" }),
            1 => format!("try({source}, {})", if keyed { "{}" } else { "[]" }),
            2 if keyed => format!("values({source})"),
            2 | 3 if !matches!(name.ty, Ty::Set | Ty::Inners) && !keyed => self.slice(&source),
            _ => source,
        };
        let keyed = keyed && !source.starts_with("values");
        self.names += 1;
        let (value, key) = (format!("v{}", self.names), format!("k{}", self.names));
        let mut inside = scope.to_vec();
        inside.extend(std::iter::repeat_n(Name { text: value.clone(), ty: element }, 3));
        let head = if keyed {
            inside.push(Name { text: key.clone(), ty: Ty::String });
            format!("for {key}, {value} in {source}")
        } else if self.random.below(4) == 0 {
            // The index; of a set the element again.
            inside.push(Name { text: key.clone(), ty: Ty::Number });
            format!("for {key}, {value} in {source}")
        } else {
            format!("for {value} in {source}")
        };
        let body = self.truth(&inside, depth.min(1));
        let filter = match self.random.below(3) {
            0 => format!(" if {}", self.truth(&inside, 0)),
            _ => String::new(),
        };
        let (order, number) = (self.order(), self.bound());
        match self.random.below(6) {
            0 | 1 => format!("alltrue([{head} : {body}{filter}])"),
            2 => format!("anytrue([{head} : {body}{filter}])"),
            3 => format!("(length([{head} : {value} if {body}]) {order} {number})"),
            4 => format!("alltrue(flatten([{head} : [{body}]{filter}]))"),
            _ => format!("contains([{head} : {body}{filter}], true)"),
        }
    }

    /// A loop over a value that may be an object, a list or neither.
    fn over_any(&mut self, text: &str, scope: &[Name], depth: usize) -> String {
        self.names += 1;
        let (value, key) = (format!("v{}", self.names), format!("k{}", self.names));
        let mut inside = scope.to_vec();
        inside.extend(std::iter::repeat_n(Name { text: value.clone(), ty: Ty::Any }, 2));
        let by_key = self.random.below(3) > 0;
        if by_key {
            inside.extend(std::iter::repeat_n(Name { text: key.clone(), ty: Ty::String }, 2));
        }
        let source = match self.random.below(5) {
            0 => format!("try({text}, {{}})"),
            1 => format!("try({text}.a, [])"),
            2 => format!("coalesce({text}, {{ a = 1 }})"),
            _ => text.to_owned(),
        };
        let head = if by_key {
            format!("for {key}, {value} in {source}")
        } else {
            format!("for {value} in {source}")
        };
        let body = self.truth(&inside, depth.min(1));
        let (order, number) = (self.order(), self.bound());
        let keys = *self.random.pick(&["keys", "values"]);
        let part = self.text();
        match self.random.below(9) {
            0 | 1 => format!("alltrue([{head} : {body}])"),
            2 => format!("anytrue([{head} : {body}])"),
            3 => format!("(length([{head} : {value} if {body}]) {order} {number})"),
            4 => format!("(length([{head} : {value}]) {order} {number})"),
            5 => format!("contains({keys}({source}), {part})"),
            6 => format!("alltrue([for {key} in {keys}({source}) : {key} != {part}])"),
            7 => format!("(length({keys}({source})) {order} {number})"),
            _ => format!("(length(setsubtract(keys({source}), {})) {order} 0)", self.texts()),
        }
    }

    /// A part of a list, mostly up to its end.
    fn slice(&mut self, list: &str) -> String {
        let from = self.number();
        match self.random.below(4) {
            0 => format!("slice({list}, {from}, {})", from + self.number()),
            _ => format!("slice({list}, {from}, length({list}))"),
        }
    }

    fn string(&mut self, text: &str, depth: usize) -> String {
        let inner = if depth > 0 { self.string(text, depth - 1) } else { text.to_owned() };
        match self.random.below(13) {
            0 => format!("lower({inner})"),
            1 => format!("upper({inner})"),
            2 => format!("trimspace({inner})"),
            3 | 10 => {
                let (offset, length) = (self.position(&inner), self.position(&inner));
                format!("substr({inner}, {offset}, {length})")
            }
            11 => format!("strrev({inner})"),
            12 => format!("split(\"\", {inner})[{}]", self.random.below(3)),
            4 => format!("split(\"/\", {inner})[{}]", self.random.below(2)),
            5 => format!("coalesce({inner}, {})", self.text()),
            6 => format!("try({inner}, {})", self.text()),
            _ => inner,
        }
    }

    /// Counted from the beginning or from the end.
    fn position(&mut self, text: &str) -> String {
        let number = self.random.below(5);
        match self.random.below(5) {
            0 => format!("-{number}"),
            1 => format!("length({text}) - {number}"),
            2 => format!("length({text})"),
            _ => number.to_string(),
        }
    }

    fn atom(&mut self, name: &Name, scope: &[Name]) -> String {
        let text = name.text.clone();
        let (order, number) = (self.order(), self.bound());
        match name.ty {
            Ty::String => self.about_string(&text),
            Ty::Number => match self.random.below(10) {
                6 => format!("tostring({text}) == \"{number}\""),
                7 => self.about_string(&format!("tostring({text})")),
                8 => format!("{text} % 2 == {number}"),
                5 => format!("can(regex(\"{}\", {text}))", self.random.pick(&NUMERALS)),
                0 => format!("{text} % 2 == 0"),
                1 => format!("floor({text}) == {text}"),
                2 => format!("contains([0, 1, 2.5], {text})"),
                3 => format!("try({text} {order} {number}, true)"),
                4 => {
                    let other = self.value(scope);
                    format!("{text} {order} {}", other.text)
                }
                _ => format!("{text} {order} {number}"),
            },
            Ty::Bool => match self.random.below(4) {
                0 => format!("{text} == false"),
                1 => format!("{text} != null"),
                _ => text,
            },
            Ty::Strings | Ty::Set => match self.random.below(18) {
                15 => format!("length({text}) % 2 == 1 && length({text}) {order} {number}"),
                16 => format!("{number} >= length({text}) && length({text}) % 3 != 1"),
                17 => format!(
                    "length(compact([for e in {text} : e == {} ? \"x\" : \"\"])) == length({text})",
                    self.text()
                ),
                13 => format!("contains({}, {})", self.slice(&text), self.text()),
                14 => format!("length({}) {order} {number}", self.slice(&text)),
                10 => {
                    format!(
                        "sum([for e in {text} : e == {} ? 0 : 1]) {order} {number}",
                        self.text()
                    )
                }
                11 => format!("sum([for e in {text} : upper(e) == \"A\" ? 1 : 0]) == 0"),
                12 => format!(
                    "alltrue([for e in {text} : e != {} if length({text}) > {number}])",
                    self.text()
                ),
                6 => format!(
                    "length([for e in {text} : e if e != {}]) == length({text})",
                    self.text()
                ),
                7 => format!("length({text}) + length({text}) {order} {number}"),
                8 => format!("length(compact({text})) {order} {number}"),
                0 => format!("length({text}) {order} {number}"),
                1 => format!("contains({text}, {})", self.text()),
                2 => format!("length(setsubtract({text}, {})) {order} {number}", self.texts()),
                3 => format!("length(setintersection({text}, {})) > 0", self.texts()),
                4 => format!("length({text}) == length(distinct({text}))"),
                5 => format!("{text}[{number}] == {}", self.text()),
                _ => format!("length(concat({text}, {})) {order} {number}", self.texts()),
            },
            Ty::Map => match self.random.below(9) {
                7 => format!("length({text}) % 2 == 0 && length({text}) < 4"),
                8 => format!("length(compact([for k, v in {text} : v])) == length({text})"),
                0 => format!("length({text}) {order} {number}"),
                1 => format!("contains(keys({text}), {})", self.text()),
                2 => format!("lookup({text}, \"a\", \"b\") == {}", self.text()),
                3 => format!("{text}[\"a\"] == {}", self.text()),
                4 => format!("contains(values({text}), {})", self.text()),
                5 => format!("length(setsubtract(keys({text}), {})) == 0", self.texts()),
                _ => format!("try({text}.a, null) == {}", self.text()),
            },
            Ty::Object => format!("{text} != null"),
            Ty::Objects => match self.random.below(7) {
                3 => format!(
                    "length(flatten([for e in {text} : [for f in e.l : f if f == {}]])) == \
                     length(flatten([for e in {text} : [for g in e.l : true]]))",
                    self.text()
                ),
                4 => format!(
                    "length([for e in {text} : e if e.b && e.n != null]) == length([for e in \
                     {text} : e if e.b])"
                ),
                5 => format!("length([for e in {text} : e.l[0]]) {order} {number}"),
                0 => format!("length({text}) {order} {number}"),
                1 => format!("contains({text}[*].s, {})", self.text()),
                2 => format!("length({text}) == length(distinct({text}[*].s))"),
                _ => format!("{text}[{number}].s == {}", self.text()),
            },
            Ty::ObjectMap => match self.random.below(3) {
                0 => format!("length({text}) {order} {number}"),
                1 => format!("contains(keys({text}), {})", self.text()),
                _ => format!("lookup({text}, \"a\", null) == null"),
            },
            Ty::Numbers | Ty::Anys => match self.random.below(7) {
                0 => format!("length({text}) {order} {number}"),
                1 => format!("contains({text}, {number})"),
                2 => format!("{text}[{number}] {order} {number}"),
                3 => format!("length({text}) == length(distinct({text}))"),
                4 => format!("max({text}...) {order} {number}"),
                5 => format!("try({text}[0], null) == {number}"),
                _ => format!("sum({text}) {order} {number}"),
            },
            Ty::Matrix => match self.random.below(6) {
                0 => format!("length({text}) {order} {number}"),
                1 => format!("length(flatten({text})) {order} {number}"),
                2 => format!("contains(flatten({text}), {})", self.text()),
                3 => format!("alltrue([for e in {text} : length(e) {order} {number}])"),
                4 => format!(
                    "alltrue(flatten([for e in {text} : [for f in e : f != {}]]))",
                    self.text()
                ),
                _ => format!("{text}[{number}][0] == {}", self.text()),
            },
            Ty::NumberMap | Ty::AnyMap => match self.random.below(6) {
                0 => format!("length({text}) {order} {number}"),
                1 => format!("contains(keys({text}), {})", self.text()),
                2 => format!("lookup({text}, \"a\", {number}) {order} {number}"),
                3 => format!("contains(values({text}), {number})"),
                4 => format!("try({text}.a, null) == {}", self.constant()),
                _ => format!("{text}[\"a\"] {order} {number}"),
            },
            Ty::Tuple => match self.random.below(4) {
                0 => format!("{text}[0] == {}", self.text()),
                1 => format!("{text}[1] {order} {number}"),
                2 => format!("alltrue([for e in {text} : e != null])"),
                _ => format!("length(compact({text})) {order} {number}"),
            },
            Ty::Inner => match self.random.below(6) {
                0 => format!("{text} != null"),
                1 => format!("can({text}.s)"),
                2 => format!("try({text}.n, 0) {order} {number}"),
                3 => format!("coalesce(try({text}.s, null), \"a\") == {}", self.text()),
                4 => format!("sum([for e, f in {text} : f == null ? 0 : 1]) {order} {number}"),
                _ => format!("length([for e in values({text}) : e if e != null]) {order} {number}"),
            },
            Ty::Bools => match self.random.below(5) {
                0 => format!("alltrue({text})"),
                1 => format!("anytrue({text})"),
                2 => format!("contains({text}, {})", self.constant()),
                3 => format!("{text}[{number}]"),
                _ => format!("length({text}) {order} {number}"),
            },
            Ty::ListMap => match self.random.below(6) {
                0 => format!("length({text}) {order} {number}"),
                1 => format!("contains(flatten(values({text})), {})", self.text()),
                2 => format!("contains(lookup({text}, \"a\", []), {})", self.text()),
                3 => format!("length({text}[\"a\"]) {order} {number}"),
                4 => format!("length(concat(values({text})...)) {order} {number}"),
                _ => format!("try({text}.a[0], null) == {}", self.text()),
            },
            Ty::Inners => match self.random.below(5) {
                0 => format!("length({text}) {order} {number}"),
                1 => format!("contains({text}[*].s, {})", self.text()),
                2 => format!("length({text}) == length(distinct([for e in {text} : e.s]))"),
                3 => format!("length([for e in {text} : e if e.s != null]) {order} {number}"),
                _ => format!("one({text}[*].n) {order} {number}"),
            },
            Ty::InnerMap => match self.random.below(6) {
                0 => format!("length({text}) {order} {number}"),
                1 => format!("try({text}[\"a\"].s, null) == {}", self.text()),
                2 => format!("contains(values({text})[*].n, {number})"),
                3 => format!("lookup({text}, \"a\", null) != null"),
                4 => format!("length(compact([for e, f in {text} : f.s])) {order} {number}"),
                _ => format!("contains(keys({text}), {})", self.text()),
            },
            Ty::Deep => match self.random.below(6) {
                0 => format!("length({text}) {order} {number}"),
                1 => format!("length({text}[*].c) {order} {number}"),
                2 => format!("contains(flatten({text}[*].c[*].n), {number})"),
                3 => format!("length(flatten([for e in {text} : e.c])) {order} {number}"),
                4 => format!("alltrue([for e in {text} : length(e.c) {order} {number}])"),
                _ => format!("can({text}[{number}].c[0].t)"),
            },
            Ty::Items => match self.random.below(6) {
                0 => format!("length({text}) {order} {number}"),
                1 => format!("contains({text}[*].t, {})", self.constant()),
                2 => format!("try({text}[0].n, 0) {order} {number}"),
                3 => format!("sum(concat([0], {text}[*].n)) {order} {number}"),
                4 => format!("max([for e in {text} : e.n]...) {order} {number}"),
                _ => format!("length({text}) == length(toset({text}[*].t))"),
            },
            Ty::DeepItem | Ty::Item | Ty::Holder => match self.random.below(3) {
                0 => format!("{text} != null"),
                1 => format!("can({text}.s)"),
                _ => format!("length(keys({text})) {order} {number}"),
            },
            Ty::Any => match self.random.below(18) {
                12 => format!("try({text}[{number}], null) == {}", self.constant()),
                13 => format!("can({text}[\"{number}\"])"),
                14 => format!("try(length({text}), {number}) {order} {number}"),
                15 => format!("contains(keys(try({text}, {{}})), {})", self.text()),
                16 => format!("try(contains({text}, {}), false)", self.text()),
                17 => format!("lookup(try({text}, {{}}), \"a\", {number}) {order} {number}"),
                10 | 11 => format!("length({text}) {order} {number}"),
                5 => format!("can(regex(\"{}\", {text}))", self.random.pick(&PATTERNS)),
                6 => format!("can(regex(\"{}\", {text}))", self.random.pick(&NUMERALS)),
                7 => format!("{text} {order} {number}"),
                8 => format!("startswith({text}, \"t\")"),
                0 => format!("lookup({text}, \"a\", null) == {}", self.text()),
                1 => format!("length(setsubtract(keys({text}), {})) == 0", self.texts()),
                2 => format!("try({text}.a.b, null) == {}", self.text()),
                3 => format!("contains({}, {text})", self.texts()),
                4 => format!("can({text}.a)"),
                _ => format!("{text}.a == {}", self.text()),
            },
        }
    }

    /// About `p`, a part of a string.
    fn about_part(&mut self) -> String {
        let (order, number) = (self.order(), self.bound());
        let one = match self.random.below(5) {
            0 => format!("p == {}", self.text()),
            1 => format!("length(p) {order} {number}"),
            2 => "can(tonumber(p))".to_owned(),
            3 => format!("contains({}, p)", self.texts()),
            _ => format!("can(regex(\"{}\", p))", self.random.pick(&PATTERNS)),
        };
        match self.random.below(4) {
            0 => format!("!({one})"),
            1 => format!("({one} || p == {})", self.text()),
            2 => format!("({one} && p != {})", self.text()),
            _ => one,
        }
    }

    fn about_format(&mut self, text: &str) -> String {
        let about = *self.random.pick(&ABOUT_FORMATS);
        let comparison = format!("{} {}", self.order(), self.bound());
        about.replace('~', &comparison).replace('@', text)
    }

    fn about_string(&mut self, text: &str) -> String {
        let depth = self.random.below(3);
        let text = self.string(text, depth);
        let (order, number) = (self.order(), self.bound());
        let pattern = *self.random.pick(&PATTERNS);
        match self.random.below(30) {
            24..=29 => self.about_format(&text),
            20 => format!("\"${{{text}}}/x\" == {}", self.text()),
            21 => format!("regex(\"{pattern}\", {text}) == {}", self.text()),
            22 => format!("{text} == try(regex(\"{pattern}\", {text}), null)"),
            23 => format!("can(regex(\"{pattern}\", \"${{{text}}}-1\"))"),
            14 => {
                let all = *self.random.pick(&["alltrue", "anytrue"]);
                let about = self.about_part();
                format!("{all}([for p in split(\"/\", {text}) : {about}])")
            }
            15 => format!("can(jsondecode({text}))"),
            16 => format!("contains(split(\"/\", {text}), {})", self.text()),
            0 | 1 => format!("{text} == {}", self.text()),
            2 => format!("{text} != null"),
            3 | 4 => format!("contains({}, {text})", self.texts()),
            5 | 6 => format!("can(regex(\"{pattern}\", {text}))"),
            7 => format!("length({text}) {order} {number}"),
            19 => format!("try({text}.k, {}) == \"a\"", self.text()),
            18 => format!("length({text}) - 2 {order} {number}"),
            8 => format!("length(regexall(\"{pattern}\", {text})) {order} {number}"),
            9 => format!("startswith({text}, {})", self.text()),
            10 => format!("strcontains({text}, {})", self.text()),
            11 => format!("tonumber({text}) {order} {number}"),
            12 => format!("parseint({text}, 10) {order} {number}"),
            13 => {
                let separator = *self.random.pick(&["/", "/", ""]);
                format!("length(split(\"{separator}\", {text})) {order} {number}")
            }
            17 => format!("try(index({}, {text}), {number}) {order} {number}", self.texts()),
            _ => format!("can(cidrhost({text}, {number}))"),
        }
    }
}

/// What is asked of a text, `@`, that a function reads; `~` is an order and a number.
const ABOUT_FORMATS: [&str; 52] = [
    // Of the machine, where `k.txt` may be there.
    "file(\"k.txt\") == @",
    "can(file(\"k.txt\"))",
    "!can(file(\"k.txt\"))",
    "try(file(\"k.txt\"), \"a\") == @",
    "fileexists(\"k.txt\")",
    "!fileexists(\"k.txt\")",
    "length(fileset(\".\", \"k.*\")) ~",
    "contains(fileset(\".\", \"k.*\"), @)",
    "contains([file(\"k.txt\"), \"b\"], @)",
    "abspath(\"k.txt\") != @",
    "filesha256(\"k.txt\") == @",
    "templatefile(\"k.txt\", {}) != @",
    "can(cidrhost(@, 0))",
    "can(cidrhost(@, 255))",
    "can(cidrhost(@, -1))",
    "!can(cidrhost(@, 256))",
    "cidrhost(@, 0) == split(\"/\", @)[0]",
    "cidrhost(@, 1) != \"10.0.0.1\"",
    "can(cidrnetmask(@))",
    "cidrnetmask(@) == \"255.0.0.0\"",
    "can(cidrnetmask(\"${@}/8\"))",
    "can(cidrhost(\"${@}/32\", 0))",
    "can(cidrhost(\"10.0.0.0/${@}\", 0))",
    "can(cidrsubnet(@, 8, 2))",
    "can(cidrsubnet(@, 0, 0))",
    "cidrsubnet(@, 0, 0) == @",
    "can(cidrsubnets(@, 1, 2))",
    "alltrue([for p in split(\",\", @) : can(cidrhost(p, 0))])",
    "try(tonumber(split(\"/\", @)[1]), 0) ~",
    "can(cidrhost(@, 0)) && !can(cidrnetmask(@))",
    "can(regex(\"^10[.]\", @)) && can(cidrhost(@, 0))",
    "can(timeadd(@, \"1h\"))",
    "can(timeadd(\"2024-01-01T00:00:00Z\", @))",
    "can(formatdate(\"YYYY\", @))",
    "formatdate(\"YYYY\", @) == \"2024\"",
    "timecmp(@, \"2024-02-29T12:00:00Z\") ~",
    "can(timecmp(@, @))",
    "can(base64decode(@))",
    "base64encode(base64decode(@)) == @",
    "can(textdecodebase64(@, \"UTF-8\"))",
    "can(jsondecode(@))",
    "can(jsondecode(@).a)",
    "length(jsondecode(@)) ~",
    "can(yamldecode(@))",
    "can(keys(yamldecode(@)))",
    "can(csvdecode(@))",
    "can(urldecode(@))",
    "can(parseint(@, 16))",
    "parseint(@, 2) ~",
    "can(tonumber(@))",
    "can(tobool(@))",
    "can(regex(@, \"a\"))",
];

/// Patterns that numbers match, or nearly.
const NUMERALS: [&str; 5] =
    ["^[0-9]{1,2}$", "^[1-9][0-9]*$", "^(?:2|3|0?1|t.*)$", "^-?[0-9]", "^[a-z]"];

const KINDS: [Ty; 29] = [
    Ty::String,
    Ty::String,
    Ty::String,
    Ty::Number,
    Ty::Strings,
    Ty::Set,
    Ty::Map,
    Ty::Object,
    Ty::Object,
    Ty::Objects,
    Ty::Objects,
    Ty::ObjectMap,
    Ty::ObjectMap,
    Ty::Any,
    Ty::Any,
    Ty::Numbers,
    Ty::Matrix,
    Ty::NumberMap,
    Ty::Anys,
    Ty::AnyMap,
    Ty::Tuple,
    Ty::Inner,
    Ty::Bools,
    Ty::ListMap,
    Ty::Inners,
    Ty::InnerMap,
    Ty::Deep,
    Ty::Holder,
    Ty::Holder,
];

fn judged() -> Vec<&'static Function> {
    functions::all().iter().copied().filter(|it| is_judged(it)).collect()
}

/// What a module has to say that calls functions of Terraform's own provider.
pub const PROVIDERS: &str = "terraform {\n  required_providers {\n    terraform = { source = \"terraform.io/builtin/terraform\" }\n  }\n}\n";

/// The variables of a module with a condition about the first one, and maybe about the second. It needs
/// [`PROVIDERS`].
pub fn written(seed: u64) -> String {
    let mut writer = Writer { random: Random::new(seed), names: 0 };
    for _ in 0..9 {
        writer.random.below(2);
    }
    let (first, second) = (*writer.random.pick(&KINDS), *writer.random.pick(&KINDS));
    let name = |text: &str, ty| Name { text: text.to_owned(), ty };
    let mut scope = vec![name("var.x", first); 4];
    if writer.random.below(4) == 0 {
        scope.push(name("var.y", second));
    }
    let depth = 1 + writer.random.below(3);
    let mut condition = writer.truth(&scope, depth);
    while !condition.contains("var.x") {
        condition = writer.truth(&scope, depth);
    }
    // Of 100 functions each has to come often enough.
    condition = match writer.random.below(6) {
        0 => format!("{} || ({condition})", writer.asked_of_any_function(&scope)),
        1 => format!("({condition}) && {}", writer.asked_of_any_function(&scope)),
        2 => format!("{} && {0} == ({condition})", writer.asked_of_any_function(&scope)),
        _ => condition,
    };
    let message = *writer.random.pick(&["No.", "No.", "No.", "Not ${var.x}.", "Not ${var.x[0]}."]);
    let nullable = match writer.random.below(5) {
        0 => "  nullable = false\n".to_owned(),
        1 => "  default  = null\n".to_owned(),
        2 | 3 => match default_with_nulls(first) {
            "" => String::new(),
            default => format!("  default  = {default}\n"),
        },
        _ => String::new(),
    };
    format!(
        "variable \"x\" {{\n  type = {}\n{nullable}  validation {{\n    condition     = \
         {condition}\n    error_message = \"{message}\"\n  }}\n}}\n\nvariable \"y\" {{\n  type = {}\n}}\n",
        ty(first),
        ty(second),
    )
}

pub fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn random_conditions_are_never_made_stronger() {
    let count = number("TERRASCHEMA_FUZZ").unwrap_or(80);
    let seed = number("TERRASCHEMA_SEED").unwrap_or(1);
    let judged: Vec<_> = (0..count)
        .into_par_iter()
        .map(|index| {
            let seed = (seed << 32 | index).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
            let text = written(seed);
            // Before 1.12 an error in either operand of `&&` and `||` counts.
            let release = if seed & 2 == 0 { Release::V1_11 } else { Release::NEWEST };
            let module = module_of(&format!("{PROVIDERS}{text}"), release);
            let subject = Subject::new(&module, &module.variables["x"], 0);
            (
                text,
                subject.translation().fidelity().as_str(),
                subject.judge(150, seed, seed.is_multiple_of(4)),
            )
        })
        .collect();
    let pairs: usize = judged.iter().map(|it| it.2.tried).sum();
    let told = |it: &str| judged.iter().filter(|(_, fidelity, _)| *fidelity == it).count();
    let kinds = ["exact", "necessary", "untranslated"].map(|it| format!("{it} {}", told(it)));
    eprintln!("seed {seed}: {count} conditions, {pairs} values; {}", kinds.join(", "));
    let wrong = judged.iter().filter(|it| !it.2.wrong.is_empty());
    let mut wrong: Vec<_> = wrong.map(|it| format!("{}{}\n", it.0, it.2.wrong[0])).collect();
    wrong.sort_by_key(String::len);
    let first: Vec<_> = wrong.iter().take(12).cloned().collect();
    assert!(wrong.is_empty(), "seed {seed}: {} wrong\n{}", wrong.len(), first.join("\n"));
}
