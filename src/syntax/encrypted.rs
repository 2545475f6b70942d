//! Files that a tool has encrypted: their text is not here, and a syntax error in what is here helps nobody.

use memchr::memmem;

use crate::diagnostic::{Cause, Diagnostic, Diagnostics, FileId, Role, Span, rules};

/// How such files begin, and the tool that writes them. git-crypt and transcrypt decrypt in the work tree of
/// whoever has the key; the others are decrypted by hand or by a pipeline.
const BEGINNINGS: [(&[u8], &str); 6] = [
    (b"\0GITCRYPT\0", "git-crypt"),
    (b"$ANSIBLE_VAULT;", "Ansible Vault"),
    (b"age-encryption.org/", "age"),
    (b"-----BEGIN AGE ENCRYPTED FILE-----", "age"),
    (b"-----BEGIN PGP MESSAGE-----", "OpenPGP"),
    // "Salted__" in Base64, as transcrypt writes it.
    (b"U2FsdGVkX1", "OpenSSL"),
];

/// How SOPS writes each value that it has encrypted.
const OF_SOPS: &[u8] = b"ENC[AES256_GCM,data:";

/// The tool that encrypted a text which does not parse; `None` if none is known to write such texts.
pub fn encrypted_by(bytes: &[u8]) -> Option<&'static str> {
    let begins = BEGINNINGS.iter().find(|(it, _)| bytes.starts_with(it)).map(|(_, tool)| *tool);
    begins.or_else(|| memmem::find(bytes, OF_SOPS).map(|_| "SOPS"))
}

/// The errors of a text, or instead of them the one that names the tool that encrypted it.
pub fn named_if_encrypted(file: FileId, bytes: &[u8], errors: Diagnostics) -> Diagnostics {
    let tool = if errors.is_empty() { None } else { encrypted_by(bytes) };
    let Some(tool) = tool else { return errors };
    let summary = format!("The file is encrypted by {tool}");
    let mut error = Diagnostic::new(&rules::INVALID_SYNTAX, summary)
        .detail("Terraform cannot read it as it is.")
        .help("decrypt it first")
        .at(Role::Value, Span::new(file, 0, 0));
    error.cause = Some(Cause::Encrypted(tool));
    vec![error]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::parse_body;

    #[test]
    fn an_encrypted_text_has_one_error() {
        let texts: [(&[u8], &str); 7] = [
            (b"\0GITCRYPT\0\x3f\xd0\x01 a = \n\n{", "git-crypt"),
            (b"$ANSIBLE_VAULT;1.1;AES256\n3131\n", "Ansible Vault"),
            (b"age-encryption.org/v1\n-> X25519 a\n", "age"),
            (b"-----BEGIN AGE ENCRYPTED FILE-----\nYQ==\n", "age"),
            (b"-----BEGIN PGP MESSAGE-----\n\nhQEM\n", "OpenPGP"),
            (b"U2FsdGVkX19hYWFh\nYWFh\n", "OpenSSL"),
            (b"{\n\t\"data\": \"ENC[AES256_GCM,data:YQ==,type:str]\"\n}\n", "SOPS"),
        ];
        for (text, tool) in texts {
            let file = FileId::default();
            let errors = named_if_encrypted(file, text, parse_body(file, text).1);
            let [error] = &errors[..] else { panic!("{errors:?}") };
            assert_eq!(error.cause, Some(Cause::Encrypted(tool)));
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
