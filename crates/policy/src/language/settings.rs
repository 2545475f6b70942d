//! The settings of a rule: level, undecided, message, when.

use super::{Action, When, problem, reader::RuleFileReader};
use diagnostics::{Level, did_you_mean};
use hcl::{Attribute, Expr, ObjectKey, analysis};
use module::AddressPattern;
use tf_value::Value;

pub(super) const LEVELS: [&str; 4] = ["error", "warning", "note", "off"];
/// The names in `when`.
pub(super) const IN_WHEN: [&str; 3] = ["actions", "addresses", "except"];

impl RuleFileReader<'_> {
    /// A level, or `off`; the outer `None` after an error.
    #[expect(clippy::option_option, reason = "an error, off, a level")]
    pub fn level(&mut self, attribute: &Attribute) -> Option<Option<Level>> {
        let expr = &attribute.value;
        // Only `context`, which each organisation gives, sets the level; a local in the rules may not.
        let roots = tf_eval::references(expr);
        if let Some(it) = roots.iter().find(|it| it.name != "context") {
            let summary = format!("{} can depend only on context", attribute.name.name);
            let level = LEVELS.iter().find(|word| **word == it.name);
            let help = level.map(|it| format!("write \"{it}\", in quotes"));
            self.problems.push(problem(summary, "", it.span));
            self.advise(help);
            return None;
        }
        // A context without a value was already reported.
        let value = self.constant(expr).filter(Value::is_known)?;
        let word = value.as_str().unwrap_or_default();
        match word {
            "error" => Some(Some(Level::Error)),
            "warning" => Some(Some(Level::Warning)),
            "note" => Some(Some(Level::Note)),
            "off" => Some(None),
            _ => {
                let hint = did_you_mean(word, LEVELS);
                let summary = format!("{word:?} is not a level");
                let detail = format!("\"error\", \"warning\", \"note\" or \"off\".{hint}");
                self.problems.push(problem(summary, detail, expr.span));
                None
            }
        }
    }

    /// The rule's message.
    pub fn message(&mut self, attribute: &Attribute) -> Option<Value> {
        let value = self.constant(&attribute.value)?;
        if value.as_str().is_none() {
            self.error("message must be a string", "", attribute.value.span);
            return None;
        }
        Some(value)
    }

    pub fn when(&mut self, attribute: &Attribute) -> When {
        let mut when = When::default();
        let Some(items) = analysis::as_map(&attribute.value) else {
            let detail = "Write when = { actions = [\"create\"], addresses = [\"module.net\"] }.";
            let summary = "when must be an object of actions, addresses and except";
            self.error(summary, detail, attribute.value.span);
            return when;
        };
        for item in items {
            let name = match &item.key {
                ObjectKey::Name(it) => it.name.as_str(),
                ObjectKey::Expr(_) | ObjectKey::Template(_) => "",
            };
            match name {
                "actions" => when.actions = self.actions(&item.value),
                "addresses" => {
                    let all = self.texts(&item.value);
                    when.addresses = all.map(|it| it.into_iter().map(AddressPattern).collect());
                }
                "except" => {
                    let all = self.texts(&item.value).unwrap_or_default();
                    when.except = all.into_iter().map(AddressPattern).collect();
                }
                _ => {
                    let hint = did_you_mean(name, IN_WHEN);
                    let detail = format!("Use actions, addresses and except.{hint}");
                    self.error(format!("Unknown name {name:?} in when"), detail, item.value.span);
                }
            }
        }
        when
    }

    fn actions(&mut self, expr: &Expr) -> Option<Vec<Action>> {
        let mut actions = Vec::new();
        for word in self.texts(expr)? {
            if let Some(it) = Action::ALL.iter().find(|it| it.0 == word) {
                actions.push(it.1);
            } else {
                let known = Action::ALL.map(|it| it.0);
                let hint = did_you_mean(&word, known);
                let detail = format!("Use {}.{hint}", known.join(", "));
                self.error(format!("Unknown action {word:?}"), detail, expr.span);
            }
        }
        Some(actions)
    }

    fn texts(&mut self, expr: &Expr) -> Option<Vec<smol_str::SmolStr>> {
        let value = self.constant(expr)?;
        let texts = value.as_sequence().and_then(|all| {
            all.iter().map(|it| it.as_str().map(smol_str::SmolStr::new)).collect::<Option<Vec<_>>>()
        });
        let texts = texts.filter(|it| !it.is_empty());
        if texts.is_none() {
            self.error("A list of strings is expected", "", expr.span);
        }
        texts
    }
}
