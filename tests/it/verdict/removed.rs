//! `removed` blocks with provisioners, as Terraform 1.11.4 judges them.

use super::doubt::verdict;

#[test]
fn provisioners_of_what_is_removed_run_when_it_is_destroyed() {
    let provisioner = |content: &str| format!("provisioner \"local-exec\" {{\n{content}\n}}\n");
    let resource = "terraform_data.a";
    for (from, blocks, expected) in [
        (resource, provisioner("when = destroy\ncommand = self.id"), "accept"),
        (resource, provisioner("when = destroy\ncommand = path.module"), "accept"),
        (resource, provisioner("command = \"x\""), "reject"),
        (resource, provisioner("when = create\ncommand = \"x\""), "reject"),
        (resource, provisioner("when = destroy\ncommand = var.x"), "reject"),
        (
            resource,
            provisioner("when = destroy\ncommand = \"x\"\nconnection {\nhost = local.x\n}"),
            "reject",
        ),
        (resource, "connection {\nhost = var.x\n}\n".to_owned(), "accept"),
        ("module.a", "connection {\nhost = \"x\"\n}\n".to_owned(), "reject"),
        ("module.a", provisioner("when = destroy\ncommand = \"x\""), "reject"),
        ("module.a", "lifecycle {\ndestroy = true\n}\n".to_owned(), "accept"),
    ] {
        let main = format!(
            "variable \"x\" {{\n  default = 1\n}}\nlocals {{\n  x = 1\n}}\nremoved {{\n  from = {from}\n{blocks}}}\n"
        );
        assert_eq!(verdict(&[("main.tf", &main)]), expected, "{from}, {blocks}");
    }
}
