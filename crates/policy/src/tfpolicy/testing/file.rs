//! Reads a file of tests.

use std::{collections::BTreeMap, path::Path, sync::Arc};

use smol_str::SmolStr;

use crate::{
    files::RuleFile,
    language::{Action, BlockKind},
    tfpolicy::reader::problem,
};
use diagnostics::{Diagnostics, Sources, Span, did_you_mean, lints};
use hcl::{Block, Expr, Item, parse_body};
use release::Release;
use system::DeniedSystem;
use tf_eval::{EvalHost, Meter, NoData, Scope, evaluate_part};
use tf_value::{Type, Value};

/// The values of inputs, each with its place.
pub(super) type Inputs = BTreeMap<SmolStr, (Value, Span)>;

/// A file of tests.
#[derive(Default)]
pub(super) struct TestFile {
    /// The policies that are tested; `None` if it names none.
    pub targets: Option<Vec<String>>,
    pub inputs: Inputs,
    pub locals: BTreeMap<SmolStr, Arc<Expr>>,
    pub mocks: Vec<Mock>,
}

/// A mocked object.
pub(super) struct Mock {
    pub kind: BlockKind,
    /// The first label: a type, the name of a provider, the source of a module.
    pub label: SmolStr,
    pub name: SmolStr,
    pub address: SmolStr,
    pub span: Span,
    pub attrs: Option<Arc<Expr>>,
    pub prior: Option<Arc<Expr>>,
    pub meta: Option<Arc<Expr>>,
    pub expects_failure: bool,
    pub is_skipped: bool,
    pub inputs: Inputs,
}

impl Mock {
    /// Whether policies judge it.
    pub fn is_judged(&self) -> bool {
        !self.is_skipped && self.kind != BlockKind::Data
    }
}

const KINDS: [(&str, BlockKind); 4] = [
    ("resource", BlockKind::Resource),
    ("data", BlockKind::Data),
    ("provider", BlockKind::Provider),
    ("module", BlockKind::Module),
];

/// Reads a file.
struct TestReader<'m> {
    problems: Diagnostics,
    meter: &'m Meter,
}

impl TestFile {
    pub fn read(
        (path, bytes): &RuleFile,
        sources: &mut Sources,
        meter: &Meter,
    ) -> (TestFile, Diagnostics) {
        meter.charge_text(bytes.len());
        let id = sources.add(path.clone(), Arc::clone(bytes));
        let (body, mut problems) = parse_body(id, bytes);
        problems.iter_mut().for_each(|it| it.rule = (&lints::INVALID_CONFIGURATION).into());
        let mut reader = TestReader { problems, meter };
        let mut test = TestFile::default();
        for item in &body.items {
            match item {
                Item::Attribute(it) => {
                    reader.error("Argument outside of a block", "", it.name.span);
                }
                Item::Block(it) => reader.block(it, &mut test),
            }
        }
        (test, reader.problems)
    }
}

