//! What the evaluator accepts, the schema accepts; what an exact translation refuses, the evaluator
//! refuses: over generated canonical values for every condition.
//!
//! A translation counts as exact only when 50 values that the condition accepts and 50 that it
//! refuses were tried, or all there are; as necessary only when it refuses one of them.
//!
//! `TERRASCHEMA_MODULES` names directories (separated by `:`) whose modules are tried, too,
//! `TERRASCHEMA_VALUES` how many values for each condition at most (3000), `TERRASCHEMA_SEED`
//! other ones; with `TERRASCHEMA_REASONS` every different condition is listed.

use std::{collections::BTreeMap, fs, path::Path};

use diagnostics::lints;
use module::{Module, Variable};
use projection::{
    condition::Fidelity,
    schema::{self, Draft, SchemaOptions},
};
use rayon::prelude::*;
use release::Release;
use system::{EntryKind, OsSystem, System};
use testkit::{
    condition::evidence::{Evidence, Subject, holds},
    modules::module,
};

/// One condition, as judged.
struct Judged {
    place: String,
    text: String,
    claimed: Fidelity,
    proven: Fidelity,
    reasons: String,
    evidence: Evidence,
}

#[test]
fn no_schema_is_stronger_than_its_conditions() {
    let mut judged = Vec::new();
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/spec/conditions");
    for entry in fs::read_dir(dir).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        for section in text.split("```hcl\n").skip(1) {
            let module = module(section.split("```").next().unwrap());
            judged.extend(judge("tests/spec", &module, count(1500)));
        }
    }
    let report = report(1, &judged);
    assert!(judged.iter().all(|it| it.evidence.wrong.is_empty()), "{}", wrong(&judged));
    let unproven = judged.iter().filter(|it| it.proven > it.claimed);
    let line = |it: &Judged| {
        let Evidence { accepted, refused, .. } = it.evidence;
        format!("{} ({accepted} accepted, {refused} refused)", it.text)
    };
    let unproven: Vec<_> = unproven.map(line).collect();
    let few = unproven.len() * 10 < judged.len();
    assert!(few, "{report}claims without evidence:\n{}", unproven.join("\n"));
}

#[test]
fn no_schema_of_given_modules_is_stronger_than_its_conditions() {
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
    let roots = std::env::var("TERRASCHEMA_MODULES").unwrap_or_else(|_| examples.to_owned());
    let mut dirs = Vec::new();
    roots.split(':').for_each(|it| directories(Path::new(it), &mut dirs));
    let modules: Vec<_> = dirs.par_iter().map(|it| directory(Path::new(it))).collect();
    let count = modules.iter().flatten().count();
    let judged: Vec<_> = modules.into_iter().flatten().flatten().collect();
    eprint!("{}", report(count, &judged));
    assert!(!judged.is_empty(), "no conditions below {roots}");
    if std::env::var_os("TERRASCHEMA_REASONS").is_some() {
        for (text, it) in different(&judged) {
            let Judged { claimed, proven, reasons, place, .. } = it;
            let (claimed, proven) = (claimed.as_str(), proven.as_str());
            let counts = format!("{}+{}", it.evidence.accepted, it.evidence.refused);
            eprintln!("{claimed}\t{proven}\t{counts}\t{reasons}\t{text}\t{place}");
        }
    }
    assert!(judged.iter().all(|it| it.evidence.wrong.is_empty()), "{}", wrong(&judged));
}

fn wrong(judged: &[Judged]) -> String {
    let each = |it: &Judged| {
        let lines: Vec<_> = it.evidence.wrong.iter().take(3).cloned().collect();
        format!("{}: {}\n  {}\n", it.place, it.text, lines.join("\n  "))
    };
    judged.iter().filter(|it| !it.evidence.wrong.is_empty()).map(each).collect()
}

/// Each condition once, where it came out worst.
fn different(judged: &[Judged]) -> BTreeMap<&str, &Judged> {
    let mut out: BTreeMap<&str, &Judged> = BTreeMap::new();
    for it in judged {
        let worst = out.entry(&it.text).or_insert(it);
        if it.proven > worst.proven {
            *worst = it;
        }
    }
    out
}

fn report(modules: usize, judged: &[Judged]) -> String {
    let different = different(judged);
    let line = |name: &str, all: &[&Judged]| {
        let count = |test: &dyn Fn(&&&Judged) -> bool| all.iter().filter(|it| test(it)).count();
        let [exact, necessary, untranslated] =
            [Fidelity::Exact, Fidelity::Necessary, Fidelity::Untranslated]
                .map(|kind| count(&|it| it.proven == kind));
        let unproven = count(&|it| it.proven != it.claimed);
        let percent = |n: usize| format!("{:.1} %", percent(n, all.len()));
        format!(
            "{name}: {}; exact {exact} ({}), exact or necessary {} ({}), untranslated \
             {untranslated}; claims without evidence {unproven}\n",
            all.len(),
            percent(exact),
            exact + necessary,
            percent(exact + necessary),
        )
    };
    let all: Vec<_> = judged.iter().collect();
    let different: Vec<_> = different.into_values().collect();
    let tried: usize = judged.iter().map(|it| it.evidence.tried).sum();
    let wrong: usize = judged.iter().map(|it| it.evidence.wrong.len()).sum();
    format!(
        "modules: {modules}; values tried: {tried}; violations: {wrong}\n{}{}",
        line("conditions", &all),
        line("different conditions", &different)
    )
}

