//! A provider of the tests' own, built with the plugin SDK: the recorded plans of `tests/data/policy/provider` are
//! those that Terraform makes today.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;
use testkit::{
    missing::{MissingProgram, trials},
    program::Program,
    workspace::Answer,
};

use crate::tools;

trials![the_recorded_plans_are_those_of_terraform,];

/// Parts of a plan that are not read here, and that differ each time.
const LEFT_OUT: [&str; 3] = ["planned_values", "relevant_attributes", "timestamp"];

/// Terraform in a directory that knows the provider.
struct Terraform {
    program: PathBuf,
    dir: tempfile::TempDir,
}

impl Terraform {
    fn run(&self, words: &str) -> String {
        let mut command = Command::new(&self.program);
        command.args(words.split(' ')).current_dir(self.dir.path());
        command.env("TF_CLI_CONFIG_FILE", self.dir.path().join("dev.tfrc"));
        command.env("CHECKPOINT_DISABLE", "1");
        let output = command.output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{words}: {}", Answer::new(output).text());
        text
    }

    /// Plans the module in a directory; the plan as it is recorded.
    fn plan(&self, module: &Path) -> String {
        for part in ["", "group"] {
            let (from, to) = (module.join(part), self.dir.path().join(part));
            fs::create_dir_all(&to).unwrap();
            fs::copy(from.join("main.tf"), to.join("main.tf")).unwrap();
        }
        self.run("get");
        self.run("plan -no-color -input=false -out=plan.bin");
        recorded(serde_json::from_str(&self.run("show -json plan.bin")).unwrap())
    }
}

/// One change a line, the rest in a line each.
fn recorded(mut plan: Value) -> String {
    let members = plan.as_object_mut().unwrap();
    members.retain(|name, _| !LEFT_OUT.contains(&name.as_str()));
    let member = |(name, value): (&String, &Value)| match value {
        Value::Array(changes) if name == "resource_changes" => {
            let lines: Vec<String> = changes.iter().map(Value::to_string).collect();
            format!("\"{name}\": [\n{}\n]", lines.join(",\n"))
        }
        _ => format!("\"{name}\": {value}"),
    };
    let members: Vec<String> = members.iter().map(member).collect();
    format!("{{\n{}\n}}\n", members.join(",\n"))
}

/// With `UPDATE=1` it writes them.
fn the_recorded_plans_are_those_of_terraform() -> Result<(), MissingProgram> {
    let provider = tools::shapes()?;
    let program = Program::recorded().ok_or_else(MissingProgram::terraform)?.path;
    let terraform = Terraform { program, dir: tempfile::tempdir().unwrap() };
    let settings = format!(
        "provider_installation {{\n  dev_overrides {{ \"example/shapes\" = \"{}\" }}\n  direct {{}}\n}}\n",
        provider.parent().unwrap().display().to_string().replace('\\', "/")
    );
    fs::write(terraform.dir.path().join("dev.tfrc"), settings).unwrap();
    let modules = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/policy/provider");
    for name in ["first", "second"] {
        let file = modules.join(name).join("plan.json");
        let plan = terraform.plan(&modules.join(name));
        if env::var_os("UPDATE").is_some() {
            fs::write(&file, &plan).unwrap();
        }
        let found: Value = serde_json::from_str(&plan).unwrap();
        let expected: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
        assert!(found == expected, "{name}: UPDATE=1 writes what Terraform plans today");
        terraform.run("apply -no-color -input=false plan.bin");
    }
    Ok(())
}
