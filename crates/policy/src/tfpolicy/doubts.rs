//! Mistakes that HashiCorp's authoring guide warns of, found by reading: the policy can be used, but it does not do
//! what it looks like.

use std::collections::BTreeSet;

use smol_str::SmolStr;

use super::{
    functions::{OWN, plain},
    judge::local_of,
    model::PolicyDemands,
    object::is_computed,
    operations::Operation,
    reads::MOST_STEPS,
};
use crate::language::{BlockKind, LabelPattern};
use diagnostics::{Diagnostic, Role, Span, did_you_mean, lints};
use hcl::{BinaryOp, Expr, ExprKind, ForExpr};
use stack::{Depth, guarded};
use tf_eval::{ReferenceStep, functions, references};

/// The functions of Terraform that Terraform policy does not document.
const UNDOCUMENTED: [&str; 5] = ["file", "fileexists", "filebase64", "templatefile", "fileset"];

/// Lists that providers fill in if they are not set, in the types that have them.
const FILLED_IN: [&str; 7] = [
    "availability_zones",
    "ipv6_addresses",
    "protocols",
    "security_group_ids",
    "security_groups",
    "subnet_ids",
    "vpc_security_group_ids",
];

/// Everything that is doubtful in a policy.
pub(super) fn of(conditions: &PolicyDemands, target: &str, header: Span) -> Vec<Diagnostic> {
    let mut found = Search {
        conditions,
        target,
        all: Vec::new(),
        seen: BTreeSet::new(),
        compared: BTreeSet::new(),
        followed: BTreeSet::new(),
        is_caught: false,
    };
    found.label(header);
    for it in conditions.expressions() {
        found.null_comparisons(it);
    }
    for it in conditions.expressions() {
        found.names(it);
        found.expr(it);
    }
    for it in &conditions.enforced {
        found.constant(&it.condition, "condition");
    }
    if let Some(it) = conditions.filter.as_ref().filter(|it| !matches!(it.kind, ExprKind::Bool(_)))
    {
        found.constant(it, "filter");
    }
    found.coverage(header);
    found.all
}

/// The doubt that a policy reads a list of blocks like a single block.
pub(crate) fn of_list(name: &str, span: Span) -> Diagnostic {
    let summary = format!("{name:?} is a list, so it has no members");
    let help = format!("write attrs.{name}[0], or [for it in attrs.{name} : …]");
    Diagnostic::new(&lints::DOUBTFUL_POLICY, summary).at(Role::Rule, span).help(help)
}

struct Search<'c> {
    conditions: &'c PolicyDemands,
    /// The first label of the policy.
    target: &'c str,
    all: Vec<Diagnostic>,
    seen: BTreeSet<Span>,
    /// The arguments that the policy compares with null.
    compared: BTreeSet<SmolStr>,
    /// The locals that were followed to find these.
    followed: BTreeSet<SmolStr>,
    /// Whether the expression is inside of `core::try` or `core::can`, which catch errors.
    is_caught: bool,
}

