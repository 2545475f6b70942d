//! What a run reads: links, paths in configurations, and files that conditions ask for.

use std::process::Command;

use testkit::workspace::{binary, isolated};

use super::Hostile;

/// A rule whose condition fails and whose message says what it could read.
fn telling(expression: &str) -> String {
    format!(
        "variable \"x\" {{\n  type    = string\n  default = \"d\"\n  validation {{\n    condition     = var.x == \"\"\n    \
         error_message = \"${{{expression}}} ${{var.x}}.\"\n  }}\n  validation {{\n    condition     = ({expression}) == var.x\n    \
         error_message = \"No.\"\n  }}\n}}\noutput \"o\" {{\n  value = {expression}\n}}\n"
    )
}

#[test]
fn files_outside_are_undecided_for_conditions_and_messages() {
    let expressions = [
        "file(\"../../secret\")",
        "base64encode(file(\"/proc/self/environ\"))",
        "filebase64(\"../../secret\")",
        "filesha256(\"../../secret\")",
        "templatefile(\"../../secret\", {})",
        "join(\",\", fileset(\"../..\", \"**\"))",
        "join(\",\", fileset(\"/\", \"**\"))",
        "fileexists(\"../../secret\") ? \"v\" : \"w\"",
        "file(\"/dev/zero\")",
        "file(\"../.git/config\")",
        "file(\"../.GIT/config\")",
        "file(pathexpand(\"~/.bashrc\"))",
        "pathexpand(\"~\")",
        "file(\"${path.module}/link\")",
        "file(\"${path.cwd}/../../secret\")",
        "file(\"${abspath(\".\")}/../../secret\")",
        "try(file(\"../../secret\"), \"none\")",
        "join(\",\", fileset(path.module, \"../../.git/**\"))",
        "nonsensitive(sensitive(file(\"../../secret\")))",
    ];
    for expression in expressions {
        let it = Hostile::new();
        it.link("../../secret", "m/link");
        it.write("m/main.tf", &telling(expression));
        it.write("m/prod.tfvars", "x = \"v\"\n");
        it.attack();
        let text = it.run("check -v").stdout;
        let is_undecided = text
            .contains("note[undecided-validation]: Only a plan can decide whether a rule of")
            && text.contains("m/main.tf:9:21");
        assert!(is_undecided, "{expression}: {text}");
        let reasons = ["outside the root", "home directory", "It depends on path.cwd"];
        let says_why = reasons.iter().any(|reason| text.contains(reason));
        assert!(says_why, "{expression}: {text}");
    }
}

#[test]
fn links_to_files_outside_are_one_finding_each() {
    for target in ["/proc/self/environ", "../../secret", "../../home/main.tf", "/dev/zero"] {
        for name in
            ["prod.tfvars", "a.auto.tfvars.json", "terraform.tfvars", "more.tf", "schema.json"]
        {
            let it = Hostile::new();
            it.link(target, &format!("m/{name}")).attack();
            let found = it.findings("");
            let place = format!("outside-root m/{name}:1:1");
            let count = found.iter().filter(|it| **it == place).count();
            assert_eq!(count, 1, "{name} -> {target}: {found:?}");
            assert_ne!(it.run("check").code, 0, "{name} -> {target}");
        }
        let it = Hostile::new();
        it.link(target, ".terraschema.hcl").attack();
        assert_eq!(it.findings(""), ["outside-root .terraschema.hcl:1:1"], "{target}");
        assert_ne!(it.run("check").code, 0);
    }
}

#[test]
fn inputs_of_a_configuration_stay_inside() {
    let refused = [
        ".git/config",
        "m/../.git/config",
        "/etc/hosts",
        ".GIT/config",
        "git~1/config",
        ".hidden/x.tfvars",
        "m/.x.tfvars",
        "/**",
        ".*/config",
    ];
    for file in refused {
        let it = Hostile::new();
        let text = format!("input \"i\" {{\n  module = \"m\"\n  files  = [\"{file}\"]\n}}\n");
        it.write(".terraschema.hcl", &text).attack();
        assert_eq!(it.findings(""), ["invalid-configuration .terraschema.hcl:3:12"], "{file}");
    }
    // What only the run can find out.
    for file in ["../secret", "m/../../secret", "m/link", "../home/*.tfvars", "{.git,m}/conf*"] {
        let it = Hostile::new();
        it.link("../../secret", "m/link");
        let text = format!("input \"i\" {{\n  module = \"m\"\n  files  = [\"{file}\"]\n}}\n");
        it.write(".terraschema.hcl", &text).attack();
        let found = it.findings("");
        let is_told = found
            .iter()
            .any(|it| it.starts_with("outside-root") || it.starts_with("unreadable-input"));
        assert!(is_told, "{file}: {found:?}");
    }
}

