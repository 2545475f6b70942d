//! `terraschema [generate]`: writes a module's JSON Schema, with the flags of the Go tool.

use std::{
    collections::BTreeMap,
    mem,
    path::{Path, PathBuf},
};

use crate::{
    Console, Exit,
    confine::{Asked, with_walls},
    fidelity,
    flags::{LimitFlags, ReleaseFlags, SchemaFlags, is_standard_output, switch},
};
use anyhow::{Context as _, bail};
use check::prevents;
use clap::{ArgAction, Args};
use config::SCHEMA_FILE;
use diagnostics::{Bound, Diagnostic, Level, visible_json, visible_line};
use module::{Module, ModuleFiles};
use module_docs::output_types;
use projection::schema::{self, Generated, OutputForm, OutputType, SchemaJson, SchemaOptions};
use smol_str::SmolStr;
use system::{DirEntry, EntryKind, System, paths};
use tf_eval::Meter;
use verdict::{
    MORE_WORK,
    tree::{Library, Locator, Reach},
};

// `generate` as a command of its own. Without its name a word is a mistyped command and not a directory.
#[derive(Debug, Args)]
pub(crate) struct GenerateCommand {
    /// Directory of the module, as --input
    #[arg(value_name = "DIR", conflicts_with = "input")]
    dir: Option<PathBuf>,
    #[command(flatten)]
    generate: GenerateArgs,
}

impl GenerateCommand {
    /// The same as flags alone.
    pub(crate) fn into_flags(self) -> GenerateArgs {
        let GenerateCommand { dir, mut generate } = self;
        generate.input = dir.unwrap_or(generate.input);
        generate
    }
}

#[derive(Clone, Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(crate) struct GenerateArgs {
    /// Directory of the module
    #[arg(short, long, value_name = "DIR", default_value = ".")]
    input: PathBuf,
    /// Output file; missing directories are created; - is standard output, like --stdout
    #[arg(short, long, value_name = "FILE", default_value = "schema.json")]
    output: PathBuf,
    /// Write the schema {} if there are no .tf files or no variables
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", default_value = "false", hide_default_value = true,
          action = ArgAction::Set, value_parser = switch)]
    allow_empty: bool,
    /// Replace an existing output file
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", default_value = "false", hide_default_value = true,
          action = ArgAction::Set, value_parser = switch)]
    overwrite: bool,
    /// Print the files that were read, and how each validation rule was translated
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", default_value = "false", hide_default_value = true,
          action = ArgAction::Set, value_parser = switch)]
    debug: bool,
    /// Print to standard error how each validation rule was translated
    #[arg(long, value_name = "HOW", num_args = 0..=1, require_equals = true,
          default_missing_value = "text", value_parser = ["text", "json"])]
    report: Option<String>,
    /// Print the schema instead of writing a file; otherwise print only errors
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", default_value = "false", hide_default_value = true,
          action = ArgAction::Set, value_parser = switch)]
    stdout: bool,
    /// Write the variables as JSON instead of a schema
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", default_value = "false", hide_default_value = true,
          action = ArgAction::Set, value_parser = switch)]
    export_variables: bool,
    /// Write the schema of the outputs instead: of `terraform output -json` (json), or of the values
    /// that terraform_remote_state gives (values)
    #[arg(long, value_name = "FORM", num_args = 0..=1, require_equals = true,
          default_missing_value = "json", value_parser = ["json", "values"],
          conflicts_with_all = ["export_variables", "report"])]
    outputs: Option<String>,
    #[command(flatten)]
    release: ReleaseFlags,
    /// Read only below this directory [default: the repository's work tree]
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    #[command(flatten)]
    limits: LimitFlags,
    #[command(flatten)]
    schema: SchemaFlags,
}

