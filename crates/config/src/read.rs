//! Reads one configuration file.

use std::path::Path;

use super::{
    Config, Date, FILE_NAME, FilePattern, Ignore, InputSet, LevelSetting, ModulePaths, OpenTofu,
    SchemaSettings, contract, docs, fields::Fields, limits, policy_block,
    supported::SupportedContent,
};
use diagnostics::{
    Bound, Bump, Cause, Diagnostic, Diagnostics, FileId, LINTS, Level, LintId, Role, Span, lints,
};
use hcl::{Block, parse_body};
use module::AddressPattern;
use module::{inputs::is_values_file, is_module_file};
use projection::schema::{CarriedConditions, Draft};
use release::{Product, Release};
use system::{is_git_directory, paths};
use tf_eval::{Limits, Meter};

pub(super) const BLOCKS: [&str; 9] =
    ["modules", "schema", "docs", "input", "contract", "policy", "rule", "ignore", "limits"];

/// Reads a configuration. Errors are diagnostics of the rule `invalid-configuration`; the rest is read anyway.
pub fn read(file: FileId, bytes: &[u8]) -> (Config, Diagnostics) {
    read_metered(file, bytes, &Limits::CONFIGURATION.into())
}

/// Like [`read`], and counts the work.
pub(super) fn read_metered(file: FileId, bytes: &[u8], meter: &Meter) -> (Config, Diagnostics) {
    let (config, problems, _) = read_fields(file, bytes, meter);
    (config, problems)
}

/// Like [`read_metered`], with what the file and its blocks can contain.
pub(super) fn read_fields(
    file: FileId,
    bytes: &[u8],
    meter: &Meter,
) -> (Config, Diagnostics, SupportedContent) {
    meter.charge_text(bytes.len());
    let (body, mut problems) = parse_body(file, bytes);
    for problem in &mut problems {
        problem.rule = (&lints::INVALID_CONFIGURATION).into();
    }
    let mut fields = Fields::new(&body, "the configuration", problems, meter);
    let mut config = Config {
        terraform_version: release(Product::Terraform, "terraform_version", &mut fields),
        opentofu: opentofu(&mut fields),
        calls: fields.bool("calls"),
        given: fields.names("given"),
        baseline: inner_path("baseline", "the configuration", &mut fields),
        baseline_span: fields.span("baseline"),
        ..Config::default()
    };
    if config.terraform_version.is_some() && !matches!(config.opentofu, None | Some(OpenTofu::No)) {
        fields.refuse(
            "opentofu",
            "terraform_version already selects Terraform; remove one of the two",
        );
    }
    fields.at_most_once(&["modules", "schema", "docs", "policy", "limits"]);
    for block in fields.blocks(&BLOCKS) {
        match block.kind.name.as_str() {
            "modules" => modules(&mut config, block, &mut fields),
            "schema" => config.schema = schema(block, &mut fields),
            "docs" => config.docs = docs::read(block, &mut fields),
            "input" => config.inputs.extend(input(block, &mut fields)),
            "contract" => config.contracts.extend(contract::read(block, &mut fields)),
            "policy" => config.policy = Some(policy_block::read(block, &mut fields)),
            "limits" => config.limits = limits::read(block, &mut fields),
            "rule" => config.levels.extend(level(block, &mut fields)),
            _ => config.ignores.extend(ignore(block, &mut fields)),
        }
    }
    let (problems, supported) = fields.finish();
    (config, once(problems, file, meter), supported)
}

/// The problems, with one alone that says that there is too much work.
fn once(problems: Diagnostics, file: FileId, meter: &Meter) -> Diagnostics {
    if !meter.is_exhausted() {
        return problems;
    }
    let is_of_budget = |it: &Diagnostic| it.cause == Some(Cause::Budget(Bound::Module));
    let (of_budget, mut others): (Diagnostics, Diagnostics) =
        problems.into_iter().partition(is_of_budget);
    let at = of_budget.first().and_then(Diagnostic::span).unwrap_or(Span::new(file, 0, 0));
    let summary = "The configuration exceeds the work limit, so it is not read completely";
    let detail = "It contains too much text, too many patterns or too large constants.";
    let problem = Diagnostic::new(&lints::INVALID_CONFIGURATION, summary).detail(detail);
    others.push(problem.at(Role::Declaration, at));
    others
}

fn release(product: Product, name: &'static str, fields: &mut Fields<'_>) -> Option<Release> {
    if fields.is_number(name) {
        fields.refuse(name, "write it in quotes, because the number 1.10 is 1.1");
        return None;
    }
    let text = fields.string(name)?;
    match Release::parse(product, &text) {
        Ok(release) => Some(release),
        Err(problem) => {
            fields.refuse(name, &problem.to_string());
            None
        }
    }
}

