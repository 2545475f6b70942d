//! The forms of a skeleton: one function each, from the entries to a text.

use std::fmt::Write;

use super::{
    entries::SkeletonEntry,
    providers::Providers,
    write::{json, json_text, string},
};
use compat::Arguments;
use hcl::formatted;

/// What a skeleton is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkeletonForm {
    Tfvars,
    Json,
    Module,
    Terragrunt,
    Tftest,
    Example,
}

impl SkeletonForm {
    /// Every form, in the order of the documentation.
    pub const ALL: [SkeletonForm; 6] = [
        SkeletonForm::Tfvars,
        SkeletonForm::Json,
        SkeletonForm::Module,
        SkeletonForm::Terragrunt,
        SkeletonForm::Tftest,
        SkeletonForm::Example,
    ];

    /// The name on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            SkeletonForm::Tfvars => "tfvars",
            SkeletonForm::Json => "json",
            SkeletonForm::Module => "module",
            SkeletonForm::Terragrunt => "terragrunt",
            SkeletonForm::Tftest => "tftest",
            SkeletonForm::Example => "example",
        }
    }

    /// Whether something else runs the module, and configures its providers.
    pub fn has_caller(self) -> bool {
        !matches!(self, SkeletonForm::Tfvars | SkeletonForm::Json)
    }
}

/// The entries of a skeleton, by the group that they are in.
pub struct Parts {
    /// What a file had set.
    pub kept: Vec<SkeletonEntry>,
    pub required: Vec<SkeletonEntry>,
    pub optional: Vec<SkeletonEntry>,
}

/// A call of the module: its name, and the path to the module.
pub struct Call<'c> {
    pub name: &'c str,
    pub source: &'c str,
    pub providers: &'c Providers,
}

/// A values file. `text`: the file that it goes on from, whose line ends it keeps.
pub fn tfvars(text: Option<&str>, parts: &Parts) -> String {
    let mut out = text.map(str::to_owned).unwrap_or_default();
    let line = if out.contains("\r\n") { "\r\n" } else { "\n" };
    if !out.is_empty() && !out.ends_with('\n') {
        out.push_str(line);
    }
    let own = Parts { kept: Vec::new(), required: Vec::new(), optional: Vec::new() };
    let groups = groups(if text.is_some() { &own.kept } else { &parts.kept }, parts, 0);
    if !out.is_empty() && !groups.is_empty() {
        out.push_str(line);
    }
    out + &groups.replace('\n', line)
}

/// A JSON values file: values only, since JSON has no comments.
pub fn json_file(values: &Arguments) -> String {
    let each = values.iter().map(|(name, it)| format!("  {}: {}", json_text(name), json(it, 2)));
    let each: Vec<String> = each.collect();
    if each.is_empty() { "{}\n".to_owned() } else { format!("{{\n{}\n}}\n", each.join(",\n")) }
}

/// A `module` block.
pub fn module(call: &Call<'_>, parts: &Parts) -> String {
    let mut out = format!("module {} {{\n", string(call.name));
    _ = writeln!(out, "  source = {}", string(call.source));
    if let Some(it) = call.providers.passed() {
        _ = write!(out, "\n{}", indented(&it, 2));
    }
    out += &body(&groups(&parts.kept, parts, 2));
    out + "}\n"
}

/// A `terragrunt.hcl`.
pub fn terragrunt(call: &Call<'_>, parts: &Parts) -> String {
    let mut out = format!("terraform {{\n  source = {}\n}}\n\ninputs = {{\n", string(call.source));
    out += &groups(&parts.kept, parts, 2);
    out + "}\n"
}

/// A `.tftest.hcl` file whose run plans the module.
pub fn tftest(call: &Call<'_>, parts: &Parts) -> String {
    let mut out = call.providers.mocks();
    _ = writeln!(out, "variables {{");
    out += &groups(&parts.kept, parts, 2);
    out += "}\n\nrun \"plan\" {\n  command = plan\n";
    if let Some(it) = call.providers.passed() {
        _ = write!(out, "\n{}", indented(&it, 2));
    }
    out + "}\n"
}

/// A root module that calls the module.
pub fn example(call: &Call<'_>, parts: &Parts) -> String {
    call.providers.settings() + &module(call, parts)
}

/// The text after other arguments: a blank line comes first.
fn body(groups: &str) -> String {
    if groups.is_empty() { String::new() } else { format!("\n{groups}") }
}

/// The entries with their headings.
fn groups(kept: &[SkeletonEntry], parts: &Parts, indent: usize) -> String {
    let heading = |all: &[SkeletonEntry], text: &str| {
        (!all.is_empty() && !parts.optional.is_empty()).then(|| format!("# {text}\n"))
    };
    let groups = [
        (kept, None),
        (&parts.required[..], heading(&parts.required, "Required")),
        (&parts.optional[..], heading(&parts.optional, "Optional, with defaults")),
    ];
    let mut out = String::new();
    for (entries, heading) in groups {
        if entries.is_empty() {
            continue;
        }
        if !out.is_empty() {
            out.push('\n');
        }
        if let Some(it) = heading {
            _ = writeln!(out, "{it}");
        }
        let each: Vec<String> = entries.iter().map(entry).collect();
        // Values without comments are kept together.
        let is_plain = entries.iter().all(|it| it.comments.is_empty() && it.value.len() == 1);
        out += &each.join(if is_plain && !entries.is_empty() { "" } else { "\n" });
    }
    // Neighbours without comments are aligned.
    let out = formatted(out.as_bytes()).unwrap_or(out);
    indented(&out, indent)
}

fn entry(entry: &SkeletonEntry) -> String {
    let mut out: String = entry.comments.iter().map(|it| comment(it)).collect();
    for (at, line) in entry.value.iter().enumerate() {
        let line = if at == 0 { format!("{} = {line}", entry.name) } else { line.clone() };
        out += &if entry.is_comment { comment(&line) } else { format!("{line}\n") };
    }
    out
}

fn comment(text: &str) -> String {
    if text.is_empty() { "#\n".to_owned() } else { format!("# {text}\n") }
}

fn indented(text: &str, indent: usize) -> String {
    let blanks = " ".repeat(indent);
    let line = |it: &str| if it.is_empty() { "\n".to_owned() } else { format!("{blanks}{it}\n") };
    text.lines().map(line).collect()
}
