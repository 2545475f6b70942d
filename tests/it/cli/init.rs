//! `terraschema init`: what it finds, what it writes, and that it writes nothing over.

use system::{MemorySystem, System};
use terraschema::Exit;

use super::terraschema;

const MODULE: &str = r#"
variable "name" {
  description = "<name>"
  type        = string
}
variable "size" {
  type    = number
  default = 1
  validation {
    condition     = var.size < 10 && var.size > 0
    error_message = "No."
  }
}
"#;

fn read(system: &MemorySystem, path: &str) -> String {
    String::from_utf8(system.read(path.as_ref()).unwrap()).unwrap()
}

fn configuration(system: &MemorySystem) -> String {
    read(system, ".terraschema.hcl")
}

#[test]
fn it_shows_modules_schemas_and_values_files() {
    let system = MemorySystem::new()
        .file("a/main.tf", MODULE)
        .file("a/envs/prod.tfvars", "name = \"\"\n")
        .file("b/main.tf", MODULE)
        .file("c/outputs.tf", "output \"x\" {\n  value = 1\n}\n");
    terraschema(&system, "check --fix a");
    let (exit, text) = terraschema(&system, "init");
    assert_eq!(exit, Exit::Clean, "{text}");
    assert!(
        text.contains("a: 2 variables, schema.json, up to date with default options"),
        "{text}"
    );
    assert!(text.contains("values: a/envs/prod.tfvars"), "{text}");
    assert!(text.contains("b: 2 variables, no schema"), "{text}");
    assert!(!text.contains("  c:"), "{text}");
    assert!(text.contains("- id: terraschema-check"), "{text}");
    assert!(text.contains("uses: terraschema/terraschema@"), "{text}");
    assert_eq!(terraschema(&system, "check a").0, Exit::Clean, "{}", configuration(&system));
}

/// An example is not what anybody plans with: it needs no `input` block, and what it lacks is not missing.
#[test]
fn an_example_is_listed_and_gets_no_block() {
    let names = [
        "terraform.tfvars.example",
        "terraform.tfvars.template",
        "example.tfvars",
        "a.tfvars.json.sample",
    ];
    for name in names {
        let text = if name.contains("json") { "{\"size\": 1}" } else { "size = 1\n" };
        let system = MemorySystem::new().file("a/main.tf", MODULE).file(format!("a/{name}"), text);
        let (exit, text) = terraschema(&system, "init");
        assert_eq!(exit, Exit::Clean, "{text}");
        assert!(text.contains(&format!("example: a/{name}")), "{text}");
        let written = configuration(&system);
        let sets = |it: &&str| it.starts_with("input") || it.starts_with("given");
        assert_eq!(written.lines().find(sets), None, "{name}: {written}");
        assert_eq!(terraschema(&system, "check").0, Exit::Clean, "{name}");
    }
}

#[test]
fn without_committed_schemas_only_values_are_checked() {
    let system = MemorySystem::new().file("a/main.tf", MODULE).file(".git/HEAD", "");
    let (exit, text) = terraschema(&system, "init");
    assert_eq!(exit, Exit::Clean, "{text}");
    assert!(configuration(&system).contains("rule \"missing-schema\""));
    let hook = read(&system, ".pre-commit-config.yaml");
    assert!(
        hook.contains("terraschema check --hook --force-exclude\n") && !hook.contains("--fix"),
        "{hook}"
    );
    assert_eq!(terraschema(&system, "check").0, Exit::Clean);

    let system = MemorySystem::new().file("a/main.tf", MODULE).file(".git/HEAD", "");
    terraschema(&system, "init --schemas");
    assert!(!configuration(&system).contains("missing-schema"));
    assert!(
        read(&system, ".pre-commit-config.yaml")
            .contains("terraschema check --hook --force-exclude --fix\n")
    );
    assert_eq!(terraschema(&system, "check").0, Exit::Findings);
    assert_eq!(terraschema(&system, "check --fix").0, Exit::Clean);
}

#[test]
fn a_second_run_changes_nothing_and_says_so() {
    for flags in ["", " --schemas"] {
        let system = MemorySystem::new()
            .file("a/main.tf", MODULE)
            .file("envs/prod.tfvars", "name = \"x\"\n")
            .file("b/main.tf", MODULE)
            .file("b/terraform.tfvars", "size = 1\n")
            .file(".git/HEAD", "");
        let (exit, text) = terraschema(&system, &format!("init{flags}"));
        assert!(configuration(&system).contains("given = [\"name\"]\n"), "{text}");
        assert_eq!((exit, text.contains("Nothing was changed.")), (Exit::Clean, false), "{text}");
        let before = [configuration(&system), read(&system, ".pre-commit-config.yaml")];
        let (exit, text) = terraschema(&system, &format!("init{flags}"));
        assert_eq!((exit, text.ends_with("Nothing was changed.\n")), (Exit::Clean, true), "{text}");
        assert!(!text.contains("You can add this"), "{text}");
        assert_eq!(before, [configuration(&system), read(&system, ".pre-commit-config.yaml")]);
    }
}

