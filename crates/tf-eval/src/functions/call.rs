//! The part that all calls share, in cty's and HCL's order: count, conversion, null, dynamic types,
//! unknowns, marks.

use std::path::PathBuf;

use super::{CallContext, Failure, Function, Param, ReturnType};
use diagnostics::{Bound, EvalError};
use release::{Release, changes};
use tf_value::{Marks, Number, Type, Value, convert, ops};

/// The functions whose unknown results may be null. An unknown result of any other function is known not to be
/// null, unless its type is unknown, too.
const MAY_BE_NULL: [&str; 19] = [
    "can",
    "coalescelist",
    "element",
    "ephemeralasnull",
    "issensitive",
    "lookup",
    "nonsensitive",
    "one",
    "sensitive",
    "strcontains",
    "templatefile",
    "timeadd",
    "tobool",
    "tolist",
    "tomap",
    "tonumber",
    "toset",
    "tostring",
    "yamlencode",
];

/// The base work of any call.
const CALL: u64 = 2;
pub const NULL_REFUSED: &str = "argument must not be null";
const WITHHELD: &str =
    "the value is not suitable (no details, because it is sensitive or ephemeral)";

/// Why a call failed. Argument indices count from 0, variadic arguments on.
#[derive(Clone, Debug, PartialEq)]
pub enum CallError {
    /// `missing` is the first parameter without an argument.
    NotEnough {
        expected: usize,
        variadic: bool,
        missing: &'static str,
    },
    TooMany {
        expected: usize,
    },
    /// The argument does not convert to the parameter's type, or the function refuses it.
    Argument {
        index: usize,
        parameter: &'static str,
        reason: String,
    },
    /// The function refuses the arguments together, or Terraform's own implementation panics.
    Call {
        reason: String,
    },
    /// A missing file: an error like `Argument` with an index and a parameter, otherwise like `Call`.
    MissingFile {
        argument: Option<(usize, &'static str)>,
        reason: String,
        path: PathBuf,
    },
    /// Only a plan knows the result, and perhaps whether the call fails.
    Undecided {
        reason: String,
        may_fail: bool,
    },
    /// The bound on work or memory is reached; never swallowed by `can` or `try`.
    Budget {
        bound: Bound,
        reason: String,
    },
}

impl CallError {
    /// The error as a diagnostic's cause has it.
    pub fn error(&self) -> EvalError {
        match self {
            CallError::NotEnough { .. } => EvalError::NotEnoughArguments,
            CallError::TooMany { .. } => EvalError::TooManyArguments,
            CallError::Argument { .. } => EvalError::InvalidArgument,
            CallError::Call { .. } => EvalError::FailedCall,
            CallError::MissingFile { argument, path, .. } => {
                EvalError::MissingFile { of_argument: argument.is_some(), path: path.clone() }
            }
            CallError::Undecided { .. } => EvalError::UndecidedCall,
            CallError::Budget { .. } => EvalError::TooLarge,
        }
    }

    /// The sentence below the headline; `function` is the name as written in the call.
    pub fn detail(&self, function: &str) -> String {
        match self {
            CallError::NotEnough { expected, variadic, missing } => {
                let least = if *variadic { "at least " } else { "" };
                let count = arguments(*expected);
                format!("\"{function}\" takes {least}{count}; \"{missing}\" is missing.")
            }
            CallError::TooMany { expected } => {
                format!("\"{function}\" takes only {}.", arguments(*expected))
            }
            CallError::Argument { parameter, reason, .. }
            | CallError::MissingFile { argument: Some((_, parameter)), reason, .. } => {
                format!("Invalid value for \"{parameter}\" parameter: {reason}.")
            }
            CallError::Call { reason }
            | CallError::MissingFile { argument: None, reason, .. }
            | CallError::Undecided { reason, .. }
            | CallError::Budget { reason, .. } => {
                format!("Call to function \"{function}\" failed: {reason}.")
            }
        }
    }

