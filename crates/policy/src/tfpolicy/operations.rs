//! `operations`: what Terraform does with a resource, in the words of the language.

use super::reader::{PolicyReader, problem};
use crate::language::Action;
use diagnostics::{Span, did_you_mean};

/// What happens to a resource. A replacement is a `Delete` and a `Create`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Create,
    Update,
    Delete,
    NoOp,
}

const ALL: [(&str, Operation); 4] = [
    ("create", Operation::Create),
    ("update", Operation::Update),
    ("delete", Operation::Delete),
    ("no-op", Operation::NoOp),
];

impl Operation {
    pub fn as_str(self) -> &'static str {
        ALL.iter().find(|it| it.1 == self).map_or("", |it| it.0)
    }

    /// The operation of an action for a policy about these operations; `None` if the policy is about none of
    /// the action's.
    pub fn of(action: Action, wanted: &[Operation]) -> Option<Operation> {
        let all: &[Operation] = match action {
            Action::Create => &[Operation::Create],
            Action::Update => &[Operation::Update],
            Action::Replace => &[Operation::Create, Operation::Delete],
            Action::Delete => &[Operation::Delete],
            Action::NoOp => &[Operation::NoOp],
            Action::Read | Action::Forget | Action::Move | Action::Import => &[],
        };
        all.iter().copied().find(|it| wanted.contains(it))
    }

    /// The actions of a plan that are one of these operations.
    pub fn actions(wanted: &[Operation]) -> Vec<Action> {
        let all = [Action::Create, Action::Update, Action::Replace, Action::Delete, Action::NoOp];
        all.into_iter().filter(|it| Operation::of(*it, wanted).is_some()).collect()
    }
}

/// The operations of a policy. `given`: the list that it sets, with its place; `reads_prior`: whether it reads
/// `prior_attrs`.
pub(super) fn of_policy(
    reader: &mut PolicyReader<'_>,
    given: Option<&(Vec<String>, Span)>,
    reads_prior: bool,
    header: Span,
) -> Vec<Operation> {
    let span = given.map_or(header, |it| it.1);
    let mut wanted = Vec::new();
    for word in given.iter().flat_map(|it| &it.0) {
        match ALL.iter().find(|it| it.0 == word.as_str()) {
            Some((_, it)) => wanted.push(*it),
            None => {
                let hint = did_you_mean(word, ALL.map(|it| it.0));
                let detail = format!("Use create, update, delete and no-op.{hint}");
                reader.add(problem(format!("Unknown operation {word:?}"), detail, span));
            }
        }
    }
    if wanted.is_empty() {
        if reads_prior {
            let detail = "Only an update and a delete have prior_attrs: set operations to \
                [\"update\"], [\"delete\"] or both.";
            reader.add(problem("A policy that reads prior_attrs needs operations", detail, span));
        }
        let mut all = vec![Operation::Create, Operation::Update, Operation::NoOp];
        // An empty list is every operation, no list is every one after which the resource exists.
        all.extend(given.is_some().then_some(Operation::Delete));
        return all;
    }
    let has = |it| wanted.contains(&it);
    if has(Operation::Delete) && (has(Operation::Create) || has(Operation::NoOp)) {
        let detail = "A resource that is deleted is neither created nor unchanged: write two \
            policies.";
        reader.add(problem("delete cannot be combined with create or no-op", detail, span));
    } else if reads_prior && (has(Operation::Create) || has(Operation::NoOp)) {
        let detail = "A create and a no-op have no prior state: use update and delete.";
        reader.add(problem("prior_attrs with create or no-op", detail, span));
    }
    wanted
}
