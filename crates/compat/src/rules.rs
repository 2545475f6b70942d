//! Changes of the variables' rules.

use super::{
    findings::{Change, State},
    inclusion::{Inclusion, InclusionAnswer},
    space::rule_form,
    variables::undecided,
};
use diagnostics::lints;
use module::Variable;
use report::Bump;
use smol_str::SmolStr;

/// Both directions of the comparison.
pub struct Ways<'i, 's, 'p, 'a> {
    /// The arguments that were accepted, judged by the new rules.
    pub forth: &'i Inclusion<'s, 'p, 'a>,
    /// The arguments that are accepted now, judged by the old rules.
    pub back: &'i Inclusion<'s, 'p, 'a>,
}

impl Ways<'_, '_, '_, '_> {
    /// The changes of rules, one for each variable. A worse change is already known of the `settled` variables.
    pub fn changes(&self, settled: &[SmolStr]) -> Vec<Change> {
        let head = self.forth.to;
        let variables = head.module.variables.values();
        variables.flat_map(|it| self.of_variable(it, settled.contains(&it.name))).collect()
    }

    /// Each rule that refuses what was accepted; if there is none, what else changed.
    fn of_variable(&self, is: &Variable, is_settled: bool) -> Vec<Change> {
        let lack =
            [self.forth.from.contract, self.forth.to].into_iter().find_map(|it| it.lack(&is.name));
        let (mut broken, mut open) = (Vec::new(), Vec::new());
        for (index, rule) in is.validations.iter().enumerate() {
            let place =
                |change: Change| change.variable(&is.name).at(State::Head, rule.condition.span);
            match self.forth.of_rule(is, index) {
                InclusionAnswer::Included => (),
                InclusionAnswer::Open(why) => {
                    let what = format!("a rule of \"{}\"", is.name);
                    let why = lack.map_or(why, str::to_owned);
                    open.push(place(undecided(&what, &why)));
                }
                InclusionAnswer::Broken(arguments, effect) => {
                    let summary =
                        format!("A rule of \"{}\" rejects values that were accepted", is.name);
                    let change = Change::new(&lints::RULE_TIGHTENED, Bump::Major, summary);
                    let found = self.forth.both.witness(arguments, &effect);
                    broken.push(place(change.witness(found)));
                }
            }
        }
        if is_settled && broken.is_empty() {
            return Vec::new();
        }
        broken.extend(open);
        if !broken.is_empty() {
            return broken;
        }
        if let Some(why) = lack {
            let change = undecided(&format!("the rules of \"{}\"", is.name), why);
            return vec![change.variable(&is.name).at(State::Head, is.span)];
        }
        self.loosened(is).into_iter().collect()
    }

    /// The change if the new rules accept more than the old ones, or say the same in other words.
    fn loosened(&self, is: &Variable) -> Option<Change> {
        let was = self.back.to.variable(&is.name)?;
        if self.forms(was, State::Base) == self.forms(is, State::Head) {
            return self.reworded(was, is);
        }
        let mut open = None;
        let place = |change: Change, span| {
            let first = is.validations.first().map_or(is.span, |it| it.condition.span);
            change.variable(&is.name).at(State::Head, first).at_with(
                State::Base,
                span,
                "the old rule",
            )
        };
        for (index, rule) in was.validations.iter().enumerate() {
            let span = rule.condition.span;
            match self.back.of_rule(was, index) {
                InclusionAnswer::Included => (),
                InclusionAnswer::Open(_) => open = open.or(Some(span)),
                InclusionAnswer::Broken(..) => {
                    let summary = format!("The rules of \"{}\" accept more values", is.name);
                    let change = Change::new(&lints::RULE_LOOSENED, Bump::Minor, summary);
                    return Some(place(change, span));
                }
            }
        }
        if let Some(span) = open {
            let summary = format!("The rules of \"{}\" accept everything they accepted", is.name);
            let change = Change::new(&lints::RULE_LOOSENED, Bump::Minor, summary);
            let detail = "Whether they accept more values is not known.";
            return Some(place(change.detail(detail), span));
        }
        let summary = format!("The rules of \"{}\" changed, but accept the same values", is.name);
        let change = Change::new(&lints::RULE_REWRITTEN, Bump::Patch, summary);
        let span = is.validations.first().map_or(is.span, |it| it.condition.span);
        Some(change.variable(&is.name).at(State::Head, span))
    }

    /// The normal forms of the conditions, sorted.
    fn forms(&self, variable: &Variable, state: State) -> Option<Vec<String>> {
        let contract = if state == State::Base { self.back.to } else { self.forth.to };
        let all = 0..variable.validations.len();
        let forms = all.map(|it| rule_form(contract, variable, it));
        let mut forms = forms.collect::<Option<Vec<String>>>()?;
        forms.sort_unstable();
        Some(forms)
    }

    /// The change if the conditions are the same, perhaps with other messages, in another order, or with
    /// locals.
    fn reworded(&self, was: &Variable, is: &Variable) -> Option<Change> {
        let text = |variable: &Variable, state: State| -> Vec<Vec<u8>> {
            let contract = if state == State::Base { self.back.to } else { self.forth.to };
            let rules = variable.validations.iter();
            let spans = rules.flat_map(|rule| {
                [Some(rule.condition.span), rule.error_message.as_ref().map(|it| it.span)]
            });
            let slice = |span: diagnostics::Span| {
                let bytes = &contract.module.sources.file(span.file).bytes;
                let text = bytes.get(span.start as usize..span.end as usize).unwrap_or_default();
                text.iter().copied().filter(|it| !it.is_ascii_whitespace()).collect()
            };
            spans.flatten().map(slice).collect()
        };
        if text(was, State::Base) == text(is, State::Head) {
            return None;
        }
        let summary = format!("The rules of \"{}\" changed, but accept the same values", is.name);
        let span = is.validations.first().map_or(is.span, |it| it.condition.span);
        let change = Change::new(&lints::RULE_REWRITTEN, Bump::Patch, summary);
        Some(change.variable(&is.name).at(State::Head, span))
    }
}
