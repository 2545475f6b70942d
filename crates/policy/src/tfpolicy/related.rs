//! Other objects that a policy asks for: `core::getresources` and `core::getdatasource`.
//!
//! A filter compares arguments with values. On the first apply, the value is often one that only the provider
//! knows, such as the `id` of the judged bucket. Then the reference decides: an argument that is written as
//! `aws_s3_bucket.logs.id` is equal to `attrs.id` of exactly that bucket.

use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

use foldhash::HashMap;
use smol_str::SmolStr;

use super::{
    judge::{Enforcer, Env},
    object,
};
use crate::{
    language::BlockKind,
    links::Referrer,
    needs::{Identity, id},
};
use diagnostics::Span;
use tf_eval::functions::Failure;
use tf_value::{Marks, Number, Path, Refinements, Step, Type, Value, convert, ops};
use verdict::written::ValueOrigin;

/// The objects of each type that was asked for. The number is the address of the policy, if its objects have
/// arguments that only this policy reads.
pub(super) type Types = HashMap<(usize, BlockKind, SmolStr), Rc<OfType>>;

/// The objects of a type.
#[derive(Default)]
pub(super) struct OfType {
    all: Vec<Candidate>,
    /// The places in `all` by the text of an argument, for each argument that was asked for.
    by_text: RefCell<HashMap<SmolStr, Rc<ByText>>>,
}

struct Candidate {
    at: usize,
    attrs: Value,
    /// Whether it certainly exists after the plan.
    is_sure: bool,
}

/// The objects by the text of one argument.
#[derive(Default)]
struct ByText {
    texts: HashMap<SmolStr, Vec<usize>>,
    /// Those where it is not a known text.
    others: Vec<usize>,
}

/// Whether an object passes a filter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Match {
    Yes,
    No,
    Maybe,
}

/// A value in a filter.
struct Wanted<'f> {
    name: &'f SmolStr,
    value: &'f Value,
    /// The origin of the value, if it is an argument of the judged object.
    origin: Option<WantedOrigin>,
}

/// Where the value of a filter comes from.
enum WantedOrigin {
    /// From an object that the judged one refers to.
    Other(Identity),
    /// From the judged object itself.
    Itself(Referrer, SmolStr),
}

impl Enforcer<'_, '_> {
    /// `core::getresources(TYPE, FILTER)`
    pub(super) fn resources(
        &self,
        args: &[Value],
        env: &Env<'_>,
        call: Span,
    ) -> Result<Value, Failure> {
        let (sure, doubtful) = self.matching(BlockKind::Resource, args, env, Some(call))?;
        let further = self.needs.world.further();
        if doubtful == 0 && further.is_none() {
            return Ok(Value::tuple(sure));
        }
        let ty = args[0].as_str().unwrap_or_default();
        let why = match &further {
            Some(why) => format!("there may be more {ty} than core::getresources() finds: {why}"),
            None => format!("which {ty} core::getresources() finds is known after apply"),
        };
        *self.memory.doubt.borrow_mut() = Some(why);
        // How many there are at least often decides.
        let bound = |number: usize| Some((Number::from_u64(number as u64), true));
        let refinements = Refinements {
            not_null: true,
            lower: bound(sure.len()),
            upper: further.is_none().then(|| bound(sure.len() + doubtful)).flatten(),
            ..Refinements::default()
        };
        Ok(Value::unknown(Type::list(Type::Dynamic)).refined(refinements))
    }

    /// `core::getdatasource(TYPE, ARGUMENTS)`: a data source of the plan with these arguments. HashiCorp asks
    /// the provider instead.
    pub(super) fn data_source(&self, args: &[Value], env: &Env<'_>) -> Result<Value, Failure> {
        let (mut sure, doubtful) = self.matching(BlockKind::Data, args, env, None)?;
        match (sure.len(), doubtful) {
            (1, 0) => Ok(sure.swap_remove(0)),
            _ => {
                let ty = args[0].as_str().unwrap_or_default();
                let why = format!("only a provider can read the data source {ty} of this policy");
                Err(Failure::Undecided(why))
            }
        }
    }

