//! Reads the blocks of policy files into rules.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    sync::Arc,
};

use super::{
    SUFFIX, doubts, functions, model,
    model::{Enforced, FileScope, Locals, PolicyDemands},
    operations,
    operations::Operation,
    reads::Reads,
};
use crate::{
    files::RuleFile,
    language::{
        BlockKind, BlockPattern, Demand, GivenContexts, LabelPattern, Policy, PolicyRule,
        RuleTarget, When,
    },
};
use diagnostics::{Diagnostic, Diagnostics, FileId, Level, Role, Span, did_you_mean, lints};
use hcl::{Attribute, Block, Body, Expr, ExprKind, Item, ObjectKey, parse_body};
use release::Release;
use smol_str::SmolStr;
use stack::guarded;
use system::DeniedSystem;
use tf_eval::{EvalHost, Meter, NoData, ReferenceStep, Scope, evaluate_part, references};
use tf_value::Value;

/// The blocks that a file can contain.
const BLOCKS: [&str; 6] =
    ["policy", "input", "locals", "resource_policy", "module_policy", "provider_policy"];

/// Policy files that were parsed.
pub struct ParsedPolicies {
    /// The path as shown, the text and its tree.
    files: Vec<(RuleFile, Body)>,
    meter: Meter,
}

impl ParsedPolicies {
    /// Parses policy files (path as shown, text). Files with tests are passed over.
    pub fn new(files: Vec<RuleFile>, meter: &Meter) -> ParsedPolicies {
        let files = files.into_iter().filter(|it| it.0.ends_with(SUFFIX));
        let parsed = files.map(|it| {
            meter.charge_text(it.1.len());
            let body = parse_body(FileId::default(), &it.1).0;
            (it, body)
        });
        ParsedPolicies { files: parsed.collect(), meter: meter.clone() }
    }

    /// The names of all inputs.
    pub fn inputs(&self) -> BTreeSet<SmolStr> {
        let blocks = self.files.iter().flat_map(|it| &it.1.items).filter_map(|it| match it {
            Item::Block(it) if it.kind.name == "input" => Some(it),
            _ => None,
        });
        model::names(&blocks.collect::<Vec<_>>())
    }

    /// Adds the policies to the rules of a run. Returns the errors in them.
    pub fn add_to(&self, policy: &mut Policy, given: &GivenContexts) -> Diagnostics {
        let mut problems = Vec::new();
        for ((path, bytes), _) in &self.files {
            let id = policy.sources.add(path.clone(), Arc::clone(bytes));
            let (body, found) = parse_body(id, bytes);
            if !found.is_empty() {
                // Policies in the broken part would be missed silently, so that none is read.
                problems.extend(found.into_iter().map(|mut it| {
                    it.rule = (&lints::INVALID_CONFIGURATION).into();
                    it
                }));
                continue;
            }
            let document = Document::new(&body, &mut problems);
            let meter = &self.meter;
            let (input, found) = model::values(&document.inputs, given, &mut policy.sources, meter);
            problems.extend(found);
            let (stem, constants) = (stem(path), BTreeMap::new());
            let mut reader = PolicyReader { problems: Vec::new(), meter, input, stem, constants };
            policy.rules.extend(reader.document(&document));
            problems.extend(reader.problems);
        }
        problems
    }
}

/// A static error of a policy file.
pub(super) fn problem(
    summary: impl Into<String>,
    detail: impl Into<String>,
    span: Span,
) -> Diagnostic {
    Diagnostic::new(&lints::INVALID_CONFIGURATION, summary).detail(detail).at(Role::Rule, span)
}

/// The name of a file without directories and suffix, as a part of a rule's id.
fn stem(path: &str) -> String {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    as_id(name.strip_suffix(SUFFIX).unwrap_or(name))
}

/// The id of the rule that a policy in a file is.
pub(super) fn rule_id(path: &str, label: &str) -> String {
    id(&stem(path), label)
}

fn id(stem: &str, label: &str) -> String {
    let label = as_id(label);
    if label == stem { label } else { format!("{stem}-{label}") }
}

