//! Modules that Terragrunt writes files into.

use std::ffi::OsString;

use system::MemorySystem;
use terraschema::{Console, run};
use testkit::workspace::Workspace;

/// Exit code and both streams.
fn terraschema(system: &MemorySystem, arguments: &str) -> (u8, String) {
    let words = format!("terraschema {arguments}");
    let words = words.split_whitespace().map(OsString::from).collect();
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut console = Console::to(&mut stdout, &mut stderr);
    let exit = run(words, system, &mut console);
    drop(console);
    (exit.code(), String::from_utf8([stdout, stderr].concat()).unwrap())
}

fn check(system: &MemorySystem) -> (u8, String) {
    terraschema(system, "check -v")
}

const VALUES_ONLY: &str = "rule \"missing-schema\" {\n  level = \"off\"\n}\n";

/// A repository with a module in `vnet`.
fn repository(root: &str, unit: &str) -> MemorySystem {
    MemorySystem::new()
        .file(".git/HEAD", "")
        .file(".terraschema.hcl", VALUES_ONLY)
        .file("root.hcl", root)
        .file("vnet/terragrunt.hcl", unit)
        .file("vnet/main.tf", "output \"tags\" {\n  value = var.common_tags\n}\n")
}

const INCLUDE: &str = "include \"root\" {\n  path = find_in_parent_folders(\"root.hcl\")\n}\n";

fn generate(label: &str, rest: &str) -> String {
    format!("generate \"{label}\" {{\n{rest}\n}}\n")
}

const TAGS: &str = "contents = <<EOF\nvariable \"common_tags\" {\n  type = map(string)\n}\nEOF";

/// What the run says about `var.common_tags`.
#[derive(Debug, PartialEq)]
enum Judgement {
    Declared,
    NotJudged,
    Undeclared,
}

fn said(system: &MemorySystem) -> (Judgement, String) {
    let (code, text) = check(system);
    let is_open = text.contains("which Terragrunt may declare");
    let is_wrong = text.contains("error[undeclared-reference]");
    assert_eq!(code == 0, !is_wrong, "{text}");
    let said = match (is_open, is_wrong) {
        (true, false) => Judgement::NotJudged,
        (false, true) => Judgement::Undeclared,
        (false, false) => Judgement::Declared,
        (true, true) => panic!("{text}"),
    };
    (said, text)
}

