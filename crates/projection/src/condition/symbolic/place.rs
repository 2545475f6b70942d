//! A place inside a value; a set of values at the place becomes a set of whole values.

use super::{
    truth::{Leaf, Truth},
    views::View,
};
use crate::{
    sets,
    sets::{ConstraintRoot, Extent, Kind, Length, Measure, Reason, Region, ValueSet, contains},
};
use diagnostics::Span;
use module::Variable;
use smol_str::SmolStr;
use tf_value::{Number, Type, Value, typeexpr::Defaults};

/// The meaning of an absent attribute.
#[derive(Clone, Debug, PartialEq)]
enum Absent {
    /// It is required.
    Impossible,
    Null,
    Default(Value),
    /// A key or an index that is not there: an error.
    Error,
}

#[derive(Clone, Debug, PartialEq)]
enum Name {
    Member(SmolStr),
    Index(usize),
    /// The result of a function of a string.
    View(View),
}

#[derive(Clone, Debug, PartialEq)]
struct PlaceStep {
    name: Name,
    absent: Absent,
    /// Whether the schema treats null there like any other value: the type is `any`, or the place is an element
    /// of a collection that has a null element in the variable's own default.
    any: bool,
    /// Whether the step starts from a value of type `any`.
    from_any: bool,
}

/// A value path with the type there: a root and the steps from it, such as `var.rules[0].name`. `ty` has its
/// optional attributes marked.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    pub root: ConstraintRoot,
    steps: Vec<PlaceStep>,
    pub ty: Type,
    pub defaults: Option<Defaults>,
    /// Whether elements may be null.
    null_elements: bool,
    /// Whether its root is an element of a value of type `any`. Such an element keeps its own type.
    apart: bool,
}

/// The result of a step to an attribute or key.
pub enum Reached {
    Place(Box<Place>),
    /// The type has no such attribute.
    Missing,
    Unclear,
    /// Too far from the start to be named in a schema.
    Far,
}

/// The last index of an element that has its own place: a schema names all places before it.
const LAST: usize = 1000;

/// The most steps of a place that are followed; a set of whole values nests as deep.
const MOST_STEPS: usize = 64;

/// The most indexes into values of type `any`. Each may be of a list or of an object, which doubles the set.
const MOST_INDEXES_OF_ANY: usize = 6;

/// The work of lifting a set by a step.
const STEP: usize = 4;

impl Place {
    pub fn root(root: ConstraintRoot, ty: Type, defaults: Option<Defaults>) -> Place {
        Place { root, steps: Vec::new(), ty, defaults, null_elements: false, apart: false }
    }

    /// The place of an element of a value of type `any`, such as `v` in `[for v in var.any : …]`.
    pub fn of_element(root: ConstraintRoot) -> Place {
        Place { apart: true, ..Place::root(root, Type::Dynamic, None) }
    }

    /// The place of a variable.
    pub fn of_variable(variable: &Variable) -> Place {
        let constraint = &variable.constraint;
        let root = ConstraintRoot::Variable(variable.name.clone());
        let ty = variable.type_with_null_attributes().clone();
        let place = Place::root(root, ty, constraint.defaults.clone());
        Place { null_elements: variable.has_null_elements(), ..place }
    }

    pub fn is_root(&self) -> bool {
        self.steps.is_empty()
    }

    /// Whether the value is of type `any` inside a collection. A collection converts its elements to one
    /// type: in `map(any)` the 1 of `{ a = 1, b = "x" }` becomes `"1"`.
    pub fn is_unified(&self) -> bool {
        let inside = matches!(self.root, ConstraintRoot::Element(_)) && !self.apart
            || self.steps.iter().any(|it| it.absent == Absent::Error && !it.from_any);
        inside && self.ty.has_dynamic()
    }

