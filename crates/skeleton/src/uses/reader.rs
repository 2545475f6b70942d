//! Reads the uses of variables out of a module's files.

use std::{collections::BTreeMap, path::Path, rc::Rc};

use smol_str::SmolStr;

use super::{
    DEEPEST, MOST_INDICES, Taken, Use, add_once,
    needs::{Need, needs},
    part::{Access, EACH, ITEM, Made, Part, Scope, may_fail, step_of},
    tables,
};
use hcl::{Block, Body, Expr, ExprKind, Item, ObjectKey, parse_body};
use module::Module;
use stack::guarded;
use tf_value::Type;

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
    /// `called`: what the called modules take, by the names of the calls.
    pub fn new(module: &'m Module, called: BTreeMap<SmolStr, Rc<Taken>>) -> Reader<'m> {
        Reader { module, of: Taken::new(), called, added: 0, tries: 0 }
    }

    /// What the native files of the module take out of each variable.
    pub fn read(mut self, scope: &Scope<'m>) -> Taken {
        for (id, file) in self.module.sources.files() {
            let extension = Path::new(&file.path).extension();
            let is_native = extension.is_none_or(|it| it != "json");
            if is_native && !id.is_adopted() {
                self.body(&parse_body(id, &file.bytes).0, EACH, scope);
            }
        }
        self.of
    }

    /// `iterator`: the name of an element if the block is repeated.
    fn body(&mut self, body: &Body, iterator: &str, outer: &Scope<'m>) {
        let own = body.items.iter().find_map(|it| match it {
            Item::Attribute(it) if it.name.name == "for_each" => {
                Some(outer.element(&it.value, Access::KeyedElement))
            }
            _ => None,
        });
        let own = own.map(|made| {
            self.note_made(made.as_ref());
            outer.with_iterator(iterator, made)
        });
        let scope = own.as_ref().unwrap_or(outer);
        for item in &body.items {
            match item {
                Item::Attribute(it) => {
                    if it.name.name == "count" {
                        self.need(&it.value, &Need::Type(Type::Number), scope);
                    }
                    self.expr(&it.value, scope);
                }
                Item::Block(it) => guarded(|| {
                    if let ("module", [label]) = (it.kind.name.as_str(), it.labels.as_slice()) {
                        self.call(&label.text, &it.body, scope);
                    }
                    self.body(&it.body, iterator_of(it), scope);
                }),
            }
        }
    }

    fn expr(&mut self, expr: &Expr, scope: &Scope<'m>) {
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
    fn parts(&mut self, expr: &Expr, scope: &Scope<'m>) {
        match &expr.kind {
            ExprKind::For(it) => {
                let made = scope.element(&it.collection, step_of(it));
                self.note_made(made.as_ref());
                let inner = scope.with(it.value_name.name.clone(), made);
                if let Some(condition) = &it.condition {
                    self.need(condition, &Need::Type(Type::Bool), &inner);
                }
                guarded(|| expr.for_each_child(&mut |it| self.expr(it, &inner)));
            }
            ExprKind::Splat { source, each, .. } => {
                let made = scope.element(source, Access::Element);
                self.note_made(made.as_ref());
                let inner = scope.with(ITEM, made);
                guarded(|| self.expr(source, scope));
                guarded(|| self.expr(each, &inner));
            }
            ExprKind::Call { name, args, .. } => {
                match (name.name.as_str(), args.as_slice()) {
                    ("merge", all) => all.iter().for_each(|it| self.need(it, &Need::Keys, scope)),
                    ("lookup", [table, key]) => self.look_up(table, key, scope),
                    ("slice", [list, _, end]) => self.elements(list, end, scope),
                    ("regex", [pattern, text]) if self.tries == 0 => {
                        if let Some(it) = tables::text(self.module, pattern) {
                            self.need(text, &Need::Matches(it), scope);
                        }
                    }
                    // Without a constant the last one is what everything falls back to.
                    ("try", [first @ .., last]) if may_fail(last) => {
                        first.iter().for_each(|it| guarded(|| self.expr(it, scope)));
                        self.tries -= 1;
                        guarded(|| self.expr(last, scope));
                        self.tries += 1;
                        return;
                    }
                    _ => (),
                }
                guarded(|| expr.for_each_child(&mut |it| self.expr(it, scope)));
            }
            ExprKind::Index { base, key, .. } => {
                self.look_up(base, key, scope);
                if let ExprKind::String(key) = &key.kind
                    && let Some(instances) = self.instances(base)
                {
                    self.want(instances, key, &scope.of_block(), DEEPEST);
                }
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

    fn need(&mut self, expr: &Expr, need: &Need, scope: &Scope<'m>) {
        let Some((name, mut steps)) = scope.part(expr) else { return };
        match need {
            Need::Type(ty) => {
                self.note(&(name, steps)).need(ty);
                return;
            }
            Need::Matches(pattern) => {
                add_once(&mut self.note(&(name, steps)).patterns, pattern);
                return;
            }
            Need::Text => {
                self.note(&(name, steps)).is_text |= self.tries == 0;
                return;
            }
            Need::Elements => steps.push(Access::Element),
            Need::Keys => steps.push(Access::KeyedElement),
        }
        self.note(&(name, steps));
    }

    /// Notes that a list has elements up to a constant place.
    fn elements(&mut self, list: &Expr, end: &Expr, scope: &Scope<'m>) {
        let ExprKind::Number(end) = &end.kind else { return };
        let last = end.parse::<usize>().ok().and_then(|it| it.checked_sub(1));
        if let (Some(last), Some((name, mut steps))) = (last, scope.part(list)) {
            steps.push(Access::At(last));
            self.note(&(name, steps));
        }
    }

    /// Notes the keys of a table for what is looked up there.
    fn look_up(&mut self, table: &Expr, key: &Expr, scope: &Scope<'m>) {
        if let Some(part) = scope.part(key) {
            let keys = tables::keys(self.module, table);
            self.note(&part).add_keys(&keys);
        }
    }

    /// What `for_each` of the resource or call is that an expression refers to.
    fn instances(&self, expr: &Expr) -> Option<&'m Expr> {
        let ExprKind::GetAttr { base, name } = &expr.kind else { return None };
        let module = self.module;
        let repetition = match &base.kind {
            ExprKind::Variable(root) if root == "module" => {
                &module.calls.get(&name.name)?.repetition
            }
            ExprKind::Variable(kind) => {
                &module.resources.get(&(kind.clone(), name.name.clone()))?.repetition
            }
            ExprKind::GetAttr { base, name: kind } if is_root(base, "data") => {
                let kind = SmolStr::new(format!("data.{}", kind.name));
                &module.resources.get(&(kind, name.name.clone()))?.repetition
            }
            _ => return None,
        };
        repetition.for_each.as_ref()
    }

    /// Notes that a collection needs a key, or a text.
    fn want(&mut self, expr: &Expr, key: &SmolStr, scope: &Scope<'m>, levels: usize) {
        let Some(levels) = levels.checked_sub(1) else { return };
        if let Some(part) = scope.part(expr) {
            add_once(&mut self.note(&part).wanted, key);
            return;
        }
        guarded(|| match &expr.bare().kind {
            ExprKind::GetAttr { base, name } if is_root(base, "local") => {
                let module = self.module;
                if let Some(it) = module.locals.get(&name.name) {
                    self.want(&it.expr, key, scope, levels);
                }
            }
            ExprKind::Call { name, args, .. }
                if matches!(name.name.as_str(), "toset" | "tomap" | "merge" | "try") =>
            {
                if let Some(it) = args.first() {
                    self.want(it, key, scope, levels);
                }
            }
            ExprKind::For(it) => {
                let named = it.key.as_ref().unwrap_or(&it.value).bare();
                match &named.kind {
                    // The key is an attribute of the element.
                    ExprKind::GetAttr { base, name } if is_root(base, &it.value_name.name) => {
                        if let Some(part) = scope.part(&it.collection) {
                            let by = (name.name.clone(), key.clone());
                            add_once(&mut self.note(&part).wanted_by, &by);
                        }
                    }
                    ExprKind::Variable(_) => self.want(&it.collection, key, scope, levels),
                    _ => (),
                }
            }
            _ => (),
        });
    }

    /// What a called module takes out of a variable, it takes out of the argument.
    fn call(&mut self, name: &str, body: &Body, scope: &Scope<'m>) {
        let Some(inner) = self.called.get(name).cloned() else { return };
        for item in &body.items {
            let Item::Attribute(it) = item else { continue };
            if let Some(taken) = inner.get(&it.name.name) {
                self.hand_on(&it.value, taken, scope, DEEPEST);
            }
        }
    }

    /// What is taken out of an expression is taken out of the parts of variables that it consists of.
    fn hand_on(&mut self, expr: &Expr, taken: &Use, scope: &Scope<'m>, levels: usize) {
        let Some(levels) = levels.checked_sub(1) else { return };
        if self.added >= MOST {
            return;
        }
        if let Some(part) = scope.part(expr) {
            let mut left = MOST.saturating_sub(self.added);
            self.note(&part).add(taken, DEEPEST, &mut left);
            self.added = MOST - left;
            return;
        }
        self.added += 1;
        guarded(|| match &expr.bare().kind {
            ExprKind::GetAttr { base, name } if is_root(base, "local") => {
                let module = self.module;
                if let Some(it) = module.locals.get(&name.name) {
                    self.hand_on(&it.expr, taken, &scope.of_block(), levels);
                }
            }
            ExprKind::Object(items) => {
                for it in items {
                    let name = tables::key(it);
                    self.hand_on(&it.value, &taken.member(name.as_ref()), scope, levels);
                }
            }
            ExprKind::Tuple(all) => {
                all.iter().for_each(|it| self.hand_on(it, &taken.member(None), scope, levels));
            }
            ExprKind::Conditional { then, otherwise, .. } => {
                self.hand_on(then, taken, scope, levels);
                self.hand_on(otherwise, taken, scope, levels);
            }
            ExprKind::Call { name, args, .. }
                if matches!(name.name.as_str(), "concat" | "merge") =>
            {
                args.iter().for_each(|it| self.hand_on(it, taken, scope, levels));
            }
            ExprKind::For(it) => {
                let made = scope.element(&it.collection, step_of(it));
                let inner = scope.with(it.value_name.name.clone(), made);
                self.hand_on(&it.value, &taken.member(None), &inner, levels);
            }
            _ => {
                if let Some(it) = scope.made(expr) {
                    self.hand_on_made(&it, taken, levels);
                }
            }
        });
    }

    /// The same for what an output of a called module consists of, for example.
    fn hand_on_made(&mut self, made: &Made, taken: &Use, levels: usize) {
        let Some(levels) = levels.checked_sub(1) else { return };
        if self.added >= MOST {
            return;
        }
        self.added += 1;
        guarded(|| match made {
            Made::Of(part) => {
                let mut left = MOST.saturating_sub(self.added);
                self.note(part).add(taken, DEEPEST, &mut left);
                self.added = MOST - left;
            }
            Made::Object(all) => {
                for (name, it) in all.iter() {
                    if let Some(it) = it {
                        self.hand_on_made(it, &taken.member(Some(name)), levels);
                    }
                }
            }
            Made::Each(inner) => self.hand_on_made(inner, &taken.member(None), levels),
            Made::Merged(all) => all.iter().for_each(|it| self.hand_on_made(it, taken, levels)),
        });
    }

    fn note_made(&mut self, made: Option<&Made>) {
        if let Some(Made::Of(part)) = made {
            self.note(part);
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
                Access::Decoded => at.json.get_or_insert_default(),
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

fn is_root(expr: &Expr, name: &str) -> bool {
    matches!(&expr.kind, ExprKind::Variable(it) if it == name)
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
