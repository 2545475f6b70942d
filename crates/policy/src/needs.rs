//! Judges `needs`: whether an object exists that matches a pattern and, with `subject`, refers to the judged
//! object.

use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

use foldhash::HashMap;
use smol_str::SmolStr;

use super::{
    language::{RuleTarget, Valid},
    links::{ObjectLinks, Referrer},
    pattern::{Blocks, Lacking, Quantifier},
    subjects::{PolicySubject, World},
    validate::{Around, LocatedValue, Outcome, ValueJudge},
};
use diagnostics::Span;
use tf_value::{Path, Step, Value};
use verdict::written::ValueOrigin;

/// After this many undecided candidates the outcome is undecided.
const MOST_DOUBTFUL: usize = 100;

/// A module, a block in it, and the key of an instance as written in brackets:
/// `("module.net", "aws_subnet.a", Some("0"))`.
pub(super) type Identity = (String, String, Option<String>);

/// The objects that may be needed or referred to.
pub(super) struct Needs<'a> {
    pub world: &'a dyn World,
    /// The candidates by the place of their `needs` block.
    candidates: RefCell<HashMap<Span, Rc<Candidates>>>,
    objects: RefCell<HashMap<usize, Option<Rc<PolicySubject<'a>>>>>,
    /// The instances of each block, by module and block.
    blocks: RefCell<Option<Rc<Instances>>>,
    /// The answers for targets that do not mention `subject`: they are the same for every judged object.
    alone: RefCell<BTreeMap<Span, Found>>,
    pub lacking: RefCell<Vec<(Rc<PolicySubject<'a>>, Lacking)>>,
}

/// The places of the instances of each block, by module and block.
type Instances = HashMap<(String, String), Vec<usize>>;

/// Objects of the needed type, by the object or the constant that their link refers to.
#[derive(Default)]
struct Candidates {
    by_object: HashMap<Identity, Vec<usize>>,
    by_literal: HashMap<SmolStr, Vec<usize>>,
    literals: Vec<usize>,
    unknown: Vec<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    Yes,
    No,
    Maybe,
}

impl<'a> Needs<'a> {
    pub fn new(world: &'a dyn World) -> Needs<'a> {
        Needs {
            world,
            candidates: RefCell::default(),
            objects: RefCell::default(),
            blocks: RefCell::default(),
            alone: RefCell::default(),
            lacking: RefCell::default(),
        }
    }

    /// Whether an object exists for at least one of the alternatives.
    pub fn judge(
        &self,
        judge: &ValueJudge<'_>,
        group: &[RuleTarget],
        at: usize,
        subject: &PolicySubject<'_>,
    ) -> Outcome {
        let mut is_open = false;
        for target in group {
            match self.find(judge, target, at, subject) {
                Found::Yes => return Outcome::PASS,
                Found::Maybe => is_open = true,
                Found::No => (),
            }
        }
        let Some(first) = group.first() else { return Outcome::PASS };
        if is_open {
            let reason = "the objects that match and refer to it are known after apply";
            return Outcome::undecided(Path::default(), reason.to_owned(), first.span);
        }
        let found = match (group.len(), first.pattern.has_subject) {
            (1, true) => "no matching object that refers to it",
            (1, false) => "no matching object",
            _ => "none of the alternatives",
        };
        Outcome::failed(Path::default(), found.to_owned(), first.span)
    }

    fn find(
        &self,
        judge: &ValueJudge<'_>,
        target: &RuleTarget,
        at: usize,
        subject: &PolicySubject<'_>,
    ) -> Found {
        if !target.pattern.has_subject {
            if let Some(found) = self.alone.borrow().get(&target.span) {
                return *found;
            }
            let all: Vec<usize> = self.of_type(target).collect();
            let found = self.among(judge, target, &all, &[], None);
            self.alone.borrow_mut().insert(target.span, found);
            return found;
        }
        let referrer = Referrer { identity: self.identity(at), id: id(subject) };
        let Some(name) = link(target) else {
            let all: Vec<usize> = self.of_type(target).collect();
            return self.among(judge, target, &all, &[], Some(&referrer));
        };
        let known = self.candidates.borrow().get(&target.span).cloned();
        let candidates = known.unwrap_or_else(|| {
            let made = Rc::new(self.candidates(target, name));
            self.candidates.borrow_mut().insert(target.span, Rc::clone(&made));
            made
        });
        let (module, block, key) = &referrer.identity;
        let of = |key: Option<String>| {
            let found = candidates.by_object.get(&(module.clone(), block.clone(), key));
            found.cloned().unwrap_or_default()
        };
        let (mut sure, mut doubtful) = (of(key.clone()), Vec::new());
        if key.is_some() {
            doubtful = of(None);
        }
        match &referrer.id {
            Some(id) => sure.extend(candidates.by_literal.get(id).into_iter().flatten()),
            None => doubtful.extend(candidates.literals.iter().take(MOST_DOUBTFUL + 1)),
        }
        doubtful.extend(candidates.unknown.iter().take(MOST_DOUBTFUL + 1));
        self.among(judge, target, &sure, &doubtful, Some(&referrer))
    }

    /// Whether one of the objects matches the target. It is not known whether the doubtful ones refer to the
    /// judged object.
    fn among(
        &self,
        judge: &ValueJudge<'_>,
        target: &RuleTarget,
        sure: &[usize],
        doubtful: &[usize],
        referrer: Option<&Referrer>,
    ) -> Found {
        let mut is_open = doubtful.len() > MOST_DOUBTFUL;
        for at in sure {
            let outcome = self.is_like(judge, target, *at, referrer);
            if outcome.is_pass() && self.world.stays(*at) == Some(true) {
                return Found::Yes;
            }
            is_open |= !outcome.is_fail();
        }
        let mut doubtful = doubtful.iter();
        while let (false, Some(at)) = (is_open, doubtful.next()) {
            is_open = !self.is_like(judge, target, *at, referrer).is_fail();
        }
        if is_open { Found::Maybe } else { Found::No }
    }

    /// Whether an object matches the target and, where the target says `subject`, refers to the judged object.
    pub fn is_like(
        &self,
        judge: &ValueJudge<'_>,
        target: &RuleTarget,
        at: usize,
        referrer: Option<&Referrer>,
    ) -> Outcome {
        // If a rule judges the object itself, the reason is reported there.
        let Some(object) = self.object(at) else {
            return Outcome::undecided(Path::default(), String::new(), target.span);
        };
        let links = ObjectLinks { needs: self, judge, object: &object, at: Some(at), referrer };
        let around = Around {
            prior: &object.prior,
            parent: &object.attrs,
            attrs: &object.attrs,
            meta: &*object.meta,
            is_asked: target.pattern.looks_around(),
            links: Some(&links),
        };
        let is_exact = target.labels.iter().any(|it| it.is_exact() && it.matches(&object.label));
        let mut blocks = Blocks::new(judge, &object, is_exact);
        blocks.passes_over = false;
        blocks.untold = &[];
        let place = LocatedValue { value: &object.attrs, around, is_hidden: false };
        let outcome = blocks.matched(&target.pattern, place, Quantifier::Every);
        let lacking = std::mem::take(&mut blocks.lacking);
        for mut it in lacking {
            if it.is_outermost {
                it.known.extend(self.world.unasked(at));
            }
            self.lacking.borrow_mut().push((Rc::clone(&object), it));
        }
        outcome
    }

    pub fn object(&self, at: usize) -> Option<Rc<PolicySubject<'a>>> {
        let made = self.objects.borrow().get(&at).cloned();
        made.unwrap_or_else(|| {
            let made = self.world.subject(at).ok().map(Rc::new);
            self.objects.borrow_mut().insert(at, made.clone());
            made
        })
    }

