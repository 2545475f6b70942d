//! The English of the documentation: habits that `docs/contributing/style.md` lists are in no page.
#![allow(clippy::disallowed_methods)] // It reads the pages themselves.

use std::{
    fs,
    path::{Path, PathBuf},
};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// Words to avoid, and what to write.
const HABITS: &[(&str, &str)] = &[
    ("all the same", "anyway"),
    ("amid", "in the middle of"),
    ("anew", "again"),
    ("are none", "there are no, are not"),
    ("as far as", "where, if"),
    ("beside", "next to, besides, compared with"),
    ("but for", "except for"),
    ("for ever", "always, forever"),
    ("hence", "so"),
    ("is no", "is not a"),
    ("is none", "is not one"),
    ("of which", "where, two sentences"),
    ("says of", "says about"),
    ("stand", "is listed in, is documented in, is next to"),
    ("stands", "is listed in, is documented in, is next to"),
    ("stands for", "is, replaces, means"),
    ("tell", "report, show, say"),
    ("tells", "reports, shows, says"),
    ("told", "reported"),
    ("who gives", "callers who give, to give"),
    ("whoever", "to do X, if you do X"),
    ("wholly", "completely"),
];

/// What makes a habit idiomatic: the words before or after it.
const IDIOMS: &[(&str, &str)] = &[
    ("are none", "there are none"),
    ("of which", "each of which"),
    ("of which", "several of which"),
    ("stand", "stand in for"),
    ("is no", "is no longer"),
    ("is no", "there is no"),
    ("is none", "there is none"),
];

/// Pages that are not rewritten yet, each with the reason. There are none now.
const NOT_YET: &[(&str, &str)] = &[];

/// A page that lists habits of its own.
const LISTS_HABITS: &str = "docs/contributing/messages.md";

/// Every page, except recorded data and transcripts.
fn pages() -> Vec<PathBuf> {
    let mut pages = Vec::new();
    for directory in [".", "docs", "docs/contributing", "docs/rules", "benches"] {
        let entries = fs::read_dir(directory).unwrap().map(|it| it.unwrap().path());
        pages.extend(entries.filter(|it| it.extension().is_some_and(|it| it == "md")));
    }
    for entry in fs::read_dir("crates").unwrap() {
        let page = entry.unwrap().path().join("README.md");
        pages.extend(page.is_file().then_some(page));
    }
    pages.sort();
    pages
}

/// The words of a page with their lines: text outside of code and quotations, in lower case.
fn words(page: &str) -> Vec<(usize, String)> {
    let (mut words, mut quotations, mut is_code) = (Vec::new(), 0_usize, false);
    for (event, range) in Parser::new_ext(page, Options::ENABLE_TABLES).into_offset_iter() {
        let line = page[..range.start].lines().count().max(1);
        match event {
            Event::Start(Tag::BlockQuote(_)) => quotations += 1,
            Event::End(TagEnd::BlockQuote(_)) => quotations -= 1,
            Event::Start(Tag::CodeBlock(_)) => is_code = true,
            Event::End(TagEnd::CodeBlock) => is_code = false,
            Event::Text(text) if quotations == 0 && !is_code => {
                let is_part = |it: char| it.is_alphanumeric() || it == '\'' || it == '’';
                let parts = text.split(|it| !is_part(it)).filter(|it| !it.is_empty());
                words.extend(parts.map(|it| (line, it.to_lowercase())));
            }
            // Text on both sides of code, or of two blocks, is not a phrase.
            Event::Code(_) | Event::End(_) => words.push((line, String::new())),
            _ => (),
        }
    }
    words
}

/// The habits in a page: lines, habits, and what to write.
fn habits(page: &str) -> Vec<(usize, &'static str, &'static str)> {
    let words = words(page);
    let is_at = |at: usize, phrase: &str| {
        let phrase: Vec<&str> = phrase.split(' ').collect();
        words.get(at..at + phrase.len()).is_some_and(|it| it.iter().map(|it| &it.1).eq(&phrase))
    };
    let mut found = Vec::new();
    for (at, (line, _)) in words.iter().enumerate() {
        for (habit, instead) in HABITS {
            let is_idiom = IDIOMS.iter().any(|(of, idiom)| {
                of == habit && (is_at(at, idiom) || (at > 0 && is_at(at - 1, idiom)))
            });
            if is_at(at, habit) && !is_idiom {
                found.push((*line, *habit, *instead));
            }
        }
    }
    found
}

