//! The parts of a module that no verdict covers.

use super::{members::Members, tree::ModuleTree};
pub use diagnostics::Omission as NotJudged;
use module::{Mode, Module, Resource};

/// Lists the parts of a module, and of all that it calls, that no verdict covers.
pub(super) fn of(root: &Module, tree: &ModuleTree) -> Vec<NotJudged> {
    let members = Members::new(root, tree);
    let resources = members.iter().flat_map(|it| it.module.resources.values());
    let left_out = resources.filter(|it| !is_judged(it)).count();
    let mut found = Vec::new();
    if left_out > 0 {
        found.push(NotJudged::Resources(left_out));
    }
    for member in members.iter() {
        found.extend(member.away().map(|(call, reason)| {
            let separator = if member.address.is_empty() { "" } else { "." };
            let address = format!("{}{separator}module.{}", member.address, call.name);
            let place = call.source.as_ref().map_or(call.span, |it| it.1).shifted(member.shift);
            NotJudged::Call { address, reason: reason.to_owned(), place }
        }));
    }
    found
}

/// Whether a verdict covers all of a resource: it is a `terraform_data` with only these arguments, which
/// accept any value. (The built-in provider's other one, a remote state, is read by the plan.)
fn is_judged(it: &Resource) -> bool {
    let is_free = |name: &str| ["input", "triggers_replace"].contains(&name);
    it.mode == Mode::Managed
        && it.ty == "terraform_data"
        && it.body.blocks.is_empty()
        && it.provisioners.is_empty()
        && it.body.arguments.iter().all(|it| is_free(&it.name.name))
}