#[test]
fn a_hook_of_somebody_is_never_written_over() {
    let mine = "repos: []\n";
    let file = ".pre-commit-config.yaml";
    let system = MemorySystem::new().file("a/main.tf", MODULE).file(file, mine);
    let system = system.file(".git/HEAD", "");
    let (_, text) = terraschema(&system, "init");
    assert!(text.contains("For .pre-commit-config.yaml:\n"), "{text}");
    assert_eq!(read(&system, file), mine);
    // Nor is a link, which may lead into a submodule that is not checked out.
    let system = MemorySystem::new().file("a/main.tf", MODULE).file(".git/HEAD", "");
    let system = system.symlink(file, "shared/pre-commit-config.yaml");
    let (exit, text) = terraschema(&system, "init");
    assert_eq!(exit, Exit::Clean, "{text}");
    assert!(text.contains("For .pre-commit-config.yaml:\n"), "{text}");
    assert!(system.read(file.as_ref()).is_err());
    // Nor is one put where pre-commit does not look.
    let system = MemorySystem::new().file("a/main.tf", MODULE);
    let (_, text) = terraschema(&system, "init");
    assert!(text.contains("For .pre-commit-config.yaml:\n"), "{text}");
    assert!(system.read(file.as_ref()).is_err());
}

/// Each row: files, what the blocks say.
#[test]
fn values_files_elsewhere_get_an_input_block() {
    let root = "variable \"name\" {}\nvariable \"size\" {\n  default = 1\n}\n";
    let other = "variable \"zone\" {}\nvariable \"cidr\" {}\n";
    let leaf = "module \"leaf\" {\n  source = \"../modules/leaf\"\n  name = var.name\n}\n";
    let leaf = &format!("{root}{leaf}");
    let keys = "variable \"keys\" {\n  default = null\n}\noutput \"key\" {\n  value = jsondecode(var.keys)\n}\n";
    let failing = &format!("{root}{keys}");
    let (whole, part) = ("name = \"x\"\n", "size = 2\n");
    let cases: &[(&[(&str, &str)], &str)] = &[
        // The only root next to a customary directory.
        (
            &[("terraform/main.tf", root), ("envs/prod.tfvars", whole)],
            "input \"prod\" {\n  module = \"terraform\"\n  files  = [\"envs/prod.tfvars\"]\n}\n",
        ),
        (
            &[("terraform/main.tf", root), ("vars/a/b.tfvars.json", "{\"size\": 2}")],
            "given = [\"name\"]\ninput \"b.json\" {\n  module = \"terraform\"\n  files  = [\"vars/a/b.tfvars.json\"]\n}\n",
        ),
        // With the default of the other variable nothing works, so that somebody gives it as well.
        (
            &[("terraform/main.tf", failing), ("vars/prod.tfvars", part)],
            "given = [\"name\"]\ninput \"prod\" {\n  module  = \"terraform\"\n  files   = [\"vars/prod.tfvars\"]\n  partial = true\n}\n",
        ),
        // What lacks more than it gives is used with something else.
        (
            &[
                ("tf/main.tf", &format!("{root}{other}")),
                ("tf/vars/a.tfvars", "name = \"x\"\nzone = \"y\"\n"),
                ("tf/vars/state/a.tfvars", "cidr = \"z\"\n"),
            ],
            "input \"tf/vars/a.tfvars\" {\n  module = \"tf\"\n  files  = [\"tf/vars/a.tfvars\"]\n  given  = [\"cidr\"]\n}\n
input \"tf/vars/state/a.tfvars\" {\n  module  = \"tf\"\n  files   = [\"tf/vars/state/a.tfvars\"]\n  partial = true\n}\n",
        ),
        // A module that others call is not a root.
        (
            &[
                ("terraform/main.tf", leaf),
                ("modules/leaf/main.tf", root),
                ("environments/prod.tfvars", whole),
            ],
            "input \"prod\" {\n  module = \"terraform\"\n  files  = [\"environments/prod.tfvars\"]\n}\n",
        ),
        // Of several roots the one that declares all, or whose name is in the path.
        (
            &[
                ("a/main.tf", root),
                ("b/main.tf", other),
                ("tfvars/x.tfvars", whole),
                ("tfvars/y.tfvars", "nothing = 1\n"),
            ],
            "input \"x\" {\n  module = \"a\"\n  files  = [\"tfvars/x.tfvars\"]\n}\n",
        ),
        (
            &[
                ("stacks/net/main.tf", root),
                ("stacks/dns/main.tf", root),
                ("envs/prod/net.tfvars", whole),
                ("envs/test/net.tfvars", whole),
                ("envs/dns-prod.tfvars", whole),
                ("live/dns/x.tfvars", whole),
            ],
            "input \"dns-prod\" {\n  module = \"stacks/dns\"\n  files  = [\"envs/dns-prod.tfvars\"]\n}\n
input \"x\" {\n  module = \"stacks/dns\"\n  files  = [\"live/dns/x.tfvars\"]\n}\n
input \"net\" {\n  module = \"stacks/net\"\n  each   = \"envs/*/net.tfvars\"\n}\n",
        ),
        // `_` and `-`, large and small letters make no difference.
        (
            &[("mods/a-b/main.tf", root), ("mods/c/main.tf", root), ("test/A_b/x.tfvars", whole)],
            "input \"x\" {\n  module = \"mods/a-b\"\n  files  = [\"test/A_b/x.tfvars\"]\n}\n",
        ),
        // What lacks a value is used on top of what all share.
        (
            &[
                ("tf/main.tf", root),
                ("vars/common.tfvars", whole),
                ("vars/prod/a.tfvars", part),
                ("vars/whole.tfvars", whole),
            ],
            "input \"a\" {\n  module = \"tf\"\n  files  = [\"vars/common.tfvars\", \"vars/prod/a.tfvars\"]\n}\n
input \"whole\" {\n  module = \"tf\"\n  files  = [\"vars/whole.tfvars\"]\n}\n",
        ),
        // Automatic files give values, too.
        (
            &[
                ("tf/main.tf", root),
                ("tf/terraform.tfvars", whole),
                ("vars/a.tfvars", part),
            ],
            "input \"terraform\" {\n  module = \"tf\"\n  files  = [\"tf/terraform.tfvars\"]\n}\n
input \"a\" {\n  module = \"tf\"\n  files  = [\"vars/a.tfvars\"]\n}\n",
        ),
        // What automatic files lack comes from the environment, or from a file on top of them.
        (
            &[("tf/main.tf", root), ("tf/terraform.tfvars", part)],
            "given = [\"name\"]\n",
        ),
        (
            &[("tf/main.tf", root), ("tf/terraform.tfvars", part), ("tf/envs/prod.tfvars", whole)],
            "",
        ),
        (
            &[("main.tf", root), ("a.auto.tfvars", part), ("vars/x.auto.tfvars.json", "{\"size\": 3}")],
            "given = [\"name\"]\n",
        ),
        // A name says more than a place whose module declares less than half of what the file sets.
        (
            &[
                ("variables/common.tf", root),
                ("variables/prod/common.tfvars", whole),
                ("variables/prod/dns.tfvars", "cidr = 1\nzone = 2\nsize = 1\n"),
                ("variables/prod/net.tfvars", "name = \"x\"\nzone = 1\n"),
                ("deployments/dns/main.tf", other),
                ("deployments/net/main.tf", other),
            ],
            "input \"dns\" {\n  module = \"deployments/dns\"\n  files  = [\"variables/prod/dns.tfvars\"]\n}\n",
        ),
        (
            &[("main.tf", root), ("dns/main.tf", other), ("live/dns.tfvars", "cidr = 1\nzone = 2\n")],
            "input \"dns\" {\n  module = \"dns\"\n  files  = [\"live/dns.tfvars\"]\n}\n",
        ),
        // The name of a directory further up says nothing.
        (
            &[
                ("examples/main.tf", other),
                ("modules/vm/main.tf", root),
                ("modules/vm/examples/a.tfvars", "cidr = 1\nzone = 2\n"),
            ],
            "given = [\"name\"]\n",
        ),
        // Files that set none of each other's variables are used together.
        (
            &[
                ("tf/main.tf", "variable \"a\" {\n  default = 1\n}\nvariable \"b\" {\n  default = 1\n}\n"),
                ("vars/a.tfvars", "a = 2\n"),
                ("vars/b.tfvars", "b = 2\n"),
            ],
            "input \"vars\" {\n  module  = \"tf\"\n  each    = \"vars/*.tfvars\"\n  partial = true\n}\n",
        ),
        // Terraform takes an automatic file where it is.
        (
            &[
                ("main.tf", root),
                ("a.tfvars", whole),
                ("dns/main.tf", other),
                ("dns.auto.tfvars", "name = 1\nzone = 2\ncidr = 3\n"),
            ],
            "",
        ),
        // Files of one pattern are one block.
        (
            &[("tf/main.tf", root), ("envs/dev.tfvars", whole), ("envs/prod.tfvars", whole)],
            "input \"envs\" {\n  module = \"tf\"\n  each   = \"envs/*.tfvars\"\n}\n",
        ),
        (
            &[
                ("tf/main.tf", root),
                ("envs/base.tfvars", "size = 1\n"),
                ("envs/dev.tfvars", whole),
                ("envs/prod.tfvars.json", "{\"name\": \"x\"}"),
                ("envs/test.tfvars.json", "{\"name\": \"x\"}"),
            ],
            "input \"envs/*.tfvars\" {\n  module  = \"tf\"\n  each    = \"envs/*.tfvars\"\n  partial = true\n}\n
input \"envs/*.tfvars.json\" {\n  module  = \"tf\"\n  each    = \"envs/*.tfvars.json\"\n  partial = true\n}\n",
        ),
        // What no file sets for a module, and what no file sets at all.
        (
            &[
                ("a/main.tf", root),
                ("b/main.tf", other),
                ("a/config/dev.tfvars", "size = 1\n"),
                ("a/config/prod.tfvars", "size = 2\n"),
                ("b/config/dev.tfvars", "zone = 1\n"),
                ("b/config/prod.tfvars", "zone = 1\n"),
            ],
            "given = [\"cidr\", \"name\"]\n",
        ),
        (
            &[
                ("a/main.tf", root),
                ("b/main.tf", root),
                ("a/config/dev.tfvars", "size = 1\n"),
                ("a/config/prod.tfvars", "size = 2\n"),
                ("b/config/dev.tfvars", whole),
            ],
            "input \"config\" {\n  module = \"a\"\n  each   = \"a/config/*.tfvars\"\n  given  = [\"name\"]\n}\n",
        ),
        // A name that is near may be mistyped.
        (&[("main.tf", root), ("dev.tfvars", "nam = 1\nsize = 2\n")], ""),
        // A file that belongs to a module by its place needs no block. Where nothing shows the
        // module, the file gets none.
        (&[("tf/main.tf", root), ("tf/envs/a.tfvars", whole)], ""),
        (&[("tf/main.tf", root), ("x/a.tfvars", whole), ("envs/b.tfvars", "other = 1\n")], ""),
        (&[("tf/main.tf", root), ("envs/[a].tfvars", whole)], ""),
        // The module declares one of the three that the file sets.
        (&[("tf/main.tf", root), ("envs/a.tfvars", "size = 1\nzone = 2\ncidr = 3\n")], ""),
    ];
    for (files, expected) in cases {
        let mut system = MemorySystem::new().file(".git/HEAD", "");
        for (path, text) in *files {
            system = system.file(*path, *text);
        }
        let (exit, text) = terraschema(&system, "init");
        assert_eq!(exit, Exit::Clean, "{text}");
        let configuration = configuration(&system);
        let blocks = configuration.find("\ninput ").map_or("", |it| &configuration[it + 1..]);
        let given = configuration.lines().find(|it| it.starts_with("given = "));
        let given = given.map(|it| format!("{it}\n")).unwrap_or_default();
        assert_eq!(given + blocks, *expected, "{files:?}");
        let (exit, text) = terraschema(&system, "check");
        assert_eq!(exit, Exit::Clean, "{files:?} {text}");
    }
}

