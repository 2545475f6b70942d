//! A `contract` block: the place of the module behind a call's source.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{address::Address, fields::Fields, read::forbidden};
use diagnostics::{Diagnostic, Role, Span, lints};
use hcl::Block;
use release::Constraints;
use system::{EntryKind, Refusal, System, paths};

/// `contract "terraform-aws-modules/vpc/aws" { version = "~> 5.0", path = "contracts/vpc" }`
#[derive(Clone, Debug)]
pub struct ContractBlock {
    /// The calls that it covers.
    address: Address,
    /// The releases that it describes; all if `None`.
    version: Option<Constraints>,
    /// The module's directory; absolute in [`ContractBlocks`].
    dir: PathBuf,
    /// The path as written, and its place.
    path: String,
    span: Span,
}

/// The contracts that govern a directory, the nearest file's first.
#[derive(Clone, Debug, Default)]
pub struct ContractBlocks(Vec<Arc<[ContractBlock]>>);

impl ContractBlocks {
    pub(super) fn put_first(&mut self, nearer: &Arc<[ContractBlock]>) {
        if !nearer.is_empty() {
            self.0.insert(0, Arc::clone(nearer));
        }
    }

    /// Whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = &ContractBlock> {
        self.0.iter().flat_map(|it| it.iter())
    }

    /// The directory (absolute) of the module behind a call's `source` and `version`. A nearer
    /// configuration wins; in one file the longer `//subdirectory` wins, then the earlier block.
    pub fn find(&self, source: &str, version: Option<&str>) -> Option<PathBuf> {
        self.of_each_file(source, version).into_iter().next()
    }

    /// Like [`ContractBlocks::find`], with the answer of each file.
    pub fn of_each_file(&self, source: &str, version: Option<&str>) -> Vec<PathBuf> {
        if self.is_empty() {
            return Vec::new();
        }
        let Some(call) = Address::parse(source) else { return Vec::new() };
        let wanted = match version.or(call.reference.as_deref()).map(Constraints::parse) {
            Some(None) => return Vec::new(),
            Some(wanted) => wanted,
            None => None,
        };
        let found = self.0.iter().filter_map(|file| {
            let serving = file.iter().filter(|it| it.serves(wanted.as_ref()));
            let serving = serving.filter_map(|it| Some((it, call.below(&it.address)?)));
            let (contract, rest) = serving.min_by_key(|(_, rest)| rest.components().count())?;
            Some(paths::clean(&contract.dir.join(rest)))
        });
        found.collect()
    }
}

impl ContractBlock {
    /// The contract's directory, with everything that `//subdirectory` may name below it; absolute in
    /// [`ContractBlocks`].
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// A text that occurs in every source that the contract covers.
    pub fn needle(&self) -> &str {
        self.address.last_name()
    }

    /// Whether a call with this constraint may get one of the contract's releases.
    fn serves(&self, wanted: Option<&Constraints>) -> bool {
        self.version.as_ref().zip(wanted).is_none_or(|(ours, wanted)| ours.overlap(wanted))
    }

    pub(super) fn starting_from(&self, base: &Path) -> ContractBlock {
        ContractBlock { dir: paths::clean(&base.join(&self.dir)), ..self.clone() }
    }

    /// The error in the directory, which is absolute.
    pub(super) fn problem(&self, system: &dyn System) -> Option<Diagnostic> {
        let why = match system.kind(&self.dir) {
            Ok(EntryKind::Directory) => return None,
            Ok(_) => format!("\"{}\" is not a directory", self.path),
            Err(error) => match Refusal::of(&error) {
                Some(_) => error.to_string(),
                None => format!("the directory \"{}\" does not exist", self.path),
            },
        };
        let problem =
            Diagnostic::new(&lints::INVALID_CONFIGURATION, "Unsuitable value for \"path\"");
        Some(problem.detail(format!("{why}.")).at(Role::Declaration, self.span))
    }
}

pub(super) fn read(block: &Block, outer: &mut Fields<'_>) -> Option<ContractBlock> {
    let label = outer.label(block, "a source, such as `contract \"org/name/provider\" { … }`")?;
    let address = match Address::parse(&label).ok_or(NO_SOURCE) {
        Ok(_) if label.contains(['?', '&']) && label.contains("ref=") => Err(WITH_REF),
        it => it,
    };
    let mut fields = outer.of_block(block);
    let version = version(&mut fields);
    let (path, span) = (path(block, &mut fields), fields.span("path"));
    outer.take(fields);
    let span_of_label = block.labels.first().map_or(block.header, |it| it.span);
    let address = match address {
        Ok(address) => address,
        Err(why) => {
            outer.problem(
                format!("\"{label}\" is not a module source"),
                why.to_owned(),
                span_of_label,
            );
            return None;
        }
    };
    let path = path?;
    Some(ContractBlock { address, version: version?, dir: PathBuf::from(&path), path, span })
}

const NO_SOURCE: &str = "Write the source as a call does. A local directory needs no contract \
    block.";
const WITH_REF: &str = "Leave out \"?ref=…\"; select releases with \"version\".";

/// The constraint, if there is one; the outer `None` after an error.
#[expect(clippy::option_option, reason = "wrong, not said, a constraint")]
fn version(fields: &mut Fields<'_>) -> Option<Option<Constraints>> {
    if fields.is_number("version") {
        fields.refuse("version", "write it in quotes");
        return None;
    }
    let Some(text) = fields.string("version") else { return Some(None) };
    let version = Constraints::parse(&text);
    if version.is_none() {
        fields.refuse("version", "a version constraint is expected, such as \"~> 5.0\"");
    }
    version.map(Some)
}

fn path(block: &Block, fields: &mut Fields<'_>) -> Option<String> {
    let Some(text) = fields.string("path").filter(|it| !it.is_empty()) else {
        fields.missing("path", block);
        return None;
    };
    if let Some(reason) = forbidden(&text) {
        fields.refuse("path", reason);
        return None;
    }
    Some(text)
}
