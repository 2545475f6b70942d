//! `TF_CLI_ARGS` and `TF_CLI_ARGS_plan` or `TF_CLI_ARGS_console`: input flags that Terraform reads from
//! the environment, before those of the command line.

use anyhow::{Context as _, bail};

use module::inputs::InputArgument;
use system::System;

/// Flags of `terraform plan` and `terraform console` whose value may be a separate word.
const WITH_VALUE: [&str; 9] = [
    "var",
    "var-file",
    "target",
    "replace",
    "out",
    "parallelism",
    "lock-timeout",
    "state",
    "generate-config-out",
];

/// The input flags in the environment for a command of Terraform, lowest precedence first. Errors: a
/// text that Terraform could not split, or that has more than flags.
pub(crate) fn arguments(system: &dyn System, command: &str) -> anyhow::Result<Vec<InputArgument>> {
    let mut found = Vec::new();
    for name in [&*format!("TF_CLI_ARGS_{command}"), "TF_CLI_ARGS"] {
        let Some(text) = system.env(name) else { continue };
        let words = words(&text).with_context(|| format!("cannot read {name}"))?;
        found.extend(flags(words).with_context(|| format!("cannot read {name}"))?);
    }
    Ok(found)
}

/// The input flags among the words, and the addresses of `-replace`. What other flags change is not looked at.
fn flags(words: Vec<String>) -> anyhow::Result<Vec<InputArgument>> {
    let mut found = Vec::new();
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        let flag = word.strip_prefix("--").or_else(|| word.strip_prefix('-'));
        let Some(flag) = flag.filter(|it| !it.is_empty()) else {
            // The text may be a secret.
            bail!("it contains an argument that is not a flag");
        };
        let (name, value) = match flag.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None if WITH_VALUE.contains(&flag) => (flag, words.next()),
            None => (flag, None),
        };
        match (name, value) {
            ("var", Some(value)) => found.push(InputArgument::Value(value)),
            ("var-file", Some(value)) => found.push(InputArgument::File(value.into())),
            ("replace", Some(value)) => found.push(InputArgument::Replace(value)),
            ("var" | "var-file", None) => bail!("the flag -{name} needs a value"),
            _ => (),
        }
    }
    Ok(found)
}

/// Splits a text into words like a shell without expansions: quotes and backslashes protect blanks, and
/// an operator of the shell ends the text. A `$(…)` or a pair of backticks is part of one word.
fn words(text: &str) -> anyhow::Result<Vec<String>> {
    let (mut words, mut word) = (Vec::new(), None::<String>);
    // The character that ends the current quoted part.
    let mut until = None;
    let mut chars = text.chars();
    while let Some(it) = chars.next() {
        match (until, it) {
            (None | Some('"' | '`' | ')'), '\\') => {
                let escaped = chars.next().context("it ends in a backslash")?;
                word.get_or_insert_default().push(escaped);
            }
            (None, ' ' | '\t' | '\r' | '\n') => words.extend(word.take()),
            (None, ';' | '&' | '|' | '<' | '>') => break,
            (None, '"' | '\'') => {
                until = Some(it);
                word.get_or_insert_default();
            }
            (None, '`') => {
                until = Some(it);
                word.get_or_insert_default().push(it);
            }
            (None, '(') if word.as_ref().is_some_and(|it| it.ends_with('$')) => {
                until = Some(')');
                word.get_or_insert_default().push(it);
            }
            (None, '(' | ')') => bail!("it contains a parenthesis"),
            (Some(end), it) if it == end => {
                until = None;
                word.get_or_insert_default().extend((it == '`' || it == ')').then_some(it));
            }
            (_, it) => word.get_or_insert_default().push(it),
        }
    }
    if until.is_some() {
        bail!("a quote is not closed");
    }
    words.extend(word);
    Ok(words)
}
