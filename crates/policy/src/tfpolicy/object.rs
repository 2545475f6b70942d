//! The judged object, as the expressions of a policy see it: `attrs`, `prior_attrs` and `meta`.

use std::collections::{BTreeMap, BTreeSet};

use smol_str::SmolStr;

use super::{model::PolicyDemands, operations::Operation, reads::Reads, semver::Constraints};
use crate::{
    language::BlockKind,
    subjects::{Absent, Acting, PolicySubject, Source, object},
};
use stack::guarded;
use tf_value::{Marks, Path, Step, Type, Value, ValueContent};

/// Arguments that providers set in most types, and that configurations do not contain.
const COMPUTED: [&str; 5] = ["id", "arn", "self_link", "tags_all", "unique_id"];

/// Whether an argument is one that only providers set.
pub(super) fn is_computed(name: &str) -> bool {
    COMPUTED.contains(&name)
}

/// The judged object.
pub(super) struct Object {
    pub attrs: Value,
    pub prior: Value,
    pub meta: Value,
    /// The arguments that are not written, or have nested blocks in which something is not written: before a
    /// plan a provider may still set these.
    pub unwritten: BTreeSet<SmolStr>,
}

impl Object {
    pub fn new(subject: &PolicySubject<'_>, conditions: &PolicyDemands) -> Object {
        let wanted = &conditions.operations;
        let operation = match (conditions.kind, subject.acting) {
            (BlockKind::Resource, Acting::Known { action, .. }) => Operation::of(action, wanted),
            _ => None,
        };
        let (attrs, unwritten) = arguments(subject, &conditions.reads);
        let is_deleted = operation == Some(Operation::Delete);
        Object {
            attrs: if is_deleted { nulls(&subject.prior) } else { attrs },
            prior: match operation {
                Some(Operation::Create | Operation::NoOp) => Value::null(Type::Dynamic),
                _ => subject.prior.clone(),
            },
            meta: match conditions.reads.has_meta {
                true => meta(subject, conditions.kind, operation),
                false => Value::null(Type::Dynamic),
            },
            unwritten,
        }
    }
}

/// The arguments of an object, and those of them that are not written. Before a plan each argument that the
/// policy reads is there: null, or unknown if providers set it.
pub(super) fn arguments(subject: &PolicySubject<'_>, reads: &Reads) -> (Value, BTreeSet<SmolStr>) {
    let mut unwritten = BTreeSet::new();
    let Absent::Unwritten(_) = subject.absent else {
        return (subject.attrs.clone(), unwritten);
    };
    let Some(written) = subject.attrs.as_mapping() else {
        return (subject.attrs.clone(), unwritten);
    };
    let mut full = written.clone();
    for (name, value) in &mut full {
        let path = Path(vec![Step::Attribute(name.clone())]);
        if let Some(it) = with_nulls(value, &path, reads, subject.source.as_deref()) {
            *value = it;
            unwritten.insert(name.clone());
        }
    }
    for name in reads.attrs.iter().chain(&reads.nested) {
        if full.contains_key(name) {
            continue;
        }
        unwritten.insert(name.clone());
        let value = match is_computed(name) {
            true => Value::unknown_not_null(Type::Dynamic),
            false => Value::null(Type::Dynamic),
        };
        full.insert(name.clone(), value);
    }
    (Value::object(full).with_marks(subject.attrs.marks()), unwritten)
}

/// The value with a null for each argument that its nested blocks leave out and the policy mentions; `None` if
/// that adds nothing.
fn with_nulls(
    value: &Value,
    path: &Path,
    reads: &Reads,
    source: Option<&dyn Source>,
) -> Option<Value> {
    let source = source?;
    match value.content() {
        ValueContent::Sequence(all) if matches!(value.ty(), Type::Tuple(_)) => {
            let mut is_filled = false;
            let all: Vec<Value> = all
                .iter()
                .enumerate()
                .map(|(at, it)| {
                    let path = path.with(Step::index(at));
                    let full = guarded(|| with_nulls(it, &path, reads, Some(source)));
                    is_filled |= full.is_some();
                    full.unwrap_or_else(|| it.clone())
                })
                .collect();
            is_filled.then(|| Value::tuple(all).with_marks(value.marks()))
        }
        ValueContent::Mapping(all) if matches!(value.ty(), Type::Object(_)) => {
            let mut full: BTreeMap<SmolStr, Value> = value.as_mapping()?.clone();
            let mut is_filled = false;
            for (name, it) in &mut full {
                let path = path.with(Step::Attribute(name.clone()));
                if let Some(inside) = guarded(|| with_nulls(it, &path, reads, Some(source))) {
                    (*it, is_filled) = (inside, true);
                }
            }
            for name in reads.nested.iter().filter(|it| !all.contains_key(*it)) {
                if source.is_left_out(&path.with(Step::Attribute(name.clone()))) {
                    full.insert(name.clone(), Value::null(Type::Dynamic));
                    is_filled = true;
                }
            }
            is_filled.then(|| Value::object(full).with_marks(value.marks()))
        }
        _ => None,
    }
}