    /// The attribute of an object, or the element of a map at a key.
    pub fn member(&self, name: &str) -> Reached {
        match &self.ty {
            Type::Object(object) => {
                let Some(ty) = object.attributes.get(name) else { return Reached::Missing };
                let default = self.defaults.as_ref().and_then(|it| it.values.get(name));
                let absent = match default {
                    _ if !object.optional.contains(name) => Absent::Impossible,
                    Some(default) if !default.is_null() => Absent::Default(default.clone()),
                    _ => Absent::Null,
                };
                self.step(Name::Member(name.into()), absent, ty.clone(), name)
            }
            Type::Map(element) => {
                self.step(Name::Member(name.into()), Absent::Error, (**element).clone(), "")
            }
            // `var.x["0"]` is the first element of a list, too, and so is `var.x["00"]`.
            Type::Dynamic if Number::parse(name).is_some() => match name.parse::<usize>() {
                Ok(index) if index.to_string() == name => self.index(index),
                _ => Reached::Unclear,
            },
            Type::Dynamic if !self.is_unified() => {
                self.step(Name::Member(name.into()), Absent::Error, Type::Dynamic, "")
            }
            Type::Dynamic => Reached::Unclear,
            // A name that is a number is an index.
            Type::List(_) | Type::Tuple(_) if Number::parse(name).is_some() => Reached::Unclear,
            _ => Reached::Missing,
        }
    }

    /// The element of a list or tuple; of a value of type `any` also the attribute that is so named.
    pub fn index(&self, index: usize) -> Reached {
        match &self.ty {
            Type::List(_) | Type::Dynamic if index > LAST => Reached::Far,
            Type::Dynamic if !self.is_unified() => {
                self.step(Name::Index(index), Absent::Error, Type::Dynamic, "")
            }
            Type::List(element) => {
                self.step(Name::Index(index), Absent::Error, (**element).clone(), "")
            }
            Type::Tuple(elements) => match elements.get(index) {
                Some(ty) => self.step(
                    Name::Index(index),
                    Absent::Impossible,
                    ty.clone(),
                    &index.to_string(),
                ),
                None => Reached::Missing,
            },
            // Terraform converts the number to a name.
            Type::Object(_) | Type::Map(_) => self.member(&index.to_string()),
            Type::Dynamic => Reached::Unclear,
            _ => Reached::Missing,
        }
    }

    /// Turns a region of a variable's values into a set of objects of all inputs. `nullable_all`: in the
    /// schema, variables that do not set `nullable` accept null.
    pub fn variable_member(
        variable: &Variable,
        nullable_all: bool,
        null: bool,
        values: ValueSet,
    ) -> ValueSet {
        let default = variable.default.as_ref();
        let is_in = match default {
            None => false,
            Some(default) if default.is_null() => null,
            // A default that cannot be judged must not be refused.
            Some(default) if !default.is_wholly_known() => true,
            Some(default) => contains(&values, default).unwrap_or(true),
        };
        // No keyword of the schema's type refuses null for a variable of type `any`.
        let is_any = variable.constraint.ty == Type::Dynamic && variable.is_nullable();
        let allows_null = is_any
            || variable.nullable.unwrap_or(nullable_all)
            || default.is_some_and(Value::is_null);
        let only_null = || ValueSet::OneOf(vec![Value::null(Type::Dynamic)]);
        let values = match null {
            true if variable.is_nullable() => values.with_null(),
            false if allows_null && values.accepts_null() => {
                ValueSet::all([values, only_null().negated()])
            }
            _ => values,
        };
        ValueSet::member(variable.name.clone(), !is_in && default.is_some(), values)
    }

    /// The result of a function of the string at this place.
    pub fn seen(&self, view: View) -> Place {
        let mut place = self.clone();
        place.ty = view.ty();
        place.defaults = None;
        let name = Name::View(view);
        place.steps.push(PlaceStep {
            name,
            absent: Absent::Impossible,
            any: false,
            from_any: false,
        });
        place
    }

