//! What a verdict says nothing of.

use super::Span;

/// Something that was not judged, so that "accepted" does not cover it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Omission {
    /// The arguments of so many resources, data sources and ephemeral resources, which only their
    /// providers know.
    Resources(usize),
    /// A call of a module that is not here: its address, the reason, and where it stands.
    Call { address: String, reason: String, place: Span },
}
