//! The sections of the documentation.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
};

use smol_str::SmolStr;

use super::{
    DocsSettings, Order, Section,
    cells::{anchored, code, linked, name, plain, prose, source},
    output_type::OutputTypes,
    table::Table,
    written::{self, description, is_ignored, locked, type_cell},
};
use diagnostics::Span;
use module::{Mode, Module, Output, Resource, Variable, provider_address};
use projection::{
    condition,
    schema::{AttributeComments, RulesInWords},
};
use stack::guarded;
use system::System;
use tf_eval::Meter;
use tf_value::{
    Type, Value,
    typeexpr::{Defaults, type_source, value_source},
};

/// How deep attributes are listed.
const DEEPEST: usize = 12;

/// The sections that the settings name, each with its heading; ends in a line end. `meter` counts the work.
pub fn markdown(
    module: &Module,
    system: &dyn System,
    settings: &DocsSettings,
    meter: &Meter,
) -> String {
    let words = RulesInWords::of(module);
    let writer = Writer { module, words: &words, system, settings, meter };
    let sections = settings.sections.iter().filter_map(|it| writer.section(*it));
    let sections: Vec<String> = sections.collect();
    sections.join("\n")
}

struct Writer<'m> {
    module: &'m Module,
    words: &'m RulesInWords<'m>,
    system: &'m dyn System,
    settings: &'m DocsSettings,
    meter: &'m Meter,
}

