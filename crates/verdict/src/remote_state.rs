//! `terraform_remote_state`: the outputs of another configuration, read from where its backend keeps its
//! state.

use std::{collections::BTreeMap, io::ErrorKind};

use smol_str::SmolStr;

use super::{
    built_in::failed,
    resource::Look,
    state_file::{self, Held},
    undecided,
};
use diagnostics::{Diagnostic, Diagnostics, Role, Span, lints};
use module::{Resource, is_backend};
use release::Release;
use system::EntryKind;
use tf_eval::{Scope, evaluate_in_detail, references};
use tf_value::{Type, Value, convert};

/// What a configuration may name as a backend besides one's type.
const OTHER_NAMES: [&str; 2] = ["azure", "cloud"];

/// The bytes of a state whose form is looked at.
const MAX_STATE: u64 = 8 << 20;

/// What is known of a state, or why the file is not one.
type State = Result<Held, (&'static str, &'static str)>;

const SUMMARY: &str = "Invalid backend configuration";

/// An argument as it is written.
struct Given {
    value: Value,
    span: Span,
    /// Whether all of it is known without a plan.
    is_known: bool,
}

/// The arguments that are written.
struct Arguments {
    backend: Option<Given>,
    config: Option<Given>,
    defaults: Option<Given>,
    workspace: Option<Given>,
}

impl Arguments {
    fn new(resource: &Resource, scope: &Scope<'_>) -> Arguments {
        let given = |name: &str| {
            let argument = resource.body.argument(name)?;
            let value = evaluate_in_detail(&argument.expr, scope).value;
            let (value, marks) = value.unmark_deep();
            let is_known = value.is_wholly_known() && !marks.is_undecided();
            Some(Given { value, span: argument.expr.span, is_known })
        };
        Arguments {
            backend: given("backend"),
            config: given("config"),
            defaults: given("defaults"),
            workspace: given("workspace"),
        }
    }

    fn are_known(&self) -> bool {
        self.has_known_backend() && are_known([&self.defaults, &self.workspace])
    }

    fn has_known_backend(&self) -> bool {
        are_known([&self.backend, &self.config])
    }
}

fn are_known(arguments: [&Option<Given>; 2]) -> bool {
    arguments.into_iter().flatten().all(|it| it.is_known)
}

/// Errors in the arguments, whose types are sound. Terraform checks them before it reads the state: in the
/// static pass where they are known, and in the real pass too, unless it reads the state in the apply.
pub(super) fn check(resource: &Resource, scope: &Scope<'_>, look: Look) -> Diagnostics {
    let arguments = Arguments::new(resource, scope);
    if !look.is_static && waits(resource, &arguments, look) {
        return Vec::new();
    }
    if let Some(backend) = &arguments.backend
        && arguments.has_known_backend()
        && backend.value.is_null()
    {
        let detail = "Terraform crashes if the name of the backend is null.";
        return vec![failed(SUMMARY, detail, backend.span)];
    }
    // Else a failure inside of a `check` block is a warning.
    if !look.is_static && resource.check.is_some() {
        return Vec::new();
    }
    let mut found = unfit(&arguments);
    if arguments.has_known_backend() {
        found.extend(backend(&arguments, scope.release));
    }
    if !look.is_static && !look.awaits && found.is_empty() {
        match state(&arguments, scope) {
            Some(Err((summary, detail))) => {
                let problem = Diagnostic::new(&lints::FAILED_EVALUATION, summary);
                found.push(problem.detail(detail).at(Role::Rule, resource.span));
            }
            Some(Ok(Held::Unread(why))) => found.push(undecided::state(why, resource.span)),
            Some(Ok(Held::Outputs(_) | Held::Older)) | None => (),
        }
    }
    found
}

/// Whether the plan fails to read the state. In a `check` block that is a warning, and nothing else of the block is
/// evaluated.
pub(super) fn fails(resource: &Resource, scope: &Scope<'_>, look: Look) -> bool {
    let arguments = Arguments::new(resource, scope);
    if look.is_static || look.awaits || waits(resource, &arguments, look) {
        return false;
    }
    !unfit(&arguments).is_empty()
        || !backend(&arguments, scope.release).is_empty()
        || state(&arguments, scope).is_some_and(|it| it.is_err())
}

/// The outputs by their names, with what `defaults` adds; `None` if the plan does not read a local state, or it is of an
/// older form.
pub(super) fn outputs(resource: &Resource, scope: &Scope<'_>, look: Look) -> Option<Value> {
    let arguments = Arguments::new(resource, scope);
    if look.is_static || look.awaits || waits(resource, &arguments, look) {
        return None;
    }
    let Held::Outputs(found) = state(&arguments, scope)?.ok()? else { return None };
    let defaults = arguments.defaults.as_ref().and_then(|it| it.value.as_mapping());
    let mut all: BTreeMap<SmolStr, Value> =
        defaults.into_iter().flatten().map(|(name, it)| (name.clone(), it.clone())).collect();
    all.extend(found);
    Some(Value::object(all))
}

