//! Grapheme clusters as Terraform counts them.

use unicode_segmentation::UnicodeSegmentation;

/// The extended grapheme clusters of a text, by the rules of Unicode 15.0: unlike later versions
/// they end a cluster between the consonants of an Indic conjunct.
pub fn graphemes(text: &str) -> impl Iterator<Item = &str> {
    text.graphemes(true).flat_map(Conjuncts)
}

/// Splits a cluster where only the rule for conjuncts (GB9c) holds it together.
struct Conjuncts<'t>(&'t str);

impl<'t> Iterator for Conjuncts<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        if self.0.is_empty() {
            return None;
        }
        let (head, tail) = self.0.split_at(conjunct(self.0).unwrap_or(self.0.len()));
        self.0 = tail;
        Some(head)
    }
}

/// Where the second consonant of a conjunct begins. It is a letter behind a mark: nothing else
/// keeps a letter there in the cluster.
fn conjunct(cluster: &str) -> Option<usize> {
    if cluster.is_ascii() {
        return None;
    }
    let mut after_mark = false;
    for (index, char) in cluster.char_indices() {
        let mark = extends(char);
        if after_mark && !mark && char.is_alphabetic() {
            return Some(index);
        }
        after_mark = mark;
    }
    None
}

/// Whether the character never begins a cluster behind a letter.
fn extends(char: char) -> bool {
    let mut buffer = [b'a', 0, 0, 0, 0];
    let length = 1 + char.encode_utf8(&mut buffer[1..]).len();
    let text = std::str::from_utf8(&buffer[..length]).unwrap_or_default();
    text.graphemes(true).count() == 1
}
