//! Blocks as they are written: those that are no resources, and the arguments of resources that
//! Terraform itself reads.

use std::{collections::BTreeMap, rc::Rc};

use smol_str::SmolStr;

use super::{Env, Object, Written, WrittenPart, part::key};
use crate::repetition::Expansion;
use hcl::{Expr, ExprKind};
use module::{Mode, Module, WrittenBlock, WrittenBody};
use stack::guarded;
use tf_value::{Marks, Type, Value};

/// The arguments of a resource that Terraform itself reads, besides `count`.
pub const META: [&str; 6] =
    ["for_each", "depends_on", "provider", "lifecycle", "provisioner", "connection"];

/// Arguments of resources that are words and references instead of expressions.
const WORDS: &[&str] =
    &["depends_on", "provider", "ignore_changes", "replace_triggered_by", "when", "on_failure"];

/// A block of a module.
pub struct TopBlock<'p> {
    /// `variable`, `output`, `provider`, `module`, `terraform`
    pub kind: &'p str,
    /// Its name; empty for `terraform`.
    pub label: SmolStr,
    /// Its name in a finding.
    pub address: String,
    /// The module that declares it.
    pub module: &'p Module,
    pub part: WrittenPart<'p>,
}

impl<'p> Written<'p> {
    /// Every `provider` and `module` block, and the root module's `variable`, `output` and `terraform`
    /// blocks.
    pub fn blocks(&self) -> Vec<TopBlock<'p>> {
        let mut found = Vec::new();
        for (member, instances) in self.instances.iter().enumerate() {
            let module = self.members.get(member).module;
            for index in 0..instances.len() {
                if !self.meter.charge(super::INSTANCE) {
                    return found;
                }
                for block in module.blocks.iter().flatten() {
                    found.extend(self.block(block, member, index));
                }
            }
        }
        found.extend(self.settings());
        found
    }

    fn block(&self, block: &'p WrittenBlock, member: usize, index: usize) -> Option<TopBlock<'p>> {
        let label = block.labels.first()?;
        let outer = &self.addresses[member][index];
        let before = if outer.is_empty() { String::new() } else { format!("{outer}.") };
        let env = Env::of(member, index);
        let (address, part) = match block.kind.as_str() {
            "variable" if member == 0 => (format!("var.{label}"), self.variable(block, label, env)),
            "output" if member == 0 => (format!("output.{label}"), self.output(block, label, env)),
            "provider" => {
                let mut part = self.written_body(block, &["depends_on"], env);
                let alias = part.member("alias").and_then(|it| it.value.as_str());
                let alias = alias.map_or(String::new(), |it| format!(".{it}"));
                // No schema shows which arguments of a provider are secrets.
                for name in part.names() {
                    if !matches!(name.as_str(), "alias" | "version") {
                        part.hide(&name);
                    }
                }
                (format!("{before}provider.{label}{alias}"), part)
            }
            "module" => (format!("{before}module.{label}"), self.module_call(block, label, env)),
            _ => return None,
        };
        let module = self.members.get(member).module;
        Some(TopBlock { kind: &block.kind, label: label.clone(), address, module, part })
    }

    fn variable(&self, block: &'p WrittenBlock, label: &str, env: Env<'p>) -> WrittenPart<'p> {
        let mut part = self.written_body(block, &["type"], env);
        let known = self.instances[0][0].values.variable(label).cloned();
        let declared = self.root().variables.get(label);
        let marks = declared.map_or(Marks::NONE, module::Variable::marks);
        let unknown = || Value::unknown(Type::Dynamic).with_marks(marks);
        part.add("value", known.unwrap_or_else(unknown));
        // Types, descriptions and rules may repeat the default.
        let shown = ["sensitive", "ephemeral", "nullable", "deprecated"];
        for name in
            part.names().iter().filter(|it| marks.is_hidden() && !shown.contains(&it.as_str()))
        {
            part.hide(name);
        }
        part
    }

    fn output(&self, block: &'p WrittenBlock, label: &str, env: Env<'p>) -> WrittenPart<'p> {
        let mut part = self.written_body(block, &["depends_on"], env);
        let declared = self.root().outputs.get(label);
        if declared.is_some_and(|it| it.sensitive == Some(true) || it.ephemeral == Some(true)) {
            part.hide("value");
        }
        part
    }

    /// A call. Its arguments see no key if it has several instances.
    fn module_call(&self, block: &'p WrittenBlock, label: &str, env: Env<'p>) -> WrittenPart<'p> {
        let (member, module) = (env.member, self.members.get(env.member).module);
        let repetition = module.calls.get(label).map(|it| &it.repetition);
        let is_repeated = repetition.is_some_and(|it| it.expr().is_some());
        let is_count = repetition.is_some_and(|it| it.count.is_some());
        let open = Expansion::Open { is_count, reasons: Vec::new() };
        let instance = open.instances(false).into_iter().next().filter(|_| is_repeated);
        let instance = instance.unwrap_or_default();
        let mut part =
            self.written_body(block, &["depends_on", "providers"], Env { instance, ..env });
        let called = self.members.called(member, label);
        for (name, variable) in called.iter().flat_map(|it| &self.members.get(*it).module.variables)
        {
            if variable.is_hidden() {
                part.hide(name);
            }
        }
        part
    }

    /// All `terraform` blocks of the root module as one.
    fn settings(&self) -> Option<TopBlock<'p>> {
        let module = self.root();
        let all = module.blocks.as_ref()?.iter().filter(|it| it.kind == "terraform");
        let env = Rc::new(Env::of(0, 0));
        let span = all.clone().next().map(|it| it.span).or_else(|| {
            let (file, _) = module.sources.files().next()?;
            Some(diagnostics::Span::new(file, 0, 0))
        })?;
        let bodies: Vec<&'p WrittenBody> = all.map(|it| &it.body).collect();
        let part = self.bodies(&bodies, span, &env);
        let (label, address) = (SmolStr::default(), "terraform".to_owned());
        Some(TopBlock { kind: "terraform", label, address, module, part })
    }

    fn written_body(
        &self,
        block: &'p WrittenBlock,
        words: &'static [&'static str],
        env: Env<'p>,
    ) -> WrittenPart<'p> {
        self.body(&block.body, block.span, &Rc::new(Env { words, ..env }))
    }

    /// The arguments of [`META`] that a resource has.
    pub fn meta(&self, object: &Object<'p>) -> Option<WrittenPart<'p>> {
        let resource = object.resource;
        let kind = match resource.mode {
            Mode::Managed => "resource",
            Mode::Data => "data",
            Mode::Ephemeral => "ephemeral",
        };
        let key = (kind, resource.ty.as_str(), resource.name.as_str());
        let block = self.by_address[object.env.member].get(&key)?;
        let is_meta = |name: &str| META.contains(&name) && is_own(resource.mode, name);
        let arguments = block.body.arguments.iter().filter(|it| is_meta(&it.name.name));
        let blocks = block.body.blocks.iter().filter(|it| is_meta(&it.kind.name));
        let env = Env { words: WORDS, ..Env::clone(&object.env) };
        Some(self.items(arguments, blocks, block.span, &Rc::new(env)))
    }

    /// The text of an argument made of words: a word, a reference, or several.
    pub(super) fn words(&self, expr: &Expr, env: &Env<'p>) -> Value {
        let sources = &self.members.get(env.member).module.sources;
        guarded(|| match &expr.kind {
            ExprKind::Null => Value::null(Type::String),
            ExprKind::String(it) => Value::string(it),
            ExprKind::Tuple(all) => {
                Value::tuple(all.iter().map(|it| self.words(it, env)).collect())
            }
            ExprKind::Object(items) => {
                let named =
                    items.iter().filter_map(|it| Some((key(it)?, self.words(&it.value, env))));
                Value::object(named.map(|(name, it)| (name.into(), it)).collect::<BTreeMap<_, _>>())
            }
            _ => {
                let text = sources.snippet(expr.span);
                Value::string(text.split_whitespace().collect::<Vec<_>>().join(" "))
            }
        })
    }
}

/// Whether Terraform itself reads the argument in a resource of this mode; a data source's `connection`
/// is the provider's.
fn is_own(mode: Mode, name: &str) -> bool {
    mode == Mode::Managed || !matches!(name, "provisioner" | "connection")
}