/// The same arguments, each of them null: what a deleted resource will have.
fn nulls(prior: &Value) -> Value {
    let Some(all) = prior.as_mapping() else { return Value::unknown(Type::Dynamic) };
    let null = |(name, it): (&SmolStr, &Value)| (name.clone(), Value::null(it.ty().clone()));
    Value::object(all.iter().map(null).collect())
}

/// The object `meta` of a kind. A test has written it, so that it is complete.
fn meta(subject: &PolicySubject<'_>, kind: BlockKind, operation: Option<Operation>) -> Value {
    let known = (subject.meta)();
    let all = known.as_mapping().cloned().unwrap_or_default();
    if all.contains_key("tfe_stack") {
        return known;
    }
    let text = |name: &str| all.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let attribute = |name: &str| {
        let value = subject.attrs.as_mapping().and_then(|it| it.get(name)).cloned();
        value.unwrap_or_else(|| Value::null(Type::String))
    };
    let stack = || {
        object([
            ("deployment_group", Value::string("")),
            ("deployment_name", Value::string("")),
            ("stack_name", Value::string("")),
        ])
    };
    match kind {
        BlockKind::Resource => {
            let provider = text("provider");
            let ty = provider.rsplit('/').next().unwrap_or_default();
            let operation = operation.map_or(unknown(), |it| Value::string(it.as_str()));
            object([
                ("module_path", module_path(&text("module"))),
                ("operation", operation),
                ("provider_type", Value::string(ty)),
                ("tfe_stack", stack()),
                ("tfe_workspace", object([("tags", unknown())])),
                ("type", Value::string(&subject.label)),
            ])
        }
        BlockKind::Module => object([
            ("address", Value::string(&subject.address)),
            ("source", full_source(attribute("source"))),
            ("tfe_stack", stack()),
            ("version", resolved(attribute("version"))),
        ]),
        _ => {
            let source = subject.provider.as_deref();
            let part = |at: usize| {
                let part = source.and_then(|it| it.rsplit('/').nth(at));
                part.map_or(unknown(), Value::string)
            };
            object([
                ("alias", attribute("alias")),
                ("name", Value::string(&subject.label)),
                ("namespace", part(1)),
                ("source", source.map_or(unknown(), Value::string)),
                ("tfe_stack", stack()),
                ("type", part(0)),
                ("version", version(subject.selected.as_ref(), attribute("version"))),
            ])
        }
    }
}

/// What is known only where Terraform runs.
fn unknown() -> Value {
    Value::unknown(Type::Dynamic).with_marks(Marks::UNDECIDED)
}

/// `.` for the root module, the name of the call in it for a called module. The language does not document the
/// form of deeper paths.
fn module_path(address: &str) -> Value {
    let parts: Vec<&str> = address.split('.').collect();
    match parts.as_slice() {
        [""] => Value::string("."),
        ["module", name] => Value::string(name.split('[').next().unwrap_or_default()),
        _ => unknown(),
    }
}

/// The version of a provider: the selected one or, without a lock file, the only one that the constraint allows.
/// Without a constraint it can be any.
fn version(selected: Option<&SmolStr>, constraint: Value) -> Value {
    match selected {
        Some(it) => Value::string(it),
        None if constraint.is_null() => unknown(),
        None => resolved(constraint),
    }
}

/// The version that a constraint leads to, if it allows only one; null where nothing is written.
fn resolved(constraint: Value) -> Value {
    let Some(text) = constraint.as_str() else {
        return if constraint.is_null() { constraint } else { unknown() };
    };
    let parsed = Constraints::parse(text);
    match parsed.as_ref().and_then(Constraints::only) {
        Some(_) => {
            let text = text.trim().trim_start_matches('=').trim();
            Value::string(text).with_marks(constraint.marks())
        }
        None => unknown(),
    }
}

/// The source of a module with the host of its registry.
fn full_source(source: Value) -> Value {
    match source.as_str().and_then(with_host) {
        Some(it) => Value::string(it).with_marks(source.marks()),
        None => source,
    }
}

/// `registry.terraform.io/a/b/c` for `a/b/c`; `None` for what is not an address of a registry without a host.
pub(super) fn with_host(source: &str) -> Option<String> {
    let parts: Vec<&str> = source.split('/').collect();
    let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    let is_name = |it: &&str| !it.is_empty() && it.bytes().all(is_of_name);
    (parts.len() == 3 && parts.iter().all(is_name))
        .then(|| format!("registry.terraform.io/{source}"))
}
