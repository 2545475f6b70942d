//! Which object an expression refers to, as it is written: `needs "p" { to = subject }` finds a `p` for
//! the objects that its argument comes from.

use super::command;

/// The addresses of objects of the type `b` that must have a `p`: those without one, and those for which this is not
/// known.
fn said(files: &[(&str, &str)]) -> (Vec<String>, Vec<String>) {
    let rules = "rule \"r\" {\n  resource \"b\" {}\n  needs \"p\" {\n    to = subject\n  }\n}\n";
    let mut all = vec![("r/a.rules.hcl", rules)];
    all.extend(files);
    let (_, out, err) = command(&all, "--config . r --format json -v");
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert!(report["failures"].as_array().is_none_or(Vec::is_empty), "{out}{err}");
    let with = |outcome: &str| {
        let all = report["findings"].as_array().unwrap().iter();
        let found = all.filter(|it| it["outcome"] == outcome);
        found.map(|it| it["address"].as_str().unwrap().to_owned()).collect()
    };
    (with("fail"), with("undecided"))
}

/// `b.x` and `b.y`, each with these keys, and a `p` with this argument.
fn module(keys: &str, to: &str) -> String {
    format!(
        "variable \"open\" {{}}\nvariable \"name\" {{\n  default = \"n\"\n}}\nlocals {{\n  yes = true\n  no = false\n  z = \"z\"\n}}\n\
        resource \"b\" \"x\" {{\n  {keys}\n}}\nresource \"b\" \"y\" {{\n  {keys}\n}}\nresource \"p\" \"a\" {{\n  to = {to}\n}}\n"
    )
}

/// The argument comes from `b.x` alone.
#[track_caller]
fn is_of_x(keys: &str, to: &str) {
    let (missing, open) = said(&[("main.tf", &module(keys, to))]);
    assert!(
        open.is_empty() && missing.iter().all(|it| it.starts_with("b.y")),
        "{to}: {missing:?}, {open:?}"
    );
    assert!(!missing.is_empty(), "{to}");
}

/// Nobody knows which of both the argument comes from.
#[track_caller]
fn is_open(keys: &str, to: &str) {
    let (missing, open) = said(&[("main.tf", &module(keys, to))]);
    assert_eq!((missing.len(), open.len()), (0, 2), "{to}: {missing:?}, {open:?}");
}

/// The argument comes from `b.x`, if it is not null.
#[track_caller]
fn may_be_of_x(to: &str) {
    let (missing, open) = said(&[("main.tf", &module("", to))]);
    assert_eq!((missing, open), (vec!["b.y".to_owned()], vec!["b.x".to_owned()]), "{to}");
}

#[test]
fn a_known_condition_chooses_the_branch() {
    is_of_x("", "local.yes ? b.x.id : b.y.id");
    is_of_x("", "local.no ? b.y.id : b.x.id");
    may_be_of_x("var.open ? b.x.id : b.x.arn");
    is_open("", "var.open ? b.x.id : b.y.id");
    is_open("", "b.x.on ? b.x.id : b.y.id");
}

#[test]
fn an_expression_is_of_the_only_object_that_it_mentions() {
    is_of_x("", "\"${b.x.id}/${b.x.name}\"");
    is_of_x("", "\"${var.name}/${b.x.id}/${local.z}/${path.module}/${terraform.workspace}\"");
    is_of_x("", "format(\"%s-%s\", \"a\", b.x.id)");
    is_open("", "\"${b.x.id}/${b.y.id}\"");
    is_open("", "\"${b.x.id}/${b.y.id}/${b.x.id}\"");
}

