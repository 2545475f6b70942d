//! `base64gzip` against what Go's `compress/gzip` gave (`tests/parity/gzip` makes the same texts).

use sha2::{Digest, Sha256};
use tf_value::Value;

use super::call;

const WORDS: [&str; 17] = [
    "a",
    "b",
    "the ",
    "resource ",
    "terraform ",
    "{",
    "}\n",
    "\"",
    "=",
    " ",
    "\t",
    "abc",
    "xyz",
    "0123456789",
    "é",
    "日本",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
];

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % n as u64) as usize
    }

    fn char(&mut self, first: char, n: usize) -> char {
        char::from_u32(u32::from(first) + u32::try_from(self.below(n)).unwrap()).unwrap()
    }
}

/// A text by a recipe: noise, words, one character, few characters, repetitions, skewed
/// frequencies, repetitions from far away.
fn text(kind: usize, seed: u64, length: usize) -> String {
    let mut random = Random(seed);
    let mut text = String::new();
    while text.len() < length {
        match kind {
            0 => text.push(random.char(' ', 95)),
            1 => text.push_str(WORDS[random.below(WORDS.len())]),
            2 => text.push('x'),
            3 => text.push(random.char('a', 3)),
            4 if text.len() > 8 && random.below(4) != 0 => {
                let from = random.below(text.len());
                let to = (from + 1 + random.below(300)).min(text.len());
                text.extend_from_within(from..to);
            }
            4 => text.push(random.char(' ', 95)),
            5 => {
                let mut skewed = 0;
                while skewed < 90 && random.below(2) == 0 {
                    skewed += 1;
                }
                text.push(char::from(b' ' + skewed));
            }
            _ => {
                let mut noise = Random(seed);
                // The bound is drawn again at each step.
                let mut made = 0;
                while made < 30_000 + random.below(6000) {
                    text.push(noise.char(' ', 95));
                    made += 1;
                }
            }
        }
    }
    text
}

#[test]
fn compressed_texts_have_the_bytes_of_go() {
    let recorded = include_str!("../../data/functions/gzip.txt");
    let mut checked = 0;
    for line in recorded.lines() {
        let fields: Vec<&str> = line.split(' ').collect();
        let number = |index: usize| fields[index].parse::<usize>().unwrap();
        let text = text(number(0), number(1) as u64, number(2));
        let result = call("base64gzip", &[Value::string(&text)]).unwrap();
        let result = result.as_str().unwrap();
        let digest = Sha256::digest(result.as_bytes());
        let digest = digest.iter().map(|it| format!("{it:02x}")).collect::<Vec<_>>().concat();
        assert_eq!((result.len(), &*digest), (number(3), fields[4]), "{line}");
        checked += 1;
    }
    assert!(checked > 400);
}
