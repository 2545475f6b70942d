//! Findings that a new user would turn off: each says what is there, once, and at the level that it deserves.

use testkit::workspace::Workspace;

const NO_SCHEMAS: &str = "rule \"missing-schema\" {\n  level = \"off\"\n}\n";

fn without_schemas() -> Workspace {
    let it = Workspace::repository();
    it.write(".terraschema.hcl", NO_SCHEMAS);
    it
}

#[test]
fn a_guard_is_named_only_where_there_is_one() {
    let rule = |name: &str, ty: &str, default: &str, condition: &str| {
        format!(
            "variable \"{name}\" {{\n  type    = {ty}\n  {default}\n  validation {{\n    condition     = \
             {condition}\n    error_message = \"Bad.\"\n  }}\n}}\n"
        )
    };
    // The rule, whether it is a warning, whether there is a guard.
    let cases = [
        (rule("a", "bool", "default = false", "!var.a || var.z"), false, false),
        (rule("a", "bool", "default = null", "!var.a || var.z"), true, false),
        (
            rule("a", "string", "", "can(cidrhost(var.a, 0)) && length(split(\"/\", var.a)) == 2"),
            false,
            false,
        ),
        (rule("a", "string", "default = null", "var.a == null || length(var.a) > 2"), true, true),
        (
            rule("a", "string", "default = \"abc\"", "null == var.a || length(var.a) > 2"),
            false,
            true,
        ),
        (
            rule("a", "string", "default = null", "!can(length(var.a)) || length(var.a) > 2"),
            true,
            true,
        ),
        (rule("a", "string", "", "var.a != null && length(var.a) > 2"), false, true),
        (rule("a", "bool", "default = null", "var.z == null || !var.a || var.z"), true, false),
    ];
    for (text, is_warning, is_guarded) in cases {
        let it = without_schemas();
        it.write("z.tf", "variable \"z\" {\n  type    = bool\n  default = true\n}\n");
        it.write("main.tf", &text);
        let answer = it.terraschema("check -v --format concise");
        let line = answer.stdout.lines().find(|it| it.contains("[null-crashes-validation]"));
        let line = line.unwrap_or_else(|| panic!("{text}\n{}", answer.text()));
        assert_eq!(line.contains(": warning["), is_warning, "{text}\n{line}");
        assert_eq!(line.contains("the null check does not help"), is_guarded, "{text}\n{line}");
    }
}

#[test]
fn only_a_schema_can_be_violated() {
    let it = without_schemas();
    it.write("main.tf", "variable \"deploy\" {\n  type    = string\n  default = \"a\"\n}\n");
    it.write("dev.tfvars.json", "{\"deploy\": false}\n");
    let answer = it.terraschema("check");
    assert_eq!(answer.code, 0, "{}", answer.text());
    assert!(!answer.stdout.contains("schema-violation"), "{}", answer.text());
    // Somebody commits one anyway.
    it.terraschema("-o schema.json");
    let answer = it.terraschema("check");
    assert!(answer.stdout.contains("[schema-violation]"), "{}", answer.text());
    // Schemas are expected, and the next run of `check --fix` writes this one.
    it.remove("schema.json").remove(".terraschema.hcl");
    let answer = it.terraschema("check");
    assert!(answer.stdout.contains("[schema-violation]"), "{}", answer.text());
}

#[test]
fn values_next_to_sources_without_variables_are_undeclared() {
    let it = without_schemas();
    it.write("live/main.tf", "locals {\n  a = 1\n}\n").write("live/terraform.tfvars", "name = 1\n");
    it.write("live/x.auto.tfvars", "other = 1\n").write("live/dev.tfvars", "third = 1\n");
    let answer = it.terraschema("check --format concise");
    for expected in [
        "live/terraform.tfvars:1:1: warning[undeclared-variable]",
        "live/x.auto.tfvars:1:1: warning[undeclared-variable]",
        "live/dev.tfvars:1:1: warning[undeclared-variable]",
    ] {
        assert!(answer.stdout.contains(expected), "{expected}: {}", answer.text());
    }
    assert!(!it.terraschema("check").stdout.contains("belongs to no module"));
    // A file that Terraform does not read by itself belongs to the module above.
    it.write("main.tf", "variable \"third\" {}\n");
    let answer = it.terraschema("check --format concise");
    assert!(!answer.stdout.contains("dev.tfvars"), "{}", answer.text());
    assert!(answer.stdout.contains("live/terraform.tfvars:1:1"), "{}", answer.text());
    // Below sources without variables nothing says whose values these are.
    let it = without_schemas();
    it.write("main.tf", "locals {\n  a = 1\n}\n").write("envs/dev.tfvars", "third = 1\n");
    let answer = it.terraschema("check");
    assert!(answer.stdout.contains("1 values file belongs to no module"), "{}", answer.text());
}

