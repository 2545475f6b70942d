//! The model of rules, after everything that depends only on contexts and locals was evaluated.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use smol_str::SmolStr;

use crate::tfpolicy::PolicyDemands;
use diagnostics::{Level, Sources, Span};
use hcl::Expr;
use module::{AddressPattern, matches_glob};
use re2::Regex;
use release::Constraints;
use tf_value::{Number, Value};

/// The rules of a run, for one set of contexts.
#[derive(Debug, Default)]
pub struct Policy {
    /// Holds every file that a span points into.
    pub sources: Sources,
    pub rules: Vec<PolicyRule>,
    /// The objects that expressions refer to as `context` and `local`.
    pub names: Names,
    /// The types that `reference` names.
    pub referred: Vec<(BlockKind, LabelPattern)>,
    /// Names in rules that a plan does not contain, such as `lifecycle`, with their places.
    pub written: Vec<(SmolStr, Span)>,
}

/// The objects that `context` and `local` refer to.
#[derive(Clone, Debug)]
pub struct Names {
    pub context: Value,
    pub local: Value,
}

impl Default for Names {
    fn default() -> Self {
        let none = || Value::object(BTreeMap::new());
        Names { context: none(), local: none() }
    }
}

/// A `rule "ID"` block.
#[derive(Debug)]
pub struct PolicyRule {
    pub id: SmolStr,
    /// The block's header.
    pub span: Span,
    /// `None` where the rule is off.
    pub level: Option<Level>,
    /// The level of undecided outcomes; `None` if they are not reported.
    pub undecided: Option<Level>,
    pub message: Option<Value>,
    pub when: When,
    pub demands: Vec<Demand>,
    pub counts: Vec<Count>,
    /// Groups of alternatives: for each judged object, one object must exist for each group.
    pub needs: Vec<Vec<RuleTarget>>,
}

/// Which objects a rule is about.
#[derive(Clone, Debug, Default)]
pub struct When {
    /// Without a list: all actions after which the object exists.
    pub actions: Option<Vec<Action>>,
    pub addresses: Option<Vec<AddressPattern>>,
    /// Objects that the rule is not about.
    pub except: Vec<AddressPattern>,
}

impl When {
    /// Whether the rule is about an object with this address, judging by addresses alone.
    pub fn covers(&self, address: &str) -> bool {
        let addresses = self.addresses.as_ref();
        addresses.is_none_or(|all| all.iter().any(|it| it.covers(address)))
            && !self.except.iter().any(|it| it.covers(address))
    }
}

/// An action of a plan on an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    Create,
    Update,
    Replace,
    Delete,
    NoOp,
    Read,
    Forget,
    /// In addition to another action: the object had another address before.
    Move,
    /// In addition to another action: the object is imported into the state.
    Import,
}

impl Action {
    /// Every action with its name.
    pub const ALL: [(&'static str, Action); 9] = [
        ("create", Action::Create),
        ("update", Action::Update),
        ("replace", Action::Replace),
        ("delete", Action::Delete),
        ("no-op", Action::NoOp),
        ("read", Action::Read),
        ("forget", Action::Forget),
        ("move", Action::Move),
        ("import", Action::Import),
    ];

    pub fn as_str(self) -> &'static str {
        Action::ALL.iter().find(|it| it.1 == self).map_or("", |it| it.0)
    }

    /// Whether the object exists after it.
    pub fn keeps(self) -> bool {
        !matches!(self, Action::Delete | Action::Forget)
    }
}

/// A block inside of a rule.
#[derive(Debug)]
pub struct Demand {
    pub is_forbidden: bool,
    pub target: RuleTarget,
    /// Judges the objects instead of the pattern, if the rule is written in another language.
    pub conditions: Option<Arc<PolicyDemands>>,
}

/// `count "TYPE" { … }`: how many objects of a kind there are.
#[derive(Debug)]
pub struct Count {
    pub kind: BlockKind,
    pub labels: Vec<LabelPattern>,
    /// `where`: only objects that match it are counted.
    pub filter: Option<BlockPattern>,
    pub filter_span: Span,
    /// Each bound with its place.
    pub min: Option<(u64, Span)>,
    pub max: Option<(u64, Span)>,
    /// The block's header.
    pub span: Span,
}

/// A kind of objects, and the pattern for them.
#[derive(Debug)]
pub struct RuleTarget {
    pub kind: BlockKind,
    /// The types, or the names where the kind has no types; empty for `terraform`.
    pub labels: Vec<LabelPattern>,
    pub pattern: BlockPattern,
    /// The block's header.
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlockKind {
    Resource,
    Data,
    Ephemeral,
    Module,
    Provider,
    Variable,
    Output,
    /// The settings of the root module.
    Terraform,
}

impl BlockKind {
    /// Every kind by the name of its block.
    pub const ALL: [(&'static str, BlockKind); 8] = [
        ("resource", BlockKind::Resource),
        ("data", BlockKind::Data),
        ("ephemeral", BlockKind::Ephemeral),
        ("module", BlockKind::Module),
        ("provider", BlockKind::Provider),
        ("variable", BlockKind::Variable),
        ("output", BlockKind::Output),
        ("terraform", BlockKind::Terraform),
    ];

    pub fn as_str(self) -> &'static str {
        BlockKind::ALL.iter().find(|it| it.1 == self).map_or("", |it| it.0)
    }
}

/// A type or a name, with `*` for any text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelPattern(pub SmolStr);

impl LabelPattern {
    pub fn is_exact(&self) -> bool {
        !self.0.contains('*')
    }

