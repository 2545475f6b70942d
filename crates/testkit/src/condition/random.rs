//! Random conditions over values of random types, as texts.

mod atoms;

use tf_eval::functions::{self, Function};

use super::values::Random;
use crate::eval::is_judged;

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
}

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
