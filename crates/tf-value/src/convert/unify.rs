//! Unification: one type for several, as the branches of a conditional or the elements of `list(any)`
//! need it. For example: `string` and `number` unify to `string`.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, HashSet},
};

use super::{ConvertError, convert, or_undecided};
use crate::{ObjectType, Type, Value};
use smol_str::SmolStr;
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
    order(types)
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

// Finds the conversion from one type to another.

/// A conversion that exists between two types.
#[derive(Clone, Debug)]
pub struct Conversion {
    pub(super) target: Type,
    pub(super) step: Method,
}

/// Conversions nest as deep as the types, so dropping them needs the same care.
impl Drop for Conversion {
    fn drop(&mut self) {
        let step = std::mem::replace(&mut self.step, Method::Keep);
        if !matches!(step, Method::Keep | Method::Any | Method::Late) {
            guarded(|| drop(step));
        }
    }
}

/// How to convert a known value that is not null.
#[derive(Clone, Debug)]
pub(super) enum Method {
    /// The types are equal.
    Keep,
    /// The target accepts any type.
    Any,
    /// The source type is not known yet.
    Late,
    Stringify,
    ParseNumber,
    ParseBool,
    /// Converts every attribute of the target type that the source has.
    Attributes(BTreeMap<SmolStr, Conversion>),
    Elements(Vec<Conversion>),
    /// Converts a list or set element by element to the target list or set.
    Sequence(Box<Conversion>),
    Map(Box<Conversion>),
    /// Converts a tuple to the target list or set.
    TupleToSequence(Vec<Conversion>),
    /// Converts an object; with the element type to which the attributes were unified, and whether their
    /// conversions may fail.
    ObjectToMap(BTreeMap<SmolStr, Conversion>, Type, bool),
    /// Converts a map; `None` for an optional attribute that no element of the map converts to.
    MapToObject(BTreeMap<SmolStr, Option<Conversion>>),
}

impl Conversion {
    /// The conversion from one type to another, if there is one. It may still fail for a value: a string
    /// that is not a number, a map that lacks an attribute.
    pub fn find(source: &Type, target: &Type) -> Option<Conversion> {
        find(source, target, true)
    }

    /// A conversion that cannot fail and loses nothing: unification allows only these.
    pub fn find_safe(source: &Type, target: &Type) -> Option<Conversion> {
        find(source, target, false)
    }

    /// Keeps values if the types are equal, apart from `optional(…)`, which no value has in its type.
    /// That follows from the conversions found inside: comparing the types at every level would take the
    /// square of their depth.
    fn or_keep(mut self, source: &Type) -> Conversion {
        let keeps = |it: &Conversion| matches!(it.step, Method::Keep);
        let equal = match (&self.step, source, &self.target) {
            (Method::Attributes(inner), Type::Object(from), Type::Object(to)) => {
                from.attributes.len() == to.attributes.len()
                    && (from.optional == to.optional || !source.has_optional())
                    && inner.len() == to.attributes.len()
                    && inner.values().all(keeps)
            }
            (Method::Elements(inner), _, _) => inner.iter().all(keeps),
            (Method::Sequence(inner), Type::List(_), Type::List(_))
            | (Method::Sequence(inner), Type::Set(_), Type::Set(_))
            | (Method::Map(inner), _, _) => keeps(inner),
            _ => false,
        };
        if equal {
            self.step = Method::Keep;
        }
        self
    }
}

/// Like `Conversion::find`, where equal types need no conversion.
pub(super) fn find_or_keep(source: &Type, target: &Type, lossy: bool) -> Option<Conversion> {
    if source.shares(target) {
        return Some(Conversion { target: target.clone(), step: Method::Keep });
    }
    Some(find(source, target, lossy)?.or_keep(source))
}

pub(super) fn find(source: &Type, target: &Type, lossy: bool) -> Option<Conversion> {
    let step = guarded(|| find_step(source, target, lossy))?;
    Some(Conversion { target: target.clone(), step })
}

fn find_step(source: &Type, target: &Type, lossy: bool) -> Option<Method> {
    let step = match (source, target) {
        (_, Type::Dynamic) => Method::Any,
        (Type::Dynamic, _) if lossy => Method::Late,
        (Type::Number | Type::Bool, Type::String) => Method::Stringify,
        (Type::String, Type::Number) if lossy => Method::ParseNumber,
        (Type::String, Type::Bool) if lossy => Method::ParseBool,
        (Type::Object(_), Type::Object(_)) => attributes(source, target, lossy)?,
        (Type::Tuple(from), Type::Tuple(to)) if from.len() == to.len() => {
            let pairs = from.iter().zip(to.iter());
            let elements = pairs.map(|(from, to)| find_or_keep(from, to, lossy));
            Method::Elements(elements.collect::<Option<_>>()?)
        }
        (Type::List(_), Type::Set(_)) if !lossy => return None,
        (Type::List(from) | Type::Set(from), Type::List(to) | Type::Set(to)) => {
            Method::Sequence(Box::new(find_or_keep(from, to, lossy)?))
        }
        (Type::Map(from), Type::Map(to)) => Method::Map(Box::new(find_or_keep(from, to, lossy)?)),
        (Type::Tuple(from), Type::List(to) | Type::Set(to)) => tuple_to_sequence(from, to, lossy)?,
        (Type::Object(_), Type::Map(to)) => object_to_map(source, to, lossy)?,
        (Type::Map(from), Type::Object(_)) if lossy => map_to_object(from, target)?,
        _ => return None,
    };
    Some(step)
}