#[test]
fn a_for_is_of_its_collection_unless_it_mentions_more() {
    is_of_x("", "[for it in [b.x] : \"${it.id}-${var.name}\"][0]");
    is_of_x("", "[for it in [b.x] : \"${it.id}-${path.module}\"][0]");
    may_be_of_x("[for it in [b.x] : it.id if var.open][0]");
    is_open("", "[for it in [b.x] : \"${it.id}-${b.y.id}\"][0]");
    is_open("", "[for it in [b.x] : \"${it.id}-${local.z}\"][0]");
    is_open("", "[for it in [b.x] : it.id if b.y.on][0]");
    is_open("", "[for it in [b.x] : b.y.id][0]");
    is_open("", "{ for it in [b.x] : b.y.name => it.id }[\"k\"]");
    is_open("", "[for it in [b.x] : \"${it.id}-${it.parts.a}\"][0]");
}

#[test]
fn constant_keys_behind_the_element_of_a_for_are_followed() {
    is_of_x("", "{ for key, it in { k = [b.y, b.x] } : key => it[1].id }[\"k\"]");
    is_of_x(
        "",
        "{ for key, it in { k = { \"a b\" = b.x, c = b.y } } : key => it[\"a b\"].id }[\"k\"]",
    );
    is_open("", "{ for key, it in { k = [b.y, b.x] } : key => it[var.open].id }[\"k\"]");
    is_open("", "{ for key, it in { k = b.x, l = b.y } : \"${key}!\" => it.id }[\"k!\"]");
}

#[test]
fn elements_are_chosen_by_their_keys() {
    // An attribute in brackets is not a key of an instance.
    is_of_x("", "b.x[\"id\"]");
    is_of_x("", "[b.y.id, b.x.id][1]");
    is_of_x("", "{ a = b.y.id, b = b.x.id }.b");
    is_of_x("", "{ a = b.y.id, \"b\" = b.x.id }[\"b\"]");
    is_open("", "[b.y.id, b.x.id][var.open]");
    is_open("", "{ a = b.y.id, b = b.x.id }[var.open]");
    is_of_x("", "element([b.y.id, b.x.id], 1)");
    is_of_x("", "core::element([b.y.id, b.x.id], 1)");
    is_of_x("", "lookup({ a = b.y.id, b = b.x.id }, \"b\", \"\")");
    is_of_x("", "one([b.x.id])");
    is_of_x("", "tostring(b.x.id)");
    is_open("", "join(\"-\", [b.x.id, b.y.id])");
    is_of_x("", "try(tonumber(\"q\"), b.x.id)");
}

#[test]
fn the_value_of_each_is_of_an_object_and_its_key_of_none() {
    let main = |to: &str| {
        let main = module("", "1");
        main.replace("\"a\" {\n", "\"a\" {\n  for_each = { k = b.x }\n")
            .replace("to = 1", &format!("to = {to}"))
    };
    let (missing, open) = said(&[("main.tf", &main("each.value.id"))]);
    assert_eq!((missing, open), (vec!["b.y".to_owned()], vec![]));
    let (missing, open) = said(&[("main.tf", &main("each.key"))]);
    assert_eq!((missing, open), (vec![], vec!["b.x".to_owned(), "b.y".to_owned()]));
}

#[test]
fn an_output_is_that_of_the_instance_with_the_key() {
    let child = "resource \"b\" \"in\" {}\noutput \"back\" {\n  value = b.in.id\n}\n";
    let main = |repeated: &str, to: &str| {
        format!(
            "module \"m\" {{\n  source = \"./m\"\n  {repeated}\n}}\nvariable \"open\" {{}}\nresource \"p\" \"a\" {{\n  to = {to}\n}}\n"
        )
    };
    for (repeated, to, missing, open) in [
        ("count = 2", "module.m[1].back", vec!["module.m[0].b.in"], vec![]),
        ("count = 2", "module.m[0].back", vec!["module.m[1].b.in"], vec![]),
        (
            "for_each = toset([\"k\", \"l\"])",
            "module.m[\"l\"].back",
            vec!["module.m[\"k\"].b.in"],
            vec![],
        ),
        (
            "count = 2",
            "module.m[var.open].back",
            vec![],
            vec!["module.m[0].b.in", "module.m[1].b.in"],
        ),
        ("", "module.m.back", vec![], vec![]),
    ] {
        let found = said(&[("main.tf", &main(repeated, to)), ("m/main.tf", child)]);
        let wanted =
            [missing, open].map(|it| it.into_iter().map(str::to_owned).collect::<Vec<_>>());
        assert_eq!([found.0, found.1], wanted, "{to}");
    }
}

