//! Configurations of providers by their aliases, as Terraform 1.11.4 judges them.

use super::doubt::verdict;

#[test]
fn an_alias_is_of_a_configuration_here_or_of_the_caller() {
    let configured = "provider \"terraform\" {\n  alias = \"x\"\n}\n";
    let of = |alias: &str| {
        format!(
            "resource \"terraform_data\" \"a\" {{\n  count = 0\n  provider = terraform{alias}\n}}\n"
        )
    };
    for (main, expected) in [
        (of(""), "accept"),
        (of(".x"), "reject"),
        (configured.to_owned() + &of(".x"), "accept"),
        (configured.to_owned() + &of(".y"), "reject"),
    ] {
        assert_eq!(verdict(&[("main.tf", &main)]), expected, "{main}");
    }
    let call = |providers: &str| {
        format!(
            "module \"m\" {{\n  source = \"./m\"\n  providers = {{\n    {providers}\n  }}\n}}\n"
        )
    };
    for (main, child, expected) in [
        (call(""), of(".x"), "reject"),
        (call("terraform.x = terraform.x"), of(".x"), "reject"),
        (configured.to_owned() + &call("terraform.x = terraform.x"), of(".x"), "accept"),
        (configured.to_owned() + &call("terraform.x = terraform.x"), of(".y"), "reject"),
        (configured.to_owned() + &call("terraform.y = terraform.x"), of(".y"), "accept"),
        (call(""), configured.to_owned() + &of(".x"), "accept"),
    ] {
        let files = [("main.tf", main.as_str()), ("m/main.tf", child.as_str())];
        assert_eq!(verdict(&files), expected, "{main}{child}");
    }
    let demand = "terraform {\n  required_providers {\n    terraform = {\n      \
                  source = \"terraform.io/builtin/terraform\"\n      configuration_aliases = [terraform.y]\n    }\n  }\n}\n";
    assert_eq!(verdict(&[("main.tf", &call("")), ("m/main.tf", demand)]), "reject");
    // A root module is given nothing.
    let demands = "terraform {\n  required_providers {\n    x = {\n      source = \"a/x\"\n      \
                   configuration_aliases = [x.y]\n    }\n  }\n}\nresource \"x_r\" \"a\" {\n  provider = x.y\n}\n";
    assert_eq!(verdict(&[("main.tf", demands)]), "reject");
}
