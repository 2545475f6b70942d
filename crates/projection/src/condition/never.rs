//! Finds rules that hold for no value.
//!
//! An empty region shows that no value which the schema describes fulfils a rule. Such a value has null only
//! where the schema allows it. But Terraform accepts null for every element and every attribute, too. So the
//! condition is also evaluated with null in each of these places and everything else unknown.

use std::collections::BTreeSet;

use smol_str::SmolStr;

use super::{constant::WORK, refused::Unknowns, releases::Releases};
use crate::sets::{self, Region, ValueSet};
use diagnostics::lints;
use hcl::{Expr, ExprKind};
use module::{Module, Variable};
use stack::guarded;
use system::DeniedSystem;
use tf_eval::{EvalHost, Meter, ReferenceStep, Scope, references};
use tf_value::{Type, Value, ValueContent};

/// The most values for which a condition is evaluated.
const VALUES: usize = 400;

/// The numbers of elements that are tried for a collection with a null element.
const COUNTS: [usize; 8] = [1, 2, 3, 4, 5, 6, 8, 10];

/// The most names that are tried as keys of maps.
const NAMES: usize = 8;

/// Functions that ignore the order of elements, or take no elements at all.
const WITHOUT_ORDER: [&str; 16] = [
    "alltrue",
    "anytrue",
    "can",
    "contains",
    "distinct",
    "endswith",
    "length",
    "lower",
    "max",
    "min",
    "regex",
    "startswith",
    "toset",
    "trimspace",
    "try",
    "upper",
];

/// Whether a local that the condition depends on fails for every value: the error of the local says why the rule never
/// holds.
pub fn fails_elsewhere(module: &Module, condition: &Expr, meter: &Meter) -> bool {
    let releases = Releases::of(module);
    let Some(release) = releases.to_ask(condition).first().copied() else { return false };
    let fails = |expr: &Expr| {
        meter.begin_fixed(WORK);
        let host = EvalHost::metered(&DeniedSystem, ".", release, meter);
        Unknowns::beside(module, ("", &Value::null(Type::Dynamic)), (&host, release), |data| {
            let (_, problems) = tf_eval::evaluate(expr, &Scope { data, host: &host, release });
            problems.iter().any(|it| it.rule == lints::FAILED_EVALUATION)
        })
    };
    let (mut seen, mut next) = (BTreeSet::new(), vec![condition]);
    while let Some(expr) = next.pop() {
        for it in references(expr).iter().filter(|it| it.name == "local") {
            let Some(ReferenceStep::Attribute(name)) = it.first else { continue };
            let Some(local) = module.locals.get(name) else { continue };
            if seen.insert(name) {
                if fails(&local.expr) {
                    return true;
                }
                next.push(&local.expr);
            }
        }
    }
    false
}

/// Whether the condition, whose region this is, holds for no value of the variable.
pub fn never_holds(
    module: &Module,
    variable: &Variable,
    condition: &Expr,
    Region { null, values, .. }: &Region,
    meter: &Meter,
) -> bool {
    let ty = variable.type_with_null_attributes();
    if *null {
        return false;
    }
    let mut work = 0;
    let is_empty = sets::is_empty(values, ty, &mut work);
    meter.begin_fixed(WORK);
    // The caller asks the meter whether the work became too much.
    let _ = meter.spend(work);
    if !is_empty || ty.is_primitive() {
        return is_empty;
    }
    let mut names = BTreeSet::from(["k".into()]);
    collect_names(condition, &mut names);
    let nulls = Nulls { names, is_ordered: is_ordered(condition) };
    let Some(tried) = nulls.inside(&ty.without_optional()) else { return false };
    let releases = Releases::of(module);
    let fails = |value: Value| {
        releases.to_ask(condition).iter().all(|release| {
            meter.begin_fixed(WORK);
            let host = EvalHost::metered(&DeniedSystem, ".", *release, meter);
            let problem = |(value, problems): (Value, diagnostics::Diagnostics)| {
                let is_clear = problems.iter().all(|it| it.rule == lints::FAILED_EVALUATION);
                let is_false =
                    matches!(value.content(), ValueContent::Bool(false) | ValueContent::Null);
                is_clear && (!problems.is_empty() || is_false)
            };
            Unknowns::beside(module, (&variable.name, &value), (&host, *release), |data| {
                let scope = Scope { data, host: &host, release: *release };
                problem(tf_eval::evaluate(condition, &scope))
            })
        })
    };
    !needs_many(values) && tried.into_iter().all(fails)
}