#[test]
fn the_key_of_an_instance_counts_where_it_is_known() {
    let keys = "for_each = toset([\"k\", \"l\"])";
    let (missing, open) = said(&[("main.tf", &module(keys, "b.x[\"k\"].id"))]);
    assert_eq!(missing, ["b.x[\"l\"]", "b.y[\"k\"]", "b.y[\"l\"]"]);
    assert!(open.is_empty(), "{open:?}");
    let (missing, open) = said(&[("main.tf", &module(keys, "b.x[var.open].id"))]);
    assert_eq!(missing, ["b.y[\"k\"]", "b.y[\"l\"]"]);
    assert_eq!(open, ["b.x[\"k\"]", "b.x[\"l\"]"]);
}

#[test]
fn the_kind_of_an_object_stands_in_its_name() {
    is_of_x("", "resource.b.x.id");
    for kind in ["data", "ephemeral"] {
        let main = module("", &format!("{kind}.b.x.id")) + &format!("{kind} \"b\" \"x\" {{}}\n");
        // It is another object than the resource of that name.
        assert_eq!(said(&[("main.tf", &main)]).0, ["b.x", "b.y"], "{kind}");
    }
}

#[test]
fn a_block_without_instances_is_none_of_another_kind() {
    let rules = "rule \"r\" {\n  resource \"p\" {\n    to = reference(\"*\")\n  }\n}\n";
    for kind in ["data", "ephemeral"] {
        let block = format!("{kind} \"b\" \"x\" {{\n  count = 0\n}}\n");
        let reader = format!("resource \"p\" \"a\" {{\n  to = length({kind}.b.x)\n}}\n");
        let files = [("r/a.rules.hcl", rules), ("main.tf", &(block + &reader))];
        let (_, out, _) = command(&files, "--config . r --format concise -v");
        // `*` names every type, but only those of resources.
        assert!(out.contains("error[policy/r]"), "{out}");
        assert!(out.ends_with(&format!("found a reference to {kind}.b.x\n")), "{out}");
    }
}

#[test]
fn the_value_of_each_is_followed_out_of_a_called_module() {
    let main = "resource \"b\" \"x\" {}\nresource \"b\" \"y\" {}\nmodule \"m\" {\n  source = \"./m\"\n  for_each = { k = b.x }\n  v = each.value.id\n}\n";
    let child = "variable \"v\" {}\nresource \"p\" \"a\" {\n  to = var.v\n}\n";
    // It may be null, as every argument.
    let (missing, open) = said(&[("main.tf", main), ("m/main.tf", child)]);
    assert_eq!((missing, open), (vec!["b.y".to_owned()], vec!["b.x".to_owned()]));
}

/// The collection of a `dynamic` block does not see the name that the block binds.
#[test]
fn an_iterator_with_the_name_of_a_type_is_none_in_its_collection() {
    let rules = "rule \"r\" {\n  resource \"b\" {}\n  needs \"p\" {\n    b = list(object({ to = subject }))\n  }\n}\n";
    let main = "resource \"b\" \"x\" {}\nresource \"b\" \"y\" {}\nresource \"p\" \"a\" {\n  dynamic \"b\" {\n    for_each = [b.x.id]\n    content {\n      to = b.value\n    }\n  }\n}\n";
    let files = [("r/a.rules.hcl", rules), ("main.tf", main)];
    let (_, out, _) = command(&files, "--config . r --format concise -v");
    let lines: Vec<&str> = out.lines().filter(|it| it.contains("[policy/r]")).collect();
    assert!(matches!(&lines[..], [it] if it.contains("error") && it.contains(" b.y: ")), "{out}");
}
