//! Forms of references, as Terraform 1.11.4 judges them before it evaluates anything.

use super::doubt::{report_of, verdict};

#[test]
fn an_instance_has_a_text_or_a_whole_number_as_its_key() {
    for (key, expected) in [
        ("[0]", "accept"),
        ("[1.0]", "accept"),
        ("[1e2]", "accept"),
        ("[\"a\"]", "accept"),
        ("[-1]", "accept"),
        ("[(true)]", "accept"),
        ("[true]", "reject"),
        ("[null]", "reject"),
        ("[null].x", "reject"),
        ("[1.5]", "reject"),
        ("[1e400]", "reject"),
        ("[99999999999999999999]", "reject"),
    ] {
        for whole in
            ["terraform_data.r", "resource.terraform_data.r", "data.x.y", "module.m", "x_y.z"]
        {
            let main = format!(
                "resource \"terraform_data\" \"r\" {{\n  count = 1\n}}\ndata \"x\" \"y\" {{\n  count = 1\n}}\nmodule \"m\" {{\n  \
                 source = \"./m\"\n  count = 1\n}}\nresource \"x_y\" \"z\" {{\n  count = 1\n}}\noutput \"o\" {{\n  \
                 value = try({whole}{key}, 1)\n}}\n"
            );
            let files = [("main.tf", main.as_str()), ("m/main.tf", "")];
            assert_eq!(verdict(&files), expected, "{whole}{key}");
        }
    }
    // Other values have no instances.
    let main = "locals {\n  a = { true = 1 }\n}\noutput \"o\" {\n  value = local.a[true]\n}\n";
    assert_eq!(verdict(&[("main.tf", main)]), "accept");
}

/// The second argument of `convert` is a type, that of no other function.
#[test]
fn keywords_of_types_are_references_elsewhere() {
    for (release, call, expected) in [
        ("1.15", "convert(1, string)", "accept"),
        ("1.15", "core::convert([1], list(string))", "accept"),
        ("1.15", "convert(string, string)", "reject"),
        ("1.15", "merge({}, string)", "reject"),
        ("1.15", "join(\",\", [any])", "reject"),
        ("1.11", "convert(1, string)", "reject"),
    ] {
        let main = format!("locals {{\n  l = {call}\n}}\n");
        let found = report_of(&format!("--terraform-version={release}"), &[("main.tf", &main)]);
        assert_eq!(found["verdict"], expected, "{release}: {call}: {found}");
    }
}

/// A module that is not here may need none of its arguments for an output. Terraform 1.11.4 accepts the same with a
/// module that is there.
#[test]
fn what_refers_to_an_absent_module_does_not_wait_for_its_arguments() {
    let root = "module \"c\" {\n  source = \"./c\"\n}\noutput \"g\" {\n  value = module.c.g\n}\n";
    let absent = |name: &str, argument: &str| {
        format!("module \"{name}\" {{\n  source = \"example/{name}/test\"\n  x = {argument}\n}}\n")
    };
    let count = |expr: &str| {
        format!("resource \"terraform_data\" \"r\" {{\n  count = {expr} != \"\" ? 1 : 0\n}}\n")
    };
    let inner = "variable \"r\" {\n  default = \"\"\n}\nlocals {\n  r = var.r\n}\n";
    for argument in ["local.r", "\"a-${local.r}\"", "[for it in [local.r] : it]"] {
        let own = format!(
            "{inner}{}{}output \"g\" {{\n  value = module.e.o\n}}\n",
            absent("e", argument),
            count("local.r")
        );
        assert_eq!(verdict(&[("main.tf", root), ("c/main.tf", &own)]), "accept", "{argument}");
    }
    // Each is given an output of the other.
    let both = absent("a", "module.b.o") + &absent("b", "module.a.o");
    assert_eq!(verdict(&[("main.tf", &both)]), "accept");
    // What fails by itself is found in every order.
    for wrong in ["local.none", "local.r.x", "[local.r][1]"] {
        let own =
            format!("{inner}{}output \"g\" {{\n  value = module.e.o\n}}\n", absent("e", wrong));
        assert_eq!(verdict(&[("main.tf", root), ("c/main.tf", &own)]), "reject", "{wrong}");
    }
}
