//! The functions that the language has besides Terraform's.

use std::{cmp::Ordering, path::Path};

use super::{
    judge::{Enforcer, Env},
    reader::problem,
    semver::{Constraints, Version},
};
use diagnostics::{Diagnostic, Span, did_you_mean};
use release::Release;
use tf_eval::{
    EvalHost,
    functions::{self, CallContext, Failure, Host},
};
use tf_value::{Marks, Type, Value, ValueContent, json};

/// Every function of this language alone.
pub(super) const OWN: [&str; 8] = [
    "contains_substring",
    "getdatasource",
    "gethttprequest",
    "getresources",
    "regex_match",
    "semvercmp",
    "semverconstraint",
    "valuetostring",
];

/// The name of a function without its namespace.
pub(super) fn plain(name: &str) -> &str {
    name.strip_prefix("core::").unwrap_or(name)
}

/// Whether a function is one of this language alone.
fn is_own(name: &str) -> bool {
    OWN.contains(&plain(name)) || name.starts_with("plugin::")
}

/// The problem of a call of a function that does not exist.
pub(super) fn unknown(name: &str, span: Span) -> Option<Diagnostic> {
    if is_own(name) || functions::lookup(plain(name)).is_some() {
        return None;
    }
    let known = OWN.into_iter().chain(functions::all().iter().map(|it| it.name));
    let hint = did_you_mean(plain(name), known);
    let detail = format!("Write core::NAME(…), or plugin::PLUGIN::NAME(…).{hint}");
    Some(problem(format!("Unknown function {name:?}"), detail, span))
}

/// The host of expressions in a policy.
pub(super) struct PolicyHost<'h, 'w> {
    pub inner: EvalHost<'h>,
    pub enforcer: &'h Enforcer<'h, 'w>,
    pub env: &'h Env<'h>,
}

impl Host for PolicyHost<'_, '_> {
    fn system(&self) -> &dyn system::System {
        self.inner.system()
    }

    fn base_dir(&self) -> &Path {
        self.inner.base_dir()
    }

    fn render_template(&self, name: &str, text: &str, variables: &Value) -> Result<Value, Failure> {
        self.inner.render_template(name, text, variables)
    }

    fn render_text(&self, name: &str, text: &str, variables: &Value) -> Result<Value, Failure> {
        self.inner.render_text(name, text, variables)
    }

    fn refuses_files(&self) -> bool {
        self.inner.refuses_files()
    }

    fn read_values(&self, text: &str) -> Result<Value, Failure> {
        self.inner.read_values(text)
    }

    fn has_function(&self, name: &str) -> bool {
        is_own(name)
    }

    fn call_function(&self, name: &str, args: &[Value], at: Span) -> Result<Value, Failure> {
        if name.starts_with("plugin::") {
            return Err(Failure::Undecided(format!(
                "plugins are not run, so {name}() has no value"
            )));
        }
        let name = plain(name);
        let (least, most) = match name {
            "getresources" => (1, 2),
            "gethttprequest" => (1, 2),
            "valuetostring" => (1, 1),
            _ => (2, 2),
        };
        if !(least..=most).contains(&args.len()) {
            let wanted =
                if least == most { format!("{most}") } else { format!("{least} or {most}") };
            let message = format!("it takes {wanted} arguments, not {}", args.len());
            return Err(Failure::Call(message));
        }
        match name {
            "getresources" => self.enforcer.resources(args, self.env, at),
            "getdatasource" => self.enforcer.data_source(args, self.env),
            "gethttprequest" => {
                let reason = "nothing is downloaded, so core::gethttprequest() has no value";
                Err(Failure::Undecided(reason.to_owned()))
            }
            "valuetostring" => Ok(shown(&args[0])),
            _ => self.compared(name, args),
        }
    }

    fn spend(&self, units: u64) -> Result<(), Failure> {
        self.inner.spend(units)
    }
}

impl PolicyHost<'_, '_> {
    /// The functions of two texts.
    fn compared(&self, name: &str, args: &[Value]) -> Result<Value, Failure> {
        let ty = if name == "semvercmp" { Type::Number } else { Type::Bool };
        let marks = args.iter().fold(Marks::NONE, |marks, it| marks | it.deep_marks());
        for (index, it) in args.iter().enumerate() {
            if it.is_null() {
                return Err(Failure::argument(index, "argument must not be null"));
            }
        }
        if !args.iter().all(Value::is_known) {
            return Ok(Value::unknown_not_null(ty).with_marks(marks));
        }
        let text = |index: usize| {
            let text = args[index].as_str();
            text.ok_or_else(|| Failure::argument(index, "a string is required"))
        };
        let (one, other) = (text(0)?, text(1)?);
        self.spend((one.len() + other.len()) as u64 / 16 + 1)?;
        let version = |index: usize, text: &str| {
            let invalid = || Failure::argument(index, "it is not a version");
            Version::parse(text).ok_or_else(invalid)
        };
        let value = match name {
            "contains_substring" => Value::bool(one.contains(other)),
            "semverconstraint" => {
                let invalid = || Failure::argument(1, "it is not a version constraint");
                let constraints = Constraints::parse(other).ok_or_else(invalid)?;
                Value::bool(constraints.allow(&version(0, one)?))
            }
            "semvercmp" => Value::int(match version(0, one)?.order(&version(1, other)?) {
                Ordering::Less => -1,
                Ordering::Equal => 0,
                Ordering::Greater => 1,
            }),
            _ => self.matched(one, other)?,
        };
        Ok(value.with_marks(marks))
    }

    /// `core::regex_match`
    fn matched(&self, text: &str, pattern: &str) -> Result<Value, Failure> {
        let Some(all) = functions::lookup("regexall") else {
            return Err(Failure::call("regular expressions are missing"));
        };
        let context = CallContext { host: self, release: Release::NEWEST };
        let args = [Value::string(pattern), Value::string(text)];
        match functions::call(&context, all, &args) {
            Ok(found) => Ok(Value::bool(found.as_sequence().is_some_and(|it| !it.is_empty()))),
            Err(functions::CallError::Budget { bound, reason }) => {
                Err(Failure::Budget { bound, message: reason })
            }
            Err(_) => Err(Failure::argument(1, "it is not a regular expression")),
        }
    }
}

/// `core::valuetostring`
fn shown(value: &Value) -> Value {
    let (bare, marks) = value.clone().unmark_deep();
    let text = match bare.content() {
        ValueContent::Unknown(_) => "(unknown)".to_owned(),
        ValueContent::Null => "(null)".to_owned(),
        _ if bare.ty().is_primitive() => match tf_value::convert(&bare, &Type::String) {
            Ok(it) => it.as_str().unwrap_or_default().to_owned(),
            Err(_) => String::new(),
        },
        _ if !bare.is_wholly_known() => {
            return Value::unknown_not_null(Type::String).with_marks(marks);
        }
        _ => json::value_to_json(&bare).ok().and_then(|it| indented(&it)).unwrap_or_default(),
    };
    Value::string(text).with_marks(marks)
}

fn indented(text: &str) -> Option<String> {
    let value: serde_json::Value = serde_json::from_str(text).ok()?;
    serde_json::to_string_pretty(&value).ok()
}
