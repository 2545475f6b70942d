//! A proof by cases: for all answers to the questions of two conditions, the second condition is true where the
//! first is, or no values give these answers.
//!
//! The sets of a whole condition lose the connections between its parts. Here each question that matters is
//! answered in every way, and each combination of answers has its own sets. For example, `f(x) && g(x)` implies
//! `g(x)`: no answers make the first true and the second false, whatever `f` and `g` are.

use std::cell::OnceCell;

use hcl::BinaryOp;
use module::Variable;
use projection::{
    condition::{Outcomes, outcomes},
    sets::{Alternative, Assignments, Extent},
};
use release::changes;
use smol_str::SmolStr;
use tf_eval::Meter;

use super::{
    inclusion::{ALTERNATIVES, Inclusion},
    links::{LinkAnswer, may_be},
    skeleton::{Amount, Node, Question, SkeletonReader},
};

/// The most steps of one proof.
const STEPS: usize = 1500;

/// The most open cases that are kept.
const OPEN: usize = 12;

/// The value of a part of a condition, by the answers so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    Is(LinkAnswer),
    /// Any of the answers is possible.
    Any,
}

/// What is needed to go on.
enum Needed {
    /// The answer of the question at an index.
    Answer(usize),
    /// Something that no question asks.
    Other,
}

/// The result of a proof.
pub enum Proof {
    Proved,
    /// The sets of the cases that were not refuted; there may be more.
    Open(Vec<Assignments>),
}

/// The claim that `to` is true wherever all of `from` are, and the questions in them.
pub struct Cases<'c, 'm> {
    pub questions: &'c [Question<'m>],
    /// These conditions are all true.
    pub from: &'c [Node],
    pub to: &'c Node,
    pub is_kleene: bool,
    pub meter: &'c Meter,
    /// Whether a set has nothing that the old contract accepts.
    pub is_impossible: &'c dyn Fn(&Assignments) -> bool,
}

impl Cases<'_, '_> {
    /// Goes through all answers to the questions.
    pub fn proof(&self) -> Proof {
        let known = self.questions.iter().map(|_| OnceCell::new()).collect();
        let mut search = Search { cases: self, known, steps: STEPS, open: Vec::new() };
        let is_done = search.explore(&mut Vec::new(), &Assignments::TRUE);
        if is_done && search.open.is_empty() { Proof::Proved } else { Proof::Open(search.open) }
    }
}

struct Search<'s, 'c, 'm> {
    cases: &'s Cases<'c, 'm>,
    /// For each question, the sets of values that give each answer; made on demand.
    known: Vec<OnceCell<Outcomes>>,
    steps: usize,
    open: Vec<Assignments>,
}

type Answers = Vec<(usize, LinkAnswer)>;

