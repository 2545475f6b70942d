//! What `--help` and the man page call the subcommands.

use std::{ffi::OsString, fs};

use report::Format;
use system::MemorySystem;
use terraschema::{Console, Exit, run};

fn answer(arguments: &[&str]) -> String {
    let mut stdout = Vec::new();
    let mut stderr = Vec::new();
    let mut console = Console::to(&mut stdout, &mut stderr);
    let words = std::iter::once(&"terraschema").chain(arguments).map(OsString::from).collect();
    assert_eq!(run(words, &MemorySystem::default(), &mut console), Exit::Clean);
    drop(console);
    String::from_utf8(stdout).unwrap()
}

#[test]
fn a_subcommand_is_described_alike_everywhere() {
    let help = answer(&["--help"]);
    let man = answer(&["man"]);
    let commands = help.lines().skip_while(|it| *it != "Commands:").skip(1);
    let commands: Vec<(&str, &str)> = commands
        .take_while(|it| !it.is_empty())
        .map(|it| it.trim().split_once(' ').unwrap())
        .filter(|(name, _)| *name != "help")
        .map(|(name, about)| (name, about.trim()))
        .collect();
    assert_eq!(commands.len(), 14);
    for (name, about) in commands {
        let own = answer(&[name, "--help"]);
        assert_eq!(own.lines().next(), Some(about), "{name}");
        let page = answer(&["man", name]);
        let title = format!(".TH TERRASCHEMA-{} 1", name.to_uppercase());
        assert!(page.contains(&title), "{name}: {page}");
        assert!(man.contains(&about.replace('\'', "\\*(Aq")), "{name}: {man}");
        // Other names of a flag are in brackets.
        let flags = own.split_whitespace().filter_map(|it| it.strip_prefix("--"));
        let flags = flags.filter(|it| !it.ends_with(']') || it.contains('['));
        for flag in flags.map(|it| it.split(['[', '=']).next().unwrap()) {
            let flag = format!("\\-\\-{}", flag.replace('-', "\\-"));
            assert!(man.contains(&flag), "{name} {flag} is not in the man page");
        }
    }
}

#[test]
fn a_subcommand_of_a_subcommand_is_on_the_pages_of_both() {
    for page in [answer(&["man"]), answer(&["man", "policy"])] {
        let (_, section) = page.split_once(".SH \"TERRASCHEMA POLICY TEST\"").unwrap();
        assert!(section.contains("Run the test blocks of rules"), "{page}");
        assert!(section.contains("\\-\\-format"), "{page}");
    }
    assert!(answer(&["policy", "--help"]).contains("Run the test blocks"));
    for shell in ["fish", "zsh"] {
        assert!(answer(&["completions", shell]).contains("Run the test blocks"));
    }
}

/// The table in the page is written by hand.
#[test]
fn the_page_names_every_format() {
    let page = fs::read_to_string("docs/formats.md").unwrap();
    for (format, _) in Format::ALL {
        assert!(
            page.contains(&format!("`{format}`")),
            "docs/formats.md lacks the format `{format}`"
        );
    }
}
