//! Arguments of providers and calls. A plan has only their references.
//!
//! A plan lists the references of an expression, but not what the expression does with them. If all of them are
//! parts of one variable, the expression is taken to be that variable: `region = var.region` has the variable's
//! value. A value that does not fit the rule is not used: for example a string for `tags`, whose expression may
//! be `{ env = var.env }`.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use super::{
    language::{BlockPattern, MemberValidator, Shape, shape},
    plan::{Module, Parts, Plan, PlanJson},
};
use stack::guarded;
use tf_value::{Marks, Path, Step, Value, ValueContent};

/// The most inputs and outputs of modules that are followed for one reference.
const MOST_STEPS: u32 = 64;

/// The block of a provider or a call in a plan's configuration.
pub(super) struct Inferred<'p> {
    pub plan: &'p Plan,
    /// The names of the calls that lead to the module of the block.
    pub calls: Vec<SmolStr>,
    pub expressions: &'p PlanJson,
}

impl Inferred<'_> {
    /// The arguments with the values of variables, where the pattern asks for them; `None` if that adds
    /// nothing.
    pub fn filled(&self, pattern: &BlockPattern, attrs: &Value) -> Option<Value> {
        guarded(|| self.block(&[pattern], attrs, self.expressions))
    }

    fn block(&self, patterns: &[&BlockPattern], attrs: &Value, json: &PlanJson) -> Option<Value> {
        let all: Vec<&BlockPattern> =
            patterns.iter().flat_map(|it| [Some(*it), it.filter.as_deref()]).flatten().collect();
        let elements = attrs.as_mapping()?;
        let mut full: Option<BTreeMap<SmolStr, Value>> = None;
        let mut shapes: BTreeMap<&SmolStr, Shape> = BTreeMap::new();
        for MemberValidator { name, validator, .. } in all.iter().flat_map(|it| &it.members) {
            let shape = shape::of(validator);
            shapes.entry(name).and_modify(|it| *it = it.and(shape)).or_insert(shape);
        }
        for (name, shape) in shapes {
            let Some(unknown) = elements.get(name).filter(|it| !it.is_known()) else { continue };
            let value = json.get(name).and_then(|it| self.value(it, &self.calls, MOST_STEPS));
            if let Some(value) = value.filter(|it| shape.fits(it)) {
                let value = value.with_marks(unknown.marks());
                full.get_or_insert_with(|| elements.clone()).insert(name.clone(), value);
            }
        }
        let mut nested: BTreeMap<&SmolStr, Vec<&BlockPattern>> = BTreeMap::new();
        for it in all.iter().flat_map(|it| &it.blocks) {
            nested.entry(&it.name).or_default().push(&it.pattern);
        }
        for (name, patterns) in nested {
            let inside = elements.get(name).zip(json.get(name));
            if let Some(value) =
                inside.and_then(|(value, json)| self.blocks(&patterns, value, json))
            {
                full.get_or_insert_with(|| elements.clone()).insert(name.clone(), value);
            }
        }
        Some(Value::object(full?).with_marks(attrs.marks()))
    }

    fn blocks(&self, patterns: &[&BlockPattern], value: &Value, json: &PlanJson) -> Option<Value> {
        let ValueContent::Sequence(all) = value.content() else {
            return self.block(patterns, value, json);
        };
        let mut is_filled = false;
        let one = |(at, it): (usize, &Value)| {
            let full = json.at(at).and_then(|json| self.block(patterns, it, json));
            is_filled |= full.is_some();
            full.unwrap_or_else(|| it.clone())
        };
        let all: Vec<Value> = all.iter().enumerate().map(one).collect();
        is_filled.then(|| Value::tuple(all).with_marks(value.marks()))
    }

    /// The value of an expression in a module; `None` if the plan does not have it.
    fn value(&self, expression: &PlanJson, calls: &[SmolStr], steps: u32) -> Option<Value> {
        if let Some(constant) = expression.get("constant_value") {
            return Some(Parts::of(constant).to_value());
        }
        let steps = steps.checked_sub(1)?;
        let (root, path) = parsed(only_reference(expression)?)?;
        let module = self.module(calls)?;
        let value = match root.as_slice() {
            ["var", name] => {
                let marks = secret(module.variables.get(*name).is_some_and(|it| it.sensitive));
                self.variable(name, module, calls, steps)?.with_marks(marks)
            }
            ["module", call, output] => {
                let called = module.calls.get(*call).filter(|it| !it.is_repeated())?;
                let output = called.module.outputs.get(*output)?;
                let calls = [calls, &[SmolStr::new(call)]].concat();
                let value = self.value(&output.expression, &calls, steps)?;
                value.with_marks(secret(output.sensitive))
            }
            _ => return None,
        };
        // A null may have been replaced: `coalesce(var.region, "a")` has the same references.
        inside(&value, &path).filter(|it| !it.is_null())
    }

    fn variable(
        &self,
        name: &str,
        module: &Module,
        calls: &[SmolStr],
        steps: u32,
    ) -> Option<Value> {
        let given = match calls.split_last() {
            None => self.plan.variables.get(name).map(|it| Parts::of(&it.value).to_value()),
            Some((last, outer)) => {
                let call = self.module(outer)?.calls.get(last.as_str())?;
                match call.expressions.get(name) {
                    Some(it) => return self.value(it, outer, steps),
                    None => None,
                }
            }
        };
        let default = || Some(Parts::of(module.variables.get(name)?.default.as_ref()?).to_value());
        given.or_else(default)
    }

    fn module(&self, calls: &[SmolStr]) -> Option<&Module> {
        let mut module = &self.plan.configuration.root_module;
        for name in calls {
            module = &module.calls.get(name.as_str())?.module;
        }
        Some(module)
    }

    /// What the argument at a path refers to.
    pub fn references(&self, path: &Path) -> Vec<String> {
        let mut json = self.expressions;
        for step in &path.0 {
            let inside = match step {
                Step::Attribute(name) => json.get(name),
                Step::Index(key) => {
                    let at = key.as_number().and_then(tf_value::Number::to_u64);
                    at.and_then(|it| json.at(usize::try_from(it).ok()?))
                }
            };
            let Some(inside) = inside else { break };
            json = inside;
        }
        whole(json).into_iter().map(|it| diagnostics::visible_line(it).into_owned()).collect()
    }
}

