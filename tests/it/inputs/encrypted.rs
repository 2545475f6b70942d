//! Values files that a tool has encrypted.

use terraschema::{cli::Exit, system::MemorySystem};

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

/// Whoever checks a clone without the key sees no error; the other files are judged.
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
        // What is on top of automatic values is not judged without them.
        let is_alone = name.starts_with("prod");
        assert_eq!(exit == Exit::Findings, is_alone, "{name}: {text}");
        assert_eq!(text.contains("other.tfvars:1:5"), is_alone, "{name}: {text}");
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
        text.contains("The file is encrypted by git-crypt: Terraform cannot read it"),
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
