//! What is fuzzed: every reader, evaluation, and what works on what they read. Each takes any bytes
//! and must come back; what it gives does not matter. `tests/fuzz` feeds them, and `fuzz/` does so by libFuzzer.

use std::{collections::BTreeMap, path::PathBuf};

#[cfg(unix)]
pub mod disk;

use check::{ChangedFiles, CheckRequest, Shard, survey};
use config::{Config, Configurations, FILE_NAME};
use diagnostics::{Diagnostic, FileId, Finding, Sources, lints};
#[cfg(unix)]
use disk::trees;
use git::RevisionRange;
use hcl::{comments, json, parse_body, parse_expression, parse_template};
use module::{
    Module, evaluate_constant,
    inputs::{self, InputArgument},
};
use projection::schema::{self, SchemaJson};
use re2::{Regex, ecma};
use release::{Constraints, Product, Release, Version};
use report::{Format, Report, Style, from_json, render};
use system::{MemorySystem, System, paths};
use tf_eval::{
    Budget, EvalHost, Meter, Scope, evaluate, evaluate_in_detail,
    functions::{self, CallContext},
};
use tf_value::{Marks, Number, Type, Value, typeexpr};
use verdict::{JudgeSetting, PreparedJudge, tree::ModuleTree};

/// Takes any bytes.
pub type Target = fn(&[u8]);

/// Every target with its name.
pub const TARGETS: [(&str, Target); 20] = [
    ("committed_schema", committed_schema),
    ("condition", condition),
    ("configuration", configuration),
    ("evaluation", evaluation),
    ("functions", functions),
    ("git_paths", git_paths),
    ("hcl", hcl),
    ("hcl_json", hcl_json),
    ("module", module),
    ("module_json", module_json),
    ("regex", regex),
    ("report", report),
    ("suppressions", suppressions),
    ("trees", trees),
    ("type_constraint", type_constraint),
    ("values", values),
    ("values_json", values_json),
    ("values_text", values_text),
    ("versions", versions),
    ("whole", whole),
];

/// The target of a name, which must be one of [`TARGETS`].
pub fn target(name: &str) -> Target {
    TARGETS.iter().find(|it| it.0 == name).unwrap().1
}

/// As long as a path can be on macOS, in bytes. (Every directory above a path is looked at, so the
/// time grows with the square of its length.)
const MAX_PATH: usize = 1024;

/// A variable of each kind, with rules that look into it.
const MODULE: &str = r#"
variable "name" {
  type = string
  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{1,62}$", var.name)) && !endswith(var.name, "-")
    error_message = "Not ${var.name}."
  }
}
variable "size" {
  type    = number
  default = 3
  validation {
    condition     = var.size > 0 && floor(var.size) == var.size
    error_message = "Whole."
  }
}
variable "on" {
  type      = bool
  sensitive = true
  default   = false
}
variable "tags" {
  type    = map(string)
  default = {}
  validation {
    condition     = alltrue([for k, v in var.tags : length(k) < 9 && v != ""])
    error_message = "Tags."
  }
}
variable "zones" {
  type     = set(string)
  default  = []
  nullable = false
}
variable "rules" {
  type = list(object({
    port  = number
    cidrs = optional(list(string), ["10.0.0.0/8"])
    extra = optional(map(any))
    pair  = optional(tuple([string, number]))
  }))
  default = []
  validation {
    condition     = alltrue([for it in var.rules : alltrue([for c in it.cidrs : can(cidrhost(c, 0))])])
    error_message = "Rules."
  }
}
variable "any" {
  type    = any
  default = null
}
"#;

fn text(data: &[u8]) -> String {
    String::from_utf8_lossy(data).into_owned()
}

fn system(file: &str, data: &[u8]) -> MemorySystem {
    MemorySystem::new().file("/m/main.tf", MODULE).file(file, data).working_in("/m")
}

/// A check of everything, its findings in every format.
fn check(system: &dyn System, request: &CheckRequest) {
    if let Ok(report) = check::run(request, system) {
        render_all(&report);
    }
}

fn render_all(report: &Report) {
    for (_, format) in Format::ALL {
        render(report, format, Style { color: format == Format::Human, ..Style::default() });
    }
}

