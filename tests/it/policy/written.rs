//! References to what other resources write: a provider keeps it.

use super::command;

/// What a rule says that wants `v` of each `t` to be `"eu"`: the addresses that fail, and those that nobody
/// knows of.
fn said(main: &str) -> (Vec<String>, Vec<String>) {
    said_of(&[("main.tf", main)])
}

fn said_of(files: &[(&str, &str)]) -> (Vec<String>, Vec<String>) {
    let rules = "rule \"r\" {\n  resource \"t\" {\n    v = \"eu\"\n  }\n}\n";
    let mut all = vec![("r/a.rules.hcl", rules)];
    all.extend(files);
    let (_, out, _) = command(&all, "--config . r --format json -v");
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    let with = |outcome: &str| {
        let all = report["findings"].as_array().unwrap().iter();
        let found = all.filter(|it| it["outcome"] == outcome);
        found.map(|it| it["address"].as_str().unwrap().to_owned()).collect()
    };
    (with("fail"), with("undecided"))
}

/// The group that others refer to, with these arguments.
fn group(arguments: &str) -> String {
    format!("resource \"g\" \"x\" {{\n{arguments}\n}}\n")
}

fn reader(value: &str) -> String {
    format!("resource \"t\" \"a\" {{\n  v = {value}\n}}\n")
}

const NONE: [String; 0] = [];

#[track_caller]
fn fails(main: &str) {
    assert_eq!(said(main), (vec!["t.a".to_owned()], NONE.to_vec()), "{main}");
}

#[track_caller]
fn passes(main: &str) {
    assert_eq!(said(main), (NONE.to_vec(), NONE.to_vec()), "{main}");
}

#[track_caller]
fn is_open(main: &str) {
    assert_eq!(said(main), (NONE.to_vec(), vec!["t.a".to_owned()]), "{main}");
}

#[test]
fn what_a_resource_writes_is_known_to_others() {
    let read = reader("g.x.location");
    fails(&(group("location = \"us\"") + &read));
    passes(&(group("location = \"eu\"") + &read));
    fails(&(group("location = var.l") + &read + "variable \"l\" {\n  default = \"us\"\n}\n"));
    passes(&(group("location = local.l") + &read + "locals {\n  l = lower(\"EU\")\n}\n"));
    fails(&(group("location = \"us\"") + &reader("\"${g.x.location}-1\"")));
    fails(&(group("location = \"us\"") + &reader("local.l") + "locals {\n  l = g.x.location\n}\n"));
    fails(
        &(group("location = h.y.location")
            + "resource \"h\" \"y\" {\n  location = \"us\"\n}\n"
            + &read),
    );
    let data = group("location = \"us\"").replace("resource", "data");
    fails(&(data + &reader("data.g.x.location")));
}

#[test]
fn it_goes_through_calls() {
    let main = "module \"m\" {\n  source = \"./m\"\n  l = g.x.location\n}\n";
    let main = group("location = \"us\"") + main + &reader("module.m.back");
    let called = "variable \"l\" {}\nresource \"t\" \"in\" {\n  v = var.l\n}\noutput \"back\" {\n  value = t.in.v\n}\n";
    let (failing, open) = said_of(&[("main.tf", &main), ("m/main.tf", called)]);
    assert_eq!((failing, open), (vec!["module.m.t.in".to_owned(), "t.a".to_owned()], vec![]));
}

#[test]
fn an_instance_is_known_by_its_exact_key() {
    let each = group("for_each = { k = \"us\", l = \"eu\" }\nlocation = each.value");
    fails(&(each.clone() + &reader("g.x[\"k\"].location")));
    passes(&(each.clone() + &reader("g.x[\"l\"].location")));
    is_open(&(each.clone() + &reader("g.x[\"none\"].location")));
    is_open(&(each.clone() + &reader("g.x[var.key].location") + "variable \"key\" {}\n"));
    is_open(&(each.clone() + &reader("values(g.x)[0].location")));
    let count = group("count = 2\nlocation = count.index == 0 ? \"us\" : \"eu\"");
    fails(&(count.clone() + &reader("g.x[0].location")));
    passes(&(count.clone() + &reader("g.x[1].location")));
    is_open(&(count.clone() + &reader("g.x[2].location")));
    is_open(&(count.clone() + &reader("join(\"\", g.x[*].location)")));
    is_open(
        &(group("count = var.n\nlocation = \"us\"")
            + &reader("g.x[0].location")
            + "variable \"n\" {}\n"),
    );
    // The instance of this key does not exist.
    is_open(&(group("location = \"us\"") + &reader("g.x[0].location")));
}

#[test]
fn what_may_come_out_otherwise_is_not_known() {
    let read = reader("g.x.location");
    for arguments in [
        // Not written, or nothing that a provider would keep.
        "",
        "location = null",
        "location = \"\"",
        // It may be a number or a bool there.
        "location = \"01\"",
        "location = 1",
        "location = true",
        "location = \"true\"",
        // Not the text itself.
        "location = [\"us\"]",
        "location = { a = \"us\" }",
        "location = h.y.id",
        "location = var.open",
        "location = g.x.location",
        "location {\n    a = \"us\"\n  }",
        // It stays what it was before.
        "location = \"us\"\nlifecycle {\n  ignore_changes = [location]\n}",
        "location = \"us\"\nlifecycle {\n  ignore_changes = [location[0], tags]\n}",
        "location = \"us\"\nlifecycle {\n  ignore_changes = all\n}",
        "location = \"us\"\nlifecycle {\n  ignore_changes = [\"*\"]\n}",
    ] {
        let main = group(arguments) + &read + "variable \"open\" {}\nresource \"h\" \"y\" {}\n";
        is_open(&main);
    }
    is_open(&(group("id = \"us\"") + &reader("g.x.id")));
    fails(&(group("location = \"us\"\nlifecycle {\n  ignore_changes = [tags]\n}") + &read));
    let ephemeral = group("location = \"us\"").replace("resource", "ephemeral");
    is_open(&(ephemeral + &reader("ephemeral.g.x.location")));
}

