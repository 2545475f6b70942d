//! What a verdict says besides accept or reject: which errors together, in which words, at which places.

use diagnostics::{Bound, Cause, Diagnostic, Role, Sources, Span, lints};
use system::MemorySystem;
use terraschema::{Console, run};
use tf_eval::Meter;
use verdict::{MORE_WORK, report_budgets};

use super::doubt::{report, report_of, verdict};

/// `LEVEL MESSAGE` of each finding.
fn said(report: &serde_json::Value) -> Vec<String> {
    let word = |it: &serde_json::Value| it.as_str().unwrap().to_owned();
    let all = report["findings"].as_array().unwrap().iter();
    all.map(|it| word(&it["level"]) + " " + &word(&it["message"])).collect()
}

#[test]
fn a_cycle_names_its_blocks_and_shows_where_they_stand() {
    let main = "locals {\n  a = local.b\n  b = local.a\n}\n";
    let found = report(&[("main.tf", main)]);
    let [said] = said(&found).try_into().unwrap();
    assert!(said.contains("local.a") && said.contains("local.b"), "{said}");
    let places = found["findings"][0]["locations"].as_array().unwrap();
    let mut lines: Vec<_> = places.iter().map(|it| it["line"].as_u64().unwrap()).collect();
    lines.sort_unstable();
    assert_eq!(lines, [2, 3]);
}

#[test]
fn a_message_that_holds_a_secret_says_what_kind_of_value_it_holds() {
    for (attribute, kind) in
        [("sensitive", "a sensitive value"), ("ephemeral", "an ephemeral value")]
    {
        let main = format!(
            "variable \"v\" {{\n  default = \"planted\"\n  {attribute} = true\n  validation {{\n    condition = var.v == \"\"\n    error_message = \"Not ${{var.v}}.\"\n  }}\n}}\n"
        );
        let said = said(&report(&[("main.tf", &main)])).join("\n");
        assert!(said.contains(kind) && !said.contains("planted"), "{said}");
    }
}

/// A body that a provider reads: `dynamic` blocks are evaluated once for each element.
#[test]
fn the_content_of_a_dynamic_block_is_judged_for_each_element() {
    for (for_each, content, expected) in [
        ("[1]", "tonumber(\"q\")", "reject"),
        ("[]", "tonumber(\"q\")", "accept"),
        ("[\"1\"]", "tonumber(b.value)", "accept"),
        ("[\"q\"]", "tonumber(b.value)", "reject"),
        ("[\"1\", \"q\"]", "tonumber(b.value)", "reject"),
        ("{ q = 1 }", "tonumber(b.key)", "reject"),
        ("[1]", "local.none", "reject"),
        ("[]", "local.none", "accept"),
        ("[tonumber(\"q\")]", "1", "reject"),
        // A plan may find no element.
        ("data.x.y.all", "1", "accept"),
        ("data.x.y.all", "tonumber(\"q\")", "undecided"),
        ("data.x.y.all", "local.none", "undecided"),
    ] {
        let main = format!(
            "data \"x\" \"y\" {{}}\nresource \"x\" \"a\" {{\n  dynamic \"b\" {{\n    for_each = {for_each}\n    content {{\n      v = {content}\n    }}\n  }}\n}}\n"
        );
        assert_eq!(verdict(&[("main.tf", &main)]), expected, "{for_each}, {content}");
    }
}

/// With defaults alone an error may vanish, so it is a note; a warning stays one.
#[test]
fn warnings_about_defaults_stay_warnings() {
    let main = "variable \"v\" {\n  default = 1\n}\ncheck \"c\" {\n  assert {\n    condition = var.v == 2\n    error_message = \"No.\"\n  }\n}\n";
    let system = MemorySystem::new().working_in("/m").file("/m/main.tf", main);
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let words = ["terraschema", "check", "--format", "json", "-v"].map(Into::into).to_vec();
    run(words, &system, &mut Console::to(&mut stdout, &mut stderr));
    let report: serde_json::Value = serde_json::from_slice(&stdout).unwrap();
    let found = report["findings"].as_array().unwrap().iter();
    let found: Vec<_> = found.filter(|it| it["rule"] == "failed-condition").collect();
    assert_eq!(found.len(), 1, "{report}");
    assert_eq!(found[0]["level"], "warning");
    assert_eq!(found[0]["help"], serde_json::Value::Null);
}

