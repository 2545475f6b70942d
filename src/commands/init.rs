//! `terraschema init`: surveys a repository and writes a first configuration.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
    io,
    path::{Path, PathBuf},
};

use crate::{
    Console, Exit,
    confine::{Asked, with_walls},
};
use anyhow::{Context as _, bail};
use check::{CommittedSchema, FoundInput, Survey, Surveyed, Unreadable, survey};
use clap::Args;
use config::{FILE_NAME, Globs};
use diagnostics::{Inert, is_unseen, visible_line};
use git::WorkTreeSystem;
use ignore::gitignore::GitignoreBuilder;
use policy::GivenContexts;
use projection::schema::{CarriedConditions, Draft, SchemaOptions};
use system::{ExpectedContent, MAX_FILE_SIZE, System, paths};
use tf_eval::{Limits, Meter};

#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// Require a committed schema next to every module [default: only if there are schemas already]
    #[arg(long)]
    schemas: bool,
}

const WORKFLOW: &str = include_str!("../../hooks/workflow.yml");
/// The limit for listed modules, and for listed values files of one.
const MAX_LISTED: usize = 40;

pub(crate) fn run(
    args: &InitArgs,
    system: &dyn System,
    console: &mut Console<'_>,
) -> anyhow::Result<Exit> {
    let asked = Asked { named: &[], root: None, files: &[], max_file_size: MAX_FILE_SIZE };
    with_walls(system, &asked, |it| begin(args, it, console))
}

fn begin(args: &InitArgs, system: &dyn System, console: &mut Console<'_>) -> anyhow::Result<Exit> {
    // As `check` sees it: with files that git tracks although it ignores them.
    let survey = survey(&WorkTreeSystem::new(system))?;
    let modules = &survey.modules;
    if modules.is_empty() && survey.unreadable.is_empty() && !survey.terragrunt.is_empty() {
        console.out(&Inert::TEXT.write(without_modules(&survey.terragrunt)));
        return Ok(Exit::Clean);
    }
    if modules.is_empty() && survey.unreadable.is_empty() {
        bail!(
            "no module below this directory has variables; run `terraschema init` in the \
            directory of your modules"
        );
    }
    console.out(&Inert::TEXT.write(listing(&survey)));
    let file = Path::new(FILE_NAME);
    let chosen = commonest(modules);
    let is_new = system.kind(file).is_err();
    let has_schemas = args.schemas || chosen.is_some();
    if is_new {
        let is_expected = args.schemas || most_have_schemas(modules);
        let text = configuration(chosen.as_ref(), is_expected, &survey)
            + &block(system)?
            + &blocks(&survey.inputs);
        system
            .replace(file, ExpectedContent::Nothing, text.as_bytes())
            .context("cannot write the configuration")?;
        console.out(&format!("\nWritten to {FILE_NAME}:\n{}", shown(&text)));
    } else {
        console.out(&format!("\n{FILE_NAME} exists and was not changed.\n"));
        let text = given_settings(&survey.given) + &blocks(&survey.inputs);
        if !text.is_empty() {
            console.out(&format!("You can add this to it:\n{}", shown(text.trim())));
        }
        if !survey.unreadable.is_empty() {
            let text = exclude(&survey.unreadable);
            console.out(&format!("This excludes modules that cannot be read:\n{}", shown(&text)));
        }
    }
    let has_hook = match write(system, has_schemas)? {
        Hook::Written(text) => {
            console.out(&format!("\nWritten to .pre-commit-config.yaml:\n{}", indented(text)));
            false
        }
        Hook::ToAdd(text) => {
            console.out(&format!("\nFor .pre-commit-config.yaml:\n{}", indented(text)));
            false
        }
        Hook::Kept => {
            console.out(".pre-commit-config.yaml already has a hook and was not changed.\n");
            true
        }
    };
    for file in [FILE_NAME, PRE_COMMIT_FILE] {
        if let Some(warning) = warning(system, file).filter(|_| system.kind(file.as_ref()).is_ok())
        {
            console.out(&Inert::TEXT.write(warning));
        }
    }
    if !is_new && has_hook {
        console.out("Nothing was changed.\n");
        return Ok(Exit::Clean);
    }
    let workflow = indented(WORKFLOW);
    console.out(&format!(
        "\nFor .github/workflows/terraschema.yml, once 0.1.0 is released:\n{workflow}"
    ));
    console.out(if has_schemas { NEXT_WITH_SCHEMAS } else { NEXT });
    Ok(Exit::Clean)
}

