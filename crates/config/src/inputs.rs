//! The `input` blocks of a file, and the modules that they are for.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, PoisonError},
};

use super::{Configurations, FilePattern, InputSet, ModulePaths, NamedInputs};
use diagnostics::SourceFile;
use module::is_module_file;
use release::Product;
use system::paths;

/// An `input` block with the directories (absolute) of its modules.
#[derive(Debug)]
pub(super) struct InputBlock {
    pub modules: Vec<FilePattern>,
    pub named: Arc<NamedInputs>,
}

/// The patterns of one file by their texts: each is compiled once, however many blocks have it.
type Compiled = HashMap<String, FilePattern>;

impl InputBlock {
    /// The blocks of a file.
    pub fn all(dir: &Path, inputs: &[InputSet], file: &Arc<SourceFile>) -> Vec<InputBlock> {
        let mut compiled = Compiled::new();
        inputs.iter().map(|it| InputBlock::new(dir, it, file, &mut compiled)).collect()
    }

    fn new(
        dir: &Path,
        input: &InputSet,
        file: &Arc<SourceFile>,
        compiled: &mut Compiled,
    ) -> InputBlock {
        let mut pattern = |text: &String| {
            if let Some(known) = compiled.get(text) {
                return Some(known.clone());
            }
            let new = FilePattern::new(dir, text).ok()?;
            compiled.insert(text.clone(), new.clone());
            Some(new)
        };
        let mut patterns =
            |all: &[String]| -> Vec<FilePattern> { all.iter().filter_map(&mut pattern).collect() };
        let modules = match &input.modules {
            ModulePaths::One(path) => vec![FilePattern::literal(dir, path)],
            ModulePaths::Matching(paths, _) => patterns(paths),
        };
        let named = NamedInputs {
            name: input.name.clone(),
            files: patterns(&input.files),
            each: patterns(&input.each),
            given: input.given.clone().unwrap_or_default(),
            partial: input.partial,
            file: Arc::clone(file),
            span: input.span,
            dir: dir.to_owned(),
        };
        InputBlock { modules, named: Arc::new(named) }
    }

    /// Whether the block is for the module in a directory (absolute).
    pub fn is_for(&self, dir: &Path) -> bool {
        self.modules.iter().any(|it| it.names(dir))
    }
}

impl Configurations<'_> {
    /// The modules (as seen from the current directory) whose configured inputs contain a file,
    /// according to the configurations that govern the file itself.
    pub fn modules_of_input(&self, file: &Path) -> Vec<PathBuf> {
        let mut found = Vec::new();
        self.for_blocks_with(&self.absolute(file), &mut |block| {
            let modules = self.modules_of(block);
            found.extend(modules.iter().map(|it| paths::relative(&self.current_dir, it)));
            true
        });
        found
    }

    /// Whether a file is one of the configured inputs of some module, by the configurations that govern the
    /// file itself.
    pub fn is_input(&self, file: &Path) -> bool {
        let mut is_input = false;
        self.for_blocks_with(&self.absolute(file), &mut |_| {
            is_input = true;
            false
        });
        is_input
    }

    /// Calls `each` with every block that contains a file (absolute), while it returns true. Comparing paths with
    /// patterns is work as well.
    fn for_blocks_with(&self, file: &Path, each: &mut dyn FnMut(&InputBlock) -> bool) {
        let parent = file.parent().unwrap_or(file);
        for layer in &self.chain(parent).layers {
            let patterns = |it: &InputBlock| it.named.files.len() + it.named.each.len();
            let patterns: usize = layer.inputs.iter().map(patterns).sum();
            self.count(patterns as u64 / 2);
            if self.is_exhausted() {
                return;
            }
            let mut naming = layer.inputs.iter().filter(|it| it.named.names(file));
            if !naming.all(&mut *each) {
                return;
            }
        }
    }

    /// The modules (absolute) that an `input` block is for.
    fn modules_of(&self, block: &InputBlock) -> Vec<PathBuf> {
        let matching = |pattern: &FilePattern| {
            if !pattern.is_pattern() {
                return vec![pattern.root().to_owned()];
            }
            let below = self.modules_below(pattern.root());
            below.iter().filter(|it| pattern.names(it)).cloned().collect()
        };
        let mut found: Vec<PathBuf> = block.modules.iter().flat_map(matching).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The directories with module files below a directory (absolute). One that cannot be read has none: what
    /// checks modules reports it.
    fn modules_below(&self, root: &Path) -> Arc<[PathBuf]> {
        let lock = || self.modules_below.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(root) {
            return Arc::clone(known);
        }
        let files = self.system.walk_all(root).unwrap_or_default();
        let is_source = |file: &PathBuf| {
            let name = file.file_name().and_then(|it| it.to_str()).unwrap_or_default();
            is_module_file(name, Product::OpenTofu)
        };
        let files = files.into_iter().filter(is_source);
        let mut dirs: Vec<PathBuf> =
            files.filter_map(|it| it.parent().map(Path::to_owned)).collect();
        dirs.dedup();
        let found: Arc<[PathBuf]> = dirs.into();
        lock().insert(root.to_owned(), Arc::clone(&found));
        found
    }

    /// Modules with inputs outside of their own directory, according to the configuration in `dir`
    /// (absolute).
    pub fn owners_of_outside(&self, dir: &Path) -> Vec<PathBuf> {
        let chain = self.chain(dir);
        let blocks = chain.layers.iter().filter(|it| it.dir == dir).flat_map(|it| &it.inputs);
        let outside = |block: &InputBlock| {
            let modules = self.modules_of(block).into_iter();
            modules.filter(|it| !block.named.lie_below(it)).collect::<Vec<_>>()
        };
        blocks.flat_map(outside).collect()
    }
}