/// A text with nothing but lowercase letters, digits and hyphens.
pub(super) fn as_id(text: &str) -> String {
    let one = |it: char| if it.is_ascii_alphanumeric() { it.to_ascii_lowercase() } else { '-' };
    text.chars().map(one).collect()
}

/// The blocks of a file.
#[derive(Default)]
struct Document<'b> {
    inputs: Vec<&'b Block>,
    policies: Vec<(BlockKind, &'b Block)>,
    locals: Vec<&'b Block>,
}

impl<'b> Document<'b> {
    fn new(body: &'b Body, problems: &mut Diagnostics) -> Document<'b> {
        let mut document = Document::default();
        for item in &body.items {
            match item {
                Item::Attribute(it) => {
                    let detail = format!("A policy file can contain {} blocks.", BLOCKS.join(", "));
                    problems.push(problem("Argument outside of a block", detail, it.name.span));
                }
                Item::Block(it) => match it.kind.name.as_str() {
                    "policy" => settings(it, problems),
                    "input" => document.inputs.push(it),
                    "locals" => document.locals.push(it),
                    "resource_policy" => document.policies.push((BlockKind::Resource, it)),
                    "module_policy" => document.policies.push((BlockKind::Module, it)),
                    "provider_policy" => document.policies.push((BlockKind::Provider, it)),
                    kind => problems.push(unknown_block(kind, it.kind.span)),
                },
            }
        }
        document
    }
}

fn unknown_block(kind: &str, span: Span) -> Diagnostic {
    let detail = match kind {
        "data_policy" => {
            "The language has no policies for data sources: write a resource_policy for the \
            resources that use the data source."
                .to_owned()
        }
        "rule" | "context" | "test" => format!(
            "{kind} blocks belong in a file whose name ends in {}.",
            crate::language::SUFFIX
        ),
        "variable" => "Write input \"NAME\" { … }.".to_owned(),
        "policytest" | "resource" | "data" | "module" | "provider" | "inputs" => {
            "It belongs in a test, whose name ends in .policytest.hcl.".to_owned()
        }
        _ => {
            let hint = did_you_mean(kind, BLOCKS);
            format!("A policy file can contain {} blocks.{hint}", BLOCKS.join(", "))
        }
    };
    problem(format!("Unknown block {kind:?}"), detail, span)
}

/// `policy { … }`: settings of HashiCorp's command. They are checked for their form, and say nothing here.
fn settings(block: &Block, problems: &mut Diagnostics) {
    const KNOWN: [&str; 3] = ["plugins", "required_providers", "terraform_config"];
    for item in &block.body.items {
        let name = match item {
            Item::Attribute(it) => &it.name,
            Item::Block(it) => &it.kind,
        };
        if !KNOWN.contains(&name.name.as_str()) {
            let detail = match name.name.as_str() {
                "enforcement_level" => "Write it in each policy of the file.".to_owned(),
                name => {
                    let hint = did_you_mean(name, KNOWN);
                    format!("A policy block can contain {}.{hint}", KNOWN.join(", "))
                }
            };
            problems.push(problem(format!("Unknown setting {:?}", name.name), detail, name.span));
        }
    }
}

/// Reads one file.
pub(super) struct PolicyReader<'a> {
    problems: Diagnostics,
    meter: &'a Meter,
    /// The object `input`.
    input: Value,
    stem: String,
    /// The values of the file's locals that were evaluated so far; `None` after an error.
    constants: BTreeMap<SmolStr, Option<Value>>,
}

/// The names that an expression may refer to.
struct Known<'k> {
    locals: &'k [&'k Locals],
    /// `attrs`, `meta` and so on; empty outside of policies.
    roots: &'static [&'static str],
}

