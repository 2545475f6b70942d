//! `terraschema init`: looks at a repository and writes a first configuration.

use std::{collections::BTreeMap, fmt::Write, path::Path};

use anyhow::{Context as _, bail};
use clap::Args;

use crate::{
    check::{CommittedSchema, Surveyed, survey},
    cli::{
        Console, Exit,
        confine::{Asked, with_walls},
    },
    config::FILE_NAME,
    diagnostic::{Inert, is_unseen, visible_line},
    schema::{Conditions, Draft, Options},
    system::{MAX_FILE_SIZE, System, paths},
};

#[derive(Debug, Args)]
pub(crate) struct InitArgs {}

const HOOKS: &str = include_str!("../../../hooks/pre-commit-config.yaml");
const WORKFLOW: &str = include_str!("../../../hooks/workflow.yml");

pub(crate) fn run(
    _args: &InitArgs,
    system: &dyn System,
    console: &mut Console<'_>,
) -> anyhow::Result<Exit> {
    let asked = Asked { named: &[], root: None, files: &[], max_file_size: MAX_FILE_SIZE };
    with_walls(system, &asked, |it| begin(it, console))
}

fn begin(system: &dyn System, console: &mut Console<'_>) -> anyhow::Result<Exit> {
    let modules = survey(system)?;
    if modules.is_empty() {
        bail!("no module with variables below this directory; run it where your modules are");
    }
    console.out(&Inert::TEXT.write(listing(&modules)));
    let file = Path::new(FILE_NAME);
    if system.kind(file).is_ok() {
        bail!("{FILE_NAME} exists and is left as it is");
    }
    let chosen = commonest(&modules);
    let text = configuration(chosen.as_ref());
    system.write_atomic(file, text.as_bytes()).context("cannot write the configuration")?;
    let shown = Inert::TEXT.write(indented(&text));
    console.out(&format!("\nWritten to {FILE_NAME}:\n{shown}"));
    console.out(&format!("\nFor .pre-commit-config.yaml:\n{}", indented(HOOKS)));
    console.out(&format!("\nFor .github/workflows/terraschema.yml:\n{}", indented(WORKFLOW)));
    console.out("\nNext: `terraschema check` says what is not in order, `terraschema check --fix` writes schemas.\n");
    Ok(Exit::Clean)
}

/// What was found, a module a line.
fn listing(modules: &[Surveyed]) -> String {
    let mut out = format!("{} with variables\n", counted(modules.len(), "module"));
    for module in modules {
        let schema = match &module.schema {
            None => "no schema".to_owned(),
            Some(it) => described(it),
        };
        let dir = paths::display(&module.dir);
        let line = format!("{dir}: {}, {schema}", counted(module.variables, "variable"));
        _ = writeln!(out, "  {}", visible_line(&line));
        for file in &module.values {
            _ = writeln!(out, "    values: {}", visible_line(&paths::display(file)));
        }
    }
    out
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
    match schema.differences {
        0 => format!("{}, up to date with {settings}", schema.file),
        n => format!("{}, {}, nearest with {settings}", schema.file, counted(n, "difference")),
    }
}

/// The file and options of most schemas, where up-to-date ones weigh most.
fn commonest(modules: &[Surveyed]) -> Option<CommittedSchema> {
    let mut votes: BTreeMap<Vec<String>, (usize, usize, &CommittedSchema)> = BTreeMap::new();
    for schema in modules.iter().filter_map(|it| it.schema.as_ref()) {
        let vote = votes.entry(general(schema)).or_insert((0, 0, schema));
        vote.0 += usize::from(schema.differences == 0);
        vote.1 += 1;
    }
    let (mut settings, mut best) = (votes.values().collect::<Vec<_>>(), None);
    settings.sort_by_key(|(fresh, all, _)| (*fresh, *all));
    if let Some((_, _, schema)) = settings.last() {
        best = Some((*schema).clone());
    }
    // What is one module's own is not for all of them.
    let several = modules.iter().filter(|it| it.schema.is_some()).count() > 1;
    if let Some(best) = best.as_mut().filter(|_| several) {
        best.options.properties.clear();
        best.options.ignore_variables.clear();
    }
    best
}

/// The settings that may hold for many modules.
fn general(schema: &CommittedSchema) -> Vec<String> {
    let options = Options {
        properties: BTreeMap::default(),
        ignore_variables: std::collections::BTreeSet::default(),
        ..schema.options.clone()
    };
    settings(&CommittedSchema { options, ..schema.clone() })
}

/// The lines of a `schema` block, only what is not the default.
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
    ];
    lines.extend(flags.iter().filter(|(_, on)| *on).map(|(name, _)| format!("{name} = true")));
    if options.conditions != Conditions::Full {
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

fn configuration(schema: Option<&CommittedSchema>) -> String {
    let mut out =
        "# Governs this directory and everything below; docs/configuration.md of terraschema \
                   says what can stand here.\n\n"
            .to_owned();
    let lines = schema.map(settings).unwrap_or_default();
    if lines.is_empty() {
        out += "schema {\n  # file = \"schema.json\"\n}\n";
    } else {
        _ = writeln!(out, "schema {{\n  {}\n}}", lines.join("\n  "));
    }
    out += "\n# modules {\n#   exclude = [\"**/examples\"]\n# }\n";
    out += "\n# rule \"untranslated-validation\" {\n#   level = \"off\"\n# }\n";
    out
}

/// A quoted template without templates.
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