pub(crate) fn run(
    args: &GenerateArgs,
    system: &dyn System,
    console: &mut Console<'_>,
) -> anyhow::Result<Exit> {
    let stdout = args.stdout || is_standard_output(&args.output);
    let args = &GenerateArgs { stdout, ..args.clone() };
    check_input(args, system)?;
    if !args.stdout {
        check_output(args, system, console)?;
    }
    let meter = &Meter::new(args.limits.limits());
    // The user names the output; all input is below the module's root.
    let named = [args.input.clone()];
    let max_file_size = args.limits.max_file_size();
    let asked = Asked { named: &named, root: args.root.as_deref(), files: &[], max_file_size };
    let input = with_walls(system, &asked, |it| read(args, it, meter))?;
    let text = match input {
        Input::Module(module, diagnostics) => {
            if !readable(&module, diagnostics, args, console) {
                return Ok(Exit::Failure);
            }
            let text = document(&module, args, console, meter);
            // The process ends after this: to take the trees apart would only take time.
            mem::forget(module);
            text
        }
        Input::Outputs(module, diagnostics, types) => {
            if !readable(&module, diagnostics, args, console) {
                return Ok(Exit::Failure);
            }
            outputs(&module, &types, args, console)
        }
        Input::Empty(reason) if args.allow_empty => {
            let what = if args.export_variables { "variables" } else { "schema" };
            if !args.stdout {
                let dir = quoted(&args.input);
                console.warning(&format!("directory {dir}: {reason}, creating empty {what} file"));
            }
            SchemaJson::Object(BTreeMap::new()).to_text(false)
        }
        Input::Empty(reason) => {
            bail!("error reading tf files at {}: {reason}", quoted(&args.input))
        }
    };
    check_budget(args, meter)?;
    let text = text + "\n";
    if args.stdout {
        // As in the Go tool, whose `Println` adds a line end to that of the document.
        let text = text + "\n";
        // A pipe receives the bytes that a file would.
        console.out(&if console.is_terminal { visible_json(text) } else { text });
    } else {
        write(args, system, &text)?;
        let mut text = format!("schema written to {}", quoted(&args.output));
        // As in the Go tool, the default is in the current directory, wherever the module is.
        let beside = paths::clean(&args.input.join(SCHEMA_FILE));
        if args.output == Path::new(SCHEMA_FILE) && beside != args.output {
            text += &format!("; `terraschema check` looks for {}", quoted(&beside));
        }
        console.info(&text);
    }
    Ok(Exit::Clean)
}

