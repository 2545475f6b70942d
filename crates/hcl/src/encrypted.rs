//! Files that a tool has encrypted. Their text is not here, so a report of a syntax error in the encrypted bytes would
//! not help.

use super::json;
use diagnostics::{Cause, Diagnostic, Diagnostics, FileId, Role, Span, lints};

/// How such files begin, and the tool that writes them. git-crypt and transcrypt decrypt in the work tree of everyone
/// who has the key. The others are decrypted by hand or by a pipeline.
const BEGINNINGS: [(&[u8], &str); 6] = [
    (b"\0GITCRYPT\0", "git-crypt"),
    (b"$ANSIBLE_VAULT;", "Ansible Vault"),
    (b"age-encryption.org/", "age"),
    (b"-----BEGIN AGE ENCRYPTED FILE-----", "age"),
    (b"-----BEGIN PGP MESSAGE-----", "OpenPGP"),
    // "Salted__" in Base64, as transcrypt writes it.
    (b"U2FsdGVkX1", "OpenSSL"),
];

/// The type of a value that SOPS has encrypted, such as `str`; `None` for every other text. Example:
/// `ENC[AES256_GCM,data:…,iv:…,tag:…,type:str]`.
pub fn of_sops(text: &str) -> Option<&str> {
    let inside = text.strip_prefix("ENC[AES256_GCM,data:")?.strip_suffix(']')?;
    Some(inside.rsplit_once(",type:").map_or("", |(_, ty)| ty))
}

/// The tool that encrypted a text which does not parse; `None` if none is known to write such texts.
pub fn encrypted_by(bytes: &[u8]) -> Option<&'static str> {
    let begins = BEGINNINGS.iter().find(|(it, _)| bytes.starts_with(it)).map(|(_, tool)| *tool);
    begins.or_else(|| is_of_sops(bytes).then_some("SOPS"))
}

/// Whether a whole file is as SOPS writes it in a form that is not HCL: `sops -e` makes JSON of a file whose name says
/// nothing, and the lines of dotenv, INI and YAML files are given as such. Each has a code that authenticates all
/// values, itself encrypted; a comment or a text with such a code is not enough.
fn is_of_sops(bytes: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(bytes) else { return false };
    if text.trim_start().starts_with('{') {
        let (root, problems) = json::parse(FileId::default(), bytes);
        let code = root.get("sops").and_then(|it| it.get("mac")).map(|it| &it.kind);
        return problems.is_empty()
            && matches!(code, Some(json::ValueKind::String(it)) if of_sops(it).is_some());
    }
    let lines = text.lines().filter(|it| !it.trim().is_empty() && !it.starts_with(['#', ';']));
    let is_code = |line: &str, name: &str, sign: char| {
        let value = line.split_once(sign).filter(|it| it.0.trim() == name).map(|it| it.1.trim());
        value.is_some_and(|it| of_sops(it).is_some())
    };
    let mut section = "";
    let (mut is_dotenv, mut is_ini, mut is_yaml) = (false, false, false);
    let (mut all_dotenv, mut all_ini) = (true, true);
    for line in lines {
        let is_section = line.starts_with('[') && line.trim_end().ends_with(']');
        let is_argument = line.contains('=') && !line.starts_with(char::is_whitespace);
        if is_section || line == "sops:" {
            section = line.trim_end();
        } else if !line.starts_with(char::is_whitespace) && !is_argument {
            section = "";
        }
        (all_dotenv, all_ini) = (all_dotenv && is_argument, all_ini && (is_section || is_argument));
        is_dotenv |= is_code(line, "sops_mac", '=');
        is_ini |= section == "[sops]" && is_code(line, "mac", '=');
        is_yaml |= section == "sops:" && is_code(line, "mac", ':');
    }
    is_dotenv && all_dotenv || is_ini && all_ini || is_yaml
}

/// The errors of a text, or instead of them the one that names the tool that encrypted it.
pub fn named_if_encrypted(file: FileId, bytes: &[u8], errors: Diagnostics) -> Diagnostics {
    let tool = if errors.is_empty() { None } else { encrypted_by(bytes) };
    let Some(tool) = tool else { return named_if_utf16(file, bytes, errors) };
    let summary = format!("The file is encrypted by {tool}");
    let mut error = Diagnostic::new(&lints::INVALID_SYNTAX, summary)
        .detail("Terraform cannot read an encrypted file.")
        .help("decrypt it first")
        .at(Role::Value, Span::new(file, 0, 0));
    error.cause = Some(Cause::Encrypted(tool));
    vec![error]
}

