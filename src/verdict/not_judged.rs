//! What a verdict says nothing of.

use super::{members::Members, tree::Tree};
pub use crate::diagnostic::Omission as NotJudged;
use crate::{eval::shape, module::Module, version::Version};

/// What of a module and all that it calls nothing here can judge.
pub(super) fn of(root: &Module, tree: &Tree) -> Vec<NotJudged> {
    let members = Members::new(root, tree);
    let resources = members.iter().flat_map(|it| it.module.resources.values());
    let foreign = resources.filter(|it| shape(&it.kind(), Version::NEWEST).is_none()).count();
    let mut found = Vec::new();
    if foreign > 0 {
        found.push(NotJudged::Resources(foreign));
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
