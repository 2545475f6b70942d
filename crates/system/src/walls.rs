//! The files that a confined run may reach.

use std::path::{Path, PathBuf};

use super::MAX_FILE_SIZE;

/// The roots of a run. Nothing outside of them is read, listed or written, except files that the user
/// names.
///
/// For example: `terraschema check alias ../other` in `/home/u/repo`, where `alias` links to `modules`,
/// has the trees `/home/u/repo` -> `/home/u/repo`, `/home/u/repo/alias` -> `/home/u/repo/modules` and
/// `/home/u/other` -> `/home/u/other`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walls {
    /// The directories in which paths may begin.
    pub trees: Vec<WalledDirectory>,
    /// Files outside of the roots that the user names, absolute: a configuration, a values file.
    pub named: Vec<PathBuf>,
    /// A repository (absolute) and the text of its `info/exclude`, which may be outside of the root.
    pub exclude: Option<(PathBuf, String)>,
    /// The limit for the bytes of a file.
    pub max_file_size: u64,
}

/// A directory, with the name that paths use for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WalledDirectory {
    /// Absolute and lexically clean; it may contain links that the user named.
    pub name: PathBuf,
    /// The root that confines it: absolute, every link resolved.
    pub root: PathBuf,
    /// The path of `name` inside of the root: relative, every link resolved.
    pub inside: PathBuf,
}

impl Walls {
    /// Walls around one root, which paths call by its own name.
    pub fn around(root: &Path) -> Walls {
        let tree = WalledDirectory {
            name: root.to_owned(),
            root: root.to_owned(),
            inside: PathBuf::new(),
        };
        Walls { trees: vec![tree], ..Walls::default() }
    }
}

impl Default for Walls {
    fn default() -> Walls {
        Walls { trees: Vec::new(), named: Vec::new(), exclude: None, max_file_size: MAX_FILE_SIZE }
    }
}

/// Whether any file system may read a name as that of git's own directory: letter case, trailing dots
/// and blanks and invisible characters do not matter (NTFS, HFS+), and `git~1` is its short name.
pub fn is_git_directory(name: &str) -> bool {
    let is_ignored = |it: &char| matches!(it, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}');
    let visible: String = name.chars().filter(|it| !is_ignored(it)).collect();
    let visible = visible.split(':').next().unwrap_or_default().trim_end_matches(['.', ' ']);
    let visible = visible.to_ascii_lowercase();
    let is_short = visible.strip_prefix("git~").is_some_and(|it| it.parse::<u32>().is_ok());
    visible == ".git" || is_short
}
