//! A plan with its sources: what the plan knows counts, and what it leaves out comes from the sources.

use std::collections::BTreeMap;

use foldhash::HashMap;
use smol_str::SmolStr;

use super::{
    configured::Configured,
    language::Kind,
    plan::without_keys,
    planned::Planned,
    subjects::{Absent, Head, Subject, World},
};
use crate::{
    value::{Content, Path, Type, Value, guarded},
    verdict::written::{META, Origin},
};

/// What Terraform itself reads in a call.
const OF_CALLS: &[&str] = &["count", "for_each", "providers", "depends_on"];

/// A plan, and the configuration that it is of.
pub(super) struct Sourced<'p> {
    planned: Planned<'p>,
    configured: Configured<'p>,
    /// The places of the configuration's objects by module, block and key.
    places: HashMap<(String, String, Option<String>), usize>,
    /// Those of which there is one for all instances.
    open: HashMap<(String, String), usize>,
    /// What stands in no plan.
    ephemeral: Vec<usize>,
}

impl<'p> Sourced<'p> {
    pub fn new(planned: Planned<'p>, configured: Configured<'p>) -> Self {
        let (mut places, mut open) = (HashMap::default(), HashMap::default());
        let mut ephemeral = Vec::new();
        for at in 0..configured.len() {
            let head = configured.head(at);
            let (module, block) = (head.module.to_owned(), head.block());
            if head.kind == Kind::Ephemeral {
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

    /// The place of an ephemeral resource, which stands behind everything that is planned.
    fn ephemeral(&self, at: usize) -> Option<usize> {
        let at = at.checked_sub(self.planned.len())?;
        self.ephemeral.get(at).copied()
    }
}

/// A planned object and where it is written.
fn joined<'s>(planned: &Subject<'s>, written: Subject<'s>) -> Subject<'s> {
    let mut members = planned.attrs.as_mapping().cloned().unwrap_or_default();
    for (name, it) in written.attrs.as_mapping().into_iter().flatten() {
        let known = members.get(name).map(|planned| filled(planned, it));
        members.insert(name.clone(), known.unwrap_or_else(|| it.clone()));
    }
    Subject {
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

    fn text(&self, at: usize, name: &str) -> Option<SmolStr> {
        match self.ephemeral(at) {
            Some(at) => self.configured.text(at, name),
            None => self.planned.text(at, name),
        }
    }

    fn subject(&self, at: usize) -> Result<Subject<'_>, String> {
        if let Some(at) = self.ephemeral(at) {
            return self.configured.subject(at);
        }
        let mut subject = self.planned.subject(at)?;
        // What goes is not written any more.
        let keeps = self.planned.stays(at) == Some(true);
        let place = self.place(at).filter(|_| keeps);
        let mut members = subject.attrs.as_mapping().cloned().unwrap_or_default();
        let Some(place) = place else {
            for name in META {
                let unknown = || Value::unknown(Type::Dynamic);
                members.entry(SmolStr::new_static(name)).or_insert_with(unknown);
            }
            let attrs = Value::object(members).with_marks(subject.attrs.marks());
            return Ok(Subject { attrs, ..subject });
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
        subject.attrs = Value::object(members).with_marks(subject.attrs.marks());
        subject.source = Some(self.configured.source(part));
        Ok(subject)
    }

    fn origin(&self, at: usize, path: &Path) -> Origin {
        if let Some(at) = self.ephemeral(at) {
            return self.configured.origin(at, path);
        }
        let written = self.place(at).map(|it| self.configured.origin(it, path));
        match written {
            None | Some(Origin::Unknown) => self.planned.origin(at, path),
            Some(it) => it,
        }
    }

    fn others(&self) -> Result<Vec<Subject<'_>>, String> {
        // A plan tells of each call and provider once, whatever instances of its module there are.
        let mut written: BTreeMap<String, Vec<Subject<'_>>> = BTreeMap::new();
        for it in self.configured.others()? {
            written.entry(without_keys(&it.address)).or_default().push(it);
        }
        let mut found = Vec::new();
        for it in self.planned.others()? {
            match written.remove(it.address.as_str()) {
                Some(all) => found.extend(all.into_iter().map(|written| joined(&it, written))),
                None if it.kind == Kind::Module => found.push(Subject { untold: OF_CALLS, ..it }),
                None => found.push(it),
            }
        }
        found.extend(written.into_values().flatten().filter(|it| it.kind == Kind::Terraform));
        Ok(found)
    }

    fn tells_what_is_written(&self) -> bool {
        true
    }
}

/// What a plan leaves unknown, as far as the source tells; what the plan knows counts.
fn filled(planned: &Value, written: &Value) -> Value {
    if written.marks().is_undecided() {
        return planned.clone();
    }
    guarded(|| match (planned.content(), written.content()) {
        (Content::Unknown(_), Content::Null) => planned.clone(),
        (Content::Unknown(_), Content::Unknown(_)) if planned.refinements().is_some() => {
            planned.clone()
        }
        (Content::Unknown(_), _) => written.clone().with_marks(planned.marks()),
        (Content::Mapping(known), Content::Mapping(all)) => {
            let member = |(name, it): (&SmolStr, &Value)| {
                let value = all.get(name).map_or_else(|| it.clone(), |all| filled(it, all));
                (name.clone(), value)
            };
            Value::object(known.iter().map(member).collect()).with_marks(planned.marks())
        }
        (Content::Sequence(known), Content::Sequence(all)) if known.len() == all.len() => {
            let elements = known.iter().zip(all.iter()).map(|(it, all)| filled(it, all));
            Value::tuple(elements.collect()).with_marks(planned.marks())
        }
        _ => planned.clone(),
    })
}
