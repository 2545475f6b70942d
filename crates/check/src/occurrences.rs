//! The findings of several sets of values files: one that several sets share is one finding, which names the files
//! that it follows from.

use indexmap::IndexMap;

use diagnostics::{Diagnostic, Diagnostics, Label, Role, Span, lints};

/// The findings of the sets that were judged.
#[derive(Default)]
pub(super) struct Occurrences {
    all: IndexMap<Diagnostic, Occurrence>,
    /// The number of sets.
    sets: usize,
}

/// A finding that is the same in one set or more.
struct Occurrence {
    /// As the first set has it.
    first: Diagnostic,
    /// The number of its sets.
    sets: usize,
    /// The number of the last set.
    last: usize,
    /// Where its sets begin.
    places: Vec<Span>,
    /// Whether the labels of its places differ.
    is_varied: bool,
    /// The given values that it follows from, in all sets.
    values: Vec<Label>,
}

impl Occurrences {
    pub fn is_any(&self) -> bool {
        self.sets > 0
    }

    /// Adds the findings of the next set; `place` is where the set begins.
    pub fn add(&mut self, found: Diagnostics, place: Option<Span>) {
        self.sets += 1;
        for it in found {
            let new = || Occurrence {
                first: it.clone(),
                sets: 0,
                last: 0,
                places: Vec::new(),
                is_varied: false,
                values: Vec::new(),
            };
            let here = self.all.entry(bare(&it)).or_insert_with(new);
            if here.last != self.sets {
                (here.last, here.sets) = (self.sets, here.sets + 1);
                here.places.extend(place);
            }
            here.is_varied |= it.labels != here.first.labels;
            let text = texts(&it);
            for mut label in it.values {
                if here.values.iter().all(|it| it.span != label.span) {
                    label.text.clone_from(&text);
                    here.values.push(label);
                }
            }
        }
    }

    /// Each finding once.
    pub fn merged(self) -> impl Iterator<Item = Diagnostic> {
        let sets = self.sets;
        self.all.into_values().map(move |it| it.merged(sets))
    }
}

impl Occurrence {
    fn merged(self, sets: usize) -> Diagnostic {
        let Occurrence { mut first, places, is_varied, mut values, .. } = self;
        if is_varied {
            first.labels.iter_mut().for_each(|it| it.text.clear());
        } else {
            values.iter_mut().for_each(|it| it.text.clear());
        }
        let is_of_file = |place: &Span| first.labels.iter().any(|it| it.span.file == place.file);
        let is_told = first.rule == lints::UNDECIDED_VALIDATION || !values.is_empty();
        if self.sets < sets && !is_told && !places.iter().any(is_of_file) {
            let text = "with the values of this file";
            let label = |span| Label { role: Role::Value, span, text: text.to_owned() };
            values.extend(places.into_iter().map(label));
        }
        first.values = values;
        first
    }
}

/// The diagnostic without what may differ from set to set.
fn bare(it: &Diagnostic) -> Diagnostic {
    let mut bare = it.clone();
    bare.values.clear();
    bare.labels.iter_mut().for_each(|it| it.text.clear());
    bare
}

/// The labels of the places of a diagnostic.
fn texts(it: &Diagnostic) -> String {
    let texts = it.labels.iter().map(|it| it.text.as_str()).filter(|it| !it.is_empty());
    texts.collect::<Vec<_>>().join("; ")
}
