//! The files below a directory that are worth looking at.

use std::{
    cmp::Ordering,
    io,
    path::{Path, PathBuf},
    sync::Mutex,
};

use ignore::{DirEntry, WalkBuilder, WalkState};
use rayon::prelude::*;

use super::Enters;

/// Every file (and symbolic link) below `root`, sorted. Hidden directories, `.terraform/` and what
/// git ignores are left out, and directories that `enters` turns down; links to directories are not
/// followed, so that no loop is walked.
/// Hidden files are kept: Terraform loads `.x.auto.tfvars`.
pub(super) fn walk(root: &Path, enters: Enters<'_>) -> io::Result<Vec<PathBuf>> {
    let found = Mutex::new(Vec::new());
    let error = Mutex::new(None);
    let mut builder = WalkBuilder::new(root);
    // `.ignore` is for other tools.
    builder.hidden(false).ignore(false).follow_links(false).filter_entry(is_wanted);
    builder.build_parallel().run(|| {
        Box::new(|entry| {
            match entry {
                Ok(entry) if is_directory(&entry) => {
                    if entry.depth() > 0 && !enters(entry.path()) {
                        return WalkState::Skip;
                    }
                }
                Ok(entry) => lock(&found).push(entry.into_path()),
                Err(problem) => _ = lock(&error).get_or_insert(problem),
            }
            WalkState::Continue
        })
    });
    if let Some(problem) = lock(&error).take() {
        let kind = problem.io_error().map_or(io::ErrorKind::Other, io::Error::kind);
        return Err(io::Error::new(kind, problem.to_string()));
    }
    let mut files = std::mem::take(&mut *lock(&found));
    files.par_sort_unstable_by(|a, b| compare(a, b));
    Ok(files)
}

/// The order of paths, component by component, of paths that are written alike: as `Path` has it, but
/// without taking every path apart for every comparison.
fn compare(a: &Path, b: &Path) -> Ordering {
    ranks(a).cmp(ranks(b))
}

/// A separator comes before everything else.
fn ranks(path: &Path) -> impl Iterator<Item = Option<u8>> {
    let bytes = path.as_os_str().as_encoded_bytes().iter();
    bytes.map(|it| Some(*it).filter(|it| !std::path::is_separator(char::from(*it))))
}

fn is_wanted(entry: &DirEntry) -> bool {
    let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
    entry.depth() == 0 || !hidden || !is_directory(entry)
}

fn is_directory(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|it| it.is_dir())
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