impl Writer<'_> {
    /// A section; `None` for one that is left out because it would be empty.
    fn section(&self, section: Section) -> Option<String> {
        let (title, none, body) = match section {
            Section::Header => return self.text_of(&self.settings.header_from),
            Section::Footer => return self.text_of(self.settings.footer_from.as_deref()?),
            Section::Requirements => ("Requirements", "No requirements.", self.requirements()),
            Section::Providers => ("Providers", "No providers.", self.providers()),
            Section::Modules => ("Modules", "No modules.", self.modules()),
            Section::Resources => ("Resources", "No resources.", self.resources()),
            Section::Inputs => ("Inputs", "No inputs.", self.inputs()),
            Section::NestedInputs => ("Nested inputs", "No input has attributes.", self.nested()),
            Section::Rules => ("Rules", "No input has rules.", self.rules()),
            Section::Outputs => ("Outputs", "No outputs.", self.outputs()),
        };
        if body.is_empty() && self.settings.hides_empty {
            return None;
        }
        let heading = self.heading(0, title);
        let body = if body.is_empty() { format!("{none}\n") } else { body };
        Some(format!("{heading}\n{body}"))
    }

    /// The text of a file; `None` if it contains a secret default.
    fn text_of(&self, file: &str) -> Option<String> {
        let text = written::section(self.module, file, self.system, self.settings)?;
        (!self.words.secrets().are_in_text(None, &text)).then_some(text)
    }

    /// A name that links lead to, if the settings want it.
    fn named(&self, kind: &str, text: &str) -> String {
        if self.settings.has_anchors { anchored(kind, text) } else { name(text) }
    }

    /// The comment above a block that has no description, if the settings want it.
    fn comment(&self, block: Span) -> Option<String> {
        if self.settings.reads_comments { description(self.module, block) } else { None }
    }

    fn heading(&self, below: usize, title: &str) -> String {
        let level = (usize::from(self.settings.heading_level) + below).min(6);
        format!("{} {title}\n", "#".repeat(level))
    }

    fn table(&self, table: &Table) -> String {
        let mut out = String::new();
        if !table.is_empty() {
            table.write(self.settings.lists, &mut out);
        }
        out
    }

    fn requirements(&self) -> String {
        let mut table = Table::new(&["Name", "Version"]);
        for it in &self.module.required_versions {
            let product = if it.is_of_tofu { "opentofu" } else { "terraform" };
            table.row(vec![self.named("requirement", product), plain(&it.text)]);
        }
        for (local, it) in &self.module.required_providers {
            if let Some(version) = &it.version {
                table.row(vec![self.named("requirement", local), plain(version)]);
            }
        }
        self.table(&table)
    }

    fn providers(&self) -> String {
        let mut used: BTreeSet<SmolStr> = BTreeSet::new();
        for resource in self.resources_shown() {
            used.insert(provider_of(resource));
        }
        let required = &self.module.required_providers;
        used.extend(required.values().flat_map(|it| it.aliases.iter().cloned()));
        let locked = match self.settings.reads_locks {
            true => locked(self.module, self.system),
            false => BTreeMap::new(),
        };
        let mut table = Table::new(&["Name", "Source", "Version"]);
        for provider in &used {
            let local = provider.split('.').next().unwrap_or_default();
            let source = self.source_of(local);
            let product = self.module.release.product();
            let version = locked.get(&provider_address(Some(&source), local, product)).cloned();
            let declared = || Some(required.get(local)?.version.as_ref()?.to_string());
            let version = version.or_else(declared).unwrap_or_else(|| NONE.to_owned());
            let page = self.provider_page(local).map(|it| format!("{it}/docs"));
            let shown = linked(&self.address(&source), page.as_deref());
            table.row(vec![self.named("provider", provider), shown, plain(&version)]);
        }
        self.table(&table)
    }

    /// The source of a provider; one that declares none comes from HashiCorp.
    fn source_of(&self, local: &str) -> String {
        let declared = self.module.required_providers.get(local).and_then(|it| it.source.clone());
        match declared {
            Some(it) => it.to_string(),
            None if local == "terraform" => "terraform.io/builtin/terraform".to_owned(),
            None => format!("hashicorp/{local}"),
        }
    }

    /// The page of a provider in Terraform's registry: of the version that is required, if it is one.
    fn provider_page(&self, local: &str) -> Option<String> {
        let source = self.source_of(local);
        let source = source.strip_prefix("registry.terraform.io/").unwrap_or(&source);
        if source.split('/').count() != 2 || !source.split('/').all(is_plain) {
            return None;
        }
        let version =
            self.module.required_providers.get(local).and_then(|it| it.version.as_deref());
        let version = exact(version.unwrap_or_default()).unwrap_or("latest");
        Some(format!("{REGISTRY}/providers/{source}/{version}"))
    }

    fn modules(&self) -> String {
        let mut table = self.described_table(&["Name", "Source", "Version", "Description"]);
        let calls = self.module.calls.values();
        for call in calls.filter(|it| !is_ignored(self.module, it.span)) {
            let source = call.source.as_ref().map(|it| it.0.as_str()).unwrap_or_default();
            let version = call.version.as_ref().map(|it| it.0.as_str()).unwrap_or_default();
            let shown = linked(&self.address(source), module_page(source, version).as_deref());
            let version = if version.is_empty() { NONE.to_owned() } else { plain(version) };
            let mut row = vec![self.named("module", &call.name), shown, version];
            row.extend(self.described(call.span));
            table.row(row);
        }
        self.table(&table)
    }

    /// A table whose last column has the comments above the blocks, if the settings want it.
    fn described_table(&self, columns: &'static [&'static str]) -> Table {
        let left_out = usize::from(!self.settings.has_descriptions);
        Table::new(&columns[..columns.len() - left_out])
    }

    /// The cell for the comment above a block, if the table has such a column.
    fn described(&self, block: Span) -> Option<String> {
        let comment = || self.comment(block).map(|it| self.public(&it)).unwrap_or_default();
        self.settings.has_descriptions.then(comment)
    }

    fn resources_shown(&self) -> impl Iterator<Item = &Resource> {
        let all = self.module.resources.values();
        all.filter(|it| !is_ignored(self.module, it.span))
    }

    fn resources(&self) -> String {
        let mut all: Vec<(String, String, Option<String>)> = Vec::new();
        for it in self.resources_shown() {
            let (kind, place) = match it.mode {
                Mode::Managed => ("resource", "resources"),
                Mode::Data => ("data source", "data-sources"),
                Mode::Ephemeral => ("ephemeral resource", "ephemeral-resources"),
            };
            let provider = provider_of(it);
            let local = provider.split('.').next().unwrap_or_default();
            let page = || {
                let ty =
                    it.ty.strip_prefix(local).and_then(|it| it.strip_prefix('_')).unwrap_or(&it.ty);
                let page = self.provider_page(local).filter(|_| is_plain(ty))?;
                Some(format!("{page}/docs/{place}/{ty}"))
            };
            let address = format!("{}.{}", it.ty, it.name);
            let shown = linked(&name(&address), page().as_deref());
            all.push((format!("{address} {kind}"), shown, self.described(it.span)));
        }
        all.sort();
        let mut table = self.described_table(&["Name", "Type", "Description"]);
        for (key, shown, description) in all {
            let kind = key.split_once(' ').map(|it| it.1).unwrap_or_default();
            let mut row = vec![shown, kind.to_owned()];
            row.extend(description);
            table.row(row);
        }
        self.table(&table)
    }

    fn inputs(&self) -> String {
        let mut table = Table::new(&["Name", "Description", "Type", "Default", "Required"]);
        for it in self.variables() {
            let is_public = |it: &str| !self.words.secrets().are_in_text(None, it);
            let ty = type_cell(self.module, it, &is_public);
            let default = if it.is_required() { "n/a".to_owned() } else { self.default(it) };
            let required = if it.is_required() { "yes" } else { "no" };
            table.row(vec![
                self.named("input", &it.name),
                self.description(it),
                ty,
                default,
                required.to_owned(),
            ]);
        }
        self.table(&table)
    }

    /// The variables in the order that the settings want.
    fn variables(&self) -> Vec<&Variable> {
        let all = self.module.variables.values();
        let mut all: Vec<&Variable> = all.filter(|it| !is_ignored(self.module, it.span)).collect();
        match self.settings.order {
            Order::Name => all.sort_by_key(|it| &it.name),
            Order::Required => all.sort_by_key(|it| (!it.is_required(), &it.name)),
            Order::Type => all.sort_by_cached_key(|it| (it.constraint.to_string(), &it.name)),
            Order::Declared => (),
        }
        all
    }

    /// A text about no variable; empty if it contains a secret default.
    fn public(&self, text: &str) -> String {
        let is_secret = self.words.secrets().are_in_text(None, text);
        if is_secret { String::new() } else { prose(text) }
    }

    /// An address; empty if it contains a secret default.
    fn address(&self, text: &str) -> String {
        let is_secret = self.words.secrets().are_in_text(None, text);
        if is_secret { String::new() } else { plain(text) }
    }

    /// The description, and what else callers must know.
    fn description(&self, variable: &Variable) -> String {
        let is_shown = |it: &&String| !self.words.secrets().are_in_prose(variable, it);
        let mut out: Vec<String> = Vec::new();
        let written = variable.description.clone().filter(|it| !it.is_empty());
        let written = written.or_else(|| self.comment(variable.span));
        out.extend(written.as_ref().filter(is_shown).map(|it| prose(it)));
        if variable.is_sensitive() {
            out.push("*Sensitive.*".to_owned());
        }
        if variable.is_ephemeral() {
            out.push("*Ephemeral.*".to_owned());
        }
        if !variable.is_nullable() {
            out.push("*Not nullable.*".to_owned());
        }
        if let Some(it) = variable.deprecated.as_ref().filter(is_shown) {
            out.push(format!("*Deprecated:* {}", prose(it)));
        }
        out.retain(|it| !it.is_empty());
        out.join(" ")
    }

    /// The default as code.
    fn default(&self, variable: &Variable) -> String {
        if variable.is_hidden() {
            return format!("*{}*", variable.secrecy());
        }
        let written = variable.default_expr.as_ref();
        let written = written.and_then(|it| condition::fold(it, self.meter));
        let default = written.or_else(|| variable.default.clone());
        default
            .filter(Value::is_wholly_known)
            .map_or_else(String::new, |it| source(&value_source(&it)))
    }

    /// A table for each input with attributes inside.
    fn nested(&self) -> String {
        let mut out: Vec<String> = Vec::new();
        for variable in self.module.variables.values() {
            let is_public = |it: &str| !self.words.secrets().are_in_prose(variable, it);
            let comments = AttributeComments::of(self.module, variable, &is_public);
            let constraint = &variable.constraint;
            let defaults = constraint.defaults.as_ref().filter(|_| !variable.is_hidden());
            let mut table =
                Table::new(&["Attribute", "Type", "Default", "Required", "Description"]);
            attributes(&constraint.ty, defaults, &comments, "", DEEPEST, &mut table);
            if table.is_empty() {
                continue;
            }
            let kind = kind(&constraint.ty);
            let default = match variable.is_required() {
                true => "required".to_owned(),
                false => {
                    let default = self.default(variable);
                    if default.is_empty() {
                        "optional".to_owned()
                    } else {
                        format!("default {default}")
                    }
                }
            };
            let mut text = self.heading(1, &name(&variable.name));
            _ = write!(text, "\n{kind}, {default}.");
            let description = self.description(variable);
            if !description.is_empty() {
                _ = write!(text, " {description}");
            }
            _ = write!(text, "\n\n{}", self.table(&table));
            out.push(text);
        }
        out.join("\n")
    }

    fn rules(&self) -> String {
        let mut table = Table::new(&["Input", "Rule", "Message"]);
        for variable in self.module.variables.values() {
            for rule in 0..variable.validations.len() {
                let condition = || {
                    let condition = self.words.condition(variable, rule);
                    condition.map_or_else(|| "*sensitive*".to_owned(), |it| code(&it))
                };
                let words = self.words.rule(variable, rule).filter(|it| it != "nothing");
                let words = words.filter(|it| it.chars().count() < 240);
                let rule_text = words.map_or_else(condition, |it| words_cell(&it));
                let message = self.words.message(variable, rule).unwrap_or_default();
                table.row(vec![name(&variable.name), rule_text, prose(&message)]);
            }
        }
        self.table(&table)
    }

    fn outputs(&self) -> String {
        let mut table = Table::new(&["Name", "Description", "Type"]);
        let all = self.module.outputs.values();
        let mut all: Vec<&Output> = all.filter(|it| !is_ignored(self.module, it.span)).collect();
        if self.settings.order != Order::Declared {
            all.sort_by_key(|it| &it.name);
        }
        let types = OutputTypes::of(self.module, self.system, self.meter);
        for it in all {
            let written = it.description.clone().filter(|it| !it.is_empty());
            let written = written.or_else(|| self.comment(it.span));
            let mut description = written.map(|it| self.public(&it)).unwrap_or_default();
            if it.sensitive == Some(true) {
                description.push_str(if description.is_empty() {
                    "*Sensitive.*"
                } else {
                    " *Sensitive.*"
                });
            }
            if let Some(reason) = &it.deprecated {
                description = format!("{description} *Deprecated:* {}", self.public(reason));
            }
            let ty = types.whole(it).map(|it| source(&type_source(&it))).unwrap_or_default();
            table.row(vec![self.named("output", &it.name), description, ty]);
        }
        self.table(&table)
    }
}