    pub fn matches(&self, name: &str) -> bool {
        if self.is_exact() { self.0 == name } else { matches_glob(&self.0, name) }
    }
}

/// The pattern of a block.
#[derive(Debug, Default)]
pub struct BlockPattern {
    /// `where`: the pattern is only for blocks that match this one.
    pub filter: Option<Box<BlockPattern>>,
    /// The header of `where`.
    pub filter_span: Span,
    pub members: Vec<MemberValidator>,
    pub blocks: Vec<NestedBlock>,
    /// The validator for the number of instances.
    pub count: Option<MemberValidator>,
    /// The names that expressions in it read from `parent` and `attrs`; `None` if one reads all of them.
    pub mentions: Option<BTreeSet<SmolStr>>,
    /// Whether `subject` occurs anywhere in it.
    pub has_subject: bool,
}

impl BlockPattern {
    /// Whether an expression in it reads anything from `parent` or `attrs`.
    pub fn looks_around(&self) -> bool {
        self.mentions.as_ref().is_none_or(|it| !it.is_empty())
    }
}

/// `name = VALIDATOR`
#[derive(Debug)]
pub struct MemberValidator {
    pub name: SmolStr,
    /// From the name to the end of the value.
    pub span: Span,
    pub validator: Arc<Validator>,
}

/// A nested block: each one matches the pattern, and there is at least one.
#[derive(Debug)]
pub struct NestedBlock {
    pub name: SmolStr,
    pub span: Span,
    pub pattern: BlockPattern,
}

/// A validator, which judges one value.
#[derive(Debug)]
pub struct Validator {
    pub kind: Valid,
    pub span: Span,
    /// `condition` and `error_message`: judged after all else.
    pub condition: Option<ConditionValidator>,
    /// How deep validators nest in it, itself included.
    pub depth: u32,
}

/// The options `condition` and `error_message` of a validator.
#[derive(Debug)]
pub struct ConditionValidator {
    pub condition: Expr,
    pub error_message: Option<Expr>,
}

/// Inclusive bounds of a length or a number.
#[derive(Clone, Debug, Default)]
pub struct Bounds {
    pub min: Option<Number>,
    pub max: Option<Number>,
}

#[derive(Debug)]
pub enum Valid {
    Required,
    Forbidden,
    /// Null, or valid; with a fallback, a null counts as that.
    Optional(Arc<Validator>, Option<Fallback>),
    Any(Vec<Arc<Validator>>),
    All(Vec<Arc<Validator>>),
    Deny(Vec<Arc<Validator>>),
    /// Equal after Terraform's conversion. The text is that of a number which Terraform writes otherwise:
    /// `1.30`.
    Equal(Value, Option<SmolStr>),
    /// Equal to an expression that depends on the object: `attrs.name`.
    EqualTo(Expr),
    /// An expression about `self` is true.
    Predicate(Expr),
    If(Test, Arc<Validator>, Arc<Validator>),
    String {
        length: Bounds,
        pattern: Option<Arc<Regex>>,
    },
    Number {
        bounds: Bounds,
        integer: bool,
    },
    Bool,
    List {
        each: Option<Arc<Validator>>,
        length: Bounds,
    },
    Map {
        each: Option<Arc<Validator>>,
        keys: Option<Arc<Validator>>,
        length: Bounds,
    },
    Object {
        members: Vec<MemberValidator>,
        is_closed: bool,
    },
    /// A validator for each element.
    Tuple(Vec<Arc<Validator>>),
    /// At least one element passes.
    Some(Arc<Validator>),
    Hostname,
    Uri(Vec<SmolStr>),
    Ip,
    Cidr,
    Base64,
    /// JSON text whose value is valid.
    Json(Option<Arc<Validator>>),
    Version(Constraints),
    /// Bytes.
    ByteSize(Bounds),
    /// Milliseconds.
    Duration(Bounds),
    /// Refers to the judged object.
    Subject,
    /// Refers to an object that matches the target.
    Reference(Arc<RuleTarget>),
}

/// The value that a null counts as.
#[derive(Debug)]
pub enum Fallback {
    Value(Value),
    Expr(Expr),
}

/// The condition of `condition ? V : V`.
#[derive(Debug)]
pub enum Test {
    Expr(Expr),
    /// `matches(VALUE, V)`
    Matches(Expr, Arc<Validator>),
}
