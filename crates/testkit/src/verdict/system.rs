//! The machine as a run of Terraform sees it.

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use module::inputs::InputArgument;
use system::{DirEntry, EntryKind, ExpectedContent, OsSystem, System};

/// The real system with another environment, working directory and one more file.
pub struct TestSystem {
    env: BTreeMap<String, String>,
    current_dir: PathBuf,
    file: Option<(PathBuf, Vec<u8>)>,
}

impl TestSystem {
    pub fn at(current_dir: &Path) -> TestSystem {
        TestSystem { env: BTreeMap::new(), current_dir: current_dir.to_owned(), file: None }
    }

    pub fn with_env(self, env: &BTreeMap<String, String>) -> TestSystem {
        TestSystem { env: env.clone(), ..self }
    }

    /// The same with a file in the working directory.
    pub fn with_file(&self, name: &str, text: &str) -> TestSystem {
        let file = Some((self.current_dir.join(name), text.as_bytes().to_vec()));
        TestSystem { env: self.env.clone(), current_dir: self.current_dir.clone(), file }
    }
}

impl System for TestSystem {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        match &self.file {
            Some((here, bytes)) if here == path => Ok(bytes.clone()),
            _ => OsSystem.read(path),
        }
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<DirEntry>> {
        OsSystem.list(dir)
    }

    fn kind(&self, path: &Path) -> io::Result<EntryKind> {
        match &self.file {
            Some((here, _)) if here == path => Ok(EntryKind::File),
            _ => OsSystem.kind(path),
        }
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        OsSystem.canonicalize(path)
    }

    fn replace(
        &self,
        path: &Path,
        _expected: ExpectedContent<'_>,
        _bytes: &[u8],
    ) -> io::Result<()> {
        panic!("{} is not to be written", path.display());
    }

    fn create_dir_all(&self, dir: &Path) -> io::Result<()> {
        panic!("{} is not to be made", dir.display());
    }

    fn env(&self, name: &str) -> Option<String> {
        self.env.get(name).cloned()
    }

    fn env_with_prefix(&self, prefix: &str) -> Vec<(String, String)> {
        let all = self.env.iter().filter(|(name, _)| name.starts_with(prefix));
        all.map(|(name, text)| (name.clone(), text.clone())).collect()
    }

    fn current_dir(&self) -> io::Result<PathBuf> {
        Ok(self.current_dir.clone())
    }

    fn now(&self) -> SystemTime {
        OsSystem.now()
    }
}

/// `-var NAME=VALUE`, `--var=NAME=VALUE` and so on.
pub fn arguments(args: &[String]) -> Vec<InputArgument> {
    let mut found = Vec::new();
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        let (flag, value) = match arg.split_once('=') {
            Some((flag, value)) => (flag, Some(value.to_owned())),
            None => (arg.as_str(), None),
        };
        match flag.trim_start_matches('-') {
            "var" => found.extend(value.or_else(|| rest.next().cloned()).map(InputArgument::Value)),
            "var-file" => {
                let file = value.or_else(|| rest.next().cloned());
                found.extend(file.map(|it| InputArgument::File(PathBuf::from(it))));
            }
            _ => (),
        }
    }
    found
}