/// `ln -s ../../environments/variables.tf`
#[test]
fn values_beside_shared_variables_are_for_those_that_link_to_them() {
    let variables = "variable \"name\" {}\nvariable \"size\" {\n  default = 1\n}\n";
    let own = "output \"x\" {\n  value = var.name\n}\n";
    let mut system = MemorySystem::new()
        .file(".git/HEAD", "")
        .file("environments/variables.tf", variables)
        .file("environments/dev/dev.tfvars", "size = 1\n")
        .file("environments/prod/prod.tfvars", "size = 2\n")
        .file("components/own/main.tf", own.to_owned() + variables);
    for component in ["a", "b", "c"] {
        system = system.file(format!("components/{component}/main.tf"), own).symlink(
            format!("components/{component}/variables.tf"),
            "../../environments/variables.tf",
        );
    }
    let (_, text) = terraschema(&system, "init");
    let modules = "[\"components/a\", \"components/b\", \"components/c\"]";
    let expected = format!(
        "input \"environments\" {{\n  modules = {modules}\n  each    = \"environments/*/*.tfvars\"\n}}\n"
    );
    let configuration = configuration(&system);
    assert!(configuration.ends_with(&expected), "{text}");
    assert!(configuration.contains("given = [\"name\"]"), "{text}");
    let wrong = system.file("environments/prod/prod.tfvars", "size = 2\nname = []\n");
    let wrong =
        wrong.file("environments/variables.tf", variables.replace("{}", "{\n  type = string\n}"));
    let (_, text) = terraschema(&wrong, "check --format concise");
    assert_eq!(
        text.matches("environments/prod/prod.tfvars:2:8: error[type-mismatch]").count(),
        3,
        "{text}"
    );
}

