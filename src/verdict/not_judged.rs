//! What a verdict says nothing of.

use super::{members::Members, tree::Tree};
use crate::{eval::shape, module::Module, version::Version};

/// Something that was not judged, so that "accepted" does not cover it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotJudged {
    /// The arguments of so many resources, data sources and ephemeral resources, which only their
    /// providers know.
    Resources(usize),
    /// A call of a module that is not here: its address and the reason.
    Call { address: String, reason: String },
}

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
            NotJudged::Call { address, reason: reason.to_owned() }
        }));
    }
    found
}
