//! Local paths of called modules, as Terraform 1.11.4 follows them on Linux.

use super::doubt::verdict;

#[test]
fn a_backslash_in_a_local_path_is_a_slash() {
    for (source, child, expected) in [
        (r".\\m", "", "accept"),
        (r".\\n\\m", "", "accept"),
        (r"./n\\m", "", "accept"),
        (r".\\\\m\\", "", "accept"),
        (r".\\m", "output \"o\" {\n  value = local.none\n}\n", "reject"),
        (r"./n\\m", "output \"o\" {\n  value = local.none\n}\n", "reject"),
        (r"\\m", "", "reject"),
        (r"m\\n", "", "reject"),
    ] {
        let main = format!("module \"a\" {{\n  source = \"{source}\"\n}}\n");
        let files = [("main.tf", main.as_str()), ("m/main.tf", child), ("n/m/main.tf", child)];
        assert_eq!(verdict(&files), expected, "{source} {child}");
    }
    let main = "module \"a\" {\n  source = \".\\\\m\"\n  version = \"1\"\n}\n";
    assert_eq!(verdict(&[("main.tf", main), ("m/main.tf", "")]), "reject");
}