/// A root with its own variables uses the files of the others, too: the values that nobody else declares show it.
#[test]
fn shared_values_that_a_root_without_the_link_declares_are_for_it_too() {
    let own = "output \"x\" {\n  value = var.name\n}\n";
    let tier = "variable \"tier\" {}\nvariable \"by\" {}\noutput \"x\" {\n  value = var.tier\n}\n";
    let mut system = MemorySystem::new()
        .file(".git/HEAD", "")
        .file("environments/variables.tf", "variable \"name\" {}\n")
        .file("environments/dev/dev.tfvars", "name = 1\n")
        .file("environments/prod/prod.tfvars", "name = 2\ntier = \"a\"\nsise = 1\n")
        .file("components/pages/main.tf", tier)
        .file("components/other/main.tf", tier.replace("tier", "level"));
    for component in ["a", "b"] {
        system = system.file(format!("components/{component}/main.tf"), own).symlink(
            format!("components/{component}/variables.tf"),
            "../../environments/variables.tf",
        );
    }
    terraschema(&system, "init");
    let text = configuration(&system);
    let of_pages: Vec<&str> = text.split("input ").filter(|it| it.contains("pages")).collect();
    assert_eq!(of_pages.len(), 1, "{text}");
    assert!(of_pages[0].contains("files  = [\"environments/prod/prod.tfvars\"]"), "{text}");
    assert!(!text.contains("components/other"), "{text}");
    let (_, found) = terraschema(&system, "check --format concise");
    assert_eq!(found.matches("undeclared-variable").count(), 1, "{found}");
    assert!(found.contains("prod.tfvars:3:1: warning[undeclared-variable]"), "{found}");
}

