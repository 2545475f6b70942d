//! `terraschema skeleton`: a values file, a call or a test to start from.

use std::path::{Path, PathBuf};

use super::one_module;
use crate::{
    Console, Exit,
    confine::{Asked, with_walls_for_reading},
    flags::{LimitFlags, ReleaseFlags, Words, is_standard_output},
};
use anyhow::{Context as _, bail};
use clap::Args;
use compat::ModuleContract;
use config::{Configurations, Settings};
use diagnostics::{Finding, Verdict, visible_line};
use skeleton::{Skeleton, SkeletonForm, SkeletonOutcome, SkeletonRequest};
use system::{EntryKind, ExpectedContent, System, paths};
use tf_eval::Meter;

#[derive(Debug, Args)]
pub(crate) struct SkeletonArgs {
    /// Directory of the module
    #[arg(value_name = "DIR", default_value = ".")]
    dir: PathBuf,
    /// What to write: tfvars (a values file), json (a JSON values file), module (a call), terragrunt
    /// (a terragrunt.hcl), tftest (a test that plans the module), example (a root module that calls
    /// it)
    #[arg(long = "as", value_name = "FORM", default_value = "tfvars", hide_possible_values = true,
          value_parser = Words { words: form_names, parse: form })]
    form: SkeletonForm,
    /// Leave out variables and attributes that have defaults
    #[arg(long)]
    only_required: bool,
    /// Keep the values of this values file, and add what is missing
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Write a file instead of printing; replaces an existing one only if --from names it, too; - is
    /// standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Source of the module as the caller writes it [default: its path from the current directory]
    #[arg(long, value_name = "SOURCE")]
    source: Option<String>,
    #[command(flatten)]
    release: ReleaseFlags,
    #[command(flatten)]
    limits: LimitFlags,
}

fn form_names() -> Vec<&'static str> {
    SkeletonForm::ALL.iter().map(|it| it.as_str()).collect()
}

fn form(text: &str) -> Result<SkeletonForm, String> {
    let found = SkeletonForm::ALL.into_iter().find(|it| it.as_str() == text);
    found.ok_or_else(|| format!("one of {}", form_names().join(", ")))
}

pub(crate) fn run(
    args: &SkeletonArgs,
    system: &dyn System,
    console: &mut Console<'_>,
) -> anyhow::Result<Exit> {
    let max_file_size = args.limits.max_file_size();
    let named = std::slice::from_ref(&args.dir);
    let asked = Asked { named, root: None, files: args.from.as_slice(), max_file_size };
    let output = args.output.as_ref().filter(|it| !is_standard_output(it));
    let replaced = output.map(|it| replaced(args, it, system)).transpose()?;
    let reveals = output.is_some();
    let skeleton = with_walls_for_reading(system, &asked, |it| written(args, reveals, it))?;
    match output {
        None => console.out(&skeleton.text),
        Some(file) => {
            let expected = replaced.as_ref().and_then(|it| it.as_deref());
            let expected = expected.map_or(ExpectedContent::Nothing, ExpectedContent::Bytes);
            let done = system.replace(file, expected, skeleton.text.as_bytes());
            done.with_context(|| format!("cannot write {}", paths::display(file)))?;
            console.info(&format!("wrote {}", visible_line(&paths::display(file))));
        }
    }
    Ok(report(&skeleton, console))
}

/// The bytes of the output file that may be replaced; `None` if there is no such file. Errors: it exists, and is not
/// the file of `--from`.
fn replaced(
    args: &SkeletonArgs,
    output: &Path,
    system: &dyn System,
) -> anyhow::Result<Option<Vec<u8>>> {
    let shown = || visible_line(&paths::display(output)).into_owned();
    match system.kind(output) {
        Err(_) => return Ok(None),
        Ok(EntryKind::Directory) => bail!("{} is a directory; name a file", shown()),
        Ok(_) => (),
    }
    if args.from.as_ref().is_none_or(|it| paths::clean(it) != paths::clean(output)) {
        bail!("{} already exists; name it with --from to add what is missing", shown());
    }
    if !matches!(args.form, SkeletonForm::Tfvars | SkeletonForm::Json) {
        bail!("{} is a values file; write it --as tfvars or json", shown());
    }
    Ok(Some(system.read(output).with_context(|| format!("cannot read {}", shown()))?))
}

/// Reads the module and writes its skeleton.
fn written(args: &SkeletonArgs, reveals: bool, system: &dyn System) -> anyhow::Result<Skeleton> {
    let dir = &args.dir;
    let flags = one_module::flags(args.release, args.limits);
    let configurations = Configurations::new(system, flags, None)?;
    let (module, Settings { limits, .. }) = one_module::read(system, dir, &configurations)?;
    let meter = Meter::new(limits);
    let contract = ModuleContract::load(system, dir, module.release(), &meter)
        .with_context(|| format!("cannot read {}", visible_line(&paths::display(dir))))?;
    let (name, source) = (call_name(dir, system)?, source(args, system)?);
    let request = SkeletonRequest {
        form: args.form,
        only_required: args.only_required,
        from: args.from.as_deref(),
        reveals,
        contracts: Some(&configurations),
        name: &name,
        source: &source,
    };
    let skeleton = skeleton::write(system, &module, &contract, request);
    skeleton.map_err(|it| anyhow::anyhow!(it))
}

