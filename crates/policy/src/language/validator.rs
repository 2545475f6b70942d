//! Reads an argument's value, by its syntax, as a validator.

use std::sync::Arc;

use diagnostics::Span;
use hcl::{BinaryOp, Expr, ExprKind, Ident, ObjectItem, ObjectKey, UnaryOp, analysis};
use stack::guarded;
use tf_eval::functions::{self, ReturnType, Ty};

use super::{
    ConditionValidator, Fallback, MemberValidator, Test, Valid, Validator, options, words,
};
use crate::language::{
    options::Options,
    reader::{RuleFileReader, is_function},
};

/// How deep validators may nest; deeper ones are an error.
const MAX_DEPTH: u32 = 200;

impl RuleFileReader<'_> {
    /// Reads an expression as a validator; `None` after an error.
    pub fn validator(&mut self, expr: &Expr) -> Option<Arc<Validator>> {
        guarded(|| self.validator_of(expr))
    }

    fn validator_of(&mut self, expr: &Expr) -> Option<Arc<Validator>> {
        match &expr.kind {
            ExprKind::Variable(word) if words::ROOTS.contains(&word.as_str()) => {
                self.expression(expr)
            }
            ExprKind::Variable(word) => self.word(word, expr.span),
            ExprKind::Call { name, args, expand } if is_validator(&name.name) => {
                self.call(name, args, *expand, expr.span)
            }
            ExprKind::Call { name, .. } if !is_function(&name.name) => {
                self.unknown_call(&name.name, name.span);
                None
            }
            ExprKind::Object(items) => {
                let members = self.members(items)?;
                self.made(Valid::Object { members, is_closed: false }, expr.span)
            }
            ExprKind::Tuple(items) => {
                let items = self.validators(items)?;
                self.made(Valid::Tuple(items), expr.span)
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                self.conditional(expr, condition, then, otherwise)
            }
            ExprKind::GetAttr { base, name } if is_local(base) => {
                if self.declared.contains(&name.name) {
                    self.local(&name.name, expr.span)
                } else {
                    self.expression(expr)
                }
            }
            _ => self.expression(expr),
        }
    }

    /// Reads all of them; `None` after an error in any.
    pub fn validators(&mut self, items: &[Expr]) -> Option<Vec<Arc<Validator>>> {
        let read: Vec<_> = items.iter().map(|it| self.validator(it)).collect();
        read.into_iter().collect()
    }

    pub fn members(&mut self, items: &[ObjectItem]) -> Option<Vec<MemberValidator>> {
        let mut members: Vec<Option<MemberValidator>> = Vec::new();
        let mut seen = std::collections::BTreeSet::new();
        for item in items {
            let (name, span) = match &item.key {
                ObjectKey::Name(it) => (it.name.clone(), it.span),
                ObjectKey::Expr(Expr { kind: ExprKind::String(it), span }) => (it.clone(), *span),
                ObjectKey::Expr(it) | ObjectKey::Template(it) => {
                    let detail = "Write the names of members as constants.";
                    self.error("The name of a member must be a constant", detail, it.span);
                    members.push(None);
                    continue;
                }
            };
            if !seen.insert(name.clone()) {
                self.error(format!("Duplicate member {name:?}"), "", span);
            }
            let validator = self.validator(&item.value);
            let span = span.to(item.value.span);
            members.push(validator.map(|validator| MemberValidator { name, span, validator }));
        }
        members.into_iter().collect()
    }

    /// Makes a validator; `None` after an error, if it nests too deeply.
    pub fn made(&mut self, kind: Valid, span: Span) -> Option<Arc<Validator>> {
        self.made_with(kind, None, span)
    }

    pub fn made_with(
        &mut self,
        kind: Valid,
        condition: Option<ConditionValidator>,
        span: Span,
    ) -> Option<Arc<Validator>> {
        let depth = 1 + kind.depth_inside();
        if depth > MAX_DEPTH {
            let detail = format!("The limit is {MAX_DEPTH} nested validators.");
            self.error("The validator nests too deeply", detail, span);
            return None;
        }
        Some(Arc::new(Validator { kind, span, condition, depth }))
    }

    fn local(&mut self, name: &str, span: Span) -> Option<Arc<Validator>> {
        let local = self.locals.get_mut(name)?;
        let problems = std::mem::take(&mut local.problems);
        let (validator, is_value) = (local.validator.clone(), local.value.is_some());
        self.problems.extend(problems);
        if validator.is_none() && is_value {
            let detail = format!("local.{name} cannot be read as a validator.");
            self.error("No validator", detail, span);
        }
        validator
    }

    /// Reads an expression: a predicate if it mentions `self`, otherwise a value to equal.
    fn expression(&mut self, expr: &Expr) -> Option<Arc<Validator>> {
        let mentions = self.mentions(expr);
        if mentions.is_wrong {
            return None;
        }
        let kind = if mentions.this {
            self.is_condition(expr)?;
            Valid::Predicate(expr.clone())
        } else if mentions.around {
            Valid::EqualTo(expr.clone())
        } else {
            let value = self.evaluate(expr)?;
            if !value.is_wholly_known() {
                // A context without a value is reported where it is declared.
                if self.names.context.is_wholly_known() {
                    let detail = "The compared value is known only after apply.";
                    self.error("The value is not known", detail, expr.span);
                }
                return None;
            }
            match value.as_bool() {
                _ if value.is_null() => Valid::Forbidden,
                // `context.env == "prod"` is likely meant as a condition.
                Some(_) if !is_literal(expr) => Valid::EqualTo(expr.clone()),
                _ => Valid::Equal(value, odd_number(expr)),
            }
        };
        self.made(kind, expr.span)
    }

    /// Reports an expression that is not a condition because it is never true or false; `None` after an error.
    pub fn is_condition(&mut self, expr: &Expr) -> Option<()> {
        let Some((gives, help)) = misused(expr) else { return Some(()) };
        let summary = format!("A condition must be true or false, but this gives {gives}");
        self.error_with(summary, Some(help), expr.span);
        None
    }

    fn conditional(
        &mut self,
        whole: &Expr,
        condition: &Expr,
        then: &Expr,
        otherwise: &Expr,
    ) -> Option<Arc<Validator>> {
        let matches = analysis::as_call(condition).filter(|it| it.name.name == "matches");
        if let Some(call) = matches {
            let test = match call.args {
                [value, validator] if !call.expand => {
                    let mentions = self.mentions(value);
                    if mentions.this {
                        let detail = "Choose between validators by parent or attrs.";
                        self.error("Choice by self", detail, value.span);
                    }
                    let validator = self.validator(validator);
                    (!mentions.is_wrong && !mentions.this)
                        .then(|| Some(Test::Matches(value.clone(), validator?)))
                        .flatten()
                }
                _ => {
                    let detail = "Write matches(parent.NAME, VALIDATOR).";
                    self.error("matches takes a value and a validator", detail, condition.span);
                    None
                }
            };
            return self.choice(test, then, otherwise, whole.span);
        }
        let mentions = self.mentions(condition);
        if mentions.is_wrong {
            return None;
        }
        if mentions.this {
            return self.expression(whole);
        }
        if !mentions.around {
            let value = self.evaluate(condition)?;
            if !value.is_known() && !self.names.context.is_wholly_known() {
                // A context without a value was already reported.
                return None;
            }
            let Some(is_met) = as_bool(&value) else {
                let detail = "A condition must be true or false.";
                self.error("The condition is not a bool", detail, condition.span);
                return None;
            };
            // Both branches are read, so that errors in either are reported.
            let (then, otherwise) = (self.validator(then), self.validator(otherwise));
            return if is_met { then } else { otherwise };
        }
        self.choice(Some(Test::Expr(condition.clone())), then, otherwise, whole.span)
    }

    fn choice(
        &mut self,
        test: Option<Test>,
        then: &Expr,
        otherwise: &Expr,
        span: Span,
    ) -> Option<Arc<Validator>> {
        let (then, otherwise) = (self.validator(then), self.validator(otherwise));
        self.made(Valid::If(test?, then?, otherwise?), span)
    }

    fn word(&mut self, word: &str, span: Span) -> Option<Arc<Validator>> {
        if !is_validator(word) {
            let summary = format!("Unknown validator {word:?}");
            let quotes = || format!("write a string in quotes: \"{word}\"");
            self.error_with(summary, Some(words::instead(word).unwrap_or_else(quotes)), span);
            return None;
        }
        if word == "subject" && !self.is_in_needs {
            let detail = "Write it in a needs block, for the argument that refers to the judged \
                object.";
            self.error("subject is not allowed here", detail, span);
            return None;
        }
        let name = Ident { name: word.into(), span };
        self.call(&name, &[], false, span)
    }

    fn call(
        &mut self,
        name: &Ident,
        args: &[Expr],
        expand: bool,
        span: Span,
    ) -> Option<Arc<Validator>> {
        let word = name.name.as_str();
        if expand && !matches!(word, "any" | "all" | "deny") {
            self.error(format!("{word} does not accept an expanded list"), "", span);
            return None;
        }
        let (args, mut options) = self.split(word, args)?;
        let kind = self.valid(word, args, expand, &mut options, span);
        let condition = options.condition(self);
        options.finish(self);
        self.made_with(kind?, condition?, span)
    }

    fn valid(
        &mut self,
        word: &str,
        args: &[Expr],
        expand: bool,
        options: &mut Options<'_>,
        span: Span,
    ) -> Option<Valid> {
        match word {
            "any" | "all" | "deny" => return self.several(word, args, expand, span),
            "optional" => return self.optional(args, span),
            _ => (),
        }
        let takes = match word {
            "list" | "set" | "map" | "json" => 0..=1,
            "object" | "some" | "version" => 1..=1,
            "reference" => 1..=2,
            _ => 0..=0,
        };
        if !takes.contains(&args.len()) {
            let help = match word {
                "number" => Some(
                    "write a constant as it is, several as any(A, B), and a range as number({ \
                    min = A, max = B })",
                ),
                "string" => Some("write a constant as it is, and several as any(A, B)"),
                "required" | "forbidden" => {
                    Some("write the word without arguments, or the value as it is")
                }
                "map" => Some("write { NAME = V } for one key, or map(V) for all keys"),
                "reference" => Some("write reference(\"TYPE\", { NAME = V })"),
                "matches" => Some("write matches(parent.NAME, V) ? V : V"),
                _ => None,
            };
            let summary = format!("{word} takes {}", options::arguments(&takes));
            self.error_with(summary, help.map(str::to_owned), span);
            return None;
        }
        options::valid(self, word, args, options, span)
    }

    fn several(&mut self, word: &str, args: &[Expr], expand: bool, span: Span) -> Option<Valid> {
        if args.is_empty() {
            let help = match word {
                "any" => "to require any value except null, write required",
                _ => "write what it applies to",
            };
            self.error_with(
                format!("{word} takes at least one validator"),
                Some(help.into()),
                span,
            );
            return None;
        }
        let (last, plain) = match (expand, args.split_last()) {
            (true, Some((last, rest))) => (Some(last), rest),
            _ => (None, args),
        };
        let mut all = self.validators(plain);
        if let Some(last) = last {
            let expanded = self.expanded(last);
            all = all.zip(expanded).map(|(mut all, more)| {
                all.extend(more);
                all
            });
        }
        let all = all?;
        Some(match word {
            "any" => Valid::Any(all),
            "all" => Valid::All(all),
            _ => Valid::Deny(all),
        })
    }

    /// The elements of a known list, as validators: `any(local.names...)`.
    fn expanded(&mut self, list: &Expr) -> Option<Vec<Arc<Validator>>> {
        let value = self.constant(list)?;
        let Some(elements) = value.as_sequence().filter(|_| value.is_wholly_known()) else {
            let detail = "`...` can expand only a list of constants.";
            self.error("No list to expand", detail, list.span);
            return None;
        };
        let kind = |it: &tf_value::Value| {
            if it.is_null() {
                Valid::Forbidden
            } else {
                Valid::Equal(it.clone().with_marks(value.marks()), None)
            }
        };
        elements.iter().map(|it| self.made(kind(it), list.span)).collect()
    }

    fn optional(&mut self, args: &[Expr], span: Span) -> Option<Valid> {
        let (validator, default) = match args {
            [validator] => (validator, None),
            [validator, default] => (validator, Some(default)),
            _ => {
                let help = "write optional(VALIDATOR) or optional(VALIDATOR, DEFAULT)".to_owned();
                let summary = "optional takes a validator and a default".to_owned();
                self.error_with(summary, Some(help), span);
                return None;
            }
        };
        let validator = self.validator(validator);
        let fallback = match default {
            None => None,
            Some(it) => Some(self.fallback(it)?),
        };
        let validator = validator?;
        if let (Some(Fallback::Value(value)), Some(written)) = (&fallback, default) {
            self.check_default(&validator, value, written.span);
        }
        Some(Valid::Optional(validator, fallback))
    }

    fn fallback(&mut self, expr: &Expr) -> Option<Fallback> {
        let mentions = self.mentions(expr);
        if mentions.is_wrong {
            return None;
        }
        if mentions.this {
            self.error("A default cannot refer to self", "It replaces a null.", expr.span);
            return None;
        }
        if mentions.around {
            return Some(Fallback::Expr(expr.clone()));
        }
        self.evaluate(expr).map(Fallback::Value)
    }

    fn check_default(&mut self, validator: &Validator, value: &tf_value::Value, span: Span) {
        if crate::validate::surely_fails(validator, value, &self.names) {
            let detail = "The rule allows the argument to be left out, and its default would \
                break the rule.";
            self.error("The default breaks its validator", detail, span);
        }
    }
}

