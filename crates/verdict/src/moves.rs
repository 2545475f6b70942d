//! Checks `moved`, `removed` and `import` blocks against the declarations.

use std::fmt::Write as _;

use smol_str::SmolStr;

use super::{
    instance::{CALL, Kept, Target},
    members::Members,
    repetition::Expansion,
    statements::Name,
    undecided,
};
use diagnostics::{Diagnostic, Diagnostics, Role, Span, lints};
use hcl::{
    Expr,
    analysis::{ConstantIndex, absolute_traversal, closed_traversal},
};
use module::{Address, AddressForm, AddressKind, Import, Module, Move, Repetition};
use release::changes;
use tf_eval::references;

/// Errors that Terraform reports after its static pass.
pub(super) fn check(members: &Members<'_>) -> Diagnostics {
    let mut found = super::statements::check(members);
    for (index, member) in members.iter().enumerate() {
        if !member.module.release.has(&changes::MOVED_TYPES) {
            found.extend(member.module.moves.iter().filter_map(|moved| {
                Some(members.own(
                    index,
                    other_type(&moved.from, &moved.to)?.at(Role::Declaration, moved.span),
                ))
            }));
        }
        let moves = member.module.moves.iter();
        let moves = moves.filter(|it| !hangs_on_instances(members, index, it));
        found.extend(moves.filter_map(|it| unfit_move(members, index, it)));
        for it in &member.module.removals {
            if let Some((at, span)) = declared(members, index, &it.from) {
                let what = match it.from.kind {
                    AddressKind::Module => "module",
                    _ => "resource",
                };
                let summary = format!("Removed {what} still exists");
                let problem = Diagnostic::new(&lints::INVALID_MOVE, summary);
                let detail = "The object is still declared here, so it is not removed.";
                let problem = problem.detail(detail).at(Role::Declaration, it.from_span);
                found.push(with_declaration(members, index, problem, at, span));
            }
        }
    }
    found
}

/// The form of addresses in `moved` and `import` blocks of a module.
fn form(module: &Module) -> AddressForm {
    AddressForm::of(module.release)
}

/// The error for a move between resources of two types.
fn other_type(from: &Address, to: &Address) -> Option<Diagnostic> {
    let ty = |it: &Address| {
        let at = it.names.len().checked_sub(2)?;
        (it.kind != AddressKind::Module).then(|| (it.kind, it.names[at].0.clone()))
    };
    if ty(from)? == ty(to)? {
        return None;
    }
    let problem = Diagnostic::new(&lints::INVALID_MOVE, "Resource type mismatch");
    Some(problem.detail("A resource can move only to another resource of the same type."))
}

/// Whether a move is one only where there are certain instances: of the module that has the block, of those on the way to
/// what it moves, or of that itself. A resource without instances still exists.
fn hangs_on_instances(members: &Members<'_>, index: usize, it: &Move) -> bool {
    let is_single = |(caller, (call, key)): &(usize, &Name)| {
        let call = members.get(*caller).module.calls.get(call);
        key.is_none() && call.is_none_or(|it| it.repetition.is_single())
    };
    is_of_instance(it)
        || !super::statements::is_single(members, index)
        || !Way::new(members, index, &it.from).calls.iter().all(is_single)
}

/// Whether a move is of one instance: an end has a key behind its last name. Keys of the modules on the way say nothing
/// about that.
pub(super) fn is_of_instance(it: &Move) -> bool {
    let is_instance = |it: &Address| it.names.last().is_some_and(|(_, key)| key.is_some());
    is_instance(&it.from) || is_instance(&it.to)
}

/// The error for a move of an object that is still declared.
fn unfit_move(members: &Members<'_>, index: usize, it: &Move) -> Option<Diagnostic> {
    let (at, span) = declared(members, index, &it.from)?;
    Some(still_there(members, index, it.span, at, span))
}

/// Errors for moves that are ambiguous where a module has an instance, and for moves of what still exists there:
/// `from = a[1]` where a has two instances.
pub(super) fn check_instances(members: &Members<'_>, kept: &[Vec<Kept>]) -> Diagnostics {
    let mut found = super::statements::check_repeated(members, kept);
    for (index, member) in members.iter().enumerate() {
        let moves = member.module.moves.iter();
        let moves = moves.filter(|it| hangs_on_instances(members, index, it));
        let moves = moves.filter(|it| has_instance(members, kept, index, it));
        found.extend(moves.filter_map(|it| unfit_move(members, index, it)));
    }
    found
}

