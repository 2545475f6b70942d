//! A plan with its sources: what the plan knows counts, and what it leaves out comes from the sources.

use std::collections::BTreeMap;

use foldhash::HashMap;
use smol_str::SmolStr;

use super::{
    aligned,
    configured::Configured,
    language::BlockKind,
    plan::without_keys,
    planned::Planned,
    subjects::{Absent, Head, PolicySubject, Source, World},
};
use diagnostics::{Excerpt, Location};
use stack::guarded;
use tf_value::{Number, Path, Step, Type, Value, ValueContent};
use verdict::written::{META, ValueOrigin};

/// The arguments of a call that Terraform itself reads; a plan does not contain them.
const OF_CALLS: &[&str] = &["count", "for_each", "providers", "depends_on"];

/// A plan, and the configuration that it was made from.
pub(super) struct Sourced<'p> {
    planned: Planned<'p>,
    configured: Configured<'p>,
    /// The places of the configuration's objects by module, block and key.
    places: HashMap<(String, String, Option<String>), usize>,
    /// The places of objects whose keys are not known, by module and block. One such object represents all
    /// instances.
    open: HashMap<(String, String), usize>,
    /// The places of ephemeral resources, which are in no plan.
    ephemeral: Vec<usize>,
}

impl<'p> Sourced<'p> {
    pub fn new(planned: Planned<'p>, configured: Configured<'p>) -> Self {
        let (mut places, mut open) = (HashMap::default(), HashMap::default());
        let mut ephemeral = Vec::new();
        for at in 0..configured.len() {
            let head = configured.head(at);
            let (module, block) = (head.module.to_owned(), head.block());
            if head.kind == BlockKind::Ephemeral {
                ephemeral.push(at);
            } else if configured.stays(at).is_none() {
                open.insert((module, block), at);
            } else {
                places.insert((module, block, configured.key(at)), at);
            }
        }
        Sourced { planned, configured, places, open, ephemeral }
    }

    /// The place of a planned object among those of the configuration.
    fn place(&self, at: usize) -> Option<usize> {
        let head = self.planned.head(at);
        let (module, block) = (head.module.to_owned(), head.block());
        let key = (module, block, self.planned.key(at));
        self.places.get(&key).or_else(|| self.open.get(&(key.0, key.1))).copied()
    }

    /// The place of an ephemeral resource in the configuration. In this world they are numbered after all
    /// planned objects.
    fn ephemeral(&self, at: usize) -> Option<usize> {
        let at = at.checked_sub(self.planned.len())?;
        self.ephemeral.get(at).copied()
    }
}

/// Where a planned object is written.
struct There<'p> {
    here: Box<dyn Source + 'p>,
    planned: Value,
    written: Value,
}

impl There<'_> {
    /// The path in the configuration for a path in the plan; the same path if that cannot be determined.
    fn path(&self, path: &Path) -> Path {
        let mut all = written_paths(&self.planned, &self.written, path);
        if all.len() == 1 { all.remove(0) } else { path.clone() }
    }

    /// Whether an argument may hold a secret: the plan marks it as one, or has null for a written value, as for
    /// a write-only argument.
    fn is_secret(&self, path: &Path) -> bool {
        let Some(Step::Attribute(name)) = path.0.first() else { return false };
        let of = |value: &Value| value.as_mapping().and_then(|it| it.get(name)).cloned();
        let is_written = || of(&self.written).is_some_and(|it| !it.is_null());
        of(&self.planned)
            .is_some_and(|it| it.deep_marks().is_hidden() || it.is_null() && is_written())
    }
}

impl Source for There<'_> {
    fn location(&self, path: &Path) -> Location {
        let mut location = self.here.location(&self.path(path));
        // In JSON the line may hold other arguments, too, which may be secrets.
        let is_json = location.file.to_ascii_lowercase().ends_with(".json");
        if is_json || self.is_secret(path) {
            location.excerpt = Excerpt::default();
        }
        location
    }

    fn origin(&self, path: &Path) -> ValueOrigin {
        self.here.origin(&self.path(path))
    }

    fn is_left_out(&self, path: &Path) -> bool {
        self.here.is_left_out(&self.path(path))
    }

    fn undecided(&self, path: &Path) -> Vec<String> {
        self.here.undecided(&self.path(path))
    }
}

