//! Classes in ECMA-262 syntax.

use regex_syntax::hir::ClassUnicode;

use super::{
    super::{
        ast::{Atom, Class, Item, ItemKind},
        names::CATEGORIES,
        sets,
    },
    Untranslatable,
    atoms::{Surrounding, atom, bound},
};

/// The most ranges that a class is spelled out in.
const RANGES: usize = 200;

/// What `\s` matches in RE2; ECMA-262's matches more.
const SPACE: &str = r"\t\n\f\r ";

/// A class in ECMA-262 syntax.
pub(super) fn class(source: &str, it: &Class) -> Result<String, Untranslatable> {
    if let ([item], false) = (it.items.as_slice(), it.bracketed) {
        return lone(source, item);
    }
    let mut out = String::from(if it.negated { "[^" } else { "[" });
    let mut after_range = true;
    for (index, item) in it.items.iter().enumerate() {
        let last = index + 1 == it.items.len();
        // A dash elsewhere would make a range of its neighbours.
        let dash = after_range || (last && matches!(item.kind, ItemKind::Single(_)));
        out.push_str(&member(source, item, dash)?);
        after_range = matches!(item.kind, ItemKind::Range(..)) && item.folded.is_none();
    }
    out.push(']');
    Ok(out)
}

/// A literal that case folding makes a class.
pub(super) fn literal_set(
    source: &str,
    it: &Atom,
    set: &ClassUnicode,
) -> Result<String, Untranslatable> {
    let mut others = set.clone();
    others.difference(&sets::range(it.code, it.code));
    let own = atom(source, it, Surrounding::InClass { dash: false });
    let others = spell(&others, || source[it.source.clone()].to_owned())?;
    Ok(format!("[{own}{others}]"))
}

/// A class escape outside brackets.
fn lone(source: &str, item: &Item) -> Result<String, Untranslatable> {
    if item.folded.is_none() {
        match &item.kind {
            ItemKind::Perl('s') => return Ok(format!("[{SPACE}]")),
            ItemKind::Perl('S') => return Ok(format!("[^{SPACE}]")),
            _ => (),
        }
        if let Some(text) = own_text(source, item, true) {
            let single = !text.starts_with(r"\p{Cc}");
            return Ok(if single { text } else { format!("[{text}]") });
        }
    }
    let mut complement = item.set().clone();
    complement.negate();
    if complement.ranges().len() < item.set().ranges().len() {
        return Ok(format!("[^{}]", spell_item(source, item, &complement)?));
    }
    Ok(format!("[{}]", member(source, item, true)?))
}

/// One member of a bracketed class, flag `i` spelled out. With `dash` a plain `-` may stay.
fn member(source: &str, item: &Item, dash: bool) -> Result<String, Untranslatable> {
    let own = own_text(source, item, dash);
    match (&item.folded, own) {
        (None, Some(text)) => Ok(text),
        (Some(folded), Some(text)) if contains(folded, &item.plain) => {
            let mut others = folded.clone();
            others.difference(&item.plain);
            Ok(text + &spell_item(source, item, &others)?)
        }
        _ => spell_item(source, item, item.set()),
    }
}

/// The item without regard to flag `i`, where ECMA-262 has a short form for it.
fn own_text(source: &str, item: &Item, dash: bool) -> Option<String> {
    match &item.kind {
        ItemKind::Single(it) => Some(atom(source, it, Surrounding::InClass { dash })),
        ItemKind::Range(low, high) => {
            let low = atom(source, low, Surrounding::InClass { dash });
            let high = atom(source, high, Surrounding::InClass { dash: true });
            Some(format!("{low}-{high}"))
        }
        ItemKind::Perl('s') => Some(SPACE.to_owned()),
        ItemKind::Perl('S') | ItemKind::Posix => None,
        ItemKind::Perl(_) => Some(source[item.source.clone()].to_owned()),
        ItemKind::Unicode { name, negated } => property(name, *negated),
    }
}

/// A Unicode class by the name that ECMA-262 has for it.
fn property(name: &str, negated: bool) -> Option<String> {
    let letter = if negated { 'P' } else { 'p' };
    match name {
        // Go's has no unassigned code points.
        "C" if negated => None,
        "C" => Some(r"\p{Cc}\p{Cf}\p{Co}".to_owned()),
        "Any" => Some(format!(r"\{letter}{{Any}}")),
        _ if CATEGORIES.contains(&name) => Some(format!(r"\{letter}{{{name}}}")),
        _ => Some(format!(r"\{letter}{{Script={name}}}")),
    }
}

fn spell_item(source: &str, item: &Item, set: &ClassUnicode) -> Result<String, Untranslatable> {
    spell(set, || source[item.source.clone()].to_owned())
}

/// A set, range by range.
fn spell(set: &ClassUnicode, name: impl FnOnce() -> String) -> Result<String, Untranslatable> {
    if set.ranges().len() > RANGES {
        return Err(Untranslatable::LongClass(name()));
    }
    let mut out = String::new();
    for range in set.ranges() {
        out.push_str(&bound(range.start()));
        if range.len() > 2 {
            out.push('-');
        }
        if range.len() > 1 {
            out.push_str(&bound(range.end()));
        }
    }
    Ok(out)
}

fn contains(set: &ClassUnicode, subset: &ClassUnicode) -> bool {
    let mut missing = subset.clone();
    missing.difference(set);
    missing.ranges().is_empty()
}