/// The text of a number, if Terraform writes it otherwise: `1.30` is 1.3.
fn odd_number(expr: &Expr) -> Option<smol_str::SmolStr> {
    let ExprKind::Number(text) = &expr.kind else { return None };
    let number = tf_value::Number::parse(text)?;
    (number.to_decimal() != *text).then(|| text.clone())
}

fn is_literal(expr: &Expr) -> bool {
    matches!(expr.bare().kind, ExprKind::Bool(_))
}

fn is_validator(word: &str) -> bool {
    words::VALIDATORS.contains(&word)
}

fn is_local(base: &Expr) -> bool {
    matches!(&base.kind, ExprKind::Variable(name) if name == "local")
}

/// The condition's value as a bool, by Terraform's conversion.
pub(super) fn as_bool(value: &tf_value::Value) -> Option<bool> {
    tf_value::convert(value, &tf_value::Type::Bool).ok()?.as_bool()
}

// How deep validators nest.

impl Valid {
    /// The depth of the deepest validator inside.
    pub(super) fn depth_inside(&self) -> u32 {
        let of = |all: &[Arc<Validator>]| all.iter().map(|it| it.depth).max().unwrap_or(0);
        let one = |validator: &Option<Arc<Validator>>| validator.as_ref().map_or(0, |it| it.depth);
        match self {
            Valid::Any(all) | Valid::All(all) | Valid::Deny(all) | Valid::Tuple(all) => of(all),
            Valid::Optional(it, _) | Valid::Some(it) => it.depth,
            Valid::If(test, then, otherwise) => {
                let test = match test {
                    Test::Matches(_, it) => it.depth,
                    Test::Expr(_) => 0,
                };
                test.max(then.depth).max(otherwise.depth)
            }
            Valid::List { each, .. } | Valid::Json(each) => one(each),
            Valid::Map { each, keys, .. } => one(each).max(one(keys)),
            Valid::Object { members, .. } => {
                members.iter().map(|it| it.validator.depth).max().unwrap_or(0)
            }
            Valid::Reference(it) => {
                it.pattern.members.iter().map(|it| it.validator.depth).max().unwrap_or(0)
            }
            _ => 0,
        }
    }
}

