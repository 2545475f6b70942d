//! Finds renamed files as `git diff --find-renames` does: first those with the same content, then those that
//! are half alike.
//!
//! The measure is git's similarity index. Both files are cut into lines (longer ones into pieces of 64 bytes);
//! the index is the bytes in pieces that both have, over the size of the larger file.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    path::{Path, PathBuf},
};

use rayon::prelude::*;

/// The longest piece of a line.
const PIECE: usize = 64;

/// A hundred percent.
const WHOLE: u64 = 60_000;

/// The least likeness of a renamed file.
const LEAST: u64 = WHOLE / 2;

/// The least likeness if only these two files have their name, which are then paired first.
const LEAST_BY_NAME: u64 = WHOLE * 3 / 4;

/// The most pairs of files that are compared, which is git's limit.
const MOST: usize = 1_000 * 1_000;

/// A file that is gone, or one that is new.
#[derive(Debug)]
pub struct Moved {
    pub path: PathBuf,
    pub bytes: Vec<u8>,
}

/// How many bytes of a file are in pieces of each kind.
struct Pieces<'f> {
    size: u64,
    counts: HashMap<Vec<u8>, u64>,
    path: &'f Path,
}

impl<'f> Pieces<'f> {
    fn of(file: &'f Moved) -> Pieces<'f> {
        let bytes = &file.bytes;
        // As in git, a zero byte near the beginning means a binary file.
        let is_text = !bytes.iter().take(8_000).any(|it| *it == 0);
        let mut counts: HashMap<Vec<u8>, u64> = HashMap::new();
        let mut piece = Vec::new();
        for (at, byte) in bytes.iter().enumerate() {
            if is_text && *byte == b'\r' && bytes.get(at + 1) == Some(&b'\n') {
                continue;
            }
            piece.push(*byte);
            if *byte == b'\n' || piece.len() >= PIECE {
                *counts.entry(std::mem::take(&mut piece)).or_default() += 1;
            }
        }
        if !piece.is_empty() {
            *counts.entry(piece).or_default() += 1;
        }
        for (piece, count) in &mut counts {
            *count *= piece.len() as u64;
        }
        Pieces { size: bytes.len() as u64, counts, path: &file.path }
    }

    /// Git's similarity index of both.
    fn likeness(&self, other: &Pieces<'_>) -> u64 {
        let (least, most) = (self.size.min(other.size), self.size.max(other.size));
        if most == 0 || most * (WHOLE - LEAST) < (most - least) * WHOLE {
            return 0;
        }
        let in_both = |(piece, count): (&Vec<u8>, &u64)| {
            other.counts.get(piece).map_or(0, |it| *it.min(count))
        };
        self.counts.iter().map(in_both).sum::<u64>() * WHOLE / most
    }

    fn name(&self) -> Option<&std::ffi::OsStr> {
        self.path.file_name()
    }
}

/// Pairs of files by their places in both lists; each is in one pair at most.
pub fn renames(gone: &[Moved], new: &[Moved]) -> Vec<(usize, usize)> {
    let mut out = exact(gone, new);
    let used = |out: &[(usize, usize)]| -> (HashSet<usize>, HashSet<usize>) {
        (out.iter().map(|it| it.0).collect(), out.iter().map(|it| it.1).collect())
    };
    let (sources, targets) = used(&out);
    let rest = |all: usize, used: &HashSet<usize>| -> Vec<usize> {
        (0..all).filter(|it| !used.contains(it)).collect()
    };
    let (sources, targets) = (rest(gone.len(), &sources), rest(new.len(), &targets));
    if sources.is_empty() || targets.is_empty() {
        return out;
    }
    let of_gone: BTreeMap<usize, Pieces<'_>> =
        sources.par_iter().map(|it| (*it, Pieces::of(&gone[*it]))).collect();
    let of_new: BTreeMap<usize, Pieces<'_>> =
        targets.par_iter().map(|it| (*it, Pieces::of(&new[*it]))).collect();
    out.extend(by_name(&of_gone, &of_new));
    let (sources, targets) = used(&out);
    let sources: Vec<_> = of_gone.iter().filter(|it| !sources.contains(it.0)).collect();
    let targets: Vec<_> = of_new.iter().filter(|it| !targets.contains(it.0)).collect();
    if sources.len().saturating_mul(targets.len()) > MOST {
        return out;
    }
    let mut alike: Vec<(u64, bool, usize, usize)> = targets
        .par_iter()
        .flat_map_iter(|(to, new)| {
            let each = sources.iter().map(move |(from, gone)| {
                (gone.likeness(new), gone.name() == new.name(), **from, **to)
            });
            each.filter(|it| it.0 >= LEAST).collect::<Vec<_>>()
        })
        .collect();
    // The most alike first; of those the ones that keep their name.
    alike.sort_by(|one, other| {
        (other.0, other.1, one.3, one.2).cmp(&(one.0, one.1, other.3, other.2))
    });
    let (mut sources, mut targets) = used(&out);
    for (_, _, from, to) in alike {
        if !sources.contains(&from) && !targets.contains(&to) {
            sources.insert(from);
            targets.insert(to);
            out.push((from, to));
        }
    }
    out
}

/// Files with the same content; of several, those with the same name first.
fn exact(gone: &[Moved], new: &[Moved]) -> Vec<(usize, usize)> {
    let mut by_content: HashMap<&[u8], Vec<usize>> = HashMap::new();
    for (at, it) in gone.iter().enumerate() {
        by_content.entry(&it.bytes).or_default().push(at);
    }
    let mut out = Vec::new();
    let mut is_used = vec![false; gone.len()];
    for (to, file) in new.iter().enumerate() {
        let Some(all) = by_content.get(file.bytes.as_slice()) else { continue };
        let is_namesake = |from: &usize| gone[*from].path.file_name() == file.path.file_name();
        let mut free = all.iter().filter(|it| !is_used[**it]);
        let found = free.clone().find(|it| is_namesake(it)).or_else(|| free.next());
        if let Some(from) = found {
            is_used[*from] = true;
            out.push((*from, to));
        }
    }
    out
}

/// Pairs files whose name occurs once on each side.
fn by_name(
    gone: &BTreeMap<usize, Pieces<'_>>,
    new: &BTreeMap<usize, Pieces<'_>>,
) -> Vec<(usize, usize)> {
    let unique = |all: &BTreeMap<usize, Pieces<'_>>| {
        let mut out: HashMap<std::ffi::OsString, Option<usize>> = HashMap::new();
        for (at, it) in all {
            let Some(name) = it.name() else { continue };
            out.entry(name.to_owned()).and_modify(|it| *it = None).or_insert(Some(*at));
        }
        out
    };
    let (of_gone, of_new) = (unique(gone), unique(new));
    let pairs = of_gone.iter().filter_map(|(name, from)| {
        let (from, to) = ((*from)?, (*of_new.get(name)?)?);
        (gone.get(&from)?.likeness(new.get(&to)?) >= LEAST_BY_NAME).then_some((from, to))
    });
    let mut pairs: Vec<_> = pairs.collect();
    pairs.sort_unstable();
    pairs
}

/// Pairs each removed directory with the one to which most bytes of its files went.
pub fn directories(
    gone: &[Moved],
    new: &[Moved],
    is_gone: &dyn Fn(&Path) -> bool,
    is_new: &dyn Fn(&Path) -> bool,
) -> Vec<(PathBuf, PathBuf)> {
    let dir = |it: &Moved| it.path.parent().unwrap_or(Path::new("")).to_owned();
    let mut votes: BTreeMap<(PathBuf, PathBuf), usize> = BTreeMap::new();
    for (from, to) in renames(gone, new) {
        let (before, after) = (dir(&gone[from]), dir(&new[to]));
        if is_gone(&before) && is_new(&after) {
            *votes.entry((before, after)).or_default() += gone[from].bytes.len().max(1);
        }
    }
    let mut votes: Vec<_> = votes.into_iter().collect();
    votes.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    let (mut out, mut taken) = (Vec::<(PathBuf, PathBuf)>::new(), HashSet::new());
    for ((before, after), _) in votes {
        if out.iter().all(|it| it.0 != before) && taken.insert(after.clone()) {
            out.push((before, after));
        }
    }
    out
}
