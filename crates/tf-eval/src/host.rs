//! The host of functions: the file system, templates, a bound on work.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    path::Path,
    time::SystemTime,
};

use diagnostics::{Diagnostic, Diagnostics, Sources, Span};
use hcl::{Item, parse_body};
use release::{Release, changes};
use stack::Depth;
use system::System;
use tf_value::{Value, nfc};

use super::{Budget, Meter, evaluate_constant, nested, render::render};
use crate::functions::{Failure, Host};

/// The limit for nested templates; OpenTofu's is a thousand.
const MAX_TEMPLATES: u32 = 32;

/// The most calls that are kept; a loop may doubt each element.
const MOST_DOUBTS: usize = 16;

/// The host of ordinary evaluations.
pub struct EvalHost<'a> {
    system: &'a dyn System,
    base_dir: &'a Path,
    release: Release,
    meter: Meter,
    plan_time: Option<SystemTime>,
    is_console: bool,
    /// Whether files that git ignores may be made before the plan.
    awaits: bool,
    /// Whether an expression asked for the time of the plan.
    is_timed: Cell<bool>,
    /// Whether an expression asked for files, a directory or the time.
    looked_outside: Cell<bool>,
    /// Whether a template is being rendered. Another one cannot be rendered inside it.
    rendering: Cell<bool>,
    /// Whether that template is a text, where no function looks at files.
    refuses_files: Cell<bool>,
    /// The number of templates that may still nest, where they may nest.
    depth: Cell<Depth>,
    /// The calls that may fail, since the last question for them.
    doubts: RefCell<Diagnostics>,
}

impl<'a> EvalHost<'a> {
    /// A host whose relative file paths start at `base_dir`. Each evaluation has a bound.
    pub fn new(
        system: &'a dyn System,
        base_dir: &'a (impl AsRef<Path> + ?Sized),
        release: Release,
    ) -> Self {
        EvalHost::metered(system, base_dir, release, &Meter::default())
    }

    /// A host that counts its work with all other work of a module.
    pub fn metered(
        system: &'a dyn System,
        base_dir: &'a (impl AsRef<Path> + ?Sized),
        release: Release,
        meter: &Meter,
    ) -> Self {
        EvalHost {
            system,
            base_dir: base_dir.as_ref(),
            release,
            meter: meter.clone(),
            plan_time: None,
            is_console: false,
            awaits: false,
            is_timed: Cell::new(false),
            looked_outside: Cell::new(false),
            rendering: Cell::new(false),
            refuses_files: Cell::new(false),
            depth: Cell::new(Depth::of(MAX_TEMPLATES)),
            doubts: RefCell::default(),
        }
    }

    /// Evaluates as in a plan made at this time.
    pub fn at(self, time: SystemTime) -> Self {
        EvalHost { plan_time: Some(time), ..self }
    }

    /// Evaluates like a console, where `timestamp`, `uuid` and `bcrypt` have values.
    pub fn as_console(self) -> Self {
        EvalHost { is_console: true, ..self }
    }

    /// Evaluates where files that git ignores may yet be made.
    pub fn awaiting(self, awaits: bool) -> Self {
        EvalHost { awaits, ..self }
    }

    /// Whether any evaluation so far depended on the time of the plan.
    pub fn is_timed(&self) -> bool {
        self.is_timed.get()
    }

    /// Whether any evaluation since the last call depended on more than the given values.
    pub fn has_looked_outside(&self) -> bool {
        self.looked_outside.take()
    }

    /// The calls that may fail, among those of all evaluations since the last question.
    pub fn take_doubts(&self) -> Diagnostics {
        self.doubts.take()
    }

    pub fn with_budget(self, budget: Budget) -> Self {
        EvalHost { meter: budget.into(), ..self }
    }

    /// Begins an independent evaluation as part of `rule`. It has its whole budget again, or what is left of the
    /// budgets of the rule and the module.
    pub fn begin(&self, rule: Option<Span>) {
        self.meter.begin(rule);
    }
}

