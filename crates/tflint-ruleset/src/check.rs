//! One check: from tflint's files through the library to issues.

use std::{
    any::Any,
    collections::HashMap,
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
    thread,
};

use tokio::sync::oneshot;
use tonic::Status;

use super::{
    host_files::HostFiles,
    issue::Issues,
    process::log,
    ruleset::{Config, Rule, RuleOptions},
    runner::Runner,
    wire::EmitIssue,
};
use check::{Single, SingleReport, judge_single};
use diagnostics::{Finding, Level, lints, visible};
use report::NotJudgedKind;
use system::{Refusal, System, paths};

/// Values may nest thousands of levels deep; the parsers' bounds are chosen for this stack.
const STACK_SIZE: usize = 256 * 1024 * 1024;

/// Checks the root module with everything that it calls. Called modules are not checked by themselves:
/// of their findings tflint keeps only those about an argument of the call.
///
/// Errors: broken configuration, and failures of this plugin. tflint then drops every issue of its run.
pub(super) async fn run(mut runner: Runner, config: Config) -> Result<(), Status> {
    if config.enabled.is_empty() || !runner.module_path().await?.is_empty() {
        return Ok(());
    }
    let mut blocks = HashMap::new();
    for rule in &config.enabled {
        blocks.insert(rule.name, runner.rule_config(rule.name, rule.options).await?);
    }
    let options = RuleOptions::read(&blocks).map_err(refused)?;
    let original_dir = runner.original_dir().await?;
    let files = HostFiles::new(runner.files().await?, original_dir);
    let Some(files) = files.map_err(Status::failed_precondition)? else { return Ok(()) };
    let work = move || issues(&files, &config, &options);
    let issues = guarded(work).await.map_err(Status::internal)?;
    for issue in issues.map_err(refused)? {
        runner.emit(issue).await?;
    }
    Ok(())
}

/// The status of an error, whose message may quote foreign text.
fn refused(message: impl AsRef<str>) -> Status {
    Status::failed_precondition(visible(message.as_ref()))
}

/// Runs long work on a thread with a large stack. A panic becomes an error that has its place.
pub async fn guarded<T, F>(work: F) -> Result<T, String>
where
    T: Send + 'static,
    F: FnOnce() -> T + Send + 'static,
{
    let (sender, receiver) = oneshot::channel();
    let body = move || {
        let result = catch_unwind(AssertUnwindSafe(work)).map_err(|it| panicked(it.as_ref()));
        let _ = sender.send(result);
    };
    let started = thread::Builder::new().stack_size(STACK_SIZE).spawn(body);
    started.map_err(|it| format!("terraschema could not start a thread: {it}"))?;
    receiver.await.unwrap_or_else(|_| Err("terraschema stopped without a result".to_owned()))
}

fn panicked(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
    format!("terraschema failed, which is a bug: {}", text.unwrap_or("no message"))
}

/// The issues of a module, in the order of their places.
fn issues(
    files: &HostFiles,
    config: &Config,
    options: &RuleOptions,
) -> Result<Vec<EmitIssue>, String> {
    let values: Vec<PathBuf> = config.var_files.iter().map(|it| files.dir.join(it)).collect();
    if let Some((file, error)) = values.iter().find_map(|it| Some((it, files.kind(it).err()?))) {
        let missing = || format!("the file {} does not exist", paths::display(file));
        let reason = Refusal::of(&error).map_or_else(missing, ToString::to_string);
        return Err(format!("var_files: {reason}"));
    }
    let single = Single { dir: &files.dir, values: &values, calls: true };
    let SingleReport { findings, not_judged, .. } =
        judge_single(&single, files).map_err(|it| it.to_string())?;
    for it in &not_judged {
        if let NotJudgedKind::Blocked(_) = it.what {
            log("INFO", &format!("not judged: {}", it.blocked_text()));
        }
    }
    if let Some(problem) = findings.iter().find(|it| it.rule == lints::INVALID_CONFIGURATION) {
        return Err(placed(problem));
    }
    let mut issues = Issues::new(files);
    let mut found = Vec::new();
    let is_wanted = |it: &&Finding| config.notes || it.level > Level::Note;
    for finding in findings.iter().filter(is_wanted) {
        match Rule::of(finding) {
            Some(rule) if config.enabled.iter().any(|it| it.name == rule.name) => {
                if options.admit(&finding.rule) {
                    found.push(issues.issue(rule, finding));
                }
            }
            Some(_) => (),
            None => log("INFO", &placed(finding)),
        }
    }
    found.sort_by(|a, b| key(a).cmp(&key(b)));
    Ok(found)
}

fn key(issue: &EmitIssue) -> (&str, i64, &str) {
    let range = issue.range.as_ref();
    let name = range.map_or("", |it| it.filename.as_str());
    let byte = range.and_then(|it| it.start).map_or(0, |it| it.byte);
    (name, byte, &issue.message)
}

/// `file:line:column: message`
fn placed(finding: &Finding) -> String {
    match finding.locations.first() {
        Some(it) => format!("{}:{}:{}: {}", it.file, it.line, it.column, finding.message),
        None => finding.message.clone(),
    }
}