/// Each row: the included file, the unit's file.
#[test]
fn what_is_generated_counts() {
    let path = "path = \"tags.tf\"\nif_exists = \"overwrite\"\n";
    let tags = &format!("{path}{TAGS}");
    let with = |rest: &str| generate("tags", &format!("{path}{rest}"));
    let include = |path: &str| format!("include \"root\" {{\n  path = {path}\n}}\n");
    let cases = [
        (generate("tags", tags), INCLUDE.to_owned(), Judgement::Declared),
        (generate("tags", tags), include("\"../root.hcl\""), Judgement::Declared),
        (generate("tags", tags), include("find_in_parent_folders(\"no.hcl\", \"../root.hcl\")"), Judgement::Declared),
        (String::new(), generate("tags", tags), Judgement::Declared),
        // Nothing is generated, or something else.
        (String::new(), INCLUDE.to_owned(), Judgement::Undeclared),
        (generate("tags", tags), String::new(), Judgement::Undeclared),
        (with("contents = \"\""), INCLUDE.to_owned(), Judgement::Undeclared),
        (with("contents = \"variable \\\"other\\\" {}\""), INCLUDE.to_owned(), Judgement::Undeclared),
        (generate("tags", &format!("{tags}\ndisable = true")), INCLUDE.to_owned(), Judgement::Undeclared),
        (generate("tags", &tags.replace("tags.tf", "tags.txt")), INCLUDE.to_owned(), Judgement::Undeclared),
        (generate("tags", &tags.replace("tags.tf", "x/tags.tf")), INCLUDE.to_owned(), Judgement::Undeclared),
        (generate("tags", tags), format!("{INCLUDE}{}", with("contents = \"\"")), Judgement::Undeclared),
        (
            "remote_state {\n  backend = \"s3\"\n  generate = {\n    path = \"backend.tf\"\n  }\n}\n".to_owned(),
            INCLUDE.to_owned(),
            Judgement::Undeclared,
        ),
        (generate("tags", tags), INCLUDE.replace('}', "  merge_strategy = \"no_merge\"\n}"), Judgement::Undeclared),
        // Nobody knows what is generated.
        (with("contents = local.text"), INCLUDE.to_owned(), Judgement::NotJudged),
        (with("contents = file(\"x.tf\")"), INCLUDE.to_owned(), Judgement::NotJudged),
        (with("contents = \"${local.text}\""), INCLUDE.to_owned(), Judgement::NotJudged),
        (generate("tags", &tags.replace("\"tags.tf\"", "local.path")), INCLUDE.to_owned(), Judgement::NotJudged),
        (generate("tags", &format!("{tags}\ndisable = local.off")), INCLUDE.to_owned(), Judgement::NotJudged),
        ("generate = local.all\n".to_owned(), INCLUDE.to_owned(), Judgement::NotJudged),
        (String::new(), include("local.root"), Judgement::NotJudged),
        (String::new(), include("find_in_parent_folders(\"no.hcl\")"), Judgement::NotJudged),
        (String::new(), include("\"${get_repo_root()}/root.hcl\""), Judgement::NotJudged),
        (INCLUDE.to_owned(), INCLUDE.to_owned(), Judgement::NotJudged),
        ("generate \"".to_owned(), INCLUDE.to_owned(), Judgement::NotJudged),
        (String::new(), "terraform {\n  source = \"../modules/vnet\"\n}\n".to_owned(), Judgement::NotJudged),
        (String::new(), "terraform {\n  source = \"./\"\n}\n".to_owned(), Judgement::Undeclared),
    ];
    for (root, unit, expected) in cases {
        let (said, text) = said(&repository(&root, &unit));
        assert_eq!(said, expected, "{root}\n{unit}\n{text}");
    }
}

#[test]
fn a_file_that_is_there_is_replaced_as_the_block_says() {
    let known = |if_exists: &str| {
        generate("tags", &format!("path = \"tags.tf\"\nif_exists = \"{if_exists}\"\n{TAGS}"))
    };
    let theirs = "variable \"other\" {}\n";
    let own = &format!("# Generated by Terragrunt. Sig: nIlQXj57tbuaRZEa\n{theirs}");
    let cases = [
        ("overwrite", theirs, Judgement::Declared),
        ("skip", theirs, Judgement::Undeclared),
        ("error", theirs, Judgement::Undeclared),
        ("overwrite_terragrunt", theirs, Judgement::Undeclared),
        ("overwrite_terragrunt", own, Judgement::Declared),
    ];
    for (if_exists, file, expected) in cases {
        let system = repository(&known(if_exists), INCLUDE).file("vnet/tags.tf", file);
        let (said, text) = said(&system);
        assert_eq!(said, expected, "{if_exists} {file}: {text}");
    }
}

#[test]
fn an_included_file_lies_in_the_repository() {
    let system = repository("", "include {\n  path = \"../../outside.hcl\"\n}\n");
    assert_eq!(said(&system).0, Judgement::NotJudged);
    let system = repository("", "include {\n  path = \"../.git/HEAD\"\n}\n");
    assert_eq!(said(&system).0, Judgement::NotJudged);
    // A search ends at the repository.
    let system = MemorySystem::new()
        .file("root.hcl", generate("tags", &format!("path = \"tags.tf\"\n{TAGS}")))
        .file("repository/.git/HEAD", "")
        .file("repository/main.tf", "output \"tags\" {\n  value = var.common_tags\n}\n")
        .file("repository/terragrunt.hcl", INCLUDE);
    assert_eq!(said(&system).0, Judgement::NotJudged);
}