/// Empty ones, too: a file waits there for values.
#[test]
fn values_with_the_name_of_one_that_links_are_for_that_one() {
    let mut system = MemorySystem::new()
        .file("vars/variables.tf", "variable \"size\" {\n  default = 1\n}\n")
        .file("vars/prod/common.tfvars", "size = 1\n")
        .file("vars/prod/chat.tfvars", "")
        .file("vars/prod/chat-search.tfvars", "size = 2\n");
    for component in ["chat", "chat-search", "dns"] {
        system = system
            .file(
                format!("components/{component}/main.tf"),
                "output \"x\" {\n  value = var.size\n}\n",
            )
            .symlink(format!("components/{component}/variables.tf"), "../../vars/variables.tf");
    }
    terraschema(&system, "init");
    let configuration = configuration(&system);
    let (_, blocks) = configuration.split_once("input ").unwrap();
    let module_of = |file: &str| {
        let mut all = blocks.split("input ").filter(|it| it.contains(&format!("/{file}\"")));
        let block = all.next().unwrap_or_else(|| panic!("{file}: {configuration}"));
        assert!(all.next().is_none(), "{file}: {configuration}");
        block.lines().find(|it| it.trim_start().starts_with("module")).unwrap().trim().to_owned()
    };
    assert_eq!(module_of("chat.tfvars"), "module = \"components/chat\"");
    assert_eq!(module_of("chat-search.tfvars"), "module = \"components/chat-search\"");
}

/// Not every module has a test environment. A file that all of them reject is shown to its owner, and so is a type
/// that none accepts.
#[test]
fn shared_values_are_for_the_modules_that_accept_them() {
    let variables = "variable \"env\" {\n  type = string\n}\nvariable \"size\" {\n  type    = number\n  default = 1\n}\n";
    let lookup = "output \"x\" {\n  value = { prod = 1, staging = 2 }[var.env]\n}\n";
    let mut system = MemorySystem::new()
        .file("vars/variables.tf", variables)
        .file("vars/prod/common.tfvars", "env = \"prod\"\n")
        .file("vars/test/common.tfvars", "env = \"test\"\n")
        .file("vars/wrong/common.tfvars", "env = \"prod\"\nsize = \"a\"\n");
    for (component, text) in [
        ("app", "output \"x\" {\n  value = var.env\n}\n"),
        ("db", lookup),
        ("dns", "output \"x\" {\n  value = missing.x.y\n}\n"),
    ] {
        system = system
            .file(format!("components/{component}/main.tf"), text)
            .symlink(format!("components/{component}/variables.tf"), "../../vars/variables.tf");
    }
    terraschema(&system, "init");
    let configuration = configuration(&system);
    let files_of = |component: &str| -> Vec<&str> {
        let blocks = configuration.split("input ").filter(|it| it.contains(component));
        blocks
            .flat_map(|it| it.lines().filter(|it| it.contains("vars/*") || it.contains("files")))
            .collect()
    };
    // An error that has nothing to do with the values does not count.
    assert_eq!(files_of("components/dns"), files_of("components/app"));
    assert_eq!(files_of("components/app"), ["  each    = \"vars/*/common.tfvars\""]);
    assert_eq!(
        files_of("components/db"),
        ["  files  = [\"vars/prod/common.tfvars\"]", "  files  = [\"vars/wrong/common.tfvars\"]"]
    );
}

