//! Requests, one in each file. They run on other threads, on a snapshot.

mod code_action;

use std::{path::PathBuf, sync::Arc};

use lsp_types::Uri;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::{
    inbox::of,
    snapshot::{Document, Snapshot},
    unit::Shown,
    uri,
};

/// What a request works on.
pub(crate) struct RequestContext {
    pub snapshot: Arc<Snapshot>,
    /// What was found in the document of the request.
    pub shown: Vec<Shown>,
}

/// Answers a request. Errors: why it has no answer.
pub(crate) type Handler = fn(&RequestContext, Value) -> Result<Value, String>;

/// The handler of a method.
pub(crate) fn handler(method: &str) -> Option<Handler> {
    Some(match method {
        "textDocument/codeAction" => |context, it| answered(context, it, code_action::run),
        _ => return None,
    })
}

/// The part of the server's capabilities that is about these requests.
pub(crate) fn capabilities() -> Value {
    serde_json::json!({
        "codeActionProvider": {"codeActionKinds": ["quickfix"]},
    })
}

/// Reads the parameters, and writes the answer.
fn answered<P: DeserializeOwned, R: Serialize>(
    context: &RequestContext,
    params: Value,
    run: fn(&RequestContext, &P) -> Option<R>,
) -> Result<Value, String> {
    let answer = run(context, &of(params)?);
    serde_json::to_value(answer).map_err(|it| it.to_string())
}

impl RequestContext {
    /// The open document of a request.
    pub fn document(&self, uri: &Uri) -> Option<(PathBuf, &Document)> {
        let path = uri::path(uri)?;
        let document = self.snapshot.documents.get(&path)?;
        Some((path, document))
    }
}