impl EvalHost<'_> {
    /// Renders a template inside of another; OpenTofu allows this up to a bound.
    fn nested_template(&self, name: &str, text: &str, vars: &Value) -> Result<Value, Failure> {
        let outer = self.depth.get();
        let Some(inner) = outer.inner() else {
            return Err(Failure::Unread("templates exceed the nesting limit".to_owned()));
        };
        self.depth.set(inner);
        let result = render(name, text, vars, self, self.release);
        self.depth.set(outer);
        result
    }
}

impl Host for EvalHost<'_> {
    fn system(&self) -> &dyn System {
        self.looked_outside.set(true);
        self.system
    }

    fn base_dir(&self) -> &Path {
        self.looked_outside.set(true);
        self.base_dir
    }

    fn render_template(&self, name: &str, text: &str, variables: &Value) -> Result<Value, Failure> {
        if self.release.has(&changes::TEMPLATE_OF_ANYTHING) {
            return self.nested_template(name, text, variables);
        }
        if self.rendering.replace(true) {
            let message = "a template cannot call templatefile or templatestring itself";
            return Err(Failure::call(message));
        }
        let result = render(name, text, variables, self, self.release);
        self.rendering.set(false);
        result
    }

    fn render_text(&self, name: &str, text: &str, variables: &Value) -> Result<Value, Failure> {
        let outer = self.refuses_files.replace(true);
        let result = self.render_template(name, text, variables);
        self.refuses_files.set(outer);
        result
    }

    fn refuses_files(&self) -> bool {
        self.refuses_files.get()
    }

    fn read_values(&self, text: &str) -> Result<Value, Failure> {
        read_values(text, self, self.release)
    }

    fn plan_time(&self) -> Option<SystemTime> {
        self.is_timed.set(true);
        self.looked_outside.set(true);
        self.plan_time
    }

    fn is_console(&self) -> bool {
        self.is_console
    }

    fn may_be_made(&self, path: &Path) -> bool {
        self.awaits && self.system.is_ignored(path)
    }

    fn spend(&self, units: u64) -> Result<(), Failure> {
        self.meter.spend(units).map_err(Failure::from)
    }

    fn doubt(&self, doubt: Diagnostic) {
        let mut all = self.doubts.borrow_mut();
        if all.len() < MOST_DOUBTS && !all.contains(&doubt) {
            all.push(doubt);
        }
    }
}

/// The name of the text in messages.
const NAME: &str = "<decode_tfvars argument>";

/// Reads the text, which may hold neither references nor calls.
fn read_values(text: &str, host: &dyn Host, release: Release) -> Result<Value, Failure> {
    host.spend(text.len() as u64 / 4)?;
    let mut sources = Sources::new();
    let file = sources.add(NAME, text.as_bytes().to_vec());
    let (body, errors) = parse_body(file, text.as_bytes());
    if let Some(error) = errors.first() {
        return Err(nested::failure("invalid tfvars syntax: ", error, &sources));
    }
    let blocks = body.items.iter().find_map(|it| match it {
        Item::Block(it) => Some(it),
        Item::Attribute(_) => None,
    });
    if let Some(it) = blocks {
        let at = sources.display(it.kind.span);
        let message = format!("invalid tfvars content: {at}: blocks are not allowed here");
        return Err(Failure::Call(message));
    }
    let mut values = BTreeMap::new();
    for it in &body.items {
        let Item::Attribute(it) = it else { continue };
        let (value, errors) = evaluate_constant(&it.value, host, release);
        if let Some(error) = errors.first() {
            let what = format!("invalid expression for variable \"{}\": ", it.name.name);
            return Err(nested::failure(&what, error, &sources));
        }
        values.insert(nfc(&it.name.name), value);
    }
    Ok(Value::object(values))
}