    /// The arguments of all objects that certainly match, and how many others may match.
    fn matching(
        &self,
        kind: BlockKind,
        args: &[Value],
        env: &Env<'_>,
        call: Option<Span>,
    ) -> Result<(Vec<Value>, usize), Failure> {
        let unknown = || Failure::Undecided("its arguments are known after apply".to_owned());
        if !args[0].is_known() {
            return Err(unknown());
        }
        let Some(ty) = args[0].as_str() else {
            return Err(Failure::argument(0, "the type of a resource is required"));
        };
        let none = BTreeMap::new();
        let filter = match args.get(1) {
            None => &none,
            Some(it) if it.is_null() => &none,
            Some(it) if !it.is_known() => return Err(unknown()),
            Some(it) => it.as_mapping().ok_or_else(|| {
                Failure::argument(1, "an object of arguments and their values is required")
            })?,
        };
        let links = call.and_then(|it| env.conditions.reads.links.get(&it));
        let wanted: Vec<Wanted<'_>> = filter
            .iter()
            .map(|(name, value)| Wanted {
                name,
                value,
                origin: links.and_then(|it| self.origin(it.get(name)?, env)),
            })
            .collect();
        let all = self.of_type(kind, ty, env);
        let (mut sure, mut doubtful) = (Vec::new(), 0);
        for at in all.narrowed(&wanted) {
            let it = &all.all[at];
            self.judge.meter.spend(1 + wanted.len() as u64).map_err(Failure::from)?;
            match self.is_match(it, &wanted) {
                Match::Yes if it.is_sure => sure.push(it.attrs.clone()),
                Match::Yes | Match::Maybe => doubtful += 1,
                Match::No => (),
            }
        }
        Ok((sure, doubtful))
    }

    /// The objects of a type, which are read once.
    fn of_type(&self, kind: BlockKind, ty: &str, env: &Env<'_>) -> Rc<OfType> {
        let is_written = self.needs.world.tells_what_is_written();
        let policy = if is_written { std::ptr::from_ref(env.conditions) as usize } else { 0 };
        let key = (policy, kind, SmolStr::new(ty));
        if let Some(known) = self.memory.types.borrow().get(&key) {
            return Rc::clone(known);
        }
        let world = self.needs.world;
        let mut found = OfType::default();
        for at in 0..world.len() {
            let head = world.head(at);
            let stays = world.stays(at);
            if head.kind != kind || head.ty != ty || stays == Some(false) {
                continue;
            }
            let Some(subject) = self.needs.object(at) else { continue };
            let (attrs, _) = object::arguments(&subject, &env.conditions.reads);
            found.all.push(Candidate { at, attrs, is_sure: stays == Some(true) });
        }
        let found = Rc::new(found);
        self.memory.types.borrow_mut().insert(key, Rc::clone(&found));
        found
    }

    /// The origin of a value that is the argument of the judged object at a path.
    fn origin(&self, path: &Path, env: &Env<'_>) -> Option<WantedOrigin> {
        let at = env.at?;
        let Step::Attribute(name) = path.0.first()? else { return None };
        let is_computed = env.object.is_some_and(|it| it.unwritten.contains(name));
        let origins = if is_computed { Vec::new() } else { self.needs.world.origins(at, path) };
        if let [ValueOrigin::Block { module, block, key }] = origins.as_slice() {
            return Some(WantedOrigin::Other((module.clone(), block.clone(), key.clone())));
        }
        let subject = self.needs.object(at)?;
        let identity = self.needs.identity(at);
        Some(WantedOrigin::Itself(Referrer { identity, id: id(&subject) }, subject.label.clone()))
    }

