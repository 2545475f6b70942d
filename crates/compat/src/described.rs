//! A module as its annotated `schema.json` describes it.
//!
//! The annotations ([`schema::VOCABULARY`]) hold types, rules and flags as texts; a module is generated from
//! them. Missing parts are never guessed: a rule whose locals are missing becomes one that nobody can decide,
//! and [`Described::lacks`] says why.

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    path::Path,
};

use smol_str::SmolStr;

use super::form::is_pure;
use diagnostics::{Diagnostic, FileId, Sources, Span};
use hcl::{
    Expr, ExprKind,
    analysis::{PathStep, references},
    json::{self, JsonMember, ValueKind},
    parse_template, parse_value,
};
use projection::schema;
use system::{MemorySystem, System, paths};
use tf_value::{Value, typeexpr::value_source};

/// A contract that was read from a schema.
pub struct Described {
    /// Holds the module that was generated from the schema, in the schema's directory.
    pub system: MemorySystem,
    /// The schema itself, for excerpts.
    pub sources: Sources,
    /// The spans of each variable in the schema: its key, and the whole of it.
    pub spans: BTreeMap<SmolStr, (Span, Span)>,
    /// For each variable, what the schema does not say about it.
    pub lacks: BTreeMap<SmolStr, String>,
    /// Variables that have a default which the schema hides.
    pub hidden_defaults: BTreeSet<SmolStr>,
}

/// The name of the data source that replaces unknown parts. Each state has its own, so that unknown parts of
/// both are never taken for equal.
const UNKNOWN: [&str; 2] = ["unknown_before", "unknown_now"];

impl Described {
    /// Reads a schema. Errors: it cannot be read, is not a schema, or has no annotations.
    pub fn read(system: &dyn System, path: &Path, is_head: bool) -> io::Result<Described> {
        let shown = paths::display(path);
        let bytes = system.read(path).map_err(|it| other(format!("{shown}: {it}")))?;
        let mut sources = Sources::new();
        let file = sources.add(shown.clone(), bytes.clone());
        let (root, problems) = json::parse(file, &bytes);
        if let Some(it) = problems.first() {
            return Err(other(at(&sources, root.span, &it.message())));
        }
        let members = match (root.members(), root.get("properties").map(json::JsonValue::members)) {
            (Some(_), Some(Some(members))) => members,
            // A module without variables, as `--allow-empty` writes it.
            (Some([]), None) => &[],
            _ => {
                let text = "it is not the schema of a module: it has no object `properties`";
                return Err(other(at(&sources, root.start(), text)));
            }
        };
        let mut writer = Writer::new(&root, members, UNKNOWN[usize::from(is_head)], file);
        for it in members {
            writer.variable(it).map_err(|(span, text)| other(at(&sources, span, &text)))?;
        }
        let Writer { text, spans, lacks, hidden_defaults, .. } = writer;
        let current = system.current_dir()?;
        let module = paths::clean(&current.join(path)).with_extension("tf");
        let system = MemorySystem::new().working_in(&current).file(module, text);
        Ok(Described { system, sources, spans, lacks, hidden_defaults })
    }

    /// The error that keeps the described module from being read, at the place of its variable.
    pub fn problem(&self, problem: &Diagnostic) -> io::Error {
        let name = problem.variable.as_ref();
        let place = name.and_then(|it| self.spans.get(it)).map(|it| it.0).unwrap_or_default();
        other(at(&self.sources, place, &problem.message()))
    }

    /// The schema with the values of these variables hidden.
    pub fn sources<'n>(&self, hidden: impl Iterator<Item = &'n SmolStr>) -> Sources {
        let mut sources = self.sources.clone();
        for (_, all) in hidden.filter_map(|it| self.spans.get(it)) {
            sources.hide(*all);
        }
        sources
    }
}

fn other(text: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, text)
}

fn at(sources: &Sources, span: Span, text: &str) -> String {
    let file = sources.file(span.file);
    let place = file.position(span.start);
    format!("{}:{}:{}: {text}", file.path, place.line, place.column)
}

/// A mistake: its place, and a message.
type Wrong = (Span, String);

