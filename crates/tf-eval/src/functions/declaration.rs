//! What a function declares about itself.

use std::{
    path::{Path, PathBuf},
    time::SystemTime,
};

use diagnostics::{Bound, Diagnostic, Span};
use go_compat::GoError;
use release::{LanguageChange, Release};
use system::System;
use tf_value::{Type, Value};

/// A parameter's or result's type, usable in a constant.
#[derive(Clone, Copy, Debug)]
pub enum Ty {
    /// cty's `DynamicPseudoType`: accepts any value unchanged.
    Any,
    String,
    Number,
    Bool,
    List(&'static Ty),
    Set(&'static Ty),
    Map(&'static Ty),
}

impl Ty {
    /// The type as a value's type or a conversion's target.
    pub fn to_type(self) -> Type {
        match self {
            Ty::Any => Type::Dynamic,
            Ty::String => Type::String,
            Ty::Number => Type::Number,
            Ty::Bool => Type::Bool,
            Ty::List(element) => Type::list(element.to_type()),
            Ty::Set(element) => Type::set(element.to_type()),
            Ty::Map(element) => Type::map(element.to_type()),
        }
    }
}

/// A parameter. Names and types are those of `terraform metadata functions`.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    pub name: &'static str,
    pub ty: Ty,
    /// A null argument reaches the body (otherwise: `argument must not be null`).
    pub null: bool,
    /// An unknown argument reaches the body (otherwise the result is an unknown of the return type).
    pub unknown: bool,
    /// Like `null`, since a change.
    pub null_since: Option<&'static LanguageChange>,
    /// Like `dynamic` below, since a change.
    pub dynamic_since: Option<&'static LanguageChange>,
    /// An argument of unknown type reaches `ReturnType::Of` (otherwise the result is dynamic).
    pub dynamic: bool,
    /// A marked argument reaches the body with its marks. Otherwise the marks are removed from the
    /// arguments, deeply, and put on the result.
    pub marked: bool,
}

impl Param {
    pub const fn new(name: &'static str, ty: Ty) -> Param {
        Param {
            name,
            ty,
            null: false,
            unknown: false,
            null_since: None,
            dynamic_since: None,
            dynamic: false,
            marked: false,
        }
    }

    pub const fn null(mut self) -> Param {
        self.null = true;
        self
    }

    pub const fn null_since(mut self, change: &'static LanguageChange) -> Param {
        self.null_since = Some(change);
        self
    }

    pub const fn dynamic_since(mut self, change: &'static LanguageChange) -> Param {
        self.dynamic_since = Some(change);
        self
    }

    /// Whether a null argument reaches the body.
    pub(super) fn takes_null(&self, release: Release) -> bool {
        self.null || self.null_since.is_some_and(|it| release.has(it))
    }

    /// Whether an argument of unknown type reaches the body.
    pub(super) fn takes_dynamic(&self, release: Release) -> bool {
        self.dynamic || self.dynamic_since.is_some_and(|it| release.has(it))
    }

    pub const fn unknown(mut self) -> Param {
        self.unknown = true;
        self
    }

    pub const fn dynamic(mut self) -> Param {
        self.dynamic = true;
        self
    }

    pub const fn marked(mut self) -> Param {
        self.marked = true;
        self
    }
}

/// How the type of a function's result is found. For example: `length` has a fixed `number`, and
/// `concat` computes a type from its arguments.
#[derive(Clone, Copy)]
pub enum ReturnType {
    Fixed(Ty),
    /// Computed from the (possibly unknown) arguments.
    Of(fn(&[Value]) -> Result<Type, Failure>),
    /// As `Of`, by a release.
    OfRelease(fn(Release, &[Value]) -> Result<Type, Failure>),
}

/// Whether the body of a function may fail after all checks of the declaration: the arguments converted,
/// no null is in a forbidden place, and the return type was found. For example: `parseint` refuses some
/// texts.
#[derive(Clone, Copy)]
pub enum Refuses {
    Nothing,
    /// Some values of some types of arguments.
    SomeValues,
    /// Every value of these types of arguments.
    Everything,
    /// Depends on the arguments, known or not, and on the return type. The function never returns
    /// another `By`.
    By(fn(Release, &[Value], &Type) -> Refuses),
}

impl Refuses {
    /// The refusals for these arguments, known or not.
    pub fn of(self, release: Release, args: &[Value], ty: &Type) -> Refuses {
        match self {
            Refuses::By(of) => of(release, args, ty),
            it => it,
        }
    }
}

/// What a function's result depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DependsOn {
    /// The values of the arguments alone.
    Arguments,
    /// The arguments as expressions: `try` evaluates them itself, `convert` reads one as a type.
    Expressions,
    /// Files, the working directory or the home directory, as well as the arguments.
    Machine,
    /// The time of the call, or chance.
    Moment,
}

/// Computes a result. `ty` is the return type computed before.
pub type FunctionBody = fn(&CallContext<'_>, args: &[Value], ty: &Type) -> Result<Value, Failure>;

/// A function of Terraform's language.
#[derive(Clone, Copy)]
pub struct Function {
    pub name: &'static str,
    /// One sentence.
    pub description: &'static str,
    pub params: &'static [Param],
    pub variadic: Option<Param>,
    pub returns: ReturnType,
    pub refuses: Refuses,
    pub depends_on: DependsOn,
    pub body: FunctionBody,
}

impl Function {
    /// A function of the values of its arguments alone, that refuses some of them. Each of the other methods states an
    /// exception.
    ///
    /// ```
    /// # use tf_eval::functions::{Function, Param, Refuses, ReturnType, Ty};
    /// # use tf_value::Value;
    /// const TEXT: Param = Param::new("str", Ty::String);
    /// const ECHO: Function = Function::pure(
    ///     "echo",
    ///     "Returns a string as it is.",
    ///     &[TEXT],
    ///     ReturnType::Fixed(Ty::String),
    ///     |_, args, _| Ok(args[0].clone()),
    /// )
    /// .refuses(Refuses::Nothing);
    /// assert!(ECHO.variadic.is_none());
    /// ```
    pub const fn pure(
        name: &'static str,
        description: &'static str,
        params: &'static [Param],
        returns: ReturnType,
        body: FunctionBody,
    ) -> Function {
        let (refuses, depends_on) = (Refuses::SomeValues, DependsOn::Arguments);
        Function { name, description, params, variadic: None, returns, refuses, depends_on, body }
    }

    /// Any number of further arguments.
    pub const fn variadic(mut self, param: Param) -> Function {
        self.variadic = Some(param);
        self
    }

    /// Refuses something else than some values.
    pub const fn refuses(mut self, refuses: Refuses) -> Function {
        self.refuses = refuses;
        self
    }

    /// Depends on more than the values of its arguments.
    pub const fn depends_on(mut self, depends_on: DependsOn) -> Function {
        self.depends_on = depends_on;
        self
    }
}

/// Why a call gave no value.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// `Invalid value for "PARAM" parameter: MESSAGE.`; `index` counts from 0, variadic arguments on.
    Argument { index: usize, message: String },
    /// `Call to function "F" failed: MESSAGE.`
    Call(String),
    /// A missing file, which something may make before the plan: an error like `Argument`, or like
    /// `Call` where `index` is `None`.
    MissingFile { index: Option<usize>, message: String, path: PathBuf },
    /// Only a plan knows the result.
    Undecided(String),
    /// Something is not read here, so that nobody knows the result, nor whether the call fails.
    Unread(String),
    /// The bound on work or memory is reached; never swallowed by `can` or `try`.
    Budget { bound: Bound, message: String },
}

impl From<Bound> for Failure {
    fn from(bound: Bound) -> Failure {
        Failure::Budget { bound, message: bound.reason().to_owned() }
    }
}

impl From<GoError> for Failure {
    fn from(GoError(reason): GoError) -> Failure {
        Failure::Call(reason)
    }
}

impl Failure {
    pub fn argument(index: usize, message: impl Into<String>) -> Failure {
        Failure::Argument { index, message: message.into() }
    }