/// A planned object with what the configuration says about it.
fn joined<'s>(planned: &PolicySubject<'s>, written: PolicySubject<'s>) -> PolicySubject<'s> {
    let mut members = planned.attrs.as_mapping().cloned().unwrap_or_default();
    for (name, it) in written.attrs.as_mapping().into_iter().flatten() {
        let known = members.get(name).map(|planned| filled(planned, it));
        members.insert(name.clone(), known.unwrap_or_else(|| it.clone()));
    }
    PolicySubject {
        acting: planned.acting,
        attrs: Value::object(members).with_marks(planned.attrs.marks()),
        prior: planned.prior.clone(),
        absent: Absent::Null,
        ..written
    }
}

impl World for Sourced<'_> {
    fn len(&self) -> usize {
        self.planned.len() + self.ephemeral.len()
    }

    fn head(&self, at: usize) -> Head<'_> {
        match self.ephemeral(at) {
            Some(at) => self.configured.head(at),
            None => self.planned.head(at),
        }
    }

    fn key(&self, at: usize) -> Option<String> {
        match self.ephemeral(at) {
            Some(at) => self.configured.key(at),
            None => self.planned.key(at),
        }
    }

    fn stays(&self, at: usize) -> Option<bool> {
        match self.ephemeral(at) {
            Some(at) => self.configured.stays(at),
            None => self.planned.stays(at),
        }
    }

    fn unasked(&self, at: usize) -> Vec<SmolStr> {
        match self.ephemeral(at) {
            Some(at) => self.configured.unasked(at),
            None => self.planned.unasked(at),
        }
    }

    fn text(&self, at: usize, name: &str) -> Option<SmolStr> {
        match self.ephemeral(at) {
            Some(at) => self.configured.text(at, name),
            None => self.planned.text(at, name),
        }
    }

    fn subject(&self, at: usize) -> Result<PolicySubject<'_>, String> {
        if let Some(at) = self.ephemeral(at) {
            return self.configured.subject(at);
        }
        let mut subject = self.planned.subject(at)?;
        // A deleted object is not in the configuration any more.
        let keeps = self.planned.stays(at) == Some(true);
        let place = self.place(at).filter(|_| keeps);
        let mut members = subject.attrs.as_mapping().cloned().unwrap_or_default();
        let Some(place) = place else {
            for name in META {
                let unknown = || Value::unknown(Type::Dynamic);
                members.entry(SmolStr::new_static(name)).or_insert_with(unknown);
            }
            let attrs = Value::object(members).with_marks(subject.attrs.marks());
            return Ok(PolicySubject { attrs, ..subject });
        };
        let part = self.configured.part(place);
        let written = part.value.as_mapping().cloned().unwrap_or_default();
        for (name, planned) in &mut members {
            if let Some(it) = written.get(name) {
                *planned = filled(planned, it);
            }
        }
        for name in META {
            let it = written.get(name).cloned().unwrap_or_else(|| Value::null(Type::Dynamic));
            members.entry(SmolStr::new_static(name)).or_insert(it);
        }
        let planned = std::mem::replace(&mut subject.attrs, Value::null(Type::Dynamic));
        subject.attrs = Value::object(members).with_marks(planned.marks());
        let written = part.value.clone();
        subject.source =
            Some(Box::new(There { here: self.configured.source(part), planned, written }));
        Ok(subject)
    }

    fn origins(&self, at: usize, path: &Path) -> Vec<ValueOrigin> {
        if let Some(at) = self.ephemeral(at) {
            return self.configured.origins(at, path);
        }
        let Some(place) = self.place(at) else { return self.planned.origins(at, path) };
        let paths = match self.planned.subject(at) {
            Ok(it) if path.0.iter().any(|it| position(it).is_some()) => {
                written_paths(&it.attrs, &self.configured.part(place).value, path)
            }
            _ => vec![path.clone()],
        };
        let mut found: Vec<ValueOrigin> =
            paths.iter().flat_map(|it| self.configured.origins(place, it)).collect();
        found.dedup();
        if found.is_empty() || found.contains(&ValueOrigin::Unknown) {
            return self.planned.origins(at, path);
        }
        found
    }

    fn others(&self) -> Result<Vec<PolicySubject<'_>>, String> {
        // A plan has each call and provider once, however many instances its module has.
        let mut written: BTreeMap<String, Vec<PolicySubject<'_>>> = BTreeMap::new();
        for it in self.configured.others()? {
            written.entry(without_keys(&it.address)).or_default().push(it);
        }
        let mut found = Vec::new();
        for it in self.planned.others()? {
            match written.remove(it.address.as_str()) {
                Some(all) => found.extend(all.into_iter().map(|written| joined(&it, written))),
                None if it.kind == BlockKind::Module => {
                    found.push(PolicySubject { untold: OF_CALLS, ..it });
                }
                None => found.push(it),
            }
        }
        found.extend(written.into_values().flatten().filter(|it| it.kind == BlockKind::Terraform));
        Ok(found)
    }

    fn types(&self) -> Vec<(BlockKind, SmolStr)> {
        let mut types = self.planned.types();
        types.extend(self.configured.types());
        types
    }

    fn further(&self) -> Option<String> {
        self.planned.further()
    }

    fn tells_what_is_written(&self) -> bool {
        true
    }
}