#[test]
fn no_page_has_a_habit_of_the_list() {
    let mut found = Vec::new();
    for path in pages() {
        let path = path.to_str().unwrap().replace('\\', "/");
        let path = path.trim_start_matches("./");
        if path == LISTS_HABITS || NOT_YET.iter().any(|it| path.starts_with(it.0)) {
            continue;
        }
        for (line, habit, instead) in habits(&fs::read_to_string(path).unwrap()) {
            found.push(format!("{path}:{line}: {habit:?}: write {instead}"));
        }
    }
    assert!(found.is_empty(), "{} habits\n{}", found.len(), found.join("\n"));
    assert!(pages().len() > 100, "only {} pages were found", pages().len());
}

/// The comments of a source file: each block of lines, with the number of lines before it.
fn comments(text: &str) -> Vec<(usize, String)> {
    let (mut blocks, mut is_inside) = (Vec::<(usize, String)>::new(), false);
    for (number, line) in text.lines().enumerate() {
        let comment = line.trim_start().strip_prefix("//");
        if let Some(comment) = comment {
            let comment = comment.trim_start_matches(['/', '!']);
            let comment = comment.strip_prefix(' ').unwrap_or(comment);
            match blocks.last_mut().filter(|_| is_inside) {
                Some((_, block)) => *block += &format!("{comment}\n"),
                None => blocks.push((number, format!("{comment}\n"))),
            }
        }
        is_inside = comment.is_some();
    }
    blocks
}

fn sources(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("target") {
            sources(&path, found);
        } else if path.extension().is_some_and(|it| it == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn no_comment_has_a_habit_of_the_list() {
    let mut files = Vec::new();
    for directory in ["benches", "crates", "fuzz", "src", "tests"] {
        sources(Path::new(directory), &mut files);
    }
    files.sort();
    let (mut found, mut count) = (Vec::new(), 0);
    for path in &files {
        for (before, block) in comments(&fs::read_to_string(path).unwrap()) {
            count += 1;
            for (line, habit, instead) in habits(&block) {
                let (path, line) = (path.display(), before + line);
                found.push(format!("{path}:{line}: {habit:?}: write {instead}"));
            }
        }
    }
    assert!(found.is_empty(), "{} habits\n{}", found.len(), found.join("\n"));
    assert!(count > 5000, "only {count} comments were found");
}

#[test]
fn habits_are_found_in_text_alone() {
    let page =
        "It is no\nlist, `of which` he told.\n\n> whoever\n\n```text\nanew\n```\nThere is no rule.";
    let found: Vec<_> = habits(page).into_iter().map(|it| (it.0, it.1)).collect();
    assert_eq!(found, [(1, "is no"), (2, "told")]);
    assert_eq!(habits("It is no longer here, and beside it is no `code`.").len(), 2);
}

#[test]
fn the_style_page_lists_the_habits() {
    let path = "docs/contributing/style.md";
    let page = fs::read_to_string(path).unwrap();
    let (before, rest) = page.split_once("| instead of | write |\n|---|---|\n").unwrap();
    let after = rest.find("\n\n").map_or("", |at| &rest[at + 1..]);
    let row = |(habit, instead): &(&str, &str)| format!("| `{habit}` | {instead} |\n");
    let rows: String = HABITS.iter().map(row).collect();
    let wanted = format!("{before}| instead of | write |\n|---|---|\n{rows}{after}");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(path, &wanted).unwrap();
    }
    assert!(page == wanted, "UPDATE=1 cargo test --test it -- prose rewrites {path}");
}

/// A page that is renamed takes its exception along.
#[test]
fn exceptions_are_of_pages_that_exist() {
    for (path, reason) in NOT_YET {
        assert!(Path::new(path).exists(), "{path} is gone ({reason})");
    }
}