#[test]
fn what_belongs_to_no_module_is_told() {
    let system = MemorySystem::new().file("tf/main.tf", MODULE).file("x/a.tfvars", "a = 1\n");
    let (_, text) = terraschema(&system, "init");
    let expected =
        "1 values file without a module; assign them with an `input` block\n    x/a.tfvars\n";
    assert!(text.contains(expected), "{text}");
}

/// Blocks that a file of somebody's lacks are shown and not written.
#[test]
fn blocks_for_a_file_of_somebody_are_shown() {
    let system = MemorySystem::new()
        .file("tf/main.tf", MODULE)
        .file("envs/prod.tfvars", "name = \"x\"\n")
        .file(".terraschema.hcl", "# mine\n");
    let (_, text) = terraschema(&system, "init");
    assert!(text.contains("can add this to it:\n  input \"prod\" {\n"), "{text}");
    assert_eq!(configuration(&system), "# mine\n");
}

/// The hooks that `init` writes are those of this repository.
#[test]
fn the_written_hooks_are_the_published_ones() {
    #[allow(clippy::disallowed_methods)] // They are no part of any layer.
    let file = |path: &str| std::fs::read_to_string(path).unwrap();
    let published = file(".pre-commit-hooks.yaml");
    let value = |text: &str, key: &str| {
        let line = text.lines().find(|it| it.trim().starts_with(key)).unwrap();
        line.split_once('\'').unwrap().1.to_owned()
    };
    for written in ["hooks/pre-commit-values.yaml", "hooks/pre-commit-schemas.yaml"] {
        for key in ["files:", "exclude:"] {
            assert_eq!(value(&file(written), key), value(&published, key), "{written}");
        }
        for line in file(written).lines().filter(|it| it.contains("entry:")) {
            assert!(published.contains(line.trim()), "{line}");
        }
    }
}

#[test]
fn the_options_of_committed_schemas_are_found() {
    let cases = [
        ("", ""),
        ("--nullable-all", "nullable_all = true"),
        ("--require-all", "require_all = true"),
        ("--disallow-additional-properties --require-all", "disallow_additional_properties = true"),
        ("--escape-json", "escape_json = true"),
        ("--conditions none", "conditions = \"none\""),
        ("--annotations --property title=T", "annotations = true"),
        ("--draft 2020-12 --require-all", "draft = \"2020-12\""),
        ("--ignore-variable size", "ignore_variables = [\"size\"]"),
        (
            "--property $id=x/${y} --property title=T",
            "properties = { \"$id\" = \"x/$${y}\", \"title\" = \"T\" }",
        ),
        ("-o m/inputs.schema.json", "file = \"inputs.schema.json\""),
    ];
    for (flags, expected) in cases {
        let system = MemorySystem::new().file("m/main.tf", MODULE);
        let output = if flags.contains("-o ") { "" } else { "-o m/schema.json" };
        let (exit, text) = terraschema(&system, &format!("-i m {output} {flags}"));
        assert_eq!(exit, Exit::Clean, "{text}");
        let (exit, text) = terraschema(&system, "init");
        assert_eq!(exit, Exit::Clean, "{text}");
        assert!(text.contains("up to date"), "{flags}: {text}");
        assert!(configuration(&system).contains(expected), "{flags}: {}", configuration(&system));
        let (exit, text) = terraschema(&system, "check");
        assert_eq!(exit, Exit::Clean, "{flags}: {text}");
    }
}

#[test]
fn most_schemas_decide() {
    let system = MemorySystem::new()
        .file("a/main.tf", MODULE)
        .file("b/main.tf", MODULE)
        .file("c/main.tf", MODULE);
    terraschema(&system, "-i a -o a/schema.json --nullable-all");
    terraschema(&system, "-i b -o b/schema.json --nullable-all");
    terraschema(&system, "-i c -o c/schema.json --require-all");
    terraschema(&system, "init");
    assert!(configuration(&system).contains("nullable_all = true"));
    assert!(!configuration(&system).contains("require_all"));
}