/// The first findings as a person sees them.
fn show(diagnostics: &[Diagnostic], sources: &Sources) {
    let findings = diagnostics.iter().take(3).map(|it| Finding::new(it, ".", sources)).collect();
    let report = Report { findings, ..Report::default() };
    render(&report, Format::Human, Style::default());
}

fn hcl(data: &[u8]) {
    let file = FileId::default();
    let mut sources = Sources::new();
    let id = sources.add("main.tf", data);
    let (_, diagnostics) = parse_body(id, data);
    show(&diagnostics, &sources);
    comments(data);
    parse_expression(file, data, 0);
    parse_template(file, data, 0);
}

fn hcl_json(data: &[u8]) {
    let (tree, _) = json::parse(FileId::default(), data);
    SchemaJson::from(&tree).to_text(true);
    tree.nearest(&text(data));
}

fn module(data: &[u8]) {
    check_module("/m/main.tf", data);
}

fn module_json(data: &[u8]) {
    check_module("/m/main.tf.json", data);
}

fn check_module(file: &str, data: &[u8]) {
    let system = MemorySystem::new().file(file, data).working_in("/m");
    let options = module::LoadOptions {
        release: Product::OpenTofu.newest(),
        ..module::LoadOptions::default()
    };
    let Ok((module, problems)) = module::load(&system, "/m".as_ref(), &options) else { return };
    show(&problems, &module.sources);
    let options = schema::SchemaOptions {
        disallow_additional_properties: true,
        nullable_all: true,
        ..schema::SchemaOptions::default()
    };
    let generated = schema::generate(&module, &options);
    show(&generated.diagnostics, &module.sources);
    generated.schema.to_json().to_text(false);
    schema::export_variables(&module, &options, &Meter::default()).to_text(true);
}

fn condition(data: &[u8]) {
    let types = ["string", "number", "bool", "list(string)", "map(object({ a = number }))", "any"];
    let (first, rest) = data.split_first().unwrap_or((&0, &[]));
    let ty = types[usize::from(*first) % types.len()];
    let (before, after) = (
        format!("variable \"x\" {{\n  type = {ty}\n  validation {{\n    condition = "),
        "\n    error_message = \"Bad.\"\n  }\n}\nvariable \"y\" {\n  default = 1\n}\n",
    );
    module(&[before.as_bytes(), rest, after.as_bytes()].concat());
}

/// The module, loaded once, and what is generated of it.
struct Known {
    module: Module,
    schema: SchemaJson,
    judge: PreparedJudge,
}

impl Known {
    fn new() -> Known {
        let system = system("/m/x.tf", b"");
        let (module, _) =
            module::load(&system, "/m".as_ref(), &module::LoadOptions::default()).unwrap();
        let schema = schema::generate(&module, &schema::SchemaOptions::default()).schema.to_json();
        let judge = PreparedJudge::new(&module, &ModuleTree::default());
        Known { module, schema, judge }
    }

    /// Reads the inputs of a system and of a command line, and judges them.
    fn judge(&self, system: &dyn System, arguments: &[InputArgument]) {
        let request = inputs::InputRequest {
            dir: "/m".into(),
            environment: true,
            auto_files: true,
            arguments: arguments.to_vec(),
        };
        let mut sources = Sources::new();
        let (layers, problems) = inputs::read(system, &mut sources, &request, Release::NEWEST);
        show(&problems, &sources);
        let (collected, found) =
            inputs::collect(&self.module.variables, layers, Release::V1_11, &Meter::default());
        let is_whole = inputs::without_value(&self.module.variables, &collected).next().is_none();
        if is_whole && !problems.iter().chain(&found).any(Diagnostic::is_error) {
            let meter = Meter::default();
            let setting = JudgeSetting::new(system, "/m".as_ref(), Release::V1_11, &meter);
            self.judge.judge(&self.module, &ModuleTree::default(), Some(&collected), setting);
        }
    }
}

thread_local! {
    static KNOWN: Known = Known::new();
}

fn values(data: &[u8]) {
    let system = MemorySystem::new().file("/m/terraform.tfvars", data);
    KNOWN.with(|it| it.judge(&system, &[]));
}