/// The indices of the written elements that a planned one may come from. An element that is completely unknown
/// in the plan keeps its index: only sets are reordered, and a plan knows either all elements of a set or none,
/// unless they are blocks.
fn written_elements(planned: &[Value], written: &[Value], at: usize) -> Vec<usize> {
    if !planned[at].is_known() && planned.len() == written.len() {
        return vec![at];
    }
    aligned::candidates(planned.len(), written.len(), |it| {
        aligned::may_be(&planned[at], &written[it])
    })
}

/// The paths in the configuration where the value at a path of a plan may be written; empty if they cannot be
/// determined.
fn written_paths(planned: &Value, written: &Value, path: &Path) -> Vec<Path> {
    let Some((step, behind)) = path.0.split_first() else { return vec![Path::default()] };
    let within = |step: &Step, planned: &Value, written: &Value| {
        let paths = written_paths(planned, written, &Path(behind.to_vec()));
        let longer = |it: Path| Path([step.clone()].into_iter().chain(it.0).collect());
        paths.into_iter().map(longer).collect::<Vec<_>>()
    };
    match (planned.content(), written.content(), position(step)) {
        (ValueContent::Sequence(planned), ValueContent::Sequence(written), Some(at))
            if at < planned.len() =>
        {
            let all = written_elements(planned, written, at).into_iter();
            all.flat_map(|it| within(&Step::index(it), &planned[at], &written[it])).collect()
        }
        _ => match (inside_of(planned, step), inside_of(written, step)) {
            (Some(planned), Some(written)) => within(step, planned, written),
            // Where one side has no such part, the rest of the path is the same on both sides.
            _ => vec![path.clone()],
        },
    }
}

/// The index of a step into a list.
fn position(step: &Step) -> Option<usize> {
    let Step::Index(it) = step else { return None };
    usize::try_from(it.as_number().and_then(Number::to_u64)?).ok()
}

/// The member or element of a known value.
fn inside_of<'v>(value: &'v Value, step: &Step) -> Option<&'v Value> {
    match (value.content(), step) {
        (ValueContent::Mapping(all), Step::Attribute(name)) => all.get(name),
        (ValueContent::Mapping(all), Step::Index(key)) => all.get(key.as_str()?),
        (ValueContent::Sequence(all), step) => all.get(position(step)?),
        _ => None,
    }
}

/// The planned value with its unknown parts filled in from the written one. Parts that the plan knows stay.
fn filled(planned: &Value, written: &Value) -> Value {
    if written.marks().is_undecided() {
        return planned.clone();
    }
    guarded(|| match (planned.content(), written.content()) {
        (ValueContent::Unknown(_), ValueContent::Null) => planned.clone(),
        (ValueContent::Unknown(_), ValueContent::Unknown(_)) if planned.refinements().is_some() => {
            planned.clone()
        }
        (ValueContent::Unknown(_), _) => written.clone().with_marks(planned.marks()),
        (ValueContent::Mapping(known), ValueContent::Mapping(all)) => {
            let member = |(name, it): (&SmolStr, &Value)| {
                let value = all.get(name).map_or_else(|| it.clone(), |all| filled(it, all));
                (name.clone(), value)
            };
            Value::object(known.iter().map(member).collect()).with_marks(planned.marks())
        }
        (ValueContent::Sequence(known), ValueContent::Sequence(all))
            if known.len() == all.len() =>
        {
            let element =
                |(at, it): (usize, &Value)| match written_elements(known, all, at).as_slice() {
                    [at] => filled(it, &all[*at]),
                    _ => it.clone(),
                };
            let elements = known.iter().enumerate().map(element);
            Value::tuple(elements.collect()).with_marks(planned.marks())
        }
        _ => planned.clone(),
    })
}