/// What an expression gives instead of true or false, and what to write.
fn misused(expr: &Expr) -> Option<(&'static str, String)> {
    match &expr.bare().kind {
        ExprKind::Conditional { then, otherwise, .. } => {
            misused(then).or_else(|| misused(otherwise))
        }
        ExprKind::Call { name, args, .. } => {
            of_call(name.name.strip_prefix("core::").unwrap_or(&name.name), args)
        }
        ExprKind::Binary { op, .. } => {
            let is_number = matches!(
                op,
                BinaryOp::Add
                    | BinaryOp::Subtract
                    | BinaryOp::Multiply
                    | BinaryOp::Divide
                    | BinaryOp::Modulo
            );
            is_number.then(|| ("a number", compare("EXPRESSION")))
        }
        ExprKind::Unary { op: UnaryOp::Negate, .. } => Some(("a number", compare("EXPRESSION"))),
        ExprKind::Template(_) => Some(("a text", compare("EXPRESSION"))),
        ExprKind::For(it) if it.key.is_some() => Some(("an object", EACH.to_owned())),
        ExprKind::For(_) | ExprKind::Tuple(_) | ExprKind::Splat { .. } => {
            Some(("a list", EACH.to_owned()))
        }
        ExprKind::Object(_) => Some(("an object", compare("EXPRESSION"))),
        _ => None,
    }
}

