//! Unification: one type for several, as the branches of a conditional or the elements of `list(any)`
//! need it. For example: `string` and `number` unify to `string`.

use std::collections::{BTreeMap, HashSet};

use super::{
    Conversion, ConvertError, convert,
    find::{find, find_or_keep},
    or_undecided, preference,
};
use crate::{ObjectType, Type, Value};
use stack::guarded;

/// The result of a unification.
#[derive(Clone, Debug, PartialEq)]
pub struct Unified {
    pub ty: Type,
    /// Whether a structural type was unknown, so that the result is unknown.
    pub undetermined: bool,
    /// The map type that an object next to maps was converted to, or the list type that a tuple
    /// next to lists was converted to.
    through: Option<Type>,
}

impl Unified {
    /// Converts one of the values whose types were unified.
    pub fn apply(&self, value: &Value) -> Result<Value, ConvertError> {
        if self.undetermined {
            return Ok(Value::unknown(Type::Dynamic).with_marks(value.deep_marks()));
        }
        match self.second_step(value.ty()) {
            Some(conversion) => or_undecided(conversion.apply(value), value, &self.ty),
            None => convert(value, &self.ty),
        }
    }

    /// cty converts an object to the result in two steps, the first to a map. It forgets the first step if there is a
    /// second one: `{ a = [1], b = ["x"] }` next to an empty map keeps two types.
    fn second_step(&self, ty: &Type) -> Option<Conversion> {
        let through = self.through.as_ref().filter(|it| **it != self.ty)?;
        if !matches!(ty, Type::Object(_) | Type::Tuple(_)) {
            return None;
        }
        find(through, &self.ty, true)
    }
}

/// The one type to which all convert without loss, as the branches of a conditional need it; `None` if
/// there is none, or no type is given.
pub fn unify(types: &[Type]) -> Option<Unified> {
    unify_given(types, false)
}

/// Like [`unify`], with conversions that may fail for a value, as `list(any)` allows them.
pub fn unify_unsafe(types: &[Type]) -> Option<Unified> {
    unify_given(types, true)
}

/// Equal types are common and quick to recognise. Recognising them again at each level inside would take
/// the square of their depth.
fn unify_given(types: &[Type], lossy: bool) -> Option<Unified> {
    match types {
        [first, rest @ ..] if rest.iter().all(|it| it == first) => Some(first.clone().into()),
        _ => unify_types(types, lossy),
    }
}

#[expect(clippy::mutable_key_type, reason = "what may change in a type is its hash, made once")]
pub(super) fn unify_types(types: &[Type], lossy: bool) -> Option<Unified> {
    let mut seen = HashSet::new();
    let distinct: Vec<&Type> = match types {
        [first, rest @ ..] if rest.iter().all(|it| it.shares(first)) => vec![first],
        [_, _] => types.iter().collect(),
        _ => types.iter().filter(|it| seen.insert(*it)).collect(),
    };
    unify_distinct(&distinct, lossy)
}

impl From<Type> for Unified {
    fn from(ty: Type) -> Unified {
        Unified { ty, undetermined: false, through: None }
    }
}

impl Unified {
    /// Whether each of the types certainly converts to it. An object next to maps, or a tuple next to lists, may not.
    fn is_certain(&self) -> bool {
        self.through.is_none()
    }
}

/// The number of types of each kind.
#[derive(Default)]
struct Kinds {
    maps: usize,
    lists: usize,
    sets: usize,
    objects: usize,
    tuples: usize,
    dynamics: usize,
}

impl Kinds {
    fn of(types: &[&Type]) -> Kinds {
        let mut kinds = Kinds::default();
        for ty in types {
            match ty {
                Type::Map(_) => kinds.maps += 1,
                Type::List(_) => kinds.lists += 1,
                Type::Set(_) => kinds.sets += 1,
                Type::Object(_) => kinds.objects += 1,
                Type::Tuple(_) => kinds.tuples += 1,
                Type::Dynamic => kinds.dynamics += 1,
                _ => (),
            }
        }
        kinds
    }
}

fn unify_distinct(types: &[&Type], lossy: bool) -> Option<Unified> {
    if let [only] = types {
        return Some((*only).clone().into());
    }
    guarded(|| unify_kinds(types, lossy))
}

/// Unifies types of one structural kind, whose common type may be none of them.
fn unify_kinds(types: &[&Type], lossy: bool) -> Option<Unified> {
    let kinds = Kinds::of(types);
    let all = |count: usize, also: usize| count > 0 && count + also + kinds.dynamics == types.len();
    let uniform =
        [kinds.maps, kinds.lists, kinds.sets, kinds.objects, kinds.tuples].map(|it| all(it, 0));
    if uniform.contains(&true) && kinds.dynamics > 0 {
        return Some(Unified { undetermined: true, ..Type::Dynamic.into() });
    }
    match uniform {
        [true, ..] => return collections(types, Type::map, lossy),
        [_, true, ..] => return collections(types, Type::list, lossy),
        [_, _, true, ..] => return collections(types, Type::set, lossy),
        [_, _, _, true, _] => return objects(types, lossy),
        [.., true] => return tuples(types, lossy),
        _ => (),
    }
    if all(kinds.maps, kinds.objects)
        && let Some(unified) = disguised(types, lossy, |it| matches!(it, Type::Object(_)))
        && matches!(unified.ty, Type::Map(_))
    {
        return Some(unified);
    }
    if all(kinds.lists, kinds.tuples)
        && kinds.maps == 0
        && let Some(unified) = disguised(types, lossy, |it| matches!(it, Type::Tuple(_)))
        && matches!(unified.ty, Type::List(_))
    {
        return Some(unified);
    }
    let structural = all(kinds.maps, kinds.objects) || all(kinds.lists, kinds.tuples);
    if !structural && kinds.objects > 0 && kinds.tuples > 0 {
        return None;
    }
    preferred(types, lossy)
}

