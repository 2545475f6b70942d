//! Files of `tests/spec`, and their sections.

use std::{
    env, fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use libtest_mimic::{Failed, Trial};
use similar::TextDiff;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/spec");

/// What expressions read; no expectations.
const READ: &str = "functions/files/";

/// Whether expectations are rewritten.
pub fn is_update() -> bool {
    env::var_os("UPDATE").is_some()
}

pub fn path(name: &str) -> PathBuf {
    Path::new(ROOT).join(name)
}

pub fn text(name: &str) -> String {
    fs::read_to_string(path(name)).unwrap_or_else(|it| panic!("tests/spec/{name}: {it}"))
}

/// The files below a directory, as `conditions/null.md`, in order.
pub fn names(directory: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(path(directory)).unwrap() {
        let entry = entry.unwrap();
        let name = Path::new(directory).join(entry.file_name());
        let name = name.to_str().unwrap().replace('\\', "/");
        if !entry.path().is_dir() {
            found.push(name);
        } else if !format!("{name}/").starts_with(READ) {
            found.extend(names(&name));
        }
    }
    found.sort();
    found
}

/// A section as it should be, and what else is wrong with it.
pub struct Checked {
    pub section: String,
    pub wrong: Vec<String>,
}

/// A test for each section of the files of a directory. A section begins with its title.
pub fn trials(directory: &str, check: fn(&str) -> Checked) -> Vec<Trial> {
    let of_page = |name: String| {
        let text = text(&name);
        let sections: Vec<String> = text.split("\n## ").map(str::to_owned).collect();
        let titles: Vec<String> = sections.iter().map(|it| title(it)).collect();
        let page = Arc::new(Page { path: path(&name), sections: Mutex::new(sections) });
        let trial = |(index, title): (usize, String)| {
            let page = Arc::clone(&page);
            Trial::test(format!("{name}: {title}"), move || page.check(index, check))
        };
        titles.into_iter().enumerate().skip(1).map(trial).collect::<Vec<_>>()
    };
    names(directory).into_iter().flat_map(of_page).collect()
}

fn title(section: &str) -> String {
    section.lines().next().unwrap_or_default().to_owned()
}

/// A file whose sections are tested, and rewritten, side by side.
struct Page {
    path: PathBuf,
    sections: Mutex<Vec<String>>,
}

impl Page {
    fn check(&self, index: usize, check: fn(&str) -> Checked) -> Result<(), Failed> {
        let section = self.sections.lock().unwrap()[index].clone();
        let mut checked = check(&section);
        if checked.section != section && is_update() {
            let mut sections = self.sections.lock().unwrap();
            sections[index] = checked.section;
            fs::write(&self.path, sections.join("\n## ")).unwrap();
        } else {
            checked.wrong.extend(difference(&section, &checked.section));
        }
        if checked.wrong.is_empty() { Ok(()) } else { Err(checked.wrong.join("\n").into()) }
    }
}

/// How what is written differs from what it should be.
pub fn difference(written: &str, actual: &str) -> Option<String> {
    let text = || {
        TextDiff::from_lines(written, actual).unified_diff().header("written", "actual").to_string()
    };
    (written != actual).then(|| format!("UPDATE=1 rewrites it:\n{}", text()))
}
