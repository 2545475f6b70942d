//! Schemas of many modules, with values and our verdict on them.

use std::{fs, path::Path, sync::OnceLock};

use diagnostics::lints;
use module::Module;
use projection::schema::{self, Draft, SchemaOptions};
use serde_json::{Map, Value};
use system::{EntryKind, OsSystem, System};
use testkit::{
    condition::values::{Pool, Random},
    modules::module,
    validator::validator,
};

/// A module's schema in every form that it can be written in, and values.
pub struct Subject {
    pub name: String,
    pub forms: Vec<Form>,
    pub values: Vec<Value>,
}

pub struct Form {
    pub draft: Draft,
    pub annotated: bool,
    pub schema: Value,
    /// Ours on each of the values.
    pub verdicts: Vec<bool>,
}

/// Of all modules ([`each_module`]).
pub fn subjects() -> &'static [Subject] {
    static ALL: OnceLock<Vec<Subject>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut all = Vec::new();
        each_module(&mut |name, module| all.push(subject(name, module)));
        all
    })
}

/// The examples and the modules in `tests/spec`, or, where `TERRASCHEMA_MODULES` names a directory,
/// the modules below that; one after another, because there may be thousands.
pub fn each_module(visit: &mut dyn FnMut(&str, &Module)) {
    if let Some(root) = std::env::var_os("TERRASCHEMA_MODULES") {
        return below(Path::new(&root), visit);
    }
    below(Path::new("examples"), visit);
    ["conditions", "schema"].iter().for_each(|it| in_pages(it, visit));
}

fn below(dir: &Path, visit: &mut dyn FnMut(&str, &Module)) {
    let Ok(entries) = OsSystem.list(dir) else { return };
    if let Ok((module, problems)) = module::load(&OsSystem, dir, &module::LoadOptions::default())
        && !module.variables.is_empty()
        && !problems
            .iter()
            .any(|it| it.rule.is_one_of(&[&lints::INVALID_SYNTAX, &lints::INVALID_VARIABLE]))
    {
        visit(&dir.display().to_string(), &module);
    }
    for entry in entries.iter().filter(|it| it.kind == EntryKind::Directory) {
        if !entry.name.starts_with('.') {
            below(&dir.join(&entry.name), visit);
        }
    }
}

fn in_pages(name: &str, visit: &mut dyn FnMut(&str, &Module)) {
    for entry in fs::read_dir(Path::new("tests/spec").join(name)).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        for section in text.split("\n## ").skip(1) {
            let hcl = section.split("```hcl\n").nth(1).unwrap().split("```").next().unwrap();
            let title = section.lines().next().unwrap();
            visit(&format!("{}: {title}", path.display()), &module(hcl));
        }
    }
}

fn subject(name: &str, module: &Module) -> Subject {
    let mut forms = Vec::new();
    for draft in Draft::ALL {
        for annotated in [false, true] {
            let options =
                SchemaOptions { draft, annotations: annotated, ..SchemaOptions::default() };
            let schema: Value = schema::generate(module, &options).schema.to_json().to_serde();
            forms.push(Form { draft, annotated, schema, verdicts: Vec::new() });
        }
    }
    // Parts of it are used alone.
    let inline = SchemaOptions { inline: true, ..SchemaOptions::default() };
    let values = values(module, &schema::generate(module, &inline).schema.to_json().to_serde());
    for form in &mut forms {
        let validator = validator(form.draft, &form.schema);
        // Of a count of elements draft-07 says less.
        let is_stricter = form.schema.to_string().contains("Contains\":");
        for (value, verdict) in &values {
            let own = validator.is_valid(value);
            assert!(own == *verdict || is_stricter && !own, "{name}: {value}");
            form.verdicts.push(own);
        }
    }
    let values = values.into_iter().map(|it| it.0).collect();
    Subject { name: name.to_owned(), forms, values }
}

/// Documents of all inputs. Each variable is given once a value that its own schema accepts and once one that it
/// refuses, while the others have accepted values. This works where the values that its conditions and type suggest
/// include both.
fn values(module: &Module, schema: &Value) -> Vec<(Value, bool)> {
    let mut random = Random::new(0x2545_f491_4f6c_dd1d);
    let mut sorted = Vec::new();
    for variable in module.variables.values() {
        let property = &schema["properties"][variable.name.as_str()];
        let own = validator(Draft::Draft07, property);
        let conditions: Vec<_> = variable.validations.iter().map(|it| &it.condition).collect();
        let pool = Pool::of(module, &conditions, property);
        let any = tf_value::Type::Dynamic;
        let mut value = |count: usize| {
            let ty = if count.is_multiple_of(8) { &any } else { &variable.constraint.ty };
            pool.value(ty, &mut random, 0)
        };
        let (good, bad): (Vec<_>, Vec<_>) =
            (0..40).map(&mut value).partition(|it| own.is_valid(it));
        sorted.push((variable, good, bad));
    }
    let mut documents = Vec::new();
    for at in 0..sorted.len().max(8) {
        for is_bad in [false, true] {
            let mut members = Map::new();
            for (index, (variable, good, bad)) in sorted.iter().enumerate() {
                let is_focus = index == at % sorted.len();
                if !is_focus && variable.default.is_some() && random.below(2) == 0 {
                    continue;
                }
                let from = if is_focus && is_bad && !bad.is_empty() { bad } else { good };
                if !from.is_empty() {
                    let value = from[random.below(from.len())].clone();
                    members.insert(variable.name.to_string(), value);
                }
            }
            documents.push(Value::Object(members));
        }
    }
    let whole = validator(Draft::Draft07, schema);
    let judged = documents.into_iter().map(|it| {
        let verdict = whole.is_valid(&it);
        (it, verdict)
    });
    judged.collect()
}
