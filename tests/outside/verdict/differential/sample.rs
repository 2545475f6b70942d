//! Strings that a regular expression matches, more or less.

use regex_syntax::hir::{Class, Hir, HirKind};
use testkit::random::Random;

/// Repetitions beyond the least number.
const MORE: usize = 3;

/// A string that the pattern matches, unless look-around or anchors prevent it.
pub fn sample(pattern: &str, random: &mut Random) -> Option<String> {
    let hir = regex_syntax::Parser::new().parse(pattern).ok()?;
    let mut text = String::new();
    write(&hir, random, &mut text);
    Some(text)
}

fn write(hir: &Hir, random: &mut Random, text: &mut String) {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => (),
        HirKind::Literal(it) => text.push_str(&String::from_utf8_lossy(&it.0)),
        HirKind::Class(Class::Unicode(it)) => {
            let ranges = it.ranges();
            if ranges.is_empty() {
                return;
            }
            let range = random.pick(ranges);
            let width = (range.end() as usize - range.start() as usize).min(90);
            let at = range.start() as usize + random.below(width + 1);
            text.extend(u32::try_from(at).ok().and_then(char::from_u32));
        }
        HirKind::Class(Class::Bytes(_)) => text.push('a'),
        HirKind::Repetition(it) => {
            let least = it.min as usize;
            let most = it.max.map_or(least + MORE, |it| it as usize).min(least + 40);
            let times = least + random.below(most - least + 1);
            (0..times.min(70)).for_each(|_| write(&it.sub, random, text));
        }
        HirKind::Capture(it) => write(&it.sub, random, text),
        HirKind::Concat(all) => all.iter().for_each(|it| write(it, random, text)),
        HirKind::Alternation(all) => {
            let one = random.pick(all);
            write(one, random, text);
        }
    }
}