    pub fn call(message: impl Into<String>) -> Failure {
        Failure::Call(message.into())
    }

    /// The failure of something too large for one evaluation.
    pub fn too_large(message: impl Into<String>) -> Failure {
        Failure::Budget { bound: Bound::Evaluation, message: message.into() }
    }

    /// The failure of a text that nests too deep for us; Terraform reads any depth.
    pub fn too_deep() -> Failure {
        Failure::Unread("its text exceeds the nesting limit".to_owned())
    }
}

/// The context that a body may use besides its arguments.
pub struct CallContext<'a> {
    pub host: &'a dyn Host,
    pub release: Release,
}

/// The layers above the functions; implemented by `eval`.
pub trait Host {
    fn system(&self) -> &dyn System;
    /// The directory that relative paths of file functions start from: the working directory of
    /// Terraform, not the module's.
    fn base_dir(&self) -> &Path;
    /// Renders a template's text with the attributes of `variables` as its root names, as
    /// `templatefile` and `templatestring` do. Error messages show `name`.
    fn render_template(&self, name: &str, text: &str, variables: &Value) -> Result<Value, Failure>;
    /// Whether functions must not look at files, as inside a template that is not a file itself.
    fn refuses_files(&self) -> bool {
        false
    }
    /// Renders like [`Host::render_template`], for a text that does not come from a file. Terraform calls no function
    /// that reads files there.
    fn render_text(&self, name: &str, text: &str, variables: &Value) -> Result<Value, Failure> {
        self.render_template(name, text, variables)
    }
    /// The values in the text of a values file, as an object.
    fn read_values(&self, text: &str) -> Result<Value, Failure>;
    /// The time of the plan; `None` when it is unknown.
    fn plan_time(&self) -> Option<SystemTime> {
        None
    }
    /// Whether functions give a result that is otherwise unknown until the apply, as in a console.
    fn is_console(&self) -> bool {
        false
    }
    /// Whether a path that is not there, or holds nothing that is committed, may hold files when a plan is made: git
    /// ignores it.
    fn may_be_made(&self, _path: &Path) -> bool {
        false
    }
    /// Whether this place has a function of this name, with its namespace, that is not one of Terraform's.
    fn has_function(&self, _name: &str) -> bool {
        false
    }
    /// Calls a function that only this place has, with all of its arguments; `at` is the place of the call.
    fn call_function(&self, _name: &str, _args: &[Value], _at: Span) -> Result<Value, Failure> {
        Err(Failure::call("there is no such function"))
    }
    /// Charges work in units of about a tenth of a microsecond: a step, an element, sixteen bytes.
    /// `Err(Failure::Budget)` when it is used up. A call pays for the size of its arguments before the
    /// body runs; the body pays for whatever takes longer or grows larger.
    fn spend(&self, units: u64) -> Result<(), Failure>;
    /// Notes a call that may fail, where nothing else in the expression makes up for the failure.
    fn doubt(&self, _doubt: Diagnostic) {}
}
