//! Random trees of modules, ours against a real Terraform: verdict, variables and rules of called
//! modules, conditions.
//!
//! A short round runs whenever there is a Terraform. A long one: `TERRASCHEMA_TREES=3000 cargo test
//! --test outside verdict::random_trees`, with `TERRASCHEMA_SEED` for the same or another one.

mod block;
mod expr;
mod kind;
mod reduce;
mod tree;

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::Path,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use diagnostics::Verdict;
use testkit::{
    missing::{MissingProgram, trials},
    random::Random,
    verdict::{
        answer::{Answer, Places},
        trees::judge,
    },
};

use self::tree::Tree;
use super::differential::Terraform;

trials![random_trees_are_judged_alike,];

const SHORT_ROUND: usize = 60;
/// Differences that are made smaller.
const MOST_REDUCED: usize = 12;

#[derive(Default)]
struct Tally {
    trees: usize,
    accepted: usize,
    /// A rule or a condition of a called module fails.
    failed_below: usize,
    undecided: usize,
    differences: Vec<(u64, String)>,
    /// Terraform's messages, by their summaries.
    summaries: BTreeMap<String, usize>,
}

fn random_trees_are_judged_alike() -> Result<(), MissingProgram> {
    let terraform = Terraform::recorded().ok_or_else(MissingProgram::terraform)?;
    let number = |name: &str| env::var(name).ok().and_then(|it| it.parse::<usize>().ok());
    let size = number("TERRASCHEMA_TREES").unwrap_or(SHORT_ROUND);
    let seed = number("TERRASCHEMA_SEED").unwrap_or(1) as u64;
    let tally = Mutex::new(Tally::default());
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            let work = || {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    if at >= size {
                        break;
                    }
                    compare(&terraform, seed * 1_000_003 + at as u64, &tally);
                }
            };
            std::thread::Builder::new().stack_size(32 << 20).spawn_scoped(scope, work).unwrap();
        }
    });
    let Tally { trees, accepted, failed_below, undecided, mut differences, summaries } =
        tally.into_inner().unwrap();
    let mut summaries: Vec<_> = summaries.into_iter().collect();
    summaries.sort_by_key(|it| std::cmp::Reverse(it.1));
    for (summary, trees) in summaries.iter().take(40) {
        eprintln!("{trees:5} {summary}");
    }
    differences.sort();
    let percent = |part: usize| part * 100 / trees;
    eprintln!(
        "{trees} trees, seed {seed}: {} % accepted, {} % failing a rule or condition of a called \
         module, {undecided} undecided, {} differ",
        percent(accepted),
        percent(failed_below),
        differences.len()
    );
    let texts: Vec<String> = differences.into_iter().map(|it| it.1).collect();
    assert!(texts.is_empty(), "{}", texts.join("\n"));
    // A few trees may be of any kind.
    let slack = if trees < 250 { 15 } else { 0 };
    assert!(percent(accepted) + slack >= 35 && percent(failed_below) + slack >= 22);
    assert!(percent(undecided) <= 15);
    Ok(())
}

fn compare(terraform: &Terraform, seed: u64, tally: &Mutex<Tally>) {
    let tree = tree::tree(&mut Random::new(seed));
    let (ours, theirs) = ask(terraform, &tree);
    let difference = difference(&tree, &ours, &theirs);
    let is_below = theirs.failed.iter().any(|it| it.addresses.iter().all(|it| !it.is_empty()))
        || theirs.conditions.iter().any(|it| it.contains('/'));
    let reduces = {
        let mut tally = tally.lock().unwrap();
        tally.trees += 1;
        tally.accepted += usize::from(theirs.verdict == Verdict::Accept);
        tally.failed_below += usize::from(is_below);
        tally.undecided += usize::from(ours.verdict == Verdict::Undecided);
        let told: BTreeSet<String> = summaries(&theirs).into_iter().collect();
        told.into_iter().for_each(|it| *tally.summaries.entry(it).or_default() += 1);
        tally.differences.len() < MOST_REDUCED
    };
    let Some(difference) = difference else { return };
    // A smaller tree must differ in the same way.
    let manner = |it: &str| it.split(':').next().unwrap_or_default().to_owned();
    let (wanted, told) = (manner(&difference), summaries(&theirs));
    let mut is_kept = |it: &Tree| {
        let (ours, theirs) = ask(terraform, it);
        let said = summaries(&theirs);
        let is_alike =
            said.is_empty() == told.is_empty() && said.iter().all(|it| told.contains(it));
        let difference = self::difference(it, &ours, &theirs);
        is_alike && difference.is_some_and(|it| manner(&it) == wanted)
    };
    let smaller = if reduces { reduce::reduce(&tree, &mut is_kept) } else { tree };
    let (ours, theirs) = ask(terraform, &smaller);
    let difference = self::difference(&smaller, &ours, &theirs).unwrap_or_default();
    let mut text = format!("seed {seed}: {difference}\n");
    for (name, file) in smaller.files() {
        text += &format!("--- {name}\n{file}");
    }
    let (Answer { said: us, verdict, .. }, Answer { said: them, .. }) = (ours, theirs);
    text += &format!("--- {:?}\nours: {verdict:?} {us:#?}\nTerraform: {them:#?}\n", smaller.args);
    tally.lock().unwrap().differences.push((seed, text));
}

fn summaries(theirs: &Answer) -> Vec<String> {
    let summary = |it: &String| it.split(": ").nth(1).unwrap_or_default().to_owned();
    theirs.said.iter().map(summary).collect()
}

fn difference(tree: &Tree, ours: &Answer, theirs: &Answer) -> Option<String> {
    if ours.verdict == Verdict::Undecided {
        return (!tree.has_unknowns()).then(|| "undecided without a reason".to_owned());
    }
    // What only a plan can decide may fail there and hide what else we say.
    if ours.is_partly_open() && tree.has_unknowns() && ours.verdict == theirs.verdict {
        return None;
    }
    ours.differs(theirs)
}

/// Writes the tree and asks both.
fn ask(terraform: &Terraform, tree: &Tree) -> (Answer, Answer) {
    let scratch = Path::new("/dev/shm");
    let dir = if scratch.is_dir() { tempfile::tempdir_in(scratch) } else { tempfile::tempdir() };
    let dir = dir.unwrap();
    let root = dir.path().canonicalize().unwrap();
    for (name, text) in tree.files() {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let env = BTreeMap::new();
    let init = ["init", "-json", "-input=false", "-backend=false"].map(str::to_owned);
    let (mut is_accepted, mut told) = terraform.told(&root, &init, &env);
    if is_accepted {
        let plan = ["plan", "-json", "-input=false", "-refresh=false", "-lock=false"];
        let plan = plan.map(str::to_owned).into_iter().chain(tree.args.iter().cloned());
        (is_accepted, told) = terraform.told(&root, &plan.collect::<Vec<_>>(), &env);
    }
    let theirs = Answer::theirs(is_accepted, &told, &Places::of(&root, ""));
    (judge(&root, &root, &tree.args, &env), theirs)
}