    /// The place before its last function, if that is the wanted one.
    pub fn before_view<T>(&self, wanted: impl Fn(&View) -> Option<T>) -> Option<(Place, T)> {
        let Name::View(view) = &self.steps.last()?.name else { return None };
        let it = wanted(view)?;
        let mut place = self.clone();
        place.steps.pop();
        place.ty = Type::String;
        Some((place, it))
    }

    fn step(&self, name: Name, absent: Absent, ty: Type, child: &str) -> Reached {
        let mut place = self.clone();
        let is_element = !matches!(self.ty, Type::Object(_));
        let any = ty == Type::Dynamic || self.null_elements && is_element;
        let from_any = self.ty == Type::Dynamic;
        let doubles = |it: &&PlaceStep| it.from_any && matches!(it.name, Name::Index(_));
        let is_far = self.steps.len() >= MOST_STEPS
            || from_any && self.steps.iter().filter(doubles).count() >= MOST_INDEXES_OF_ANY;
        if is_far {
            return Reached::Far;
        }
        place.steps.push(PlaceStep { name, absent, any, from_any });
        place.ty = ty;
        place.defaults = self.child(child);
        Reached::Place(Box::new(place))
    }

    /// The defaults inside an attribute, or (`""`) inside the elements.
    pub fn child(&self, name: &str) -> Option<Defaults> {
        self.defaults.as_ref()?.children.get(name).cloned()
    }

    /// Lifts the four regions of a leaf at this place to the root.
    pub fn truth(&self, leaf: Leaf) -> Truth {
        Truth {
            when_true: self.lift(leaf.when_true, false),
            when_false: self.lift(leaf.when_false, false),
            null: self.lift(leaf.null, false),
            error: self.lift(leaf.error, true),
            ..Truth::never()
        }
    }

    /// Where the value at this place is in the region. `or_error` also includes where the way to the place
    /// fails: at a null, or at a key that is not there.
    pub fn lift(&self, region: Region, or_error: bool) -> Extent {
        if !sets::afford(STEP * self.steps.len()) {
            return Extent::unknown(Reason::TooManyCases, Span::default());
        }
        let mut region = region;
        for step in self.steps.iter().rev() {
            region = parent(step, region, or_error);
        }
        Extent::of(&self.root, region)
    }

    /// The inputs for which the value can be read, null or not.
    pub fn reachable(&self) -> Extent {
        self.lift(Region::everything(), false)
    }

    /// The inputs for which reading the value fails.
    pub fn failing(&self) -> Extent {
        self.lift(Region::nothing(), true)
    }

    pub fn null(&self) -> Extent {
        self.lift(Region::new(true, ValueSet::OneOf(vec![Value::null(Type::Dynamic)])), false)
    }

    pub fn not_null(&self) -> Extent {
        self.lift(Region::new(false, ValueSet::Anything), false)
    }

    /// The measure that counts the elements of the collection at this place.
    pub fn measure(&self) -> Measure {
        match self.ty {
            Type::Map(_) | Type::Object(_) | Type::Dynamic => Measure::Properties,
            _ => Measure::Items,
        }
    }

    /// The inputs for which a value of any type has a length, and those for which it has none.
    pub fn counted(&self) -> (Extent, Extent) {
        let scalar = || ValueSet::either([Kind::Boolean, Kind::Number].map(ValueSet::Kind));
        let counted = self.lift(Region::new(false, scalar().negated()), false);
        (counted, self.lift(Region::new(true, scalar()), true))
    }

    /// Where the list has at least so many elements, and where it fails to: it is shorter, null, or
    /// cannot be reached.
    pub fn with_at_least(&self, count: usize) -> (Extent, Extent) {
        let Some(most) = count.checked_sub(1) else {
            return (self.not_null(), self.null().or(self.failing()));
        };
        let sized = |min: Option<usize>, max: Option<usize>| {
            let [min, max] = [min, max].map(|found| found.map(|it| it as u64));
            ValueSet::Length(self.measure(), Length { min, max })
        };
        let enough = self.lift(Region::new(false, sized(Some(count), None)), false);
        (enough, self.lift(Region::new(true, sized(None, Some(most))), true))
    }

