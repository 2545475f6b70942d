//! `workspace/executeCommand`: which input sets a module has, and which of them somebody looks at.

use lsp_types::{ExecuteCommandParams, Position, Uri};
use serde_json::{Value, json};

use super::{Answered, RequestContext};
use crate::input_sets::input_sets;

/// Lists the names of the input sets of the module of a document, whose URI is the argument.
const LIST: &str = "terraschema.server.inputSets";
/// Chooses the input set with which expressions are evaluated, by its name; `null` chooses all.
pub(crate) const USE: &str = "terraschema.server.useInputSet";

pub(super) const COMMANDS: [&str; 2] = [LIST, USE];

pub(super) fn run(context: &RequestContext, params: &ExecuteCommandParams) -> Answered<Value> {
    let argument = params.arguments.as_ref().and_then(|it| it.first());
    match params.command.as_str() {
        LIST => {
            let uri = argument.and_then(Value::as_str).map(Uri::from);
            let names = uri.and_then(|uri| {
                context.look(&uri, Position::default(), |view| {
                    let contract = view.modules.of_values(view.path);
                    let dir = contract.map(|it| it.dir).or(view.path.parent().map(Into::into))?;
                    let sets = input_sets(&view.modules, &dir);
                    Some(sets.into_iter().filter_map(|it| it.name).collect::<Vec<String>>())
                })
            });
            Ok(Some(json!(names.unwrap_or_default())))
        }
        other => Err(format!("unknown command {other:?}")),
    }
}
