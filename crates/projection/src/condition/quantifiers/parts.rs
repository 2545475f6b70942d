//! The parts that `split` makes of the string at a place, as elements.

use super::elements::Elements;
use crate::{
    condition::symbolic::{Place, views::quantified},
    sets::{Assignments, ConstraintRoot, Extent, Loss, Reason, Region, ValueSet},
};
use diagnostics::Span;

/// The answers for all parts of the string at a place; `of_one` is the answer for the part that `element`
/// names. There is at least one part.
pub fn over_parts(
    place: &Place,
    separator: char,
    element: &ConstraintRoot,
    of_one: Elements,
) -> Elements {
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
    element: &'a ConstraintRoot,
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
                losses.push(Loss { reason: Reason::Parts, span: Span::default() });
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
                losses.push(Loss { reason: Reason::Parts, span: Span::default() });
                Assignments::TRUE
            }
        }
    }
}
