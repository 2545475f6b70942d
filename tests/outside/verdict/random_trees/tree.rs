//! Random trees of modules: what each declares, calls and returns, and the values that the root is
//! given.

use std::collections::{BTreeMap, BTreeSet};

use testkit::random::Random;

use super::{
    block::{self, Block},
    expr::{Maker, Named, Place, Traits, Used},
    kind::{self, Kind, Presence},
};

/// A tree as it is made, easy to take apart.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// The root first.
    pub modules: Vec<Module>,
    /// Values files of the root, with their members.
    pub values: BTreeMap<String, Vec<(String, String)>>,
    /// Of the command line.
    pub args: Vec<String>,
}

#[derive(Clone, Debug, Default)]
pub struct Module {
    /// As seen from the root; empty for the root itself.
    pub dir: String,
    pub is_json: bool,
    pub blocks: Vec<Block>,
    pub overrides: Vec<Block>,
    /// Files that expressions read.
    pub texts: Vec<String>,
}

impl Tree {
    /// All files, by their paths from the root.
    pub fn files(&self) -> BTreeMap<String, String> {
        let mut files = BTreeMap::new();
        for module in &self.modules {
            let at = |name: &str| match module.dir.as_str() {
                "" => name.to_owned(),
                dir => format!("{dir}/{name}"),
            };
            if module.is_json {
                files.insert(at("main.tf.json"), block::json(&module.blocks));
            } else {
                files.insert(at("main.tf"), block::native(&module.blocks));
            }
            if !module.overrides.is_empty() {
                files.insert(at("override.tf"), block::native(&module.overrides));
            }
            files.extend(module.texts.iter().map(|it| (at(it), "a\n".to_owned())));
        }
        for (name, members) in &self.values {
            let members = members.iter().map(|(name, value)| format!("{name} = {value}\n"));
            files.insert(name.clone(), members.collect());
        }
        files
    }

    /// Whether expressions refer to what a plan does not know.
    pub fn has_unknowns(&self) -> bool {
        let texts = self.files();
        texts.values().any(|it| {
            it.match_indices("terraform_data.").any(|(at, _)| {
                // An attribute that is known as it is written.
                let rest = &it[at..];
                let end = rest.find([' ', ')', ',', '\n', '}']).unwrap_or(rest.len());
                !rest[..end].contains(".input") && !rest[..end].contains(".triggers_replace")
            }) || it.contains("self.")
        })
    }
}

/// What callers see of a module.
struct Interface {
    dir: String,
    inputs: Vec<Input>,
    outputs: Vec<Named>,
}

struct Input {
    name: String,
    kind: Kind,
    is_required: bool,
    is_nullable: bool,
    is_ephemeral: bool,
    is_sensitive: bool,
}

/// Makes a tree.
pub fn tree(random: &mut Random) -> Tree {
    let slips = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2];
    let slips = *random.pick(&slips);
    let choosy = *random.pick(&[0, 0, 0, 8, 15, 30]);
    let unknowns = random.chance(30);
    let count = 1 + random.below(4);
    let nested = random.chance(40);
    let mut maker = Maker::new(random, slips, choosy);
    let (mut modules, mut known) = (Vec::new(), Vec::new());
    for place in 0..count {
        let dir = if nested { format!("modules/m{place}") } else { format!("m{place}") };
        let (module, interface) = Writer::new(&mut maker, &known, dir, unknowns).module();
        modules.push(module);
        known.push(interface);
    }
    let (root, interface) = Writer::new(&mut maker, &known, String::new(), unknowns).module();
    modules.insert(0, root);
    let mut tree = Tree { modules, ..Tree::default() };
    give(&mut tree, &interface, &mut maker);
    tree
}

/// Values for the root's variables.
fn give(tree: &mut Tree, root: &Interface, maker: &mut Maker<'_>) {
    for input in &root.inputs {
        if !input.is_required && maker.random.chance(50) || maker.slips(2) {
            continue;
        }
        let value = if maker.slips(6) {
            let other = kind::kind(maker.random, 1);
            let other = kind::literal(&other, maker.random);
            if maker.random.chance(50) { "null".to_owned() } else { other }
        } else {
            kind::literal(&input.kind, maker.random)
        };
        match maker.random.below(4) {
            0 => {
                let is_plain = matches!(input.kind, Kind::String | Kind::Number | Kind::Bool);
                let value = if is_plain { value.trim_matches('"').to_owned() } else { value };
                tree.args.push(format!("-var={}={value}", input.name));
            }
            1 => tree.file("terraform.tfvars").push((input.name.clone(), value)),
            2 => tree.file("x.auto.tfvars").push((input.name.clone(), value)),
            _ => {
                if !tree.values.contains_key("given.tfvars") {
                    tree.args.push("-var-file=given.tfvars".to_owned());
                }
                tree.file("given.tfvars").push((input.name.clone(), value));
            }
        }
    }
}

