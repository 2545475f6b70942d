//! "Did you mean": the declared name that is nearest to a mistyped one.

/// The limit for the names that are compared with a mistyped one.
pub const MOST_NAMES: usize = 500;
/// Longer names are not compared.
const LONGEST: usize = 200;

/// The nearest of the names that are at most two edits away, the first of equals. Only the first 500
/// names are compared.
pub fn suggestion<'n>(given: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    if given.len() > LONGEST {
        return None;
    }
    // Two edits change the length by eight bytes at most.
    let may_be_near = |it: &&str| it.len().abs_diff(given.len()) <= 8;
    let names = names.into_iter().take(MOST_NAMES).filter(may_be_near);
    let distances = names.map(|it| (strsim::levenshtein(given, it), it));
    distances.filter(|(edits, _)| *edits < 3).min_by_key(|(edits, _)| *edits).map(|(_, it)| it)
}

/// ` Did you mean "NAME"?`, or nothing.
pub fn did_you_mean<'n>(given: &str, names: impl IntoIterator<Item = &'n str>) -> String {
    suggestion(given, names).map_or_else(String::new, |it| format!(" Did you mean {it:?}?"))
}

/// The help for a mistyped word of the language, if one is near. Most words are near to a short one.
pub fn near_word<'n>(given: &str, words: impl IntoIterator<Item = &'n str>) -> Option<String> {
    let near = suggestion(given, words).filter(|_| given.chars().count() > 3)?;
    Some(format!("did you mean \"{near}\"?"))
}
