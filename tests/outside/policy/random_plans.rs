//! Modules of random expressions, planned by Terraform: a configuration shows what their plans know
//! (`TERRASCHEMA_SEED`).

use std::{fs, path::Path, process::Command};

use testkit::{
    missing::{MissingProgram, trials},
    policy::agree,
    program::Program,
    random::Random,
};

trials![both_modes_agree_on_plans_of_random_modules, references_to_what_is_written_are_known];

/// Plans a module's directory; `None` where Terraform rejects it.
fn planned(program: &Program, dir: &Path) -> Option<String> {
    let run = |arguments: &[&str]| {
        let mut command = Command::new(&program.path);
        command.args(arguments).current_dir(dir).env("TF_CLI_CONFIG_FILE", dir.join("empty.tfrc"));
        let output = command.output().unwrap();
        if !output.status.success() {
            eprintln!("{}", String::from_utf8_lossy(&output.stderr));
        }
        output.status.success().then(|| String::from_utf8(output.stdout).unwrap())
    };
    fs::write(dir.join("empty.tfrc"), "").unwrap();
    run(&["init", "-backend=false", "-no-color"])?;
    run(&["plan", "-out=plan.bin", "-no-color", "-input=false"])?;
    run(&["show", "-json", "plan.bin"])
}

fn both_modes_agree_on_plans_of_random_modules() -> Result<(), MissingProgram> {
    let program = Program::recorded().ok_or_else(MissingProgram::terraform)?;
    let seed = std::env::var("TERRASCHEMA_SEED").ok().and_then(|it| it.parse().ok()).unwrap_or(1);
    let mut random = Random::new(seed);
    let (mut known, mut all) = (0, 0);
    for _ in 0..3 {
        let dir = tempfile::tempdir().unwrap();
        for (path, text) in written(&mut random) {
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let main = fs::read_to_string(dir.path().join("main.tf")).unwrap();
        let plan = planned(&program, dir.path()).unwrap_or_else(|| panic!("{main}"));
        let (told, planned) = agree(dir.path(), &plan);
        (known, all) = (known + told, all + planned);
    }
    eprintln!("seed {seed}: a configuration tells {known} of the {all} values that plans know");
    assert!(known * 10 >= all * 9, "{known} of {all}");
    Ok(())
}

/// References to arguments that other resources write, and to what only an apply knows about these.
const REFERENCES: &str = r#"
resource "terraform_data" "one" {
  input = "eu"
}
resource "terraform_data" "each" {
  for_each = { k = "us", l = "eu" }
  input    = each.value
}
resource "terraform_data" "count" {
  count = 2
  input = "n${count.index}"
}
resource "terraform_data" "known" {
  input = [
    terraform_data.one.input,
    terraform_data.each["k"].input,
    terraform_data.count[1].input,
    module.m.back,
    "${terraform_data.one.input}-1",
  ]
}
resource "terraform_data" "computed" {
  input = terraform_data.one.output
}
module "m" {
  source = "./child"
  given  = terraform_data.one.input
}
"#;

fn references_to_what_is_written_are_known() -> Result<(), MissingProgram> {
    let program = Program::recorded().ok_or_else(MissingProgram::terraform)?;
    let dir = tempfile::tempdir().unwrap();
    let child = "variable \"given\" {}\nresource \"terraform_data\" \"in\" {\n  input = var.given\n}\n\
                 output \"back\" {\n  value = terraform_data.in.input\n}\n";
    fs::create_dir(dir.path().join("child")).unwrap();
    fs::write(dir.path().join("child/main.tf"), child).unwrap();
    fs::write(dir.path().join("main.tf"), REFERENCES).unwrap();
    let plan = planned(&program, dir.path()).unwrap();
    let (known, all) = agree(dir.path(), &plan);
    // Terraform knows all but `output`, and so does the configuration.
    assert_eq!(known, all);
    assert!(all >= 10, "{all}");
    Ok(())
}

/// A module that calls another, with random expressions in the arguments of both.
fn written(random: &mut Random) -> Vec<(&'static str, String)> {
    let mut main = String::from(
        "variable \"a\" {\n  default = \"x\"\n}\nvariable \"n\" {\n  default = 2\n}\nlocals {\n  \
         list = [\"p\", var.a, \"q\"]\n  map = { k = var.a, l = \"m\" }\n}\nresource \"terraform_data\" \
         \"base\" {\n  input = \"base\"\n}\n",
    );
    for at in 0..12 {
        let (repetition, key) = match random.below(4) {
            0 => ("  count = var.n\n", "count.index"),
            1 => ("  for_each = local.map\n", "each.value"),
            2 => ("  for_each = toset(local.list)\n", "each.key"),
            _ => ("", "var.n"),
        };
        let value = expression(random, 3, key);
        main +=
            &format!("resource \"terraform_data\" \"r{at}\" {{\n{repetition}  input = {value}\n");
        main += &format!("  triggers_replace = {}\n}}\n", expression(random, 2, key));
    }
    for at in 0..3 {
        let value = expression(random, 2, "var.n");
        main += &format!(
            "module \"m{at}\" {{\n  source = \"./child\"\n  count = {at}\n  given = {value}\n}}\n"
        );
        main += &format!("resource \"terraform_data\" \"o{at}\" {{\n  input = module.m{at}\n}}\n");
    }
    let inner = expression(random, 2, "var.given");
    let child = format!(
        "variable \"given\" {{}}\nvariable \"a\" {{\n  default = \"y\"\n}}\nvariable \"n\" {{\n  default = 1\n}}\n\
         locals {{\n  list = [\"c\"]\n  map = {{ l = \"e\" }}\n}}\nresource \"terraform_data\" \"base\" {{}}\n\
         resource \"terraform_data\" \"inner\" {{\n  input = {inner}\n}}\noutput \"given\" {{\n  \
         value = [var.given, terraform_data.inner.input]\n}}\n"
    );
    vec![("main.tf", main), ("child/main.tf", child)]
}

fn expression(random: &mut Random, depth: u32, key: &str) -> String {
    if depth == 0 {
        let leaves = [
            "\"text\"",
            "1.5",
            "true",
            "null",
            "var.a",
            "var.n",
            "local.list",
            "local.map",
            key,
            "terraform_data.base.id",
            "terraform_data.base.input",
            "local.list[0]",
            "local.map.l",
        ];
        return leaves[random.below(leaves.len())].to_owned();
    }
    let mut inner = || expression(random, depth - 1, key);
    let (one, other) = (inner(), inner());
    match random.below(11) {
        0 => format!("[{one}, {other}]"),
        1 => format!("{{ one = {one}, other = {other} }}"),
        2 => format!("var.n > 1 ? [{one}] : [{one}]"),
        3 => format!("merge({{ a = {one} }}, {{ b = {other} }})"),
        4 => format!("[for it in [{one}, {other}] : it]"),
        5 => format!("{{ for name, it in {{ x = {one}, y = {other} }} : upper(name) => it }}"),
        6 => format!("try({one}, {other})"),
        7 => format!("length([{one}, {other}])"),
        8 => format!("concat([{one}], [{other}])"),
        9 => format!("jsonencode({one})"),
        _ => format!("[{one}][0]"),
    }
}
