//! The place in the module that causes a difference.

use super::{Difference, SchemaChange};
use crate::{
    condition::{self, TranslationTarget},
    schema::{SchemaJson, rule_keywords},
};
use diagnostics::Span;
use module::{Module, Variable};
use tf_eval::Meter;

impl Difference {
    /// The line of the module that caused the difference; `None` for a part that the module no longer
    /// has, and for the root.
    pub fn cause(&self, module: &Module, meter: &Meter) -> Option<Span> {
        let variable = module.variables.get(self.variable.as_deref()?)?;
        let of_type = || variable.type_span.unwrap_or(variable.span);
        Some(match self.change {
            // Inside a value defaults are part of the type, like everything else.
            _ if !self.path.is_empty() && self.change != SchemaChange::Condition => of_type(),
            SchemaChange::Type | SchemaChange::AdditionalProperties => of_type(),
            // Without a default only the variable can be pointed at.
            SchemaChange::Default | SchemaChange::Required => {
                variable.default_expr.as_ref().map_or(variable.span, |default| default.span)
            }
            SchemaChange::Description => variable.description_span.unwrap_or(variable.span),
            SchemaChange::Condition => self.rule(module, variable, meter).unwrap_or_else(of_type),
            _ => variable.span,
        })
    }

    /// The first condition that produces the keyword, else the first condition.
    fn rule(&self, module: &Module, variable: &Variable, meter: &Meter) -> Option<Span> {
        let keyword = self.pointer.rsplit('/').next()?;
        let gives = |region| match &rule_keywords(region).to_json() {
            SchemaJson::Object(members) => members.contains_key(keyword),
            _ => false,
        };
        // The keyword shows whether the draft has it.
        let target = TranslationTarget { counts: true, ..TranslationTarget::default() };
        let translations = condition::translate(module, variable, target, meter);
        let index = translations.iter().position(|it| gives(&it.region)).unwrap_or(0);
        variable.validations.get(index).map(|it| it.condition.span)
    }
}
