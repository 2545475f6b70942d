//! The releases that may run a module: a schema must hold for all of them.

use std::{cell::RefCell, rc::Rc};

use hcl::{BinaryOp, Expr, ExprKind};
use module::{Module, RequiredVersion};
use re2::Dialect;
use release::{LanguageChange, Release, changes};
use stack::guarded;
use tf_eval::functions::{self, Domain, Function, KnownArgument};

/// The releases that a module's `required_version` admits, the oldest first, and where they differ.
pub struct Releases {
    all: Vec<Release>,
    /// Functions and operators whose results differ between the releases.
    unlike: Vec<&'static str>,
}

/// A module's release and version constraints, and the releases found for them.
type Known = (Release, Vec<RequiredVersion>, Rc<Releases>);

thread_local! {
    /// The releases of the module that was asked about last.
    static LAST: RefCell<Option<Known>> = RefCell::default();
}

impl Releases {
    /// The releases of a module. They are needed for every rule, and most modules of a repository have the same
    /// constraints, so the last answer is kept.
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

    /// A single release, so that nothing differs. It is made for every default of every module and must be
    /// quick, so it looks at no change.
    pub fn only(release: Release) -> Releases {
        Releases { all: vec![release], unlike: Vec::new() }
    }

    fn new(all: Vec<Release>) -> Releases {
        let differs = |it: &&&LanguageChange| {
            all.iter().any(|release| release.has(it)) && !all.iter().all(|release| release.has(it))
        };
        let unlike = changes::LANGUAGE.iter().filter(differs).flat_map(|it| it.functions);
        let unlike = unlike.copied().collect();
        Releases { all, unlike }
    }

    /// The dialects of regular expressions of their Go versions, each once.
    pub fn dialects(&self) -> Vec<Dialect> {
        let mut out: Vec<Dialect> = self.all.iter().map(|it| Dialect::of(*it)).collect();
        out.dedup();
        out
    }

    /// Whether at least one release passes.
    pub fn some(&self, is_such: impl Fn(&Release) -> bool) -> bool {
        self.all.iter().any(is_such)
    }

    /// Whether all releases pass.
    pub fn all(&self, is_such: impl Fn(&Release) -> bool) -> bool {
        self.all.iter().all(is_such)
    }

    /// The releases that must be asked about an expression: the newest alone if their answers cannot differ.
    pub fn to_ask(&self, expr: &Expr) -> &[Release] {
        match self.all.len().checked_sub(1) {
            Some(last) if !self.may_differ(expr) => &self.all[last..],
            _ => &self.all,
        }
    }

    /// Like [`Releases::to_ask`], for a call of the function.
    pub fn to_ask_of(&self, function: &str) -> &[Release] {
        match self.all.len().checked_sub(1) {
            Some(last) if !self.unlike.contains(&function) => &self.all[last..],
            _ => &self.all,
        }
    }

    /// The arguments for which the function gives a value in every release.
    pub fn domain(&self, function: &'static Function, arguments: &[KnownArgument]) -> Domain {
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
