//! The documentation as other programs see it: a site that MkDocs builds without a warning, Markdown
//! in order, words spelled right.

use std::{fs, path::Path};

use testkit::{
    missing::{MissingProgram, trials},
    workspace::{Answer, isolated},
};

use crate::tools;

trials![
    the_site_builds_without_a_warning,
    a_broken_link_ends_the_build,
    pages_pass_markdownlint,
    pages_are_spelled_right,
];

/// Builds the site from `mkdocs.yml`, with the address and the sources of another directory.
fn build(directory: &Path, site: &Path) -> Result<Answer, MissingProgram> {
    let mut command = isolated(tools::python_program("mkdocs")?, directory);
    command.env("NO_MKDOCS_2_WARNING", "1").args(["build", "--strict", "--site-dir"]).arg(site);
    Ok(Answer::new(command.output().unwrap()))
}

fn the_site_builds_without_a_warning() -> Result<(), MissingProgram> {
    let site = tempfile::tempdir().unwrap();
    let answer = build(".".as_ref(), site.path())?;
    assert_eq!(answer.code, 0, "{}", answer.text());
    let index = fs::read_to_string(site.path().join("index.html")).unwrap();
    assert!(index.contains("check.svg"), "the first page shows the picture");
    // Links out of docs/ lead to the repository.
    let page = fs::read_to_string(site.path().join("functions/index.html")).unwrap();
    let link = "https://github.com/terraschema/terraschema/blob/main/tests/spec/functions/abs.md";
    assert!(page.contains(link), "{link}");
    let search = fs::read_to_string(site.path().join("search/search_index.json")).unwrap();
    assert!(search.contains("failed-validation"), "the search knows the rules");
    Ok(())
}

/// Each kind of a bad link is noticed: to a page, to a heading, to a file outside of `docs`.
fn a_broken_link_ends_the_build() -> Result<(), MissingProgram> {
    let it = tempfile::tempdir().unwrap();
    fs::create_dir_all(it.path().join("docs")).unwrap();
    fs::create_dir_all(it.path().join("scripts")).unwrap();
    let config = fs::read_to_string("mkdocs.yml").unwrap();
    let (config, _) = config.split_once("\nnav:").unwrap();
    fs::write(it.path().join("mkdocs.yml"), config).unwrap();
    fs::copy("scripts/site-links.py", it.path().join("scripts/site-links.py")).unwrap();
    fs::write(it.path().join("docs/other.md"), "# Other\n\n## A heading\n").unwrap();
    for (link, is_good) in [
        ("other.md#a-heading", true),
        ("../mkdocs.yml", true),
        ("nothing.md", false),
        ("other.md#no-heading", false),
        ("../nothing.yml", false),
    ] {
        fs::write(it.path().join("docs/README.md"), format!("# Page\n\n[link]({link})\n")).unwrap();
        let answer = build(it.path(), &it.path().join("site"))?;
        assert_eq!(answer.code == 0, is_good, "{link}: {}", answer.text());
    }
    Ok(())
}

/// The pages that the linters read.
fn pages() -> Vec<String> {
    let mut pages = Vec::new();
    for directory in [".", "docs", "docs/contributing", "docs/rules"] {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|it| it == "md") {
                pages.push(path.to_str().unwrap().trim_start_matches("./").to_owned());
            }
        }
    }
    assert!(pages.len() > 100, "only {} pages were found", pages.len());
    pages
}

fn pages_pass_markdownlint() -> Result<(), MissingProgram> {
    let modules = tools::node_modules()?;
    let mut command = isolated("node", ".".as_ref());
    command.arg(modules.join("node_modules/markdownlint-cli2/markdownlint-cli2-bin.mjs"));
    command.args(pages());
    let answer = Answer::new(command.output().unwrap());
    assert_eq!(answer.code, 0, "{}", answer.text());
    Ok(())
}

fn pages_are_spelled_right() -> Result<(), MissingProgram> {
    let mut command = isolated(tools::python_program("typos")?, ".".as_ref());
    let answer = Answer::new(command.args(pages()).output().unwrap());
    assert_eq!(answer.code, 0, "{}", answer.text());
    Ok(())
}