    /// The argument that the error is about.
    pub fn argument_index(&self) -> Option<usize> {
        match self {
            CallError::Argument { index, .. }
            | CallError::MissingFile { argument: Some((index, _)), .. } => Some(*index),
            _ => None,
        }
    }
}

fn arguments(count: usize) -> String {
    if count == 1 { "1 argument".to_string() } else { format!("{count} arguments") }
}

/// A whole call: count, conversion of each argument, and [`apply`]. The first error counts.
pub fn call(
    context: &CallContext<'_>,
    function: &Function,
    args: &[Value],
) -> Result<Value, CallError> {
    check_count(function, args.len())?;
    let mut converted = Vec::with_capacity(args.len());
    for (index, it) in args.iter().enumerate() {
        let spent = context.host.spend(conversion_work(function, index, it));
        spent.map_err(|it| error(function, args.len(), it, false))?;
        converted.push(convert_argument(function, index, it)?);
    }
    apply(context, function, converted)
}

/// Whether a call may have `count` arguments.
pub fn check_count(function: &Function, count: usize) -> Result<(), CallError> {
    let expected = function.params.len();
    if let Some(param) = function.params.get(count) {
        let variadic = function.variadic.is_some();
        return Err(CallError::NotEnough { expected, variadic, missing: param.name });
    }
    if function.variadic.is_none() && count > expected {
        return Err(CallError::TooMany { expected });
    }
    Ok(())
}

/// The work of [`convert_argument`]: none where the parameter has the argument's type, or takes any.
pub fn conversion_work(function: &Function, index: usize, value: &Value) -> u64 {
    let Some(param) = param(function, index) else { return 0 };
    let wanted = param.ty.to_type();
    if wanted == Type::Dynamic || value.ty().shares(&wanted) {
        return 0;
    }
    value.size().saturating_add(value.ty().size())
}

/// Converts an argument to its parameter's type. HCL does this for each argument right after its
/// evaluation and reports every argument's error.
pub fn convert_argument(
    function: &Function,
    index: usize,
    value: &Value,
) -> Result<Value, CallError> {
    let Some(param) = param(function, index) else {
        return Err(CallError::TooMany { expected: function.params.len() });
    };
    convert(value, &param.ty.to_type()).map_err(|error| CallError::Argument {
        index,
        parameter: param.name,
        // A path may quote keys of the value.
        reason: if is_secret(value) { error.reason } else { error.to_string() },
    })
}

/// Calls a function with arguments whose count is right and which are already converted.
pub fn apply(
    context: &CallContext<'_>,
    function: &Function,
    args: Vec<Value>,
) -> Result<Value, CallError> {
    let count = args.len();
    let secret = args.iter().any(is_secret);
    let error = |it| error(function, count, it, secret);
    let size = args.iter().map(Value::size).fold(CALL, u64::saturating_add);
    context.host.spend(size).map_err(error)?;
    // A function that deals with marks itself sets Terraform's marks on an unknown result; our own marks
    // are kept.
    let ours = args.iter().fold(Marks::NONE, |marks, it| marks | it.deep_marks().of_ours());
    let is_lasting = function.name == "ephemeralasnull";
    let ours = if is_lasting { ours.without(Marks::OPENED) } else { ours };
    let (args, marks) = lift_marks(function, args);
    let open = marks | ours;
    let is_open = args.iter().all(ops::is_open_where_undecided);
    // Of an element only a provider may know the type, and it may be the one that is needed.
    let has_open_type = ours.is_undecided() && args.iter().any(Value::has_unknown_type);
    let ty = match return_type(context.release, function, &args) {
        Err(_) if has_open_type => {
            let types = args.iter().map(|it| it.ty().size()).fold(CALL, u64::saturating_add);
            context.host.spend(types.saturating_mul(GUESSES)).map_err(error)?;
            fitting_type(context.release, function, &args).map_err(error)?;
            None
        }
        ty => ty.map_err(error)?,
    };
    let Some(ty) = ty else {
        return Ok(Value::unknown(Type::Dynamic).with_marks(open));
    };
    if any(function, &args, |param, it| !it.is_known() && !param.unknown) {
        return Ok(not_null(function, Value::unknown(ty)).with_marks(open));
    }
    let result = (function.body)(context, &args, &ty).map_err(error)?;
    let result = if context.release.has(&changes::WHOLE_NUMBERS_BY_VALUE) {
        result
    } else {
        by_text(&result)
    };
    if !result.ty().conforms_to(&ty) {
        let reason = "the result does not have the type of the function";
        return Err(CallError::Call { reason: reason.to_string() });
    }
    if !result.is_known() {
        return Ok(not_null(function, result).with_marks(open));
    }
    // A result that does not depend on what only a plan knows is decided.
    let is_decided = is_open && result.is_wholly_known();
    let undecided = if is_decided { Marks::UNDECIDED } else { Marks::NONE };
    Ok(result.with_marks(marks).without_marks(undecided))
}

/// The number of types that [`fitting_type`] tries.
const GUESSES: u64 = 7;

/// The return type if all parts of unknown type are of one type that the function takes. The error if there is none:
/// `tostring` takes no list, of whatever its elements are.
fn fitting_type(
    release: Release,
    function: &Function,
    args: &[Value],
) -> Result<Option<Type>, Failure> {
    let of = |ty: &Type| {
        let guess = |it: &Value| match it.has_unknown_type() {
            true => Value::unknown(it.ty().with_dynamic(ty)),
            false => it.clone(),
        };
        let guessed: Vec<Value> = args.iter().map(guess).collect();
        return_type(release, function, &guessed)
    };
    let simple = [Type::String, Type::Number, Type::Bool];
    let collections = [Type::list, Type::set, Type::map].map(|it| it(Type::String));
    let mut guesses = simple.into_iter().chain(collections);
    let last = of(&Type::object(std::collections::BTreeMap::new()));
    last.or_else(|refusal| guesses.find_map(|it| of(&it).ok()).ok_or(refusal))
}

/// The value with its large whole numbers marked as equal by their texts.
fn by_text(value: &Value) -> Value {
    let is_large = |number: &Number| number.to_i64().is_none_or(|it| it.unsigned_abs() >> 53 != 0);
    value.change_numbers(&|it| (it.is_integer() && is_large(it)).then(|| it.equal_by_text()))
}

/// The return type for these arguments; `None` where an argument's type is not known yet.
pub(super) fn return_type(
    release: Release,
    function: &Function,
    args: &[Value],
) -> Result<Option<Type>, Failure> {
    for (index, it) in args.iter().enumerate() {
        let Some(param) = param(function, index) else { continue };
        if it.is_null() && !param.takes_null(release) {
            return Err(Failure::argument(index, NULL_REFUSED));
        }
        if *it.ty() == Type::Dynamic && !param.takes_dynamic(release) {
            return Ok(None);
        }
    }
    match function.returns {
        ReturnType::Fixed(ty) => Ok(Some(ty.to_type())),
        ReturnType::Of(of) => of(args).map(Some),
        ReturnType::OfRelease(of) => of(release, args).map(Some),
    }
}

/// Removes all marks from the arguments whose parameters do not deal with marks themselves.
fn lift_marks(function: &Function, args: Vec<Value>) -> (Vec<Value>, Marks) {
    let mut marks = Marks::NONE;
    let mut lift = |(index, arg): (usize, Value)| {
        if param(function, index).is_some_and(|it| it.marked) {
            return arg;
        }
        let (arg, own) = arg.unmark_deep();
        marks |= own;
        arg
    };
    let args = args.into_iter().enumerate().map(&mut lift).collect();
    (args, marks)
}

/// An unknown result with the fact that it is not null, unless the function may give null.
fn not_null(function: &Function, result: Value) -> Value {
    if *result.ty() == Type::Dynamic {
        return Value::unknown(Type::Dynamic).with_marks(result.marks());
    }
    if MAY_BE_NULL.contains(&function.name) {
        return result;
    }
    let mut refinements = result.refinements().cloned().unwrap_or_default();
    refinements.not_null = true;
    result.refined(refinements)
}

/// The parameter that takes the argument.
pub(super) fn param(function: &Function, index: usize) -> Option<&Param> {
    function.params.get(index).or(function.variadic.as_ref())
}

fn any(function: &Function, args: &[Value], test: impl Fn(&Param, &Value) -> bool) -> bool {
    args.iter()
        .enumerate()
        .any(|(index, it)| param(function, index).is_some_and(|param| test(param, it)))
}

fn is_secret(value: &Value) -> bool {
    value.deep_marks().is_hidden()
}

/// A body's messages may quote its arguments, so they are withheld if an argument is secret.
fn error(function: &Function, count: usize, failure: Failure, secret: bool) -> CallError {
    let shown = |message: String| {
        if secret && message != NULL_REFUSED { WITHHELD.to_string() } else { message }
    };
    match failure {
        // HCL blames the call as a whole for a missing argument.
        Failure::Argument { index, message } => match param(function, index) {
            Some(it) if index < count => {
                CallError::Argument { index, parameter: it.name, reason: shown(message) }
            }
            _ => CallError::Call { reason: shown(message) },
        },
        Failure::Call(message) => CallError::Call { reason: shown(message) },
        Failure::MissingFile { index, message, path } => {
            let argument = index.filter(|it| *it < count);
            let argument = argument.and_then(|it| Some((it, param(function, it)?.name)));
            CallError::MissingFile { argument, reason: shown(message), path }
        }
        Failure::Undecided(reason) => CallError::Undecided { reason, may_fail: false },
        Failure::Unread(reason) => CallError::Undecided { reason, may_fail: true },
        Failure::Budget { bound, message: reason } => CallError::Budget { bound, reason },
    }
}
