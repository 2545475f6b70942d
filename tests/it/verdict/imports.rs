//! Imports to instances, as Terraform 1.11.4 judges them: every key on the way to a resource counts.

use super::doubt::{report_of, verdict};

/// The verdict where `import` has this target; `call` repeats the call of a module, `own` the resource in it.
/// The variable `n` is `n`.
fn judged(to: &str, call: &str, own: &str, n: u32) -> String {
    let main = format!(
        "variable \"n\" {{\n  default = {n}\n}}\nmodule \"m\" {{\n  source = \"./m\"\n  n = var.n\n  {call}\n}}\nimport {{\n  to = {to}\n  id = \"x\"\n}}\ndata \"x\" \"y\" {{}}\n"
    );
    let child = format!("variable \"n\" {{}}\nresource \"terraform_data\" \"a\" {{\n  {own}\n}}\n");
    verdict(&[("main.tf", &main), ("m/main.tf", &child)])
}

#[test]
fn the_instance_of_every_call_on_the_way_has_to_exist() {
    let keys = "for_each = toset([for it in range(var.n) : \"k${it}\"])";
    for (to, call, own, n, expected) in [
        ("module.m.terraform_data.a", "", "", 1, "accept"),
        ("module.m[0].terraform_data.a", "count = var.n", "", 1, "accept"),
        ("module.m[0].terraform_data.a", "count = var.n", "", 0, "reject"),
        ("module.m[1].terraform_data.a", "count = var.n", "", 1, "reject"),
        ("module.m[\"k0\"].terraform_data.a", keys, "", 1, "accept"),
        ("module.m[\"k0\"].terraform_data.a", keys, "", 0, "reject"),
        // A key where there is none, none where there is one, or one of the other kind.
        ("module.m.terraform_data.a", "count = var.n", "", 1, "reject"),
        ("module.m[0].terraform_data.a", "", "", 1, "reject"),
        ("module.m[\"k\"].terraform_data.a", "count = var.n", "", 1, "reject"),
        ("module.m[0].terraform_data.a", keys, "", 1, "reject"),
        // The resource has keys too.
        ("module.m[0].terraform_data.a[0]", "count = var.n", "count = var.n", 1, "accept"),
        ("module.m[0].terraform_data.a[1]", "count = var.n", "count = var.n", 1, "reject"),
        ("module.m[0].terraform_data.a[0]", "count = var.n", "count = var.n", 0, "reject"),
        ("module.m.terraform_data.a[0]", "", "count = var.n", 1, "accept"),
        ("module.m.terraform_data.a[0]", "", "count = var.n", 0, "reject"),
    ] {
        assert_eq!(judged(to, call, own, n), expected, "{to}, {call}, {own}, {n}");
    }
}

/// Only a plan knows how many there are of the call; what the resource lacks in each of them is known.
#[test]
fn a_call_that_may_have_the_instance_is_no_error() {
    let open = "count = data.x.y.n";
    let judged = |to: &str, own: &str| judged(to, open, own, 1);
    assert_eq!(judged("module.m[0].terraform_data.a", ""), "undecided");
    assert_eq!(judged("module.m[0].terraform_data.a[0]", "count = var.n"), "undecided");
    assert_eq!(judged("module.m[0].terraform_data.a[1]", "count = var.n"), "reject");
}

/// What a module that is not here declares is not known; one that nobody calls declares nothing.
#[test]
fn a_module_that_is_not_here_may_declare_the_target() {
    let judged = |to: &str| {
        let main = format!(
            "module \"far\" {{\n  source = \"example.com/a/b/c\"\n}}\nimport {{\n  to = {to}\n  id = \"x\"\n}}\n"
        );
        verdict(&[("main.tf", &main)])
    };
    assert_eq!(judged("module.far.terraform_data.a"), "accept");
    assert_eq!(judged("module.none.terraform_data.a"), "reject");
}