const CLUSTERS: &str = r#"variable "clusters" {
  type = map(object({
    size = number
    forwarded_values = optional(object({
      query_string = optional(bool)
    }))
    a1 = optional(string)
    a2 = optional(string)
    a3 = optional(string)
    a4 = optional(string)
    a5 = optional(string)
    a6 = optional(string)
    a7 = optional(string)
    a8 = optional(string)
    a9 = optional(string)
  }))
}
"#;

#[test]
fn an_unknown_attribute_has_a_path_and_a_place_where_it_belongs() {
    let it = without_schemas();
    it.write("main.tf", CLUSTERS);
    let said = |value: &str| {
        it.write("terraform.tfvars", format!("clusters = {{\n  \"00\" = {value}\n}}\n"));
        it.terraschema("check").stdout
    };
    let text = said("{ size = 1, query_string = true }");
    assert!(text.contains("clusters[\"00\"] has no attribute \"query_string\""), "{text}");
    assert!(text.contains("forwarded_values has an attribute of that name."), "{text}");
    assert!(text.contains("main.tf:5:7") && !text.contains("a9"), "{text}");
    let text = said("{ size = 1, forwarded_values = { size = 2 } }");
    assert!(text.contains("clusters[\"00\"] has an attribute of that name."), "{text}");
    assert!(text.contains("main.tf:3:5"), "{text}");
    let text = said("{ size = 1, sice = 2 }");
    assert!(text.contains("did you mean \"size\"?") && text.contains("main.tf:3:5"), "{text}");
    let text = said("{ size = 1, other = 2 }");
    assert!(text.contains("The type has a1, a2, a3, a4, a5, a6, a7, a8 and 3 more."), "{text}");
    assert!(text.contains("main.tf:2:14"), "the beginning of the object: {text}");
    let longest = text.lines().map(str::len).max().unwrap();
    assert!(longest < 200, "{longest}: {text}");
}

#[test]
fn an_unknown_attribute_that_is_null_is_a_warning() {
    let it = without_schemas();
    it.write("m/main.tf", "variable \"x\" {\n  type = object({ a = optional(number) })\n}\n");
    it.write("m/terraform.tfvars", "x = { server_version = null }\n");
    it.write("main.tf", "module \"m\" {\n  source = \"./m\"\n  x      = { server = null }\n}\n");
    let answer = it.terraschema("check --format concise");
    let found: Vec<&str> = answer.stdout.lines().collect();
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found.iter().all(|it| it.contains(": warning[unknown-attribute]")), "{found:?}");
    assert_eq!(answer.code, 0);
    it.write("m/terraform.tfvars", "x = { server_version = 1 }\n");
    assert_eq!(it.terraschema("check").code, 1);
}

#[test]
fn only_what_is_declared_as_sensitive_is_shown_as_such() {
    let it = without_schemas();
    it.write(
        "main.tf",
        "variable \"s\" {\n  type      = object({ a = optional(string) })\n  sensitive = true\n}\n\
         variable \"e\" {\n  type      = object({ a = optional(string) })\n  ephemeral = true\n}\n",
    );
    it.write(
        "terraform.tfvars",
        "s     = { b = \"hush-1\" }\ne     = { b = \"hush-2\" }\nother = \"hush-3\"\n",
    );
    let text = it.terraschema("check").stdout;
    assert!(!text.contains("hush"), "{text}");
    assert!(text.contains("s     = (sensitive)"), "{text}");
    assert!(text.contains("e     = (not shown)"), "{text}");
    assert!(text.contains("other = (not shown)"), "{text}");
}

#[test]
fn equal_findings_are_one_paragraph() {
    let it = without_schemas();
    let variable = |name: &str| format!("variable \"{name}\" {{\n  type = \"string\"\n}}\n");
    it.write("main.tf", ["a", "b", "c", "d"].map(variable).concat());
    let text = it.terraschema("check").stdout;
    let count = |text: &str| text.matches("error[unsupported-argument]").count();
    assert_eq!(count(&text), 1, "{text}");
    assert!(text.contains("3 more findings of this kind"), "{text}");
    assert!(text.contains("\"b\" at main.tf:5, \"c\" at main.tf:8, \"d\" at main.tf:11"), "{text}");
    assert!(text.contains("4 errors"), "all are counted: {text}");
    assert_eq!(count(&it.terraschema("check -v").stdout), 4);
    assert_eq!(it.terraschema("check --format concise").stdout.lines().count(), 4);
    // Two are not worth a list.
    it.write("main.tf", ["a", "b"].map(variable).concat());
    assert_eq!(count(&it.terraschema("check").stdout), 2);
}