/// `true`, `false` or a version.
fn opentofu(fields: &mut Fields<'_>) -> Option<OpenTofu> {
    if fields.is_bool("opentofu") {
        let newest = fields.bool("opentofu")?;
        return Some(if newest { OpenTofu::Newest } else { OpenTofu::No });
    }
    release(Product::OpenTofu, "opentofu", fields).map(OpenTofu::Release)
}

fn modules(config: &mut Config, block: &Block, outer: &mut Fields<'_>) {
    outer.no_label(block);
    let mut fields = outer.of_block(block);
    config.include = fields.globs("include");
    let written = config.include.as_ref().and_then(|_| fields.strings("include"));
    if let Some(problem) = written.iter().flatten().find_map(|it| forbidden(it)) {
        fields.refuse("include", problem);
    }
    config.exclude = fields.globs("exclude");
    outer.take(fields);
}

fn schema(block: &Block, outer: &mut Fields<'_>) -> SchemaSettings {
    outer.no_label(block);
    let mut fields = outer.of_block(block);
    let settings = SchemaSettings {
        file: schema_file(&mut fields),
        disallow_additional_properties: fields.bool("disallow_additional_properties"),
        nullable_all: fields.bool("nullable_all"),
        require_all: fields.bool("require_all"),
        escape_json: fields.bool("escape_json"),
        conditions: conditions(&mut fields),
        annotations: fields.bool("annotations"),
        sensitive_defaults: fields.bool("sensitive_defaults"),
        draft: draft(&mut fields),
        inline: fields.bool("inline"),
        error_messages: fields.bool("error_messages"),
        descriptions_from_comments: fields.bool("descriptions_from_comments"),
        ignore_variables: fields.strings("ignore_variables"),
        ignore_variables_span: fields.span("ignore_variables"),
        properties: fields.string_map("properties"),
    };
    outer.take(fields);
    settings
}

/// The schema's file name. A file that Terraform or this tool reads for another purpose would be
/// overwritten, so its name is refused.
fn schema_file(fields: &mut Fields<'_>) -> Option<String> {
    let text = inner_path("file", "the module", fields)?;
    let name = Path::new(&text).file_name().and_then(|it| it.to_str()).unwrap_or_default();
    if name.is_empty()
        || name == FILE_NAME
        || is_module_file(name, Product::OpenTofu)
        || is_values_file(name)
    {
        fields.refuse("file", &format!("\"{text}\" is not a file name for a schema"));
        return None;
    }
    // `check --fix` must not be able to write a script.
    if Path::new(name).extension().is_none_or(|it| it != "json") {
        fields.refuse("file", "a name that ends in .json is expected");
        return None;
    }
    Some(text)
}

fn conditions(fields: &mut Fields<'_>) -> Option<CarriedConditions> {
    let words = [CarriedConditions::Full, CarriedConditions::Basic, CarriedConditions::None]
        .map(CarriedConditions::as_str);
    CarriedConditions::from_name(&fields.one_of("conditions", &words)?)
}

fn draft(fields: &mut Fields<'_>) -> Option<Draft> {
    Draft::from_name(&fields.one_of("draft", &Draft::ALL.map(Draft::as_str))?)
}

/// A relative path that stays inside of a directory.
pub(super) fn inner_path(name: &'static str, of: &str, fields: &mut Fields<'_>) -> Option<String> {
    let text = fields.string(name)?;
    let clean = paths::clean(Path::new(&text));
    if text.is_empty() || clean.starts_with("..") {
        fields.refuse(name, &format!("a path inside the directory of {of} is expected"));
        return None;
    }
    if let Some(reason) = forbidden(&text) {
        fields.refuse(name, reason);
        return None;
    }
    Some(text)
}

/// Why a path in the tree is not read: it may lead to git's own files or to the machine's.
pub(super) fn forbidden(text: &str) -> Option<&'static str> {
    let path = Path::new(text);
    let parts = || path.components().filter_map(|it| it.as_os_str().to_str());
    if path.has_root() || path.is_absolute() {
        return Some("a relative path is expected");
    }
    if parts().any(is_git_directory) {
        return Some("a path inside .git is not allowed");
    }
    let is_hidden = |it: &str| it.starts_with('.') && it != "." && it != "..";
    parts().any(is_hidden).then_some("a path without hidden names is expected")
}

fn input(block: &Block, outer: &mut Fields<'_>) -> Option<InputSet> {
    let name = outer.label(block, "a name, such as `input \"prod\" { … }`")?;
    let mut fields = outer.of_block(block);
    fields.charge_input();
    let set = InputSet {
        name,
        modules: module_paths(&mut fields),
        files: patterns("files", &mut fields).unwrap_or_default(),
        each: patterns("each", &mut fields).unwrap_or_default(),
        given: fields.names("given"),
        partial: fields.bool("partial").unwrap_or(false),
        span: block.header,
    };
    if fields.is_exhausted() {
        return None;
    }
    if set.files.is_empty() && set.each.is_empty() {
        fields.missing("files", block);
    }
    outer.take(fields);
    Some(set)
}