/// Terraform's own provider has no identities; what others have only they know.
#[test]
fn an_identity_is_refused_where_terraform_itself_has_none() {
    for (ty, expected) in [("terraform_data", "reject"), ("x_y", "accept")] {
        let main = format!(
            "resource \"{ty}\" \"a\" {{}}\nimport {{\n  to = {ty}.a\n  identity = {{ name = \"n\" }}\n}}\n"
        );
        let report = report_of("--terraform-version=1.15", &[("main.tf", &main)]);
        assert_eq!(report["verdict"], expected, "{ty}");
    }
}

/// Since Terraform 1.12 the elements may not come from the resource that they are imported to.
#[test]
fn imports_may_repeat_over_another_resource_of_the_type() {
    let judged = |for_each: &str| {
        let main = format!(
            "resource \"x_y\" \"a\" {{\n  for_each = {{ k = 1 }}\n}}\nresource \"x_y\" \"b\" {{}}\nresource \"z\" \"a\" {{}}\nimport {{\n  for_each = {{ k = {for_each} }}\n  to = x_y.a[each.key]\n  id = \"n\"\n}}\n"
        );
        report_of("--terraform-version=1.15", &[("main.tf", &main)])["verdict"].clone()
    };
    for (for_each, expected) in
        [("x_y.a", "reject"), ("x_y.b.id", "undecided"), ("z.a.id", "undecided"), ("1", "accept")]
    {
        assert_eq!(judged(for_each), expected, "{for_each}");
    }
}

/// Terraform has nothing but the elements of `for_each` to evaluate a key with.
#[test]
fn a_key_that_is_an_expression_is_of_each_alone() {
    let each = "for_each = { a = \"a\" }";
    for (key, for_each, expected) in [
        ("[local.x]", "", "reject"),
        ("[-1]", "", "reject"),
        ("[\"${\"a\"}\"]", "", "reject"),
        ("[each.key]", "", "reject"),
        ("[\"a\"]", "", "accept"),
        ("[each.key]", each, "accept"),
        ("[each.value]", each, "accept"),
        ("[\"${each.key}\"]", each, "accept"),
        ("[local.x]", each, "reject"),
        ("[local.x]", "for_each = {}", "accept"),
        ("[upper(each.key)]", each, "reject"),
        ("[[]]", each, "reject"),
        ("[null]", "for_each = {}", "reject"),
        ("[each.key].id", each, "reject"),
    ] {
        let main = format!(
            "locals {{\n  x = \"a\"\n}}\nresource \"terraform_data\" \"a\" {{\n  for_each = {{ a = 1 }}\n}}\nimport {{\n  \
             to = terraform_data.a{key}\n  id = \"x\"\n  {for_each}\n}}\n"
        );
        assert_eq!(verdict(&[("main.tf", &main)]), expected, "{key} {for_each}");
    }
}

/// `for_each = var.create ? [1] : []` is how people import only where there is a resource. Terraform 1.11.4 asks
/// for the instance once for each element.
#[test]
fn an_import_for_no_element_asks_for_no_instance() {
    for (for_each, expected) in [
        ("", "reject"),
        ("for_each = [1]", "reject"),
        ("for_each = toset([\"a\"])", "reject"),
        ("for_each = { a = 1 }", "reject"),
        ("for_each = var.create ? [1] : []", "accept"),
        ("for_each = []", "accept"),
        ("for_each = {}", "accept"),
        ("for_each = toset([])", "accept"),
        ("for_each = var.none", "accept"),
        // Only a plan knows whether there is an element.
        ("for_each = x_y.b.names", "undecided"),
    ] {
        let main = format!(
            "variable \"create\" {{\n  default = false\n}}\nvariable \"none\" {{\n  type    = set(string)\n  default = []\n}}\nresource \"x_y\" \"b\" {{}}\nresource \"terraform_data\" \"a\" {{\n  count = var.create ? 1 : 0\n}}\nimport {{\n  {for_each}\n  to = terraform_data.a[0]\n  id = \"x\"\n}}\n"
        );
        assert_eq!(verdict(&[("main.tf", &main)]), expected, "{for_each}");
    }
}