/// One schema does not mean that every module has to have one.
#[test]
fn schemas_of_a_few_modules_are_compared_and_not_demanded_of_all() {
    let system = MemorySystem::new()
        .file("a/main.tf", MODULE)
        .file("b/main.tf", MODULE)
        .file("c/main.tf", MODULE);
    terraschema(&system, "-i a -o a/schema.json --nullable-all");
    terraschema(&system, "init");
    let written = configuration(&system);
    assert!(written.contains("nullable_all = true"), "{written}");
    assert!(written.contains("# Compare the schemas that are there."), "{written}");
    assert_eq!(terraschema(&system, "check").0, Exit::Clean);
    assert_eq!(terraschema(&system, "check --fix").0, Exit::Clean);
    assert!(system.read("b/schema.json".as_ref()).is_err());
    let system = system.file("a/main.tf", MODULE.replace("<name>", "Another."));
    let (exit, text) = terraschema(&system, "check");
    assert_eq!(exit, Exit::Findings);
    assert!(text.contains("[stale-schema]") && !text.contains("[missing-schema]"), "{text}");
}

/// A form or a platform has schemas of its own, which nobody generates.
#[test]
fn schemas_that_others_write_are_left_alone() {
    let schema = "{\"$schema\": \"http://json-schema.org/draft-07/schema#\", \"title\": \"Budget\", \"properties\": \
        {\"name\": {\"type\": \"string\", \"title\": \"The name\"}}}\n";
    let system = MemorySystem::new().file("a/main.tf", MODULE).file("a/schema.json", schema);
    let (_, text) = terraschema(&system, "init");
    assert!(text.contains("schema.json, which was not written by terraschema"), "{text}");
    assert!(!configuration(&system).contains("properties"), "{}", configuration(&system));
    assert_eq!(terraschema(&system, "check").0, Exit::Clean);
    assert_eq!(terraschema(&system, "check --fix").0, Exit::Clean);
    assert_eq!(read(&system, "a/schema.json"), schema);
}

#[test]
fn a_stale_schema_shows_its_nearest_options() {
    let system = MemorySystem::new().file("m/main.tf", MODULE);
    terraschema(&system, "-i m -o m/schema.json --nullable-all");
    let system = system.file("m/main.tf", MODULE.replace("<name>", "Another."));
    let (_, text) = terraschema(&system, "init");
    assert!(text.contains("schema.json, 1 difference, nearest with nullable_all = true"), "{text}");
}

#[test]
fn the_documents_show_the_snippets_that_it_prints() {
    #[allow(clippy::disallowed_methods)] // The documents are no part of any layer.
    let read = |path: &str| std::fs::read_to_string(path).unwrap();
    let hooks = read("hooks/pre-commit-config.yaml");
    for page in ["README.md", "docs/pre-commit.md"] {
        assert!(read(page).contains(&hooks), "{page}");
    }
    let uses = read("hooks/workflow.yml");
    let uses = uses.lines().find(|it| it.contains("terraschema@")).unwrap().trim();
    for page in ["README.md", "docs/github-actions.md"] {
        assert!(read(page).contains(uses), "{page}");
    }
}

#[test]
fn nothing_is_written_over() {
    let system = MemorySystem::new().file("m/main.tf", MODULE).file(".terraschema.hcl", "# mine\n");
    let (exit, text) = terraschema(&system, "init");
    assert_eq!(exit, Exit::Clean, "{text}");
    assert!(text.contains("m: 2 variables"), "it still shows what it found: {text}");
    assert!(text.contains(".terraschema.hcl exists and was not changed"), "{text}");
    assert!(!text.contains("Nothing was changed"), "the hook is yet to be added: {text}");
    assert_eq!(configuration(&system), "# mine\n");
    let (exit, text) = terraschema(&MemorySystem::new(), "init");
    assert_eq!((exit, text.contains("no module")), (Exit::Failure, true), "{text}");
}

