//! Forms that only JSON has, as Terraform 1.11.4 judges them.

use super::doubt::verdict;

/// The keys of `dynamic` are labels, which are not templates and may be repeated.
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

/// A block inside of another one is a member of an object, or of an array of objects.
#[test]
fn dynamic_binds_its_iterator_at_any_depth() {
    let dynamic =
        r#"{"dynamic": {"labels": {"for_each": ["a"], "content": {"k": "${labels.value}"}}}}"#;
    for (disk, expected) in [
        (dynamic.to_owned(), "accept"),
        (format!("[{dynamic}]"), "accept"),
        (r#"{"labels": [{"k": "${labels.value}"}]}"#.to_owned(), "reject"),
    ] {
        let main = format!(r#"{{"resource": {{"x_y": {{"a": {{"disk": {disk}}}}}}}}}"#);
        assert_eq!(verdict(&[("main.tf.json", &main)]), expected, "{main}");
    }
}

/// Keys are compared once they are evaluated; unknown ones are not.
#[test]
fn an_object_takes_each_key_once() {
    for (object, expected) in [
        (r#"{"a": 1, "b": 2}"#, "accept"),
        (r#"{"a": 1, "a": 2}"#, "reject"),
        (r#"{"a": 1, "${\"a\"}": 2}"#, "reject"),
        (r#"{"${var.a}": 1, "a": 2}"#, "reject"),
        (r#"{"${var.a}": 1, "${var.a}": 2}"#, "reject"),
        (r#"{"${var.a}": 1, "A": 2}"#, "accept"),
        (r#"[{"a": 1, "${1}": 2, "1": 3}]"#, "reject"),
        (r#"{"${terraform_data.r.id}": 1, "a": 2}"#, "accept"),
        (r#"{"${terraform_data.r.id}": 1, "${terraform_data.r.id}": 2}"#, "accept"),
        (r#"{"${terraform_data.r.id}": 1, "a": 2, "${var.a}": 3}"#, "reject"),
        // Terraform crashes.
        (r#"{"${var.s}": 1}"#, "reject"),
        // Native syntax inside of a template takes the last one.
        (r#""${{ a = 1, (var.a) = 2 }}""#, "accept"),
    ] {
        let main = format!(
            r#"{{"variable": {{"a": {{"default": "a"}}, "s": {{"default": "s", "sensitive": true}}}},
                "resource": {{"terraform_data": {{"r": {{}}}}}}, "locals": {{"l": {object}}}}}"#
        );
        assert_eq!(verdict(&[("main.tf.json", &main)]), expected, "{object}");
    }
}
