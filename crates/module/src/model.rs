//! The model of a module: its declarations.

use std::{path::PathBuf, sync::OnceLock};

use indexmap::IndexMap;
use smol_str::SmolStr;

use super::{
    BackendValue, Import, ModuleCall, Move, ProviderConfiguration, ProviderReference, Removal,
    Resource, WrittenBlock, null_attributes::OwnNulls,
};
use diagnostics::{Diagnostics, Sources, Span};
use hcl::Expr;
use release::{LanguageChange, Product, Release};
use tf_eval::Provider;
use tf_value::{Marks, Value, typeexpr::Constraint};

/// A map in the order of declaration. It hashes fast, with a random seed: names come from strangers'
/// files, and outsiders cannot time it.
pub type Declared<K, V> = IndexMap<K, V, foldhash::fast::RandomState>;
/// Declarations by name.
pub type ByName<T> = Declared<SmolStr, T>;

/// A module after overrides are merged. `sources` holds every file that its spans point into.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// Directory as given.
    pub dir: PathBuf,
    /// The release that read the module.
    pub release: Release,
    pub sources: Sources,
    /// In declaration order: files bytewise by name, then position.
    pub variables: ByName<Variable>,
    pub locals: ByName<Local>,
    pub outputs: ByName<Output>,
    pub checks: ByName<Check>,
    /// `required_version` constraints with their places.
    pub required_versions: Vec<RequiredVersion>,
    /// The local names of `required_providers`.
    pub required_providers: ByName<RequiredProvider>,
    /// The places of declared resources (`TYPE`, `NAME`), data sources (`data.TYPE`, `NAME`), ephemeral
    /// resources (`ephemeral.TYPE`, `NAME`), module calls (`module`, `NAME`), checks (`check`, `NAME`)
    /// and settings that occur once, such as configurations of providers (`provider`, `NAME.ALIAS`).
    pub declared: Declared<(SmolStr, SmolStr), Span>,
    pub calls: ByName<ModuleCall>,
    /// By kind (`TYPE`, `data.TYPE`, `ephemeral.TYPE`) and name.
    pub resources: Declared<(SmolStr, SmolStr), Resource>,
    /// Configurations of providers, and actions.
    pub configurations: Vec<ProviderConfiguration>,
    pub imports: Vec<Import>,
    pub moves: Vec<Move>,
    pub removals: Vec<Removal>,
    /// The errors of its backend, which count in a root module only, and if no override file has another. `None`
    /// where it has none.
    pub backend: Option<Diagnostics>,
    /// The values of its backend that refer to something; only OpenTofu has such.
    pub backend_values: Vec<BackendValue>,
    /// Uses of blocks and arguments that some release introduced.
    pub features: Vec<(&'static LanguageChange, Span)>,
    /// Where resources and calls name a configuration with an alias.
    pub provider_references: Vec<ProviderReference>,
    /// Why the module may declare more than its files do: Terragrunt may write further files before Terraform reads
    /// them.
    pub open: Option<String>,
    /// Every block as written, if [`super::LoadOptions::keeps_blocks`] asked for it.
    pub blocks: Option<Vec<WrittenBlock>>,
}

impl Module {
    /// The provider whose functions are called as `provider::NAME::…`; `None` where `required_providers` does not
    /// name it, and Terraform refuses the call.
    pub fn provider_of_functions(&self, name: &str) -> Option<Provider> {
        let required = self.required_providers.get(name)?;
        let is_built_in = required.is_built_in(name);
        Some(if is_built_in { Provider::BuiltIn } else { Provider::Other })
    }
}

/// A version constraint of a module.
#[derive(Clone, Debug)]
pub struct RequiredVersion {
    pub text: String,
    pub span: Span,
    /// Whether it is certainly about OpenTofu: a file that only OpenTofu reads has it, or a `language`
    /// block. No release ignores it.
    pub is_of_tofu: bool,
}

/// An entry of `required_providers`.
#[derive(Clone, Debug)]
pub struct RequiredProvider {
    /// The place of the name.
    pub span: Span,
    pub source: Option<SmolStr>,
    /// Its version constraints.
    pub version: Option<SmolStr>,
    /// The entries of `configuration_aliases`: `NAME.ALIAS`.
    pub aliases: Vec<SmolStr>,
}

impl RequiredProvider {
    /// Whether this is the provider that is built into Terraform.
    pub fn is_built_in(&self, name: &str) -> bool {
        match self.source.as_deref() {
            Some(source) => source == "terraform.io/builtin/terraform",
            None => name == "terraform",
        }
    }
}