#[test]
fn everything_else_of_an_open_module_is_judged() {
    let unknown = generate("all", "path = \"all.tf\"\ncontents = local.text");
    let system = repository(&unknown, INCLUDE)
        .file(
            "vnet/more.tf",
            "variable \"size\" {\n  type = number\n}\noutput \"x\" {\n  value = each.key\n}\n\
             output \"y\" {\n  value = local.gone + module.gone.x + aws_vpc.gone.id\n}\n\
             locals {\n  wrong = 1 + \"x\"\n}\n",
        )
        .file("vnet/dev.tfvars", "size = \"big\"\n");
    let (code, text) = check(&system);
    assert_eq!(code, 1, "{text}");
    for expected in
        ["error[undeclared-reference]", "local value, which", "module, which", "resource, which"]
    {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert!(text.contains(" --> vnet/more.tf:5:11"), "{text}");
}

#[test]
fn generated_variables_are_part_of_the_contract() {
    let known = generate("tags", &format!("path = \"tags.tf\"\n{TAGS}"));
    let system = repository(&known, INCLUDE).file("vnet/dev.tfvars", "common_tags = { a = [] }\n");
    let (_, text) = check(&system);
    assert!(
        text.contains("error[type-mismatch]") && text.contains(" --> vnet/dev.tfvars:1:21"),
        "{text}"
    );
    let (code, text) = terraschema(&system, "-i vnet --stdout");
    assert_eq!((code, text.contains("common_tags")), (0, true), "{text}");
}

/// `source` of a unit elsewhere.
#[test]
fn a_module_that_a_unit_runs_is_open_if_files_are_generated() {
    let known = generate("tags", &format!("path = \"tags.tf\"\n{TAGS}"));
    let unit = |source: &str, rest: &str| {
        let source = format!("terraform {{\n  source = {source}\n}}\n{rest}");
        MemorySystem::new()
            .file(".git/HEAD", "")
            .file(".terraschema.hcl", VALUES_ONLY)
            .file("root.hcl", &known)
            .file("live/vnet/terragrunt.hcl", source)
            .file("modules/vnet/main.tf", "output \"tags\" {\n  value = var.common_tags\n}\n")
    };
    let cases = [
        ("\"../../modules//vnet\"", INCLUDE, Judgement::NotJudged),
        ("\"${get_repo_root()}/modules/vnet\"", INCLUDE, Judgement::NotJudged),
        ("\"${get_terragrunt_dir()}/../../modules/vnet\"", INCLUDE, Judgement::NotJudged),
        (
            "\"../../modules//vnet\"",
            "generate \"x\" {\n  path = \"x.tf\"\n  contents = local.x\n}\n",
            Judgement::NotJudged,
        ),
        (
            "\"${get_env(\"ENV\") == \"prod\" ? \"git::https://example.com//vnet?ref=${get_env(\"V\")}\" : \"../../modules//vnet\"}\"",
            INCLUDE,
            Judgement::NotJudged,
        ),
        (
            "local.x ? \"../../modules/other\" : (\"../../modules/vnet\")",
            INCLUDE,
            Judgement::NotJudged,
        ),
        // Nothing is generated, or it runs another module.
        ("\"../../modules//vnet\"", "", Judgement::Undeclared),
        ("\"../../modules//other\"", INCLUDE, Judgement::Undeclared),
        ("\"git::https://example.com/vnet.git\"", INCLUDE, Judgement::Undeclared),
        ("local.source", INCLUDE, Judgement::Undeclared),
    ];
    for (source, rest, expected) in cases {
        let system = unit(source, rest);
        assert_eq!(said(&system).0, expected, "{source} {rest}");
        let (code, text) = terraschema(&system, "check modules/vnet");
        assert_eq!(code == 0, expected == Judgement::NotJudged, "{source} {rest}: {text}");
    }
}

/// `source` in the file that a unit includes starts from the unit's directory.
#[test]
fn an_included_file_may_name_the_module_of_a_unit() {
    let known = generate("tags", &format!("path = \"tags.tf\"\n{TAGS}"));
    let system = MemorySystem::new()
        .file(".git/HEAD", "")
        .file(".terraschema.hcl", VALUES_ONLY)
        .file("root.hcl", format!("terraform {{\n  source = \"../../modules//vnet\"\n}}\n{known}"))
        .file("live/vnet/terragrunt.hcl", INCLUDE)
        .file("modules/vnet/main.tf", "output \"tags\" {\n  value = var.common_tags\n}\n");
    assert_eq!(said(&system).0, Judgement::NotJudged);
}

#[test]
fn hostile_files_end() {
    let nested = format!("x = {}{}\n", "[".repeat(100_000), "]".repeat(100_000));
    let long = "generate \"a\" {\n}\n".repeat(10_000);
    for root in
        [nested, long, "\0\u{feff}".to_owned(), "include {\n  path = \"root.hcl\"\n}\n".to_owned()]
    {
        let (said, text) = said(&repository(&root, INCLUDE));
        assert_ne!(said, Judgement::Declared, "{text}");
    }
}

#[test]
fn a_repository_of_units_alone_is_explained() {
    let system = MemorySystem::new()
        .file(".git/HEAD", "")
        .file("root.hcl", "")
        .file("live/dev/terragrunt.hcl", INCLUDE)
        .file("live/prod/terragrunt.stack.hcl", "");
    let (code, text) = terraschema(&system, "init");
    assert_eq!(code, 0, "{text}");
    assert!(
        text.contains("live/dev/terragrunt.hcl") && text.contains("Nothing was written."),
        "{text}"
    );
    assert!(!text.contains("Written to"), "{text}");
    let (code, text) = terraschema(&system, "check");
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("Terragrunt") && text.contains("`inputs`"), "{text}");
    // Without Terragrunt there is still nothing to look at.
    assert_eq!(terraschema(&MemorySystem::new(), "init").0, 2);
}

