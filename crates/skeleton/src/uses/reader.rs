//! Reads the uses of variables out of a module's files.

use std::{collections::BTreeMap, path::Path, rc::Rc};

use foldhash::HashMap;
use smol_str::SmolStr;

use super::{
    DEEPEST, MOST_INDICES, Taken, Use,
    needs::{Need, needs},
    part::{Access, EACH, ITEM, Part, Scope},
    tables,
};
use hcl::{Block, Body, Expr, ExprKind, Item, ObjectKey, parse_body};
use module::Module;
use stack::guarded;
use tf_value::Type;
use verdict::tree::Link;

/// How many parts one module takes over from those that it calls.
const MOST: usize = 20_000;

/// Notes the uses in one module.
pub struct Reader<'m> {
    module: &'m Module,
    of: Taken,
    /// What called modules take out of their variables, by the names of the calls.
    called: BTreeMap<SmolStr, Rc<Taken>>,
    /// How many parts were taken over from called modules.
    added: usize,
    /// In how many calls of `try` and `can` the expression is.
    tries: usize,
}

impl<'m> Reader<'m> {
    /// `known`: what the called modules take, by their indices.
    pub fn new(
        module: &'m Module,
        calls: &HashMap<SmolStr, Link>,
        known: &[Rc<Taken>],
    ) -> Reader<'m> {
        let mut called = BTreeMap::new();
        for (name, link) in calls {
            let Link::To(index) = link else { continue };
            called.extend(known.get(*index).map(|it| (name.clone(), Rc::clone(it))));
        }
        Reader { module, of: Taken::new(), called, added: 0, tries: 0 }
    }

    /// What the native files of the module take out of each variable.
    pub fn read(mut self) -> Taken {
        let scope = Scope::of(self.module);
        for (id, file) in self.module.sources.files() {
            let extension = Path::new(&file.path).extension();
            let is_native = extension.is_none_or(|it| it != "json");
            if is_native && !id.is_adopted() {
                self.body(&parse_body(id, &file.bytes).0, EACH, &scope);
            }
        }
        self.of
    }

    /// `iterator`: the name of an element if the block is repeated.
    fn body(&mut self, body: &Body, iterator: &str, outer: &Scope) {
        let own = body.items.iter().find_map(|it| match it {
            Item::Attribute(it) if it.name.name == "for_each" => {
                outer.element(&it.value, Access::KeyedElement)
            }
            _ => None,
        });
        let own = own.map(|part| {
            self.note(&part);
            outer.with_iterator(iterator, part)
        });
        let scope = own.as_ref().unwrap_or(outer);
        for item in &body.items {
            match item {
                Item::Attribute(it) => self.expr(&it.value, scope),
                Item::Block(it) => guarded(|| {
                    if let ("module", [label]) = (it.kind.name.as_str(), it.labels.as_slice()) {
                        self.call(&label.text, &it.body, scope);
                    }
                    self.body(&it.body, iterator_of(it), scope);
                }),
            }
        }
    }

    fn expr(&mut self, expr: &Expr, scope: &Scope) {
        if let Some(part) = scope.part(expr) {
            self.note(&part);
        }
        let is_tried = matches!(&expr.kind, ExprKind::Call { name, .. }
            if matches!(name.name.as_str(), "can" | "try"));
        self.tries += usize::from(is_tried);
        for (it, need) in needs(expr) {
            self.need(it, &need, scope);
        }
        self.parts(expr, scope);
        self.tries -= usize::from(is_tried);
    }

    /// The uses inside of an expression.
    fn parts(&mut self, expr: &Expr, scope: &Scope) {
        match &expr.kind {
            ExprKind::For(it) => {
                let mut inner = scope.clone();
                let is_keyed = it.key_name.is_some();
                let step = if is_keyed { Access::KeyedElement } else { Access::Element };
                if let Some(part) = scope.element(&it.collection, step) {
                    self.note(&part);
                    inner = inner.with(it.value_name.name.clone(), part);
                }
                if let Some(condition) = &it.condition {
                    self.need(condition, &Need::Type(Type::Bool), &inner);
                }
                guarded(|| expr.for_each_child(&mut |it| self.expr(it, &inner)));
            }
            ExprKind::Splat { source, each, .. } => {
                let mut inner = scope.clone();
                if let Some((name, mut steps)) = scope.part(source) {
                    steps.push(Access::Element);
                    let part = (name, steps);
                    self.note(&part);
                    inner = inner.with(ITEM, part);
                }
                guarded(|| self.expr(source, scope));
                guarded(|| self.expr(each, &inner));
            }
            ExprKind::Call { name, args, .. } => {
                match (name.name.as_str(), args.as_slice()) {
                    ("merge", all) => all.iter().for_each(|it| self.need(it, &Need::Keys, scope)),
                    ("lookup", [table, key]) => self.look_up(table, key, scope),
                    _ => (),
                }
                guarded(|| expr.for_each_child(&mut |it| self.expr(it, scope)));
            }
            ExprKind::Index { base, key, .. } => {
                self.look_up(base, key, scope);
                guarded(|| expr.for_each_child(&mut |it| self.expr(it, scope)));
            }
            ExprKind::Object(items) => {
                for it in items {
                    if let ObjectKey::Expr(key) | ObjectKey::Template(key) = &it.key {
                        guarded(|| self.expr(key, scope));
                    }
                    guarded(|| self.expr(&it.value, scope));
                }
            }
            _ => guarded(|| expr.for_each_child(&mut |it| self.expr(it, scope))),
        }
    }

    fn need(&mut self, expr: &Expr, need: &Need, scope: &Scope) {
        let Some((name, mut steps)) = scope.part(expr) else { return };
        match need {
            Need::Type(ty) => {
                self.note(&(name, steps)).ty.get_or_insert_with(|| ty.clone());
                return;
            }
            Need::Elements => steps.push(Access::Element),
            Need::Keys => steps.push(Access::KeyedElement),
        }
        self.note(&(name, steps));
    }

    /// Notes the keys of a table for what is looked up there.
    fn look_up(&mut self, table: &Expr, key: &Expr, scope: &Scope) {
        if let Some(part) = scope.part(key) {
            let keys = tables::keys(self.module, table);
            self.note(&part).add_keys(&keys);
        }
    }

    /// What a called module takes out of a variable, it takes out of the argument.
    fn call(&mut self, name: &str, body: &Body, scope: &Scope) {
        let Some(inner) = self.called.get(name).cloned() else { return };
        for item in &body.items {
            let Item::Attribute(it) = item else { continue };
            let taken = inner.get(&it.name.name);
            if let (Some(taken), Some(part)) = (taken, scope.part(&it.value)) {
                let mut left = MOST.saturating_sub(self.added);
                self.note(&part).add(taken, DEEPEST, &mut left);
                self.added = MOST - left;
            }
        }
    }

    fn note(&mut self, (name, steps): &Part) -> &mut Use {
        let is_certain = self.tries == 0 && !steps.iter().any(|it| matches!(it, Access::Perhaps));
        let mut at = self.of.entry(name.clone()).or_default();
        at.is_certain |= is_certain;
        let mut is_text = false;
        for step in steps.iter().take(DEEPEST) {
            if let Access::At(index) = step
                && *index < MOST_INDICES
            {
                at.least = at.least.max(index + 1);
            }
            at = match step {
                Access::Perhaps => at,
                Access::Attribute(name) => at.attributes.entry(name.clone()).or_default(),
                Access::Split(separator) => at.splits.entry(separator.clone()).or_default(),
                Access::At(index) if is_text => at.by_index.entry(*index).or_default(),
                Access::Element | Access::At(_) => at.elements.get_or_insert_default(),
                Access::KeyedElement => {
                    at.is_keyed = true;
                    at.elements.get_or_insert_default()
                }
                Access::CountedElement => {
                    at.is_counted = true;
                    at.elements.get_or_insert_default()
                }
            };
            at.is_certain |= is_certain;
            is_text = matches!(step, Access::Split(_));
        }
        at
    }
}

/// The name of a block's element where the block is repeated: a dynamic block has its own.
fn iterator_of(block: &Block) -> &str {
    let ("dynamic", [label]) = (block.kind.name.as_str(), block.labels.as_slice()) else {
        return EACH;
    };
    let named = block.body.items.iter().find_map(|it| match it {
        Item::Attribute(it) if it.name.name == "iterator" => match &it.value.kind {
            ExprKind::Variable(name) => Some(name.as_str()),
            _ => None,
        },
        _ => None,
    });
    named.unwrap_or(&label.text)
}