const NEXT: &str = "
Next steps:
  terraschema check          report findings
  terraschema check --write-baseline terraschema-baseline.jsonl
                             list today's findings, so that only new ones are reported
  pre-commit install         run the hook on every commit
";

const NEXT_WITH_SCHEMAS: &str = "
Next steps:
  terraschema check          report findings
  terraschema check --fix    write the schemas
  pre-commit install         run the hooks on every commit
";

/// The explanation for a repository in which Terragrunt gets all modules from elsewhere.
fn without_modules(files: &[PathBuf]) -> String {
    let mut out = format!(
        "{} of Terragrunt, and no module with variables next to them\n",
        counted(files.len(), "file")
    );
    list(&mut out, "", &files.iter().collect::<Vec<_>>());
    out + "
Terragrunt downloads the modules from elsewhere, and terraschema does not read `inputs` of Terragrunt, so there is
nothing to judge here. Run terraschema in the repository of the modules. Nothing was written.
"
}

/// The survey as a list, one line for each module.
fn listing(survey: &Survey) -> String {
    let modules = &survey.modules;
    let mut out = format!("{} with variables\n", counted(modules.len(), "module"));
    for module in modules.iter().take(MAX_LISTED) {
        let schema = match &module.schema {
            None => "no schema".to_owned(),
            Some(it) => described(it),
        };
        let dir = paths::display(&module.dir);
        let called = if module.is_called { ", called by others" } else { "" };
        let line = format!("{dir}: {}, {schema}{called}", counted(module.names.len(), "variable"));
        _ = writeln!(out, "  {}", visible_line(&line));
        let files: Vec<&PathBuf> = module.values.iter().chain(&module.elsewhere).collect();
        list(&mut out, "values: ", &files);
        list(&mut out, "example: ", &module.examples.iter().collect::<Vec<_>>());
    }
    if let Some(more) = modules.len().checked_sub(MAX_LISTED).filter(|it| *it > 0) {
        _ = writeln!(out, "  and {more} more");
    }
    if !survey.unreadable.is_empty() {
        let number = counted(survey.unreadable.len(), "module");
        _ = writeln!(
            out,
            "{number} that cannot be read: `check` exits with 2 for it, and a baseline cannot \
            list it"
        );
        for it in survey.unreadable.iter().take(MAX_LISTED) {
            _ = writeln!(out, "  {}", visible_line(&it.problem));
        }
        if let Some(more) = survey.unreadable.len().checked_sub(MAX_LISTED).filter(|it| *it > 0) {
            _ = writeln!(out, "  and {more} more");
        }
    }
    if !survey.terragrunt.is_empty() {
        let number = counted(survey.terragrunt.len(), "file");
        _ = writeln!(
            out,
            "{number} of Terragrunt: constant `generate` blocks are read, `inputs` are not judged"
        );
    }
    if !survey.loose.is_empty() {
        let number = counted(survey.loose.len(), "values file");
        _ = writeln!(out, "{number} without a module; assign them with an `input` block");
        list(&mut out, "", &survey.loose.iter().collect::<Vec<_>>());
    }
    out
}

fn list(out: &mut String, what: &str, files: &[&PathBuf]) {
    for file in files.iter().take(MAX_LISTED) {
        _ = writeln!(out, "    {what}{}", visible_line(&paths::display(file)));
    }
    if let Some(more) = files.len().checked_sub(MAX_LISTED).filter(|it| *it > 0) {
        _ = writeln!(out, "    and {more} more");
    }
}

