//! The configuration as a plan has it: references of arguments, calls, providers.

use std::collections::BTreeMap;

use foldhash::HashMap;
use serde::Deserialize;
use serde_json::value::RawValue;
use smol_str::SmolStr;

use super::PlanJson;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PlanConfiguration {
    pub provider_config: BTreeMap<String, ProviderConfig>,
    pub root_module: Module,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct ProviderConfig {
    pub name: SmolStr,
    pub full_name: Option<SmolStr>,
    pub alias: Option<SmolStr>,
    pub module_address: Option<String>,
    pub version_constraint: Option<String>,
    pub expressions: PlanJson,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Module {
    pub resources: Vec<Resource>,
    #[serde(rename = "module_calls")]
    pub calls: BTreeMap<String, Call>,
    pub variables: BTreeMap<String, Variable>,
    pub outputs: BTreeMap<String, Output>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Resource {
    pub address: SmolStr,
    /// JSON that is parsed on demand, which is seldom.
    expressions: Option<Box<RawValue>>,
}

impl Resource {
    /// The arguments of the block.
    pub fn expressions(&self) -> PlanJson {
        let text = self.expressions.as_ref().map(|it| it.get());
        text.and_then(|it| serde_json::from_str(it).ok()).unwrap_or_default()
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Call {
    pub source: Option<String>,
    pub version_constraint: Option<String>,
    pub expressions: PlanJson,
    pub module: Module,
    pub count_expression: Option<serde::de::IgnoredAny>,
    pub for_each_expression: Option<serde::de::IgnoredAny>,
}

impl Call {
    pub fn is_repeated(&self) -> bool {
        self.count_expression.is_some() || self.for_each_expression.is_some()
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Variable {
    pub sensitive: bool,
    pub description: Option<String>,
    pub default: Option<PlanJson>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Output {
    pub expression: PlanJson,
    pub sensitive: bool,
    pub description: Option<String>,
}

impl PlanConfiguration {
    /// The blocks of resources, by the address without keys.
    pub fn resources(&self) -> HashMap<String, &Resource> {
        let mut found = HashMap::default();
        self.each_module(&mut |path, module| {
            for it in &module.resources {
                found.insert(format!("{path}{}", it.address), it);
            }
        });
        found
    }

    /// Visits each module of the tree with the prefix of its addresses.
    pub fn each_module<'a>(&'a self, visit: &mut dyn FnMut(&str, &'a Module)) {
        each_module("", &self.root_module, visit);
    }
}

/// Recursion is safe: the reader of JSON accepts at most 128 levels.
fn each_module<'a>(path: &str, module: &'a Module, visit: &mut dyn FnMut(&str, &'a Module)) {
    visit(path, module);
    for (name, call) in &module.calls {
        each_module(&format!("{path}module.{name}."), &call.module, visit);
    }
}

/// The address of a resource's block: without the keys of instances.
pub fn without_keys(address: &str) -> String {
    let mut plain = String::with_capacity(address.len());
    let (mut is_inside, mut is_quoted, mut is_escaped) = (false, false, false);
    for it in address.chars() {
        if is_quoted {
            is_quoted = is_escaped || it != '"';
            is_escaped = !is_escaped && it == '\\';
        } else if is_inside {
            is_quoted = it == '"';
            is_inside = it != ']';
        } else if it == '[' {
            is_inside = true;
        } else {
            plain.push(it);
        }
    }
    plain
}