impl Tree {
    fn file(&mut self, name: &str) -> &mut Vec<(String, String)> {
        self.values.entry(name.to_owned()).or_default()
    }
}

/// The instances of a call or a resource, where they show.
enum Repetition {
    Single,
    Count(Option<usize>),
    Each(Vec<&'static str>, Kind),
}

/// A call whose arguments are being given.
struct Call<'k> {
    name: String,
    to: &'k Interface,
    repetition: Repetition,
    block: Block,
    /// What the caller's variables are that each argument depends on.
    given: BTreeMap<String, Used>,
    /// What its instances depend on.
    used: Used,
    /// What its arguments depend on.
    needs: BTreeSet<String>,
    returned: BTreeSet<String>,
}

impl Call<'_> {
    /// What is special about an output of it, and the caller's variables that this depends on.
    fn output(&self, output: &Named) -> (Traits, BTreeSet<String>) {
        let (mut traits, mut needs) = (output.traits, self.used.needs.clone());
        for it in &output.needs {
            let given = &self.given[it];
            let of = self.to.inputs.iter().find(|input| input.name == *it).unwrap();
            needs.extend(given.needs.iter().cloned());
            traits.unknown |= given.traits.unknown;
            traits.sensitive |= given.traits.sensitive || of.is_sensitive;
        }
        (traits, needs)
    }
}

struct Writer<'w, 'r> {
    maker: &'w mut Maker<'r>,
    known: &'w [Interface],
    dir: String,
    unknowns: bool,
    blocks: Vec<Block>,
    inputs: Vec<Input>,
    outputs: Vec<Named>,
    names: Vec<Named>,
    texts: Vec<String>,
}

impl<'w, 'r> Writer<'w, 'r> {
    fn new(maker: &'w mut Maker<'r>, known: &'w [Interface], dir: String, unknowns: bool) -> Self {
        let (blocks, inputs, outputs, names) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Writer { maker, known, dir, unknowns, blocks, inputs, outputs, names, texts: Vec::new() }
    }

    fn is_root(&self) -> bool {
        self.dir.is_empty()
    }

    fn module(mut self) -> (Module, Interface) {
        for it in 0..=self.maker.random.below(3) {
            self.variable(it);
        }
        for it in 0..self.maker.random.below(3) {
            self.local(it);
        }
        if self.maker.random.chance(45) {
            self.resource(0);
        }
        self.calls();
        for it in 3..3 + self.maker.random.below(3) {
            self.local(it);
        }
        if self.maker.random.chance(35) {
            self.variable(9);
        }
        if self.maker.random.chance(35) {
            self.resource(1);
        }
        for it in 0..=self.maker.random.below(3) {
            self.output(it);
        }
        if self.maker.random.chance(12) {
            self.check();
        }
        self.moves();
        let overrides = if self.maker.random.chance(8) { self.overrides() } else { Vec::new() };
        let is_json = self.maker.random.chance(12);
        let Writer { dir, blocks, inputs, outputs, texts, .. } = self;
        let module = Module { dir: dir.clone(), is_json, blocks, overrides, texts };
        (module, Interface { dir, inputs, outputs })
    }

