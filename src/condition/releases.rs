//! The releases that may run a module: a schema must hold for all of them.

use std::{cell::RefCell, rc::Rc};

use crate::{
    functions::{self, Argument, Domain, Function},
    module::{Module, RequiredVersion},
    re2::Dialect,
    release::{self, Change, Release, changes},
    syntax::{BinaryOp, Expr, ExprKind},
    value::guarded,
};

/// The releases that a module's `required_version` admits, the oldest first, and where they differ.
pub struct Releases {
    all: Vec<Release>,
    /// Functions and operators that give something else in some of them.
    unlike: Vec<&'static str>,
}

/// What the releases of a module follow from, and they.
type Known = (Release, Vec<RequiredVersion>, Rc<Releases>);

thread_local! {
    /// Of the module that was asked about last.
    static LAST: RefCell<Option<Known>> = RefCell::default();
}

impl Releases {
    /// Asked for every rule of a module, and most modules of a repository demand the same versions.
    pub fn of(module: &Module) -> Rc<Releases> {
        let demands = |all: &[RequiredVersion]| {
            let same = |(a, b): (&RequiredVersion, &RequiredVersion)| {
                (&a.text, a.is_of_tofu) == (&b.text, b.is_of_tofu)
            };
            all.len() == module.required_versions.len()
                && all.iter().zip(&module.required_versions).all(same)
        };
        let is_same = |it: &Known| it.0 == module.release && demands(&it.1);
        let last =
            LAST.with_borrow(|last| Some(Rc::clone(&last.as_ref().filter(|it| is_same(it))?.2)));
        last.unwrap_or_else(|| {
            let releases = Rc::new(Releases::new(module.releases()));
            let key = module.required_versions.clone();
            LAST.set(Some((module.release, key, Rc::clone(&releases))));
            releases
        })
    }

    /// One alone; nothing differs. Made for every default of every module, so it looks at no change.
    pub fn only(release: Release) -> Releases {
        Releases { all: vec![release], unlike: Vec::new() }
    }

    fn new(all: Vec<Release>) -> Releases {
        let differs = |it: &&&Change| {
            all.iter().any(|release| release.has(it)) && !all.iter().all(|release| release.has(it))
        };
        let unlike = changes::LANGUAGE.iter().filter(differs).flat_map(|it| it.functions);
        let unlike = unlike.copied().collect();
        Releases { all, unlike }
    }

    /// The regular expressions of their Gos, each once.
    pub fn dialects(&self) -> Vec<Dialect> {
        let mut out: Vec<Dialect> = self.all.iter().map(|it| Dialect::of(*it)).collect();
        out.dedup();
        out
    }

    /// Whether any of them is such.
    pub fn some(&self, is_such: impl Fn(&Release) -> bool) -> bool {
        self.all.iter().any(is_such)
    }

    /// Whether all of them are such.
    pub fn all(&self, is_such: impl Fn(&Release) -> bool) -> bool {
        self.all.iter().all(is_such)
    }

    /// Those whose answers on an expression may differ: one of them, where none can.
    pub fn to_ask(&self, expr: &Expr) -> &[Release] {
        match self.all.len().checked_sub(1) {
            Some(last) if !self.may_differ(expr) => &self.all[last..],
            _ => &self.all,
        }
    }

    /// As [`Releases::to_ask`], for a call of the function.
    pub fn to_ask_of(&self, function: &str) -> &[Release] {
        match self.all.len().checked_sub(1) {
            Some(last) if !self.unlike.contains(&function) => &self.all[last..],
            _ => &self.all,
        }
    }

    /// For which arguments the function gives a value, in every one of them.
    pub fn domain(&self, function: &'static Function, arguments: &[Argument]) -> Domain {
        let is_there =
            |it: &Release| release::function(function.name).is_none_or(|since| it.has(since));
        let each = self.to_ask_of(function.name).iter().map(|it| {
            if is_there(it) { functions::domain(function, *it, arguments) } else { Domain::Always }
        });
        each.reduce(|one, other| if one == other { one } else { Domain::Partial })
            .unwrap_or(Domain::Partial)
    }

    fn may_differ(&self, expr: &Expr) -> bool {
        if self.unlike.is_empty() {
            return false;
        }
        let is_unlike = match &expr.kind {
            ExprKind::Call { name, .. } => {
                let plain = name.name.strip_prefix("core::").unwrap_or(&name.name);
                self.unlike.contains(&plain)
            }
            ExprKind::Binary { op: BinaryOp::And, .. } => self.unlike.contains(&"&&"),
            ExprKind::Binary { op: BinaryOp::Or, .. } => self.unlike.contains(&"||"),
            _ => false,
        };
        let mut found = is_unlike;
        if !found {
            guarded(|| expr.for_each_child(&mut |it| found = found || self.may_differ(it)));
        }
        found
    }
}