/// What fails with unknown values too stays an error. What a value, a workspace or a file elsewhere may mend is a note.
#[test]
fn errors_that_no_value_changes_stay_errors() {
    let import = |rest: &str| format!("1\n}}\nimport {{\n  id = \"i\"\n  {rest}");
    for (value, expected) in [
        ("tonumber(terraform_data.r.input)", "error"),
        ("[for i in range(2) : tonumber(\"${terraform_data.r.input}${i}\")]", "error"),
        ("{ v = var.v, n = tonumber(terraform_data.r.input) }", "error"),
        ("tonumber(var.v)", "note"),
        ("tonumber(\"${terraform_data.r.input}${var.v}\")", "note"),
        ("var.v == \"x\" ? tonumber(terraform_data.r.input) : 1", "note"),
        ("file(terraform_data.r.input)", "note"),
        ("terraform_data.n[0].id", "note"),
        (&import("to = terraform_data.none"), "error"),
        (&import("to = terraform_data.r\n  provider = terraform"), "error"),
    ] {
        let main = format!(
            "variable \"v\" {{\n  default = \"x\"\n}}\nprovider \"terraform\" {{}}\nresource \"terraform_data\" \"r\" {{\n  input = \"abc\"\n}}\nresource \"terraform_data\" \"n\" {{\n  count = var.v == \"x\" ? 0 : 1\n}}\noutput \"o\" {{\n  value = {value}\n}}\n"
        );
        let system = MemorySystem::new().working_in("/m").file("/m/main.tf", main);
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        let words = ["terraschema", "check", "--format", "json", "-v"].map(Into::into).to_vec();
        run(words, &system, &mut Console::to(&mut stdout, &mut stderr));
        let report: serde_json::Value = serde_json::from_slice(&stdout).unwrap();
        let found = report["findings"].as_array().unwrap().iter();
        let levels: Vec<&str> = found
            .filter(|it| it["rule"] != "missing-schema")
            .filter_map(|it| it["level"].as_str())
            .collect();
        assert!(!levels.is_empty(), "{value}: nothing is found");
        assert!(levels.iter().all(|it| *it == expected), "{value}: {report}");
    }
}

/// A rule is reported once for all inputs, an expression outside of rules once for its place.
#[test]
fn each_part_that_is_too_large_is_told_once() {
    let mut sources = Sources::new();
    let file = sources.add("a.tf", "ab".as_bytes());
    let found = |at: usize| {
        let found = Diagnostic::new(&lints::BUDGET_EXCEEDED, "Too much");
        found.cause(Cause::Budget(Bound::Evaluation)).at(Role::Rule, Span::new(file, at, at + 1))
    };
    let of_rule = |name: &'static str, index: usize| found(0).variable(name).validation(index);
    let all = vec![
        of_rule("x", 0),
        of_rule("x", 1),
        of_rule("y", 0),
        found(0).variable("x"),
        found(0),
        found(1),
    ];
    let (told, is_whole) = report_budgets([all.clone(), all.clone()].concat(), &Meter::default());
    assert!(!is_whole);
    assert_eq!(told, all.into_iter().map(|it| it.help(MORE_WORK)).collect::<Vec<_>>());
}

/// Terraform checks the configuration of a provider that something uses, and no other.
#[test]
fn the_configuration_of_a_provider_is_judged_where_it_is_used() {
    for (argument, user, expected) in [
        ("a = 1", "x", "accept"),
        ("a = tonumber(var.q)", "x", "reject"),
        ("a = tonumber(var.q)", "other", "accept"),
        ("a = local.none", "x", "reject"),
    ] {
        let main = format!(
            "variable \"q\" {{\n  default = \"q\"\n}}\nprovider \"x\" {{\n  {argument}\n}}\nresource \"{user}_thing\" \"a\" {{}}\n"
        );
        assert_eq!(verdict(&[("main.tf", &main)]), expected, "{argument}, {user}");
    }
}

/// As in rules of variables, what only a plan knows counts where it makes a difference.
#[test]
fn conditions_of_outputs_and_resources_may_hold_whatever_the_plan_says() {
    let condition = |z: &str| {
        format!(
            "precondition {{\n    condition = var.{z} == \"\" || data.x.y.name == var.{z}\n    error_message = \"No.\"\n  }}"
        )
    };
    for (z, expected) in [("empty", "accept"), ("full", "undecided")] {
        let variables = "variable \"empty\" {\n  default = \"\"\n}\nvariable \"full\" {\n  default = \"f\"\n}\ndata \"x\" \"y\" {}\n";
        let output = format!("{variables}output \"o\" {{\n  value = 1\n  {}\n}}\n", condition(z));
        assert_eq!(verdict(&[("main.tf", &output)]), expected, "output, {z}");
        let resource = format!(
            "{variables}resource \"x\" \"a\" {{\n  lifecycle {{\n  {}\n  }}\n}}\n",
            condition(z)
        );
        assert_eq!(verdict(&[("main.tf", &resource)]), expected, "resource, {z}");
    }
}

