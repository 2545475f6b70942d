//! The names that a configuration file takes.

use super::read;
use diagnostics::{FileId, lints};

/// A name that no configuration has.
const PROBE: &str = "terraschema_asks";

/// The arguments and the blocks that a configuration takes, at its top or inside of a block of this type. They come
/// from the reader itself, which lists them for every unknown name.
pub fn supported(block: Option<&str>) -> (Vec<String>, Vec<String>) {
    // Blocks about a rule take only the id of one as their label.
    let label = lints::STALE_SCHEMA.id;
    let inside = |probe: &str| match block {
        None => listed(probe),
        Some(kind) => {
            let with_label = listed(&format!("{kind} \"{label}\" {{\n{probe}\n}}\n"));
            if with_label.is_empty() {
                listed(&format!("{kind} {{\n{probe}\n}}\n"))
            } else {
                with_label
            }
        }
    };
    (inside(&format!("{PROBE} = 1\n")), inside(&format!("{PROBE} {{}}\n")))
}

/// The names that the reader lists for the probe in a text.
fn listed(text: &str) -> Vec<String> {
    let (_, problems) = read(FileId(0), text.as_bytes());
    let is_probe = |summary: &str| summary.contains(PROBE);
    let found = problems.iter().find(|it| is_probe(&it.summary));
    let names = found.and_then(|it| it.detail.strip_prefix("Supported here: "));
    let names = names.map(|it| it.trim_end_matches('.').split(", ").map(str::to_owned).collect());
    names.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_takes_arguments_and_blocks() {
        let (arguments, blocks) = supported(None);
        assert!(arguments.iter().any(|it| it == "terraform_version"), "{arguments:?}");
        assert!(blocks.iter().any(|it| it == "input"), "{blocks:?}");
    }

    #[test]
    fn every_block_takes_arguments() {
        for kind in supported(None).1 {
            let (arguments, _) = supported(Some(&kind));
            assert!(!arguments.is_empty(), "{kind}");
        }
        assert!(supported(Some("input")).0.iter().any(|it| it == "files"));
        assert_eq!(supported(Some("nonsense")), Default::default());
    }
}