struct Writer<'j> {
    text: String,
    file: FileId,
    names: BTreeSet<&'j str>,
    required: BTreeSet<&'j str>,
    /// Whether `required` also lists variables with a default, as `--require-all` writes it. Then it says
    /// nothing about defaults.
    is_all_required: bool,
    unknown: &'static str,
    spans: BTreeMap<SmolStr, (Span, Span)>,
    lacks: BTreeMap<SmolStr, String>,
    hidden_defaults: BTreeSet<SmolStr>,
}

impl<'j> Writer<'j> {
    fn new(
        root: &'j json::JsonValue,
        members: &'j [JsonMember],
        unknown: &'static str,
        file: FileId,
    ) -> Writer<'j> {
        let required = root.get("required").and_then(json::JsonValue::elements).unwrap_or_default();
        let required: BTreeSet<&str> =
            required.iter().filter_map(json::JsonValue::as_str).collect();
        let has_default = |it: &JsonMember| it.value.get("default").is_some();
        let is_both = |it: &JsonMember| required.contains(it.key.as_str()) && has_default(it);
        Writer {
            text: format!("data \"terraschema_schema\" \"{unknown}\" {{}}\n"),
            file,
            names: members.iter().map(|it| it.key.as_str()).collect(),
            is_all_required: members.iter().any(is_both),
            required,
            unknown,
            spans: BTreeMap::new(),
            lacks: BTreeMap::new(),
            hidden_defaults: BTreeSet::new(),
        }
    }

    fn variable(&mut self, member: &JsonMember) -> Result<(), Wrong> {
        let (name, schema) = (&member.key, &member.value);
        let Some(own) = schema.get(schema::VOCABULARY).filter(|it| it.members().is_some()) else {
            let text = format!(
                "the schema does not fully describe \"{name}\": write it with `terraschema \
                generate --annotations`"
            );
            return Err((member.key_span, text));
        };
        let Some(ty) = own.get("type").and_then(json::JsonValue::as_str) else {
            return Err((own.start(), format!("the annotations of \"{name}\" have no `type`")));
        };
        self.spans.insert(name.clone(), (member.key_span, schema.span));
        let flag = |of: &json::JsonValue, key: &str, is: bool| matches!(of.get(key).map(|it| &it.kind), Some(ValueKind::Bool(it)) if *it == is);
        let is_hidden = flag(schema, "writeOnly", true) || flag(own, "ephemeral", true);
        self.line(&format!("variable {} {{", quoted(name)));
        self.line(&format!("  type = {ty}"));
        if let Some(default) = schema.get("default") {
            let mut text = String::new();
            literal(default, &mut text);
            self.line(&format!("  default = {text}"));
        } else if is_hidden && (self.is_all_required || !self.required.contains(name.as_str())) {
            self.hidden_defaults.insert(name.clone());
            self.lack(name, "the schema does not contain the default, because it is hidden");
        }
        for (key, text) in [
            ("description", schema.get("description")),
            ("deprecated", own.get("deprecated").filter(|_| flag(schema, "deprecated", true))),
        ] {
            if let Some(text) = text.and_then(json::JsonValue::as_str) {
                self.line(&format!("  {key} = {}", quoted(text)));
            }
        }
        for (key, of, is) in [
            ("nullable = false", own, ("nullable", false)),
            ("ephemeral = true", own, ("ephemeral", true)),
            ("sensitive = true", schema, ("writeOnly", true)),
        ] {
            if flag(of, is.0, is.1) {
                self.line(&format!("  {key}"));
            }
        }
        let rules = own.get("conditions").and_then(json::JsonValue::elements).unwrap_or_default();
        for rule in rules {
            self.rule(name, rule);
        }
        // The schema of a hidden variable lacks the defaults of its attributes: a null there may become another
        // value.
        let is_bare = is_hidden && schema.get("default").is_none() && ty.contains("optional(");
        if is_bare {
            self.lack(
                name,
                "the schema does not contain the defaults of attributes, because they are hidden",
            );
            self.unknown_rule(name);
        }
        self.line("}");
        Ok(())
    }

    fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn lack(&mut self, name: &SmolStr, why: &str) {
        self.lacks.entry(name.clone()).or_insert_with(|| why.to_owned());
    }

    fn rule(&mut self, name: &SmolStr, rule: &json::JsonValue) {
        let text = |key: &str| rule.get(key).and_then(json::JsonValue::as_str);
        let message = text("error_message").map(|it| self.message(it));
        let missing = match text("condition").map(|it| (it, self.expression(it))) {
            None => Some("a rule, which is hidden".to_owned()),
            Some((_, None)) => Some("a rule that can be read".to_owned()),
            Some((_, Some(it))) => self.missing(&it),
        };
        let missing = missing.or_else(|| message.as_ref().and_then(|it| it.1.clone()));
        if let Some(missing) = missing {
            self.lack(name, &format!("the schema does not contain {missing}"));
            return self.unknown_rule(name);
        }
        let message = message.map_or_else(|| quoted("Hidden."), |it| it.0);
        let condition = text("condition").unwrap_or_default();
        self.line(&format!(
            "  validation {{\n    condition = {condition}\n    error_message = {message}\n  }}"
        ));
    }

    /// Writes a rule that nobody can decide.
    fn unknown_rule(&mut self, name: &str) {
        let unknown = self.unknown;
        self.line(&format!(
            "  validation {{\n    condition = var.{name} == data.terraschema_schema.{unknown}.result\n    error_message = \"Unknown.\"\n  }}"
        ));
    }

    fn expression(&self, text: &str) -> Option<Expr> {
        let (expr, problems) = parse_value(self.file, text.as_bytes(), 0);
        problems.is_empty().then_some(expr)
    }

    /// A message as an expression, and what is missing for it. The annotation holds the text of a constant, a
    /// template without its quotes, or another expression as written.
    fn message(&self, text: &str) -> (String, Option<String>) {
        if text.contains("${") || text.contains("%{") {
            let source = format!("\"{text}\"");
            let is_line = !text.contains('\n');
            let (template, problems) = parse_template(self.file, text.as_bytes(), 0);
            if is_line && problems.is_empty() && self.expression(&source).is_some() {
                return (source, self.missing(&template));
            }
            // A text of several lines may have been a heredoc: it is not known whether that can be evaluated.
            return (quoted(text), Some("the message of a rule as it was written".to_owned()));
        }
        let is_expression = |expr: &Expr| {
            matches!(expr.kind, ExprKind::Call { .. } | ExprKind::GetAttr { .. })
                && !references(expr).iter().any(|it| !is_root(&it.root.name))
        };
        match self.expression(text).filter(is_expression) {
            Some(it) => (text.to_owned(), self.missing(&it)),
            None => (quoted(text), None),
        }
    }

    /// Something that the expression refers to and that the schema does not have.
    fn missing(&self, expr: &Expr) -> Option<String> {
        for it in references(expr) {
            let name = match it.steps.first() {
                Some(PathStep::Attr(name)) => name.as_str(),
                _ => "",
            };
            if it.root.name != "var" || !self.names.contains(name) {
                return Some(format!("`{}.{name}`, which a rule reads", it.root.name));
            }
        }
        impure(expr).map(|it| format!("the files or the time that a rule reads with `{it}`"))
    }
}