/// The name of the directory, as an identifier: `terraform-aws-vpc` is `vpc`.
fn call_name(dir: &Path, system: &dyn System) -> anyhow::Result<String> {
    let whole = paths::clean(&system.current_dir()?.join(dir));
    let name = whole.file_name().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default();
    let short = match name.split('-').collect::<Vec<_>>().as_slice() {
        ["terraform", _, rest @ ..] if !rest.is_empty() => rest.join("_"),
        _ => name,
    };
    let is_plain = |it: char| it.is_ascii_alphanumeric() || it == '_' || it == '-';
    let name: String = short.chars().map(|it| if is_plain(it) { it } else { '_' }).collect();
    let starts_well = name.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_');
    Ok(if starts_well { name } else { format!("module_{name}") })
}

/// The path that leads to the module. An example is usually two levels below it.
fn source(args: &SkeletonArgs, system: &dyn System) -> anyhow::Result<String> {
    if let Some(it) = &args.source {
        return Ok(it.clone());
    }
    if args.form == SkeletonForm::Example {
        return Ok("../..".to_owned());
    }
    let current = system.current_dir()?;
    let path = paths::relative(&current, &paths::clean(&current.join(&args.dir)));
    let path = paths::display(&path);
    Ok(match path.as_str() {
        "." | "" => "./".to_owned(),
        it if it.starts_with("..") => path,
        _ => format!("./{path}"),
    })
}

/// How many findings of a kind are printed.
const MOST: usize = 5;

/// Prints what the user should know. Returns the exit code.
fn report(skeleton: &Skeleton, console: &mut Console<'_>) -> Exit {
    skeleton.notes.iter().for_each(|it| console.warning(it));
    for (missing, condition) in &skeleton.missing {
        let condition = condition.split_whitespace().collect::<Vec<_>>().join(" ");
        let condition = visible_line(&condition).into_owned();
        let name = &missing.variable;
        console.error(&if missing.is_given {
            format!("the value of \"{name}\" in the file does not pass: {condition}")
        } else {
            format!("no value was found for \"{name}\" that passes: {condition}")
        });
    }
    let SkeletonOutcome {
        verdict,
        findings,
        certain,
        needs_providers,
        foreign,
        undecided,
        unseen,
        if_absent,
    } = &skeleton.outcome;
    let is_rejected = *verdict == Verdict::Reject;
    if is_rejected {
        listed("the module rejects these values", findings, &mut |it| console.error(it));
    }
    let mut warn = |it: &str| console.warning(it);
    listed("the module has an error whatever the values are", certain, &mut warn);
    let of_others = "with the values files, TF_VAR_ variables and workspace of this directory, the module rejects \
        these values";
    listed(of_others, foreign, &mut warn);
    if !unseen.is_empty() {
        let all: Vec<String> = unseen.iter().take(MOST).map(|it| format!("{it:?}")).collect();
        let more = if unseen.len() > MOST { ", and others" } else { "" };
        warn(&format!(
            "the module reads outside of its repository, where skeleton does not look: {}{more}",
            all.join(", ")
        ));
    }
    listed("if nothing is there, the module rejects these values", if_absent, &mut warn);
    if !is_rejected && skeleton.missing.is_empty() {
        let mut inform = |it: &str| console.info(it);
        listed("not decided", undecided, &mut inform);
        let is_explained = *needs_providers || !certain.is_empty() || !undecided.is_empty();
        if *verdict == Verdict::Undecided && !is_explained {
            inform("only a plan can decide whether the module accepts these values");
        }
    }
    if is_rejected || !skeleton.missing.is_empty() { Exit::Findings } else { Exit::Clean }
}

/// Says the first findings of a kind, each with its place and its variables.
fn listed(what: &str, findings: &[Finding], say: &mut dyn FnMut(&str)) {
    for it in findings.iter().take(MOST) {
        let mut text = format!("{what}: {}", it.message);
        if let Some(place) = it.locations.first() {
            text += &format!("\n{}:{}", visible_line(&place.file), place.line);
            let line = place.excerpt.text.lines().next().unwrap_or_default().trim();
            if !line.is_empty() {
                text += &format!(": {}", visible_line(line));
            }
        }
        let names: Vec<String> =
            it.variables.iter().take(MOST).map(|it| format!("\"{}\"", visible_line(it))).collect();
        if !names.is_empty() {
            text += &format!("\nit depends on {}", names.join(", "));
        }
        say(&text);
    }
    if let Some(more) = findings.len().checked_sub(MOST).filter(|it| *it > 0) {
        say(&format!("{what}: {more} more errors"));
    }
}