impl Search<'_> {
    fn add(&mut self, summary: impl Into<String>, help: impl Into<String>, span: Span) {
        if self.seen.insert(span) {
            let doubt = Diagnostic::new(&lints::DOUBTFUL_POLICY, summary).at(Role::Rule, span);
            self.all.push(doubt.help(help));
        }
    }

    /// A first label that matches nothing.
    fn label(&mut self, header: Span) {
        let target = self.target;
        match self.conditions.kind {
            BlockKind::Provider if target.contains('/') => {
                let name = target.rsplit('/').next().unwrap_or_default();
                let help = format!("write \"{name}\", and compare meta.source in a condition");
                self.add("A provider policy names a provider without its source", help, header);
            }
            BlockKind::Module if !target.contains(['*', '/', '.', ':']) => {
                let help = "write the whole source, or \"*\" and a filter about meta.source";
                self.add(format!("No module has the source {target:?}"), help, header);
            }
            _ => (),
        }
    }

    /// Members of `meta` that do not exist.
    fn names(&mut self, expr: &Expr) {
        let known = members(self.conditions.kind);
        for it in references(expr).iter().filter(|it| it.name == "meta") {
            let Some(ReferenceStep::Attribute(name)) = it.first else { continue };
            if !known.contains(&name) {
                let hint = did_you_mean(name, known.iter().copied());
                let known = known.join(", ");
                let help = match hint.trim() {
                    "" => format!("use one of {known}"),
                    hint => format!("use one of {known}. {hint}"),
                };
                let kind = self.conditions.kind.as_str();
                self.add(format!("meta of a {kind} has no member {name:?}"), help, it.span);
            }
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Call { name, args, .. } => self.call(&name.name, args, name.span),
            ExprKind::For(it) => self.collection(it),
            ExprKind::Binary { op, left, right, .. } => self.binary(*op, left, right, expr.span),
            ExprKind::GetAttr { base, name }
                if name.name == "attrs" && !matches!(base.kind, ExprKind::Variable(_)) =>
            {
                let summary = "Another resource has its arguments without attrs";
                let help = "leave .attrs out: core::getresources(…)[0].NAME";
                self.add(summary, help, name.span);
            }
            _ => (),
        }
        if expr.is_leaf() {
            return;
        }
        let before = self.is_caught;
        if let ExprKind::Call { name, .. } = &expr.kind {
            self.is_caught |= matches!(plain(&name.name), "try" | "can");
        }
        guarded(|| expr.for_each_child(&mut |it| self.expr(it)));
        self.is_caught = before;
    }

    fn call(&mut self, name: &str, args: &[Expr], span: Span) {
        if name.contains("::") || OWN.contains(&name) {
            let is_file = UNDOCUMENTED.contains(&plain(name));
            if is_file {
                self.add(format!("{name} reads no file in a policy"), "use an input", span);
            }
        } else if functions::lookup(name).is_some() {
            let summary = format!("HashiCorp's command knows {name} only with its namespace");
            self.add(summary, format!("write core::{name}"), span);
        }
        match (plain(name), args) {
            ("length" | "keys" | "values", [it]) => self.never_null(it, Members::Any),
            ("contains", [it, _]) | ("join", [_, it]) => self.never_null(it, Members::Plain),
            _ => (),
        }
        self.order(plain(name), args);
        if let ("contains", Some(first)) = (plain(name), args.first()) {
            let is_text = matches!(first.kind, ExprKind::String(_) | ExprKind::Template(_))
                || is_meta(first, &["version", "source"]);
            if is_text {
                let help = "write core::contains_substring for a text";
                self.add("core::contains searches a list, and this is a text", help, first.span);
            }
        }
    }

    fn collection(&mut self, it: &ForExpr) {
        self.never_null(
            &it.collection,
            if has_plain_members(it) { Members::Plain } else { Members::Any },
        );
        self.joined(it);
    }

    /// `core::try(attrs.x, [])` where null is an error: an argument of the type is null and not missing. A list
    /// of nested blocks is never null, so that only what cannot be one counts: a map, or a list of plain values.
    fn never_null(&mut self, expr: &Expr, members: Members) {
        if self.is_caught {
            return;
        }
        let Some((name, default)) = self.with_default(expr, Depth::of(MOST_STEPS)) else { return };
        let is_nullable = match default.kind {
            ExprKind::Object(_) => true,
            _ => members == Members::Plain && !FILLED_IN.contains(&name.as_str()),
        };
        if is_nullable && !self.compared.contains(&name) {
            let summary =
                format!("core::try does not replace null, so this fails if {name} is not set");
            let default = if matches!(default.kind, ExprKind::Object(_)) { "{}" } else { "[]" };
            let help = format!("write attrs.{name} == null ? {default} : attrs.{name}");
            self.add(summary, help, expr.span);
            // Once for each argument.
            self.compared.insert(name);
        }
    }

    /// The argument in `core::try(attrs.NAME, DEFAULT)`, also if a local has this value, and the default: an
    /// empty list or map.
    fn with_default<'e>(&'e self, expr: &'e Expr, depth: Depth) -> Option<(SmolStr, &'e Expr)> {
        let depth = depth.inner()?;
        let expr = expr.bare();
        match &expr.kind {
            ExprKind::GetAttr { .. } => {
                self.with_default(self.conditions.local(local_of(expr)?)?, depth)
            }
            ExprKind::Call { name, args, .. } if plain(&name.name) == "try" => {
                let [first, default] = args.as_slice() else { return None };
                let is_empty = match &default.kind {
                    ExprKind::Tuple(all) => all.is_empty(),
                    ExprKind::Object(all) => all.is_empty(),
                    _ => false,
                };
                argument(first).filter(|_| is_empty).map(|name| (name, default))
            }
            _ => None,
        }
    }

    /// Collects the arguments that an expression compares with null.
    fn null_comparisons(&mut self, expr: &Expr) {
        if let ExprKind::Binary { op: BinaryOp::Equal | BinaryOp::NotEqual, left, right, .. } =
            &expr.kind
        {
            let is_null = |it: &Expr| matches!(it.kind, ExprKind::Null);
            if is_null(left) || is_null(right) {
                self.add_compared(left);
                self.add_compared(right);
            }
        }
        if !expr.is_leaf() {
            guarded(|| expr.for_each_child(&mut |it| self.null_comparisons(it)));
        }
    }

    /// Adds the arguments in an expression and in its locals, each local once in the whole policy.
    fn add_compared(&mut self, expr: &Expr) {
        let mut waiting = vec![expr];
        while let Some(expr) = waiting.pop() {
            for it in references(expr) {
                let Some(ReferenceStep::Attribute(name)) = it.first else { continue };
                match it.name {
                    "attrs" => _ = self.compared.insert(name.into()),
                    "local" if self.followed.insert(name.into()) => {
                        waiting.extend(self.conditions.local(name).map(|it| &**it));
                    }
                    _ => (),
                }
            }
        }
    }

    /// `[for it in LIST : it if it.bucket == attrs.id]` over what `core::getresources` finds: on the first apply
    /// the `id` is not known, so that the comparison is not, either.
    fn joined(&mut self, it: &ForExpr) {
        let Some(condition) = &it.condition else { return };
        if !self.is_found(&it.collection, Depth::of(MOST_STEPS)) {
            return;
        }
        let ExprKind::Binary { op: BinaryOp::Equal, left, right, .. } = &condition.kind else {
            return;
        };
        let member = |expr: &Expr| match &expr.kind {
            ExprKind::GetAttr { base, name } => {
                let is_value =
                    matches!(&base.kind, ExprKind::Variable(root) if *root == it.value_name.name);
                is_value.then(|| name.name.clone())
            }
            _ => None,
        };
        for (one, other) in [(left, right), (right, left)] {
            let computed = argument(other).filter(|name| is_computed(name));
            if let (Some(member), Some(computed)) = (member(one), computed) {
                let summary = format!(
                    "{computed} is known after apply, so this finds nothing on the first apply"
                );
                let help = format!(
                    "compare in the filter: core::getresources(TYPE, {{ {member} = attrs.{computed} }})"
                );
                self.add(summary, help, condition.span);
            }
        }
    }

    /// Whether an expression is a call of `core::getresources`, or a local with that value.
    fn is_found(&self, expr: &Expr, depth: Depth) -> bool {
        let Some(depth) = depth.inner() else { return false };
        let expr = expr.bare();
        match &expr.kind {
            ExprKind::Call { name, .. } => plain(&name.name) == "getresources",
            ExprKind::GetAttr { .. } => {
                let definition = local_of(expr).and_then(|name| self.conditions.local(name));
                definition.is_some_and(|it| self.is_found(it, depth))
            }
            _ => false,
        }
    }

    /// The arguments of a function in the wrong order.
    fn order(&mut self, name: &str, args: &[Expr]) {
        let [first, second] = args else { return };
        let is_text = |it: &Expr| matches!(it.kind, ExprKind::String(_));
        let reads =
            |expr: &Expr| references(expr).iter().any(|it| matches!(it.name, "attrs" | "local"));
        let right = match name {
            "contains" if matches!(second.kind, ExprKind::Tuple(_)) => "LIST, VALUE",
            "join" if is_text(second) => "SEPARATOR, LIST",
            "regex" | "regexall" if is_text(second) && reads(first) => "PATTERN, TEXT",
            "split" if is_text(second) && reads(first) => "SEPARATOR, TEXT",
            "startswith" if is_text(first) && reads(second) => "TEXT, PREFIX",
            "endswith" if is_text(first) && reads(second) => "TEXT, SUFFIX",
            "startswith" | "endswith" | "contains_substring" | "contains"
                if is_meta(first, &["version"]) && has_operator(second) =>
            {
                self.selected_version(second.span);
                return;
            }
            _ => return,
        };
        let summary = format!("The arguments of core::{name} are in the wrong order");
        self.add(summary, format!("write core::{name}({right})"), first.span);
    }

    /// `meta.version` compared with a constraint.
    fn selected_version(&mut self, span: Span) {
        let summary = "meta.version is the selected version, which has no operator";
        self.add(summary, "write core::semverconstraint(meta.version, CONSTRAINT)", span);
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr, span: Span) {
        let is_order = matches!(
            op,
            BinaryOp::Less | BinaryOp::LessOrEqual | BinaryOp::Greater | BinaryOp::GreaterOrEqual
        );
        if is_order && [left, right].into_iter().any(|it| is_meta(it, &["version"])) {
            let help = "write core::semverconstraint(meta.version, \">= 1.2.0\")";
            self.add("A version is a text, which has no order", help, span);
        }
        if is_order && [left, right].into_iter().any(is_word) {
            let help = "write core::semverconstraint(VERSION, \">= 1.2.0\") for a version";
            self.add("A text has no order, so this fails", help, span);
        }
        if matches!(op, BinaryOp::Equal | BinaryOp::NotEqual) {
            for (one, other) in [(left, right), (right, left)] {
                self.equality(one, other, span);
            }
        }
        let is_text = |it: &&Expr| matches!(it.kind, ExprKind::String(_) | ExprKind::Template(_));
        if op == BinaryOp::Add && [left, right].iter().any(is_text) {
            self.add("+ adds numbers, and this is a text", "write \"${A}${B}\"", span);
        }
        let is_length =
            matches!(&left.kind, ExprKind::Call { name, .. } if plain(&name.name) == "length");
        let is_zero = matches!(&right.kind, ExprKind::Number(it) if it == "0");
        if op == BinaryOp::GreaterOrEqual && is_length && is_zero {
            self.add("A length is always at least 0, so this is always true", "write > 0", span);
        }
    }

    /// One side of `==` or `!=`, and the other one.
    fn equality(&mut self, one: &Expr, other: &Expr, span: Span) {
        let is_regex =
            matches!(&one.kind, ExprKind::Call { name, .. } if plain(&name.name) == "regex");
        if is_regex && !self.is_caught && matches!(other.kind, ExprKind::Null) {
            let help = "write core::try(core::regex(PATTERN, TEXT), null)";
            self.add("core::regex fails if nothing matches, and is never null", help, one.span);
        }
        if is_meta(one, &["version"]) && has_operator(other) {
            self.selected_version(span);
        }
        let ExprKind::String(ty) = &other.kind else { return };
        let is_resource = self.conditions.kind == BlockKind::Resource;
        if is_resource && is_meta(one, &["type"]) && !LabelPattern(self.target.into()).matches(ty) {
            let summary = format!("No resource {:?} has the type {ty:?}", self.target);
            self.add(summary, "write a policy for that type", span);
        }
    }

    /// A condition or a filter that depends on nothing, except for `false`, which forbids every object.
    fn constant(&mut self, condition: &Expr, what: &str) {
        if matches!(condition.kind, ExprKind::Bool(false))
            || self.depends(condition, &mut BTreeSet::new())
        {
            return;
        }
        let summary =
            format!("The {what} does not depend on the object, so it is the same for each one");
        self.add(summary, "compare an argument: attrs.NAME == …", condition.span);
    }

    /// Whether an expression depends on the judged object, on other objects or on inputs.
    fn depends<'e>(&'e self, expr: &'e Expr, seen: &mut BTreeSet<&'e str>) -> bool {
        let mut calls = false;
        calls_own(expr, &mut calls);
        if calls {
            return true;
        }
        references(expr).iter().any(|it| match (it.name, it.first) {
            ("local", Some(ReferenceStep::Attribute(name))) => {
                let definition = self.conditions.local(name);
                seen.insert(name)
                    && definition.is_some_and(|expr| guarded(|| self.depends(expr, seen)))
            }
            _ => true,
        })
    }

    /// `operations` without `no-op` next to `core::getresources`: existing resources are not judged.
    fn coverage(&mut self, header: Span) {
        let PolicyDemands { kind, operations, reads, .. } = self.conditions;
        let has = |it| operations.contains(&it);
        let asks = reads.related.iter().any(|it| it.0 == BlockKind::Resource);
        let is_partial = !has(Operation::NoOp) && !has(Operation::Delete) && !reads.has_prior;
        if *kind == BlockKind::Resource && asks && is_partial {
            let summary = "Resources that do not change are not judged, though others may";
            self.add(summary, "add \"no-op\" to operations", header);
        }
    }
}

