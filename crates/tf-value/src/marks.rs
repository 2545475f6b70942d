//! Marks: facts about a value that travel through every operation on it.

use std::ops::{BitOr, BitOrAssign};

/// A set of marks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Marks(u8);

impl Marks {
    pub const NONE: Marks = Marks(0);
    /// From a sensitive variable or `sensitive()`: never shown.
    pub const SENSITIVE: Marks = Marks(1);
    /// From an ephemeral variable: never shown, never stored.
    pub const EPHEMERAL: Marks = Marks(2);
    /// Derived from something that only a plan with providers knows (a resource, a data source, a
    /// module, a provider function): a verdict that carries it is *undecided*. Our own; Terraform
    /// has no such mark.
    pub const UNDECIDED: Marks = Marks(4);

    /// From a sensitive or ephemeral variable, through every operation: not even `nonsensitive()` makes
    /// us print it. Ours as well; Terraform has no such mark.
    pub const SECRET: Marks = Marks(8);

    /// From an ephemeral resource. A plan opens it, so Terraform knows the value, and keeps the mark
    /// [`EPHEMERAL`](Self::EPHEMERAL) where it forgets those of unknown values. Ours, too.
    pub const OPENED: Marks = Marks(16);

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn contains(self, other: Marks) -> bool {
        self.0 & other.0 == other.0
    }

    pub fn without(self, other: Marks) -> Marks {
        Marks(self.0 & !other.0)
    }

    pub fn is_sensitive(self) -> bool {
        self.contains(Self::SENSITIVE)
    }

    pub fn is_ephemeral(self) -> bool {
        self.contains(Self::EPHEMERAL) || self.contains(Self::OPENED)
    }

    pub fn is_secret(self) -> bool {
        self.contains(Self::SECRET)
    }

    /// Whether a value with these marks must not be printed.
    pub fn is_hidden(self) -> bool {
        self.is_sensitive() || self.is_ephemeral() || self.is_secret()
    }

    /// The marks of our own.
    pub fn of_ours(self) -> Marks {
        Marks(self.0 & (Self::UNDECIDED | Self::SECRET | Self::OPENED).0)
    }

    /// The marks that Terraform has.
    pub fn of_terraform(self) -> Marks {
        self.without(Self::UNDECIDED | Self::SECRET | Self::OPENED)
    }

    pub fn is_undecided(self) -> bool {
        self.contains(Self::UNDECIDED)
    }
}

impl BitOr for Marks {
    type Output = Marks;
    fn bitor(self, other: Marks) -> Marks {
        Marks(self.0 | other.0)
    }
}

impl BitOrAssign for Marks {
    fn bitor_assign(&mut self, other: Marks) {
        self.0 |= other.0;
    }
}
