//! Workspaces and files that are large.

use crate::client::Client;

/// A file in one module does not make the server list the others.
#[test]
fn other_modules_are_not_read() {
    let names: Vec<String> = (0..300).map(|it| format!("modules/m{it}/variables.tf")).collect();
    let text = "variable \"size\" {\n  type = number\n}\n";
    let files: Vec<(&str, &str)> = names.iter().map(|it| (it.as_str(), text)).collect();
    let mut client = Client::new(&files);
    client.open_text("modules/m7/prod.tfvars", "size = true\n");
    assert_eq!(client.lines("modules/m7/prod.tfvars").len(), 1);
    // One that only OpenTofu reads decides which product runs all of them, so it has to be found.
    client.write("modules/m9/only.tofu", "");
    client.close("modules/m7/prod.tfvars");
    client.open_text("modules/m8/prod.tfvars", "size = true\n");
    assert_eq!(client.lines("modules/m8/prod.tfvars").len(), 1);
}

#[test]
fn a_large_file_gets_an_answer() {
    let mut client =
        Client::new(&[("variables.tf", "variable \"list\" {\n  type = list(string)\n}\n")]);
    let text = format!("list = [\n{}]\n", "  \"0123456789\",\n".repeat(40_000));
    client.open_text("prod.tfvars", &text);
    client.diagnostics("prod.tfvars");
    client.edit("prod.tfvars", "list = 1\n");
    assert_eq!(client.lines("prod.tfvars").len(), 1);
}
