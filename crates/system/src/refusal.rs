//! Why a path is not read: it leads outside of the run's root, or the file is of a kind that cannot be
//! read.

use std::{error::Error, io, path::PathBuf};

use super::paths;
use diagnostics::{Diagnostic, Role, Sources, Span, lints};

/// A path that a [`ConfinedSystem`](super::ConfinedSystem) does not follow, or a file that no system
/// reads whole. It travels inside an [`io::Error`]; [`Refusal::of`] takes it out again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// A symbolic link leads out of the root. Example: `m/main.tf -> ../../secret`.
    #[error("the link {} leads to {}, outside the root {}", link.display(), target.display(), root.display())]
    LinkLeaves { link: PathBuf, target: PathBuf, root: PathBuf },
    /// A symbolic link is absolute. It does not matter where it leads. Example: `m/main.tf ->
    /// /proc/self/environ`.
    #[error("the link {} is absolute: it leads to {}", link.display(), target.display())]
    LinkIsAbsolute { link: PathBuf, target: PathBuf },
    /// The path itself lies outside. Example: `file("/etc/passwd")`.
    #[error("{} is outside the root", path.display())]
    Outside { path: PathBuf },
    /// The path, or a link in it, leads into the directory that git keeps for itself.
    #[error("{} leads into the .git directory", path.display())]
    GitDirectory { path: PathBuf },
    /// A written path has a symbolic link in it.
    #[error("{} is a symbolic link; terraschema does not write through links", link.display())]
    WriteThroughLink { link: PathBuf },
    /// Nothing is looked at: what is evaluated must not depend on the machine. Example: a rule of a
    /// variable while it is translated.
    #[error("files cannot be read here")]
    Denied,
    /// Somebody else wrote the file after it was read. Example: an editor saves while `check --fix-inputs`
    /// runs.
    #[error("{} has changed since it was read, and was not written", path.display())]
    Changed { path: PathBuf },
    /// Nobody has the permission to write the file. Example: a schema of mode 0444.
    #[error("{} is read-only, and was not written", path.display())]
    ReadOnly { path: PathBuf },
    /// A pipe, a device, a socket.
    #[error("not a regular file")]
    NotRegular,
    /// More bytes than `--max-file-size`.
    #[error("the file is larger than {limit} bytes (--max-file-size)")]
    TooLarge { limit: u64 },
}

impl Refusal {
    /// The refusal inside of an error, if there is one.
    pub fn of(error: &io::Error) -> Option<&Refusal> {
        error.get_ref().and_then(|it: &(dyn Error + Send + Sync + 'static)| it.downcast_ref())
    }

    /// Whether nobody looks, so that nothing is known of what is there. Of other refusals it is known that
    /// there is a file.
    pub fn leaves_unknown(&self) -> bool {
        match self {
            Refusal::LinkLeaves { .. }
            | Refusal::LinkIsAbsolute { .. }
            | Refusal::Outside { .. }
            | Refusal::GitDirectory { .. }
            | Refusal::WriteThroughLink { .. }
            | Refusal::Denied => true,
            Refusal::Changed { .. }
            | Refusal::ReadOnly { .. }
            | Refusal::NotRegular
            | Refusal::TooLarge { .. } => false,
        }
    }

    /// The symbolic link that leads outside, as it is written in the tree.
    pub fn link(&self) -> Option<&PathBuf> {
        match self {
            Refusal::LinkLeaves { link, .. } | Refusal::LinkIsAbsolute { link, .. } => Some(link),
            _ => None,
        }
    }
}

impl From<Refusal> for io::Error {
    fn from(refusal: Refusal) -> io::Error {
        let kind = match refusal {
            Refusal::TooLarge { .. } => io::ErrorKind::FileTooLarge,
            Refusal::NotRegular => io::ErrorKind::InvalidInput,
            Refusal::Changed { .. } => io::ErrorKind::ResourceBusy,
            _ => io::ErrorKind::PermissionDenied,
        };
        io::Error::new(kind, refusal)
    }
}

/// The finding for an unreadable file. A link that leads outside and a file that is too large have their
/// own rules; the place of a link is the link. Every other error has the rule `otherwise`.
pub fn unreadable(
    error: &io::Error,
    shown: &str,
    role: Role,
    sources: &mut Sources,
    otherwise: impl FnOnce() -> Diagnostic,
) -> Diagnostic {
    match Refusal::of(error) {
        // No other root lets anybody look.
        Some(Refusal::Denied) => otherwise(),
        Some(refusal) if refusal.leaves_unknown() => {
            let link = refusal.link().map(|it| paths::display(it));
            let file = sources.add(link.unwrap_or_else(|| shown.to_owned()), Vec::new());
            Diagnostic::new(&lints::OUTSIDE_ROOT, format!("{shown} is not read"))
                .detail(format!("{refusal}."))
                .at(role, Span::new(file, 0, 0))
                .help("replace the link with the file, or choose a larger root with --root DIR")
        }
        Some(Refusal::TooLarge { .. }) => {
            Diagnostic::new(&lints::BUDGET_EXCEEDED, format!("{shown} is too large"))
                .detail(format!("{error}."))
        }
        _ => otherwise(),
    }
}