    /// The inputs for which the collection has no element (`empty`), or at least one.
    pub fn emptiness(&self, empty: bool) -> Extent {
        let (min, max) = if empty { (None, Some(0)) } else { (Some(1), None) };
        let values = ValueSet::Length(self.measure(), Length { min, max });
        self.lift(Region::new(false, values), false)
    }

    /// Whether the key is in the map; of a value of any type, whether it is an attribute.
    pub fn has_key(&self, name: &str) -> Truth {
        let present = ValueSet::member(name.into(), true, ValueSet::Anything);
        let absent = ValueSet::member(name.into(), false, ValueSet::Nothing);
        let object = || match self.ty {
            Type::Dynamic => ValueSet::Kind(Kind::Object),
            _ => ValueSet::Anything,
        };
        let region = |it| Region::new(false, ValueSet::all([object(), it]));
        let mut leaf = Leaf::of_values(region(present), region(absent));
        leaf.error.values = object().negated();
        self.truth(leaf)
    }
}

/// The inverse image of `region` under the function.
fn before(view: &View, region: Region, or_error: bool) -> Region {
    let mut losses = region.losses;
    let values = match region.values {
        it if it.is_only_null() => ValueSet::Nothing,
        it => it,
    };
    let preimage = view.preimage(&values);
    if preimage.as_ref().is_none_or(|it| !it.exact) {
        losses.push(sets::Loss { reason: view.loss(), span: Span::default() });
    }
    let mut values = preimage.map_or_else(|| view.domain(), |it| it.values);
    if or_error {
        values = ValueSet::either([values, view.domain().negated()]);
    }
    // Only conversions take null.
    let null = if matches!(view, View::Number | View::Text) { region.null } else { or_error };
    Region { null, values, losses }
}

fn parent(step: &PlaceStep, region: Region, or_error: bool) -> Region {
    if let Name::View(view) = &step.name {
        return before(view, region, or_error);
    }
    let mut losses = region.losses.clone();
    let is_in = match &step.absent {
        Absent::Impossible => true,
        Absent::Null => region.null,
        Absent::Error => or_error,
        Absent::Default(default) => contains(&region.values, default).unwrap_or_else(|| {
            losses.push(sets::Loss { reason: Reason::UnjudgedDefault, span: Span::default() });
            true
        }),
    };
    let values = match region.values {
        it if step.any => it.with_null_if(region.null),
        it if it.is_only_null() => ValueSet::Nothing,
        it => it,
    };
    // A required attribute that can have no value is a contradiction in the schema's terms.
    let impossible = step.absent == Absent::Impossible && values == ValueSet::Nothing;
    let required = !is_in;
    let values = match &step.name {
        _ if impossible => ValueSet::Nothing,
        Name::Member(name) if step.from_any => {
            let object = ValueSet::Kind(Kind::Object);
            let member = ValueSet::member(name.clone(), required, values);
            if or_error {
                ValueSet::either([object.negated(), member])
            } else {
                ValueSet::all([object, member])
            }
        }
        Name::Member(name) => ValueSet::member(name.clone(), required, values),
        Name::Index(index) if step.from_any => {
            let array = ValueSet::Kind(Kind::Array);
            let object = ValueSet::Kind(Kind::Object);
            let neither = ValueSet::all([array.clone().negated(), object.clone().negated()]);
            let place = ValueSet::place(*index, required, values.clone());
            let member = ValueSet::member(index.to_string().into(), required, values);
            let either = [ValueSet::all([array, place]), ValueSet::all([object, member])];
            ValueSet::either(either.into_iter().chain(or_error.then_some(neither)))
        }
        Name::Index(index) => ValueSet::place(*index, required, values),
        Name::View(_) => values,
    };
    Region { null: or_error, values, losses }
}