/// Words with their patterns and values as they are: a pattern is not Markdown.
fn words_cell(words: &str) -> String {
    let is_plain = |it: char| it.is_alphanumeric() || " ,.'`\"()-".contains(it);
    if words.chars().all(is_plain) { prose(words) } else { code(words) }
}

/// The registry whose pages are linked.
const REGISTRY: &str = "https://registry.terraform.io";

/// A version that nobody requires.
const NONE: &str = "n/a";

/// Whether a text is a part of an address and nothing else.
fn is_plain(text: &str) -> bool {
    let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_' || it == '-';
    !text.is_empty() && text.chars().all(is_part)
}

/// The version that a constraint allows, if it is only one.
fn exact(constraint: &str) -> Option<&str> {
    let version = constraint.trim();
    let version = version.strip_prefix('=').map_or(version, str::trim);
    let is_part = |it: char| it.is_ascii_alphanumeric() || it == '.' || it == '-';
    let is_version =
        version.starts_with(|it: char| it.is_ascii_digit()) && version.chars().all(is_part);
    is_version.then_some(version)
}

/// The page of a module whose source is an address of Terraform's registry.
fn module_page(source: &str, version: &str) -> Option<String> {
    let address = source.split("//").next().unwrap_or_default();
    let address = address.strip_prefix("registry.terraform.io/").unwrap_or(address);
    if address.split('/').count() != 3 || !address.split('/').all(is_plain) {
        return None;
    }
    Some(format!("{REGISTRY}/modules/{address}/{}", exact(version).unwrap_or("latest")))
}

