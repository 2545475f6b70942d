//! Which modules may call which directory, judged by their texts.

use std::{
    collections::{HashMap, HashSet},
    path::{Path, PathBuf},
};

use super::links::Links;
use system::{System, paths};

/// The limit for calls of modules behind links in a repository. Such a module is read again from the
/// place of each link, and links may form a circle.
const MAX_OVER_LINKS: usize = 100_000;

/// The directories that a module may call, judged by its text.
pub(super) struct Looks {
    /// The module's directory; absolute, without links.
    pub dir: PathBuf,
    /// Absolute, clean.
    pub targets: Vec<PathBuf>,
    /// The size of its files.
    pub bytes: u64,
    pub may_read: bool,
    pub may_need_contract: bool,
}

pub(super) struct Graph<'a> {
    /// Positions in the list of modules, by the called directory; absolute, without links.
    callers: HashMap<PathBuf, Vec<usize>>,
    /// As `callers`, for calls through a module that is loaded over a link: a path in it starts at the
    /// link.
    callers_over_links: HashMap<PathBuf, Vec<usize>>,
    /// The paths that these modules name, absolute and clean, with the position of the caller.
    over_links: Vec<(PathBuf, usize)>,
    system: &'a dyn System,
    links: &'a Links,
}

impl<'a> Graph<'a> {
    pub fn new(modules: &[Looks], system: &'a dyn System, links: &'a Links) -> Graph<'a> {
        let (callers, callers_over_links) = (HashMap::new(), HashMap::new());
        let over_links = Vec::new();
        let mut it = Graph { callers, callers_over_links, over_links, system, links };
        let places: HashMap<&Path, usize> =
            modules.iter().enumerate().map(|(at, it)| (it.dir.as_path(), at)).collect();
        for (at, module) in modules.iter().enumerate() {
            for target in &module.targets {
                let real = links.follow(target, system);
                it.callers.entry(real).or_default().push(at);
                if links.pass(target) {
                    it.add_over_link(at, target, &|dir| Some(&modules[*places.get(dir)?]));
                }
            }
        }
        it
    }

    /// Adds the calls of a module that is loaded from behind a link.
    fn add_over_link<'m>(
        &mut self,
        at: usize,
        link: &Path,
        module: &dyn Fn(&Path) -> Option<&'m Looks>,
    ) {
        let (mut todo, mut known) = (vec![link.to_owned()], HashSet::new());
        while let Some(from) = todo.pop() {
            if self.over_links.len() > MAX_OVER_LINKS || !known.insert(from.clone()) {
                continue;
            }
            let Some(module) = module(&self.links.follow(&from, self.system)) else { continue };
            for target in &module.targets {
                let target = paths::clean(&from.join(paths::relative(&module.dir, target)));
                let real = self.links.follow(&target, self.system);
                self.callers_over_links.entry(real).or_default().push(at);
                self.over_links.push((target.clone(), at));
                // Any other target behind the link is a module in its own right.
                if self.links.pass(&target) {
                    todo.push(target);
                }
            }
        }
    }

    /// The positions of modules that may call a directory (absolute, without links).
    pub fn callers(&self, dir: &Path) -> &[usize] {
        self.callers.get(dir).map_or(&[], Vec::as_slice)
    }

    /// The positions of modules that call a directory through a module behind a link.
    pub fn callers_over_links(&self, dir: &Path) -> &[usize] {
        self.callers_over_links.get(dir).map_or(&[], Vec::as_slice)
    }

    /// The positions of modules that name such a directory through a module behind a link.
    pub fn naming_over_links(&self, is_it: &dyn Fn(&Path) -> bool) -> impl Iterator<Item = usize> {
        self.over_links.iter().filter(move |(dir, _)| is_it(dir)).map(|(_, at)| *at)
    }
}