#[test]
fn paths_of_millions_of_parts_are_refused() {
    let long = "a/".repeat(1_000_000);
    let it = Hostile::new();
    it.write("m/main.tf", &telling(&format!("file(\"{long}x\")")));
    let answer = it.run("check --fix");
    assert!(answer.stdout.contains("the path is too long"), "{}", &answer.text()[..2000]);
    let it = Hostile::new();
    it.write(".terraschema.hcl", &format!("schema {{\n  file = \"{long}x.json\"\n}}\n"));
    let answer = it.run("check --fix --format concise");
    assert_eq!((answer.code, it.path("m/a").exists()), (2, false));
    let text = format!("input \"i\" {{\n  module = \"m\"\n  files  = [\"{long}x.tfvars\"]\n}}\n");
    it.write(".terraschema.hcl", &text);
    assert_ne!(it.run("check --format concise").code, 0);
}

#[test]
fn pipes_and_devices_do_not_block() {
    for name in ["main.tf", "prod.tfvars", "schema.json", "terraform.tfvars"] {
        let it = Hostile::new();
        let path = it.path(&format!("p/{name}"));
        it.write("p/other.tf", "variable \"x\" {}\n");
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        // A read of the pipe would block forever.
        let answer = it.run("check --format concise");
        assert_ne!(answer.code, 0, "{name}: {}", answer.text());
        assert!(answer.text().contains(&format!("p/{name}")), "{name}: {}", answer.text());
        assert!(answer.text().contains("regular file"), "{name}: {}", answer.text());
    }
    let it = Hostile::new();
    it.write("m/main.tf", &telling("file(\"pipe\")"));
    assert!(Command::new("mkfifo").arg(it.path("m/pipe")).status().unwrap().success());
    let text = it.run("check -v").text();
    assert!(text.contains("not a regular file"), "{text}");
}