/// The provider of a resource, with its alias.
fn provider_of(resource: &Resource) -> SmolStr {
    let plain = || resource.ty.split('_').next().unwrap_or_default().into();
    resource.provider.clone().unwrap_or_else(plain)
}

/// The type without what is inside of its objects: `map(object)`.
fn kind(ty: &Type) -> String {
    fn of(ty: &Type) -> String {
        guarded(|| match ty {
            Type::Object(_) => "object".to_owned(),
            Type::Tuple(_) => "tuple".to_owned(),
            Type::List(it) => format!("list({})", of(it)),
            Type::Set(it) => format!("set({})", of(it)),
            Type::Map(it) => format!("map({})", of(it)),
            other => type_source(other),
        })
    }
    code(&of(ty))
}

/// Adds the attributes of all objects in a type. `path` leads to the type: `rules[*].` or `<key>.`.
fn attributes(
    ty: &Type,
    defaults: Option<&Defaults>,
    comments: &AttributeComments,
    path: &str,
    depth: usize,
    table: &mut Table,
) {
    let Some(depth) = depth.checked_sub(1) else { return };
    let child = |key: &str| defaults.and_then(|it| it.children.get(key));
    guarded(|| match ty {
        Type::List(element) | Type::Set(element) => {
            let path = format!("{}[*]", path.trim_end_matches('.'));
            attributes(element, child(""), comments.elements(), &format!("{path}."), depth, table);
        }
        Type::Map(element) => {
            let path = format!("{path}<key>.");
            attributes(element, child(""), comments.elements(), &path, depth, table);
        }
        Type::Tuple(all) => {
            for (index, ty) in all.iter().enumerate() {
                let key = index.to_string();
                let path = format!("{}[{key}].", path.trim_end_matches('.'));
                attributes(ty, child(&key), comments.attribute(&key), &path, depth, table);
            }
        }
        Type::Object(object) => {
            let order = comments.order();
            let mut names: Vec<&SmolStr> =
                order.iter().filter(|it| object.attributes.contains_key(*it)).collect();
            names.extend(object.attributes.keys().filter(|it| !order.contains(it)));
            for attribute in names {
                let ty = &object.attributes[attribute];
                let is_optional = object.optional.contains(attribute);
                let written =
                    defaults.and_then(|it| it.written.get(attribute).or(it.values.get(attribute)));
                let default = match (is_optional, written) {
                    (false, _) => "n/a".to_owned(),
                    (true, Some(it)) => source(&value_source(it)),
                    (true, None) => code("null"),
                };
                let required = if is_optional { "no" } else { "yes" };
                let description = comments.text(attribute).map(prose).unwrap_or_default();
                table.row(vec![
                    code(&format!("{path}{attribute}")),
                    kind(ty),
                    default,
                    required.to_owned(),
                    description,
                ]);
                let path = format!("{path}{attribute}.");
                let inner = comments.attribute(attribute);
                attributes(ty, child(attribute), inner, &path, depth, table);
            }
        }
        _ => (),
    });
}