/// An expression of JSON is inside a string, whose quote is not a part of it.
#[test]
fn an_expression_of_json_has_its_place_in_its_string() {
    for (value, column) in [("${local.none}", 21), ("é ${local.none}", 23)] {
        let main = format!("{{\"locals\": {{\"a\": \"{value}\"}}}}");
        let found = report(&[("main.tf.json", &main)]);
        let place = &found["findings"][0]["locations"][0];
        assert_eq!((&place["line"], &place["column"]), (&1.into(), &column.into()), "{found}");
    }
}

/// Terraform's answers. A data source is read in the plan unless it waits for something; what other
/// backends hold nobody looks for.
#[test]
fn a_local_state_is_looked_for_where_terraform_reads_it() {
    let gone = "backend = \"local\"\n  config = { path = \"gone\" }";
    for (arguments, expected) in [
        ("backend = \"local\"", "reject"),
        (gone, "reject"),
        ("backend = \"local\"\n  config = { path = var.there }", "accept"),
        ("backend = \"s3\"\n  config = { path = \"gone\" }", "accept"),
        (&format!("{gone}\n  workspace = \"w\""), "reject"),
        (
            "backend = \"local\"\n  config = { workspace_dir = \"d\" }\n  workspace = \"w\"",
            "accept",
        ),
        (&format!("{gone}\n  defaults = {{}}"), "reject"),
        (&format!("{gone}\n  depends_on = [terraform_data.r]"), "accept"),
        ("backend = \"local\"\n  config = { path = terraform_data.r.input }", "accept"),
        ("backend = \"local\"\n  config = { path = terraform_data.r.id, nope = 1 }", "accept"),
        ("backend = \"nope\"\n  config = { path = terraform_data.r.id }", "accept"),
        ("backend = terraform_data.r.id\n  config = \"x\"", "reject"),
        ("backend = terraform_data.r.id\n  defaults = \"x\"", "reject"),
        ("backend = var.null", "reject"),
        ("backend = \"local\"\n  config = { path = var.empty }", "reject"),
    ] {
        let main = format!(
            "variable \"there\" {{\n  default = \"s.tfstate\"\n}}\nvariable \"null\" {{\n  default = null\n}}\n\
             variable \"empty\" {{\n  default = \"\"\n}}\n\
             resource \"terraform_data\" \"r\" {{\n  input = \"gone\"\n}}\n\
             data \"terraform_remote_state\" \"a\" {{\n  {arguments}\n}}\n"
        );
        let state = "{\"version\": 4, \"serial\": 1, \"lineage\": \"x\"}";
        let files =
            [("main.tf", main.as_str()), ("s.tfstate", state), ("d/w/terraform.tfstate", state)];
        assert_eq!(verdict(&files), expected, "{arguments}");
    }
}

/// Terraform reads 10,000 levels. Fewer may still be no state, which only a look at each of them shows.
#[test]
fn a_deep_state_is_refused_or_left_open() {
    for (levels, expected) in
        [(100, "accept"), (1_000, "undecided"), (9_998, "undecided"), (10_000, "reject")]
    {
        let value = format!("{}1{}", "[".repeat(levels), "]".repeat(levels));
        let state = format!(
            "{{\"version\": 4, \"serial\": 1, \"lineage\": \"x\", \"more\": \"[[\\\"\", \"x\": {value}}}"
        );
        let main = "data \"terraform_remote_state\" \"a\" {\n  backend = \"local\"\n}\n";
        assert_eq!(
            verdict(&[("main.tf", main), ("terraform.tfstate", &state)]),
            expected,
            "{levels}"
        );
    }
}

/// Terraform's answers, which are the same with `count` and `for_each`.
#[test]
fn what_depends_on_names_has_to_be_there() {
    for (name, expected) in [
        ("var.ok", "accept"),
        ("local.ok", "accept"),
        ("path.module", "accept"),
        // Terraform 1.11.4 crashes.
        ("self", "reject"),
        ("null.a", "reject"),
        ("true[0]", "reject"),
        ("var.nope", "reject"),
        ("local.nope", "reject"),
        ("local[\"ok\"]", "reject"),
        ("path.nope", "reject"),
        ("terraform.nope", "reject"),
        ("each.key", "reject"),
        ("count.index", "reject"),
        ("null", "reject"),
        ("true", "reject"),
    ] {
        for block in ["resource \"terraform_data\" \"a\" {", "module \"m\" {\n  source = \"./m\""] {
            let main = format!(
                "variable \"ok\" {{\n  default = 1\n}}\nlocals {{\n  ok = 1\n}}\n{block}\n  for_each = {{ k = 1 }}\n  \
                 depends_on = [{name}]\n}}\n"
            );
            let files = [("main.tf", main.as_str()), ("m/main.tf", "")];
            assert_eq!(verdict(&files), expected, "{name} in {block}");
        }
    }
}