impl PolicyReader<'_> {
    pub fn add(&mut self, problem: Diagnostic) {
        self.problems.push(problem);
    }

    fn document(&mut self, document: &Document<'_>) -> Vec<PolicyRule> {
        let mut locals = Locals::new();
        for block in &document.locals {
            self.locals(block, &mut locals, &Locals::new());
        }
        let known = Known { locals: &[&locals], roots: &[] };
        for it in locals.values() {
            self.check(it, &known);
        }
        self.cycles(&locals, &Locals::new());
        if !self.problems.is_empty() {
            return Vec::new();
        }
        let scope = Arc::new(FileScope { input: self.input.clone(), locals });
        let mut labels = BTreeSet::new();
        let mut rules = Vec::new();
        for (kind, block) in &document.policies {
            let [target, label] = block.labels.as_slice() else {
                let name = &block.kind.name;
                let detail = format!("Write {name} \"TARGET\" \"NAME\" {{ … }}.");
                self.add(problem(format!("{name} must have two labels"), detail, block.header));
                continue;
            };
            if !labels.insert((*kind as u8, &target.text, &label.text)) {
                let detail = "Merge them into one policy, or rename one of them.";
                let summary = format!("Duplicate policy {:?} for {:?}", label.text, target.text);
                self.add(problem(summary, detail, label.span));
            }
            rules.extend(self.policy(*kind, &target.text, &label.text, block, &scope));
        }
        rules
    }

    fn locals(&mut self, block: &Block, into: &mut Locals, outer: &Locals) {
        for item in &block.body.items {
            match item {
                Item::Block(it) => {
                    self.add(problem("locals can contain only arguments", "", it.header));
                }
                Item::Attribute(it) => {
                    let name = &it.name;
                    if outer.contains_key(&name.name) {
                        let detail =
                            "A local of a policy cannot have the name of one outside of it.";
                        let summary = format!("Duplicate local {:?}", name.name);
                        self.add(problem(summary, detail, name.span));
                    }
                    if into.insert(name.name.clone(), Arc::clone(&it.value)).is_some() {
                        let summary = format!("Duplicate local {:?}", name.name);
                        self.add(problem(summary, "", name.span));
                    }
                }
            }
        }
    }

    /// A policy block; `None` if it cannot be used.
    fn policy(
        &mut self,
        kind: BlockKind,
        target: &SmolStr,
        label: &str,
        block: &Block,
        scope: &Arc<FileScope>,
    ) -> Option<PolicyRule> {
        let before = self.problems.len();
        let parts = self.parts(kind, block, scope);
        let known = Known { locals: &[&parts.locals, &scope.locals], roots: roots(kind) };
        let mut reads = Reads::default();
        for it in parts.expressions() {
            self.check(it, &known);
            reads.add(it, known.locals);
        }
        for it in scope.locals.values() {
            reads.add(it, &[&scope.locals]);
        }
        self.cycles(&parts.locals, &scope.locals);
        if parts.enforced.is_empty() {
            let detail = "Write enforce { condition = … }.";
            self.add(problem(
                "A policy without enforce blocks demands nothing",
                detail,
                block.header,
            ));
        }
        let operations = match kind {
            BlockKind::Resource => operations::of_policy(
                self,
                parts.operations.as_ref(),
                reads.has_prior,
                block.header,
            ),
            _ => Vec::new(),
        };
        let level = parts.level.map_or(Some(Level::Error), |it| self.level(&it, scope));
        let id = id(&self.stem, label);
        let actions = (kind == BlockKind::Resource).then(|| Operation::actions(&operations));
        let is_module = kind == BlockKind::Module;
        let mut conditions = PolicyDemands {
            kind,
            file: Arc::clone(scope),
            locals: parts.locals,
            filter: parts.filter,
            enforced: parts.enforced,
            operations,
            source: is_module.then(|| LabelPattern(target.clone())),
            reads,
            doubts: Vec::new(),
        };
        conditions.doubts = doubts::of(&conditions, target, block.header);
        let mentions = conditions.mentions();
        let pattern = BlockPattern { mentions, ..BlockPattern::default() };
        let labels = vec![LabelPattern(if is_module { "*".into() } else { target.clone() })];
        let target = RuleTarget { kind, labels, pattern, span: block.header };
        if self.problems.len() > before {
            return None;
        }
        Some(PolicyRule {
            id: id.into(),
            span: block.header,
            level,
            undecided: level.map(|_| Level::Warning),
            message: None,
            when: When { actions, ..When::default() },
            demands: vec![Demand {
                is_forbidden: false,
                target,
                conditions: Some(Arc::new(conditions)),
            }],
            counts: Vec::new(),
            needs: Vec::new(),
        })
    }

    fn parts(&mut self, kind: BlockKind, block: &Block, scope: &FileScope) -> Parts {
        let mut parts = Parts::default();
        for item in &block.body.items {
            match item {
                Item::Attribute(it) => match it.name.name.as_str() {
                    "filter" => parts.filter = Some(Arc::clone(&it.value)),
                    "enforcement_level" => parts.level = Some(Arc::clone(&it.value)),
                    "operations" if kind == BlockKind::Resource => {
                        parts.operations = self.texts(it, scope);
                    }
                    name => self.unknown_argument(name, &it.name.span, kind),
                },
                Item::Block(it) => match it.kind.name.as_str() {
                    "locals" => self.locals(it, &mut parts.locals, &scope.locals),
                    "enforce" => parts.enforced.extend(self.enforce(it, &mut parts.messages)),
                    name => self.unknown_argument(name, &it.kind.span, kind),
                },
            }
        }
        parts
    }

    fn unknown_argument(&mut self, name: &str, span: &Span, kind: BlockKind) {
        let mut known = vec!["enforce", "enforcement_level", "filter", "locals"];
        if kind == BlockKind::Resource {
            known.push("operations");
        }
        let detail = match name {
            "operations" => "Only resources have operations.".to_owned(),
            "connected" => "The supported version of the language has no connected blocks: use \
                core::getresources."
                .to_owned(),
            _ => {
                let hint = did_you_mean(name, known.iter().copied());
                format!("A policy can contain {}.{hint}", known.join(", "))
            }
        };
        self.add(problem(format!("Unknown name {name:?} in a policy"), detail, *span));
    }

    /// `enforce { … }`; `messages` collects what is checked and never shown.
    fn enforce(&mut self, block: &Block, messages: &mut Vec<Arc<Expr>>) -> Option<Enforced> {
        let (mut condition, mut error_message) = (None, None);
        for item in &block.body.items {
            let (name, value) = match item {
                Item::Attribute(it) => (&it.name, Some(&it.value)),
                Item::Block(it) => (&it.kind, None),
            };
            match (name.name.as_str(), value) {
                ("condition", Some(it)) => condition = Some(Arc::clone(it)),
                ("error_message", Some(it)) => error_message = Some(Arc::clone(it)),
                ("info_message", Some(it)) => messages.push(Arc::clone(it)),
                (name_text, _) => {
                    let known = ["condition", "error_message", "info_message"];
                    let hint = did_you_mean(name_text, known);
                    let detail =
                        format!("An enforce block can contain {}.{hint}", known.join(", "));
                    let summary = format!("Unknown name {name_text:?} in an enforce block");
                    self.add(problem(summary, detail, name.span));
                }
            }
        }
        if condition.is_none() {
            self.add(problem("An enforce block must have a condition", "", block.header));
        }
        Some(Enforced { condition: condition?, error_message })
    }

    /// The level of `enforcement_level`; `None` after an error.
    fn level(&mut self, expr: &Arc<Expr>, scope: &FileScope) -> Option<Level> {
        let value = self.constant(expr, scope)?;
        match value.as_str() {
            Some("advisory") => Some(Level::Warning),
            Some("mandatory" | "mandatory_overridable" | "mandatory-overridable") => {
                Some(Level::Error)
            }
            word => {
                let word = word.unwrap_or_default();
                let known = ["advisory", "mandatory", "mandatory_overridable"];
                let hint = did_you_mean(word, known);
                let detail = format!("Use {}.{hint}", known.join(", "));
                self.add(problem(
                    format!("{word:?} is not an enforcement level"),
                    detail,
                    expr.span,
                ));
                None
            }
        }
    }

    fn texts(&mut self, attribute: &Attribute, scope: &FileScope) -> Option<(Vec<String>, Span)> {
        let expr = &attribute.value;
        let value = self.constant(expr, scope)?;
        let one = |it: &Value| it.as_str().map(str::to_owned);
        let texts = value.as_sequence().and_then(|all| all.iter().map(one).collect());
        if texts.is_none() {
            self.add(problem("A list of strings is expected", "", expr.span));
        }
        Some((texts?, expr.span))
    }

    /// The value of an expression that refers only to inputs and the file's locals; `None` after an error.
    fn constant(&mut self, expr: &Expr, scope: &FileScope) -> Option<Value> {
        let known = Known { locals: &[&scope.locals], roots: &[] };
        let before = self.problems.len();
        self.check(expr, &known);
        if self.problems.len() > before {
            return None;
        }
        let local = guarded(|| self.local_values(expr, scope))?;
        let names = [("input".into(), self.input.clone()), ("local".into(), Value::object(local))];
        let host = EvalHost::metered(&DeniedSystem, Path::new(""), Release::NEWEST, self.meter);
        host.begin(None);
        let scope = Scope { data: &NoData, host: &host, release: Release::NEWEST };
        let evaluation = evaluate_part(expr, &scope, &names);
        if let Some(first) = evaluation.diagnostics.first() {
            let span = first.span().unwrap_or(expr.span);
            self.add(problem("The expression fails", first.message(), span));
            return None;
        }
        Some(evaluation.value)
    }

    fn local_values(&mut self, expr: &Expr, scope: &FileScope) -> Option<BTreeMap<SmolStr, Value>> {
        let mut found = BTreeMap::new();
        for name in local_names(expr) {
            if !self.constants.contains_key(&name) {
                let value = self.constant(scope.locals.get(&name)?, scope);
                self.constants.insert(name.clone(), value);
            }
            let value = self.constants.get(&name).cloned().flatten()?;
            found.insert(name, value);
        }
        Some(found)
    }

    /// Reports names and functions in an expression that do not exist.
    fn check(&mut self, expr: &Expr, known: &Known<'_>) {
        for it in references(expr) {
            let first = match it.first {
                Some(ReferenceStep::Attribute(name)) => Some(name),
                _ => None,
            };
            let found = match (it.name, first) {
                ("local", Some(name)) => {
                    let is_known = known.locals.iter().any(|it| it.contains_key(name));
                    (!is_known).then(|| {
                        let all = known.locals.iter().flat_map(|it| it.keys());
                        let found = undeclared("local", name, all.map(SmolStr::as_str), it.span);
                        match is_key(expr, name) {
                            true => found
                                .help("a key of an object is not a local: repeat its expression"),
                            false => found,
                        }
                    })
                }
                ("input", Some(name)) => {
                    let all = self.input.as_mapping();
                    let is_known = all.is_some_and(|it| it.contains_key(name));
                    (!is_known).then(|| {
                        let all = all.into_iter().flat_map(BTreeMap::keys);
                        undeclared("input", name, all.map(SmolStr::as_str), it.span)
                    })
                }
                ("local" | "input", None) => {
                    let summary = format!("{} alone is not a value", it.name);
                    Some(problem(summary, format!("Write {}.NAME.", it.name), it.span))
                }
                (root, _) if known.roots.contains(&root) => None,
                (root, _) => Some(unknown_root(root, known, it.span)),
            };
            self.problems.extend(found);
        }
        self.check_calls(expr);
    }

    fn check_calls(&mut self, expr: &Expr) {
        if let ExprKind::Call { name, .. } = &expr.kind {
            self.problems.extend(functions::unknown(&name.name, name.span));
        }
        if !expr.is_leaf() {
            guarded(|| expr.for_each_child(&mut |it| self.check_calls(it)));
        }
    }

    /// Reports locals that refer to each other in a cycle.
    fn cycles(&mut self, locals: &Locals, outer: &Locals) {
        let mut waiting: BTreeMap<&SmolStr, BTreeSet<SmolStr>> = BTreeMap::new();
        let mut behind: BTreeMap<SmolStr, Vec<&SmolStr>> = BTreeMap::new();
        let mut ready: Vec<&SmolStr> = Vec::new();
        for (name, it) in locals {
            let mut needs = local_names(it);
            needs.retain(|it| locals.contains_key(it) && !outer.contains_key(it));
            if needs.is_empty() {
                ready.push(name);
                continue;
            }
            for it in &needs {
                behind.entry(it.clone()).or_default().push(name);
            }
            waiting.insert(name, needs);
        }
        while let Some(name) = ready.pop() {
            for after in behind.remove(name).unwrap_or_default() {
                let Some(needs) = waiting.get_mut(after) else { continue };
                needs.remove(name);
                if needs.is_empty() {
                    waiting.remove(after);
                    ready.push(after);
                }
            }
        }
        if let Some((name, _)) = waiting.first_key_value() {
            let all: Vec<String> = waiting.keys().map(|it| format!("local.{it}")).collect();
            let span = locals[*name].span;
            self.add(problem("Locals refer to each other in a cycle", all.join(", "), span));
        }
    }
}

