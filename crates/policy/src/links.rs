//! Judges what a value refers to: `subject`, and `reference("TYPE", {…})`.

use smol_str::SmolStr;

use super::{
    language::RuleTarget,
    needs::{Identity, Needs, id},
    subjects::PolicySubject,
    validate::{Outcome, ValueJudge},
};
use diagnostics::Span;
use tf_value::{Path, Value};
use verdict::written::ValueOrigin;

/// The judged object, as other objects refer to it.
pub(super) struct Referrer {
    pub identity: Identity,
    /// Its `id`, by which constants refer to it; `None` if it is not known.
    pub id: Option<SmolStr>,
}

/// The references of an object's values.
pub trait Links {
    /// Whether the value at a path refers to the object that `subject` means.
    fn subject(&self, value: &Value, path: &Path, span: Span) -> Outcome;

    /// Whether the value at a path refers to an object that matches the target.
    fn reference(&self, target: &RuleTarget, value: &Value, path: &Path, span: Span) -> Outcome;
}

/// The references of one object.
pub(super) struct ObjectLinks<'l, 'a> {
    pub needs: &'l Needs<'a>,
    pub judge: &'l ValueJudge<'l>,
    pub object: &'l PolicySubject<'l>,
    /// Its place, if it is a resource or data source.
    pub at: Option<usize>,
    /// The object that `subject` means.
    pub referrer: Option<&'l Referrer>,
}

const OPEN: &str = "its reference is known after apply";

impl ObjectLinks<'_, '_> {
    /// The possible origins of the value at a path; one of them is right.
    fn origins(&self, path: &Path) -> Vec<ValueOrigin> {
        match (self.at, &self.object.source) {
            (Some(at), _) => self.needs.world.origins(at, path),
            (None, Some(source)) => vec![source.origin(path)],
            (None, None) => vec![ValueOrigin::Unknown],
        }
    }
}

impl Referrer {
    /// Whether a value of this origin refers to the object; `None` if that is not known.
    pub fn is_origin(&self, origin: &ValueOrigin, value: &Value) -> Option<bool> {
        let (module, block, key) = &self.identity;
        match origin {
            ValueOrigin::Block { module: of, block: it, key: at } => match at {
                _ if *of != *module || *it != *block => Some(false),
                at if *at == *key => Some(true),
                None => None,
                Some(_) => Some(false),
            },
            origin => match (value.as_str().filter(|_| value.is_known()), &self.id) {
                (Some(text), Some(id)) if text == id => Some(true),
                (Some(_), Some(_)) if *origin == ValueOrigin::Literal => Some(false),
                _ => None,
            },
        }
    }
}

impl Links for ObjectLinks<'_, '_> {
    fn subject(&self, value: &Value, path: &Path, span: Span) -> Outcome {
        let Some(referrer) = self.referrer else { return Outcome::PASS };
        let origins = self.origins(path);
        if origins.len() > 1 && referrer.is_origin(&ValueOrigin::Unknown, value) == Some(true) {
            return Outcome::PASS;
        }
        let mut all = origins.iter().map(|it| referrer.is_origin(it, value));
        let first = all.next().flatten();
        match first.filter(|_| all.all(|it| it == first)) {
            Some(true) => Outcome::PASS,
            Some(false) => {
                Outcome::failed(path.clone(), "a reference to something else".into(), span)
            }
            None => Outcome::undecided(path.clone(), OPEN.into(), span),
        }
    }

    fn reference(&self, target: &RuleTarget, value: &Value, path: &Path, span: Span) -> Outcome {
        let origins = self.origins(path);
        if origins.len() > 1 {
            // A known value may decide, whichever origin is right.
            let outcome = self.refers_to(ValueOrigin::Unknown, target, value, path, span);
            if outcome.is_pass() || outcome.is_fail() {
                return outcome;
            }
        }
        let mut all = origins.into_iter().map(|it| self.refers_to(it, target, value, path, span));
        let Some(first) = all.next() else { return Outcome::PASS };
        if all.all(|it| it.is_pass() == first.is_pass() && it.is_fail() == first.is_fail()) {
            return first;
        }
        Outcome::undecided(path.clone(), OPEN.into(), span)
    }
}

