//! Turns an error in a text that a function evaluates into the failure of that function.

use crate::functions::Failure;
use diagnostics::{Cause, Diagnostic, Sources};
use hcl::is_too_large;

/// The failure of a function whose template or values file has the error. `what` is put before its place
/// and names the evaluated text; it may be empty: `invalid expression for variable "x": `.
pub(super) fn failure(what: &str, error: &Diagnostic, sources: &Sources) -> Failure {
    let at = error.span().map(|it| sources.display(it)).unwrap_or_default();
    let detail = error.detail.trim_end_matches('.');
    let message = format!("{what}{at}: {}; {detail}", error.summary);
    match &error.cause {
        Some(Cause::Budget(bound)) => {
            Failure::Budget { bound: *bound, message: error.detail.clone() }
        }
        Some(Cause::TooDeep) => Failure::too_deep(),
        _ if is_too_large(error) => Failure::too_large(error.detail.clone()),
        it => match it.as_ref().and_then(Cause::missing_file) {
            Some(path) => Failure::MissingFile { index: None, message, path: path.to_owned() },
            None => Failure::Call(message),
        },
    }
}

#[cfg(test)]
mod tests {
    use crate::{EvalHost, NoData, Scope, evaluate};
    use diagnostics::{Cause, EvalError, FileId};
    use hcl::parse_expression;
    use release::Release;
    use system::MemorySystem;

    fn cause(expression: &str) -> Option<Cause> {
        let (expr, _) = parse_expression(FileId::default(), expression.as_bytes(), 0);
        let system = MemorySystem::new()
            .file("/t", "${file(\"none\")}")
            .file("/wrong", "${tonumber(\"x\")}");
        let release = Release::NEWEST;
        let host = EvalHost::new(&system, "/", release);
        let (_, errors) = evaluate(&expr, &Scope { data: &NoData, host: &host, release });
        errors.into_iter().next()?.cause
    }

    #[test]
    fn a_missing_file_is_known_through_templates_hashes_and_try() {
        let missing = |of_argument| {
            Some(Cause::Evaluation(EvalError::MissingFile { of_argument, path: "/none".into() }))
        };
        assert_eq!(cause("file(\"none\")"), missing(true));
        assert_eq!(cause("filemd5(\"none\")"), missing(false));
        assert_eq!(cause("templatefile(\"t\", {})"), missing(false));
        assert_eq!(cause("try(tonumber(\"x\"), templatefile(\"t\", {}))"), missing(false));
        // The same words in another error mean something else.
        let failed = Some(Cause::Evaluation(EvalError::FailedCall));
        assert_eq!(cause("templatefile(\"wrong\", {})"), failed);
        assert_eq!(cause("try(tonumber(\"no file exists at\"))"), failed);
    }
}