    /// Everything but what is ephemeral.
    fn lasting(&self) -> Place<'_> {
        Place { names: &self.names, sensitive: true, ephemeral: false, unknown: self.unknowns }
    }

    /// An expression with its uses; names are taken from here.
    fn expr(
        &mut self,
        kind: &Kind,
        depth: usize,
        limits: Limits,
        more: &[Named],
    ) -> (String, Used) {
        let mut names = self.names.clone();
        names.extend(more.iter().cloned());
        let Limits { sensitive, ephemeral, unknown } = limits;
        let place =
            Place { names: &names, sensitive, ephemeral, unknown: unknown && self.unknowns };
        self.maker.used();
        let text = self.maker.expr(kind, &place, depth);
        (text, self.maker.used())
    }

    fn rule(&mut self, block: &str, kind: &Kind, text: &str, may_be_null: bool) -> (Block, Used) {
        self.maker.used();
        let names = self.names.clone();
        let place = Place { names: &names, ..self.lasting() };
        let condition = self.maker.condition(kind, text, &place);
        let condition = if may_be_null && !self.maker.slips(10) {
            match self.maker.random.below(8) {
                0 => format!("try({condition}, true)"),
                _ => format!("{text} == null ? true : ({condition})"),
            }
        } else {
            condition
        };
        let condition =
            if self.maker.random.chance(3) { format!("!({condition})") } else { condition };
        let message = self.maker.message(text, &place);
        let block =
            Block::new(block, &[]).with("condition", condition).with("error_message", message);
        (block, self.maker.used())
    }

    fn variable(&mut self, index: usize) {
        let name = format!("v{index}");
        let kind = kind::kind(self.maker.random, 2);
        let mut block = Block::new("variable", &[&name]);
        if kind != Kind::Any || self.maker.random.chance(50) {
            block = block.plain("type", kind.text());
        }
        let (sensitive, ephemeral) = (self.maker.random.chance(12), self.maker.random.chance(5));
        let nullable = *self.maker.random.pick(&[None, None, None, Some(true), Some(false)]);
        let mut null = false;
        let has_default = self.maker.random.chance(45) || index == 9;
        if has_default {
            null = nullable != Some(false) && self.maker.random.chance(15);
            let default =
                if null { "null".to_owned() } else { kind::literal(&kind, self.maker.random) };
            block.constant("default", default);
        }
        let mut traits = Traits { sensitive, ephemeral, unknown: false, null: false };
        for (name, is_set) in [("sensitive", sensitive), ("ephemeral", ephemeral)] {
            if is_set {
                block.constant(name, "true");
            }
        }
        if let Some(it) = nullable {
            block.constant("nullable", it.to_string());
        }
        traits.null = nullable != Some(false) && (null || self.maker.random.chance(15));
        let mut needs = BTreeSet::from([name.clone()]);
        let text = format!("var.{name}");
        for _ in 0..*self.maker.random.pick(&[0, 0, 1, 1, 1, 2]) {
            let (rule, used) = self.rule("validation", &kind, &text, traits.null);
            block.blocks.push(rule);
            needs.extend(used.needs);
        }
        self.blocks.push(block);
        self.inputs.push(Input {
            name,
            kind: kind.clone(),
            is_required: !has_default,
            is_nullable: traits.null,
            is_ephemeral: ephemeral,
            is_sensitive: sensitive,
        });
        self.name(Named { text, kind, traits, needs });
    }

    /// Makes it something to refer to, with the attributes that it has.
    fn name(&mut self, it: Named) {
        if let Kind::Object(all) = &it.kind
            && !it.traits.null
        {
            for attribute in all {
                let null = attribute.presence == Presence::Optional;
                self.names.push(Named {
                    text: format!("{}.{}", it.text, attribute.name),
                    kind: attribute.kind.clone(),
                    traits: Traits { null, ..it.traits },
                    needs: it.needs.clone(),
                });
            }
        }
        self.names.push(it);
    }

    fn local(&mut self, index: usize) {
        let kind = kind::kind(self.maker.random, 2);
        let limits = Limits { ephemeral: self.maker.random.chance(10), ..Limits::ANY };
        let (mut text, used) = self.expr(&kind, 2, limits, &[]);
        if self.maker.random.chance(5) && kind == Kind::String {
            let slips = self.maker.slips(20);
            if !slips && self.texts.is_empty() {
                self.texts.push("data.txt".to_owned());
            }
            let name = if slips { "none.txt" } else { "data.txt" };
            text = if self.maker.random.chance(70) {
                format!("file(\"${{path.module}}/{name}\")")
            } else {
                format!("tostring(fileexists(\"${{path.module}}/{name}\"))")
            };
        }
        let name = format!("l{index}");
        self.blocks.push(Block::new("locals", &[]).with(&name, text));
        let traits = Traits { null: false, ..used.traits };
        let kind = kind.unconverted();
        self.name(Named { text: format!("local.{name}"), kind, traits, needs: used.needs });
    }

    /// `count` or `for_each`, and what the body may refer to in addition.
    fn repetition(&mut self, block: &mut Block) -> (Repetition, Used, Vec<Named>) {
        let limits = Limits { sensitive: false, ephemeral: false, unknown: false };
        let named = |text: &str, kind: Kind, used: &Used| Named {
            text: text.to_owned(),
            kind,
            traits: Traits { null: false, ..used.traits },
            needs: used.needs.clone(),
        };
        match self.maker.random.below(10) {
            0 | 1 => {
                let literal = self.maker.random.below(4);
                let (count, known, used) = match self.maker.random.below(6) {
                    _ if self.maker.slips(12) => {
                        let all = [
                            "-1",
                            "null",
                            "\"x\"",
                            "1.5",
                            "[]",
                            "true",
                            "sensitive(2)",
                            "\"2\"",
                            "count.index",
                            "self.id",
                        ];
                        ((*self.maker.random.pick(&all)).to_owned(), None, Used::default())
                    }
                    0..3 => (literal.to_string(), Some(literal), Used::default()),
                    3 => {
                        let (condition, used) = self.expr(&Kind::Bool, 1, limits, &[]);
                        (
                            format!("{condition} ? {} : {}", 1 + literal, literal),
                            Some(literal),
                            used,
                        )
                    }
                    _ => {
                        let (count, used) = self.expr(&Kind::Number, 1, limits, &[]);
                        (count, None, used)
                    }
                };
                block.set("count", count);
                let more = vec![named("count.index", Kind::Number, &used)];
                (Repetition::Count(known), used, more)
            }
            2..4 => {
                let keys = ["k", "a", "prod"];
                let keys: Vec<&str> = keys[..=self.maker.random.below(3)].to_vec();
                let value = kind::kind(self.maker.random, 1);
                let strings = || Kind::Set(Box::new(Kind::String));
                let (each, value, keys, used) = match self.maker.random.below(6) {
                    _ if self.maker.slips(12) => {
                        let all = [
                            "null",
                            "[\"a\"]",
                            "\"a\"",
                            "toset([1])",
                            "toset([\"a\", null])",
                            "sensitive({ a = 1 })",
                            "{ (sensitive(\"a\")) = 1 }",
                            "each.value",
                            "1",
                        ];
                        (
                            (*self.maker.random.pick(&all)).to_owned(),
                            Kind::Any,
                            Vec::new(),
                            Used::default(),
                        )
                    }
                    0 | 1 => (format!("toset({keys:?})"), Kind::String, keys, Used::default()),
                    2 | 3 => {
                        let mut all = Used::default();
                        let limits = Limits { ephemeral: false, ..Limits::ANY };
                        let members = keys.iter().map(|key| {
                            let (it, used) = self.expr(&value, 1, limits, &[]);
                            all.traits = all.traits.and(used.traits);
                            all.needs.extend(used.needs);
                            format!("{key} = {it}")
                        });
                        let members: Vec<String> = members.collect();
                        (format!("{{ {} }}", members.join(", ")), value, keys, all)
                    }
                    4 => {
                        let (it, used) = self.expr(&strings(), 1, limits, &[]);
                        (format!("toset({it})"), Kind::String, Vec::new(), used)
                    }
                    _ => {
                        let (it, used) =
                            self.expr(&Kind::Map(Box::new(value.clone())), 1, limits, &[]);
                        (it, value, Vec::new(), used)
                    }
                };
                block.set("for_each", each);
                let of_key = Used { needs: used.needs.clone(), ..Used::default() };
                let more = vec![
                    named("each.key", Kind::String, &of_key),
                    named("each.value", value.unconverted(), &used),
                ];
                (Repetition::Each(keys, value), used, more)
            }
            _ => (Repetition::Single, Used::default(), Vec::new()),
        }
    }

    fn calls(&mut self) {
        let known = self.known;
        if known.is_empty() {
            return;
        }
        let count = *self.maker.random.pick(&[1, 1, 2, 2, 3]);
        let mut calls: Vec<Call<'w>> = Vec::new();
        for index in 0..count {
            // The last one that was made is called, so that trees become deep.
            let at = if index == 0 && self.maker.random.chance(75) {
                known.len() - 1
            } else {
                self.maker.random.below(known.len())
            };
            calls.push(self.call(index, &known[at]));
        }
        let mut open: Vec<(usize, usize)> = Vec::new();
        for (at, call) in calls.iter().enumerate() {
            open.extend((0..call.to.inputs.len()).map(|it| (at, it)));
        }
        // Outputs that need no argument.
        for call in &mut calls {
            self.returned(call);
        }
        while !open.is_empty() {
            let next =
                if self.maker.random.chance(50) { 0 } else { self.maker.random.below(open.len()) };
            let (at, input) = open.remove(next);
            let to = calls[at].to;
            self.argument(&mut calls[at], &to.inputs[input]);
            self.returned(&mut calls[at]);
        }
        for mut call in calls {
            if self.maker.slips(2) {
                call.block.set("zz", "1");
            }
            if self.maker.slips(2) {
                call.block.set("count", "1");
            }
            self.returned_all(&call);
            let text = format!("module.{}", call.name);
            let outputs = call.to.outputs.iter().map(|it| it.traits);
            let traits = outputs.fold(call.used.traits, Traits::and);
            let traits = Traits { null: false, ..traits };
            self.blocks.push(call.block);
            if self.maker.random.chance(30) {
                let needs = call.used.needs.into_iter().chain(call.needs).collect();
                self.names.push(Named { text, kind: Kind::Any, traits, needs });
            }
        }
    }

    fn call(&mut self, index: usize, to: &'w Interface) -> Call<'w> {
        let name = format!("c{index}");
        let mut block = Block::new("module", &[&name]);
        let up = "../".repeat(self.dir.split('/').filter(|it| !it.is_empty()).count());
        let dir = if up.is_empty() { format!("./{}", to.dir) } else { format!("{up}{}", to.dir) };
        block = block.plain("source", dir);
        let (repetition, used, _) = self.repetition(&mut block);
        if self.maker.random.chance(4) {
            let names: Vec<String> = self.names.iter().map(|it| it.text.clone()).collect();
            let names = names.into_iter().filter(|it| it.starts_with("terraform_data."));
            let first = names.map(|it| it.split('.').take(2).collect::<Vec<_>>().join(".")).next();
            let first = first.map(|it| it.split('[').next().unwrap_or_default().to_owned());
            if let Some(it) = first {
                block = block.list("depends_on", vec![it]);
            }
        }
        let (given, needs, returned) = (BTreeMap::new(), BTreeSet::new(), BTreeSet::new());
        Call { name, to, repetition, block, given, used, needs, returned }
    }

    fn argument(&mut self, call: &mut Call<'_>, input: &Input) {
        let is_left_out =
            if input.is_required { self.maker.slips(2) } else { self.maker.random.chance(45) };
        let mut used = Used::default();
        if !is_left_out {
            let more = match &call.repetition {
                Repetition::Single => Vec::new(),
                Repetition::Count(_) => vec![("count.index", Kind::Number)],
                Repetition::Each(_, value) => {
                    vec![("each.key", Kind::String), ("each.value", value.unconverted())]
                }
            };
            let more: Vec<Named> = more
                .into_iter()
                .map(|(text, kind)| Named {
                    text: text.to_owned(),
                    kind,
                    traits: Traits { null: false, ..call.used.traits },
                    needs: call.used.needs.clone(),
                })
                .collect();
            let limits = Limits { ephemeral: input.is_ephemeral, ..Limits::ANY };
            let (text, found) =
                if input.is_nullable && self.maker.random.chance(8) || self.maker.slips(2) {
                    ("null".to_owned(), Used::default())
                } else {
                    self.expr(&input.kind, 2, limits, &more)
                };
            call.block.set(&input.name, text);
            used = found;
        }
        call.needs.extend(used.needs.iter().cloned());
        call.given.insert(input.name.clone(), used);
    }

    /// Makes outputs something to refer to, as soon as all is given that they depend on.
    fn returned(&mut self, call: &mut Call<'_>) {
        for output in &call.to.outputs {
            let is_ready = output.needs.iter().all(|it| call.given.contains_key(it));
            if !is_ready || !call.returned.insert(output.text.clone()) {
                continue;
            }
            let (traits, needs) = call.output(output);
            let (module, name) = (format!("module.{}", call.name), &output.text);
            let kind = output.kind.clone();
            let named =
                |text: String| Named { text, kind: kind.clone(), traits, needs: needs.clone() };
            match &call.repetition {
                Repetition::Single => self.name(named(format!("{module}.{name}"))),
                Repetition::Count(known) => {
                    if known.is_some_and(|it| it > 0) || self.maker.slips(3) {
                        self.name(named(format!("{module}[0].{name}")));
                    } else if self.maker.random.chance(40) {
                        let other = kind::literal(&kind, self.maker.random);
                        self.names.push(named(format!("try({module}[0].{name}, {other})")));
                    }
                }
                Repetition::Each(keys, _) => {
                    for key in keys {
                        self.name(named(format!("{module}[\"{key}\"].{name}")));
                    }
                    if self.maker.slips(2) {
                        self.names.push(named(format!("{module}[\"zz\"].{name}")));
                    }
                }
            }
        }
    }

    /// What refers to all instances waits for all of the called module.
    fn returned_all(&mut self, call: &Call<'_>) {
        for output in &call.to.outputs {
            let (traits, mut needs) = call.output(output);
            needs.extend(call.needs.iter().cloned());
            let (module, name) = (format!("module.{}", call.name), &output.text);
            let list = Kind::List(Box::new(output.kind.clone()));
            let map = Kind::Map(Box::new(output.kind.clone()));
            let named = |text: String, kind: &Kind| Named {
                text,
                kind: kind.clone(),
                traits,
                needs: needs.clone(),
            };
            match &call.repetition {
                Repetition::Single => (),
                Repetition::Count(_) => {
                    self.names.push(named(format!("{module}[*].{name}"), &list));
                }
                Repetition::Each(..) => {
                    let each = format!("for k, e in {module} :");
                    self.names.push(named(format!("[{each} e.{name}]"), &list));
                    self.names.push(named(format!("{{ {each} k => e.{name} }}"), &map));
                    self.names.push(named(format!("values({module})[*].{name}"), &list));
                }
            }
        }
    }

    fn resource(&mut self, index: usize) {
        let name = format!("r{index}");
        let address = format!("terraform_data.{name}");
        let mut block = Block::new("resource", &["terraform_data", &name]);
        let (repetition, mut used, more) = self.repetition(&mut block);
        let limits = Limits { ephemeral: false, ..Limits::ANY };
        let kind = kind::kind(self.maker.random, 2);
        let mut has_input = false;
        if self.maker.random.chance(75) {
            has_input = true;
            let (text, found) = self.expr(&kind, 2, limits, &more);
            block.set("input", text);
            used.traits = used.traits.and(found.traits);
            used.needs.extend(found.needs);
        }
        if self.maker.random.chance(25) {
            let (text, found) = self.expr(&Kind::Any, 1, limits, &more);
            block.set("triggers_replace", text);
            used.needs.extend(found.needs);
        }
        let mut lifecycle = Block::new("lifecycle", &[]);
        if self.maker.random.chance(25)
            && let Some(it) = self.subject()
        {
            let (rule, found) = self.rule("precondition", &it.kind, &it.text, it.traits.null);
            lifecycle.blocks.push(rule);
            used.needs.extend(found.needs.into_iter().chain(it.needs));
        }
        if self.maker.random.chance(20) {
            let what = if self.unknowns && self.maker.random.chance(25) {
                (Kind::String, "self.id")
            } else {
                (kind.unconverted(), "self.input")
            };
            let (rule, found) = self.rule("postcondition", &what.0, what.1, !has_input);
            lifecycle.blocks.push(rule);
            used.needs.extend(found.needs);
        }
        if !lifecycle.blocks.is_empty() {
            block.blocks.push(lifecycle);
        }
        self.blocks.push(block);
        let kind = kind.unconverted();
        let mut traits = Traits { null: false, ..used.traits };
        let at = match &repetition {
            Repetition::Single => address,
            Repetition::Count(Some(it)) if *it > 0 => format!("{address}[0]"),
            Repetition::Each(keys, _) if !keys.is_empty() => format!("{address}[\"{}\"]", keys[0]),
            _ => {
                let list = Kind::List(Box::new(kind));
                let text = match repetition {
                    Repetition::Count(_) => format!("{address}[*].input"),
                    _ => format!("values({address})[*].input"),
                };
                self.names.push(Named { text, kind: list, traits, needs: used.needs });
                return;
            }
        };
        let named = |what: &str, kind: Kind, traits: Traits| Named {
            text: format!("{at}.{what}"),
            kind,
            traits,
            needs: used.needs.clone(),
        };
        if has_input {
            self.names.push(named("input", kind.clone(), traits));
        }
        traits.unknown = true;
        if has_input {
            self.names.push(named("output", kind, traits));
        }
        self.names.push(named("id", Kind::String, Traits { unknown: true, ..Traits::default() }));
    }

    /// What a condition is about.
    fn subject(&mut self) -> Option<Named> {
        let names = self.names.clone();
        let place =
            Place { names: &names, sensitive: true, ephemeral: false, unknown: self.unknowns };
        self.maker.pick(&place, &|_| true)
    }

    fn output(&mut self, index: usize) {
        let name = format!("o{index}");
        let mut block = Block::new("output", &[&name]);
        let kind = kind::kind(self.maker.random, 2);
        let limits =
            Limits { ephemeral: !self.is_root() && self.maker.random.chance(10), ..Limits::ANY };
        let (text, mut used) = self.expr(&kind, 2, limits, &[]);
        block.set("value", text);
        let is_sensitive = used.traits.sensitive && self.is_root() && !self.maker.slips(8);
        if is_sensitive || self.maker.random.chance(8) {
            block.constant("sensitive", "true");
            used.traits.sensitive = true;
        }
        if used.traits.ephemeral && !self.maker.slips(10) {
            block.constant("ephemeral", "true");
        }
        if self.maker.random.chance(20)
            && let Some(it) = self.subject()
        {
            let (rule, found) = self.rule("precondition", &it.kind, &it.text, it.traits.null);
            block.blocks.push(rule);
            used.needs.extend(found.needs.into_iter().chain(it.needs));
        }
        if self.maker.slips(2) {
            block = block.list("depends_on", vec!["module.nope".to_owned()]);
        }
        self.blocks.push(block);
        let traits = Traits { null: false, ..used.traits };
        let kind = kind.unconverted();
        self.outputs.push(Named { text: name, kind, traits, needs: used.needs });
    }

    fn check(&mut self) {
        let Some(it) = self.subject() else { return };
        let (rule, _) = self.rule("assert", &it.kind, &it.text, it.traits.null);
        let mut block = Block::new("check", &["k"]);
        block.blocks.push(rule);
        self.blocks.push(block);
    }

    fn moves(&mut self) {
        let has_resource = self.blocks.iter().any(|it| it.kind == "resource");
        if self.maker.random.chance(3) {
            let from = if has_resource && self.maker.slips(50) { "r0" } else { "old" };
            let moved = Block::new("moved", &[]).plain("from", format!("terraform_data.{from}"));
            self.blocks.push(moved.plain("to", "terraform_data.r1"));
        }
        if self.maker.random.chance(3) {
            let from = if has_resource && self.maker.slips(50) { "r0" } else { "gone" };
            let mut removed =
                Block::new("removed", &[]).plain("from", format!("terraform_data.{from}"));
            let mut lifecycle = Block::new("lifecycle", &[]);
            lifecycle.constant("destroy", "false");
            removed.blocks.push(lifecycle);
            self.blocks.push(removed);
        }
        if self.is_root() && has_resource && self.maker.random.chance(3) {
            // Not from the resource itself, by whatever way.
            self.names.retain(|it| it.text.starts_with("var."));
            let (id, _) = self.expr(&Kind::String, 1, Limits::ANY, &[]);
            let import = Block::new("import", &[]).plain("to", "terraform_data.r0");
            self.blocks.push(import.with("id", id));
        }
    }

    fn overrides(&mut self) -> Vec<Block> {
        let input = self.maker.random.below(self.inputs.len());
        let (name, kind) = (self.inputs[input].name.clone(), self.inputs[input].kind.clone());
        let block = Block::new("variable", &[&name]);
        let block = match self.maker.random.below(6) {
            0 => block.with("nullable", self.maker.random.chance(50).to_string()),
            1 => block.with("sensitive", "true"),
            2 => {
                let kind = kind::kind(self.maker.random, 1);
                block.plain("type", kind.text())
            }
            3 if self.names.iter().any(|it| it.text == "local.l0") => {
                return vec![
                    Block::new("locals", &[]).with("l0", kind::literal(&kind, self.maker.random)),
                ];
            }
            _ => {
                self.inputs[input].is_required = false;
                block.with("default", kind::literal(&kind, self.maker.random))
            }
        };
        vec![block]
    }
}

/// What an expression may have.
#[derive(Clone, Copy)]
struct Limits {
    sensitive: bool,
    ephemeral: bool,
    unknown: bool,
}

impl Limits {
    const ANY: Limits = Limits { sensitive: true, ephemeral: false, unknown: true };
}
