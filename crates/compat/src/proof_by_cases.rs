//! A proof by cases that a rule of one contract follows from the rules of another, if sets alone prove nothing.

use smol_str::SmolStr;

use super::{
    cases::{Cases, Proof},
    inclusion::{ALTERNATIVES, Inclusion},
    skeleton::{Node, SkeletonReader},
};
use module::Variable;
use projection::sets::{Alternative, Assignments};
use release::changes;

impl Inclusion<'_, '_, '_> {
    /// Whether a rule of the other contract holds wherever this contract's rules about its variables hold, for
    /// the same values of the variables.
    pub(super) fn by_cases(&self, variable: &Variable, index: usize, names: &[SmolStr]) -> Proof {
        let mut reader = SkeletonReader::default();
        let of = (&self.to.module, variable);
        let Some(rule) = variable.validations.get(index) else { return Proof::Open(Vec::new()) };
        let Some(to) = reader.read(&rule.condition, of) else { return Proof::Open(Vec::new()) };
        let contract = self.from.contract;
        let mut from: Vec<Node> = Vec::new();
        for held in self.from.about(names) {
            let Some(was) = contract.variable(&held.variable) else { continue };
            let is_same =
                self.is_alike(&held.names) || self.is_untouched(contract, was, held.index);
            if let (true, Some(rule)) = (is_same, was.validations.get(held.index)) {
                from.extend(reader.read(&rule.condition, (&contract.module, was)));
            }
        }
        let held = || self.from.about(names).map(|it| it.extents.holds.formula.clone());
        let is_impossible = |set: &Assignments| {
            let set = Assignments::all(std::iter::once(set.clone()).chain(held()));
            let is_impossible = |it: &Alternative| self.is_impossible(it);
            set.alternatives(ALTERNATIVES).is_some_and(|it| it.iter().all(is_impossible))
        };
        let cases = Cases {
            questions: &reader.questions,
            from: &from,
            to: &to,
            is_kleene: self.to.release().has(&changes::KLEENE_LOGIC),
            meter: contract.meter(),
            is_impossible: &is_impossible,
        };
        cases.proof()
    }
}