/// What an expression shows about the members of a list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Members {
    /// They can be nested blocks.
    Any,
    /// Texts and numbers.
    Plain,
}

/// Whether a `for` compares its value as a whole with a constant, so that it is not a nested block.
fn has_plain_members(it: &ForExpr) -> bool {
    let is_value =
        |expr: &Expr| matches!(&expr.kind, ExprKind::Variable(name) if *name == it.value_name.name);
    let parts = [it.key.as_ref(), Some(&it.value), it.condition.as_ref()];
    parts.into_iter().flatten().any(|part| {
        let mut found = false;
        compares(part, &is_value, &mut found);
        found
    })
}

/// Whether an expression compares what `is_value` accepts with a constant text or number.
fn compares(expr: &Expr, is_value: &dyn Fn(&Expr) -> bool, found: &mut bool) {
    if let ExprKind::Binary { op: BinaryOp::Equal | BinaryOp::NotEqual, left, right, .. } =
        &expr.kind
    {
        let is_constant = |it: &Expr| matches!(it.kind, ExprKind::String(_) | ExprKind::Number(_));
        *found |= is_value(left) && is_constant(right) || is_value(right) && is_constant(left);
    }
    if !*found && !expr.is_leaf() {
        guarded(|| expr.for_each_child(&mut |it| compares(it, is_value, found)));
    }
}

