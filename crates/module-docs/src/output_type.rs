//! The types of a module's outputs.

use std::{collections::BTreeMap, path::Path};

use smol_str::SmolStr;

use module::{Module, Output, Values, inputs::InputRequest};
use projection::schema::OutputType;
use stack::guarded;
use system::System;
use tf_eval::{EvalHost, Meter, evaluate};
use tf_value::{Type, Value};
use verdict::{
    Distrust, JudgeSetting, Loaded, Onward, Read, Shape, Shapes, Unusable, tree::ModuleTree,
};

/// The kind of a call among the objects of a module.
const CALL: &str = "module";

/// The types of the outputs' values for unknown inputs, by name. Called modules that are here are read.
pub fn output_types(
    module: &Module,
    system: &dyn System,
    meter: &Meter,
) -> BTreeMap<SmolStr, OutputType> {
    let types = OutputTypes::of(module, system, meter);
    module.outputs.iter().map(|(name, output)| (name.clone(), types.partial(output))).collect()
}

/// What the types of outputs are inferred from.
pub(super) struct OutputTypes<'m> {
    module: &'m Module,
    system: &'m dyn System,
    meter: &'m Meter,
    /// The module with those that it calls, if it has calls and outputs.
    loaded: Option<Loaded>,
    /// The values of the calls for unknown inputs, by name, where the called module is here.
    calls: Vec<(SmolStr, Value)>,
    no_tree: ModuleTree,
}

impl<'m> OutputTypes<'m> {
    pub fn of(module: &'m Module, system: &'m dyn System, meter: &'m Meter) -> OutputTypes<'m> {
        let has_both = !module.outputs.is_empty() && !module.calls.is_empty();
        let mut loaded = has_both.then(|| Loaded::new(module.clone()));
        let calls = loaded.as_mut().map(|it| calls(it, module, system, meter)).unwrap_or_default();
        OutputTypes { module, system, meter, loaded, calls, no_tree: ModuleTree::default() }
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

    /// What is known of an output's value without a plan.
    fn partial(&self, output: &Output) -> OutputType {
        if let Some(it) = declared(output) {
            return OutputType::Known(it);
        }
        let ty = self.value(output).map_or(Type::Dynamic, |it| it.ty().clone());
        if !ty.has_dynamic() {
            return OutputType::Known(ty);
        }
        let shapes = self.shapes();
        let shape = output.value.as_ref().map_or(Shape::Unknown, |it| shapes.of(it));
        together(&ty, &shape, shapes, DEEPEST)
    }

    fn shapes(&self) -> Shapes<'_> {
        let alone = || Shapes { module: self.module, tree: &self.no_tree };
        self.loaded.as_ref().map_or_else(alone, Loaded::shapes)
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

/// How deep shapes are followed.
const DEEPEST: usize = 20;

/// What a type and a shape say together. Inside of a type, `any` is what only a plan knows.
fn together(ty: &Type, shape: &Shape, shapes: Shapes<'_>, levels: usize) -> OutputType {
    let Some(levels) = levels.checked_sub(1) else { return OutputType::Open };
    let boxed = |ty: &Type, shape: &Shape| Box::new(together(ty, shape, shapes, levels));
    let element = match shape {
        Shape::Tuple(it) | Shape::Map(it) => it,
        _ => &Shape::Unknown,
    };
    guarded(|| match ty {
        Type::Dynamic => match shape {
            Shape::Typed(ty) if !ty.has_dynamic() => OutputType::Known(ty.clone()),
            Shape::Typed(Type::Dynamic) | Shape::Unknown | Shape::Part(..) => OutputType::Open,
            Shape::Typed(ty) => together(ty, &Shape::Unknown, shapes, levels),
            Shape::Tuple(it) => OutputType::Array(boxed(&Type::Dynamic, it)),
            Shape::Map(it) => OutputType::Map(boxed(&Type::Dynamic, it)),
            Shape::Instance(_) => OutputType::Map(Box::new(OutputType::Open)),
            Shape::Record(all) => {
                let each = all.iter();
                let each = each
                    .map(|(name, it)| (name.clone(), together(&Type::Dynamic, it, shapes, levels)));
                OutputType::Object(each.collect())
            }
        },
        it if !it.has_dynamic() => OutputType::Known(it.clone()),
        Type::List(it) | Type::Set(it) => OutputType::Array(boxed(it, element)),
        Type::Map(it) => OutputType::Map(boxed(it, element)),
        Type::Tuple(all) => {
            OutputType::Tuple(all.iter().map(|it| together(it, element, shapes, levels)).collect())
        }
        Type::Object(object) => {
            let each = object.attributes.iter().map(|(name, ty)| {
                let shape = shapes.attribute(shape, name);
                (name.clone(), together(ty, &shape, shapes, levels))
            });
            OutputType::Object(each.collect())
        }
        _ => OutputType::Open,
    })
}

/// The declared type; `None` if the value decides a part of it.
fn declared(output: &Output) -> Option<Type> {
    let declared = output.constraint.as_ref().filter(|it| !it.ty.has_dynamic())?;
    Some(declared.ty.without_optional())
}

/// The values of the calls for unknown inputs.
fn calls(
    loaded: &mut Loaded,
    module: &Module,
    system: &dyn System,
    meter: &Meter,
) -> Vec<(SmolStr, Value)> {
    let (unusable, distrust) = (Unusable::new(), Distrust::default());
    let onward = Some(Onward::new(&unusable, &distrust));
    let setting = JudgeSetting::new(system, &module.dir, module.release, meter);
    let request = InputRequest { dir: module.dir.clone(), ..InputRequest::default() };
    // Errors of called modules are not about the outputs: what they leave open has no type.
    loaded.follow_initialised(&request, None, setting);
    let mut ready = Read::of(Vec::new()).collect(loaded, JudgeSetting { onward, ..setting });
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
