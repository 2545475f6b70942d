//! `terraschema eval [EXPR…]`: a Terraform console that needs no init.

mod human;
mod json;
mod types;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use crate::{
    Console, Exit,
    confine::{Asked, with_walls},
    flags::{InputFlags, LimitFlags, ReleaseFlags},
};
use clap::{Args, ValueEnum};
use config::{Config, Configurations};
use diagnostics::{Bound, Diagnostic, Diagnostics, FileId, Finding, Sources, lints, visible_line};
use foldhash::HashMap;
use hcl::parse_value;
use module::{Values, inputs::InputRequest, selected_workspace};
use projection::schema::words_of;
use release::Release;
use smol_str::SmolStr;
use system::{LimitedSystem, System};
use tf_eval::{EvalHost, Limits, Meter, evaluate_in_detail};
use tf_value::{Type, Value};
use verdict::{
    JudgeSetting, Loaded, MORE_WORK,
    tree::{Library, Locator, Reach},
};

#[derive(Debug, Args)]
pub(crate) struct EvalArgs {
    /// Expressions to evaluate [default: read one per line from standard input]
    #[arg(value_name = "EXPR")]
    expressions: Vec<String>,
    /// Module whose variables and locals the expressions can use
    #[arg(short, long, value_name = "MODULE", default_value = ".")]
    input: PathBuf,
    #[command(flatten)]
    inputs: InputFlags,
    #[command(flatten)]
    release: ReleaseFlags,
    /// Read nothing outside the module's repository; an expression that needs more is undecided
    #[arg(long)]
    confined: bool,
    #[command(flatten)]
    limits: LimitFlags,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: EvalFormat,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum EvalFormat {
    /// Like `terraform console`
    #[default]
    Human,
    /// One document with a result for each expression, in order
    Json,
}

pub(crate) fn run(
    args: &EvalArgs,
    system: &dyn System,
    console: &mut Console<'_>,
) -> anyhow::Result<Exit> {
    let max_file_size = args.limits.max_file_size();
    if args.confined {
        let (named, files) = (std::slice::from_ref(&args.input), &args.inputs.files()[..]);
        let asked = Asked { named, root: None, files, max_file_size };
        return with_walls(system, &asked, |it| answer(args, it, console));
    }
    answer(args, &LimitedSystem::new(system, max_file_size), console)
}

fn answer(args: &EvalArgs, system: &dyn System, console: &mut Console<'_>) -> anyhow::Result<Exit> {
    let session = Session::open(args, system, console)?;
    let evaluate = |text: &str| session.evaluate(text, system);
    let answers = if args.expressions.is_empty() {
        read(args.format, console, evaluate)
    } else {
        let answers: Vec<Answer> = args.expressions.iter().map(|it| evaluate(it)).collect();
        if args.format == EvalFormat::Human {
            for it in &answers {
                show(it, console);
            }
        }
        answers
    };
    if args.format == EvalFormat::Json {
        console.out(&json::document(&answers, session.release()));
    }
    let failed = answers.iter().any(|it| !it.errors.is_empty());
    Ok(if failed { Exit::Findings } else { Exit::Clean })
}

/// Reads one expression a line; empty lines are skipped, and `exit` ends an interactive session.
fn read(
    format: EvalFormat,
    console: &mut Console<'_>,
    evaluate: impl Fn(&str) -> Answer,
) -> Vec<Answer> {
    let talks = console.is_interactive && format == EvalFormat::Human;
    let mut answers = Vec::new();
    loop {
        if talks {
            console.out("> ");
        }
        let Some(line) = console.line() else { break };
        let text = line.trim();
        if console.is_interactive && matches!(text, "exit" | "quit") {
            break;
        }
        if text.is_empty() {
            continue;
        }
        let answer = evaluate(text);
        if format == EvalFormat::Human {
            show(&answer, console);
        }
        answers.push(answer);
    }
    answers
}

fn show(answer: &Answer, console: &mut Console<'_>) {
    if answer.errors.is_empty() {
        let text = answer.of_type.clone().unwrap_or_else(|| human::render(&answer.value));
        console.out(&format!("{text}\n"));
        for reason in &answer.undecided {
            console.info(&format!("only a plan can decide: {reason}"));
        }
    }
    for error in &answer.errors {
        let at = &error.at;
        console.error(&format!("{} at {at}: {}", error.summary, error.detail));
    }
}

// The result of an expression.

/// A value, or errors.
struct Answer {
    pub expression: String,
    pub value: Value,
    /// The text of `type()`, which is printed unchanged; the value holds the same text.
    pub of_type: Option<String>,
    /// The plan's values that the value depends on.
    pub undecided: Vec<String>,
    pub errors: Vec<Error>,
}

/// An error and its place in the expression: `LINE,COLUMN-LINE,COLUMN`, end exclusive.
struct Error {
    pub summary: String,
    pub detail: String,
    pub at: String,
}

// The session that the expressions of one run share: the module, its values, the version.

/// A module and the values of its variables.
struct Session {
    module: Loaded,
    variables: BTreeMap<SmolStr, Value>,
    objects: Objects,
    workspace: Option<String>,
    release: Release,
    limits: Limits,
}

/// Resources, data sources and calls, by kind and name.
type Objects = HashMap<(SmolStr, SmolStr), Value>;

impl Session {
    /// Loads the module and reads the values. Errors in either are printed to standard error and do not
    /// prevent expressions that need neither.
    fn open(
        args: &EvalArgs,
        system: &dyn System,
        console: &mut Console<'_>,
    ) -> anyhow::Result<Session> {
        let limits = args.limits.limits();
        let meter = Meter::new(limits);
        let dir = &args.input;
        let flags = Config {
            terraform_version: args.release.terraform_version,
            opentofu: args.release.opentofu,
            ..Config::default()
        };
        let configurations = Configurations::new(system, flags, None)?;
        let wanted = configurations.settings(dir).release;
        let reach = Reach {
            system,
            library: &Library::default(),
            locator: &Locator::in_directory(system, dir, Some(&configurations)),
            keeps_blocks: false,
            meter: &Meter::new(limits),
        };
        let (module, mut found, release) = reach
            .load(wanted, |it| module::load_metered(system, dir, it, &meter))
            .map_err(|error| anyhow::anyhow!("{}: {error}", dir.display()))?;
        let mut module = Loaded::new(module);
        let request = InputRequest {
            dir: dir.clone(),
            environment: true,
            auto_files: true,
            arguments: args.inputs.with_environment("console", dir, system)?,
        };
        let setting = JudgeSetting {
            system,
            base_dir: dir,
            release,
            workspace: None,
            awaits: false,
            onward: None,
            meter: &meter,
            words: Some(words_of),
        };
        found.extend(module.follow_initialised(&request, Some(&configurations), setting));
        let (variables, objects, problems) = final_values(&mut module, &request, setting);
        found.extend(problems);
        let workspace = selected_workspace(system, dir, release);
        let workspace = workspace.map_err(|problem| found.push(problem)).ok().flatten();
        if meter.is_exhausted() {
            let (dir, why) = (dir.display(), Bound::Module.reason());
            anyhow::bail!("{dir}: {why}; {MORE_WORK}");
        }
        for problem in &found {
            report(problem, &module.sources, console);
        }
        Ok(Session { module, variables, objects, workspace, release, limits })
    }

