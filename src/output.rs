//! Flags for how findings come out, and the report on its way to them.

use std::{
    io,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use diagnostics::{Finding, Level, lints};
use report::{Format, ModuleReport, Page, Report, Status, Style, render};
use system::{ExpectedContent, Refusal, System, paths};

use super::{Console, Exit, flags::Words, rule_page};

// Flags that every command with findings takes. (A doc comment would become the description of
// the commands that flatten this.)
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct OutputFlags {
    #[command(flatten)]
    shown: ShownFlags,
    /// Lowest level that makes the exit code 1: error, warning, note
    #[arg(long, value_name = "LEVEL", default_value = "error",
          value_parser = Words { words: level_names, parse: level }, hide_possible_values = true)]
    fail_on: LevelFlag,
}

// Flags for how findings come out, whatever a command fails on. (As above.)
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ShownFlags {
    #[arg(long, value_name = "FORMAT", default_value = "human",
          help = format!("Output format: {}", format_names().join(", ")),
          value_parser = Words { words: format_names, parse: format }, hide_possible_values = true)]
    format: FormatFlag,
    /// Also write the findings to a file (repeatable); markdown and github-output are appended to
    /// the file
    #[arg(long, value_name = "FORMAT=FILE", value_parser = file_output)]
    output: Vec<FileOutput>,
    /// Exit with 0 even if there are findings (2 if something could not be checked)
    #[arg(long)]
    exit_zero: bool,
    /// Print only errors
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,
    /// Also print notes and what was not judged
    #[arg(short, long)]
    verbose: bool,
    /// Print the number of findings of each rule instead of the findings (with -v, both); human and
    /// json
    #[arg(long)]
    statistics: bool,
    #[command(flatten)]
    color: ColorFlags,
}

#[derive(Clone, Copy, Debug)]
struct FormatFlag(Format);

impl Default for FormatFlag {
    fn default() -> Self {
        FormatFlag(Format::Human)
    }
}

#[derive(Clone, Copy, Debug)]
struct LevelFlag(Level);

impl Default for LevelFlag {
    fn default() -> Self {
        LevelFlag(Level::Error)
    }
}

#[derive(Clone, Debug)]
struct FileOutput {
    format: Format,
    file: PathBuf,
}

fn format(text: &str) -> Result<FormatFlag, String> {
    let none = || format!("unknown format; use {}", format_names().join(", "));
    Format::from_name(text).map(FormatFlag).ok_or_else(none)
}

fn format_names() -> Vec<&'static str> {
    Format::ALL.iter().map(|(name, _)| *name).collect()
}

fn file_output(text: &str) -> Result<FileOutput, String> {
    let (name, file) = text.split_once('=').ok_or("write FORMAT=FILE, such as sarif=out.sarif")?;
    if file.is_empty() {
        return Err("the file's name is missing".to_owned());
    }
    if file == "-" {
        return Err(format!("write --format {name} to print the findings, or ./- for such a file"));
    }
    Ok(FileOutput { format: format(name)?.0, file: PathBuf::from(file) })
}

const LEVELS: [Level; 3] = [Level::Error, Level::Warning, Level::Note];

fn level_names() -> Vec<&'static str> {
    LEVELS.map(Level::as_str).to_vec()
}

fn level(text: &str) -> Result<LevelFlag, String> {
    let found = LEVELS.into_iter().find(|it| it.as_str() == text);
    found.map(LevelFlag).ok_or_else(|| "one of error, warning, note".to_owned())
}

impl OutputFlags {
    /// Prints the report, writes the files, and returns the exit code. Failures are also printed to
    /// standard error.
    pub fn emit(
        &self,
        report: Report,
        system: &dyn System,
        console: &mut Console<'_>,
    ) -> anyhow::Result<Exit> {
        let fails = report.findings.iter().any(|it| it.level >= self.fail_on.0);
        self.shown.emit(report, fails, system, console)
    }

    /// Whether the findings are printed for people.
    pub fn is_human(&self) -> bool {
        self.shown.format.0 == Format::Human
    }

    /// Whether only errors are wanted.
    pub fn is_quiet(&self) -> bool {
        self.shown.quiet
    }

    /// The lowest level that is shown or makes the exit code 1.
    pub fn lowest(&self) -> Level {
        self.shown.lowest().min(self.fail_on.0)
    }

    /// The lowest level that makes the exit code 1.
    pub fn lowest_failing(&self) -> Level {
        self.fail_on.0
    }
}

impl ShownFlags {
    /// The same flags with all findings shown, unless only errors are wanted.
    pub fn with_notes(&self) -> ShownFlags {
        ShownFlags { verbose: !self.quiet, ..self.clone() }
    }