/// `main.tofu` next to `main.tf` is for people who run the module with either.
#[test]
fn files_that_opentofu_alone_reads_make_the_modules_its_own() {
    let values = "a = \"one\"\n";
    let variable = "variable \"a\" {\n  type = number\n}\n";
    for (source, twin, is_of_tofu) in [
        ("main.tofu", "other.tf", true),
        ("main.tofu.json", "main.tofu", true),
        ("main.tofu", "main.tf", false),
        ("main.tf", "other.tf", false),
    ] {
        let is_json = |name: &str| name.ends_with(".json");
        let text =
            if is_json(source) { r#"{"variable": {"a": {"type": "number"}}}"# } else { variable };
        let system =
            MemorySystem::new().file(format!("m/{source}"), text).file("m/prod.tfvars", values);
        let system =
            system.file(format!("m/{twin}"), if twin == "main.tf" { variable } else { "" });
        // Without a configuration `check` decides as `init` does, whatever it is asked for.
        let remark = "note: .tofu files are skipped, because Terraform does not read them";
        let decided = "note: the modules are judged as OpenTofu, because there are .tofu files";
        for arguments in ["check", "check m", "check m/prod.tfvars"] {
            let (_, text) = terraschema(&system, arguments);
            assert_eq!(text.contains(decided), is_of_tofu, "{source}: {text}");
            assert!(text.contains("error[type-mismatch]") && !text.contains(remark), "{text}");
        }
        // A configuration or a flag decides otherwise.
        let (_, text) = terraschema(&system, "check --terraform-version 1.11");
        assert_eq!(text.contains(remark), is_of_tofu, "{source}: {text}");
        assert_eq!(text.contains("error[type-mismatch]"), !is_of_tofu, "{source}: {text}");
        let (exit, text) = terraschema(&system, "init");
        assert_eq!(exit, Exit::Clean, "{source}: {text}");
        let set = "# Some files are read only by OpenTofu.\nopentofu = true\n";
        assert_eq!(configuration(&system).contains(set), is_of_tofu, "{}", configuration(&system));
        let (_, text) = terraschema(&system, "check");
        assert!(
            text.contains("error[type-mismatch]") && !text.contains(remark),
            "{source}: {text}"
        );
        assert_eq!(text.contains("judged as OpenTofu"), is_of_tofu, "{source}: {text}");
    }
}

/// A baseline cannot list what cannot be read: the pattern that leaves it out is named.
#[test]
fn what_cannot_be_read_is_told_with_the_pattern_that_leaves_it_out() {
    let broken = "variable \"lifecycle\" {}\n";
    let files = || {
        let system = MemorySystem::new().file("a/main.tf", MODULE);
        system.file("old/x[1]/main.tf", broken).file("old/b/main.tf", "variable \"x\" {\n")
    };
    let system = files();
    let (exit, text) = terraschema(&system, "init");
    assert_eq!(exit, Exit::Clean, "{text}");
    let told = "2 modules that cannot be read: `check` exits with 2 for it, and a baseline cannot list it\n  old/b/main.tf:1,14: Unclosed block\n  old/x[1]/main.tf:1,10: Invalid variable name\n";
    assert!(text.contains(told), "{text}");
    let block = "# modules {\n#   exclude = [\"old/b\", \"old/x[[]1[]]\"]\n# }\n";
    assert!(configuration(&system).contains(block), "{}", configuration(&system));
    assert_eq!(terraschema(&system, "check").0, Exit::Failure);
    let (_, text) = terraschema(&system, "check --write-baseline known.jsonl");
    assert!(text.contains("`exclude = [\"old/b\", \"old/x[[]1[]]\"]`"), "{text}");
    let text = configuration(&system).replace(block, &block.replace("# ", ""));
    let system = files().file(".terraschema.hcl", text);
    assert_eq!(terraschema(&system, "check").0, Exit::Clean, "{}", configuration(&system));
    let system = MemorySystem::new().file("b/main.tf", broken).file(".terraschema.hcl", "");
    let (_, text) = terraschema(&system, "init");
    assert!(
        text.contains(
            "This excludes modules that cannot be read:\n  modules {\n    exclude = [\"b\"]\n  }\n"
        ),
        "{text}"
    );
}

#[test]
fn rules_that_stand_there_are_named_in_a_policy_block() {
    let rule = "rule \"names\" {\n  resource \"t\" {\n    name = required\n  }\n}\n";
    let system = || MemorySystem::new().file("m/main.tf", MODULE);
    let with = |rules: &str| {
        let system = system()
            .file("policies/a.rules.hcl", rules)
            .file("policies/net/b.rules.hcl", rule.replace("names", "more"))
            .file(".hidden/c.rules.hcl", rule)
            .file("own.rules.hcl", rule.replace("names", "own"));
        let (exit, out) = terraschema(&system, "init");
        assert_eq!(exit, Exit::Clean, "{out}");
        (configuration(&system), terraschema(&system, "check").0)
    };
    let block = "policy {\n  rules = [\"own.rules.hcl\", \"policies\"]\n}\n";
    let (text, exit) = with(rule);
    assert!(text.contains(block), "{text}");
    assert_eq!(exit, Exit::Clean);
    // With this the first check would be of no use.
    let (text, exit) = with(&format!("context \"env\" {{}}\n{rule}"));
    assert!(text.contains("# policy {") && !text.contains(block), "{text}");
    assert_eq!(exit, Exit::Clean);
    let none = system();
    terraschema(&none, "init");
    assert!(!configuration(&none).contains("policy"));
}