#[test]
fn a_secret_stays_one() {
    let main = group("location = sensitive(\"planted\")") + &reader("g.x.location");
    let rules = "rule \"r\" {\n  resource \"t\" {\n    v = \"eu\"\n  }\n}\n";
    for format in ["human", "concise", "json", "sarif"] {
        let words = format!("--config . r --format {format} -v");
        let (code, out, _) = command(&[("main.tf", &main), ("r/a.rules.hcl", rules)], &words);
        assert!(code == 1 && !out.contains("planted"), "{out}");
    }
}

#[test]
fn only_variables_and_outputs_of_the_root_module_are_judged() {
    let block = |name: &str| {
        format!(
            "variable \"{name}\" {{\n  default = 2\n}}\noutput \"{name}\" {{\n  value = 2\n}}\n"
        )
    };
    let main = block("root") + "module \"m\" {\n  source = \"./m\"\n}\n";
    let rules = "rule \"r\" {\n  output \"*\" {\n    value = 1\n  }\n  variable \"*\" {\n    default = 1\n  }\n}\n";
    let files = [("main.tf", &*main), ("m/main.tf", &*block("inner")), ("r/a.rules.hcl", rules)];
    let (_, out, _) = command(&files, "--config . r --format json -v");
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    let found = report["findings"].as_array().unwrap().iter();
    let mut addresses: Vec<_> = found.map(|it| it["address"].as_str().unwrap()).collect();
    addresses.sort_unstable();
    assert_eq!(addresses, ["output.root", "var.root"]);
}

/// A value that an object provides is taken to be there, in an object as well. `one` of an unknown number gives null.
#[test]
fn a_value_that_an_object_tells_is_not_null() {
    let objects = "variable \"open\" {}\nresource \"g\" \"x\" {}\nresource \"g\" \"y\" {\n  count = var.open\n}\n";
    for (rule, value, is_open) in [
        ("required", "g.x.id", false),
        ("required", "one(g.y[*].id)", true),
        ("required", "core::one(g.y[*].id)", true),
        ("required", "one([g.x.id])", false),
        ("object({ a = required })", "{ a = g.x.id, b = 1 }", false),
        ("object({ a = required })", "{ a = one(g.y[*].id), b = 1 }", true),
    ] {
        let rules = format!("rule \"r\" {{\n  resource \"t\" {{\n    v = {rule}\n  }}\n}}\n");
        let main = objects.to_owned() + &reader(value);
        let files = [("r/a.rules.hcl", &*rules), ("main.tf", &*main)];
        let (code, out, _) = command(&files, "--config . r --format concise -v");
        assert_eq!(out.contains("cannot be decided yet"), is_open, "{value}: {out}");
        assert!(code == 0 && !out.contains("error["), "{value}: {out}");
    }
}

/// A data source has them as a resource does, apart from `connection`, which is the provider's.
#[test]
fn what_terraform_itself_reads_in_a_data_source_is_judged_as_written() {
    let main = "data \"t\" \"a\" {\n  provider = g.other\n  depends_on = [g.x]\n  connection = \"c\"\n}\nresource \"g\" \"x\" {}\n";
    let rule = |provider: &str| {
        format!(
            "rule \"r\" {{\n  data \"t\" {{\n    provider = {provider:?}\n    depends_on = [\"g.x\"]\n    connection = \"c\"\n  }}\n}}\n"
        )
    };
    for (provider, errors) in [("g.other", 0), ("g", 1)] {
        let files = [("r/a.rules.hcl", &*rule(provider)), ("main.tf", main)];
        let (_, out, _) = command(&files, "--config . r --format concise -v");
        assert_eq!(out.matches("error[policy/r]").count(), errors, "{out}");
    }
}

/// An override file changes the provider of that name and alias, and no other.
#[test]
fn an_overridden_provider_is_that_of_its_name_and_alias() {
    let provider = |name: &str, more: &str| format!("provider \"{name}\" {{\n{more}  a = 1\n}}\n");
    let alias = "  alias = \"b\"\n";
    let main = provider("y", "") + &provider("x", "") + &provider("x", alias);
    let rules = "rule \"r\" {\n  provider \"*\" {\n    a = 9\n  }\n}\n";
    for (over, replaced) in
        [(provider("x", ""), 5), (provider("x", alias), 9), (provider("y", ""), 2)]
    {
        let files = [("r/a.rules.hcl", rules), ("main.tf", &*main), ("override.tf", &*over)];
        let (_, out, _) = command(&files, "--config . r --format concise");
        let places: Vec<&str> =
            out.lines().filter_map(|it| it.split_once(": ")).map(|it| it.0).collect();
        let own = [2, 5, 9].into_iter().filter(|it| *it != replaced);
        let own: Vec<String> = own.map(|it| format!("main.tf:{it}:3")).collect();
        assert!(own.iter().all(|it| places.contains(&&**it)), "{over}: {out}");
        assert_eq!(
            places.iter().filter(|it| it.starts_with("override.tf:")).count(),
            1,
            "{over}: {out}"
        );
        assert_eq!(places.len(), 3, "{over}: {out}");
    }
}
