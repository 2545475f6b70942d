//! The parts that `split` makes of a string: what a question about one or all of them asks of the
//! string.

use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

use super::{
    patterns::text,
    place::Place,
    quantify::Elements,
    views::{Preimage, strings},
};
use crate::{
    diagnostic::Span,
    re2::{Language, Part},
    sets::{Assignments, Extent, Length, Loss, Measure, Region, Root, ValueSet},
};

const LOST: &str = "the parts of a string";

/// What all parts of the string at a place give, of which `element` names one. There is at least one.
pub fn over(place: &Place, separator: char, element: &Root, of_one: Elements) -> Elements {
    let parts = Parts { place, separator, element };
    let error = parts.quantified(of_one.error, false);
    Elements {
        all_true: parts.quantified(of_one.all_true, true),
        some_true: parts.quantified(of_one.some_true, false),
        all_false: parts.quantified(of_one.all_false, true),
        some_false: parts.quantified(of_one.some_false, false),
        clean: parts.quantified(of_one.clean, true),
        error: error.or(place.null()).or(place.failing()),
    }
}

struct Parts<'a> {
    place: &'a Place,
    separator: char,
    element: &'a Root,
}

impl Parts<'_> {
    fn quantified(&self, extent: Extent, every: bool) -> Extent {
        let mut losses = extent.losses;
        let formula = self.of_formula(extent.formula, every, &mut losses);
        self.place.not_null().and(Extent { formula, losses })
    }

    fn of_formula(&self, formula: Assignments, every: bool, losses: &mut Vec<Loss>) -> Assignments {
        if !formula.roots().contains(self.element) {
            return formula;
        }
        if let Some((_, values)) = formula.of_root(self.element) {
            let told = quantified(self.separator, &values, every);
            if told.as_ref().is_none_or(|it| !it.exact) {
                losses.push(Loss { reason: LOST.to_owned(), span: Span::default() });
            }
            let values = told.map_or(ValueSet::Anything, |it| it.values);
            let lifted = self.place.lift(Region::new(false, values), false);
            losses.extend(lifted.losses);
            return lifted.formula;
        }
        match formula {
            Assignments::All(parts) if every => {
                Assignments::all(parts.into_iter().map(|it| self.of_formula(it, every, losses)))
            }
            Assignments::Any(parts) if !every => {
                Assignments::any(parts.into_iter().map(|it| self.of_formula(it, every, losses)))
            }
            _ => {
                losses.push(Loss { reason: LOST.to_owned(), span: Span::default() });
                Assignments::TRUE
            }
        }
    }
}

/// Strings of which every part, or some part, is in the constraint.
fn quantified(separator: char, constraint: &ValueSet, every: bool) -> Option<Preimage> {
    let inner = |it: &ValueSet, every| quantified(separator, it, every);
    match constraint {
        ValueSet::Anything => Preimage::exact(ValueSet::Anything),
        ValueSet::Nothing => Preimage::exact(ValueSet::Nothing),
        ValueSet::Not(it) => {
            let other = inner(it, !every).filter(|it| it.exact)?;
            Preimage::exact(other.values.negated())
        }
        // A conjunct that cannot be said only makes the set larger.
        ValueSet::All(parts) => {
            let said: Vec<_> = parts.iter().filter_map(|it| inner(it, every)).collect();
            let exact = every && said.len() == parts.len() && said.iter().all(|it| it.exact);
            Some(Preimage { values: ValueSet::all(said.into_iter().map(|it| it.values)), exact })
        }
        ValueSet::Either(parts) if !every => {
            let said = parts.iter().map(|it| inner(it, every)).collect::<Option<Vec<_>>>()?;
            let exact = said.iter().all(|it| it.exact);
            let values = ValueSet::either(said.into_iter().map(|it| it.values));
            Some(Preimage { values, exact })
        }
        atom => {
            let bodies = bodies(separator, atom)?;
            let between = text::escape(&separator.to_string());
            let Some(body) = joined(&bodies) else { return Preimage::exact(ValueSet::Nothing) };
            Preimage::exact(ValueSet::Matches(if every {
                format!("^{body}(?:{between}{body})*$")
            } else {
                format!("(?:^|{between}){body}(?:{between}|$)")
            }))
        }
    }
}

/// Strings whose part at an index is in the constraint.
pub fn one(separator: char, index: usize, constraint: &ValueSet) -> Option<Preimage> {
    let between = text::escape(&separator.to_string());
    let other = text::not_in_class(separator);
    let before = match index {
        0 => "^".to_owned(),
        1 => format!("^{other}*{between}"),
        n => format!("^(?:{other}*{between}){{{n}}}"),
    };
    Preimage::exact(match joined(&bodies(separator, constraint)?) {
        Some(body) => ValueSet::Matches(format!("{before}{body}(?:{between}|$)")),
        None => ValueSet::Nothing,
    })
}

fn joined(bodies: &[String]) -> Option<String> {
    match bodies {
        [] => None,
        [one] => Some(one.clone()),
        many => Some(format!("(?:{})", many.join("|"))),
    }
}

/// Patterns of the parts that are in the constraint, each from a part's start to its end.
fn bodies(separator: char, constraint: &ValueSet) -> Option<Vec<String>> {
    let other = text::not_in_class(separator);
    match constraint {
        ValueSet::Length(Measure::Characters, Length { min, max }) => {
            let max = max.map_or(String::new(), |it| it.to_string());
            Some(vec![format!("{other}{{{},{max}}}", min.unwrap_or_default())])
        }
        ValueSet::OneOf(values) => {
            let texts = strings(values)?.into_iter().filter(|it| !it.contains(separator));
            Some(texts.map(text::escape).collect())
        }
        ValueSet::Matches(pattern) => {
            let without = |set: &ClassUnicode| {
                let mut set = set.clone();
                set.difference(&ClassUnicode::new([ClassUnicodeRange::new(separator, separator)]));
                set
            };
            let mut out = Vec::new();
            for Part { start, end, body } in Language::parse(pattern)?.parts()? {
                let body = body.rewritten(&without);
                if body.is_empty() {
                    continue;
                }
                let pad = |anchored| if anchored { String::new() } else { format!("{other}*") };
                out.push(format!("{}{}{}", pad(start), body.to_ecma()?, pad(end)));
            }
            Some(out)
        }
        ValueSet::Either(parts) => {
            let each = parts.iter().map(|it| bodies(separator, it)).collect::<Option<Vec<_>>>()?;
            Some(each.concat())
        }
        _ => None,
    }
}
