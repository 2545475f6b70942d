//! The types of a module's outputs.

use std::{collections::BTreeMap, path::Path};

use smol_str::SmolStr;

use module::{Module, Output, Values, inputs::InputRequest};
use system::System;
use tf_eval::{EvalHost, Meter, evaluate};
use tf_value::{Type, Value};
use verdict::{Distrust, JudgeSetting, Loaded, Onward, Read, Unusable};

/// The kind of a call among the objects of a module.
const CALL: &str = "module";

/// The types of the outputs' values for unknown inputs, by name. Inside of one, `any` is what only a plan knows; an
/// output without a known part is absent. Called modules that are here are read.
pub fn output_types(
    module: &Module,
    system: &dyn System,
    meter: &Meter,
) -> BTreeMap<SmolStr, Type> {
    let types = OutputTypes::of(module, system, meter);
    let of = |(name, output): (&SmolStr, &Output)| {
        let ty = declared(output).or_else(|| Some(types.value(output)?.ty().clone()));
        ty.filter(|it| *it != Type::Dynamic).map(|it| (name.clone(), it))
    };
    module.outputs.iter().filter_map(of).collect()
}

/// What the types of outputs are inferred from.
pub(super) struct OutputTypes<'m> {
    module: &'m Module,
    system: &'m dyn System,
    meter: &'m Meter,
    /// The values of the calls for unknown inputs, by name, where the called module is here.
    calls: Vec<(SmolStr, Value)>,
}

impl<'m> OutputTypes<'m> {
    pub fn of(module: &'m Module, system: &'m dyn System, meter: &'m Meter) -> OutputTypes<'m> {
        let has_both = !module.outputs.is_empty() && !module.calls.is_empty();
        let calls = if has_both { calls(module, system, meter) } else { Vec::new() };
        OutputTypes { module, system, meter, calls }
    }

    /// The declared type of an output, or the type that its value has for unknown inputs; `None` if only a plan knows
    /// it whole.
    pub fn whole(&self, output: &Output) -> Option<Type> {
        let inferred = || {
            let value = self.value(output)?;
            let is_known = !value.deep_marks().is_undecided();
            is_known.then(|| value.ty().clone())
        };
        declared(output).or_else(inferred).filter(|it| !it.has_dynamic())
    }

    /// The value of an output for unknown inputs.
    fn value(&self, output: &Output) -> Option<Value> {
        let (module, expr) = (self.module, output.value.as_ref()?);
        let host = EvalHost::metered(self.system, Path::new("."), module.release, self.meter);
        host.begin(Some(expr.span));
        let mut values = Values::new(module, BTreeMap::new(), None, &host, module.release);
        for (name, value) in &self.calls {
            values.set_object(CALL, name, value.clone());
        }
        let (value, problems) = evaluate(expr, &values.scope());
        problems.is_empty().then_some(value)
    }
}

/// The declared type; `None` if the value decides a part of it.
fn declared(output: &Output) -> Option<Type> {
    let declared = output.constraint.as_ref().filter(|it| !it.ty.has_dynamic())?;
    Some(declared.ty.without_optional())
}

/// The values of the calls for unknown inputs.
fn calls(module: &Module, system: &dyn System, meter: &Meter) -> Vec<(SmolStr, Value)> {
    let mut loaded = Loaded::new(module.clone());
    let (unusable, distrust) = (Unusable::new(), Distrust::default());
    let onward = Some(Onward::new(&unusable, &distrust));
    let setting = JudgeSetting::new(system, &module.dir, module.release, meter);
    let request = InputRequest { dir: module.dir.clone(), ..InputRequest::default() };
    // Errors of called modules are not about the outputs: what they leave open has no type.
    loaded.follow_initialised(&request, None, setting);
    let mut ready = Read::of(Vec::new()).collect(&loaded, JudgeSetting { onward, ..setting });
    ready.leave_open(|_| true);
    for it in ready.values.values_mut() {
        // Inputs of another module's plan are undecided; here only their types count.
        it.value = Value::unknown(it.value.ty().clone());
    }
    let objects = ready.objects().into_iter();
    let mut out: Vec<(SmolStr, Value)> = objects
        .filter(|((kind, _), _)| *kind == CALL)
        .map(|((_, name), value)| (name, value))
        .collect();
    out.sort_by(|one, other| one.0.cmp(&other.0));
    out
}
