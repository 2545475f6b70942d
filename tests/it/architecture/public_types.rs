//! The types that a crate shows to others.

use std::{collections::BTreeSet, fs, path::Path};

use syn::{Ident, Item, UseTree, Visibility};

/// The names of types in a crate.
#[derive(Default)]
pub struct PublicTypes {
    /// Of the public types that its files declare.
    pub declared: BTreeSet<String>,
    /// Of everything that its public modules declare or re-export.
    pub exported: BTreeSet<String>,
}

impl PublicTypes {
    /// Adds the types of a module's file and of all modules below it.
    pub fn visit_file_of_module(&mut self, file: &Path) {
        self.visit_file(file, true);
    }

    fn visit_file(&mut self, file: &Path, is_reachable: bool) {
        let items = syn::parse_file(&fs::read_to_string(file).unwrap()).unwrap().items;
        let is_root = ["lib.rs", "mod.rs"].iter().any(|it| file.ends_with(it));
        let dir = if is_root { file.parent().unwrap().to_owned() } else { file.with_extension("") };
        for item in &items {
            self.visit(item, &dir, is_reachable);
        }
    }

    fn visit(&mut self, item: &Item, dir: &Path, is_reachable: bool) {
        match item {
            Item::Struct(it) => self.declare(&it.ident, &it.vis, is_reachable),
            Item::Enum(it) => self.declare(&it.ident, &it.vis, is_reachable),
            Item::Union(it) => self.declare(&it.ident, &it.vis, is_reachable),
            Item::Trait(it) => self.declare(&it.ident, &it.vis, is_reachable),
            Item::Type(it) => self.declare(&it.ident, &it.vis, is_reachable),
            Item::Mod(it) => {
                let is_reachable = is_reachable && is_public(&it.vis);
                let name = it.ident.to_string();
                match &it.content {
                    Some((_, items)) => {
                        items.iter().for_each(|it| self.visit(it, &dir.join(&name), is_reachable));
                    }
                    None => {
                        let flat = dir.join(format!("{name}.rs"));
                        let file =
                            if flat.is_file() { flat } else { dir.join(name).join("mod.rs") };
                        self.visit_file(&file, is_reachable);
                    }
                }
            }
            Item::Use(it) if is_reachable && is_public(&it.vis) => self.export(&it.tree),
            _ => (),
        }
    }

    fn declare(&mut self, name: &Ident, visibility: &Visibility, is_reachable: bool) {
        if is_public(visibility) {
            self.declared.insert(name.to_string());
            if is_reachable {
                self.exported.insert(name.to_string());
            }
        }
    }

    fn export(&mut self, tree: &UseTree) {
        match tree {
            UseTree::Path(it) => self.export(&it.tree),
            UseTree::Name(it) => _ = self.exported.insert(it.ident.to_string()),
            UseTree::Rename(it) => _ = self.exported.insert(it.rename.to_string()),
            UseTree::Group(it) => it.items.iter().for_each(|it| self.export(it)),
            UseTree::Glob(_) => (),
        }
    }
}

fn is_public(it: &Visibility) -> bool {
    matches!(it, Visibility::Public(_))
}