#[expect(clippy::cast_precision_loss, reason = "small counts")]
fn percent(part: usize, all: usize) -> f64 {
    part as f64 * 100.0 / all.max(1) as f64
}

fn directories(dir: &Path, out: &mut Vec<String>) {
    let Ok(entries) = OsSystem.list(dir) else { return };
    out.push(dir.display().to_string());
    for entry in entries.iter().filter(|it| it.kind == EntryKind::Directory) {
        if !entry.name.starts_with('.') {
            directories(&dir.join(&entry.name), out);
        }
    }
}

/// `None` for a directory that is not a module, or that Terraform cannot read as one.
fn directory(dir: &Path) -> Option<Vec<Judged>> {
    let (module, problems) = module::load(&OsSystem, dir, &module::LoadOptions::default()).ok()?;
    if module.variables.is_empty() {
        return None;
    }
    let refused = problems.iter().find(|it| {
        it.is_error() && it.rule == lints::INVALID_SYNTAX || it.rule == lints::INVALID_VARIABLE
    });
    if let Some(problem) = refused {
        eprintln!("{}: {}", dir.display(), problem.message());
        return None;
    }
    Some(judge(&dir.display().to_string(), &module, count(3000)))
}

fn count(default: usize) -> usize {
    number("TERRASCHEMA_VALUES").unwrap_or(default)
}

fn number(name: &str) -> Option<usize> {
    std::env::var(name).ok()?.parse().ok()
}

/// Each condition by itself, and then each variable with all of its conditions.
fn judge(name: &str, module: &Module, values: usize) -> Vec<Judged> {
    let mut out = Vec::new();
    // Parts of it are used alone.
    let inline = SchemaOptions { inline: true, ..SchemaOptions::default() };
    let json = schema::generate(module, &inline).schema.to_json().to_serde();
    for draft in Draft::ALL {
        let options = SchemaOptions { draft, annotations: true, ..SchemaOptions::default() };
        let json = schema::generate(module, &options).schema.to_json().to_serde();
        let malformed = jsonschema::meta::validate(&json).err().map(|it| it.to_string());
        assert!(malformed.is_none(), "{name}: not a schema of {}: {malformed:?}", draft.as_str());
    }
    for variable in module.variables.values() {
        let first = out.len();
        for index in 0..variable.validations.len() {
            out.push(condition(name, module, variable, index, values));
        }
        if let Some(it) = out.get_mut(first) {
            it.evidence.wrong.extend(whole(module, variable, &json["properties"]));
        }
    }
    out
}

fn condition(
    name: &str,
    module: &Module,
    variable: &Variable,
    index: usize,
    values: usize,
) -> Judged {
    let mut subject = Subject::new(module, variable, index);
    let translation = subject.translation();
    let text = module.sources.snippet(variable.validations[index].condition.span);
    let text = text.replace(&format!("var.{}", variable.name), "var.SELF");
    let reasons: Vec<_> =
        translation.region.losses.iter().map(|it| it.reason.to_string()).collect();
    let claimed = translation.fidelity();
    let seed = 0x9e37_79b9_7f4a_7c15 ^ number("TERRASCHEMA_SEED").unwrap_or_default() as u64;
    let mut evidence = subject.judge(values, seed, false);
    let nullable = subject.judge(values / 4, seed, true);
    evidence.wrong.extend(nullable.wrong.iter().map(|it| format!("nullable_all: {it}")));
    // Only what the other draft says otherwise has to be tried again.
    subject.draft = Draft::Draft202012;
    if subject.translation() != translation {
        let newer = subject.judge(values, seed, false);
        evidence.wrong.extend(newer.wrong.iter().map(|it| format!("2020-12: {it}")));
        let nullable = subject.judge(values / 4, seed, true);
        evidence.wrong.extend(nullable.wrong.iter().map(|it| format!("2020-12, nullable: {it}")));
    }
    Judged {
        place: format!("{name}: {}", variable.name),
        text: text.split_whitespace().collect::<Vec<_>>().join(" "),
        claimed,
        proven: evidence.proven(claimed),
        reasons: reasons.join("; "),
        evidence,
    }
}

/// A default that all conditions accept passes.
fn whole(module: &Module, variable: &Variable, properties: &serde_json::Value) -> Option<String> {
    let property = &properties[variable.name.as_str()];
    let default = property.get("default")?;
    let value = variable.default.as_ref()?;
    if value.is_null() {
        return None;
    }
    for index in 0..variable.validations.len() {
        let subject = Subject::new(module, variable, index);
        let absent = serde_json::json!({});
        if holds(&subject.module, &subject.name, &absent, Release::NEWEST) != Some(true) {
            return None;
        }
    }
    let error = jsonschema::draft7::new(property).unwrap().validate(default).err()?;
    Some(format!("default {default}: {error}"))
}