impl Search<'_, '_, '_> {
    /// Goes through all answers that are still open; returns whether it could finish.
    fn explore(&mut self, answers: &mut Answers, set: &Assignments) -> bool {
        if self.steps == 0 || self.open.len() >= OPEN || self.cases.meter.is_exhausted() {
            return false;
        }
        self.steps -= 1;
        for node in self.cases.from {
            match self.value(node, answers) {
                Err(needed) => return self.each_answer(&needed, answers, set),
                Ok(Value::Is(LinkAnswer::True) | Value::Any) => (),
                Ok(_) => return true,
            }
        }
        match self.value(self.cases.to, answers) {
            Err(needed) => self.each_answer(&needed, answers, set),
            Ok(Value::Is(LinkAnswer::True)) => true,
            Ok(_) => {
                if !(self.cases.is_impossible)(set) {
                    self.open.push(set.clone());
                }
                true
            }
        }
    }

    fn each_answer(&mut self, needed: &Needed, answers: &mut Answers, set: &Assignments) -> bool {
        let Needed::Answer(at) = *needed else {
            self.open.push(set.clone());
            return true;
        };
        let question = &self.cases.questions[at];
        let known = self.known[at]
            .get_or_init(|| {
                outcomes(question.of.0, question.of.1, &question.expr, self.cases.meter)
            })
            .clone();
        let all: [(LinkAnswer, Extent, bool); 4] = [
            (LinkAnswer::True, known.yes, question.may_be_true),
            (LinkAnswer::False, known.no, true),
            (LinkAnswer::Null, known.null, question.may_be_null),
            (LinkAnswer::Error, known.error, question.may_fail),
        ];
        let mut is_done = true;
        for (answer, extent, may_be) in all {
            let set = Assignments::all([set.clone(), extent.formula]);
            if !may_be || set.is_false() {
                continue;
            }
            answers.push((at, answer));
            if self.are_linked(answers) {
                is_done &= self.explore(answers, &set);
            }
            answers.pop();
        }
        is_done
    }

    fn are_linked(&self, answers: &Answers) -> bool {
        let linked = answers
            .iter()
            .filter_map(|(at, it)| Some((self.cases.questions[*at].link.as_ref()?, *it)));
        may_be(&linked.collect::<Vec<_>>())
    }

    fn value(&self, node: &Node, answers: &Answers) -> Result<Value, Needed> {
        use LinkAnswer::{Error, False, Null, True};
        use Value::{Any, Is};
        let truth = |it: bool| Is(if it { True } else { False });
        Ok(match node {
            Node::Known(it) => truth(*it),
            Node::Question(at) => {
                let found = answers.iter().find(|it| it.0 == *at);
                found.map(|it| Is(it.1)).ok_or(Needed::Answer(*at))?
            }
            Node::Not(it) => match self.value(it, answers)? {
                Is(True) => Is(False),
                Is(False) => Is(True),
                Is(Null | Error) => Is(Error),
                Any => Any,
            },
            Node::And(one, other) => self.decided(False, one, other, answers)?,
            Node::Or(one, other) => self.decided(True, one, other, answers)?,
            Node::Choose(condition, then, otherwise) => match self.value(condition, answers)? {
                Is(True) => self.value(then, answers)?,
                Is(False) => self.value(otherwise, answers)?,
                Is(Null | Error) => Is(Error),
                Any => Any,
            },
            Node::Equal(one, other) => {
                match (self.value(one, answers)?, self.value(other, answers)?) {
                    (Is(Error), _) | (_, Is(Error)) => Is(Error),
                    (Is(one @ (True | False)), Is(other @ (True | False))) => truth(one == other),
                    _ => Any,
                }
            }
            Node::Compare(op, one, other) => {
                let (Some(one), Some(other)) =
                    (self.amount(one, answers)?, self.amount(other, answers)?)
                else {
                    return Ok(Is(Error));
                };
                match op {
                    BinaryOp::Equal => truth(one == other),
                    BinaryOp::NotEqual => truth(one != other),
                    BinaryOp::Less => truth(one < other),
                    BinaryOp::LessOrEqual => truth(one <= other),
                    BinaryOp::Greater => truth(one > other),
                    BinaryOp::GreaterOrEqual => truth(one >= other),
                    _ => Any,
                }
            }
            Node::Try(tried, fallback) => match self.value(tried, answers)? {
                Is(Error) => self.value(fallback, answers)?,
                it => it,
            },
            Node::Can(it) => match self.value(it, answers)? {
                Any => Any,
                Is(it) => truth(it != Error),
            },
            Node::Each(wanted, all) => {
                let mut out = truth(*wanted);
                for it in all {
                    match self.value(it, answers)? {
                        Is(Error) => return Ok(Is(Error)),
                        Is(True | False) if out == Any => (),
                        it @ Is(True | False) if it != truth(*wanted) => out = truth(!*wanted),
                        Is(True | False) => (),
                        _ => out = Any,
                    }
                }
                out
            }
        })
    }

    /// The value of `&&` (`by` is false) or of `||` (`by` is true): one side that is `by` decides.
    fn decided(
        &self,
        by: LinkAnswer,
        one: &Node,
        other: &Node,
        answers: &Answers,
    ) -> Result<Value, Needed> {
        use LinkAnswer::{Error, False, Null, True};
        use Value::{Any, Is};
        let first = self.value(one, answers)?;
        if self.cases.is_kleene && first == Is(by) {
            return Ok(first);
        }
        let second = self.value(other, answers)?;
        if self.cases.is_kleene && second == Is(by) {
            return Ok(second);
        }
        Ok(match (first, second) {
            (Any | Is(Null), _) | (_, Any | Is(Null)) => Any,
            (Is(Error), _) | (_, Is(Error)) => Is(Error),
            (Is(one), Is(other)) if one == by || other == by => Is(by),
            _ => Is(if by == True { False } else { True }),
        })
    }

    /// The number; `None` if it cannot be evaluated.
    fn amount(&self, amount: &Amount, answers: &Answers) -> Result<Option<i128>, Needed> {
        Ok(match amount {
            Amount::Known(it) => Some(*it),
            Amount::Add(one, other) => {
                let both = (self.amount(one, answers)?, self.amount(other, answers)?);
                both.0.zip(both.1).map(|(one, other)| one.saturating_add(other))
            }
            Amount::Choose(condition, then, otherwise) => match self.value(condition, answers)? {
                Value::Is(LinkAnswer::True) => self.amount(then, answers)?,
                Value::Is(LinkAnswer::False) => self.amount(otherwise, answers)?,
                Value::Is(_) => None,
                // No further answer decides the condition, as with a null operand of `&&`: the case stays open.
                Value::Any => return Err(Needed::Other),
            },
        })
    }
}

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
