//! The variables of a module as entries of a skeleton: comments, a name, and the lines of a value.

use super::{
    Missing,
    examples::{Example, Examples},
    find::Found,
    write::{self, Shape, prose},
};
use check::ReadModule;
use compat::Arguments;
use module::{Module, Variable};
use projection::{
    condition,
    schema::{AttributeComments, RulesInWords},
};
use tf_eval::Meter;
use tf_value::Value;

/// The most lines of a default that is written out.
const LONGEST_DEFAULT: usize = 60;

/// A variable in a skeleton.
pub struct SkeletonEntry {
    pub name: String,
    /// Lines without `#`.
    pub comments: Vec<String>,
    /// The lines of the value; empty if there is no value to show.
    pub value: Vec<String>,
    /// Whether the value is a comment, too.
    pub is_comment: bool,
}

/// Writes the entries of one module.
pub struct Entries<'m> {
    module: &'m Module,
    words: &'m RulesInWords<'m>,
    /// For optional variables.
    examples: &'m Examples,
    only_required: bool,
    meter: Meter,
}

impl<'m> Entries<'m> {
    pub fn new(
        module: &'m ReadModule,
        words: &'m RulesInWords<'m>,
        examples: &'m Examples,
        only_required: bool,
    ) -> Entries<'m> {
        let meter = Meter::default();
        Entries { module: module.module(), words, examples, only_required, meter }
    }

    /// The variables that need a value, without those that `kept` has.
    pub fn required(&self, found: &Found, kept: &Arguments) -> Vec<SkeletonEntry> {
        let variables = self.module.variables.values();
        let entry = |it: &Variable| {
            if kept.contains_key(&it.name) {
                return None;
            }
            if let Some(missing) = found.missing.iter().find(|lack| lack.variable == it.name) {
                return Some(self.unfound(it, missing));
            }
            let value = found.values.get(&it.name)?;
            let mut comments = self.comments(it);
            if !it.is_required() {
                let is_needed = found.needed.contains(&it.name);
                let by = if is_needed { "module rejects" } else { "rules refuse" };
                comments.push(format!("The {by} the default."));
            }
            if it.is_hidden() {
                let why = it.secrecy();
                comments.push(format!("It is {why}: keep the real value out of this file."));
            }
            let value = self.lines(it, value);
            Some(SkeletonEntry { name: it.name.to_string(), comments, value, is_comment: false })
        };
        variables.filter_map(entry).collect()
    }

    /// The values of a file, in the order of the declarations.
    pub fn kept(&self, kept: &Arguments, reveals: bool) -> Vec<SkeletonEntry> {
        let variables = self.module.variables.values();
        let entry = |it: &Variable| {
            let value = kept.get(&it.name)?;
            let is_shown = reveals || !it.is_hidden();
            let comments = if is_shown { Vec::new() } else { vec![withheld(it)] };
            let none = AttributeComments::default();
            let shape = Shape { with_optional: false, ..self.shape(it, &none) };
            let value = if is_shown { write::lines(value, shape) } else { Vec::new() };
            Some(SkeletonEntry { name: it.name.to_string(), comments, value, is_comment: false })
        };
        variables.filter_map(entry).collect()
    }

    /// The variables with defaults that are in none of the values, as comments.
    pub fn optional(&self, found: &Found) -> Vec<SkeletonEntry> {
        if self.only_required {
            return Vec::new();
        }
        let is_open = |it: &&Variable| {
            !it.is_required()
                && !found.values.contains_key(&it.name)
                && !found.missing.iter().any(|lack| lack.variable == it.name)
        };
        let variables = self.module.variables.values().filter(is_open);
        variables.map(|it| self.with_default(it)).collect()
    }

    fn with_default(&self, variable: &Variable) -> SkeletonEntry {
        let mut comments = self.comments(variable);
        let name = variable.name.to_string();
        if variable.is_hidden() {
            let why = variable.secrecy();
            comments.push(format!("{name} has a default that is not shown, because it is {why}."));
            return SkeletonEntry { name, comments, value: Vec::new(), is_comment: true };
        }
        let written = variable.default_expr.as_ref();
        let written = written.and_then(|it| condition::fold(it, &self.meter));
        let default = written.or_else(|| variable.default.clone());
        let default = default.filter(Value::is_wholly_known);
        let Some(default) = default else {
            return SkeletonEntry { name, comments, value: Vec::new(), is_comment: true };
        };
        if let Some(example) = self.examples.get(&variable.name) {
            let text = self.lines(variable, &default).join(" ");
            comments.push(format!("Default: {text}. {}:", introduction(example)));
            let value = self.lines(variable, &example.value);
            return SkeletonEntry { name, comments, value, is_comment: true };
        }
        let mut value = self.lines(variable, &default);
        if value.len() > LONGEST_DEFAULT {
            comments.push(format!("{name} has a default of {} lines.", value.len()));
            value.clear();
        }
        SkeletonEntry { name, comments, value, is_comment: true }
    }

    /// A variable for which no value was found, with the rule that nothing passes.
    fn unfound(&self, variable: &Variable, missing: &Missing) -> SkeletonEntry {
        let mut comments = self.comments(variable);
        comments.push("No value was found that passes:".to_owned());
        comments.extend(prose(&self.rule(missing)).into_iter().map(|it| format!("  {it}")));
        let value = vec!["null".to_owned()];
        SkeletonEntry { name: variable.name.to_string(), comments, value, is_comment: true }
    }

    /// The condition of the rule for which no value was found.
    pub fn rule(&self, missing: &Missing) -> String {
        let variable = self.module.variables.get(&missing.variable);
        let condition = variable.zip(missing.rule).map(|(it, rule)| {
            let condition = self.words.condition(it, rule);
            condition.unwrap_or_else(|| "a rule that contains a sensitive default".to_owned())
        });
        condition.unwrap_or_else(|| format!("the type of \"{}\"", missing.variable))
    }

    fn lines(&self, variable: &Variable, value: &Value) -> Vec<String> {
        let is_public = |it: &str| !self.words.secrets().are_in_prose(variable, it);
        let comments = AttributeComments::of(self.module, variable, &is_public);
        write::lines(value, self.shape(variable, &comments))
    }

    fn shape<'t>(&self, variable: &'t Variable, comments: &'t AttributeComments) -> Shape<'t> {
        let constraint = &variable.constraint;
        // Defaults of attributes are secrets, too.
        let with_optional = !self.only_required && !variable.is_hidden();
        let defaults = constraint.defaults.as_ref().filter(|_| !variable.is_hidden());
        Shape { ty: &constraint.ty, defaults, comments, with_optional, depth: 0 }
    }

    /// The description, the rules, and what else a reader must know.
    fn comments(&self, variable: &Variable) -> Vec<String> {
        let mut out = Vec::new();
        let is_shown = |it: &&String| !self.words.secrets().are_in_prose(variable, it);
        if let Some(it) = variable.description.as_ref().filter(is_shown) {
            out.extend(prose(it));
        }
        if let Some(it) = variable.deprecated.as_ref().filter(is_shown) {
            out.extend(prose(&format!("Deprecated: {it}")));
        }
        for rule in 0..variable.validations.len() {
            out.extend(prose(&self.rule_in_words(variable, rule)));
        }
        out
    }

    /// A rule in words where these are exact, else its author's message, else the condition.
    fn rule_in_words(&self, variable: &Variable, rule: usize) -> String {
        let words = self.words.rule(variable, rule).filter(|it| it != "nothing");
        let message = self.words.message(variable, rule).filter(|it| !it.contains("${"));
        match (words, message) {
            // A message says more to people than a pattern.
            (Some(words), None) => return format!("Rule: {words}."),
            (Some(words), Some(_)) if !words.contains(" match") => {
                return format!("Rule: {words}.");
            }
            (_, Some(message)) => return format!("Rule: {message}"),
            (None, None) => (),
        }
        let condition = self.words.condition(variable, rule);
        condition.map_or_else(String::new, |it| {
            format!("Rule: {}", it.split_whitespace().collect::<Vec<_>>().join(" "))
        })
    }
}

/// What a skeleton says in the place of a secret of a file.
pub fn withheld(variable: &Variable) -> String {
    let (name, why) = (&variable.name, variable.secrecy());
    format!("{name} is set in the file, and not printed here because it is {why}.")
}

/// How an example is introduced: one that does not go with others is an alternative.
fn introduction(example: &Example) -> String {
    match example.instead_of.as_slice() {
        [] => "For example".to_owned(),
        [other] => format!("For example, but not together with \"{other}\""),
        _ => "For example, but not together with the other examples".to_owned(),
    }
}