    /// Like [`OutputFlags::emit`]; `fails` says whether the findings make the exit code 1.
    pub fn emit(
        &self,
        mut report: Report,
        fails: bool,
        system: &dyn System,
        console: &mut Console<'_>,
    ) -> anyhow::Result<Exit> {
        let exit = self.exit(&report, fails);
        // A report that was read from a file knows where its paths start.
        if report.directory.is_none() {
            report.directory = below_root(system);
        }
        let is_shown = |it: &Finding| it.level >= self.lowest();
        report.findings.retain(is_shown);
        let part = report.checked_mut().and_then(|it| it.part.as_mut());
        if let Some(unused) = part.and_then(|it| it.unused.as_mut()) {
            unused.retain(is_shown);
        }
        let color = self.color.are_wanted(console.is_terminal, system);
        let (verbose, statistics) = (self.verbose, self.statistics);
        let page = Some(rule_page as Page);
        let style = Style { color, quiet: self.quiet, verbose, statistics, page };
        console.out(&render(&report, self.format.0, style));
        report.failures.iter().for_each(|it| console.error(it));
        if !self.format.0.tells_written() {
            report.written().iter().for_each(|it| console.info(&format!("wrote {it}")));
        }
        for output in &self.output {
            let style = Style { verbose, statistics, page, ..Style::default() };
            write(output, &report, style, system)?;
        }
        Ok(exit)
    }

    fn lowest(&self) -> Level {
        match (self.quiet, self.verbose) {
            (true, _) => Level::Error,
            (_, true) => Level::Note,
            _ => Level::Warning,
        }
    }

    fn exit(&self, report: &Report, fails: bool) -> Exit {
        // A finding about the run as a whole names no module.
        let unusable = |it: &Finding| {
            it.rule == lints::INVALID_CONFIGURATION
                || (it.rule == lints::BUDGET_EXCEEDED && it.module.is_empty())
        };
        let skipped = |it: &ModuleReport| it.status == Status::Skipped;
        let has_failed = !report.failures.is_empty();
        if has_failed
            || report.modules().iter().any(skipped)
            || report.findings.iter().any(unusable)
        {
            return Exit::Failure;
        }
        if fails && !self.exit_zero { Exit::Findings } else { Exit::Clean }
    }
}

fn write(
    to: &FileOutput,
    report: &Report,
    style: Style,
    system: &dyn System,
) -> anyhow::Result<()> {
    let text = render(report, to.format, style);
    let dir = to.file.parent().filter(|it| !it.as_os_str().is_empty());
    let made = dir.map_or(Ok(()), |it| system.create_dir_all(it));
    let written = made.and_then(|()| match to.format.is_shared() {
        true => append(system, &to.file, &text),
        false => system.write_atomic(&to.file, text.as_bytes()),
    });
    written.with_context(|| format!("the findings are not in {}", to.file.display()))
}

/// The attempts to append to a file that others append to.
const APPEND_ATTEMPTS: usize = 100;

/// Appends to a file that other steps of a job write, too: what they write meanwhile stays.
fn append(system: &dyn System, file: &Path, text: &str) -> io::Result<()> {
    let mut attempts = 0;
    loop {
        attempts += 1;
        let before = match system.read(file) {
            Ok(bytes) => Some(bytes),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let expected = before.as_deref().map_or(ExpectedContent::Nothing, ExpectedContent::Bytes);
        let whole = [before.as_deref().unwrap_or_default(), text.as_bytes()].concat();
        match system.replace(file, expected, &whole) {
            Err(error)
                if attempts < APPEND_ATTEMPTS
                    && matches!(Refusal::of(&error), Some(Refusal::Changed { .. })) => {}
            done => return done,
        }
    }
}

/// The current directory as seen from the root of its repository; `None` outside of a repository.
fn below_root(system: &dyn System) -> Option<String> {
    let current = system.current_dir().ok()?;
    let root = current.ancestors().find(|it| system.kind(&it.join(".git")).is_ok())?;
    let below = current.strip_prefix(root).ok()?;
    Some(paths::slashes(below))
}

// Flags for colours. (A doc comment would become the description of the commands that flatten
// this.)
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct ColorFlags {
    /// Colour the human output; auto: on a terminal, unless NO_COLOR is set
    #[arg(long, value_name = "WHEN", value_enum, default_value_t)]
    color: When,
    /// Same as --color never, for compatibility with Terraform
    #[arg(long, conflicts_with = "color")]
    no_color: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum When {
    #[default]
    Auto,
    Always,
    Never,
}

impl ColorFlags {
    /// Whether output is coloured; `is_terminal` says whether it goes to a terminal.
    pub fn are_wanted(self, is_terminal: bool, system: &dyn System) -> bool {
        match self.color {
            _ if self.no_color => false,
            When::Never => false,
            When::Always => true,
            When::Auto => are_usual(is_terminal, system),
        }
    }
}

/// The conventions of no-color.org and of CLICOLOR, in their order.
fn are_usual(is_terminal: bool, system: &dyn System) -> bool {
    let set = |name| system.env(name).filter(|it| !it.is_empty());
    if set("NO_COLOR").is_some() {
        return false;
    }
    if set("CLICOLOR_FORCE").is_some_and(|it| it != "0") {
        return true;
    }
    let is_refused = set("CLICOLOR").is_some_and(|it| it == "0");
    is_terminal && !is_refused && set("TERM").is_none_or(|it| it != "dumb")
}