fn secret(is_sensitive: bool) -> Marks {
    if is_sensitive { Marks::SENSITIVE | Marks::SECRET } else { Marks::NONE }
}

/// The references of an expression without those that are the beginning of another one: of `var.a.b` a plan
/// lists `var.a.b` and `var.a`.
fn whole(expression: &PlanJson) -> Vec<&str> {
    let Some(PlanJson::Array(all)) = expression.get("references") else { return Vec::new() };
    let texts: Vec<&str> = all.iter().filter_map(PlanJson::as_str).collect();
    let is_part = |it: &&str| {
        let longer = texts.iter().filter_map(|other| other.strip_prefix(*it));
        longer.into_iter().any(|rest| rest.starts_with(['.', '[']))
    };
    let mut whole: Vec<&str> = texts.iter().copied().filter(|it| !is_part(it)).collect();
    whole.dedup();
    whole
}

fn only_reference(expression: &PlanJson) -> Option<&str> {
    match whole(expression).as_slice() {
        [only] => Some(only),
        _ => None,
    }
}

/// `var.a.b[0]` is the object `var.a` and the path behind it; a reference to an output has three names.
fn parsed(text: &str) -> Option<(Vec<&str>, Vec<Step>)> {
    let mut names = Vec::new();
    let mut steps = Vec::new();
    let mut rest = text;
    let count = if text.starts_with("module.") { 3 } else { 2 };
    loop {
        let end = rest.find(['.', '[']).unwrap_or(rest.len());
        let (name, behind) = rest.split_at(end);
        match names.len() < count {
            true if name.is_empty() => return None,
            true => names.push(name),
            false if !name.is_empty() => steps.push(Step::Attribute(name.into())),
            false => (),
        }
        rest = behind;
        if let Some(inside) = rest.strip_prefix('[') {
            if names.len() < count {
                return None;
            }
            let mut key = serde_json::Deserializer::from_str(inside).into_iter::<PlanJson>();
            let found = key.next()?.ok()?;
            let after = inside[key.byte_offset()..].trim_start().strip_prefix(']')?;
            steps.push(Step::Index(Parts::of(&found).to_value()));
            rest = after;
            if rest.starts_with('[') {
                continue;
            }
        }
        match rest.strip_prefix('.') {
            Some(it) => rest = it,
            None if rest.is_empty() => break,
            None => return None,
        }
    }
    (names.len() == count).then_some((names, steps))
}

/// The value behind some steps; `None` if it has no such part.
fn inside(value: &Value, path: &[Step]) -> Option<Value> {
    let mut found = value.clone();
    for step in path {
        let marks = found.marks();
        let part = match (found.content(), step) {
            (ValueContent::Mapping(all), Step::Attribute(name)) => all.get(name)?,
            (ValueContent::Mapping(all), Step::Index(key)) => all.get(key.as_str()?)?,
            (ValueContent::Sequence(all), Step::Index(key)) => {
                all.get(usize::try_from(key.as_number()?.to_u64()?).ok()?)?
            }
            _ => return None,
        };
        found = part.clone().with_marks(marks);
    }
    Some(found)
}