impl ObjectLinks<'_, '_> {
    /// Whether a value of this origin refers to an object that matches the target.
    fn refers_to(
        &self,
        origin: ValueOrigin,
        target: &RuleTarget,
        value: &Value,
        path: &Path,
        span: Span,
    ) -> Outcome {
        let open = || Outcome::undecided(path.clone(), OPEN.into(), span);
        let (all, block) = match origin {
            ValueOrigin::Block { module, block, key } => {
                let mut all = self.needs.instances(&module, &block);
                if let Some(key) = &key {
                    all.retain(|at| self.needs.world.key(*at).is_none_or(|it| it == *key));
                }
                (all, block)
            }
            origin => {
                // A constant refers to the object that has it as its id.
                let Some(text) = value.as_str().filter(|_| value.is_known()) else { return open() };
                let ids = self.needs.of_type(target).map(|at| (at, self.needs.object(at)));
                let ids: Vec<_> =
                    ids.map(|(at, object)| (at, object.and_then(|it| id(&it)))).collect();
                let same = ids.iter().filter(|it| it.1.as_deref() == Some(text));
                let same: Vec<usize> = same.map(|it| it.0).collect();
                let is_open = origin != ValueOrigin::Literal || ids.iter().any(|it| it.1.is_none());
                if same.is_empty() && is_open {
                    return open();
                }
                let block = same.first().map(|at| self.needs.world.head(*at).block());
                (same, block.unwrap_or_default())
            }
        };
        let is_of_type = |at: &usize| {
            let head = self.needs.world.head(*at);
            head.kind == target.kind && target.labels.iter().any(|it| it.matches(head.ty))
        };
        let mut outcomes = Vec::new();
        for at in all {
            if !is_of_type(&at) {
                let found = format!("a reference to {block}");
                return Outcome::failed(path.clone(), found, span);
            }
            if outcomes.len() > MOST {
                return open();
            }
            outcomes.push(self.needs.is_like(self.judge, target, at, self.referrer));
        }
        if outcomes.is_empty() {
            // A plan is read only for the types that rules name. A block of another type is not the wanted one.
            return match block.is_empty() {
                true => Outcome::failed(
                    path.clone(),
                    "a reference to an object that does not \
                    exist"
                        .into(),
                    span,
                ),
                false if !of_kind(target, &block) => {
                    Outcome::failed(path.clone(), format!("a reference to {block}"), span)
                }
                false => open(),
            };
        }
        if outcomes.iter().all(Outcome::is_pass) {
            return Outcome::PASS;
        }
        if outcomes.iter().all(Outcome::is_fail) {
            let found = match outcomes[0].violations.first() {
                Some(it) if !it.at.visible().is_empty() => {
                    let inside = it.at.visible().to_string();
                    format!("{block}, whose {} is {}", inside.trim_start_matches('.'), it.found)
                }
                _ => format!("{block}, which does not match"),
            };
            return Outcome::failed(path.clone(), found, span);
        }
        open()
    }
}

/// The most instances of one block that are judged for one reference.
const MOST: usize = 1000;

/// Whether a block `TYPE.NAME` or `data.TYPE.NAME` has the target's kind and type.
fn of_kind(target: &RuleTarget, block: &str) -> bool {
    let (kind, rest) = match block.split_once('.') {
        Some(("data", rest)) => (super::language::BlockKind::Data, rest),
        Some(("ephemeral", rest)) => (super::language::BlockKind::Ephemeral, rest),
        _ => (super::language::BlockKind::Resource, block),
    };
    let ty = rest.split('.').next().unwrap_or_default();
    kind == target.kind && target.labels.iter().any(|it| it.matches(ty))
}