/// The name in `attrs.NAME`.
fn argument(expr: &Expr) -> Option<SmolStr> {
    match &expr.kind {
        ExprKind::GetAttr { base, name } => {
            let is_attrs = matches!(&base.kind, ExprKind::Variable(root) if root == "attrs");
            is_attrs.then(|| name.name.clone())
        }
        _ => None,
    }
}

/// Whether an expression is a constant text that is not a number.
fn is_word(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::String(it) if it.parse::<f64>().is_err())
}

/// Whether an expression is a constant text with an operator of version constraints in it.
fn has_operator(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::String(it) if it.contains(['~', '>', '<', '=', '!']))
}

/// Whether an expression is `meta.NAME` with one of the names.
fn is_meta(expr: &Expr, names: &[&str]) -> bool {
    match &expr.kind {
        ExprKind::GetAttr { base, name } => {
            matches!(&base.kind, ExprKind::Variable(root) if root == "meta")
                && names.contains(&name.name.as_str())
        }
        _ => false,
    }
}

/// Whether a function of this language alone is called, whose answer depends on more than its arguments.
fn calls_own(expr: &Expr, found: &mut bool) {
    if let ExprKind::Call { name, .. } = &expr.kind {
        let name = plain(&name.name);
        *found |= name.starts_with("get") || name.starts_with("plugin::") || name == "timestamp";
    }
    if !*found && !expr.is_leaf() {
        guarded(|| expr.for_each_child(&mut |it| calls_own(it, found)));
    }
}

/// The members of `meta`.
fn members(kind: BlockKind) -> &'static [&'static str] {
    match kind {
        BlockKind::Resource => {
            &["module_path", "operation", "provider_type", "tfe_stack", "tfe_workspace", "type"]
        }
        BlockKind::Module => &["address", "source", "tfe_stack", "version"],
        _ => &["alias", "name", "namespace", "source", "tfe_stack", "type", "version"],
    }
}
