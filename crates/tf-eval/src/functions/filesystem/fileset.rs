//! `fileset`: the files whose paths match a pattern.

use std::path::{Path, PathBuf};

use super::{
    glob,
    glob::{find_unescaped, is_literal, matches},
    ignored, refuse_in_text, refused,
};
use crate::functions::{CallContext, DependsOn, Failure, Function, Param, ReturnType, Ty, text};
use release::changes;
use stack::guarded;
use system::{EntryKind, paths};
use tf_value::{Type, Value};

pub const FUNCTION: Function = Function::pure(
    "fileset",
    "Returns the files below a path that match a pattern.",
    &[Param::new("path", Ty::String), Param::new("pattern", Ty::String)],
    ReturnType::Fixed(Ty::Set(&Ty::String)),
    body,
)
.depends_on(DependsOn::Machine);

fn body(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    refuse_in_text(context)?;
    let path = paths::clean(Path::new(text(&args[0])));
    if context.host.may_be_made(&context.host.base_dir().join(&path).join("file")) {
        return Err(ignored(&paths::slashes(&path)));
    }
    // The path is part of the pattern: special characters in it are special for Terraform.
    let inner = text(&args[1]).trim_start_matches('/');
    let pattern = paths::slashes(&paths::clean(&path.join(inner)));
    let is_newer = context.release.has(&changes::DOUBLESTAR_4);
    let patterns = if is_newer { glob::alternatives(context, &pattern)? } else { vec![pattern] };
    let mut search = Search { context, is_newer, found: Vec::new() };
    for pattern in patterns {
        match pattern.strip_prefix('/') {
            Some(pattern) => search.walk(Path::new("/"), pattern)?,
            None => search.walk(Path::new(""), &pattern)?,
        }
    }
    let mut files = Vec::new();
    for found in search.found {
        let kind = context.host.system().kind(&context.host.base_dir().join(&found));
        let kind = kind.map_err(|it| {
            let shown = paths::slashes(&found);
            refused(&shown, &it).unwrap_or_else(|| Failure::Call(format!("{shown}: {it}")))
        })?;
        if kind == EntryKind::File {
            files.push(Value::string(paths::slashes(&paths::relative(&path, &found))));
        }
    }
    Ok(Value::set(Type::String, files))
}

/// The work of asking the disk for the names in a directory, in addition to one for each name, and for the kind of a file.
const LISTING: u64 = 50;
const LOOK: u64 = 10;
/// The pairs of a byte of a pattern and one of a name that one unit of work compares.
const MATCHED: usize = 16;

struct Search<'a> {
    context: &'a CallContext<'a>,
    /// Whether the rules of [`doublestar`] apply.
    is_newer: bool,
    /// The paths found, relative to the base directory or absolute.
    found: Vec<PathBuf>,
}

impl Search<'_> {
    /// Collects the paths below a directory that match the pattern.
    fn walk(&mut self, dir: &Path, pattern: &str) -> Result<(), Failure> {
        guarded(|| self.walk_part(dir, pattern))
    }

    fn walk_part(&mut self, dir: &Path, pattern: &str) -> Result<(), Failure> {
        let (first, rest) = match find_unescaped(pattern, '/') {
            Some(slash) => (&pattern[..slash], Some(&pattern[slash + 1..])),
            None => (pattern, None),
        };
        let plain = if self.is_newer {
            glob::literal(first)
        } else {
            is_literal(first).then(|| first.to_owned())
        };
        match (rest, plain) {
            _ if first == "**" => self.walk_all(dir, rest),
            (Some(rest), Some(plain)) => self.walk(&dir.join(plain), rest),
            (None, Some(plain)) => self.find(&dir.join(plain)),
            _ => self.walk_matching(dir, first, rest),
        }
    }

    fn walk_matching(&mut self, dir: &Path, part: &str, rest: Option<&str>) -> Result<(), Failure> {
        for name in self.names(dir)? {
            self.context.host.spend((part.len() * name.len() / MATCHED) as u64)?;
            let matched = if self.is_newer {
                glob::matches_path(part, &name)
            } else {
                let malformed = |_| Failure::Call(format!("the pattern {part:?} is malformed"));
                matches(part, &name).map_err(malformed)?
            };
            if !matched {
                continue;
            }
            match rest {
                Some(rest) => self.walk(&dir.join(name), rest)?,
                None => self.found.push(dir.join(name)),
            }
        }
        Ok(())
    }

    /// `**`: walks this directory and all below it, through symbolic links as well.
    fn walk_all(&mut self, dir: &Path, mut rest: Option<&str>) -> Result<(), Failure> {
        // A second `**` finds nothing that the first does not, and each would multiply the ways to a file.
        while let Some(after) = rest.and_then(|it| it.strip_prefix("**/")) {
            rest = Some(after);
        }
        rest = rest.filter(|it| *it != "**");
        if let Some(rest) = rest {
            self.walk(dir, rest)?;
        }
        for name in self.names(dir)? {
            let path = dir.join(name);
            match self.kind(&path)? {
                Some(EntryKind::Directory) => {
                    let below = rest.map_or("**".to_owned(), |rest| format!("**/{rest}"));
                    self.walk(&path, &below)?;
                }
                Some(_) if rest.is_none() => self.found.push(path),
                _ => (),
            }
        }
        Ok(())
    }

    /// Adds a path without special characters if anything exists there, even a broken link.
    fn find(&mut self, path: &Path) -> Result<(), Failure> {
        let is_listed = || {
            let (Some(name), Some(dir)) = (path.file_name(), path.parent()) else {
                return Ok::<_, Failure>(false);
            };
            Ok(self.names(dir)?.iter().any(|it| name == it.as_str()))
        };
        if self.kind(path)?.is_some() || is_listed()? {
            self.found.push(path.to_owned());
        } else if self.context.host.may_be_made(&self.absolute(path)) {
            return Err(ignored(&paths::slashes(path)));
        }
        Ok(())
    }

    /// The names in a directory; none where there is no directory.
    fn names(&self, dir: &Path) -> Result<Vec<String>, Failure> {
        let entries = match self.context.host.system().list(&self.absolute(dir)) {
            Ok(entries) => entries,
            Err(error) => {
                let failure = refused(&paths::slashes(dir), &error);
                let inside = self.absolute(dir).join("file");
                let is_made = failure.is_none() && self.context.host.may_be_made(&inside);
                let failure = if is_made { Some(ignored(&paths::slashes(dir))) } else { failure };
                return failure.map_or(Ok(Vec::new()), Err);
            }
        };
        self.context.host.spend(LISTING + entries.len() as u64)?;
        Ok(entries.into_iter().map(|it| it.name).collect())
    }

    fn kind(&self, path: &Path) -> Result<Option<EntryKind>, Failure> {
        self.context.host.spend(LOOK)?;
        match self.context.host.system().kind(&self.absolute(path)) {
            Ok(kind) => Ok(Some(kind)),
            Err(error) => refused(&paths::slashes(path), &error).map_or(Ok(None), Err),
        }
    }

    fn absolute(&self, path: &Path) -> PathBuf {
        self.context.host.base_dir().join(path)
    }
}
