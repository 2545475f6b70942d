//! What a file can contain, as its reader asks for it: for completion in an editor.

use super::read::{BLOCKS, read_fields};
use diagnostics::{FileId, lints};
use tf_eval::Limits;

/// What a file or a block can contain.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SupportedContent {
    /// Sorted by name.
    pub arguments: Vec<SupportedArgument>,
    /// The types of blocks.
    pub blocks: Vec<&'static str>,
    /// The same of the block that was read last.
    pub(super) inside: Option<Box<SupportedContent>>,
}

/// An argument, and what it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SupportedArgument {
    pub name: &'static str,
    /// All words that it takes; empty if there are too many to list.
    pub words: Vec<&'static str>,
    /// Whether it takes a list of these words.
    pub is_list: bool,
    /// Whether it takes `true` and `false`.
    pub is_bool: bool,
}

impl SupportedArgument {
    pub(super) fn any(name: &'static str) -> SupportedArgument {
        SupportedArgument { name, words: Vec::new(), is_list: false, is_bool: false }
    }

    /// The values that it is known to take, as they are written.
    pub fn values(&self) -> Vec<String> {
        let bools = ["true", "false"].into_iter().filter(|_| self.is_bool).map(str::to_owned);
        bools.chain(self.words.iter().map(|it| format!("\"{it}\""))).collect()
    }
}

/// What a block can contain, or the file itself. A block that the file does not have can contain nothing.
pub fn supported(block: Option<&str>) -> SupportedContent {
    // Blocks about a rule take only the id of one as their label; a superfluous label does not stop the reader.
    let label = lints::STALE_SCHEMA.id;
    let text = match block {
        Some(kind) if !BLOCKS.contains(&kind) => return SupportedContent::default(),
        Some(kind) => format!("{kind} \"{label}\" {{\n}}\n"),
        None => String::new(),
    };
    let (_, _, mut read) = read_fields(FileId(0), text.as_bytes(), &Limits::CONFIGURATION.into());
    match block {
        Some(_) => read.inside.take().map(|it| *it).unwrap_or_default(),
        None => read,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(block: &str, argument: &str) -> Vec<String> {
        let found = supported(Some(block)).arguments;
        found.iter().find(|it| it.name == argument).unwrap().values()
    }

    #[test]
    fn a_file_takes_arguments_and_blocks() {
        let found = supported(None);
        let names: Vec<&str> = found.arguments.iter().map(|it| it.name).collect();
        assert_eq!(names, ["baseline", "calls", "given", "opentofu", "terraform_version"]);
        assert_eq!(found.blocks, BLOCKS);
    }

    #[test]
    fn every_block_takes_arguments() {
        for kind in BLOCKS {
            assert!(!supported(Some(kind)).arguments.is_empty(), "{kind}");
        }
        assert_eq!(supported(Some("tags")), SupportedContent::default());
    }

    #[test]
    fn arguments_have_their_values() {
        assert_eq!(values("rule", "bump"), ["\"major\"", "\"minor\"", "\"patch\""]);
        assert_eq!(values("schema", "inline"), ["true", "false"]);
        assert_eq!(values("schema", "file"), [""; 0]);
        assert!(values("schema", "draft").len() > 1);
        let sections = supported(Some("docs")).arguments;
        let sections = sections.iter().find(|it| it.name == "sections").unwrap();
        assert!(sections.is_list && sections.values().len() > 1);
        let opentofu = supported(None).arguments;
        let opentofu = opentofu.iter().find(|it| it.name == "opentofu").unwrap();
        assert_eq!(opentofu.values(), ["true", "false"]);
    }
}