fn is_root(name: &str) -> bool {
    matches!(name, "var" | "local" | "data" | "path" | "terraform" | "module")
}

/// A function in the expression whose result depends on more than its arguments.
fn impure(expr: &Expr) -> Option<String> {
    stack::guarded(|| {
        let mut found = match &expr.kind {
            ExprKind::Call { name, .. } if !is_pure(&name.name) => Some(name.name.to_string()),
            _ => None,
        };
        expr.for_each_child(&mut |it| found = found.take().or_else(|| impure(it)));
        found
    })
}

fn quoted(text: &str) -> String {
    value_source(&Value::string(text))
}

/// A JSON value as HCL has it.
fn literal(value: &json::JsonValue, out: &mut String) {
    stack::guarded(|| match &value.kind {
        ValueKind::Null | ValueKind::Invalid => out.push_str("null"),
        ValueKind::Bool(it) => out.push_str(if *it { "true" } else { "false" }),
        ValueKind::Number(it) => out.push_str(it),
        ValueKind::String(it) => out.push_str(&quoted(it)),
        ValueKind::Array(elements) => {
            out.push('[');
            for it in elements {
                literal(it, out);
                out.push(',');
            }
            out.push(']');
        }
        ValueKind::Object(members) => {
            out.push('{');
            for it in members {
                out.push_str(&format!("{} = ", quoted(&it.key)));
                literal(&it.value, out);
                out.push(',');
            }
            out.push('}');
        }
    });
}