    /// The release whose answers these are.
    fn release(&self) -> Release {
        self.release
    }

    fn evaluate(&self, text: &str, system: &dyn System) -> Answer {
        let mut sources = Sources::new();
        let file = sources.add("expression", format!("{text}\n").into_bytes());
        let (expr, errors) = parse_value(file, &sources.file(file).bytes, 0);
        if !errors.is_empty() {
            return failed(text, &errors, &sources);
        }
        if let Some(error) = types::misused(&expr) {
            return failed(text, &[error], &sources);
        }
        let asked = types::asked(&expr);
        let base_dir = system.current_dir().unwrap_or_else(|_| Path::new(".").to_owned());
        let meter = Meter::new(self.limits);
        let host = EvalHost::metered(system, &base_dir, self.release, &meter).as_console();
        host.begin(None);
        let workspace = self.workspace.as_deref();
        let variables = self.variables.clone();
        let mut values = Values::new(&self.module, variables, workspace, &host, self.release);
        for ((kind, name), value) in &self.objects {
            values.set_object(kind, name, value.clone());
        }
        let evaluation = evaluate_in_detail(asked.unwrap_or(&expr), &values.scope());
        if !evaluation.diagnostics.is_empty() {
            return failed(text, &evaluation.diagnostics, &sources);
        }
        let value = evaluation.value;
        let of_type = asked.map(|_| types::render(&types::shown_type(&value)));
        let depends = value.deep_marks().is_undecided() && !value.is_wholly_known();
        Answer {
            expression: text.to_owned(),
            value: of_type.as_deref().map_or(value, Value::string),
            of_type,
            undecided: if depends { evaluation.undecided } else { Vec::new() },
            errors: Vec::new(),
        }
    }
}

/// The values that files, environment and command line give. A required variable without a value is
/// simply unknown here.
fn final_values(
    module: &mut Loaded,
    request: &InputRequest,
    setting: JudgeSetting<'_>,
) -> (BTreeMap<SmolStr, Value>, Objects, Diagnostics) {
    let ready = module.read(setting.system, request).collect(module, setting);
    let (values, found) = ready.final_values();
    let objects = ready.objects();
    let diagnostics = ready.diagnostics.into_iter().chain(found);
    (values, objects, diagnostics.filter(|it| it.rule != lints::MISSING_VARIABLE).collect())
}

fn report(problem: &Diagnostic, sources: &Sources, console: &mut Console<'_>) {
    let finding = Finding::new(problem, "", sources);
    let place = finding.locations.first();
    let place = place.map(|it| format!("{}:{},{}: ", visible_line(&it.file), it.line, it.column));
    let message = format!("{}{}", place.unwrap_or_default(), finding.message);
    if problem.is_error() { console.error(&message) } else { console.warning(&message) }
}

fn failed(text: &str, errors: &[Diagnostic], sources: &Sources) -> Answer {
    let error = |error: &Diagnostic| {
        let place = error.span().filter(|it| it.file == FileId(0)).map(|span| {
            let file = sources.file(span.file);
            let (start, end) = (file.position(span.start), file.position(span.end));
            format!("{},{}-{},{}", start.line, start.column, end.line, end.column)
        });
        Error {
            summary: error.summary.clone(),
            detail: error.detail.clone(),
            at: place.unwrap_or_default(),
        }
    };
    Answer {
        expression: text.to_owned(),
        value: Value::unknown(Type::Dynamic),
        of_type: None,
        undecided: Vec::new(),
        errors: errors.iter().map(error).collect(),
    }
}