/// A unit next to a module, and one that includes nothing, with the file that the first includes.
fn units(root: &str) -> Workspace {
    let it = Workspace::repository();
    for unit in ["vnet", "plain"] {
        it.write(&format!("{unit}/main.tf"), "output \"tags\" {\n  value = var.common_tags\n}\n");
    }
    it.write(".terraschema.hcl", VALUES_ONLY)
        .write("root.hcl", root)
        .write("vnet/terragrunt.hcl", INCLUDE);
    it.commit("Everything");
    it
}

#[test]
fn a_change_of_an_included_file_touches_the_units_below_it() {
    let declares =
        generate("tags", &format!("path = \"tags.tf\"\nif_exists = \"overwrite\"\n{TAGS}"));
    let it = units(&declares);
    assert_eq!(it.terraschema("check --changed --format concise").stdout, "");
    it.write("root.hcl", "locals {}\n");
    let expected = "vnet/main.tf:2:11: error[undeclared-reference]";
    for arguments in ["--changed", "--hook -- root.hcl"] {
        let answer = it.terraschema(&format!("check --format concise {arguments}"));
        assert!(answer.stdout.starts_with(expected), "{arguments}: {answer:?}");
        assert_eq!(answer.stdout.lines().count(), 1, "{arguments}: {answer:?}");
    }
}

/// pre-commit runs a hook with the files that match its pattern.
#[test]
fn the_hooks_know_the_files_of_terragrunt() {
    for path in
        [".pre-commit-hooks.yaml", "hooks/pre-commit-schemas.yaml", "hooks/pre-commit-values.yaml"]
    {
        let text = std::fs::read_to_string(path).unwrap();
        let patterns: Vec<&str> =
            text.lines().filter_map(|it| Some(it.split_once("files: ")?.1)).collect();
        let patterns: Vec<&&str> = patterns.iter().filter(|it| it.contains('\'')).collect();
        assert!(!patterns.is_empty(), "{path}");
        for it in patterns {
            let pattern = it.split('\'').nth(1).unwrap();
            let regex = regex_automata::meta::Regex::new(pattern).unwrap();
            for name in [
                "root.hcl",
                "live/region.hcl",
                "live/a/terragrunt.hcl",
                "terragrunt.stack.hcl",
                "a/terragrunt.hcl.json",
                ".terraschema.hcl",
                "a.rules.hcl",
                "terraform.tfvars.example",
                "a/b.tfvars.json.sample",
                "terraform.tfvars.example.json",
                "README.md",
                "a/readme.md",
                "main.tf",
            ] {
                assert!(regex.is_match(name), "{path}: {name}");
            }
            for name in ["root.hcl.md", "main.py", "a/package.json"] {
                assert!(!regex.is_match(name), "{path}: {name}");
            }
        }
    }
}