/// Whether the module that has the block surely has an instance, and what the block moves exists there, judging by the
/// known instances.
fn has_instance(members: &Members<'_>, kept: &[Vec<Kept>], index: usize, it: &Move) -> bool {
    if !kept[index].iter().any(Kept::is_certain) {
        return false;
    }
    let way = Way::new(members, index, &it.from);
    let calls = way.calls.len();
    let is_whole = !is_of_instance(it);
    way.end.is_some()
        && way.stops().enumerate().all(|(at, (index, block, key))| {
            let mut expansions = kept[index].iter().filter_map(|it| it.expansions.get(&block));
            // A resource or a call without instances still exists.
            at == calls && is_whole || expansions.any(|it| it.has(key))
        })
}

fn still_there(
    members: &Members<'_>,
    index: usize,
    block: Span,
    at: usize,
    declaration: Span,
) -> Diagnostic {
    let problem = Diagnostic::new(&lints::INVALID_MOVE, "Moved object still exists");
    let detail = "The object is still declared here, so it has not moved.";
    let problem = problem.detail(detail).at(Role::Declaration, block);
    with_declaration(members, index, problem, at, declaration)
}

/// Errors for imports whose address lacks a key, or has one that the target does not take. Part of the
/// static pass.
pub(super) fn check_import_keys(members: &Members<'_>) -> Diagnostics {
    let mut found = Vec::new();
    for (index, member) in members.iter().enumerate() {
        if !member.module.release.has(&changes::IMPORT_KEYS) {
            continue;
        }
        for it in &member.module.imports {
            let address =
                absolute_traversal(&it.to).and_then(|it| Address::new(&it, form(member.module)));
            let Some(summary) = address.and_then(|it| unfit_key(members, index, &it)) else {
                continue;
            };
            let problem = Diagnostic::new(&lints::UNDECLARED_REFERENCE, summary);
            let detail =
                "An instance has a key if, and only if, the resource has count or for_each.";
            let problem = problem.detail(detail).at(Role::Declaration, it.to.span);
            found.push(members.own(index, problem));
        }
    }
    found
}

/// Errors for imports to undeclared targets, for two imports to one resource, and for imports in called
/// modules.
pub(super) fn check_imports(members: &Members<'_>) -> Diagnostics {
    let mut found = Vec::new();
    for (index, member) in members.iter().enumerate() {
        let mut before = Vec::new();
        for it in &member.module.imports {
            let refuse = |summary: &str, detail: &str, span: Span| {
                let problem = Diagnostic::new(&lints::INVALID_MODULE, summary);
                members.own(index, problem.detail(detail).at(Role::Declaration, span))
            };
            if member.caller.is_some() && !member.module.release.has(&changes::IMPORT_IN_MODULE) {
                let detail = "Only the root module can have import blocks.";
                found.push(refuse("Invalid import configuration", detail, it.span));
            }
            let Some(to) = absolute_traversal(&it.to) else { continue };
            let Some(address) =
                Address::new(&to, form(member.module)).filter(|_| it.for_each.is_none())
            else {
                continue;
            };
            if before.contains(&address) {
                let detail = "Another import has the same address.";
                found.push(refuse("Duplicate import configuration", detail, it.to.span));
            }
            before.push(address);
        }
        let address = |it: &Import| with_any_keys(it, member.module);
        // The own block of a declared resource names its provider. The import may repeat that, word for word.
        let misplaced = |import: &Import| {
            let (provider, span) = import.provider.as_ref()?;
            let address = address(import)?;
            declared(members, index, &address)?;
            let names: Vec<&SmolStr> = address.names.iter().map(|it| &it.0).collect();
            let own = match names[..] {
                [ty, name] => member.module.resources.get(&(ty.clone(), name.clone())),
                _ => None,
            };
            let is_repeated = own.is_some_and(|it| it.provider.as_ref() == Some(provider));
            (!is_repeated).then_some(*span)
        };
        for it in &member.module.imports {
            if let Some(span) = misplaced(it) {
                let summary = "Invalid import provider argument";
                let problem = Diagnostic::new(&lints::INVALID_MODULE, summary);
                let detail =
                    "The resource is declared, and its own block names another provider, or none.";
                let problem = problem.detail(detail).at(Role::Declaration, span);
                found.push(members.own(index, problem));
            }
            if let Some(for_each) = it.for_each.as_ref()
                && member.module.release.has(&changes::IMPORT_OWN_TARGET)
                && refers_to_target(for_each, &it.to)
            {
                let summary = "Invalid for_each argument";
                let problem = Diagnostic::new(&lints::FAILED_EVALUATION, summary);
                let detail = "It refers to the resource that it imports.";
                let problem = problem.detail(detail).at(Role::Rule, for_each.span);
                found.push(members.own(index, problem));
            }
            let Some(to) = absolute_traversal(&it.to) else { continue };
            let Some(address) = Address::new(&to, form(member.module)) else { continue };
            let is_own = address.names.iter().any(|(it, _)| it == "terraform_data");
            if let Some(identity) = it.identity.as_ref().filter(|_| is_own) {
                let detail = "Resources of Terraform's built-in provider have no identity.";
                found.push({
                    let problem =
                        Diagnostic::new(&lints::FAILED_EVALUATION, "Incorrect value type");
                    members.own(index, problem.detail(detail).at(Role::Declaration, identity.span))
                });
            }
        }
        found.extend(missing_targets(members, index));
    }
    found
}

