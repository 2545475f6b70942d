//! The same rules in Rego: conftest finds the same addresses as ours, but where only apply can know.

use std::{collections::BTreeSet, fs, path::Path, process::Command};

use serde_json::Value;
use testkit::{
    missing::{MissingProgram, trials},
    policy::of_plan,
    workspace::Answer,
};

use crate::tools;

trials![conftest_finds_the_same_addresses_by_the_same_rules,];

/// `RULE ADDRESS` of each failure.
fn conftest(program: &Path, rules: &Path, plan: &Path) -> BTreeSet<String> {
    let mut command = Command::new(program);
    command.args(["test", "--no-color", "--output", "json", "--policy"]).arg(rules).arg(plan);
    let output = command.output().unwrap();
    let files: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|it| panic!("{it}: {}", Answer::new(output).text()));
    let failures =
        files.as_array().unwrap().iter().filter_map(|it| it["failures"].as_array()).flatten();
    failures.map(|it| it["msg"].as_str().unwrap().to_owned()).collect()
}

fn conftest_finds_the_same_addresses_by_the_same_rules() -> Result<(), MissingProgram> {
    let program = tools::conftest()?;
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/policy");
    let rules = fs::read_to_string(data.join("rego/thirty.rules.hcl")).unwrap();
    let mut failing = BTreeSet::new();
    for (name, least) in
        [("provider/first", 100), ("provider/second", 100), ("modes/values", 15), ("needs", 1)]
    {
        let plan = data.join(name).join("plan.json");
        let theirs = conftest(&program, &data.join("rego"), &plan);
        let judged = of_plan(&fs::read_to_string(&plan).unwrap(), None, &rules);
        let (mut errors, mut open) = (BTreeSet::new(), BTreeSet::new());
        for it in &judged.findings {
            let id = it.rule.as_str().strip_prefix("policy/").unwrap_or_else(|| panic!("{it:#?}"));
            let all = if it.level.as_str() == "error" { &mut errors } else { &mut open };
            all.insert(format!("{id} {}", it.address));
            failing.insert(id.to_owned());
        }
        let missed: Vec<_> = errors.difference(&theirs).collect();
        assert!(missed.is_empty(), "{name}: conftest does not find {missed:#?}");
        let both = errors.union(&open).cloned().collect();
        let missed: Vec<_> = theirs.difference(&both).collect();
        assert!(missed.is_empty(), "{name}: only conftest finds {missed:#?}");
        assert!(errors.len() >= least, "{name}: {}", errors.len());
        eprintln!(
            "{name}: {} addresses, {} undecided, {} of which conftest takes for wrong",
            errors.len(),
            open.len(),
            open.intersection(&theirs).count()
        );
    }
    assert!(failing.len() >= 30, "{failing:?}");
    Ok(())
}
