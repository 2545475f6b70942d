//! Random patterns of repetitions in repetitions, and texts that nearly match them.

use std::fmt::Write as _;

/// A pattern, and texts of its few letters.
pub struct Pattern {
    pub text: String,
    pub texts: Vec<String>,
}

const ATOMS: [&str; 12] =
    ["a", "b", "ab", "[ab]", "[a-c]", "-", r"\w", ".", "[^b]", "a?", "(a|b)", r"\d"];
const OPERATORS: [&str; 9] = ["*", "+", "?", "{1,3}", "{0,4}", "{2,}", "*?", "", ""];
const LETTERS: [&str; 7] = ["a", "b", "c", "-", "1", "\n", "ab"];

/// The same for the same seed.
pub fn pattern(seed: u64) -> Pattern {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut text = String::new();
    let start = random.below(20) < 19;
    text.push_str(if start { "^" } else { "" });
    random.sequence(&mut text, 0);
    text.push_str(if random.below(10) < 8 { "$" } else { "" });
    let texts = (0..60).map(|_| random.text()).collect();
    Pattern { text, texts }
}

struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 20).unwrap() % count
    }

    fn of<'t>(&mut self, them: &[&'t str]) -> &'t str {
        them[self.below(them.len())]
    }

    fn sequence(&mut self, out: &mut String, depth: usize) {
        for _ in 0..=self.below(2) {
            if depth < 2 && self.below(2) == 0 {
                out.push_str(if self.below(2) == 0 { "(" } else { "(?:" });
                self.sequence(out, depth + 1);
                if self.below(3) == 0 {
                    out.push('|');
                    self.sequence(out, depth + 1);
                }
                out.push(')');
                out.push_str(self.of(&OPERATORS));
            } else {
                let atom = self.of(&ATOMS);
                let operator = if atom.ends_with('?') { "" } else { self.of(&OPERATORS) };
                let needs_group =
                    atom.len() == 2 && !atom.starts_with('\\') && !operator.is_empty();
                let (open, close) = if needs_group { ("(?:", ")") } else { ("", "") };
                write!(out, "{open}{atom}{close}{operator}").unwrap();
            }
        }
    }

    fn text(&mut self) -> String {
        let length = self.below(9);
        let few = 1 + self.below(LETTERS.len());
        (0..length).map(|_| self.of(&LETTERS[..few])).collect()
    }
}