/// Whether the state is read in the apply.
fn waits(resource: &Resource, arguments: &Arguments, look: Look) -> bool {
    look.waits
        || !resource.depends_on.is_empty()
        || may_refer_to_resources(resource)
        || !arguments.are_known()
}

/// Whether an argument may refer to a resource, also through a local or a module. A data source that does
/// is read in the apply, even if the value is known.
fn may_refer_to_resources(resource: &Resource) -> bool {
    let exprs = resource.body.arguments.iter().map(|it| &it.expr);
    let mut roots = exprs.flat_map(|it| references(it));
    roots.any(|it| !["var", "path", "terraform", "each", "count"].contains(&it.name))
}

/// Errors in the types of `config` and `defaults`, also of unknown ones.
fn unfit(arguments: &Arguments) -> Diagnostics {
    let is_fit =
        |it: &&Given| matches!(it.value.ty(), Type::Object(_) | Type::Map(_) | Type::Dynamic);
    let is_null = |it: &Given| it.value.is_known() && it.value.is_null();
    let config = arguments.config.as_ref().filter(|it| !is_null(it) && !is_fit(it));
    // A null is of a type, too.
    let defaults = arguments.defaults.as_ref().filter(|it| !is_fit(it));
    let config = config.map(|it| failed(SUMMARY, "It must be an object.", it.span));
    let detail = "They must be an object.";
    let defaults = defaults.map(|it| failed("Invalid default values", detail, it.span));
    config.into_iter().chain(defaults).collect()
}

/// Errors in a known backend and its configuration.
fn backend(arguments: &Arguments, release: Release) -> Diagnostics {
    let Some(Given { value, span, .. }) = &arguments.backend else { return Vec::new() };
    let Ok(name) = convert(value, &Type::String) else { return Vec::new() };
    let Some(name) = name.as_str() else { return Vec::new() };
    if !is_backend(name, release) && !OTHER_NAMES.contains(&name) {
        let detail = format!("Terraform has no backend {name:?}.");
        return vec![failed(SUMMARY, detail, *span)];
    }
    let config = arguments.config.as_ref().filter(|_| name == "local");
    config.and_then(local_backend).into_iter().collect()
}

/// The error in the configuration of the backend `local`, which is a file.
fn local_backend(config: &Given) -> Option<Diagnostic> {
    for (name, it) in config.value.as_mapping()? {
        let problem = |detail: String| Some(failed(SUMMARY, detail, config.span));
        let summary = match name.as_str() {
            "path" => "Invalid local state file path",
            "workspace_dir" => "Invalid local workspace directory path",
            _ => return problem(format!("The backend \"local\" has no argument \"{name}\".")),
        };
        match convert(it, &Type::String) {
            Err(error) => {
                return problem(format!("Unsuitable value for \"{name}\": {}.", error.reason));
            }
            Ok(text) if text.as_str() == Some("") => {
                return Some(failed(summary, "The path must not be empty.", config.span));
            }
            Ok(_) => (),
        }
    }
    None
}

/// What a local state of another configuration holds, or the error for one that does not exist or that no Terraform
/// reads; `None` for other states.
fn state(arguments: &Arguments, scope: &Scope<'_>) -> Option<State> {
    let text = |value: &Value| Some(SmolStr::new(convert(value, &Type::String).ok()?.as_str()?));
    let given = |argument: Option<&Given>| text(&argument?.value);
    let config = |name: &str| text(arguments.config.as_ref()?.value.as_mapping()?.get(name)?);
    given(arguments.backend.as_ref()).filter(|it| it == "local")?;
    let path = match given(arguments.workspace.as_ref()).as_deref() {
        None | Some("" | "default") => config("path").unwrap_or("terraform.tfstate".into()).into(),
        Some(workspace) => {
            let dir = config("workspace_dir").unwrap_or("terraform.tfstate.d".into());
            format!("{dir}/{workspace}/terraform.tfstate")
        }
    };
    let (system, path) = (scope.host.system(), scope.host.base_dir().join(path));
    let missing = ("Unable to find remote state", "This path has no state.");
    Some(match system.kind(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Err(missing),
        Ok(EntryKind::Directory) => Err(("Failed to read state file", "This path is a directory.")),
        Ok(_) => match system.read_at_most(&path, MAX_STATE) {
            Ok(bytes) if bytes.is_empty() => Err(missing),
            Ok(bytes) => state_file::read(&bytes),
            Err(_) => Ok(Held::Unread("it has more than 8 MiB, or cannot be read")),
        },
        Err(_) => return None,
    })
}
