//! Addresses of resources and modules, as `moved` and `removed` blocks take them.

use smol_str::SmolStr;

use diagnostics::{FileId, has_errors};
use hcl::{
    analysis::{ConstantIndex, Traversal, TraversalStep, absolute_traversal},
    parse_expression,
};
use release::{Release, changes};
use tf_value::Number;

/// The target of an address; equal for equal addresses. For example: `module.vpc.aws_subnet.a[0]` has
/// the names `vpc`, `aws_subnet` and `a` with the key 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Address {
    pub kind: AddressKind,
    /// Whether an instance key occurs in it.
    pub has_key: bool,
    /// The calls, each with its key; for a resource or data source then its type, and its name with its
    /// key.
    pub names: Vec<(SmolStr, Option<ConstantIndex>)>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
/// The kind of an address's target.
pub enum AddressKind {
    Module,
    Resource,
    Data,
    Ephemeral,
    /// A list of resources.
    List,
}

/// Roots of references; they can be types of resources only behind `resource`.
const RESERVED: [&str; 10] =
    ["var", "local", "path", "count", "each", "self", "terraform", "template", "arg", "lazy"];

/// The accepted form of addresses.
#[derive(Clone, Copy, Debug)]
pub struct AddressForm {
    /// Whether `resource` may precede a type.
    pub takes_prefix: bool,
    /// Whether a type that looks like a reference is refused.
    pub refuses_reserved: bool,
    pub refuses_ephemeral: bool,
    /// Whether `list.a` is refused as a resource of type `list`.
    pub refuses_lists: bool,
    /// Whether `ephemeral.TYPE.NAME` is an address.
    pub takes_ephemeral: bool,
    /// Whether `list.TYPE.NAME` is an address.
    pub takes_lists: bool,
}

impl AddressForm {
    /// The form in `removed` blocks.
    pub fn plain(release: Release) -> AddressForm {
        AddressForm {
            takes_prefix: false,
            refuses_reserved: false,
            refuses_ephemeral: release.has(&changes::EPHEMERAL_ADDRESSES),
            refuses_lists: release.has(&changes::LIST_ADDRESSES),
            takes_ephemeral: false,
            takes_lists: false,
        }
    }

    /// The form in `moved` and `import` blocks.
    pub fn of(release: Release) -> AddressForm {
        AddressForm {
            takes_prefix: release.has(&changes::ADDRESS_PREFIX),
            refuses_reserved: release.has(&changes::RESERVED_ADDRESSES),
            takes_ephemeral: release.has(&changes::EPHEMERAL_BLOCK)
                && !release.has(&changes::EPHEMERAL_ADDRESSES),
            takes_lists: release.has(&changes::LIST_ADDRESSES),
            ..AddressForm::plain(release)
        }
    }
}

impl Address {
    /// Reads `module.NAME[KEY]…`, followed by nothing, by `TYPE.NAME[KEY]` or by `data.TYPE.NAME`, with
    /// `resource`, `ephemeral` or `list` before the type where the form accepts it. `None` for any other traversal.
    pub fn new(traversal: &Traversal, form: AddressForm) -> Option<Address> {
        let mut rest = Rest { root: Some(&traversal.root.name), steps: &traversal.steps };
        let mut names = Vec::new();
        while rest.skip("module") {
            names.push(rest.name_and_key()?);
        }
        let mut kind = AddressKind::Module;
        if !rest.is_empty() {
            kind = if rest.skip("data") {
                AddressKind::Data
            } else if form.takes_ephemeral && rest.skip("ephemeral") {
                AddressKind::Ephemeral
            } else if form.takes_lists && rest.skip("list") {
                AddressKind::List
            } else {
                AddressKind::Resource
            };
            let is_resource = kind == AddressKind::Resource;
            let has_prefix = is_resource && form.takes_prefix && rest.skip("resource");
            let refuses = is_resource && form.refuses_reserved && !has_prefix;
            let is_ephemeral = |it: &SmolStr| form.refuses_ephemeral && it == "ephemeral";
            let is_reserved = |it: &SmolStr| {
                RESERVED.contains(&it.as_str()) || (form.refuses_lists && it == "list")
            };
            let ty = rest.name().filter(|it| !(refuses && is_reserved(it) || is_ephemeral(it)))?;
            names.push((ty, None));
            names.push(rest.name_and_key()?);
        }
        let has_key = names.iter().any(|it| it.1.is_some());
        rest.is_empty().then_some(Address { kind, has_key, names })
    }
}

/// Whether a text is the address of a managed resource or of an instance of one, as `-replace` takes it.
pub fn is_resource_address(text: &str, release: Release) -> bool {
    let (expr, problems) = parse_expression(FileId::default(), text.as_bytes(), 0);
    let traversal = absolute_traversal(&expr).filter(|_| !has_errors(&problems));
    let address = traversal.and_then(|it| Address::new(&it, AddressForm::of(release)));
    address.is_some_and(|it| {
        let is_whole = |key: &ConstantIndex| match key {
            ConstantIndex::Number(digits) => digits.bytes().all(|digit| digit.is_ascii_digit()),
            ConstantIndex::String(_) => true,
        };
        let mut keys = it.names.iter().filter_map(|(_, key)| key.as_ref());
        it.kind == AddressKind::Resource && keys.all(is_whole)
    })
}

/// The unread part of a traversal.
struct Rest<'a> {
    root: Option<&'a SmolStr>,
    steps: &'a [TraversalStep],
}

impl Rest<'_> {
    fn is_empty(&self) -> bool {
        self.root.is_none() && self.steps.is_empty()
    }

    /// Skips a word, if it is next.
    fn skip(&mut self, word: &str) -> bool {
        let next = self.root.or(match self.steps.first() {
            Some(TraversalStep::Attr(it)) => Some(&it.name),
            _ => None,
        });
        next.is_some_and(|it| it == word) && self.name().is_some()
    }

    fn name(&mut self) -> Option<SmolStr> {
        if let Some(root) = self.root.take() {
            return Some(root.clone());
        }
        let (TraversalStep::Attr(name), rest) = self.steps.split_first()? else { return None };
        self.steps = rest;
        Some(name.name.clone())
    }

    fn name_and_key(&mut self) -> Option<(SmolStr, Option<ConstantIndex>)> {
        let name = self.name()?;
        let Some((TraversalStep::Index { key, .. }, rest)) = self.steps.split_first() else {
            return Some((name, None));
        };
        self.steps = rest;
        Some((name, Some(plain(key)?)))
    }
}

/// The key as one writes it: `a[01]` and `a[1.0]` are `a[1]`. `None` if no instance can have it.
fn plain(key: &ConstantIndex) -> Option<ConstantIndex> {
    let ConstantIndex::Number(text) = key else { return Some(key.clone()) };
    let number = Number::parse(text)?.to_i64().filter(|it| *it >= 0)?;
    Some(ConstantIndex::Number(number.to_string().into()))
}
