//! Calls of modules: their targets, and attributes of object literals in their arguments that the called
//! module's types lack.

use std::{io, path::Path, sync::Arc};

use smol_str::SmolStr;

use super::{
    rules::{deprecated, unknown_attribute},
    subject::{self, Block, CheckedModule, RunContext},
};
use diagnostics::{Diagnostics, Shift};
use hcl::{Expr, ExprKind, ObjectItem, ObjectKey};
use module::{
    LoadOptions,
    inputs::{GivenValue, Input, InputSource},
};
use stack::guarded;
use system::System;
use tf_value::{Type, Value, nfc};
use verdict::{
    BlockedPart, in_hole,
    tree::{ContractDirectories, Reading},
};

/// Loads the module of a directory and the modules that it calls.
pub(super) fn load<'a>(context: &RunContext<'a>, dir: &'a Path) -> io::Result<CheckedModule<'a>> {
    let mut subject = CheckedModule::load(context, dir)?;
    if subject.settings.calls && subject.is_loaded {
        follow(&mut subject, context, context.configurations);
    }
    Ok(subject)
}

/// Reads the modules that a module calls, and adds their errors.
pub(super) fn follow(
    subject: &mut CheckedModule<'_>,
    context: &RunContext<'_>,
    contracts: &dyn ContractDirectories,
) {
    let RunContext { library, policies, .. } = *context;
    let CheckedModule { settings, system, dir, module, meter, release, .. } = subject;
    let system: &dyn System = system;
    let locator = &subject::locator(settings, system, dir, contracts);
    let options = &policies.options(&LoadOptions { release: *release, ..LoadOptions::default() });
    let (given, enters_broken) = (None, true);
    let found = module.follow_calls(Reading {
        system,
        options,
        library,
        locator,
        given,
        enters_broken,
        meter,
    });
    subject.diagnostics.extend(found);
}

/// Judges the module and its calls where no inputs are judged.
pub(super) fn judge_alone(subject: &mut CheckedModule<'_>) {
    if subject.settings.calls && subject.is_loaded {
        let judgement = subject.module.judge_all_alone(subject.setting());
        for BlockedPart { by, part, is_own, .. } in judgement.blocked {
            subject.block(Block { by, part, file: None, is_own });
        }
        subject.diagnostics.extend(judgement.diagnostics);
    }
}

/// Reports what Terraform only warns about or drops: deprecated variables and outputs, and attributes of object
/// literals that the called module's types lack. Only literals count: passing a wider object on is an idiom.
pub(super) fn check(subject: &mut CheckedModule<'_>) {
    let mut found = Diagnostics::new();
    let holes = &subject.module.distrusted().holes;
    for (call, called, shift) in subject.module.called() {
        if in_hole(holes, call.span).is_some() {
            continue;
        }
        for (name, argument) in &call.arguments {
            let is_certain = !called.distrust.variables.contains_key(name);
            let variable = called.module.variables.get(name).filter(|_| is_certain);
            let Some(variable) = variable else { continue };
            let input = Input {
                value: shape(&argument.expr),
                origin: InputSource::Call,
                name_span: argument.name.span,
                given: GivenValue::Argument(Arc::clone(&argument.expr)).into(),
            };
            let product = subject.release.product();
            let (declared, sources) = (&called.module.sources, &subject.module.sources);
            let given = unknown_attribute::Given { variable, declared, input: &input, sources };
            let dropped = unknown_attribute::check(given, product, subject.request.keeps_all);
            found.extend(dropped.into_iter().map(|it| {
                let mut it = it.shifted(Shift::default(), shift);
                it.address = format!("module.{}", call.name).into();
                it
            }));
        }
    }
    found.extend(deprecated::of_calls(subject));
    subject.diagnostics.extend(found);
}

/// The part of an expression's value that needs no evaluation: the attributes of objects.
fn shape(expr: &Expr) -> Value {
    guarded(|| match &expr.bare().kind {
        ExprKind::Object(items) => Value::object(items.iter().filter_map(attribute).collect()),
        ExprKind::Null => Value::null(Type::Dynamic),
        ExprKind::Tuple(elements) => Value::tuple(elements.iter().map(shape).collect()),
        _ => Value::unknown(Type::Dynamic),
    })
}

fn attribute(item: &ObjectItem) -> Option<(SmolStr, Value)> {
    let name = match &item.key {
        ObjectKey::Name(it) => &it.name,
        ObjectKey::Expr(Expr { kind: ExprKind::String(it), .. }) => it,
        ObjectKey::Expr(_) | ObjectKey::Template(_) => return None,
    };
    Some((nfc(name), shape(&item.value)))
}