/// `module` or `modules`; neither means the file's own directory.
fn module_paths(fields: &mut Fields<'_>) -> ModulePaths {
    let module = inner_path("module", "the configuration", fields);
    if module.as_deref().is_some_and(|it| it.contains(['*', '?'])) {
        fields.refuse("module", "one directory is expected; write patterns in `modules`");
    }
    if !fields.is_written("modules") {
        return ModulePaths::One(module.unwrap_or(".".to_owned()));
    }
    let span = fields.span("modules");
    let Some(modules) = patterns("modules", fields) else {
        return ModulePaths::Matching(Vec::new(), span);
    };
    if fields.is_written("module") {
        fields.refuse("modules", "remove one: a block has either `module` or `modules`");
    } else if modules.is_empty() {
        fields.refuse("modules", "at least one directory or pattern of directories is expected");
    } else if modules.iter().any(|it| leads_out(it)) {
        fields.refuse("modules", "a path inside the directory of the configuration is expected");
    }
    ModulePaths::Matching(modules, span)
}

fn leads_out(path: &str) -> bool {
    paths::clean(Path::new(path)).starts_with("..")
}

/// A list of paths and patterns of paths, or one alone; `None` after an error.
fn patterns(name: &'static str, fields: &mut Fields<'_>) -> Option<Vec<String>> {
    let found = fields.string_or_strings(name).unwrap_or_default();
    let empty = |it: &String| it.is_empty().then(|| "a path is expected".to_owned());
    let pattern = |it: &String| FilePattern::mistake(it);
    let problem = |it: &String| {
        empty(it).or_else(|| forbidden(it).map(str::to_owned)).or_else(|| pattern(it))
    };
    if !fields.charge_patterns(found.len()) {
        return None;
    }
    if let Some(problem) = found.iter().find_map(problem) {
        fields.refuse(name, &problem);
        return None;
    }
    Some(found)
}

fn level(block: &Block, outer: &mut Fields<'_>) -> Option<LevelSetting> {
    let rule = rule(block, outer)?;
    let mut fields = outer.of_block(block);
    let level = fields.one_of("level", &["error", "warning", "note", "off"]);
    let bump = fields.one_of("bump", &["major", "minor", "patch"]);
    if level.is_none() && bump.is_none() {
        fields.missing("level", block);
    }
    if bump.is_some() && !rule.is_one_of(lints::OF_COMPAT) {
        fields.refuse("bump", "only rules of `terraschema compat` have a version");
    }
    let paths = fields.globs("paths");
    let variable = fields.names("variable");
    outer.take(fields);
    if level.is_none() && bump.is_none() {
        return None;
    }
    let has_level = level.is_some();
    let level = match level.as_deref() {
        Some("error") => Some(Level::Error),
        Some("warning") => Some(Level::Warning),
        Some("note") => Some(Level::Note),
        _ => None,
    };
    let bump = match bump.as_deref() {
        Some("major") => Some(Bump::Major),
        Some("minor") => Some(Bump::Minor),
        Some(_) => Some(Bump::Patch),
        None => None,
    };
    Some(LevelSetting { rule, level, has_level, bump, variable, paths, span: block.header })
}

fn ignore(block: &Block, outer: &mut Fields<'_>) -> Option<Ignore> {
    let rule = rule(block, outer)?;
    let mut fields = outer.of_block(block);
    let reason = fields.string("reason").unwrap_or_default();
    if reason.trim().is_empty() {
        fields.missing("reason", block);
    }
    let ignore = Ignore {
        rule,
        reason,
        paths: fields.globs("paths"),
        variable: fields.names("variable"),
        address: fields.string("address").map(|it| AddressPattern(it.into())),
        until: until(&mut fields),
        span: block.header,
    };
    outer.take(fields);
    Some(ignore)
}

/// The last day of an `ignore` block.
fn until(fields: &mut Fields<'_>) -> Option<(Date, Span)> {
    let text = fields.string("until")?;
    let date = Date::parse(&text);
    if date.is_none() {
        fields.refuse("until", "a day is expected, such as \"2027-01-31\"");
    }
    date.map(|it| (it, fields.span("until")))
}

fn rule(block: &Block, fields: &mut Fields<'_>) -> Option<LintId> {
    let id = fields.label(block, "a rule, such as `rule \"unknown-attribute\" { … }`")?;
    if let Some(rule) = policy_block::rule_of_label(&id) {
        return Some(rule);
    }
    let known: Vec<&str> = LINTS.iter().map(|it| it.id).collect();
    fields.unknown("rule", &id, &known, block.header);
    None
}