    pub fn identity(&self, at: usize) -> Identity {
        let head = self.world.head(at);
        (head.module.to_owned(), head.block(), self.world.key(at))
    }

    /// The places of a block's instances.
    pub fn instances(&self, module: &str, block: &str) -> Vec<usize> {
        let known = self.blocks.borrow().clone();
        let all = known.unwrap_or_else(|| {
            let mut all = Instances::default();
            for at in 0..self.world.len() {
                let head = self.world.head(at);
                all.entry((head.module.to_owned(), head.block())).or_default().push(at);
            }
            let all = Rc::new(all);
            *self.blocks.borrow_mut() = Some(Rc::clone(&all));
            all
        });
        all.get(&(module.to_owned(), block.to_owned())).cloned().unwrap_or_default()
    }

    pub fn of_type<'t>(&'t self, target: &'t RuleTarget) -> impl Iterator<Item = usize> + 't {
        (0..self.world.len()).filter(move |at| {
            let head = self.world.head(*at);
            head.kind == target.kind
                && target.labels.iter().any(|it| it.matches(head.ty))
                && self.world.stays(*at) != Some(false)
        })
    }

    fn candidates(&self, target: &RuleTarget, name: &SmolStr) -> Candidates {
        let mut found = Candidates::default();
        let path = Path(vec![Step::Attribute(name.clone())]);
        for at in self.of_type(target) {
            let origins = self.world.origins(at, &path);
            let [origin] = origins.as_slice() else {
                found.unknown.push(at);
                continue;
            };
            if let ValueOrigin::Block { module, block, key } = origin.clone() {
                found.by_object.entry((module, block, key)).or_default().push(at);
                continue;
            }
            if let Some(text) = self.world.text(at, name) {
                found.by_literal.entry(text).or_default().push(at);
            }
            match origin {
                ValueOrigin::Literal => found.literals.push(at),
                _ => found.unknown.push(at),
            }
        }
        found
    }
}

/// An object's `id`, by which constants refer to it; `None` if it is not known.
pub(super) fn id(subject: &PolicySubject<'_>) -> Option<SmolStr> {
    let id = subject.attrs.as_mapping().and_then(|it| it.get("id"));
    id.filter(|it| it.is_known()).and_then(Value::as_str).map(SmolStr::from)
}

/// The argument that the target judges by `subject`.
fn link(target: &RuleTarget) -> Option<&SmolStr> {
    let member = target.pattern.members.iter();
    member.filter(|it| matches!(it.validator.kind, Valid::Subject)).map(|it| &it.name).next()
}