fn attributes(source: &Type, target: &Type, lossy: bool) -> Option<Method> {
    let (Type::Object(from), Type::Object(to)) = (source, target) else { return None };
    let mut conversions = BTreeMap::new();
    for (name, wanted) in &to.attributes {
        match from.attributes.get(name) {
            Some(given) => {
                conversions.insert(name.clone(), find_or_keep(given, wanted, lossy)?);
            }
            None if to.optional.contains(name) => (),
            None => return None,
        }
    }
    Some(Method::Attributes(conversions))
}

/// The elements of `list(any)` and `set(any)` must have one type in the end.
fn tuple_to_sequence(from: &[Type], to: &Type, lossy: bool) -> Option<Method> {
    if from.is_empty() {
        return Some(Method::TupleToSequence(Vec::new()));
    }
    let mut element = to.clone();
    if *to == Type::Dynamic {
        element = unify_types(from, lossy)?.ty;
        if element == Type::Dynamic && from.iter().any(|it| *it != Type::Dynamic) {
            return None;
        }
    }
    let conversions = from.iter().map(|it| find_or_keep(it, &element, lossy));
    Some(Method::TupleToSequence(conversions.collect::<Option<_>>()?))
}

fn object_to_map(source: &Type, to: &Type, lossy: bool) -> Option<Method> {
    let Type::Object(from) = source else { return None };
    if from.attributes.is_empty() {
        return Some(Method::ObjectToMap(BTreeMap::new(), to.clone(), lossy));
    }
    let mut element = to.clone();
    if *to == Type::Dynamic {
        let types: Vec<Type> = from.attributes.values().cloned().collect();
        element = unify_types(&types, lossy)?.ty;
    }
    let mut conversions = BTreeMap::new();
    for (name, given) in &from.attributes {
        conversions.insert(name.clone(), find_or_keep(given, &element, lossy)?);
    }
    Some(Method::ObjectToMap(conversions, element, lossy))
}

fn map_to_object(from: &Type, target: &Type) -> Option<Method> {
    let Type::Object(to) = target else { return None };
    let mut conversions = BTreeMap::new();
    for (name, wanted) in &to.attributes {
        let conversion = find_or_keep(from, wanted, true);
        if conversion.is_none() && !to.optional.contains(name) {
            return None;
        }
        conversions.insert(name.clone(), conversion);
    }
    Some(Method::MapToObject(conversions))
}

// The order in which unification tries several types: the most general one first.

/// The indices of the types, most general first; incomparable types keep their order.
pub(super) fn order(types: &[&Type]) -> Vec<usize> {
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); types.len()];
    let mut above = vec![0usize; types.len()];
    for (i, left) in types.iter().enumerate() {
        for (j, right) in types.iter().enumerate().skip(i + 1) {
            let (general, special) = match compare(left, right) {
                Ordering::Less => (i, j),
                Ordering::Greater => (j, i),
                Ordering::Equal => continue,
            };
            below[general].push(special);
            above[special] += 1;
        }
    }
    let mut result: Vec<usize> = (0..types.len()).filter(|it| above[*it] == 0).collect();
    let mut next = 0;
    while let Some(&index) = result.get(next) {
        next += 1;
        for &special in &below[index] {
            above[special] -= 1;
            if above[special] == 0 {
                result.push(special);
            }
        }
    }
    result
}

/// The order of two types: `Less` if `left` is the more general one.
fn compare(left: &Type, right: &Type) -> Ordering {
    guarded(|| match (left, right) {
        (Type::List(left), Type::List(right))
        | (Type::Set(left), Type::Set(right))
        | (Type::Map(left), Type::Map(right)) => compare(left, right),
        (Type::Object(left), Type::Object(right)) => {
            if !left.attributes.keys().eq(right.attributes.keys()) {
                return Ordering::Equal;
            }
            all(left.attributes.values().zip(right.attributes.values()))
        }
        (Type::Tuple(left), Type::Tuple(right)) if left.len() == right.len() => {
            all(left.iter().zip(right.iter()))
        }
        _ if is_more_general(left, right) => Ordering::Less,
        _ if is_more_general(right, left) => Ordering::Greater,
        _ => Ordering::Equal,
    })
}

/// Whether `left` is more general, for types of different kinds. An unknown type is the least general.
fn is_more_general(left: &Type, right: &Type) -> bool {
    match (left, right) {
        (Type::Dynamic, Type::Dynamic) => false,
        (_, Type::Dynamic)
        | (Type::String, Type::Number | Type::Bool)
        | (Type::Tuple(_) | Type::List(_), Type::Set(_))
        | (Type::List(_), Type::Tuple(_))
        | (Type::Map(_), Type::Object(_)) => true,
        _ => false,
    }
}

/// The order on which all comparable pairs agree.
fn all<'a>(pairs: impl Iterator<Item = (&'a Type, &'a Type)>) -> Ordering {
    let mut result = Ordering::Equal;
    for (left, right) in pairs {
        match (compare(left, right), result) {
            (Ordering::Equal, _) => (),
            (order, Ordering::Equal) => result = order,
            (order, before) if order != before => return Ordering::Equal,
            _ => (),
        }
    }
    result
}
