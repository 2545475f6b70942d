//! A module's declarations that have no value of their own: calls of modules, resources, providers, and
//! statements about the state.

use std::sync::Arc;

use smol_str::SmolStr;

use super::{BodyArgument, ByName, RequiredVersion, Validation, WrittenBody, address::Address};
use diagnostics::{Diagnostic, Role, Span, lints};
use hcl::{
    Expr, Ident,
    analysis::{RelativeTraversal, TraversalStep},
};
use tf_value::Type;

/// The arguments that determine the number of instances of a call or a resource. A block has at most one of
/// them; where an override file adds another, `count` wins.
#[derive(Clone, Debug, Default)]
pub struct Repetition {
    pub count: Option<Expr>,
    pub for_each: Option<Expr>,
    /// `enabled` of the `lifecycle` block: whether the single instance exists.
    pub enabled: Option<Expr>,
}

impl Repetition {
    /// Merges an override file's arguments.
    pub(super) fn merge(&mut self, new: Repetition) {
        self.count = new.count.or(self.count.take());
        self.for_each = new.for_each.or(self.for_each.take());
        self.enabled = new.enabled.or(self.enabled.take());
    }

    pub fn expr(&self) -> Option<&Expr> {
        self.count.as_ref().or(self.for_each.as_ref())
    }

    /// Whether there is exactly one instance, whatever the values are.
    pub fn is_single(&self) -> bool {
        self.expr().or(self.enabled.as_ref()).is_none()
    }
}

/// A `module` block.
#[derive(Clone, Debug)]
pub struct ModuleCall {
    pub name: SmolStr,
    /// The block's header.
    pub span: Span,
    /// `source` with its place, if it is a constant string.
    pub source: Option<(SmolStr, Span)>,
    /// `source`, if it is any other expression.
    pub computed_source: Option<BodyArgument>,
    /// Blocks whose types no call can have.
    pub unknown_blocks: Vec<Ident>,
    /// `version` with its place, if it is a constant string.
    pub version: Option<(SmolStr, Span)>,
    /// `version`, if this or `source` has to be evaluated.
    pub computed_version: Option<BodyArgument>,
    pub repetition: Repetition,
    /// Values of the called module's variables, by name.
    pub arguments: ByName<BodyArgument>,
    /// Where an override file has the call, too: the arguments that it had before. Terraform then drops
    /// arguments that name no variable, and looks for required ones among these only.
    pub overridden: Option<Vec<SmolStr>>,
    /// The entries of `providers`: the called module's names and the caller's, each maybe with an alias.
    pub providers: Vec<(SmolStr, SmolStr)>,
    /// The elements of `depends_on`.
    pub depends_on: Vec<Expr>,
}

impl ModuleCall {
    /// Merges an override file's block. Errors: it has `depends_on`.
    pub(super) fn merge(&mut self, new: ModuleCall) -> Option<Diagnostic> {
        if new.source.is_some() || new.computed_source.is_some() {
            (self.source, self.computed_source) = (new.source, new.computed_source);
        }
        if new.version.is_some() || new.computed_version.is_some() {
            (self.version, self.computed_version) = (new.version, new.computed_version);
        }
        if !new.providers.is_empty() {
            self.providers = new.providers;
        }
        self.repetition.merge(new.repetition);
        if self.overridden.is_none() {
            self.overridden = Some(self.arguments.keys().cloned().collect());
        }
        self.arguments.extend(new.arguments);
        overridden_dependencies(&new.depends_on)
    }
}

/// The error for `depends_on` in an override file.
pub(super) fn overridden_dependencies(list: &[Expr]) -> Option<Diagnostic> {
    let problem = Diagnostic::new(&lints::INVALID_MODULE, "Unsupported override");
    let detail = "An override file cannot change depends_on.";
    Some(problem.detail(detail).at(Role::Declaration, list.first()?.span))
}

/// Who manages a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    Managed,
    Data,
    Ephemeral,
}

impl Mode {
    /// The prefix before the type in a reference.
    pub fn prefix(self) -> &'static str {
        match self {
            Mode::Managed => "",
            Mode::Data => "data.",
            Mode::Ephemeral => "ephemeral.",
        }
    }
}

/// A `resource`, `data` or `ephemeral` block.
#[derive(Clone, Debug)]
pub struct Resource {
    pub mode: Mode,
    pub ty: SmolStr,
    pub name: SmolStr,
    /// The block's header.
    pub span: Span,
    pub repetition: Repetition,
    /// The arguments and blocks for the provider.
    pub body: WrittenBody,
    pub preconditions: Vec<Validation>,
    pub postconditions: Vec<Validation>,
    /// The elements of `depends_on`.
    pub depends_on: Vec<Expr>,
    /// `NAME` or `NAME.ALIAS`, if it is written.
    pub provider: Option<SmolStr>,
    /// The elements of `replace_triggered_by`.
    pub replace_triggered_by: Vec<Expr>,
    /// The actions that `action_trigger` blocks name.
    pub actions: Vec<Expr>,
    /// The attributes in `ignore_changes`, if it is a list.
    pub ignored: Vec<RelativeTraversal>,
    /// Whether `ignore_changes` may cover every attribute.
    pub ignores_all: bool,
    /// In them `self` is the resource.
    pub provisioners: Vec<Provisioner>,
    /// The check that contains the data source.
    pub check: Option<SmolStr>,
    /// The connection that its provisioners share.
    pub connection: Option<Connection>,
}

