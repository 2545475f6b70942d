//! The types of a module's outputs.

use std::{collections::BTreeMap, path::Path};

use smol_str::SmolStr;

use module::{Module, Output, Values};
use system::System;
use tf_eval::{EvalHost, Meter, evaluate};
use tf_value::{Type, Value};

/// The types of the outputs' values for unknown inputs, by name. Inside of one, `any` is what only a plan knows; an
/// output of which nothing is known is absent.
pub fn output_types(
    module: &Module,
    system: &dyn System,
    meter: &Meter,
) -> BTreeMap<SmolStr, Type> {
    let of = |(name, output): (&SmolStr, &Output)| {
        let ty =
            declared(output).or_else(|| Some(value(output, module, system, meter)?.ty().clone()));
        ty.filter(|it| *it != Type::Dynamic).map(|it| (name.clone(), it))
    };
    module.outputs.iter().filter_map(of).collect()
}

/// The declared type of an output, or the type that its value has for unknown inputs; `None` if only a plan knows it
/// whole.
pub(super) fn whole_type(
    output: &Output,
    module: &Module,
    system: &dyn System,
    meter: &Meter,
) -> Option<Type> {
    let inferred = || {
        let value = value(output, module, system, meter)?;
        let is_known = !value.deep_marks().is_undecided();
        is_known.then(|| value.ty().clone())
    };
    declared(output).or_else(inferred).filter(|it| !it.has_dynamic())
}

/// The declared type; `None` if the value decides a part of it.
fn declared(output: &Output) -> Option<Type> {
    let declared = output.constraint.as_ref().filter(|it| !it.ty.has_dynamic())?;
    Some(declared.ty.without_optional())
}

/// The value of an output for unknown inputs.
fn value(output: &Output, module: &Module, system: &dyn System, meter: &Meter) -> Option<Value> {
    let expr = output.value.as_ref()?;
    let host = EvalHost::metered(system, Path::new("."), module.release, meter);
    host.begin(Some(expr.span));
    let values = Values::new(module, BTreeMap::new(), None, &host, module.release);
    let (value, problems) = evaluate(expr, &values.scope());
    problems.is_empty().then_some(value)
}