/// The errors of a text, or instead of them the one that names its encoding. Some editors and shells write UTF-16.
fn named_if_utf16(file: FileId, bytes: &[u8], errors: Diagnostics) -> Diagnostics {
    let is_utf16 = match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => true,
        [first, second, ..] => (*first == 0) != (*second == 0),
        _ => false,
    };
    if errors.is_empty() || !is_utf16 {
        return errors;
    }
    let error = Diagnostic::new(&lints::INVALID_SYNTAX, "Invalid character encoding")
        .detail("Terraform reads only UTF-8 files.")
        .help("The file is UTF-16: save it as UTF-8.")
        .at(Role::Value, Span::new(file, 0, 0));
    vec![error]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_body;

    #[test]
    fn a_text_in_utf16_has_one_error() {
        let (file, text) = (FileId::default(), "a = 1\n");
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        for bytes in
            [[&[0xff, 0xfe], &little[..]].concat(), [&[0xfe, 0xff], &big[..]].concat(), little, big]
        {
            let errors = named_if_encrypted(file, &bytes, parse_body(file, &bytes).1);
            assert_eq!(errors.len(), 1, "{bytes:?}");
            assert_eq!(errors[0].summary, "Invalid character encoding");
        }
        for bytes in [&b"a = \0\n"[..], b"\0", b"", b"a = \n"] {
            let errors = parse_body(file, bytes).1;
            assert_eq!(named_if_encrypted(file, bytes, errors.clone()), errors);
        }
    }

    #[test]
    fn an_encrypted_text_has_one_error() {
        let texts: [(&[u8], &str); 10] = [
            (b"\0GITCRYPT\0\x3f\xd0\x01 a = \n\n{", "git-crypt"),
            (b"$ANSIBLE_VAULT;1.1;AES256\n3131\n", "Ansible Vault"),
            (b"age-encryption.org/v1\n-> X25519 a\n", "age"),
            (b"-----BEGIN AGE ENCRYPTED FILE-----\nYQ==\n", "age"),
            (b"-----BEGIN PGP MESSAGE-----\n\nhQEM\n", "OpenPGP"),
            (b"U2FsdGVkX19hYWFh\nYWFh\n", "OpenSSL"),
            (
                b"{\n\t\"data\": \"ENC[AES256_GCM,data:YQ==,type:str]\",\n\t\"sops\": {\n\t\t\"mac\": \"ENC[AES256_GCM,data:YQ==,type:str]\"\n\t}\n}\n",
                "SOPS",
            ),
            (
                b"#ENC[AES256_GCM,data:YQ==,type:comment]\nn=ENC[AES256_GCM,data:YQ==,type:str]\nsops_version=3.9.0\nsops_mac=ENC[AES256_GCM,data:YQ==,type:str]\n",
                "SOPS",
            ),
            (
                b"[DEFAULT]\nn = ENC[AES256_GCM,data:YQ==,type:str]\n\n[sops]\nversion = 3.9.0\nmac = ENC[AES256_GCM,data:YQ==,type:str]\n",
                "SOPS",
            ),
            (
                b"n: ENC[AES256_GCM,data:YQ==,type:str]\nsops:\n    kms: []\n    mac: ENC[AES256_GCM,data:YQ==,type:str]\n",
                "SOPS",
            ),
        ];
        for (text, tool) in texts {
            let file = FileId::default();
            let errors = named_if_encrypted(file, text, parse_body(file, text).1);
            let [error] = &errors[..] else { panic!("{errors:?}") };
            assert_eq!(error.cause, Some(Cause::Encrypted(tool)));
        }
    }

    /// A comment, a text or a name cannot hide an error.
    #[test]
    fn a_code_of_sops_alone_encrypts_nothing() {
        let code = "ENC[AES256_GCM,data:YQ==,type:str]";
        let texts = [
            format!("# {code}\na = (\n"),
            format!("a = \"{code}\" \"b\"\n"),
            format!("a = (\n# sops_mac={code}\n"),
            format!("a = {{\n  b = (\n}}\nsops_mac={code}\n"),
            format!("{{\"a\": \"{code}\"}}"),
            format!("{{\"sops\": {{\"mac\": \"{code}\"}}"),
        ];
        for text in texts {
            assert_eq!(encrypted_by(text.as_bytes()), None, "{text}");
        }
    }

    /// What parses is read, whatever it looks like.
    #[test]
    fn a_text_that_parses_is_not_encrypted() {
        for text in ["U2FsdGVkX1 = 1\n", "a = \"ENC[AES256_GCM,data:YQ==]\"\n"] {
            let file = FileId::default();
            let errors = parse_body(file, text.as_bytes()).1;
            assert_eq!(named_if_encrypted(file, text.as_bytes(), errors), []);
        }
    }
}
