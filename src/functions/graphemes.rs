//! User-perceived characters as Terraform counts them: the extended grapheme clusters of Unicode
//! 15.0, in which Indic conjuncts (rule GB9c of later versions) are not yet one.

use unicode_segmentation::UnicodeSegmentation;

/// The clusters of a text, in order; together they are the text.
pub fn graphemes(text: &str) -> impl Iterator<Item = &str> {
    text.graphemes(true).flat_map(without_conjuncts)
}

/// The number of clusters.
pub fn grapheme_count(text: &str) -> usize {
    if text.is_ascii() && !text.contains('\r') {
        return text.len();
    }
    graphemes(text).count()
}

/// Cuts a cluster before each letter that a mark ties to the letter before it.
fn without_conjuncts(cluster: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut previous = None;
    for (index, it) in cluster.char_indices() {
        if it.is_alphabetic() && !extends(it) && previous.is_some_and(extends) {
            parts.push(&cluster[start..index]);
            start = index;
        }
        previous = Some(it);
    }
    parts.push(&cluster[start..]);
    parts
}

/// Whether a character never begins a cluster of its own.
fn extends(it: char) -> bool {
    !it.is_ascii() && format!("a{it}").graphemes(true).nth(1).is_none()
}