    fn is_match(&self, candidate: &Candidate, wanted: &[Wanted<'_>]) -> Match {
        let mut all = Match::Yes;
        for it in wanted {
            match self.is_equal(candidate, it) {
                Match::No => return Match::No,
                Match::Maybe => all = Match::Maybe,
                Match::Yes => (),
            }
        }
        all
    }

    fn is_equal(&self, candidate: &Candidate, wanted: &Wanted<'_>) -> Match {
        let Some(value) = candidate.attrs.as_mapping().and_then(|it| it.get(wanted.name)) else {
            // The type has no such argument.
            return if wanted.value.is_null() { Match::Yes } else { Match::No };
        };
        if let Some(is_equal) = is_same(value, wanted.value) {
            return if is_equal { Match::Yes } else { Match::No };
        }
        let Some(origin) = &wanted.origin else { return Match::Maybe };
        self.is_linked(candidate, value, wanted.name, origin)
    }

    /// Whether an argument that is not known has the value of the filter, by what both refer to.
    fn is_linked(
        &self,
        candidate: &Candidate,
        value: &Value,
        name: &SmolStr,
        origin: &WantedOrigin,
    ) -> Match {
        let world = self.needs.world;
        let path = Path(vec![Step::Attribute(name.clone())]);
        let origins = world.origins(candidate.at, &path);
        let [own] = origins.as_slice() else { return Match::Maybe };
        match (origin, own) {
            (WantedOrigin::Other(wanted), ValueOrigin::Block { module, block, key }) => {
                let is_same_block = (module, block) == (&wanted.0, &wanted.1);
                match (is_same_block, key == &wanted.2) {
                    (true, true) => Match::Yes,
                    // Without a key it is not known which instance is meant.
                    (true, false) if key.is_some() && wanted.2.is_some() => Match::No,
                    (true, false) => Match::Maybe,
                    (false, _) if kind_of(block) == kind_of(&wanted.1) => Match::No,
                    (false, _) => Match::Maybe,
                }
            }
            // The judged object refers to the candidate: `kms_key_id = aws_kms_key.a.arn`.
            (WantedOrigin::Other(wanted), _) if !value.is_known() => {
                let (module, block, key) = self.needs.identity(candidate.at);
                match (module, block) == (wanted.0.clone(), wanted.1.clone()) {
                    true if key == wanted.2 => Match::Yes,
                    true if key.is_some() && wanted.2.is_some() => Match::No,
                    true => Match::Maybe,
                    // An argument that only the provider sets is that of the candidate itself.
                    false if object::is_computed(name) => Match::No,
                    false => Match::Maybe,
                }
            }
            (WantedOrigin::Itself(referrer, label), ValueOrigin::Block { block, .. }) => {
                match referrer.is_origin(own, value) {
                    Some(true) => Match::Yes,
                    Some(false) if kind_of(block) == label.as_str() => Match::No,
                    _ => Match::Maybe,
                }
            }
            _ => Match::Maybe,
        }
    }
}

/// The type in `TYPE.NAME`.
fn kind_of(block: &str) -> &str {
    block.split('.').next().unwrap_or_default()
}

/// Whether two values are equal after conversion; `None` if that is not known.
fn is_same(one: &Value, other: &Value) -> Option<bool> {
    let is_open = |it: &Value| !it.is_wholly_known() || it.deep_marks().contains(Marks::UNDECIDED);
    if is_open(one) || is_open(other) {
        return None;
    }
    if one.is_null() || other.is_null() {
        return Some(one.is_null() && other.is_null());
    }
    let of = |it: &Value| convert(it, &Type::String).ok().filter(|text| text.as_str().is_some());
    if let (Some(one), Some(other)) = (of(one), of(other)) {
        return Some(one.as_str() == other.as_str());
    }
    let (one, other) = (one.clone().unmark_deep().0, other.clone().unmark_deep().0);
    let is_equal = ops::equals(&one, &other).as_bool();
    // Whether a map has to be equal, or only to contain the filter's members, is not documented.
    if let (Some(false), Some(all), Some(some)) = (is_equal, one.as_mapping(), other.as_mapping()) {
        let contains = some
            .iter()
            .all(|(name, it)| all.get(name).is_some_and(|value| is_same(value, it) != Some(false)));
        return if contains { None } else { Some(false) };
    }
    is_equal
}

impl OfType {
    /// The places of the objects that may match: by a text in the filter, if there is one.
    fn narrowed(&self, wanted: &[Wanted<'_>]) -> Vec<usize> {
        let of_text = wanted.iter().find_map(|it| {
            let text = it.value.as_str().filter(|_| it.value.is_known())?;
            Some((it.name, text))
        });
        let Some((name, text)) = of_text else { return (0..self.all.len()).collect() };
        let known = self.by_text.borrow().get(name).cloned();
        let index = known.unwrap_or_else(|| {
            let index = Rc::new(self.index(name));
            self.by_text.borrow_mut().insert(name.clone(), Rc::clone(&index));
            index
        });
        let mut found = index.texts.get(text).cloned().unwrap_or_default();
        found.extend(&index.others);
        found.sort_unstable();
        found
    }

    fn index(&self, name: &SmolStr) -> ByText {
        let mut index = ByText::default();
        for (at, it) in self.all.iter().enumerate() {
            let value = it.attrs.as_mapping().and_then(|it| it.get(name));
            let is_decided = |it: &&Value| it.is_known() && !it.marks().is_undecided();
            match value.filter(is_decided).and_then(Value::as_str) {
                Some(text) => index.texts.entry(text.into()).or_default().push(at),
                None => index.others.push(at),
            }
        }
        index
    }
}
