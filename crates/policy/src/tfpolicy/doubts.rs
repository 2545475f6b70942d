//! Mistakes that HashiCorp's authoring guide warns of, found by reading: the policy can be used, but it does not do
//! what it looks like.

use std::collections::BTreeSet;

use super::{
    functions::{OWN, plain},
    model::Conditions,
    operations::Operation,
    reads::path_of,
};
use crate::language::BlockKind;
use diagnostics::{Diagnostic, Role, Span, did_you_mean, lints};
use hcl::{BinaryOp, Expr, ExprKind, ForExpr};
use stack::guarded;
use tf_eval::{ReferenceStep, functions, references};

/// The functions of Terraform that Terraform policy does not document.
const UNDOCUMENTED: [&str; 5] = ["file", "fileexists", "filebase64", "templatefile", "fileset"];

/// Everything that is doubtful in a policy.
pub(super) fn of(conditions: &Conditions, target: &str, header: Span) -> Vec<Diagnostic> {
    let (all, seen) = (Vec::new(), BTreeSet::new());
    let mut found = Search { conditions, all, seen, is_caught: false };
    found.label(target, header);
    for it in conditions.expressions() {
        found.names(it);
        found.expr(it);
    }
    for it in &conditions.enforced {
        found.constant(&it.condition);
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
    conditions: &'c Conditions,
    all: Vec<Diagnostic>,
    seen: BTreeSet<Span>,
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
    fn label(&mut self, target: &str, header: Span) {
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
        let takes_collection =
            matches!(plain(name), "length" | "keys" | "values" | "flatten" | "join");
        for it in args.iter().filter(|_| takes_collection) {
            self.never_null(it);
        }
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
        self.never_null(&it.collection);
    }

    /// `core::try(attrs.x, [])` where null is an error: an argument of the type is null and not missing.
    fn never_null(&mut self, expr: &Expr) {
        if self.is_caught {
            return;
        }
        let ExprKind::Call { name, args, .. } = &expr.kind else { return };
        let [first, default] = args.as_slice() else { return };
        let is_default = matches!(default.kind, ExprKind::Tuple(_) | ExprKind::Object(_));
        let found = references(first);
        let is_argument = match found.as_slice() {
            [root] => {
                root.name == "attrs"
                    && root.steps().len() == 1
                    && root.whole().span == first.span
                    && path_of(root).0.len() == 1
            }
            _ => false,
        };
        if plain(&name.name) == "try" && is_default && is_argument {
            let summary = "An argument that is not set is null in a plan, so this fails";
            let text = "compare with null first: attrs.NAME == null ? [] : attrs.NAME";
            self.add(summary, text, expr.span);
        }
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

    /// A condition that depends on nothing, except for `false`, which forbids every object.
    fn constant(&mut self, condition: &Expr) {
        if matches!(condition.kind, ExprKind::Bool(false))
            || self.depends(condition, &mut BTreeSet::new())
        {
            return;
        }
        let summary = "The condition does not depend on the object, so it is the same for each one";
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
        let Conditions { kind, operations, reads, .. } = self.conditions;
        let has = |it| operations.contains(&it);
        let asks = reads.related.iter().any(|it| it.0 == BlockKind::Resource);
        let is_partial = !has(Operation::NoOp) && !has(Operation::Delete) && !reads.has_prior;
        if *kind == BlockKind::Resource && asks && is_partial {
            let summary = "Resources that do not change are not judged, though others may";
            self.add(summary, "add \"no-op\" to operations", header);
        }
    }
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
