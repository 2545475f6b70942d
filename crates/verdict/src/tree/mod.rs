//! A module with everything that it calls and that can be read here.

mod admitted;
mod kept;
mod library;
mod locate;
mod manifest;
mod passed;
mod source;
mod unmade;

use std::{
    cell::RefCell,
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
    rc::Rc,
    sync::Arc,
};

use foldhash::HashMap;
use smol_str::SmolStr;

pub use admitted::Reach;
pub use kept::KeptModules;
pub(crate) use library::KeptJudge;
pub use library::{Library, Shared};
pub use locate::{ContractDirectories, Locator};
pub use manifest::Manifest;
pub use source::KnownInputs;
use source::Source;

use crate::{Distrust, hide};
use diagnostics::{Diagnostic, Diagnostics, Role, Shift, Span, lints};
use module::{ByName, LoadOptions, Module, ModuleCall, Variable, is_override_file, source_address};
use release::changes;
use system::{Refusal, System, paths};
use tf_eval::Meter;
use tf_value::Value;

/// The work of placing a called module in the tree, and of each thing that is judged in it.
const PLACE: u64 = 1000;
const NODE: u64 = 10;

/// The depth to which calls are followed.
const MAX_DEPTH: usize = 64;

/// The called modules of a module, with their own called modules, and so on.
#[derive(Debug, Default)]
pub struct ModuleTree {
    /// Where the root module's calls lead.
    pub calls: Links,
    /// The called modules, each behind the one that calls it.
    pub called: Vec<Called>,
}

/// Where each call of a module leads, by the name of the call.
pub type Links = HashMap<SmolStr, Link>;

/// The target of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Link {
    /// A module, by its index in [`ModuleTree::called`].
    To(usize),
    /// A module that is not here, with a reason such as `its source is not here`.
    Away(String),
    /// No module, after an error that was reported; its span.
    Broken(Span),
}

/// A module in the tree, once for each call that leads to it.
#[derive(Debug)]
pub struct Called {
    /// The index of the module that calls it; `None` for the root.
    pub parent: Option<usize>,
    /// The name of the call.
    pub call: SmolStr,
    pub module: Arc<Shared>,
    pub calls: Links,
    /// `path.module`: its directory as seen from the root module's.
    pub path: String,
    /// `module.NAME.module.NAME`
    pub address: SmolStr,
    /// Maps spans in its files to spans in the root module's sources.
    pub shift: Shift,
    /// The keys of the calls from the root, as `.terraform/modules/modules.json` writes them.
    key: String,
}

impl Called {
    fn is_same(&self, other: &Called) -> bool {
        let Called { parent, call, module, calls, path, address, shift, key } = self;
        Arc::ptr_eq(module, &other.module)
            && (parent, call, calls) == (&other.parent, &other.call, &other.calls)
            && (path, address, shift, key)
                == (&other.path, &other.address, &other.shift, &other.key)
    }
}

/// The means and limits of reading the modules of a tree.
#[derive(Clone, Copy)]
pub struct Reading<'a> {
    pub system: &'a dyn System,
    pub options: &'a LoadOptions,
    pub library: &'a Library,
    pub locator: &'a Locator<'a>,
    /// The root's values, where they are known already: sources of calls may depend on them.
    pub given: Option<&'a KnownInputs>,
    /// Whether to enter called modules that have errors of their own. Whatever judges them has to go on after
    /// errors, or to stop at those that the reading returns.
    pub enters_broken: bool,
    pub meter: &'a Meter,
}

impl ModuleTree {
    /// Reads the called modules of a module, and adds their texts to its sources. Errors in a called
    /// module itself are reported once, however often it is called. `distrust`: what the root's own errors make
    /// uncertain.
    pub fn read<'a>(
        root: &'a mut Module,
        reading: Reading<'a>,
        distrust: &'a Distrust,
    ) -> (ModuleTree, Diagnostics) {
        let root_dir = reading.system.canonicalize(&root.dir).unwrap_or_else(|_| root.dir.clone());
        let (tree, adopted, found) = (ModuleTree::default(), HashMap::default(), Vec::new());
        let (root_calls, statics) = (Rc::default(), RefCell::default());
        let mut builder = Builder {
            reading,
            root,
            distrust,
            root_dir,
            tree,
            adopted,
            root_calls,
            statics,
            found,
        };
        let of_backend = builder.check_backend();
        builder.found.extend(of_backend);
        builder.read();
        (builder.tree, builder.found)
    }

    /// Whether two trees have the very same modules in the same order.
    pub(crate) fn is_same(&self, other: &ModuleTree) -> bool {
        self.calls == other.calls
            && self.called.len() == other.called.len()
            && self.called.iter().zip(&other.called).all(|(a, b)| a.is_same(b))
    }

    /// Whether the module calls nothing.
    pub fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }
}

/// A call that is being followed.
struct PendingCall<'c> {
    /// The index of the module that calls; `None` for the root.
    parent: Option<usize>,
    /// The directory of the calling module.
    dir: &'c Path,
    call: &'c ModuleCall,
}

/// Why a call whose directory does not exist leads nowhere.
const REPLACED: &str = "an override file that is not read to its end may replace its source";