/// Errors for imports to undeclared resources, also where their for_each has no element.
fn missing_targets(members: &Members<'_>, index: usize) -> Diagnostics {
    let module = members.get(index).module;
    let missing = module.imports.iter().filter(|import| {
        let address = with_any_keys(import, module);
        address.is_some_and(|it| is_missing(members, index, &it))
    });
    let problem = |span: Span| {
        let summary = "Configuration for import target does not exist";
        let problem = Diagnostic::new(&lints::UNDECLARED_REFERENCE, summary);
        let detail = "No resource is declared at the address of the import.";
        members.own(index, problem.detail(detail).at(Role::Declaration, span))
    };
    missing.map(|it| problem(it.to.span)).collect()
}

/// The address that an import is to, with some key in place of each that is evaluated.
fn with_any_keys(import: &Import, module: &Module) -> Option<Address> {
    let any =
        |key: &Expr| Some(ConstantIndex::new(key).unwrap_or(ConstantIndex::Number("0".into())));
    Address::new(&closed_traversal(&import.to, any)?, form(module))
}

/// Whether an expression refers to the resource that an import targets. The target's address may have a
/// key, which is evaluated.
fn refers_to_target(expr: &Expr, to: &Expr) -> bool {
    let (found, targets) = (references(expr), references(to));
    let Some(target) = targets.iter().find(|it| it.name != "each") else { return false };
    found.iter().any(|it| it.name == target.name && it.first == target.first)
}

/// Errors for imports to instances that do not exist, and for keys from `for_each` that the target does not
/// take.
pub(super) fn check_imported(members: &Members<'_>, kept: &[Vec<Kept>]) -> Diagnostics {
    let mut found = Vec::new();
    for (index, member) in members.iter().enumerate() {
        let instances = || kept[index].iter();
        for (at, it) in member.module.imports.iter().enumerate() {
            let targets = instances().filter_map(|it| it.imports.get(&at)).flatten();
            for target in targets {
                let Some((summary, detail)) = unfit_target(members, kept, index, it, target) else {
                    continue;
                };
                let problem = Diagnostic::new(&lints::UNDECLARED_REFERENCE, summary);
                let problem = problem.detail(detail).at(Role::Declaration, it.to.span);
                let problem =
                    if target.is_certain { problem } else { undecided::imported(&problem) };
                found.push(members.own(index, problem));
            }
        }
    }
    found
}

/// Why nothing can be imported to an address, in a summary and a detail.
fn unfit_target(
    members: &Members<'_>,
    kept: &[Vec<Kept>],
    index: usize,
    import: &Import,
    target: &Target,
) -> Option<(&'static str, String)> {
    let address = target.address.as_ref()?;
    let shown = || if target.is_hidden { "with this key".to_owned() } else { shown(address) };
    let is_constant = absolute_traversal(&import.to).is_some();
    let summary = "Configuration for import target does not exist";
    declared(members, index, address)?;
    // Releases that take a resource with count or for_each without a key import into nothing then.
    let has_own_key = address.names.last().is_some_and(|(_, key)| key.is_some());
    if let Some(summary) = unfit_key(members, index, address) {
        let checks_keys = members.get(index).module.release.has(&changes::IMPORT_KEYS);
        if checks_keys && !is_constant {
            let detail = format!("The resource has no instance {}.", shown());
            return Some((summary, detail));
        }
        if !has_own_key {
            return None;
        }
    }
    let detail = format!("The instance {} does not exist.", shown());
    lacks_instance(members, kept, index, address).then_some((summary, detail))
}

/// The address as it is written.
fn shown(address: &Address) -> String {
    let of_calls = address.names.len() - if address.kind == AddressKind::Module { 1 } else { 2 };
    let mut text = String::new();
    for (at, (name, key)) in address.names.iter().enumerate() {
        let separator = if at == 0 { "" } else { "." };
        let prefix = if at < of_calls { "module." } else { "" };
        _ = write!(text, "{separator}{prefix}{name}");
        _ = match key {
            Some(ConstantIndex::String(it)) => write!(text, "[{it:?}]"),
            Some(ConstantIndex::Number(it)) => write!(text, "[{it}]"),
            None => Ok(()),
        };
    }
    text
}

