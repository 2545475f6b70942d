//! Values files that a tool has encrypted.

use system::{MemorySystem, System};
use terraschema::Exit;

use super::fresh;
use crate::cli::terraschema;

const MODULE: &str = "variable \"n\" {\n  type = number\n}\n";
const GIT_CRYPT: &[u8] = b"\0GITCRYPT\0\x3f\xd0\xff = \"\n\n{ n = \x01";
/// As `sops -e` writes it.
const SOPS: &str = r#"{
	"n": "ENC[AES256_GCM,data:Kg==,iv:YQ==,tag:YQ==,type:float]",
	"sops": {
		"lastmodified": "2026-01-01T00:00:00Z",
		"mac": "ENC[AES256_GCM,data:YQ==,iv:YQ==,tag:YQ==,type:str]",
		"version": "3.9.0"
	}
}
"#;

/// A check of a clone without the key shows no error; the other files are judged.
#[test]
fn check_judges_no_values_that_are_encrypted() {
    let files: [(&str, &[u8], &str); 4] = [
        ("terraform.tfvars", GIT_CRYPT, "git-crypt"),
        ("prod.tfvars", GIT_CRYPT, "git-crypt"),
        ("terraform.tfvars.json", SOPS.as_bytes(), "SOPS"),
        ("prod.tfvars.json", SOPS.as_bytes(), "SOPS"),
    ];
    for (name, bytes, tool) in files {
        let system = fresh(MODULE).file(format!("/m/{name}"), bytes);
        let (exit, text) = terraschema(&system, "check -v");
        assert_eq!(exit, Exit::Clean, "{text}");
        let told = format!("not judged: {name}: {tool} has encrypted it\n");
        assert_eq!(text.matches(&told).count(), 1, "{text}");
        assert!(text.contains("in 1 module, judged as"), "no values file is judged: {text}");
        let system = system.file("/m/other.tfvars", "n = \"x\"\n");
        let (exit, text) = terraschema(&system, "check -v");
        // What is on top of automatic values is not judged without them, unless they can be read in part.
        let is_judged = name != "terraform.tfvars";
        assert_eq!(exit == Exit::Findings, is_judged, "{name}: {text}");
        assert_eq!(text.contains("other.tfvars:1:5"), is_judged, "{name}: {text}");
    }
}

const MODULE_OF_MANY: &str = r#"
variable "region" {
  type = string
  validation {
    condition     = var.region == "good"
    error_message = "Only good."
  }
}
variable "password" {
  type = string
  validation {
    condition     = length(var.password) > 8
    error_message = "Too short."
  }
}
variable "database" {
  type = object({ user = string, port = number, tags = optional(list(string)) })
}
variable "size" {
  type    = number
  default = 1
}
"#;

/// A values file as SOPS writes it, with these members before its own.
fn of_sops(members: &str) -> String {
    format!(
        "{{{members}, \"sops\": {{\"mac\": \"{}\", \"unencrypted_suffix\": \"_plain\"}}}}",
        enc("str")
    )
}

fn enc(ty: &str) -> String {
    format!("ENC[AES256_GCM,data:YQ==,iv:YQ==,tag:YQ==,type:{ty}]")
}

/// SOPS leaves values plain that its settings name, and keeps names and lists. Each plain value is judged as usual,
/// wherever it is, and whatever is encrypted next to it.
#[test]
fn what_sops_leaves_plain_is_judged() {
    let (text, number) = (enc("str"), enc("int"));
    let good = format!(
        r#""region": "good", "password": "{text}", "database": {{"user": "{text}", "port": "{number}", "tags": ["a", "{text}"]}}"#
    );
    let cases: [(&str, &str, &str, &str); 8] = [
        ("nothing", "", "", ""),
        ("a rule", "\"good\"", "\"bad\"", "failed-validation"),
        ("a type", "\"good\"", "[1]", "type-mismatch"),
        ("a part of a value", &format!("\"port\": \"{number}\""), "\"port\": []", "type-mismatch"),
        (
            "the type behind a code",
            &format!("\"tags\": [\"a\", \"{text}\"]"),
            &format!("\"tags\": {text:?}"),
            "type-mismatch",
        ),
        ("a name", "\"user\":", "\"usr\":", "type-mismatch"),
        ("an attribute", "\"tags\":", "\"tag\":", "unknown-attribute"),
        ("an undeclared variable", "\"region\":", "\"size\": [], \"region\":", "type-mismatch"),
    ];
    for (what, old, new, rule) in cases {
        for file in ["terraform.tfvars.json", "prod.tfvars.json"] {
            let values = of_sops(&good.replacen(old, new, usize::from(!old.is_empty())));
            let system = fresh(MODULE_OF_MANY).file(format!("/m/{file}"), &values);
            let (exit, text) = terraschema(&system, "check -v");
            let told = format!("not judged: {file}: SOPS has encrypted ");
            assert_eq!(text.matches(&told).count(), 1, "{what}: {text}");
            assert!(!text.contains("undeclared-variable"), "{what}: {text}");
            if rule.is_empty() {
                assert_eq!(exit, Exit::Clean, "{what}: {text}");
                assert!(text.contains("It depends on a value that SOPS has encrypted"), "{text}");
            } else {
                assert_eq!(exit, Exit::Findings, "{what}: {text}");
                assert!(text.contains(&format!("[{rule}]")), "{what}: {text}");
            }
        }
    }
}

