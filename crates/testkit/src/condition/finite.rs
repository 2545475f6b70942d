//! Every input on one side of a translation, where they are few.

use std::collections::BTreeMap;

use module::{Module, Variable};
use projection::{
    condition::Translation,
    schema,
    sets::{Length, Measure, NumberRange, ValueSet},
};
use serde_json::{Map, Value as Json};
use smol_str::SmolStr;
use tf_value::{ObjectType, Type, Value};

use super::matching;

/// The most inputs, or values of one place, that are listed.
const MOST: usize = 300;

/// The most choices whose every order is listed for a set.
const CHOICES: usize = 4;

/// What members of an object can be, those that are named; `None` is a member that is absent.
type Case = BTreeMap<SmolStr, Vec<Option<Json>>>;

/// A member of an object, or an input variable.
struct Slot<'a> {
    ty: &'a Type,
    optional: bool,
    nullable: bool,
}

type Slots<'a> = BTreeMap<&'a SmolStr, Slot<'a>>;

/// Inputs that hold all which the translation accepts (or refuses) when it is exact; `None` where
/// there are too many.
pub fn inputs(
    module: &Module,
    variable: &Variable,
    translation: &Translation,
    accepted: bool,
) -> Option<Vec<Json>> {
    let each = module.variables.values().map(|it| {
        let optional = it.default.is_some();
        (&it.name, Slot { ty: &it.constraint.ty, optional, nullable: it.is_nullable() })
    });
    let slots: Slots = each.collect();
    let region = &translation.region;
    let mut own = Case::new();
    if let Some(values) = values(&region.values, &variable.constraint.ty, accepted) {
        let null = (region.null == accepted).then_some(Json::Null);
        own.insert(variable.name.clone(), values.into_iter().chain(null).map(Some).collect());
    }
    let others = cases(&slots, &translation.inputs, accepted);
    let cases = if accepted { both(vec![own], others)? } else { [vec![own], others].concat() };
    objects(&slots, cases)
}

impl Slot<'_> {
    fn every(&self) -> Option<Vec<Option<Json>>> {
        self.choices(false, &ValueSet::Anything, true)
    }

    /// What the member can be inside (or outside) of a constraint.
    fn choices(
        &self,
        required: bool,
        constraint: &ValueSet,
        inside: bool,
    ) -> Option<Vec<Option<Json>>> {
        let them = values(constraint, self.ty, inside)?.into_iter().filter(|it| !it.is_null());
        let null = self.nullable && constraint.accepts_null() == inside;
        let absent = self.optional && required != inside;
        let null = null.then_some(Some(Json::Null));
        Some(them.map(Some).chain(null).chain(absent.then_some(None)).collect())
    }
}

/// Every object in one of the cases.
fn objects(slots: &Slots<'_>, cases: Vec<Case>) -> Option<Vec<Json>> {
    let mut out = Vec::new();
    for mut case in cases.into_iter().filter(|case| case.values().all(|it| !it.is_empty())) {
        let mut objects = vec![Map::new()];
        for (name, slot) in slots {
            let choices = match case.remove(*name) {
                Some(it) => it,
                None => slot.every()?,
            };
            if objects.len() * choices.len() > MOST {
                return None;
            }
            let with = |members: &Map<String, Json>| {
                let members = members.clone();
                let each = choices.iter().map(move |choice| {
                    let own = choice.clone().map(|it| (name.to_string(), it));
                    members.clone().into_iter().chain(own).collect()
                });
                each.collect::<Vec<Map<_, _>>>()
            };
            objects = objects.iter().flat_map(with).collect();
        }
        out.extend(objects.into_iter().map(Json::from));
    }
    (out.len() <= MOST).then_some(out)
}

/// Cases that hold every object inside (or outside) of a constraint.
fn cases(slots: &Slots<'_>, constraint: &ValueSet, inside: bool) -> Vec<Case> {
    let each = |parts: &[ValueSet]| -> Vec<Vec<Case>> {
        parts.iter().map(|it| cases(slots, it, inside)).collect()
    };
    match (constraint, inside) {
        // How many attributes an object has says nothing.
        (ValueSet::Nothing, true) | (ValueSet::Anything | ValueSet::Length(..), false) => {
            Vec::new()
        }
        (ValueSet::Not(inner), _) => cases(slots, inner, !inside),
        (ValueSet::OneOf(them), true) => {
            let one = |members: &BTreeMap<SmolStr, Value>| {
                let choice = |name: &&SmolStr| {
                    let value = members.get(*name).filter(|it| !it.is_null()).map(json);
                    ((*name).clone(), vec![value])
                };
                slots.keys().map(choice).collect()
            };
            them.iter().filter_map(Value::as_mapping).map(one).collect()
        }
        (ValueSet::All(parts), true) | (ValueSet::Either(parts), false) => each(parts)
            .into_iter()
            .try_fold(vec![Case::new()], both)
            .unwrap_or_else(|| vec![Case::new()]),
        (ValueSet::Either(parts), true) | (ValueSet::All(parts), false) => each(parts).concat(),
        (ValueSet::Member { name, required, values }, _) => {
            let choices = slots.get(name).and_then(|it| it.choices(*required, values, inside));
            vec![choices.map(|it| Case::from([(name.clone(), it)])).unwrap_or_default()]
        }
        _ => vec![Case::new()],
    }
}