/// A part of a module that a `generate` block writes into another is not a module of its own. Each row: the contents.
#[test]
fn a_file_that_is_written_into_a_module_is_open() {
    let open = [
        "file(\"../parts/kms/kms.tf\")",
        "file(\"${get_terragrunt_dir()}/../parts/kms/kms.tf\")",
        "file(\"${get_repo_root()}/parts/kms/kms.tf\")",
        "file(find_in_parent_folders(\"parts/kms/kms.tf\"))",
        "templatefile(\"../parts/kms/kms.tf\", { name = local.name })",
        "\"${file(\"../parts/kms/kms.tf\")}\\n\"",
        "join(\"\", [file(\"../parts/kms/kms.tf\")])",
    ];
    let shut = [
        "\"\"",
        "file(\"../other/kms.tf\")",
        "file(local.path)",
        "fileexists(\"../parts/kms/kms.tf\")",
    ];
    let all = open.iter().map(|it| (it, true)).chain(shut.iter().map(|it| (it, false)));
    for (contents, is_open) in all {
        let block = generate(
            "kms",
            &format!("path = \"kms.tf\"\nif_exists = \"skip\"\ncontents = {contents}"),
        );
        for (root, unit) in [("", block.clone()), (&block, INCLUDE.to_owned())] {
            let system = MemorySystem::new()
                .file(".git/HEAD", "")
                .file(".terraschema.hcl", VALUES_ONLY)
                .file("root.hcl", root)
                .file("live/terragrunt.hcl", unit)
                .file("parts/kms/kms.tf", "output \"tags\" {\n  value = var.common_tags\n}\n");
            let (code, text) = check(&system);
            assert_eq!(code == 0, is_open, "{contents}: {text}");
            let why = "live/terragrunt.hcl writes a file of this directory into a module";
            assert_eq!(text.contains(why), is_open, "{contents}: {text}");
        }
    }
}

/// The module that gets the file may declare more than the file does.
#[test]
fn values_beside_a_file_that_is_written_into_a_module_are_open() {
    for (contents, is_open) in [("file(\"variables.tf\")", true), ("\"\"", false)] {
        let block = generate("common", &format!("path = \"c.tf\"\ncontents = {contents}"));
        let system = MemorySystem::new()
            .file(".git/HEAD", "")
            .file(".terraschema.hcl", VALUES_ONLY)
            .file("env/terragrunt.hcl", block)
            .file("env/variables.tf", "variable \"name\" {\n  type = string\n}\n")
            .file("env/terraform.tfvars", "name  = \"a\"\nother = 1\n");
        let (_, text) = check(&system);
        assert_eq!(text.contains("warning[undeclared-variable]"), !is_open, "{contents}: {text}");
        let why = "env/terragrunt.hcl writes a file of this directory into a module";
        assert_eq!(text.contains(why), is_open, "{contents}: {text}");
    }
}

/// Terragrunt prefers OpenTofu, which takes a variable in the source of a call.
#[test]
fn a_variable_in_a_source_is_open_next_to_a_unit() {
    let system = |unit: &str, configuration: &str| {
        MemorySystem::new()
            .file(".terraschema.hcl", format!("{VALUES_ONLY}{configuration}").as_str())
            .file(format!("app/{unit}"), "")
            .file("app/main.tf", "variable \"from\" {}\nmodule \"m\" {\n  source = var.from\n}\n")
    };
    let (code, text) = check(&system("terragrunt.hcl", ""));
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("note[undecided-validation]: Unknown module source"), "{text}");
    assert!(text.contains("not judged: module.m"), "{text}");
    for (unit, configuration) in
        [("README.md", ""), ("terragrunt.hcl", "terraform_version = \"1.9.0\"\n")]
    {
        let (code, text) = check(&system(unit, configuration));
        assert_eq!(code, 1, "{text}");
    }
    let (code, text) = check(&system("README.md", "opentofu = true\n"));
    assert_eq!(code, 0, "{text}");
}
