//! The parts of a module that no verdict covers.

use super::Span;

/// Something that was not judged, so that "accepted" does not cover it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Omission {
    /// The arguments of this many resources, data sources and ephemeral resources, which only their
    /// providers know.
    Resources(usize),
    /// A call of a module that is not here: its address, the reason, and its place.
    Call { address: String, reason: String, place: Span },
}