struct Builder<'a> {
    reading: Reading<'a>,
    root: &'a mut Module,
    /// What the root's own errors make uncertain.
    distrust: &'a Distrust,
    /// The root's directory without links.
    root_dir: PathBuf,
    tree: ModuleTree,
    /// The shifts of modules whose files are among the root's sources, by the module's address in
    /// memory.
    adopted: HashMap<*const Shared, Shift>,
    /// The root's calls while they are followed.
    root_calls: Rc<ByName<ModuleCall>>,
    /// Values that are known before a plan, by the module's index.
    statics: RefCell<HashMap<Option<usize>, BTreeMap<SmolStr, Value>>>,
    found: Diagnostics,
}

impl Builder<'_> {
    fn read(&mut self) {
        // The root's sources change during the loop.
        let calls = Rc::new(std::mem::take(&mut self.root.calls));
        self.root_calls = Rc::clone(&calls);
        let dir = self.root.dir.clone();
        for call in calls.values() {
            let link = self.follow(&PendingCall { parent: None, dir: &dir, call });
            self.tree.calls.insert(call.name.clone(), link);
        }
        // The list grows during the loop.
        let mut index = 0;
        while let Some(called) = self.tree.called.get(index) {
            let loaded = Arc::clone(&called.module);
            for call in loaded.module.calls.values() {
                let step = PendingCall { parent: Some(index), dir: &loaded.module.dir, call };
                let link = self.follow(&step);
                self.tree.called[index].calls.insert(call.name.clone(), link);
            }
            index += 1;
        }
        self.root_calls = Rc::default();
        self.root.calls = Rc::try_unwrap(calls).unwrap_or_else(|it| (*it).clone());
    }

    fn follow(&mut self, step: &PendingCall<'_>) -> Link {
        let Reading { system, options, library, locator, meter, .. } = self.reading;
        let caller = step.parent.map(|it| &self.tree.called[it]);
        let call = step.call;
        let caller_shift = caller.map(|it| it.shift).unwrap_or_default();
        let (source, span) = match (&call.source, &call.computed_source) {
            (Some((source, span)), _) => (source.clone(), *span),
            (None, Some(it)) if options.release.has(&changes::SOURCE_VARIABLES) => {
                match self.evaluate_source(step.parent, &it.expr) {
                    Source::Text(source) => (source, it.expr.span),
                    Source::Open(reason) => return Link::Away(reason),
                    Source::Refused(found) => {
                        self.found.extend(
                            found.into_iter().map(|it| it.shifted(caller_shift, caller_shift)),
                        );
                        return Link::Broken(it.expr.span.shifted(caller_shift));
                    }
                }
            }
            _ => return Link::Away("its source is not a constant".to_owned()),
        };
        let (source, span) = (&source, span.shifted(caller_shift));
        let refused = self.check_version(step.parent, call, source);
        if !refused.is_empty() {
            let refused = refused.into_iter().map(|it| it.shifted(caller_shift, caller_shift));
            self.found.extend(refused);
            return Link::Broken(span);
        }
        let (key, address) = names_of(caller, call);
        let version = call.version.as_ref().map(|it| it.0.as_str());
        let dir = match locator.locate(step.dir, &key, source, version, options.release, system) {
            Ok(it) => it,
            Err(reason) => return self.away(reason, source, span),
        };
        if meter.is_exhausted() {
            return Link::Broken(span);
        }
        let mut dir = dir;
        let mut loaded = library.load(system, &dir, options, meter);
        // Terraform resolves further paths from the target of a link.
        if let Ok(found) = &loaded
            && let Some(linked) = self.behind_link(step.parent, source, &found.real_dir)
        {
            dir = linked;
            loaded = library.load(system, &dir, options, meter);
        }
        let has_nothing =
            || loaded.as_ref().map_or_else(is_missing, |it| it.module.sources.files().count() == 0);
        if locator.awaits()
            && has_nothing()
            && let Some(reason) = unmade::reason(system, &dir)
        {
            return Link::Away(reason.to_owned());
        }
        let loaded = match loaded {
            Ok(it) => it,
            Err(error) => return self.unreadable(step, &error, source, span),
        };
        if self.is_on_the_way(step.parent, &loaded.real_dir) {
            let detail = format!("{source:?} leads back to a module that contains this call.");
            return self.broken("A module calls itself", detail, span);
        }
        if address.matches("module.").count() > MAX_DEPTH {
            return Link::Away(format!("more than {MAX_DEPTH} calls lead to it"));
        }
        // Every placed module takes memory and work, however small it is, since each may call others.
        let Module { variables, locals, outputs, resources, calls, .. } = &loaded.module;
        let nodes =
            2 * variables.len() + locals.len() + outputs.len() + resources.len() + calls.len();
        if !meter.charge(PLACE + NODE * nodes as u64) {
            return Link::Broken(span);
        }
        let shift = self.adopt(&loaded, &address);
        // A module that was read within no budget may lack anything.
        let is_barred = |it: &&Diagnostic| {
            it.is_error() && (!self.reading.enters_broken || it.rule == lints::BUDGET_EXCEEDED)
        };
        if let Some(error) = loaded.diagnostics.iter().find(is_barred) {
            return Link::Broken(error.span().map_or(span, |it| it.shifted(shift)));
        }
        let unfit = self.unfit_constants(step.parent, call, &loaded.module);
        if !unfit.is_empty() {
            let by = unfit.first().and_then(diagnostics::Diagnostic::span).unwrap_or(call.span);
            self.found.extend(unfit.into_iter().map(|it| it.shifted(caller_shift, caller_shift)));
            return Link::Broken(by.shifted(caller_shift));
        }
        // An argument for a variable that the called module keeps secret.
        for (name, argument) in &call.arguments {
            if loaded.module.variables.get(name).is_some_and(Variable::is_hidden) {
                hide::value(&mut self.root.sources, argument.expr.span.shifted(caller_shift));
            }
        }
        let path = paths::display(&paths::relative(&self.root.dir, &dir));
        self.tree.called.push(Called {
            parent: step.parent,
            call: call.name.clone(),
            module: loaded,
            calls: Links::default(),
            path,
            address: address.into(),
            shift,
            key,
        });
        Link::To(self.tree.called.len() - 1)
    }

    /// The directory behind a local source that is a link, in the form of the root's directory.
    fn behind_link(&self, parent: Option<usize>, source: &str, real: &Path) -> Option<PathBuf> {
        let caller = match parent {
            Some(it) => &self.tree.called[it].module.real_dir,
            None => &self.root_dir,
        };
        let is_linked = source.starts_with('.') && paths::clean(&caller.join(source)) != real;
        is_linked.then(|| paths::clean(&self.root.dir.join(paths::relative(&self.root_dir, real))))
    }

    /// Adopts the module's texts, and reports its errors once, under the first call of it.
    fn adopt(&mut self, loaded: &Arc<Shared>, address: &str) -> Shift {
        let key = Arc::as_ptr(loaded);
        if let Some(shift) = self.adopted.get(&key) {
            return *shift;
        }
        let shift = self.root.sources.adopt(&loaded.module.sources);
        self.adopted.insert(key, shift);
        let diagnostics = loaded.diagnostics.iter().cloned();
        let diagnostics = diagnostics
            .map(|it| Diagnostic { address: address.into(), ..it.shifted(shift, shift) });
        self.found.extend(diagnostics);
        shift
    }

    /// Whether a directory is that of a module between this one and the root, or the root's own.
    fn is_on_the_way(&self, parent: Option<usize>, dir: &Path) -> bool {
        let mut next = parent;
        while let Some(index) = next {
            let called = &self.tree.called[index];
            if called.module.real_dir == dir {
                return true;
            }
            next = called.parent;
        }
        self.root_dir == dir
    }

    /// Whether an override file names a call in a part that was not read.
    fn may_be_replaced(&self, step: &PendingCall<'_>) -> bool {
        let caller = step.parent.map(|it| &self.tree.called[it]);
        let distrust = caller.map_or(self.distrust, |it| &it.module.distrust);
        let Some(by) = distrust.may_declare(&step.call.name) else { return false };
        let by = by.shifted(caller.map(|it| it.shift).unwrap_or_default());
        let file = &self.root.sources.file(by.file).path;
        is_override_file(file.rsplit('/').next().unwrap_or_default())
    }

    fn broken(&mut self, summary: &str, detail: String, span: Span) -> Link {
        let problem = Diagnostic::new(&lints::MISSING_MODULE, summary).detail(detail);
        self.found.push(problem.at(Role::Declaration, span));
        Link::Broken(span)
    }

    /// A call of a module that is not here, or an error if nothing can bring it here.
    fn away(&mut self, reason: String, source: &str, span: Span) -> Link {
        let product = self.reading.options.release.product();
        let Some(method) = source_address::unknown_method(source, product) else {
            return Link::Away(reason);
        };
        let detail = format!("{product} cannot download a module by {method:?}.");
        self.broken("Failed to download module", detail, span)
    }

    fn unreadable(
        &mut self,
        step: &PendingCall<'_>,
        error: &io::Error,
        source: &str,
        span: Span,
    ) -> Link {
        if is_missing(error) && self.may_be_replaced(step) {
            return Link::Away(REPLACED.to_owned());
        }
        if let Some(refusal) = Refusal::of(error) {
            return Link::Away(refusal.to_string());
        }
        if locate::is_installed(source) {
            return Link::Away(locate::not_installed(source));
        }
        let detail = match error.kind() {
            io::ErrorKind::NotFound => format!("The directory {source:?} does not exist."),
            kind => format!("The directory {source:?} cannot be read: {kind}."),
        };
        self.broken("The called module cannot be read", detail, span)
    }
}

fn is_missing(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound
}

/// The manifest's key of a called module, and its address.
fn names_of(caller: Option<&Called>, call: &ModuleCall) -> (String, String) {
    match caller {
        Some(it) => {
            let key = format!("{}.{}", it.key, call.name);
            (key, format!("{}.module.{}", it.address, call.name))
        }
        None => (call.name.to_string(), format!("module.{}", call.name)),
    }
}