/// Whether the set demands more elements than are tried.
fn needs_many(set: &ValueSet) -> bool {
    let most = COUNTS[COUNTS.len() - 1] as u64;
    match set {
        ValueSet::Length(_, length) => length.min.is_some_and(|it| it > most),
        ValueSet::Place { index, .. } => *index as u64 >= most,
        other => guarded(|| other.children().iter().any(needs_many)),
    }
}

/// Collects texts and attributes in the condition, which may be keys.
fn collect_names(expr: &Expr, out: &mut BTreeSet<SmolStr>) {
    match &expr.kind {
        ExprKind::String(text) => drop(out.insert(text.as_str().into())),
        ExprKind::GetAttr { name, .. } => drop(out.insert(name.name.clone())),
        _ => (),
    }
    expr.for_each_child(&mut |it| collect_names(it, out));
}

struct Nulls {
    /// The names that are tried as keys of maps.
    names: BTreeSet<SmolStr>,
    /// Whether it may matter which element of a list is null. If not, the first one is null, because an unknown
    /// element before it would leave `alltrue` open.
    is_ordered: bool,
}

fn is_ordered(expr: &Expr) -> bool {
    let mut is_ordered = match &expr.kind {
        ExprKind::Index { .. } => true,
        ExprKind::Call { name, .. } => !WITHOUT_ORDER.contains(&name.name.as_str()),
        ExprKind::GetAttr { name, .. } => name.name.starts_with(|it: char| it.is_ascii_digit()),
        _ => false,
    };
    expr.for_each_child(&mut |it| is_ordered = is_ordered || self::is_ordered(it));
    is_ordered
}

impl Nulls {
    /// Values with one null each, in every possible place; everything else in them is unknown. `None` for too
    /// many.
    fn inside(&self, ty: &Type) -> Option<Vec<Value>> {
        let unknown = |ty: &Type| Value::unknown(ty.clone());
        let at = |ty: &Type| {
            let inside = self.inside(ty)?;
            Some([vec![Value::null(ty.clone())], inside].concat())
        };
        let each = guarded(|| match ty {
            Type::List(element) => {
                let lists = |value: &Value| {
                    let mut all = Vec::new();
                    for count in COUNTS {
                        let mut elements = vec![value.clone(); count];
                        all.push(elements.clone());
                        elements[1..].fill(unknown(element));
                        all.push(elements.clone());
                        elements.rotate_left(1);
                        all.extend(self.is_ordered.then_some(elements));
                    }
                    all.into_iter().map(|it| Value::list((**element).clone(), it))
                };
                Some(at(element)?.iter().flat_map(lists).collect::<Vec<_>>())
            }
            Type::Set(element) => {
                let sets = |it: &Value| {
                    COUNTS.map(|count| {
                        let mut elements = vec![unknown(element); count];
                        elements[0] = it.clone();
                        Value::set((**element).clone(), elements)
                    })
                };
                Some(at(element)?.iter().flat_map(sets).collect())
            }
            Type::Map(element) => {
                let few = self.names.len() <= NAMES;
                let maps = |value: &Value| {
                    let every = self.names.iter().map(|name| (name.clone(), value.clone()));
                    let one = |own: &SmolStr| {
                        let other = |name: &SmolStr| {
                            let value = if name == own { value.clone() } else { unknown(element) };
                            (name.clone(), value)
                        };
                        let all = self.names.iter().map(other).collect();
                        [all, [(own.clone(), value.clone())].into()]
                    };
                    let each = self.names.iter().flat_map(one);
                    let all: Vec<_> = each.chain([every.collect()]).collect();
                    all.into_iter().map(|it| Value::map((**element).clone(), it))
                };
                few.then_some(())?;
                Some(at(element)?.iter().flat_map(maps).collect())
            }
            Type::Object(object) => {
                let mut all = Vec::new();
                for (own, ty) in &object.attributes {
                    for it in at(ty)? {
                        let other = |(name, ty): (&SmolStr, &Type)| {
                            (name.clone(), if name == own { it.clone() } else { unknown(ty) })
                        };
                        all.push(Value::object(object.attributes.iter().map(other).collect()));
                    }
                    (all.len() <= VALUES).then_some(())?;
                }
                Some(all)
            }
            Type::Tuple(types) => {
                let mut all = Vec::new();
                for (own, ty) in types.iter().enumerate() {
                    for it in at(ty)? {
                        let mut elements: Vec<Value> = types.iter().map(unknown).collect();
                        elements[own] = it;
                        all.push(Value::tuple(elements));
                    }
                    (all.len() <= VALUES).then_some(())?;
                }
                Some(all)
            }
            _ => Some(Vec::new()),
        });
        each.filter(|it| it.len() <= VALUES)
    }
}