/// The full address of a provider: of `source`, or of its local name where it has none.
pub fn provider_address(source: Option<&str>, name: &str, product: Product) -> SmolStr {
    let host = match product {
        Product::Terraform => "registry.terraform.io",
        Product::OpenTofu => "registry.opentofu.org",
    };
    let Some(source) = source else {
        return match name {
            "terraform" => "terraform.io/builtin/terraform".into(),
            _ => SmolStr::new(format!("{host}/hashicorp/{name}")),
        };
    };
    let address = match source.matches('/').count() {
        0 => format!("{host}/hashicorp/{source}"),
        1 => format!("{host}/{source}"),
        _ => source.to_owned(),
    };
    address.to_lowercase().into()
}

/// A `variable` block.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: SmolStr,
    /// The block's header.
    pub span: Span,
    /// The name in the header, quotes included.
    pub name_span: Span,
    /// The type constraint; `any` when not declared.
    pub constraint: Constraint,
    /// The `type` argument's value; `None` when not declared.
    pub type_span: Option<Span>,
    /// The default after conversion to the constraint, optional attributes' defaults filled in; an
    /// unknown when it is in error.
    pub default: Option<Value>,
    /// The value that replaces a forbidden null, if not `default`: an override file's default before
    /// those of optional attributes are filled in.
    pub default_for_null: Option<Value>,
    /// The default as written.
    pub default_expr: Option<Expr>,
    pub description: Option<String>,
    pub description_span: Option<Span>,
    /// `nullable` as written; `None` when not written (Terraform then allows null).
    pub nullable: Option<bool>,
    pub sensitive: Option<bool>,
    pub ephemeral: Option<bool>,
    pub deprecated: Option<String>,
    /// `const = true`: known before the module's sources are (Terraform 1.15).
    pub constant: Option<bool>,
    pub validations: Vec<Validation>,
    /// Once somebody asked: each rule of a variable does.
    pub(super) own_nulls: OnceLock<OwnNulls>,
}

impl Variable {
    /// Terraform's reading: null is allowed unless `nullable = false`.
    pub fn is_nullable(&self) -> bool {
        self.nullable != Some(false)
    }

    pub fn is_sensitive(&self) -> bool {
        self.sensitive == Some(true)
    }

    pub fn is_ephemeral(&self) -> bool {
        self.ephemeral == Some(true)
    }

    /// The marks that its value carries; in its own rules it is not sensitive.
    pub fn marks(&self) -> Marks {
        let sensitive = if self.is_sensitive() { Marks::SENSITIVE } else { Marks::NONE };
        let ephemeral = if self.is_ephemeral() { Marks::EPHEMERAL } else { Marks::NONE };
        let secret = if self.is_hidden() { Marks::SECRET } else { Marks::NONE };
        sensitive | ephemeral | secret
    }

    /// Whether its value must not be printed.
    pub fn is_hidden(&self) -> bool {
        self.is_sensitive() || self.is_ephemeral()
    }

    /// Why its value must not be printed, in a word.
    pub fn secrecy(&self) -> &'static str {
        if self.is_sensitive() { "sensitive" } else { "ephemeral" }
    }

    /// The value that replaces a forbidden null.
    pub fn instead_of_null(&self) -> Option<&Value> {
        self.default_for_null.as_ref().or(self.default.as_ref())
    }

    /// Whether the variable must be given a value: it has no default.
    pub fn is_required(&self) -> bool {
        self.default.is_none()
    }
}

/// A `validation` block.
#[derive(Clone, Debug)]
pub struct Validation {
    pub condition: Expr,
    pub error_message: Option<Expr>,
    /// The message as JSON spells it, which is used where it cannot be evaluated.
    pub plain_message: Option<SmolStr>,
    /// The block's header: where Terraform says "this was checked by the validation rule at".
    pub span: Span,
    /// The position of the rule among the variable's rules, from 0; `None` for a rule in a JSON array,
    /// since Terraform gives all of these the place of the array's bracket.
    pub index: Option<usize>,
}

/// A local value.
#[derive(Clone, Debug)]
pub struct Local {
    pub name: SmolStr,
    pub expr: Expr,
    pub span: Span,
}

/// A `check` block's assertions, for the verdict only.
#[derive(Clone, Debug)]
pub struct Check {
    pub name: SmolStr,
    pub asserts: Vec<Validation>,
    pub span: Span,
}

/// An output's value and preconditions, for the verdict only.
#[derive(Clone, Debug)]
pub struct Output {
    pub name: SmolStr,
    pub value: Option<Expr>,
    pub sensitive: Option<bool>,
    pub ephemeral: Option<bool>,
    pub deprecated: Option<String>,
    pub description: Option<String>,
    /// `type`, which the value is converted to.
    pub constraint: Option<Constraint>,
    pub preconditions: Vec<Validation>,
    /// The elements of `depends_on`.
    pub depends_on: Vec<Expr>,
    pub span: Span,
}
