//! `terraschema explain [RULE]`: a rule's page, or the list of all rules.

use std::fmt::Write;

use crate::{Console, Exit, flags::Words};
use anyhow::bail;
use clap::Args;
use diagnostics::{LINTS, Lint, suggestion};
use include_dir::{Dir, include_dir};

#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// Id of the rule, as in findings [default: list all rules]
    #[arg(value_name = "RULE", hide_possible_values = true,
          value_parser = Words { words: rules, parse: |it| Ok(it.to_owned()) })]
    rule: Option<String>,
}

pub(crate) fn run(args: &ExplainArgs, console: &mut Console<'_>) -> anyhow::Result<Exit> {
    let Some(id) = &args.rule else {
        console.out(&list());
        return Ok(Exit::Clean);
    };
    let Some(rule) = Lint::find(id) else {
        let like: Vec<&str> =
            LINTS.iter().map(|it| it.id).filter(|it| it.contains(id.as_str())).collect();
        match like[..] {
            [] => (),
            [one] => bail!("unknown rule \"{id}\"; did you mean \"{one}\"?"),
            _ => bail!("unknown rule \"{id}\"; did you mean one of {}?", like.join(", ")),
        }
        match suggestion(id, LINTS.iter().map(|it| it.id)) {
            Some(near) => bail!("unknown rule \"{id}\"; did you mean \"{near}\"?"),
            None => bail!("unknown rule \"{id}\"; run `terraschema explain` to list all rules"),
        }
    };
    console.out(rule_page(rule.id).unwrap_or_default());
    Ok(Exit::Clean)
}

fn rules() -> Vec<&'static str> {
    LINTS.iter().map(|it| it.id).collect()
}

/// One line for each rule: id, level, sentence.
fn list() -> String {
    let width = LINTS.iter().map(|it| it.id.len()).max().unwrap_or_default();
    let mut text = String::new();
    for Lint { id, level, summary, .. } in LINTS {
        _ = writeln!(text, "{id:width$}  {:7}  {summary}", level.as_str());
    }
    text
}

// The pages of `docs/rules`, which the command carries.

static PAGES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/docs/rules");

/// The page of a lint, in Markdown: the text of `docs/rules/<id>.md`; `None` for an id without a page.
pub fn rule_page(id: &str) -> Option<&'static str> {
    PAGES.get_file(format!("{id}.md"))?.contents_utf8()
}
