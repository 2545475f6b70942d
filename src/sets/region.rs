//! For which values an expression is true, and for which it is false.

use std::fmt;

use smol_str::SmolStr;

use super::{ValueSet, assignments::joined};
use crate::diagnostic::Span;

/// Why a region is larger than the set of values that it stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Loss {
    pub reason: Reason,
    /// The part of the condition that it is about.
    pub span: Span,
}

/// What was lost. Its text is part of a sentence, such as "a comparison with `var.other`, which is no
/// constant"; code looks at the variant alone.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// Some releases see a failure that others do not: `var.x == null || var.x > 1` fails for null in
    /// Terraform 1.11.
    HangsOnRelease,
    /// No release that runs the module hides the failure.
    BeforeKleene,
    /// What no set says.
    Unsaid(SmolStr),
}

impl From<&str> for Reason {
    fn from(text: &str) -> Reason {
        Reason::Unsaid(text.into())
    }
}

impl From<String> for Reason {
    fn from(text: String) -> Reason {
        Reason::Unsaid(text.into())
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::HangsOnRelease => {
                "a failure that && and || hide from Terraform 1.12 and OpenTofu 1.10 on"
            }
            Reason::BeforeKleene => {
                "a failure beside && and ||, which the releases that run this module do not hide"
            }
            Reason::Unsaid(text) => text,
        })
    }
}

/// A set of values that holds *at least* those for which something is so. It is exact when
/// nothing was lost; it is never too small.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Region {
    /// Whether null is in.
    pub null: bool,
    /// The values other than null.
    pub values: ValueSet,
    pub losses: Vec<Loss>,
}

impl Region {
    pub fn new(null: bool, values: ValueSet) -> Region {
        Region { null, values, losses: Vec::new() }
    }

    /// Every value, null included.
    pub fn everything() -> Region {
        Region::new(true, ValueSet::Anything)
    }

    /// No value.
    pub fn nothing() -> Region {
        Region::new(false, ValueSet::Nothing)
    }

    /// Every value, for want of knowing better.
    pub fn unknown(reason: impl Into<Reason>, span: Span) -> Region {
        Region::everything().losing(reason, span)
    }

    /// The same region, admitted to be too large.
    pub fn losing(mut self, reason: impl Into<Reason>, span: Span) -> Region {
        self.losses.push(Loss { reason: reason.into(), span });
        self
    }

    pub fn and(self, other: Region) -> Region {
        let values = ValueSet::all([self.values, other.values]);
        if values == ValueSet::Nothing {
            // What is empty however large its parts were taken is exactly empty.
            return Region::new(self.null && other.null, values);
        }
        Region { null: self.null && other.null, values, losses: joined(self.losses, other.losses) }
    }

    pub fn or(self, other: Region) -> Region {
        let values = ValueSet::either([self.values, other.values]);
        let losses = joined(self.losses, other.losses);
        Region { null: self.null || other.null, values, losses }
    }

    pub fn is_exact(&self) -> bool {
        self.losses.is_empty()
    }
}