/// A module of one's own is read as Terraform reads it, which would wait for somebody who writes.
#[test]
fn pipes_do_not_block_commands_for_ones_own_module() {
    for name in ["main.tf", "terraform.tfvars", "a.auto.tfvars", ".terraschema.hcl", "text"] {
        let it = Hostile::new();
        it.write("p/other.tf", "variable \"x\" {\n  default = 1\n}\n");
        it.write(
            "p/out.tf",
            "output \"o\" {\n  value = fileexists(\"text\") ? file(\"text\") : 1\n}\n",
        );
        assert!(
            Command::new("mkfifo").arg(it.path(&format!("p/{name}"))).status().unwrap().success()
        );
        for command in
            ["validate p", "eval -i p var.x", "docs p", "skeleton p", "generate -i p --stdout"]
        {
            let mut process = isolated(binary(), &it.path(""));
            let process = process.args(command.split(' ')).stdin(std::process::Stdio::null());
            let mut child = process.stdout(std::process::Stdio::piped()).spawn().unwrap();
            // The guard is for a read that blocks forever.
            let end = std::time::Instant::now() + std::time::Duration::from_mins(10);
            while child.try_wait().unwrap().is_none() {
                assert!(std::time::Instant::now() < end, "{name}: {command} blocks");
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
        }
    }
}

#[test]
fn links_that_nothing_asks_for_are_no_findings() {
    let it = Hostile::new();
    it.link("/etc/hosts", "README").link("../../home", "m/docs").link("/nowhere", "m/bazel-out");
    assert_eq!(it.run("check --fix").code, 0);
    let answer = it.run("check");
    assert_eq!(answer.code, 0, "{}", answer.text());
}

#[test]
fn relative_links_inside_are_followed() {
    let it = Hostile::new();
    it.write("shared/more.tf", "variable \"y\" {\n  type = string\n}\n");
    it.link("../shared/more.tf", "m/more.tf").link("../m/more.tf", "n/main.tf");
    it.link("../shared", "m/linked").write("shared/text", "inside");
    it.write("f/main.tf", &telling("file(\"../m/linked/text\")"));
    assert_eq!(it.run("check --fix n m").code, 0);
    assert!(it.findings("f").iter().any(|it| it.starts_with("default-fails-validation")));
}

#[test]
fn a_file_beyond_the_bound_is_a_finding() {
    let it = Hostile::new();
    let large = std::fs::File::create(it.path("m/large.tf")).unwrap();
    large.set_len((64 << 20) + 1).unwrap();
    assert_eq!(it.findings("")[0].split(' ').next(), Some("budget-exceeded"));
    assert_ne!(it.run("check").code, 0);
    std::fs::remove_file(it.path("m/large.tf")).unwrap();
    let large = std::fs::File::create(it.path("m/large.tfvars")).unwrap();
    large.set_len((64 << 20) + 1).unwrap();
    let found = it.findings("");
    assert!(found.iter().any(|it| it.starts_with("budget-exceeded")), "{found:?}");
}

/// With and without `--confined`: rules and configurations may come from the tree that is judged.
#[test]
fn policies_read_nothing_over_links_that_leave() {
    for target in ["../../secret", "/proc/self/environ", "../../home/main.tf"] {
        for (link, commands) in [
            (
                "m/.terraschema.hcl",
                &["--config m", "--config m rules", "--plan plan.json --source m rules"][..],
            ),
            (".terraschema.hcl", &["--config m", "--plan plan.json rules", "--plan plan.json"]),
            ("rules/b.rules.hcl", &["--config m rules", "--plan plan.json rules", "test rules"]),
            ("rules/b.rules.hcl", &["--config m rules/b.rules.hcl", "test rules/b.rules.hcl"]),
        ] {
            let it = Hostile::new();
            it.write("rules/a.rules.hcl", "rule \"r\" {\n  forbid \"t\" {}\n}\n");
            it.write("plan.json", "{\"format_version\": \"1.2\", \"resource_changes\": []}");
            // From the root a link in a directory leads one step less far.
            let depth = link.matches('/').count();
            let target =
                if depth == 0 { target.replacen("../../", "../", 1) } else { target.to_owned() };
            it.link(&target, link).commit();
            for (command, walls) in commands.iter().flat_map(|it| [(it, ""), (it, " --confined")]) {
                let walls = if command.starts_with("test") { "" } else { walls };
                let answer = it.run(&format!("policy {command}{walls}"));
                let text = answer.text();
                assert_eq!(answer.code, 2, "{command}{walls}: {text}");
                assert!(text.contains("error[outside-root]"), "{command}{walls}: {text}");
                super::assert_silent(command, &text);
            }
        }
    }
}

/// Terraform reads no `.terraschema.hcl`: where a person asks about a module, this one may come from a stranger anyway.
#[test]
fn configurations_are_not_read_over_links_that_leave() {
    for (target, link) in [
        ("../../secret", "m/.terraschema.hcl"),
        ("/proc/self/environ", "m/.terraschema.hcl"),
        ("../secret", ".terraschema.hcl"),
        ("../home/main.tf", ".terraschema.hcl"),
    ] {
        let it = Hostile::new();
        it.link(target, link).commit();
        for command in
            ["validate m", "validate m --confined", "validate -i m --format json", "eval -i m 1"]
        {
            let answer = it.run(command);
            super::assert_silent(command, &answer.text());
            if command.starts_with("validate") {
                assert!(answer.text().contains("outside-root"), "{command}: {}", answer.text());
            }
        }
    }
}

/// What is made from a module quotes defaults and descriptions, so it reads no file outside.
#[test]
fn skeletons_and_documentation_are_not_made_from_files_outside() {
    for target in ["../../home/main.tf", "../../secret", "/proc/self/environ"] {
        for link in ["m/more.tf", "m/more.tf.json"] {
            let it = Hostile::new();
            it.link(target, link).commit();
            for command in [
                "skeleton m",
                "skeleton m --as json",
                "skeleton m --as module",
                "skeleton m --as example",
                "docs m",
                "docs m --all",
                "generate -i m --stdout",
                "generate -i m --stdout --outputs",
            ] {
                let answer = it.run(command);
                assert_ne!(answer.code, 0, "{command}, {link}: {}", answer.text());
                super::assert_silent(command, &answer.text());
            }
        }
    }
}

/// A module that git tracks is judged wherever it is; what only `terraform init` makes is awaited.
#[test]
fn a_tracked_module_below_terraform_is_judged() {
    let it = Hostile::new();
    it.write(
        ".terraschema.hcl",
        "policy {\n  rules = [\"rules\"]\n}\nrule \"missing-schema\" {\n  level = \"off\"\n}\n",
    );
    it.write("rules/a.rules.hcl", "rule \"r\" {\n  resource \"t\" {\n    a = 1\n  }\n}\n");
    it.write("m/main.tf", "module \"x\" {\n  source = \"./.terraform/x\"\n}\n");
    it.write("m/.terraform/x/main.tf", "resource \"t\" \"a\" {\n  a = 2\n}\n");
    it.write(".gitignore", ".terraform\n");
    it.commit();
    assert_eq!(it.findings(""), ["nothing-judged rules/a.rules.hcl:2:3"]);
    it.git(&["add", "-f", "m/.terraform/x/main.tf"]);
    let found = ["policy/r m/.terraform/x/main.tf:2:3"];
    assert_eq!(it.findings(""), found);
    assert_eq!(it.findings("--staged"), found);
}

/// Each path through the links is another name of the same directory, and there are two to the power of forty of them.
#[test]
fn links_that_lead_back_end_the_search_for_modules() {
    let it = Hostile::new();
    let calls = "variable \"x\" {}\nmodule \"a\" {\n  source = \"./a\"\n}\nmodule \"b\" {\n  source = \"./b\"\n}\n";
    it.write("m/main.tf", calls).link(".", "m/a").link(".", "m/b");
    it.write("n/main.tf", "module \"m\" {\n  source = \"../m\"\n}\n");
    it.commit();
    let answer = it.run("check --format concise");
    let back = "A module calls itself: \"./a\" leads back to a module that contains this call.";
    assert!(answer.stdout.contains(back), "{}", answer.text());
    for (command, code) in
        [("validate m", 1), ("validate n", 1), ("generate m", 0), ("init", 0), ("compat HEAD", 0)]
    {
        let answer = it.run(command);
        assert_eq!(answer.code, code, "{command}: {}", answer.text());
    }
}
