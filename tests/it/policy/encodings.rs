//! Files that a shell or an editor of Windows wrote: UTF-16 and byte order marks, in everything that only this program
//! reads.

use std::ffi::OsString;

use system::MemorySystem;
use terraschema::{Console, run};

const RULES: &str = "rule \"zones\" {\n  message = \"ä 𝄞\"\n  resource \"t\" {\n    zone = context.zone\n  }\n}\ncontext \"zone\" {\n  type = string\n}\n";
const DEMAND: &str = "policy {\n  rules   = [\"a.rules.hcl\"]\n  context = { zone = \"eu\" }\n}\n";

fn said(files: &[(&str, Vec<u8>)], arguments: &str) -> (u8, String) {
    let mut system = MemorySystem::new();
    for (path, bytes) in files {
        system = system.file(path, bytes.clone());
    }
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut console = Console::to(&mut stdout, &mut stderr);
    let words = std::iter::once("terraschema").chain(arguments.split_whitespace());
    let exit = run(words.map(OsString::from).collect(), &system, &mut console);
    drop(console);
    (exit.code(), String::from_utf8([stdout, stderr].concat()).unwrap())
}

type Encode = fn(&str) -> Vec<u8>;

fn utf16(text: &str, write: fn(u16) -> [u8; 2]) -> Vec<u8> {
    "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(write).collect()
}

#[test]
fn rules_contexts_and_configurations_are_read_in_every_encoding() {
    let encodings: [(&str, Encode); 4] = [
        ("UTF-8", |it| it.as_bytes().to_vec()),
        ("UTF-8 with a mark", |it| [b"\xef\xbb\xbf", it.as_bytes()].concat()),
        ("UTF-16LE", |it| utf16(it, u16::to_le_bytes)),
        ("UTF-16BE", |it| utf16(it, u16::to_be_bytes)),
    ];
    let lines = |it: &str| it.replace('\n', "\r\n");
    let mut answers = Vec::new();
    for (name, encoded) in encodings {
        let main = b"resource \"t\" \"a\" {\n  zone = \"us\"\n}\n".to_vec();
        let files = [
            ("main.tf", main),
            ("a.rules.hcl", encoded(&lines(RULES))),
            ("context", encoded(&lines("zone = \"eu\"\n"))),
            (".terraschema.hcl", encoded(&lines(DEMAND))),
        ];
        for arguments in [
            "check",
            "check --format json",
            "policy --config .",
            "policy --config . a.rules.hcl --context-file context",
        ] {
            let (code, out) = said(&files, arguments);
            assert_eq!(code, 1, "{name}, {arguments}: {out}");
            assert!(out.contains("ä 𝄞"), "{name}, {arguments}: {out}");
            answers.push((arguments, out));
        }
    }
    let (first, others) = answers.split_at(4);
    for (arguments, out) in others {
        let same = first.iter().find(|it| it.0 == *arguments).unwrap();
        assert_eq!(*out, same.1, "the places are the same, too");
    }
}

/// What is cut off in the middle of a character is an error with its place, and no rule that is left out.
#[test]
fn broken_encodings_are_errors() {
    let whole = utf16(RULES, u16::to_le_bytes);
    for bytes in [whole[..whole.len() - 1].to_vec(), b"\xff\xfe\x00\xd8".to_vec(), b"\xff".to_vec()]
    {
        let files = [("main.tf", Vec::new()), ("a.rules.hcl", bytes)];
        let (code, out) = said(&files, "policy --config . a.rules.hcl");
        assert_eq!(code, 2, "{out}");
        assert!(out.contains("a.rules.hcl:1"), "{out}");
    }
}