fn shown(text: &str) -> String {
    Inert::TEXT.write(indented(text))
}

/// `1 module`, `2 modules`.
fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

fn described(schema: &CommittedSchema) -> String {
    let settings = settings(schema).join(", ").replace("  ", " ");
    let settings = if settings.is_empty() { "default options".to_owned() } else { settings };
    if let Some(version) = schema.written_by {
        return format!("{}, written by {version} with {settings}", schema.file);
    }
    if schema.is_of_others {
        return format!("{}, which was not written by terraschema", schema.file);
    }
    match schema.differences {
        0 => format!("{}, up to date with {settings}", schema.file),
        n => format!("{}, {}, nearest with {settings}", schema.file, counted(n, "difference")),
    }
}

/// The schemas that `check` is to compare.
fn own_schemas(modules: &[Surveyed]) -> impl Iterator<Item = &CommittedSchema> {
    modules.iter().filter_map(|it| it.schema.as_ref()).filter(|schema| !schema.is_of_others)
}

/// Whether a module without a schema is an exception.
fn most_have_schemas(modules: &[Surveyed]) -> bool {
    let with_schema = own_schemas(modules).count();
    with_schema > 0 && 2 * with_schema >= modules.len()
}

/// The file name and options that most schemas share; fresh schemas count most.
fn commonest(modules: &[Surveyed]) -> Option<CommittedSchema> {
    let mut votes: BTreeMap<Vec<String>, (usize, usize, &CommittedSchema)> = BTreeMap::new();
    for schema in own_schemas(modules) {
        let vote = votes.entry(general(schema)).or_insert((0, 0, schema));
        vote.0 += usize::from(schema.differences == 0);
        vote.1 += 1;
    }
    let (mut settings, mut best) = (votes.values().collect::<Vec<_>>(), None);
    settings.sort_by_key(|(fresh, all, _)| (*fresh, *all));
    if let Some((_, _, schema)) = settings.last() {
        best = Some((*schema).clone());
    }
    // A property of one module alone is not a setting for all.
    let several = own_schemas(modules).count() > 1;
    if let Some(best) = best.as_mut().filter(|_| several) {
        best.options.properties.clear();
        best.options.ignore_variables.clear();
    }
    best
}

/// The settings that may suit many modules.
fn general(schema: &CommittedSchema) -> Vec<String> {
    let options = SchemaOptions {
        properties: BTreeMap::default(),
        ignore_variables: std::collections::BTreeSet::default(),
        ..schema.options.clone()
    };
    settings(&CommittedSchema { options, ..schema.clone() })
}

/// The lines of a `schema` block, without defaults.
fn settings(schema: &CommittedSchema) -> Vec<String> {
    let options = &schema.options;
    let mut lines = Vec::new();
    if schema.file != "schema.json" {
        lines.push(format!("file = {}", quoted(&schema.file)));
    }
    let flags = [
        ("disallow_additional_properties", options.disallow_additional_properties),
        ("nullable_all", options.nullable_all),
        ("require_all", options.require_all),
        ("escape_json", schema.escape_json),
        ("annotations", options.annotations),
        ("sensitive_defaults", options.sensitive_defaults),
        ("inline", options.inline),
        ("error_messages", options.error_messages),
        ("descriptions_from_comments", options.descriptions_from_comments),
    ];
    lines.extend(flags.iter().filter(|(_, on)| *on).map(|(name, _)| format!("{name} = true")));
    if options.conditions != CarriedConditions::Full {
        lines.push(format!("conditions = \"{}\"", options.conditions.as_str()));
    }
    if options.draft != Draft::default() {
        lines.push(format!("draft = \"{}\"", options.draft.as_str()));
    }
    if !options.ignore_variables.is_empty() {
        let names: Vec<String> = options.ignore_variables.iter().map(|it| quoted(it)).collect();
        lines.push(format!("ignore_variables = [{}]", names.join(", ")));
    }
    if !options.properties.is_empty() {
        let members = options.properties.iter();
        let members = members.map(|(key, value)| format!("{} = {}", quoted(key), quoted(value)));
        lines.push(format!("properties = {{ {} }}", members.collect::<Vec<_>>().join(", ")));
    }
    lines
}