/// A dead value in the file of each environment is one habit, too.
#[test]
fn equal_findings_in_several_files_are_one_paragraph() {
    let it = without_schemas();
    it.write("main.tf", "variable \"o\" {\n  type    = object({})\n  default = {}\n}\n");
    for name in ["a", "b", "c"] {
        it.write(&format!("{name}.tfvars"), "o = { size = null }\n");
    }
    it.write("d.tfvars", "o = { sise = null }\n");
    let text = it.terraschema("check").stdout;
    assert_eq!(text.matches("warning[unknown-attribute]").count(), 2, "{text}");
    let others = "2 more findings of this kind: \"o\" at b.tfvars:1, \"o\" at c.tfvars:1;";
    assert!(text.contains(others), "{text}");
    assert!(text.contains("4 warnings"), "{text}");
    assert_eq!(it.terraschema("check -v").stdout.matches("warning[unknown-").count(), 4);
}

/// So is a variable that no file sets, although each finding names its file.
#[test]
fn a_variable_that_several_files_lack_is_one_paragraph() {
    let it = without_schemas();
    let block = "input \"all\" {\n  module = \".\"\n  each   = \"*.tfvars\"\n}\n";
    it.write(".terraschema.hcl", format!("{NO_SCHEMAS}{block}"));
    it.write("main.tf", "variable \"image\" {}\nvariable \"size\" {}\n");
    for name in ["a", "b", "c"] {
        it.write(&format!("{name}.tfvars"), "size = 1\n");
    }
    it.write("d.tfvars", "image = 1\n");
    let text = it.terraschema("check").stdout;
    assert_eq!(text.matches("[missing-variable]").count(), 2, "{text}");
    let others = "2 more findings of this kind: \"image\" at b.tfvars:1, \"image\" at c.tfvars:1;";
    assert!(text.contains(others), "{text}");
    assert_eq!(it.terraschema("check -v").stdout.matches("[missing-variable]").count(), 4);
}

/// What git ignores may be made before a plan, so that no rule fails by its absence.
#[test]
fn files_that_git_ignores_are_not_judged() {
    let it = without_schemas();
    it.write(".gitignore", "made/\n*.pem\n");
    let calls = [
        "length(file(\"k.pem\")) > 9",
        "length(filebase64(\"k.pem\")) > 9",
        "length(templatefile(\"made/x.tpl\", {})) > 9",
        "filesha256(\"made/x.zip\") == \"a\"",
        "fileexists(\"k.pem\")",
        "fileexists(\"made/x\")",
        "length(fileset(\"made\", \"*\")) > 0",
        "length(fileset(path.module, \"made/*\")) > 0",
        "length(fileset(path.module, \"k.pem\")) > 0",
        "length(file(\"../../../../../../../outside\")) > 9",
        "length(file(\"/outside\")) > 9",
        "fileexists(\"~/outside\")",
        "length(fileset(\"/outside\", \"*\")) > 0",
    ];
    for call in calls {
        it.write(
            "main.tf",
            format!(
                "variable \"x\" {{\n  default = 1\n  validation {{\n    condition     = {call} && \
                 var.x == 1\n    error_message = \"Bad.\"\n  }}\n}}\n"
            ),
        );
        it.write("terraform.tfvars", "x = 1\n");
        let answer = it.terraschema("check --format json");
        assert_eq!(answer.code, 0, "{call}: {}", answer.text());
        assert!(answer.stdout.contains("undecided-validation"), "{call}: {}", answer.text());
    }
    // The others are wrong: they are neither there nor made.
    for call in ["length(file(\"missing\")) > 9", "fileexists(\"missing\")"] {
        it.write(
            "main.tf",
            format!(
                "variable \"x\" {{\n  default = 1\n  validation {{\n    condition     = {call} && \
                 var.x == 1\n    error_message = \"Bad.\"\n  }}\n}}\n"
            ),
        );
        assert_eq!(it.terraschema("check").code, 1, "{call}");
    }
}
