//! The model of a policy block.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use crate::{
    language::{
        BlockKind, GivenContexts, LabelPattern,
        contexts::{Declaring, values_of},
    },
    tfpolicy::{operations::Operation, reader::local_names, reads::Reads},
};
use diagnostics::{Diagnostic, Diagnostics, Sources};
use hcl::{Block, Expr};
use smol_str::SmolStr;
use tf_eval::Meter;
use tf_value::Value;

/// Local values by their names.
pub(super) type Locals = BTreeMap<SmolStr, Arc<Expr>>;

/// What a policy block demands of each object.
#[derive(Debug)]
pub struct PolicyDemands {
    pub(super) kind: BlockKind,
    /// What all policies of the file share.
    pub(super) file: Arc<FileScope>,
    /// The `locals` inside of the block.
    pub(super) locals: Locals,
    /// Only objects for which it is true are judged.
    pub(super) filter: Option<Arc<Expr>>,
    pub(super) enforced: Vec<Enforced>,
    /// The operations that a resource policy is about; empty for other policies.
    pub(super) operations: Vec<Operation>,
    /// The source of a module policy, `*` for any text.
    pub(super) source: Option<LabelPattern>,
    /// What the policy reads of the judged object.
    pub(super) reads: Reads,
    /// Mistakes with which the policy can still be used.
    pub(super) doubts: Vec<Diagnostic>,
}

/// What all policies of a file share.
#[derive(Debug)]
pub(super) struct FileScope {
    /// The object `input`.
    pub input: Value,
    pub locals: Locals,
}

/// An `enforce` block.
#[derive(Debug)]
pub(super) struct Enforced {
    pub condition: Arc<Expr>,
    pub error_message: Option<Arc<Expr>>,
}

impl PolicyDemands {
    /// Mistakes with which the policy can still be used.
    pub(crate) fn doubts(&self) -> &[Diagnostic] {
        &self.doubts
    }

    /// Every expression of the block, with the locals in it.
    pub(super) fn expressions(&self) -> impl Iterator<Item = &Arc<Expr>> {
        let enforced = self.enforced.iter();
        let enforced = enforced.flat_map(|it| [Some(&it.condition), it.error_message.as_ref()]);
        self.filter.iter().chain(self.locals.values()).chain(enforced.flatten())
    }

    /// The names of the arguments that the policy reads of the judged object; `None` if it reads all of them.
    pub(crate) fn mentions(&self) -> Option<BTreeSet<SmolStr>> {
        (!self.reads.is_open).then(|| self.reads.attrs.clone())
    }

    /// The types of the other objects that the policy asks for.
    pub(crate) fn related(&self) -> &[(BlockKind, LabelPattern)] {
        &self.reads.related
    }

    /// An expression, and the definitions of the locals that it needs, each once: locals can need each other in
    /// many ways.
    pub(super) fn with_locals<'e>(&'e self, expr: &'e Expr) -> Vec<&'e Expr> {
        let (mut found, mut seen, mut at) = (vec![expr], BTreeSet::new(), 0);
        while let Some(expr) = found.get(at).copied() {
            at += 1;
            for name in local_names(expr) {
                let definition = self.local(&name);
                if seen.insert(name) {
                    found.extend(definition.map(|it| &**it));
                }
            }
        }
        found
    }

    /// The definition of a local: the block's own, or the file's.
    pub(super) fn local(&self, name: &str) -> Option<&Arc<Expr>> {
        self.locals.get(name).or_else(|| self.file.locals.get(name))
    }
}

// `input "NAME" { … }`: values that are given to a policy file from outside.
//
// They are declared like the `context` blocks of the other language, and get their values from the same
// places.

/// The object `input` of a file. Of the given values, only those of declared inputs are read.
pub(super) fn values(
    blocks: &[&Block],
    given: &GivenContexts,
    sources: &mut Sources,
    meter: &Meter,
) -> (Value, Diagnostics) {
    // A name that no file declares is reported once, with the contexts of the other language.
    let declaring = Declaring { word: "input", is_elsewhere: &|_| true, has_environment: true };
    values_of(declaring, blocks, given, sources, meter)
}

/// The names of the inputs that are declared.
pub(super) fn names(blocks: &[&Block]) -> BTreeSet<SmolStr> {
    blocks.iter().filter_map(|it| it.labels.first()).map(|it| it.text.clone()).collect()
}