/// `is_expected`: whether every module is to have a schema.
fn configuration(
    schema: Option<&CommittedSchema>,
    is_expected: bool,
    Survey { modules, unreadable, given, is_of_tofu, .. }: &Survey,
) -> String {
    let mut out = "# Configuration of this directory and everything below. Settings: \
        docs/configuration.md of terraschema.\n\n"
        .to_owned();
    if *is_of_tofu {
        out += "# Some files are read only by OpenTofu.\nopentofu = true\n\n";
    }
    out += &given_settings(given);
    let lines = schema.map(settings).unwrap_or_default();
    if !lines.is_empty() {
        _ = writeln!(out, "schema {{\n  {}\n}}", lines.join("\n  "));
    } else if is_expected {
        out += "schema {\n  # file = \"schema.json\"\n}\n";
    }
    if !is_expected {
        let what = match schema {
            Some(_) => "Compare the schemas that are there.",
            None => "Check values files and calls only.",
        };
        _ = writeln!(
            out,
            "{}# {what} To also commit a schema next to every module, remove this block and \
             run\n# `terraschema check --fix`.\nrule \"missing-schema\" {{\n  level = \
             \"off\"\n}}",
            if lines.is_empty() { "" } else { "\n" }
        );
    }
    if modules.iter().filter_map(|it| it.schema.as_ref()).any(|schema| schema.is_of_others) {
        out += "\n# Somebody else writes the schemas that are there. To write schemas next to \
            them, give them another name with\n# `schema { file = \"…\" }`.\nrule \
            \"stale-schema\" {\n  level = \"off\"\n}\n";
    }
    out += "\n# Report only findings that are not in the baseline. Write it with `terraschema \
        check --write-baseline FILE`.\n";
    out += "# baseline = \"terraschema-baseline.jsonl\"\n";
    if unreadable.is_empty() {
        out += "\n# modules {\n#   exclude = [\"**/examples\"]\n# }\n";
    } else {
        out += "\n# These modules cannot be read. Fix or exclude them:\n";
        exclude(unreadable).lines().for_each(|it| _ = writeln!(out, "# {it}"));
    }
    out
}

/// The block that excludes modules.
fn exclude(unreadable: &[Unreadable]) -> String {
    let pattern = |it: &Unreadable| quoted(&Globs::literal(&paths::slashes(&it.dir)));
    let patterns: Vec<String> = unreadable.iter().map(pattern).collect();
    format!("modules {{\n  exclude = [{}]\n}}\n", patterns.join(", "))
}

/// The text as a quoted string, with template sequences escaped.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            '\n' => out += "\\n",
            '\r' => out += "\\r",
            '\t' => out += "\\t",
            _ if is_unseen(character) => _ = write!(out, "\\U{:08x}", u32::from(character)),
            _ => out.push(character),
        }
    }
    out.replace("${", "$${").replace("%{", "%%{") + "\""
}

fn indented(text: &str) -> String {
    let line = |it: &str| if it.is_empty() { "\n".to_owned() } else { format!("  {it}\n") };
    text.lines().map(line).collect()
}

// The hook for pre-commit: written where there is none, shown where there are others.

const PRE_COMMIT_FILE: &str = ".pre-commit-config.yaml";
const VALUES_ONLY: &str = include_str!("../../hooks/pre-commit-values.yaml");
const WITH_SCHEMAS: &str = include_str!("../../hooks/pre-commit-schemas.yaml");

