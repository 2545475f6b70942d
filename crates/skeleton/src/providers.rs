//! The providers of a module, as its callers and tests configure them.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
};

use smol_str::SmolStr;

use super::write::string;
use module::Module;

/// The providers that a module uses.
pub struct Providers {
    /// Local name: source and version constraint.
    all: BTreeMap<SmolStr, (Option<SmolStr>, Option<SmolStr>)>,
    /// `NAME.ALIAS`, for each configuration that a caller must pass.
    aliases: Vec<SmolStr>,
    required_version: Option<String>,
}

impl Providers {
    pub fn of(module: &Module) -> Providers {
        let mut all = BTreeMap::new();
        let mut aliases: BTreeSet<SmolStr> = BTreeSet::new();
        for resource in module.resources.values() {
            let own = resource.provider.as_ref().and_then(|it| it.split('.').next());
            let name = own.or_else(|| resource.ty.split('_').next()).unwrap_or_default();
            if name != "terraform" && !name.is_empty() {
                all.insert(SmolStr::new(name), (None, None));
            }
        }
        for (name, it) in &module.required_providers {
            if !it.is_built_in(name) {
                all.insert(name.clone(), (it.source.clone(), it.version.clone()));
            }
            aliases.extend(it.aliases.iter().cloned());
        }
        let required = module.required_versions.iter().filter(|it| !it.is_of_tofu);
        let required_version = required.map(|it| it.text.clone()).next();
        Providers { all, aliases: aliases.into_iter().collect(), required_version }
    }

    /// The argument `providers` of a call, if the caller must pass configurations.
    pub fn passed(&self) -> Option<String> {
        if self.aliases.is_empty() {
            return None;
        }
        let mut out = String::from("providers = {\n");
        let plain = self.all.keys().filter(|name| self.aliases.iter().any(|it| of(it) == **name));
        let names: Vec<&SmolStr> = plain.chain(&self.aliases).collect();
        let width = names.iter().map(|it| it.chars().count()).max().unwrap_or(0);
        for it in names {
            _ = writeln!(out, "  {it:width$} = {it}");
        }
        out.push_str("}\n");
        Some(out)
    }

    /// A `mock_provider` block for each configuration.
    pub fn mocks(&self) -> String {
        let mut out = String::new();
        for name in self.all.keys() {
            _ = writeln!(out, "mock_provider {} {{}}\n", string(name));
        }
        for it in &self.aliases {
            let (name, alias) = it.split_once('.').unwrap_or((it, ""));
            let (name, alias) = (string(name), string(alias));
            _ = writeln!(out, "mock_provider {name} {{\n  alias = {alias}\n}}\n");
        }
        out
    }

    /// A `terraform` block with the versions, and a `provider` block for each configuration that needs one.
    pub fn settings(&self) -> String {
        let mut out = String::new();
        let sourced = self.all.iter().filter(|it| it.1.0.is_some());
        let sourced: Vec<_> = sourced.collect();
        if self.required_version.is_some() || !sourced.is_empty() {
            out.push_str("terraform {\n");
            if let Some(it) = &self.required_version {
                _ = writeln!(out, "  required_version = {}", string(it));
            }
            if !sourced.is_empty() {
                out.push_str(if self.required_version.is_some() { "\n" } else { "" });
                out.push_str("  required_providers {\n");
                for (name, (source, version)) in sourced {
                    let source = string(source.as_deref().unwrap_or_default());
                    _ = match version {
                        Some(it) => writeln!(
                            out,
                            "    {name} = {{\n      source  = {source}\n      version = {}\n    }}",
                            string(it)
                        ),
                        None => writeln!(out, "    {name} = {{\n      source = {source}\n    }}"),
                    };
                }
                out.push_str("  }\n");
            }
            out.push_str("}\n\n");
        }
        for name in self.all.keys() {
            out.push_str(&configuration(name, None));
        }
        for it in &self.aliases {
            let (name, alias) = it.split_once('.').unwrap_or((it, ""));
            out.push_str(&configuration(name, Some(alias)));
        }
        out
    }
}

/// The provider of `NAME.ALIAS`.
fn of(alias: &str) -> &str {
    alias.split('.').next().unwrap_or_default()
}

/// A `provider` block, for the providers that do nothing without one and for aliases.
fn configuration(name: &str, alias: Option<&str>) -> String {
    let arguments: &[&str] = match name {
        "aws" => &["region = \"us-east-1\""],
        "azurerm" => &["features {}"],
        "google" | "google-beta" => {
            &["project = \"example-project\"", "region  = \"europe-west1\""]
        }
        _ => &[],
    };
    if arguments.is_empty() && alias.is_none() {
        return String::new();
    }
    let mut out = format!("provider {} {{\n", string(name));
    if let Some(it) = alias {
        let alias = if name == "aws" {
            "alias "
        } else if arguments.len() > 1 {
            "alias  "
        } else {
            "alias"
        };
        _ = writeln!(out, "  {alias} = {}", string(it));
    }
    arguments.iter().for_each(|it| _ = writeln!(out, "  {it}"));
    out + "}\n\n"
}
