//! Forms that only JSON has, as Terraform 1.11.4 judges them.

use super::doubt::verdict;

/// The keys of `dynamic` are labels, which are no templates and may be repeated.
#[test]
fn dynamic_lists_blocks_by_their_type() {
    for (dynamic, expected) in [
        (r#"{"foo": []}"#, "accept"),
        (r#"[{"foo": []}, {"bar": null}]"#, "accept"),
        (r#"{"foo": [], "foo": []}"#, "accept"),
        (r#"{"${var.x}": []}"#, "accept"),
        (r#"{"${var.none}": []}"#, "accept"),
        (r#"{"${": []}"#, "accept"),
        (r#"[[{"foo": []}]]"#, "reject"),
        (r#"[{"foo": []}, []]"#, "reject"),
        (r#"[{"foo": []}, null]"#, "reject"),
        (r#"{"foo": [], "foo": [{}]}"#, "reject"),
        ("{}", "reject"),
        ("[]", "reject"),
    ] {
        let of_resource = format!(r#"{{"terraform_data": {{"a": {{"dynamic": {dynamic}}}}}}}"#);
        let provisioner = format!(r#"{{"local-exec": {{"command": "x", "dynamic": {dynamic}}}}}"#);
        let of_provisioner =
            format!(r#"{{"terraform_data": {{"a": {{"provisioner": {provisioner}}}}}}}"#);
        for resource in [of_resource, of_provisioner] {
            let main =
                format!(r#"{{"variable": {{"x": {{"default": "a"}}}}, "resource": {resource}}}"#);
            assert_eq!(verdict(&[("main.tf.json", &main)]), expected, "{main}");
        }
    }
}
