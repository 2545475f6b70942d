//! The words of the language by their place: for completion in an editor.

use super::{
    Action, BlockKind, KINDS,
    blocks::{IN_RULES, SETTINGS},
    contexts, options, settings, tests, words,
};
use diagnostics::Decision;

/// What a block can contain.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockContents {
    pub arguments: Vec<&'static str>,
    pub blocks: Vec<&'static str>,
    /// The kind of the objects that the block is like: it also takes their arguments and their blocks, each with a
    /// validator.
    pub like: Option<BlockKind>,
}

/// The content of a block, which is given by the types and labels of the blocks around it and its own, the outermost
/// first; without any it is the file's. A block that the language does not have contains nothing.
pub fn contents(blocks: &[Vec<String>]) -> BlockContents {
    let words: Vec<&str> = blocks.iter().filter_map(|it| it.first()).map(String::as_str).collect();
    let of = |arguments: &[&'static str], blocks: &[&'static str]| BlockContents {
        arguments: arguments.to_vec(),
        blocks: blocks.to_vec(),
        like: None,
    };
    match words[..] {
        [] => of(&[], &KINDS),
        ["context"] => of(&contexts::ARGUMENTS, &["validation"]),
        ["context", "validation"] => of(&contexts::VALIDATION, &[]),
        ["test"] => of(&tests::ARGUMENTS, &[]),
        ["rule"] => {
            let kinds = BlockKind::ALL.iter().map(|it| it.0);
            let blocks = kinds.chain(IN_RULES).collect();
            BlockContents { arguments: SETTINGS.to_vec(), blocks, like: None }
        }
        ["rule", "any_of"] => of(&[], &["needs"]),
        ["rule", "any_of", "needs", ..] => {
            BlockContents { like: kind(&blocks[2]), ..BlockContents::default() }
        }
        ["rule", "count"] => of(&["max", "min"], &["where"]),
        ["rule", "count", "where", ..] => {
            BlockContents { like: kind(&blocks[1]), ..BlockContents::default() }
        }
        ["rule", outermost, ref inner @ ..] => {
            let like = kind(&blocks[1]);
            let is_counted = matches!(like, Some(BlockKind::Resource | BlockKind::Data))
                && !["forbid", "needs"].contains(&outermost)
                && inner.is_empty();
            let arguments = if is_counted { vec!["count"] } else { Vec::new() };
            let is_in_where = inner.contains(&"where");
            let blocks = if like.is_some() && !is_in_where { vec!["where"] } else { Vec::new() };
            BlockContents { arguments, blocks, like }
        }
        _ => BlockContents::default(),
    }
}

/// The kind of the objects that a block of a rule is about: `resource "TYPE"`, `forbid data "TYPE"`.
pub fn kind(block: &[String]) -> Option<BlockKind> {
    let found = |word: &str| BlockKind::ALL.iter().find(|it| it.0 == word).map(|it| it.1);
    match block.first()?.as_str() {
        // Their kind is a word before the label; a type of resources is not such a word.
        "forbid" | "needs" | "count" => {
            let word = block.get(1).filter(|_| block.len() > 2).map_or("resource", String::as_str);
            found(word)
        }
        word => found(word),
    }
}

/// The words that a setting takes, without quotes; empty if there are too many to list. The names lead from the block's
/// argument to a value inside of it.
pub fn words_of(block: &str, names: &[&str]) -> Vec<&'static str> {
    match (block, names) {
        ("rule", ["level" | "undecided"]) => settings::LEVELS.to_vec(),
        ("rule", ["when", "actions"]) => Action::ALL.map(|it| it.0).to_vec(),
        ("test", ["expect", ..]) if names.len() > 1 => Decision::ALL.map(|it| it.0).to_vec(),
        _ => Vec::new(),
    }
}

/// The names in an object that is a setting.
pub fn names_in(block: &str, argument: &str) -> &'static [&'static str] {
    if (block, argument) == ("rule", "when") { &settings::IN_WHEN } else { &[] }
}

/// The validators.
pub fn validators() -> &'static [&'static str] {
    &words::VALIDATORS
}

/// The options that a validator takes in braces; empty for a word that is not a validator.
pub fn options_of(validator: &str) -> Vec<&'static str> {
    if !words::VALIDATORS.contains(&validator) {
        return Vec::new();
    }
    options::known(validator).iter().chain(&options::COMMON).copied().collect()
}

/// The names that an expression can begin with.
pub fn roots() -> &'static [&'static str] {
    &words::ROOTS
}

#[cfg(test)]
mod tests_of_words {
    use super::*;

    fn at(blocks: &[&[&str]]) -> BlockContents {
        let owned = |words: &&[&str]| words.iter().map(|it| (*it).to_owned()).collect();
        contents(&blocks.iter().map(owned).collect::<Vec<Vec<String>>>())
    }

    #[test]
    fn a_block_contains_what_the_reader_knows() {
        assert_eq!(at(&[]).blocks, KINDS);
        assert!(at(&[&["rule", "a"]]).blocks.contains(&"forbid"));
        let resource = at(&[&["rule", "a"], &["resource", "t"]]);
        assert_eq!((resource.arguments, resource.blocks), (vec!["count"], vec!["where"]));
        assert_eq!(resource.like, Some(BlockKind::Resource));
        let forbidden = at(&[&["rule", "a"], &["forbid", "data", "t"]]);
        assert_eq!((forbidden.arguments, forbidden.like), (vec![], Some(BlockKind::Data)));
        assert_eq!(at(&[&["rule", "a"], &["forbid", "t"]]).like, Some(BlockKind::Resource));
        assert_eq!(at(&[&["rule", "a"], &["tags"]]), BlockContents::default());
    }

    #[test]
    fn settings_and_validators_have_words() {
        assert!(words_of("rule", &["level"]).contains(&"off"));
        assert!(words_of("rule", &["when", "actions"]).contains(&"create"));
        assert!(words_of("test", &["expect", "a"]).contains(&"fail"));
        assert!(names_in("rule", "when").contains(&"except"));
        assert!(options_of("string").contains(&"pattern"));
        assert_eq!(options_of("length"), [""; 0]);
    }
}