/// A file in which nothing is encrypted but the code of SOPS has nothing that is not judged.
#[test]
fn the_member_of_sops_alone_hides_nothing() {
    let members =
        r#""region": "bad", "password": "long enough", "database": {"user": "u", "port": 1}"#;
    let system = fresh(MODULE_OF_MANY).file("/m/terraform.tfvars.json", of_sops(members));
    let (exit, text) = terraschema(&system, "check -v");
    assert_eq!(exit, Exit::Findings, "{text}");
    assert!(text.contains("failed-validation") && !text.contains("SOPS"), "{text}");
    assert!(!text.contains("undeclared-variable") && text.contains("1 values file"), "{text}");
}

/// SOPS refuses a file that somebody else changed.
#[test]
fn a_file_of_sops_is_not_fixed() {
    let text = enc("str");
    let members = format!(
        r#""region": "good", "password": "{text}", "database": {{"user": "u", "port": 1, "gone": 2}}"#
    );
    let values = of_sops(&members);
    let system = fresh(MODULE_OF_MANY).file("/m/terraform.tfvars.json", &values);
    let (_, text) = terraschema(&system, "check --fix-inputs");
    assert!(text.contains("unknown-attribute"), "{text}");
    let now = system.read("/m/terraform.tfvars.json".as_ref()).unwrap();
    assert_eq!(String::from_utf8(now).unwrap(), values);
}

/// Neither a comment nor a text excuses a file that does not parse.
#[test]
fn a_code_of_sops_excuses_no_syntax_error() {
    let code = enc("str");
    for values in [
        format!("# {code}\nn = (\n"),
        format!("n = 1\nx = \"{code}\" y\n"),
        format!("n = {{\n  a = (\n}}\nsops_mac={code}\n"),
    ] {
        let system = fresh(MODULE).file("/m/terraform.tfvars", &values);
        let (exit, text) = terraschema(&system, "check -v");
        assert_eq!(exit, Exit::Findings, "{values}: {text}");
        assert!(text.contains("invalid-input-syntax"), "{values}: {text}");
    }
}

/// Terraform refuses what does not parse, and takes the texts that SOPS writes for values.
#[test]
fn validate_judges_what_is_there() {
    let system = fresh(MODULE).file("/m/a.tfvars", GIT_CRYPT).file("/m/b.tfvars.json", SOPS);
    let (exit, text) = terraschema(&system, "validate -var-file=a.tfvars");
    assert_eq!(exit, Exit::Findings, "{text}");
    assert_eq!(text.matches("error[").count(), 1, "{text}");
    assert!(
        text.contains(
            "The file is encrypted by git-crypt: Terraform cannot read an encrypted file"
        ),
        "{text}"
    );
    let (exit, text) = terraschema(&system, "validate -var-file=b.tfvars.json");
    assert_eq!(exit, Exit::Findings, "{text}");
    assert!(text.contains("a number is required"), "{text}");
}

#[test]
fn an_encrypted_source_file_has_one_error() {
    let system = fresh(MODULE).file("/m/secrets.tf", GIT_CRYPT);
    let (exit, text) = terraschema(&system, "check");
    assert_eq!(exit, Exit::Failure, "{text}");
    assert_eq!(text.matches("error[").count(), 1, "{text}");
    assert!(text.contains("The file is encrypted by git-crypt"), "{text}");
}

/// A variable may be called so, and a value may look so.
#[test]
fn what_only_looks_encrypted_is_judged() {
    let module = "variable \"sops\" {\n  type = number\n}\nvariable \"s\" {\n  default = \"\"\n}\n";
    for values in [r#"{"sops": "x"}"#, r#"{"sops": "x", "s": "ENC[AES256_GCM,data:YQ==]"}"#] {
        let system = MemorySystem::new().file("/m/main.tf", module).working_in("/m");
        terraschema(&system, "check --fix");
        let system = system.file("/m/prod.tfvars.json", values);
        let (exit, text) = terraschema(&system, "check");
        assert_eq!(exit, Exit::Findings, "{values}: {text}");
    }
}