/// Whether the instance of a declared resource surely does not exist, or one of the calls on the way to it.
fn lacks_instance(
    members: &Members<'_>,
    kept: &[Vec<Kept>],
    from: usize,
    address: &Address,
) -> bool {
    let is_open = |it: &Expansion| matches!(it, Expansion::Open { .. });
    Way::new(members, from, address).stops().any(|(index, block, key)| {
        let mut all = kept[index].iter().map(|it| it.expansions.get(&block)).peekable();
        all.peek().is_some()
            && all.all(|instances| instances.is_some_and(|it| !is_open(it) && !it.has(key)))
    })
}

/// The error for a key that the resource does not take: a key where there is one instance, none where there are
/// many, or a key of the other kind.
fn unfit_key(members: &Members<'_>, from: usize, address: &Address) -> Option<&'static str> {
    let (index, [(ty, _), (name, key)]) = Way::new(members, from, address).end? else {
        return None;
    };
    let resource = members.get(index).module.resources.get(&(ty.clone(), name.clone()))?;
    let Repetition { count, for_each, .. } = &resource.repetition;
    let is_fit = match key {
        None => count.is_none() && for_each.is_none(),
        Some(ConstantIndex::Number(_)) => count.is_some(),
        Some(ConstantIndex::String(_)) => count.is_none() && for_each.is_some(),
    };
    (!is_fit).then_some("Invalid import 'to' expression")
}

fn with_declaration(
    members: &Members<'_>,
    index: usize,
    problem: Diagnostic,
    at: usize,
    span: Span,
) -> Diagnostic {
    let problem = members.own(index, problem);
    let span = span.shifted(members.get(at).shift);
    problem.at_with(Role::Declaration, span, "declared here")
}

/// The declaration of an address: its module's index in the tree, and its span.
fn declared(members: &Members<'_>, from: usize, address: &Address) -> Option<(usize, Span)> {
    let (index, rest) = Way::new(members, from, address).end?;
    let module = members.get(index).module;
    match (address.kind, rest) {
        (AddressKind::Module, [(call, _)]) => Some((index, module.calls.get(call)?.span)),
        (AddressKind::Resource, [(ty, _), (name, _)]) => {
            Some((index, module.resources.get(&(ty.clone(), name.clone()))?.span))
        }
        (AddressKind::Data | AddressKind::Ephemeral, [(ty, _), (name, _)]) => {
            let mode = if address.kind == AddressKind::Data { "data" } else { "ephemeral" };
            let kind = SmolStr::new(format!("{mode}.{ty}"));
            Some((index, module.resources.get(&(kind, name.clone()))?.span))
        }
        _ => None,
    }
}

/// Whether the resource of an address is surely undeclared. Modules that are not here prove nothing.
fn is_missing(members: &Members<'_>, from: usize, address: &Address) -> bool {
    let way = Way::new(members, from, address);
    if way.end.is_some() {
        return address.kind != AddressKind::Module && declared(members, from, address).is_none();
    }
    // A call on the way is undeclared, or its module is not here.
    let is_undeclared =
        |(index, (call, _)): &(usize, &Name)| !members.get(*index).module.calls.contains_key(call);
    let release = members.get(from).module.release;
    release.has(&changes::IMPORT_MISSING_MODULE) && way.calls.last().is_some_and(is_undeclared)
}

/// The way of an address through the modules of the tree.
struct Way<'a> {
    /// Its calls, each with the module that has it; the last is the first whose module is not here.
    calls: Vec<(usize, &'a Name)>,
    /// The module of its last names, and these; `None` where that module is not here.
    end: Option<(usize, &'a [Name])>,
}

impl<'a> Way<'a> {
    fn new(members: &Members<'_>, from: usize, address: &'a Address) -> Way<'a> {
        let last = if address.kind == AddressKind::Module { 1 } else { 2 };
        let (names, rest) = address.names.split_at(address.names.len().saturating_sub(last));
        let (mut index, mut calls) = (from, Vec::new());
        for call in names {
            calls.push((index, call));
            let Some(next) = members.called(index, &call.0) else {
                return Way { calls, end: None };
            };
            index = next;
        }
        Way { calls, end: Some((index, rest)) }
    }

    /// The blocks on the way and at its end: the module that has each, its type and name, and its key.
    fn stops(
        &self,
    ) -> impl Iterator<Item = (usize, (SmolStr, SmolStr), Option<&'a ConstantIndex>)> {
        let call =
            |index: usize, (name, key): &'a Name| (index, (CALL, name.clone()), key.as_ref());
        let end = self.end.and_then(|(index, names)| match names {
            [it] => Some(call(index, it)),
            [(ty, _), (name, key)] => Some((index, (ty.clone(), name.clone()), key.as_ref())),
            _ => None,
        });
        self.calls.iter().map(move |(index, it)| call(*index, it)).chain(end)
    }
}