fn values_json(data: &[u8]) {
    let system = MemorySystem::new().file("/m/x.auto.tfvars.json", data);
    KNOWN.with(|it| it.judge(&system, &[]));
}

/// `TF_VAR_*` and `-var`.
fn values_text(data: &[u8]) {
    let text = text(data);
    let names = ["name", "size", "tags", "rules", "any"];
    let name = names[data.len() % names.len()];
    let system = MemorySystem::new().directory("/m");
    let system = system.with_env(format!("TF_VAR_{name}"), text.clone());
    let arguments = [text.clone(), format!("{name}={text}")].map(InputArgument::Value);
    KNOWN.with(|it| it.judge(&system, &arguments));
}

fn committed_schema(data: &[u8]) {
    let mut sources = Sources::new();
    let id = sources.add("schema.json", data);
    let (tree, problems) = json::parse(id, data);
    show(&problems, &sources);
    let committed = SchemaJson::from(&tree);
    KNOWN.with(|it| {
        schema::diff(&committed, &it.schema);
        schema::unified_diff(&committed, &it.schema, "schema.json");
    });
}

fn configuration(data: &[u8]) {
    let system = MemorySystem::new().file(format!("/m/{FILE_NAME}"), data).working_in("/m");
    let system = system.file("/m/sub/main.tf", "").file("/m/envs/prod.tfvars", "");
    let Ok(configurations) = Configurations::new(&system, Config::default(), None) else { return };
    configurations.settings("sub".as_ref());
    configurations.modules_of_input("/m/envs/prod.tfvars".as_ref());
    configurations.module_of_schema("/m/sub/schema.json".as_ref());
    configurations.problems();
}

/// Paths as git, pre-commit and people give them: changed ones, configurations, targets; revisions.
fn git_paths(data: &[u8]) {
    RevisionRange::parse(&text(data));
    Shard::parse(&text(data));
    let path = |line: &str| PathBuf::from(line.chars().take(MAX_PATH).collect::<String>());
    let shown: Vec<PathBuf> = text(data).split('\n').map(path).collect();
    let absolute: Vec<PathBuf> =
        shown.iter().map(|it| paths::clean(&PathBuf::from("/m").join(it))).collect();
    for path in &absolute {
        paths::display(&paths::relative("/m/sub".as_ref(), path));
    }
    let system = MemorySystem::new().file("/m/main.tf", "variable \"x\" {}\n").working_in("/m");
    let system = system.file("/m/sub/x.tf", "").file("/m/sub/x.tfvars", "x = 1\n");
    let change = Some(ChangedFiles {
        root: "/m".into(),
        configurations: absolute.clone(),
        sources: absolute.clone(),
        links: absolute.clone(),
        readmes: absolute.clone(),
        paths: absolute,
    });
    let request = CheckRequest { change, shard: Shard::parse("1/1"), ..CheckRequest::default() };
    _ = check::run(&request, &system);
    let targets = shown.into_iter().take(8).collect();
    let request = CheckRequest { targets, ..CheckRequest::default() };
    _ = check::run(&request, &system);
}

/// Every line as the text after `terraschema:ignore`.
fn suppressions(data: &[u8]) {
    let mut module = String::new();
    for (n, line) in text(data).lines().take(4).enumerate() {
        let sign = ["#", "//", "/*"][n % 3];
        module += &format!(
            "{sign} terraschema:ignore {line}\nvariable \"v{n}\" {{\n  # terraschema:ignore {line}\n}}\n"
        );
    }
    let system = MemorySystem::new().file("/m/main.tf", module).working_in("/m");
    _ = check::run(&CheckRequest::default(), &system);
}

/// Everything together: what comes before, between and behind `===` are a module, its values and
/// its schema.
fn whole(data: &[u8]) {
    let text = text(data);
    let mut parts = text.splitn(3, "===");
    let mut system = MemorySystem::new().working_in("/m");
    for file in ["/m/main.tf", "/m/x.tfvars", "/m/schema.json"] {
        system = system.file(file, parts.next().unwrap_or_default());
    }
    let request = CheckRequest { fix_inputs: true, ..CheckRequest::default() };
    check(&system, &request);
    _ = survey(&system);
}