/// The result of writing the hook.
enum Hook {
    /// Written, with this text.
    Written(&'static str),
    /// It existed already.
    Kept,
    /// The user must add this text: the file is somebody's own, or pre-commit does not look here.
    ToAdd(&'static str),
}

/// Writes the hook.
///
/// Errors: the directory cannot be listed, or the file cannot be written.
fn write(system: &dyn System, has_schemas: bool) -> anyhow::Result<Hook> {
    let text = if has_schemas { WITH_SCHEMAS } else { VALUES_ONLY };
    let file = Path::new(PRE_COMMIT_FILE);
    if let Ok(bytes) = system.read(file) {
        let is_there = String::from_utf8_lossy(&bytes).contains("terraschema");
        return Ok(if is_there { Hook::Kept } else { Hook::ToAdd(text) });
    }
    // It may be a link into a submodule that is not checked out, for which `kind` finds nothing.
    let is_there = system.list(Path::new("."))?.iter().any(|it| it.name == PRE_COMMIT_FILE);
    // pre-commit reads the file in the repository's root.
    if is_there || system.kind(Path::new(".git")).is_err() {
        return Ok(Hook::ToAdd(text));
    }
    system
        .replace(file, ExpectedContent::Nothing, text.as_bytes())
        .context("cannot write the hook")?;
    Ok(Hook::Written(text))
}

// Written files that git ignores, so that nobody else gets them.

/// The most lines of an ignore file that are looked at.
const MOST_LINES: usize = 10_000;

/// The warning for a file (in the current directory) that git ignores and does not track; `None` for any other.
fn warning(system: &dyn System, file: &str) -> Option<String> {
    let listed = WorkTreeSystem::new(system).walk(Path::new("."), &|_| false).ok()?;
    if listed.iter().any(|it| paths::clean(it) == Path::new(file))
        || !system.is_ignored(file.as_ref())
    {
        return None;
    }
    let place = match line(system, file) {
        Some((place, text)) => format!("{place}: `{text}`"),
        None => "a rule outside of the repository's .gitignore files".to_owned(),
    };
    Some(format!(
        "warning: Git ignores {file}, because of {place}\n  Git does not commit it, so CI, \
        colleagues and `check --staged` do not see it. Add it with `git add --force {file}`, or \
        write `!{file}` below that line.\n"
    ))
}

/// The line that makes git ignore a file of the current directory: its place, and its text.
fn line(system: &dyn System, file: &str) -> Option<(String, String)> {
    let here = system.current_dir().ok()?;
    let path = paths::clean(&here.join(file));
    for dir in here.ancestors() {
        let is_root = system.kind(&dir.join(".git")).is_ok();
        let of_repository = is_root.then(|| dir.join(".git/info/exclude"));
        for list in [Some(dir.join(".gitignore")), of_repository].into_iter().flatten() {
            // Git's own directory may be out of reach.
            let Ok(bytes) = system.read(&list) else { continue };
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let lines = text.trim_start_matches('\u{feff}').lines().take(MOST_LINES).enumerate();
            // The last line that matches decides.
            for (number, text) in lines.collect::<Vec<_>>().into_iter().rev() {
                let mut one = GitignoreBuilder::new(dir);
                if one.add_line(None, text).is_err() {
                    continue;
                }
                let Ok(one) = one.build() else { continue };
                let matched = one.matched_path_or_any_parents(&path, false);
                if matched.is_ignore() {
                    let shown = paths::display(&paths::relative(&here, &list));
                    return Some((format!("{shown}:{}", number + 1), text.trim().to_owned()));
                }
                if matched.is_whitelist() {
                    return None;
                }
            }
        }
        if is_root {
            break;
        }
    }
    None
}

// What a first configuration says about values files: `given`, and `input` blocks for those that lie apart from their
// modules.

/// The longest line of a list of names.
const LONGEST: usize = 100;

/// The `given` setting for all modules; nothing if there are no names.
fn given_settings(names: &[smol_str::SmolStr]) -> String {
    if names.is_empty() {
        return String::new();
    }
    let names: Vec<String> = names.iter().map(|it| quoted(it)).collect();
    let line = format!("given = [{}]\n", names.join(", "));
    let line = if line.len() <= LONGEST {
        line
    } else {
        format!("given = [\n  {},\n]\n", names.join(",\n  "))
    };
    format!(
        "# No values file sets these variables, so a pipeline must set them with -var or \
        TF_VAR_*. They are unknown here.\n# Everything else is judged.\n{line}\n"
    )
}

/// A block for each set, or for each pattern of sets.
fn blocks(inputs: &[FoundInput]) -> String {
    let mut out = String::new();
    let list = |all: &[String]| all.iter().map(|it| quoted(it)).collect::<Vec<_>>().join(", ");
    for input in inputs {
        _ = writeln!(out, "\ninput {} {{", quoted(&input.name));
        let mut lines: Vec<(&str, String)> = Vec::new();
        match input.modules.as_slice() {
            [module] if module == "." => (),
            [module] if !module.contains('*') => lines.push(("module", quoted(module))),
            modules => lines.push(("modules", format!("[{}]", list(modules)))),
        }
        let files: Vec<String> = input.files.iter().map(|it| paths::display(it)).collect();
        if !files.is_empty() {
            lines.push(("files", format!("[{}]", list(&files))));
        }
        match input.each.as_slice() {
            [] => (),
            [pattern] => lines.push(("each", quoted(pattern))),
            patterns => lines.push(("each", format!("[{}]", list(patterns)))),
        }
        if !input.given.is_empty() {
            let names: Vec<String> = input.given.iter().map(ToString::to_string).collect();
            lines.push(("given", format!("[{}]", list(&names))));
        }
        if input.partial {
            lines.push(("partial", "true".to_owned()));
        }
        let width = lines.iter().map(|it| it.0.len()).max().unwrap_or_default();
        for (name, value) in lines {
            _ = writeln!(out, "  {name:width$} = {value}");
        }
        out += "}\n";
    }
    out
}

// A `policy` block for the rule files of the repository.

/// The block, or nothing if there are no rules. A comment names rules that cannot be used as they are,
/// since they are not checked.
fn block(system: &dyn System) -> io::Result<String> {
    let is_hidden = |path: &Path| {
        let mut names = path.components().filter_map(|it| it.as_os_str().to_str());
        names.any(|it| it.starts_with('.') && it != ".")
    };
    let files = system.walk(Path::new("."), &|_| true)?.into_iter().map(|it| paths::clean(&it));
    let is_rules = |it: &PathBuf| policy::is_rules(it) && !is_hidden(it);
    let found: Vec<PathBuf> = files.filter(is_rules).collect();
    if found.is_empty() {
        return Ok(String::new());
    }
    // A directory covers everything below it; a file next to the configuration is listed itself.
    let name = |it: &PathBuf| match it.parent() {
        Some(dir) if dir != Path::new("") => dir.to_owned(),
        _ => it.clone(),
    };
    let names: BTreeSet<PathBuf> = found.iter().map(name).collect();
    let is_inside = |it: &&PathBuf| it.ancestors().skip(1).any(|up| names.contains(up));
    let outermost = names.iter().filter(|it| !is_inside(it));
    let quoted: Vec<String> = outermost.map(|it| quoted(&paths::display(it))).collect();
    let block = format!("policy {{\n  rules = [{}]\n}}\n", quoted.join(", "));
    let files = policy::rule_files(found, &|it| paths::display(it), system);
    let meter = Meter::new(Limits::default());
    let is_sound = |files| {
        let (policy, problems) = policy::read(files, &GivenContexts::default(), &meter);
        problems.is_empty() && !policy.rules.is_empty()
    };
    if files.is_ok_and(is_sound) {
        return Ok(format!("\n# Rules that every module here must follow.\n{block}"));
    }
    let mut out = "\n# These rules need values of contexts, or are not valid. Run `terraschema \
        policy test` for details.\n"
        .to_owned();
    block.lines().for_each(|it| _ = writeln!(out, "# {it}"));
    Ok(out)
}