/// The arguments and blocks of a policy block.
#[derive(Default)]
struct Parts {
    filter: Option<Arc<Expr>>,
    level: Option<Arc<Expr>>,
    operations: Option<(Vec<String>, Span)>,
    locals: Locals,
    enforced: Vec<Enforced>,
    /// The `info_message` of each `enforce` block: they are checked, but not shown.
    messages: Vec<Arc<Expr>>,
}

impl Parts {
    /// Every expression about the judged object.
    fn expressions(&self) -> impl Iterator<Item = &Arc<Expr>> {
        let enforced = self.enforced.iter();
        let enforced = enforced.flat_map(|it| [Some(&it.condition), it.error_message.as_ref()]);
        let all = self.filter.iter().chain(self.locals.values()).chain(&self.messages);
        all.chain(enforced.flatten())
    }
}

/// The roots of what is known about an object of a kind.
fn roots(kind: BlockKind) -> &'static [&'static str] {
    match kind {
        BlockKind::Resource => &["attrs", "prior_attrs", "meta"],
        _ => &["attrs", "meta"],
    }
}

fn unknown_root(root: &str, known: &Known<'_>, span: Span) -> Diagnostic {
    let detail = match root {
        "attrs" | "meta" | "prior_attrs" if known.roots.is_empty() => {
            "It is known only inside of a policy: move the local into the policy.".to_owned()
        }
        "prior_attrs" => "Only resource policies have prior_attrs.".to_owned(),
        "var" | "context" => "Write input.NAME.".to_owned(),
        "self" | "this" | "resource" => "Write attrs.NAME.".to_owned(),
        _ => {
            let all = known.roots.iter().copied().chain(["input", "local"]);
            let hint = did_you_mean(root, all.clone());
            format!("An expression can refer to {}.{hint}", all.collect::<Vec<_>>().join(", "))
        }
    };
    problem(format!("Unknown name {root:?}"), detail, span)
}

/// The locals that an expression mentions.
pub(super) fn local_names(expr: &Expr) -> BTreeSet<SmolStr> {
    let found = references(expr).into_iter().filter(|it| it.name == "local");
    let names = found.filter_map(|it| match it.first {
        Some(ReferenceStep::Attribute(name)) => Some(SmolStr::new(name)),
        _ => None,
    });
    names.collect()
}

/// The problem of a local or input that is not declared.
fn undeclared<'n>(
    root: &str,
    name: &str,
    all: impl Iterator<Item = &'n str>,
    span: Span,
) -> Diagnostic {
    let hint = did_you_mean(name, all);
    let detail = format!("The {root} {name:?} is not declared in this file.{hint}");
    problem(format!("Reference to an undeclared {root}"), detail, span)
}

/// Whether an object in an expression has a key of this name.
fn is_key(expr: &Expr, name: &str) -> bool {
    let mut found = match &expr.kind {
        ExprKind::Object(items) => {
            items.iter().any(|it| matches!(&it.key, ObjectKey::Name(key) if key.name == name))
        }
        _ => false,
    };
    if !found && !expr.is_leaf() {
        guarded(|| expr.for_each_child(&mut |it| found = found || is_key(it, name)));
    }
    found
}
