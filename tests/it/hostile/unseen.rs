//! `skeleton` reads nothing outside of the repository, and says where a module does.

use super::Hostile;

/// Expressions that look outside, with the path that is named.
const LOOKS: [(&str, &str); 12] = [
    ("file(var.path)", "~/absent"),
    ("file(\"~/absent\")", "~/absent"),
    ("file(pathexpand(var.path))", "~/absent"),
    ("file(\"/absent/absent\")", "/absent/absent"),
    ("file(\"${path.module}/../../absent\")", "absent"),
    ("filebase64(\"../../absent\")", "absent"),
    ("filesha256(var.path)", "~/absent"),
    ("templatefile(var.path, {})", "~/absent"),
    ("jsondecode(file(\"~/.bashrc\"))", "~/.bashrc"),
    ("fileexists(\"~/.bashrc\") ? tonumber(\"x\") : 1", "~/.bashrc"),
    ("try(file(\"~/absent\"), tonumber(\"x\"))", "~/absent"),
    ("jsondecode(file(\"link\"))", "link"),
];

/// Where each of them is.
const PLACES: [&str; 5] = [
    "output \"x\" {\n  value = EXPR\n}\n",
    "locals {\n  x = EXPR\n}\n",
    "resource \"terraform_data\" \"x\" {\n  input = EXPR\n}\n",
    "resource \"aws_key_pair\" \"x\" {\n  public_key = EXPR\n}\n",
    "variable \"ruled\" {\n  default = 1\n  validation {\n    condition     = var.ruled == 1 && can(length(EXPR))\n    \
        error_message = \"No.\"\n  }\n}\n",
];

#[test]
fn what_nobody_looked_at_is_named() {
    let it = Hostile::new();
    it.link(it.outside("home/.bashrc"), "m/link");
    let variable = "variable \"path\" {\n  type    = string\n  default = \"~/absent\"\n}\n";
    let mut rejected = 0;
    for (look, path) in LOOKS {
        for place in PLACES {
            let module = format!("{variable}{}", place.replace("EXPR", look));
            it.write("m/main.tf", &module);
            let skeleton = it.run("skeleton m");
            let said = &skeleton.stderr;
            it.write("s.tfvars", &skeleton.stdout);
            let judged = it.run("validate m --var-file s.tfvars");
            rejected += usize::from(judged.code == 1);
            assert!(said.contains("Warning: the module reads outside"), "{module}\n{said}");
            assert!(said.contains(path), "{module}\n{said}");
            // A condition that asks whether it can be read is not an error.
            if judged.code == 1 && path.ends_with("absent") && !look.contains("try(") {
                assert!(
                    said.contains("if nothing is there, the module rejects"),
                    "{module}\n{said}"
                );
                assert!(said.contains("main.tf:"), "{module}\n{said}");
            }
            assert!(!skeleton.text().contains(super::SECRET), "{}", skeleton.text());
        }
    }
    assert!(rejected >= 40, "{rejected}");
}

/// A called module outside is not read either.
#[test]
fn a_called_module_outside_is_named() {
    let it = Hostile::new();
    it.write("m/main.tf", "module \"x\" {\n  source = \"../../home\"\n}\n");
    let said = it.run("skeleton m").stderr;
    assert!(said.contains("Warning: the module reads outside"), "{said}");
    assert!(said.contains("home"), "{said}");
}

/// A module that asks for the name of the home directory reads nothing there, as many do to recognise Windows.
#[test]
fn the_name_of_the_home_directory_is_not_a_read() {
    let it = Hostile::new();
    let said = |module: &str| {
        it.write("m/main.tf", module);
        it.run("skeleton m").stderr
    };
    let python =
        "locals {\n  python = substr(pathexpand(\"~\"), 0, 1) == \"/\" ? \"a\" : \"b\"\n}\n";
    let text = said(python);
    assert!(!text.contains("reads outside"), "{text}");
    // A condition that depends on it is said to.
    let rule = "variable \"ruled\" {\n  default = 1\n  validation {\n    condition     = var.ruled == 1 && \
        pathexpand(\"~\") == \"/root\"\n    error_message = \"No.\"\n  }\n}\n";
    let text = said(rule);
    assert!(text.contains("reads outside of its repository") && text.contains("\"~\""), "{text}");
}