fn scope_values() -> BTreeMap<smol_str::SmolStr, Value> {
    BTreeMap::from([
        ("name".into(), Value::string("web-é")),
        ("size".into(), Value::number(Number::from_i64(3))),
        ("on".into(), Value::bool(true)),
        ("null".into(), Value::null(Type::Dynamic)),
        ("secret".into(), Value::string("hidden").with_marks(Marks::SENSITIVE)),
        ("unknown".into(), Value::unknown(Type::list(Type::String))),
        ("any".into(), Value::unknown(Type::Dynamic)),
        ("list".into(), Value::list(Type::String, vec![Value::string("a"), Value::string("b")])),
    ])
}

fn evaluation(data: &[u8]) {
    let (expr, _) = parse_expression(FileId::default(), data, 0);
    let (template, _) = parse_template(FileId::default(), data, 0);
    let (system, data) = (system("/m/x.tftpl", b"${a}%{ if true }${a}%{ endif }"), scope_values());
    for release in [Release::V1_11, Release::NEWEST] {
        for expr in [&expr, &template] {
            let host = EvalHost::new(&system, "/m", release).with_budget(Budget(2_000_000));
            let scope = Scope { data: &data, host: &host, release };
            evaluate_in_detail(expr, &scope);
        }
    }
}

/// A function that the first byte names, with the rest as one to three texts.
fn functions(data: &[u8]) {
    let (first, rest) = data.split_first().unwrap_or((&0, &[]));
    let all = functions::all();
    let function = all[usize::from(*first) % all.len()];
    let system = system("/m/x.tftpl", b"${a}");
    let host = EvalHost::new(&system, "/m", Release::NEWEST).with_budget(Budget(2_000_000));
    let context = CallContext { host: &host, release: Release::NEWEST };
    let parts: Vec<Value> = text(rest).splitn(3, '|').map(Value::string).collect();
    for count in 1..=parts.len() {
        _ = functions::call(&context, function, &parts[..count]);
    }
}

fn type_constraint(data: &[u8]) {
    let (expr, _) = parse_expression(FileId::default(), data, 0);
    let fold = |expr: &_| {
        let (value, mut problems) =
            evaluate_constant(expr, &lints::INVALID_VARIABLE, Release::NEWEST, &Meter::default());
        problems.pop().map_or(Ok(value), Err)
    };
    let (constraint, _) = typeexpr::parse_type(&expr, &fold);
    typeexpr::type_source(&constraint.ty);
    let (system, empty) = (MemorySystem::new(), BTreeMap::new());
    let scope = Scope {
        data: &empty,
        host: &EvalHost::new(&system, "/", Release::NEWEST),
        release: Release::NEWEST,
    };
    for text in [&b"{}"[..], b"[{ a = 1 }, null]", b"\"x\"", b"{ a = [1], b = { c = \"\" } }"] {
        let (value, _) = evaluate(&parse_expression(FileId::default(), text, 0).0, &scope);
        _ = constraint.accept(&value);
    }
}

fn regex(data: &[u8]) {
    let text = text(data);
    let (pattern, subject) = text.split_once('\n').unwrap_or((&text, "web-1 é K\u{212a} aaaa\n"));
    _ = ecma::translate(pattern);
    let Ok(regex) = Regex::new(pattern) else { return };
    regex.captures(subject);
    regex.find_all(subject);
    regex.replace_all(subject, "<$1${x}$0$$>");
}

fn report(data: &[u8]) {
    if let Ok(report) = from_json(&text(data))
        && let Ok(joined) = Report::join([report.clone(), report])
    {
        render_all(&joined);
    }
}

fn versions(data: &[u8]) {
    let text = text(data);
    Version::parse(&text);
    _ = Release::parse(Product::Terraform, &text);
    if let Some(constraints) = Constraints::parse(&text) {
        constraints.has_prerelease();
        Release::NEWEST.meets(&constraints);
    }
}

/// Repositories on the real disk need links.
#[cfg(not(unix))]
fn trees(_data: &[u8]) {}
