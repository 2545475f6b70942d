//! Character encodings against what Go's `golang.org/x/text` gave (`tests/parity/charsets` goes over
//! the same bytes and characters).

use base64::{Engine, engine::general_purpose::STANDARD};
use sha2::{Digest, Sha256};
use tf_value::Value;

use super::call;

/// The characters for private use of GB 18030 are those of Go's table only in part.
const PRIVATE: std::ops::RangeInclusive<u32> = 0xe76c..=0xe864;

#[test]
fn encodings_are_those_of_go() {
    let recorded = include_str!("../../data/functions/charsets.txt");
    let mut wrong = Vec::new();
    for line in recorded.lines() {
        let [name, decoded, encoded] = line.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        if digest(decodings(name)) != decoded {
            wrong.push(format!("{name}: decoded"));
        }
        if digest(encodings(name)) != encoded {
            wrong.push(format!("{name}: encoded"));
        }
    }
    assert!(recorded.lines().count() > 50);
    assert_eq!(wrong, [""; 0]);
}

fn decodings(name: &str) -> String {
    let mut lines = String::new();
    for first in 0..=u8::MAX {
        lines.push_str(&decode(name, &[first]));
        for second in (0x21..0xff).step_by(3).filter(|_| first >= 0x80) {
            lines.push_str(&decode(name, &[first, second]));
        }
    }
    lines
}

fn decode(name: &str, bytes: &[u8]) -> String {
    let result =
        call("textdecodebase64", &[Value::string(STANDARD.encode(bytes)), Value::string(name)]);
    let text = result.map_or("-".to_string(), |it| it.as_str().unwrap().to_string());
    text + "\n"
}

fn encodings(name: &str) -> String {
    let mut lines = String::new();
    let mut next = 0;
    while next < 0x30000 {
        let char = char::from_u32(next).filter(|_| !PRIVATE.contains(&next));
        next += 1 + next / 0x180;
        let Some(char) = char else { continue };
        for text in [char.to_string(), format!("a{char}～ｱb~c")] {
            lines.push_str(&encode(name, &text));
        }
    }
    lines
}

fn encode(name: &str, text: &str) -> String {
    let Ok(result) = call("textencodebase64", &[Value::string(text), Value::string(name)]) else {
        return "2d\n".to_string();
    };
    let bytes = STANDARD.decode(result.as_str().unwrap()).unwrap();
    bytes.iter().map(|it| format!("{it:02x}")).collect::<String>() + "\n"
}

fn digest(text: String) -> String {
    Sha256::digest(text).iter().map(|it| format!("{it:02x}")).collect()
}