impl TestReader<'_> {
    fn error(&mut self, summary: impl Into<String>, detail: impl Into<String>, span: Span) {
        self.problems.push(problem(summary, detail, span));
    }

    fn block(&mut self, block: &Block, test: &mut TestFile) {
        match block.kind.name.as_str() {
            "policytest" => self.settings(block, test),
            "inputs" => test.inputs.extend(self.inputs(block)),
            "locals" => {
                for item in &block.body.items {
                    match item {
                        Item::Attribute(it) => {
                            test.locals.insert(it.name.name.clone(), Arc::clone(&it.value));
                        }
                        Item::Block(it) => {
                            self.error("locals can contain only arguments", "", it.header);
                        }
                    }
                }
            }
            kind => match KINDS.iter().find(|it| it.0 == kind) {
                Some((_, kind)) => test.mocks.extend(self.mock(*kind, block)),
                None => {
                    let known = KINDS.iter().map(|it| it.0);
                    let known = known.chain(["inputs", "locals", "policytest"]);
                    let hint = did_you_mean(kind, known.clone());
                    let known: Vec<&str> = known.collect();
                    let detail = format!("A test can contain {} blocks.{hint}", known.join(", "));
                    self.error(format!("Unknown block {kind:?}"), detail, block.kind.span);
                }
            },
        }
    }

    fn settings(&mut self, block: &Block, test: &mut TestFile) {
        for item in &block.body.items {
            match item {
                Item::Attribute(it) if it.name.name == "targets" => {
                    let value = self.constant(&it.value);
                    let texts = value.as_ref().and_then(Value::as_sequence);
                    let texts =
                        texts.map(|all| all.iter().map(|it| it.as_str().map(str::to_owned)));
                    match texts.and_then(Iterator::collect::<Option<Vec<_>>>) {
                        Some(all) => test.targets = Some(all),
                        None => self.error("A list of strings is expected", "", it.value.span),
                    }
                }
                Item::Block(it)
                    if matches!(it.kind.name.as_str(), "plugins" | "terraform_config") => {}
                Item::Attribute(hcl::Attribute { name, .. })
                | Item::Block(Block { kind: name, .. }) => {
                    let known = ["plugins", "targets", "terraform_config"];
                    let hint = did_you_mean(&name.name, known);
                    let detail = format!("Use {}.{hint}", known.join(", "));
                    self.error(format!("Unknown setting {:?}", name.name), detail, name.span);
                }
            }
        }
    }

    fn inputs(&mut self, block: &Block) -> Inputs {
        let mut found = Inputs::new();
        for item in &block.body.items {
            match item {
                Item::Attribute(it) => {
                    if let Some(value) = self.constant(&it.value) {
                        found.insert(it.name.name.clone(), (value, it.name.span));
                    }
                }
                Item::Block(it) => self.error("inputs can contain only arguments", "", it.header),
            }
        }
        found
    }

    fn mock(&mut self, kind: BlockKind, block: &Block) -> Option<Mock> {
        let [label, name] = block.labels.as_slice() else {
            let kind = &block.kind.name;
            let detail = format!("Write {kind} \"TARGET\" \"NAME\" {{ … }}.");
            self.error(format!("{kind} must have two labels"), detail, block.header);
            return None;
        };
        let word = &block.kind.name;
        let address = match kind {
            BlockKind::Resource => format!("{}.{}", label.text, name.text),
            _ => format!("{word}.{}.{}", label.text, name.text),
        };
        let mut mock = Mock {
            kind,
            label: label.text.clone(),
            name: name.text.clone(),
            address: address.into(),
            span: block.header,
            attrs: None,
            prior: None,
            meta: None,
            expects_failure: false,
            is_skipped: false,
            inputs: Inputs::new(),
        };
        for item in &block.body.items {
            match item {
                Item::Block(it) if it.kind.name == "inputs" => mock.inputs.extend(self.inputs(it)),
                Item::Block(it) => {
                    let name = &it.kind.name;
                    let detail = format!(
                        "Write a nested block as an argument of attrs: attrs = {{ {name} = [{{ … }}] }}."
                    );
                    self.error(format!("Unknown block {name:?} in a mock"), detail, it.header);
                }
                Item::Attribute(it) => {
                    let value = || Some(Arc::clone(&it.value));
                    match (it.name.name.as_str(), kind) {
                        ("attrs", _) => mock.attrs = value(),
                        ("prior_attrs", BlockKind::Resource) => mock.prior = value(),
                        ("meta", BlockKind::Resource | BlockKind::Provider | BlockKind::Module) => {
                            mock.meta = value();
                        }
                        ("skip", BlockKind::Resource) => mock.is_skipped = self.flag(&it.value),
                        ("expect_failure", _) if kind != BlockKind::Data => {
                            mock.expects_failure = self.flag(&it.value);
                        }
                        (name, _) => {
                            let known = [
                                "attrs",
                                "expect_failure",
                                "inputs",
                                "meta",
                                "prior_attrs",
                                "skip",
                            ];
                            let detail = match name {
                                "inputs" => "Write a block: inputs { NAME = VALUE }.".to_owned(),
                                _ if known.contains(&name) => {
                                    format!("The language has no {name} of {word} mocks.")
                                }
                                _ => did_you_mean(name, known).trim().to_owned(),
                            };
                            let summary = format!("{word} has no argument {name:?}");
                            self.error(summary, detail, it.name.span);
                        }
                    }
                }
            }
        }
        Some(mock)
    }

    fn flag(&mut self, expr: &Expr) -> bool {
        let value = self.constant(expr).and_then(|it| it.as_bool());
        if value.is_none() {
            self.error("true or false is expected", "", expr.span);
        }
        value.unwrap_or(false)
    }

    fn constant(&mut self, expr: &Expr) -> Option<Value> {
        match evaluate(expr, &[], self.meter) {
            Ok(it) => Some(it),
            Err((why, span)) => {
                self.error("The expression fails", why, span);
                None
            }
        }
    }
}

/// Evaluates an expression with these names. Errors: the message and its place.
pub(super) fn evaluate(
    expr: &Expr,
    names: &[(SmolStr, Value)],
    meter: &Meter,
) -> Result<Value, (String, Span)> {
    let host = EvalHost::metered(&DeniedSystem, Path::new(""), Release::NEWEST, meter);
    host.begin(None);
    let scope = Scope { data: &NoData, host: &host, release: Release::NEWEST };
    let evaluation = evaluate_part(expr, &scope, names);
    match evaluation.diagnostics.first() {
        Some(first) => Err((first.message(), first.span().unwrap_or(expr.span))),
        None => Ok(evaluation.value),
    }
}

/// The action of a mock: what `meta.operation` says, or what its values mean.
pub(super) fn action(operation: Option<&str>, has_attrs: bool, has_prior: bool) -> Option<Action> {
    Some(match operation {
        Some("create") => Action::Create,
        Some("update") => Action::Update,
        Some("delete") => Action::Delete,
        Some("no-op") => Action::NoOp,
        Some(_) => return None,
        None => match (has_attrs, has_prior) {
            (false, true) => Action::Delete,
            (true, true) => Action::Update,
            _ => Action::Create,
        },
    })
}

/// An object without members.
pub(super) fn nothing() -> Value {
    Value::object(BTreeMap::new())
}

/// A null of any type.
pub(super) fn null() -> Value {
    Value::null(Type::Dynamic)
}