/// A `provisioner` block.
#[derive(Clone, Debug)]
pub struct Provisioner {
    /// Its label.
    pub kind: SmolStr,
    /// The block's header.
    pub span: Span,
    pub body: WrittenBody,
    pub connection: Option<Connection>,
    /// `when = destroy`
    pub is_of_destruction: bool,
}

/// A `connection` block.
#[derive(Clone, Debug)]
pub struct Connection {
    /// The block's header.
    pub span: Span,
    pub body: WrittenBody,
}

impl Resource {
    /// `TYPE`, `data.TYPE`, `ephemeral.TYPE`: with the name the key of [`super::Module::resources`].
    pub fn kind(&self) -> SmolStr {
        SmolStr::new(format!("{}{}", self.mode.prefix(), self.ty))
    }

    /// Whether changes of an argument are ignored, so that it keeps its earlier value.
    pub fn ignores(&self, argument: &str) -> bool {
        let names = |it: &RelativeTraversal| match it.steps.first() {
            Some(TraversalStep::Attr(name)) => name.name == argument,
            _ => true,
        };
        self.ignores_all || self.ignored.iter().any(names)
    }

    /// The local name of its provider, and the alias behind a dot.
    pub fn provider(&self) -> &str {
        let prefix = || self.ty.split('_').next().unwrap_or_default();
        self.provider.as_deref().unwrap_or_else(prefix)
    }

    /// The address as references write it.
    pub fn address(&self) -> String {
        format!("{}{}.{}", self.mode.prefix(), self.ty, self.name)
    }

    /// Merges an override file's block: its arguments replace the earlier ones, and its blocks replace all of
    /// their types. `replace_triggered_by` stays. Errors: it has `depends_on`.
    pub(super) fn merge(&mut self, new: Resource) -> Option<Diagnostic> {
        self.repetition.merge(new.repetition);
        self.body.merge(new.body);
        if !new.actions.is_empty() {
            self.actions = new.actions;
        }
        self.provider = new.provider.or(self.provider.take());
        if !new.provisioners.is_empty() {
            self.provisioners = new.provisioners;
        }
        self.connection = new.connection.or(self.connection.take());
        if !new.ignored.is_empty() {
            self.ignored = new.ignored;
        }
        self.ignores_all |= new.ignores_all;
        overridden_dependencies(&new.depends_on)
    }
}

/// A `provider` or `action` block: a configuration whose schema only the provider has.
#[derive(Clone, Debug)]
pub struct ProviderConfiguration {
    /// The address: `provider.aws`, `action.aws_x.name`.
    pub address: String,
    /// The block's header.
    pub span: Span,
    pub repetition: Repetition,
    pub body: WrittenBody,
    /// Whether a `provider` block says anything but its alias: a called module with such a block cannot be repeated.
    pub is_configured: bool,
    /// The version constraint that a `provider` block has.
    pub version: Option<RequiredVersion>,
}

/// A configuration that a resource uses or a call passes: `aws.x`, or `aws.x[KEY]` for one that has `for_each`.
#[derive(Clone, Debug)]
pub struct ProviderReference {
    pub name: SmolStr,
    pub has_key: bool,
    pub span: Span,
}

/// A value in a `backend` or `cloud` block, and the type that it has to have, where that is known.
#[derive(Clone, Debug)]
pub struct BackendValue {
    pub expr: Arc<Expr>,
    pub ty: Option<Type>,
}

/// An `import` block.
#[derive(Clone, Debug)]
pub struct Import {
    /// The block's header.
    pub span: Span,
    /// An address whose keys may be expressions.
    pub to: Expr,
    pub for_each: Option<Expr>,
    pub id: Option<Expr>,
    pub identity: Option<Expr>,
    /// The argument `provider`: the local name with an alias, and the place. `None` after an error in it.
    pub provider: Option<(SmolStr, Span)>,
}

/// A `moved` block.
#[derive(Clone, Debug)]
pub struct Move {
    /// The block's header.
    pub span: Span,
    pub from: Address,
    pub to: Address,
}

/// A `removed` block.
#[derive(Clone, Debug)]
pub struct Removal {
    /// The block's header.
    pub span: Span,
    pub from: Address,
    /// The place of the address.
    pub from_span: Span,
}