const EACH: &str =
    "alltrue([for it in self : …]) asks it of each element, and anytrue([…]) of some";

fn compare(what: &str) -> String {
    format!("compare it: {what} == VALUE")
}

fn of_call(name: &str, args: &[Expr]) -> Option<(&'static str, String)> {
    let function = functions::lookup(name)?;
    if name == "regex" || name == "regexall" {
        let pattern = match args.first().map(|it| &it.kind) {
            Some(ExprKind::String(it)) => tf_value::quoted(it),
            _ => "\"…\"".to_owned(),
        };
        let help = format!(
            "string({{ pattern = {pattern} }}) accepts texts that match, and can(regex(…)) is true or false"
        );
        return Some((if name == "regex" { "what it finds" } else { "a list" }, help));
    }
    if matches!(name, "length" | "sum" | "max" | "min") {
        return Some(("a number", compare(&format!("{name}(…)"))));
    }
    let ReturnType::Fixed(ty) = function.returns else { return None };
    let gives = match ty {
        Ty::Any | Ty::Bool => return None,
        Ty::String => "a text",
        Ty::Number => "a number",
        Ty::List(_) | Ty::Set(_) => "a list",
        Ty::Map(_) => "a map",
    };
    Some((gives, compare(&format!("{name}(…)"))))
}