/// The first type in order of preference that all others convert to.
fn preferred(types: &[&Type], lossy: bool) -> Option<Unified> {
    preference::order(types)
        .into_iter()
        .filter_map(|index| types.get(index))
        .find(|wanted| types.iter().all(|it| find_or_keep(it, wanted, lossy).is_some()))
        .map(|wanted| (*wanted).clone().into())
}

fn collections(types: &[&Type], kind: fn(Type) -> Type, lossy: bool) -> Option<Unified> {
    let elements: Vec<Type> = types.iter().filter_map(|it| it.element().cloned()).collect();
    let element = unify_types(&elements, lossy)?;
    let is_certain = element.is_certain();
    let unified = kind(element.ty);
    (is_certain || reachable(types, &unified, lossy)).then(|| unified.into())
}

/// Whether every type converts to the unified one.
fn reachable(types: &[&Type], unified: &Type, lossy: bool) -> bool {
    types.iter().all(|it| *it == unified || find(it, unified, lossy).is_some())
}

/// Unifies objects next to maps, or tuples next to lists, by way of the map or list that they convert to.
fn disguised(types: &[&Type], lossy: bool, is_disguised: fn(&Type) -> bool) -> Option<Unified> {
    let structural: Vec<&Type> = types.iter().copied().filter(|it| is_disguised(it)).collect();
    let as_collection = match structural.first()? {
        Type::Object(_) => objects_to_map(&structural, lossy)?,
        _ => tuples_to_list(&structural, lossy)?,
    };
    let shown: Vec<Type> = types
        .iter()
        .map(|it| if is_disguised(it) { as_collection.ty.clone() } else { (*it).clone() })
        .collect();
    let unified = unify_types(&shown, lossy)?;
    Some(Unified { through: Some(as_collection.ty), ..unified })
}

/// Objects with the same attribute names are unified attribute by attribute; others become a map.
fn objects(types: &[&Type], lossy: bool) -> Option<Unified> {
    let objects: Vec<&ObjectType> = types.iter().filter_map(|it| it.as_object()).collect();
    let first = objects.first()?;
    if !objects.iter().all(|it| it.attributes.keys().eq(first.attributes.keys())) {
        return objects_to_map(types, lossy);
    }
    let mut attributes = BTreeMap::new();
    let mut is_certain = true;
    for name in first.attributes.keys() {
        let across: Vec<Type> =
            objects.iter().filter_map(|it| it.attributes.get(name).cloned()).collect();
        let attribute = unify_types(&across, lossy)?;
        is_certain &= attribute.is_certain();
        attributes.insert(name.clone(), attribute.ty);
    }
    let unified = Type::object(attributes);
    if is_certain || reachable(types, &unified, lossy) {
        return Some(unified.into());
    }
    objects_to_map(types, lossy)
}

fn objects_to_map(types: &[&Type], lossy: bool) -> Option<Unified> {
    let objects = types.iter().filter_map(|it| it.as_object());
    let attributes: Vec<Type> = objects.flat_map(|it| it.attributes.values().cloned()).collect();
    let element = unify_types(&attributes, lossy)?;
    let is_certain = element.is_certain() && element.ty != Type::Dynamic;
    let unified = Type::map(element.ty);
    (is_certain || reachable(types, &unified, lossy)).then(|| unified.into())
}

/// Tuples of the same length are unified element by element; others become a list.
fn tuples(types: &[&Type], lossy: bool) -> Option<Unified> {
    let tuples: Vec<&[Type]> = types.iter().filter_map(|it| it.as_tuple()).collect();
    let first = tuples.first()?;
    if !tuples.iter().all(|it| it.len() == first.len()) {
        return tuples_to_list(types, lossy);
    }
    let mut elements = Vec::with_capacity(first.len());
    let mut is_certain = true;
    for index in 0..first.len() {
        let across: Vec<Type> = tuples.iter().filter_map(|it| it.get(index).cloned()).collect();
        let element = unify_types(&across, lossy)?;
        is_certain &= element.is_certain();
        elements.push(element.ty);
    }
    let unified = Type::tuple(elements);
    if is_certain || reachable(types, &unified, lossy) {
        return Some(unified.into());
    }
    tuples_to_list(types, lossy)
}

fn tuples_to_list(types: &[&Type], lossy: bool) -> Option<Unified> {
    let elements: Vec<Type> =
        types.iter().filter_map(|it| it.as_tuple()).flatten().cloned().collect();
    let element = unify_types(&elements, lossy)?;
    let is_certain = element.is_certain() && element.ty != Type::Dynamic;
    let unified = Type::list(element.ty);
    (is_certain || reachable(types, &unified, lossy)).then(|| unified.into())
}
