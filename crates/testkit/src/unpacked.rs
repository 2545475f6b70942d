//! Recorded cases, unpacked: `tests/data/KIND/FAMILY.jsonl` holds a case per line, and tests want the directory of each.

use std::{
    collections::BTreeMap,
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    io,
    path::{Path, PathBuf},
};

use serde::Deserialize;

use crate::workspace::{root, scratch};

/// A line; `tests/cases` describes it.
#[derive(Deserialize)]
struct Case {
    name: String,
    files: BTreeMap<String, Content>,
    expected: serde_json::Value,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    /// A text in parts, each with how often it is repeated.
    Runs {
        runs: Vec<(String, usize)>,
    },
    Bytes {
        bytes: Vec<u8>,
    },
    Link {
        link: PathBuf,
    },
}

/// The directory with a directory for each recorded case of a kind, such as `trees`. What Terraform answered is in
/// the `expected.json` of each.
///
/// It is below the build directory, and its name is that of its content: the next run finds it there.
pub fn unpacked(kind: &str) -> PathBuf {
    let texts = families(&root().join("tests/data").join(kind));
    let mut hasher = DefaultHasher::new();
    texts.hash(&mut hasher);
    let all = scratch().join("cases");
    let kind = kind.replace('/', "-");
    let unpacked = all.join(format!("{kind}-{:016x}", hasher.finish()));
    if unpacked.is_dir() {
        return unpacked;
    }
    fs::create_dir_all(&all).unwrap();
    let made = tempfile::tempdir_in(&all).unwrap();
    for line in texts.iter().flat_map(|it| it.lines()) {
        let case: Case = serde_json::from_str(line).unwrap();
        let root = made.path().join(case.name);
        for (path, content) in case.files {
            write(&root.join(path), content).unwrap();
        }
        let expected = serde_json::to_string_pretty(&case.expected).unwrap();
        write(&root.join("expected.json"), Content::Text(expected)).unwrap();
    }
    // A test next to this one may have been faster.
    if fs::rename(made.path(), &unpacked).is_ok() {
        _ = made.keep();
    }
    assert!(unpacked.is_dir(), "{}", unpacked.display());
    unpacked
}

/// The texts of a kind, by family.
fn families(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap().map(|it| it.unwrap().path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|it| it == "jsonl")).collect();
    files.sort();
    assert!(!files.is_empty(), "no cases in {}", directory.display());
    files.iter().map(|it| fs::read_to_string(it).unwrap()).collect()
}

fn write(path: &Path, content: Content) -> io::Result<()> {
    fs::create_dir_all(path.parent().unwrap())?;
    match content {
        Content::Text(text) => fs::write(path, text),
        Content::Runs { runs } => {
            fs::write(path, runs.iter().map(|it| it.0.repeat(it.1)).collect::<String>())
        }
        Content::Bytes { bytes } => fs::write(path, bytes),
        #[cfg(unix)]
        Content::Link { link } => std::os::unix::fs::symlink(link, path),
        #[cfg(not(unix))]
        Content::Link { .. } => Ok(()),
    }
}
