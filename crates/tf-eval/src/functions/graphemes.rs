//! User-perceived characters as Terraform counts them: the extended grapheme clusters of Unicode 15.0,
//! without the later rule GB9c that joins Indic conjuncts, and with the deviations of Terraform's
//! library.

use unicode_segmentation::UnicodeSegmentation;

/// Replaces invalid UTF-8; always a cluster of its own.
const REPLACEMENT: char = '\u{fffd}';
const JOINER: char = '\u{200d}';

/// The clusters of a text, in order; their concatenation is the text.
pub fn graphemes(text: &str) -> impl Iterator<Item = &str> {
    let pieces = text.split_inclusive(REPLACEMENT).flat_map(|it| {
        let text = it.trim_end_matches(REPLACEMENT);
        [text, &it[text.len()..]]
    });
    let clusters = pieces.flat_map(|it| it.graphemes(true)).flat_map(without_conjuncts);
    let all = if text.contains(JOINER) { joined(text, clusters) } else { clusters.collect() };
    all.into_iter()
}

/// Joins a pictograph after a joiner to the cluster before it, if that is a Hangul syllable, a regional
/// indicator, or a pictograph with more than one joiner. Terraform's library does so, though rule GB11
/// joins pictographs only, and with a single joiner.
fn joined<'a>(text: &'a str, clusters: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut all: Vec<&str> = Vec::new();
    let (mut start, mut end) = (0, 0);
    for cluster in clusters {
        let at = end;
        end += cluster.len();
        match all.last_mut() {
            Some(last)
                if last.ends_with(JOINER) && takes_pictographs(last) && is_pictograph(cluster) =>
            {
                *last = &text[start..end];
            }
            _ => {
                start = at;
                all.push(cluster);
            }
        }
    }
    all
}

fn takes_pictographs(cluster: &str) -> bool {
    let takes = |it: char| {
        let syllables = ['\u{1100}'..='\u{11ff}', '\u{a960}'..='\u{a97c}', '\u{ac00}'..='\u{d7fb}'];
        syllables.iter().any(|range| range.contains(&it))
            || ('\u{1f1e6}'..='\u{1f1ff}').contains(&it)
    };
    cluster.contains(takes) || cluster.char_indices().any(|(at, _)| is_pictograph(&cluster[at..]))
}

/// Whether the cluster begins with a character that a joiner can tie to a pictograph before it.
fn is_pictograph(cluster: &str) -> bool {
    let first = cluster.chars().next().filter(|it| !it.is_ascii() && !extends(*it));
    first.is_some_and(|it| format!("\u{1f600}{JOINER}{it}").graphemes(true).nth(1).is_none())
}

/// The number of clusters.
pub fn grapheme_count(text: &str) -> usize {
    if text.is_ascii() && !text.contains('\r') {
        return text.len();
    }
    graphemes(text).count()
}

/// Splits a cluster before each letter that a mark ties to the letter before it.
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
