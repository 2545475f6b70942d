//! Identifier characters that HCL does not know yet.

/// Identifier characters of Unicode 18, which `unicode-ident` knows and HCL, at Unicode 17, does not;
/// first and last of each range.
const NEWER: &[(char, char)] = &[
    ('\u{558}', '\u{558}'),
    ('\u{58b}', '\u{58c}'),
    ('\u{5c8}', '\u{5c9}'),
    ('\u{b53}', '\u{b54}'),
    ('\u{1ade}', '\u{1adf}'),
    ('\u{1aec}', '\u{1af0}'),
    ('\u{208f}', '\u{208f}'),
    ('\u{209d}', '\u{209f}'),
    ('\u{a7dd}', '\u{a7dd}'),
    ('\u{a7e2}', '\u{a7e2}'),
    ('\u{ab6c}', '\u{ab6d}'),
    ('\u{107bb}', '\u{107bf}'),
    ('\u{10ecb}', '\u{10ecf}'),
    ('\u{10ed9}', '\u{10eee}'),
    ('\u{10ef0}', '\u{10ef9}'),
    ('\u{11b0a}', '\u{11b0a}'),
    ('\u{11df0}', '\u{11df1}'),
    ('\u{1246f}', '\u{1246f}'),
    ('\u{12475}', '\u{1247f}'),
    ('\u{12550}', '\u{12686}'),
    ('\u{18cd6}', '\u{18cda}'),
    ('\u{18d1f}', '\u{18d20}'),
    ('\u{18e00}', '\u{19191}'),
    ('\u{191a0}', '\u{191d2}'),
    ('\u{1b123}', '\u{1b128}'),
    ('\u{1b168}', '\u{1b168}'),
    ('\u{1d127}', '\u{1d128}'),
    ('\u{1d250}', '\u{1d252}'),
    ('\u{1d25b}', '\u{1d25c}'),
    ('\u{1d25f}', '\u{1d25f}'),
    ('\u{1d280}', '\u{1d281}'),
    ('\u{1d6a6}', '\u{1d6a6}'),
    ('\u{1df1f}', '\u{1df24}'),
    ('\u{1df2b}', '\u{1df81}'),
    ('\u{1df90}', '\u{1df96}'),
    ('\u{1dfcd}', '\u{1dfff}'),
    ('\u{2b81e}', '\u{2b81e}'),
    ('\u{3d000}', '\u{3fc3f}'),
];

/// Whether HCL's tables are too old for this identifier character.
pub fn is_newer(it: char) -> bool {
    let at = NEWER.partition_point(|(_, last)| *last < it);
    NEWER.get(at).is_some_and(|(first, _)| *first <= it)
}