/// What is in a case of each; `None` for too many.
fn both(left: Vec<Case>, right: Vec<Case>) -> Option<Vec<Case>> {
    let join = |one: &Case, other: &Case| {
        let mut out = one.clone();
        for (name, choices) in other {
            let known = out.entry(name.clone()).or_insert_with(|| choices.clone());
            known.retain(|it| choices.contains(it));
        }
        out
    };
    let joined = left.iter().flat_map(|it| right.iter().map(move |other| join(it, other)));
    (left.len() * right.len() <= MOST).then(|| joined.collect())
}

/// Values of the type that hold all which are inside (or outside) of the constraint.
fn values(constraint: &ValueSet, ty: &Type, inside: bool) -> Option<Vec<Json>> {
    let listed = match ty.as_object() {
        Some(object) => {
            let slots = slots(object);
            objects(&slots, cases(&slots, constraint, inside))
        }
        None => restricted(constraint, ty, inside).or_else(|| domain(ty)),
    };
    listed.filter(|it| it.len() <= MOST)
}

/// Every value of the type.
fn domain(ty: &Type) -> Option<Vec<Json>> {
    match ty {
        Type::Bool => Some(vec![true.into(), false.into()]),
        Type::Object(object) => objects(&slots(object), vec![Case::new()]),
        Type::Set(element) => {
            domain(element).filter(|it| it.len() <= CHOICES).map(|it| orders(&it))
        }
        _ => None,
    }
}

fn json(value: &Value) -> Json {
    schema::SchemaJson::of(value).to_serde()
}

fn slots(object: &ObjectType) -> Slots<'_> {
    let each = object.attributes.iter().map(|(name, ty)| {
        (name, Slot { ty, optional: object.optional.contains(name), nullable: false })
    });
    each.collect()
}

fn restricted(constraint: &ValueSet, ty: &Type, inside: bool) -> Option<Vec<Json>> {
    let each = |parts: &[ValueSet]| -> Vec<Option<Vec<Json>>> {
        parts.iter().map(|it| values(it, ty, inside)).collect()
    };
    let fewest = |it: Vec<Option<Vec<Json>>>| it.into_iter().flatten().min_by_key(Vec::len);
    let joined =
        |it: Vec<Option<Vec<Json>>>| Some(it.into_iter().collect::<Option<Vec<_>>>()?.concat());
    match (constraint, inside) {
        (ValueSet::Nothing, true) | (ValueSet::Anything, false) => Some(Vec::new()),
        (ValueSet::OneOf(them), true) => Some(them.iter().map(json).collect()),
        (ValueSet::OneOf(them), false) => {
            let them: Vec<Json> = them.iter().map(json).collect();
            Some(domain(ty)?.into_iter().filter(|it| !them.contains(it)).collect())
        }
        (ValueSet::Not(inner), _) => values(inner, ty, !inside),
        (ValueSet::All(parts), true) => integers(parts).or_else(|| fewest(each(parts))),
        (ValueSet::Either(parts), false) => fewest(each(parts)),
        (ValueSet::Either(parts), true) | (ValueSet::All(parts), false) => joined(each(parts)),
        (ValueSet::Length(..), false) if matches!(ty, Type::Tuple(_)) => Some(Vec::new()),
        (ValueSet::Length(measure, Length { max: Some(0), .. }), true)
        | (ValueSet::Length(measure, Length { min: Some(1), max: None }), false) => {
            Some(vec![match measure {
                Measure::Characters => "".into(),
                Measure::Items => Json::Array(Vec::new()),
                Measure::Properties => Map::new().into(),
            }])
        }
        (ValueSet::Matches(pattern), true) if *ty == Type::String => {
            let texts = matching::language(&matching::parse(pattern)?, MOST)?;
            Some(texts.into_iter().map(Json::from).collect())
        }
        (ValueSet::Items(element), true) if let Type::Set(inner) = ty => {
            values(element, inner, true).filter(|it| it.len() <= CHOICES).map(|it| orders(&it))
        }
        _ => None,
    }
}

/// Whole numbers between two limits.
fn integers(parts: &[ValueSet]) -> Option<Vec<Json>> {
    parts.contains(&ValueSet::MultipleOf(1)).then_some(())?;
    let mut ranges: Vec<&NumberRange> = Vec::new();
    for part in parts {
        if let ValueSet::Range(it) = part {
            ranges.push(it);
        }
    }
    let lower = ranges.iter().find_map(|it| it.lower.as_ref()?.value.to_i64())?;
    let upper = ranges.iter().find_map(|it| it.upper.as_ref()?.value.to_i64())?;
    (upper - lower < 100).then(|| (lower..=upper).map(Json::from).collect())
}

/// Every set of some of the elements, in every order.
fn orders(elements: &[Json]) -> Vec<Json> {
    let mut all = vec![Vec::new()];
    let mut last: Vec<Vec<Json>> = all.clone();
    for _ in elements {
        let longer = |it: &Vec<Json>| {
            let it = it.clone();
            let rest = elements.iter().filter(|new| !it.contains(new)).cloned();
            rest.map(|new| it.iter().cloned().chain([new]).collect()).collect::<Vec<Vec<Json>>>()
        };
        last = last.iter().flat_map(longer).collect();
        all.extend(last.iter().cloned());
    }
    all.into_iter().map(Json::from).collect()
}
