//! Random conditions over random values: the schema accepts what the evaluator accepts under the
//! operators of Terraform 1.11 and of 1.12, and an exact one nothing else.
//!
//! `TERRASCHEMA_FUZZ` is how many conditions are made (80), `TERRASCHEMA_SEED` makes other ones.

use rayon::prelude::*;
use release::Release;
use testkit::{
    condition::{
        evidence::Subject,
        random::{PROVIDERS, number, written},
    },
    modules::module_of,
};

#[test]
fn random_conditions_are_never_made_stronger() {
    let count = number("TERRASCHEMA_FUZZ").unwrap_or(80);
    let seed = number("TERRASCHEMA_SEED").unwrap_or(1);
    let judged: Vec<_> = (0..count)
        .into_par_iter()
        .map(|index| {
            let seed = (seed << 32 | index).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
            let text = written(seed);
            // Before 1.12 an error in either operand of `&&` and `||` counts.
            let release = if seed & 2 == 0 { Release::V1_11 } else { Release::NEWEST };
            let module = module_of(&format!("{PROVIDERS}{text}"), release);
            let subject = Subject::new(&module, &module.variables["x"], 0);
            (
                text,
                subject.translation().fidelity().as_str(),
                subject.judge(150, seed, seed.is_multiple_of(4)),
            )
        })
        .collect();
    let pairs: usize = judged.iter().map(|it| it.2.tried).sum();
    let told = |it: &str| judged.iter().filter(|(_, fidelity, _)| *fidelity == it).count();
    let kinds = ["exact", "necessary", "untranslated"].map(|it| format!("{it} {}", told(it)));
    eprintln!("seed {seed}: {count} conditions, {pairs} values; {}", kinds.join(", "));
    let wrong = judged.iter().filter(|it| !it.2.wrong.is_empty());
    let mut wrong: Vec<_> = wrong.map(|it| format!("{}{}\n", it.0, it.2.wrong[0])).collect();
    wrong.sort_by_key(String::len);
    let first: Vec<_> = wrong.iter().take(12).cloned().collect();
    assert!(wrong.is_empty(), "seed {seed}: {} wrong\n{}", wrong.len(), first.join("\n"));
}