enum Input {
    Module(Box<Module>, Vec<Diagnostic>),
    /// A module with the types of its outputs, for a schema of these.
    Outputs(Box<Module>, Vec<Diagnostic>, BTreeMap<SmolStr, OutputType>),
    /// There is nothing to make a schema from, with the reason.
    Empty(&'static str),
}

fn check_input(args: &GenerateArgs, system: &dyn System) -> anyhow::Result<()> {
    let kind = system.kind(&args.input);
    let kind =
        kind.with_context(|| format!("could not access directory {}", quoted(&args.input)))?;
    if kind != EntryKind::Directory {
        bail!("input path {} is not a directory", quoted(&args.input));
    }
    Ok(())
}

fn check_output(
    args: &GenerateArgs,
    system: &dyn System,
    console: &mut Console<'_>,
) -> anyhow::Result<()> {
    let output = quoted(&args.output);
    // The default name, which nobody wrote; the link may come with the tree and lead anywhere.
    let is_link = |it: &DirEntry| it.name == SCHEMA_FILE && it.kind == EntryKind::Symlink;
    if args.output == Path::new(SCHEMA_FILE) && system.list(Path::new("."))?.iter().any(is_link) {
        bail!("output path {output} is a symbolic link, name the file that you mean with --output")
    }
    match system.kind(&args.output) {
        Ok(EntryKind::Directory) => {
            bail!("output path {output} is an existing directory, please specify a file path")
        }
        Ok(_) if !args.overwrite => {
            bail!("output path {output} already exists, use --overwrite to overwrite")
        }
        _ => (),
    }
    if args.output.extension().is_none_or(|it| it != "json") {
        console
            .warning(&format!("output path {output} does not have a .json extension, continuing"));
    }
    Ok(())
}

fn read(args: &GenerateArgs, system: &dyn System, meter: &Meter) -> anyhow::Result<Input> {
    let unreadable = || format!("could not read directory {}", quoted(&args.input));
    let entries = system.list(&args.input).with_context(unreadable)?;
    let wanted = args.release.wanted();
    if ModuleFiles::select(&entries, wanted.first()).is_empty() {
        return Ok(Input::Empty("no .tf files found"));
    }
    // What it calls decides, too, which release is the newest that may run it.
    let reach = Reach {
        system,
        library: &Library::default(),
        locator: &Locator::default(),
        keeps_blocks: false,
        meter: &Meter::new(args.limits.limits()),
    };
    let (module, diagnostics, _) = reach
        .load(wanted, |it| module::load_metered(system, &args.input, it, meter))
        .with_context(unreadable)?;
    check_budget(args, meter)?;
    if args.outputs.is_some() {
        if module.outputs.is_empty() && !diagnostics.iter().any(prevents) {
            return Ok(Input::Empty("tf files don't contain any outputs"));
        }
        let types = output_types(&module, system, meter);
        return Ok(Input::Outputs(Box::new(module), diagnostics, types));
    }
    if module.variables.is_empty() && !diagnostics.iter().any(prevents) {
        return Ok(Input::Empty("tf files don't contain any variables"));
    }
    Ok(Input::Module(Box::new(module), diagnostics))
}

/// Fails if the budget ended, since the schema of a part of the module would be wrong.
fn check_budget(args: &GenerateArgs, meter: &Meter) -> anyhow::Result<()> {
    if meter.is_exhausted() {
        bail!("{}: {}; {MORE_WORK}", quoted(&args.input), Bound::Module.reason());
    }
    Ok(())
}

/// Prints the module's errors; returns whether a schema can be made from it.
fn readable(
    module: &Module,
    diagnostics: Vec<Diagnostic>,
    args: &GenerateArgs,
    console: &mut Console<'_>,
) -> bool {
    let (fatal, others): (Vec<_>, Vec<_>) = diagnostics.into_iter().partition(prevents);
    for diagnostic in &fatal {
        console.error(&line(module, diagnostic));
    }
    if !args.stdout {
        for diagnostic in others.iter().filter(|it| it.level() > Level::Note) {
            console.warning(&line(module, diagnostic));
        }
    }
    fatal.is_empty()
}

/// The text to write.
fn document(
    module: &Module,
    args: &GenerateArgs,
    console: &mut Console<'_>,
    meter: &Meter,
) -> String {
    let options = args.schema.options();
    let escape_html = args.schema.escape_json.unwrap_or(false);
    if args.debug && !args.stdout {
        debug_module(module, console);
    }
    if args.export_variables {
        return schema::export_variables(module, &options, meter).to_text(escape_html);
    }
    let generated = schema::generate_metered(module, &options, meter);
    match args.report.as_deref() {
        Some("json") => console.err_text(&fidelity::json(module, &generated)),
        Some(_) => console.err_text(&fidelity::text(module, &generated)),
        None => (),
    }
    if !args.stdout && args.report.is_none() {
        for diagnostic in &generated.diagnostics {
            console.warning(&line(module, diagnostic));
        }
    }
    if args.debug && !args.stdout {
        debug_translations(&generated, &options, console);
    }
    let text = generated.schema.to_text(escape_html);
    // As for the module.
    mem::forget(generated);
    text
}

/// The schema of the outputs. Those whose types are not known are named.
fn outputs(
    module: &Module,
    types: &BTreeMap<SmolStr, OutputType>,
    args: &GenerateArgs,
    console: &mut Console<'_>,
) -> String {
    let form = match args.outputs.as_deref() {
        Some("values") => OutputForm::Values,
        _ => OutputForm::Described,
    };
    let schema = schema::of_outputs(module, types, form, &args.schema.options());
    let list = |names: Vec<&SmolStr>| {
        let names: Vec<&str> = names.into_iter().map(SmolStr::as_str).collect();
        visible_line(&names.join(", ")).into_owned()
    };
    let (open, others): (Vec<_>, Vec<_>) = types.iter().partition(|it| *it.1 == OutputType::Open);
    if !open.is_empty() {
        console.warning(&format!(
            "only a plan knows the types of these outputs: {}; set `type` in the output, or accept \
            any value",
            list(open.into_iter().map(|it| it.0).collect())
        ));
    }
    let partial: Vec<&SmolStr> =
        others.into_iter().filter(|it| it.1.is_partial()).map(|it| it.0).collect();
    if !partial.is_empty() {
        console.warning(&format!(
            "only a plan knows the types of some parts of these outputs: {}",
            list(partial)
        ));
    }
    schema.to_text(args.schema.escape_json.unwrap_or(false))
}

fn debug_module(module: &Module, console: &mut Console<'_>) {
    for (id, file) in module.sources.files() {
        console.err_text(&format!("Debug: {}\n", visible_line(&file.path)));
        for variable in module.variables.values().filter(|it| it.span.file == id) {
            console.err_text(&format!("Debug:   variable {}\n", variable.name));
        }
    }
}

fn debug_translations(generated: &Generated, options: &SchemaOptions, console: &mut Console<'_>) {
    console.err_text(&format!("Debug: {options:?}\n"));
    for (name, translations) in &generated.translations {
        for translation in translations {
            let (index, fidelity) = (translation.validation, translation.fidelity().as_str());
            console.err_text(&format!("Debug: rule {index} of {name}: {fidelity}\n"));
        }
    }
}

fn write(args: &GenerateArgs, system: &dyn System, text: &str) -> anyhow::Result<()> {
    let output = || quoted(&args.output);
    if let Some(parent) = args.output.parent().filter(|it| !it.as_os_str().is_empty()) {
        let made = system.create_dir_all(parent);
        made.with_context(|| format!("error creating folder for {}", output()))?;
    }
    let written = system.write_atomic(&args.output, text.as_bytes());
    written.with_context(|| format!("error writing schema to {}", output()))
}

/// `FILE:LINE:COLUMN: summary: detail`
fn line(module: &Module, diagnostic: &Diagnostic) -> String {
    let place = diagnostic.span().map(|span| {
        let file = module.sources.file(span.file);
        let at = file.position(span.start);
        format!("{}:{}:{}: ", visible_line(&file.path), at.line, at.column)
    });
    let mut text = place.unwrap_or_default() + &diagnostic.summary;
    if !diagnostic.detail.is_empty() {
        text += ": ";
        text += &diagnostic.detail;
    }
    text
}

fn quoted(path: &Path) -> String {
    format!("{:?}", path.to_string_lossy())
}