/// Terraform's answers.
#[test]
fn moves_that_lead_back_are_found_through_what_holds_them() {
    let (a, b) = ("module.a", "module.b");
    let (x, y) = ("terraform_data.x", "terraform_data.y");
    let at = |module: &str, rest: &str| format!("{module}.{rest}");
    let (ax, bx) = (at(a, x), at(b, x));
    let cases: [(&[(&str, &str)], &str); 12] = [
        (&[(x, y), (y, x)], "reject"),
        (&[(a, b), (&bx, &ax)], "reject"),
        (&[(a, b), (&at(b, "module.c"), &at(a, "module.c"))], "reject"),
        (&[(a, b), (&at(b, "module.c"), "module.d")], "accept"),
        (&[(a, b), ("module.b[0]", "module.a[0]")], "reject"),
        (&[("terraform_data.x[1]", y), (y, "terraform_data.x[1.0]")], "reject"),
        (&[("terraform_data.x[0]", &bx), (x, "module.b.terraform_data.y")], "accept"),
        (&[("terraform_data.x[0]", "module.b.terraform_data.x[0]"), (x, &bx)], "reject"),
        (&[(a, "module.a.module.c")], "accept"),
        (&[(a, "module.a.module.c"), (a, "module.a.module.c")], "reject"),
        (&[(a, b), (&ax, x)], "accept"),
        (&[("terraform_data.x[1.5]", y)], "reject"),
    ];
    for (moves, expected) in cases {
        let text =
            |(from, to): &(&str, &str)| format!("moved {{\n  from = {from}\n  to = {to}\n}}\n");
        let main: String = moves.iter().map(text).collect();
        assert_eq!(verdict(&[("main.tf", &main)]), expected, "{moves:?}");
    }
    // Also in a module that may have no instance.
    let call = "module \"m\" {\n  source = \"./m\"\n  count = 0\n}\n";
    let back =
        format!("moved {{\n  from = {x}\n  to = {y}\n}}\nmoved {{\n  from = {y}\n  to = {x}\n}}\n");
    assert_eq!(verdict(&[("main.tf", call), ("m/main.tf", &back)]), "reject");
}

/// A called module is read as the release that its caller is judged as.
#[test]
fn a_called_module_is_of_the_same_release() {
    let main = "module \"m\" {\n  source = \"./m\"\n}\n";
    let child = "variable \"v\" {\n  default = 1\n  ephemeral = true\n}\n";
    for (release, expected) in [("1.9", "reject"), ("1.11", "accept")] {
        let release = format!("--terraform-version={release}");
        let judged = report_of(&release, &[("main.tf", main), ("m/main.tf", child)]);
        assert_eq!(judged["verdict"], expected, "{release}");
    }
}

/// Terraform reports both: that the rule fails, and that its message is not a string.
#[test]
fn a_message_that_is_no_string_is_told_beside_the_failure() {
    let rule = |message: &str| {
        let main = format!(
            "variable \"v\" {{\n  default = 1\n  validation {{\n    condition = var.v == 2\n    error_message = {message}\n  }}\n}}\n"
        );
        said(&report(&[("main.tf", &main)])).join("\n")
    };
    let both = rule("[var.v]");
    assert!(both.contains("Invalid value") && both.contains("Invalid error message"), "{both}");
    assert_eq!(rule("\"No ${var.v}.\""), "error No 1.");
}

/// Terraform's answers: what is ambiguous is so in each instance of a module.
#[test]
fn moves_in_a_module_are_ambiguous_where_it_has_an_instance() {
    let (x, y, z) = ("terraform_data.x", "terraform_data.y", "terraform_data.z");
    for (repetition, is_there) in [
        ("count = 1", true),
        ("count = 2", true),
        ("count = var.n", true),
        ("for_each = { a = 1 }", true),
        ("count = 0", false),
        ("for_each = {}", false),
    ] {
        for [(from, to), (other, place)] in [
            [(x, y), (x, z)],
            [(x, z), (y, z)],
            [("module.p", "module.q"), ("module.p", "module.r")],
        ] {
            let main = format!(
                "variable \"n\" {{\n  default = 1\n}}\nmodule \"m\" {{\n  source = \"./m\"\n  {repetition}\n}}\n"
            );
            let child = format!(
                "moved {{\n  from = {from}\n  to = {to}\n}}\nmoved {{\n  from = {other}\n  to = {place}\n}}\n"
            );
            let files = [("main.tf", main.as_str()), ("m/main.tf", child.as_str())];
            let expected = if is_there { "reject" } else { "accept" };
            assert_eq!(verdict(&files), expected, "{repetition}, {child}");
        }
    }
}
