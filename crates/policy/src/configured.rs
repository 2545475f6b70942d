//! The objects of a configuration, before any plan: what is written, evaluated where possible.

use std::{cell::RefCell, collections::BTreeSet, rc::Rc};

use foldhash::HashMap;
use smol_str::SmolStr;

use super::{
    LockedProviders,
    language::{Action, BlockKind},
    subjects::{Absent, Acting, Head, PolicySubject, Source, World, object},
};
use diagnostics::{Excerpt, Location, Role, Sources};
use module::{BlockContent, Mode, Module, Resource, WrittenBody};
use release::{Product, Release};
use tf_value::{Path, Type, Value};
use verdict::written::{InstanceKey, Object, TopBlock, ValueOrigin, Written, WrittenPart};

/// The actions that may happen to a written resource, an output and a data source: only a plan knows which.
const OF_RESOURCES: &[Action] = &[Action::Create, Action::Update, Action::Replace, Action::NoOp];
const OF_OUTPUTS: &[Action] = &[Action::Create, Action::Update, Action::NoOp];
const OF_DATA: &[Action] = &[Action::Read];

/// A configuration, evaluated where possible.
pub(super) struct Configured<'p> {
    written: &'p Written<'p>,
    sources: &'p Sources,
    release: Release,
    locked: &'p LockedProviders,
    /// The arguments and nested blocks that at least one block of a kind and type writes.
    names: HashMap<(BlockKind, SmolStr), Rc<BTreeSet<SmolStr>>>,
    /// The object that was read last: its values and references are asked for one after another.
    last: RefCell<Option<(usize, Rc<WrittenPart<'p>>)>>,
}

impl<'p> Configured<'p> {
    /// `sources` are those of the root module, with the texts of everything that it calls; `locked` is of its
    /// lock file.
    pub fn new(
        written: &'p Written<'p>,
        sources: &'p Sources,
        release: Release,
        locked: &'p LockedProviders,
    ) -> Self {
        let mut names: HashMap<(BlockKind, SmolStr), BTreeSet<SmolStr>> = HashMap::default();
        let mut last: Option<*const Resource> = None;
        for it in &written.objects {
            // The instances of a block are neighbours in `objects`.
            if last != Some(std::ptr::from_ref(it.resource)) {
                last = Some(it.resource);
                let key = (kind(it.resource.mode), it.resource.ty.clone());
                add_names(&it.resource.body, names.entry(key).or_default());
            }
        }
        let names = names.into_iter().map(|(key, it)| (key, Rc::new(it))).collect();
        Configured { written, sources, release, locked, names, last: RefCell::default() }
    }

    fn object(&self, at: usize) -> &'p Object<'p> {
        &self.written.objects[at]
    }

    /// The arguments of an object, and those that Terraform itself reads, such as `count` and `lifecycle`.
    pub fn part(&self, at: usize) -> Rc<WrittenPart<'p>> {
        if let Some((_, part)) = self.last.borrow().as_ref().filter(|it| it.0 == at) {
            return Rc::clone(part);
        }
        let it = self.object(at);
        let mut part = self.written.part(it);
        if let Some(meta) = self.written.meta(it) {
            part.join(meta);
        }
        let part = Rc::new(part);
        *self.last.borrow_mut() = Some((at, Rc::clone(&part)));
        part
    }

    pub fn source(&self, part: Rc<WrittenPart<'p>>) -> Box<dyn Source + 'p> {
        Box::new(Here { part, written: self.written, sources: self.sources })
    }

    fn other(&self, it: TopBlock<'p>) -> Option<PolicySubject<'p>> {
        let (kind, acting) = match it.kind {
            "variable" => (BlockKind::Variable, Acting::Nothing),
            "output" => (BlockKind::Output, Acting::OneOf(OF_OUTPUTS)),
            "provider" => (BlockKind::Provider, Acting::Nothing),
            "module" => (BlockKind::Module, Acting::Nothing),
            "terraform" => (BlockKind::Terraform, Acting::Nothing),
            _ => return None,
        };
        let subject = PolicySubject::plain(kind, &it.label, &it.address, it.part.value.clone());
        let (absent, source) = (Absent::Unwritten(Rc::default()), self.source(Rc::new(it.part)));
        let is_provider = kind == BlockKind::Provider;
        let provider: Option<SmolStr> =
            is_provider.then(|| address_of(&it.label, it.module, self.release).into());
        let selected = provider.as_ref().and_then(|it| self.locked.version(it)).cloned();
        Some(PolicySubject { acting, absent, source: Some(source), provider, selected, ..subject })
    }
}

impl World for Configured<'_> {
    fn len(&self) -> usize {
        self.written.objects.len()
    }

    fn head(&self, at: usize) -> Head<'_> {
        let it = self.object(at);
        let Resource { mode, ty, name, .. } = it.resource;
        Head { kind: kind(*mode), ty, name, module: &it.module }
    }

    fn key(&self, at: usize) -> Option<String> {
        self.object(at).key.as_ref().map(InstanceKey::text)
    }

    fn stays(&self, at: usize) -> Option<bool> {
        self.object(at).doubt.is_none().then_some(true)
    }

    fn text(&self, at: usize, name: &str) -> Option<SmolStr> {
        let part = self.part(at);
        let value = &part.member(name)?.value;
        value.as_str().filter(|_| value.is_known()).map(SmolStr::from)
    }

    fn subject(&self, at: usize) -> Result<PolicySubject<'_>, String> {
        let it = self.object(at);
        let kind = kind(it.resource.mode);
        let part = self.part(at);
        let (module, release) = (self.written.module_of(it), self.release);
        let names = self.names.get(&(kind, it.resource.ty.clone())).cloned();
        Ok(PolicySubject {
            acting: match kind {
                BlockKind::Resource => Acting::OneOf(OF_RESOURCES),
                BlockKind::Data => Acting::OneOf(OF_DATA),
                _ => Acting::Nothing,
            },
            meta: Box::new(move || meta(it, module, release)),
            absent: Absent::Unwritten(names.unwrap_or_default()),
            doubt: it.doubt.clone(),
            doubtful_module: it.is_of_module.then(|| it.module.clone()),
            source: Some(self.source(Rc::clone(&part))),
            ..PolicySubject::plain(kind, &it.resource.ty, &address(it), part.value.clone())
        })
    }

    fn origins(&self, at: usize, path: &Path) -> Vec<ValueOrigin> {
        vec![self.part(at).origin(path, self.written)]
    }

    fn others(&self) -> Result<Vec<PolicySubject<'_>>, String> {
        Ok(self.written.blocks().into_iter().filter_map(|it| self.other(it)).collect())
    }

    fn types(&self) -> Vec<(BlockKind, SmolStr)> {
        self.names.keys().cloned().collect()
    }

    fn further(&self) -> Option<String> {
        let call = self.written.unfollowed()?;
        Some(format!("the module of {call} is not available"))
    }

    fn tells_what_is_written(&self) -> bool {
        true
    }
}

/// Where an object is written.
struct Here<'p> {
    part: Rc<WrittenPart<'p>>,
    written: &'p Written<'p>,
    sources: &'p Sources,
}

impl Source for Here<'_> {
    fn location(&self, path: &Path) -> Location {
        let site = self.part.site(path, self.written);
        let role = if site.is_whole { Role::Value } else { Role::Declaration };
        let mut location = Location::new(role, site.span, "", self.sources);
        if site.is_hidden {
            location.excerpt = Excerpt::default();
        }
        location
    }

    fn origin(&self, path: &Path) -> ValueOrigin {
        self.part.origin(path, self.written)
    }

    fn is_left_out(&self, path: &Path) -> bool {
        self.part.is_left_out(path)
    }

    fn undecided(&self, path: &Path) -> Vec<String> {
        self.part.undecided(path).to_vec()
    }
}

pub(super) fn kind(mode: Mode) -> BlockKind {
    match mode {
        Mode::Managed => BlockKind::Resource,
        Mode::Data => BlockKind::Data,
        Mode::Ephemeral => BlockKind::Ephemeral,
    }
}

/// The names of arguments and blocks that a body writes.
fn add_names(body: &WrittenBody, names: &mut BTreeSet<SmolStr>) {
    names.extend(body.arguments.iter().map(|it| it.name.name.clone()));
    names.extend(body.blocks.iter().map(|it| match &it.content {
        BlockContent::Plain(_) => it.kind.name.clone(),
        BlockContent::Dynamic(it) => it.kind.clone(),
    }));
}

/// The address as `-target` takes it: `module.net.aws_subnet.a["b"]`.
fn address(it: &Object<'_>) -> String {
    let separator = if it.module.is_empty() { "" } else { "." };
    let resource = it.resource;
    let key = it.key.as_ref().map_or(String::new(), |it| format!("[{}]", it.text()));
    format!("{}{separator}{}.{}{key}", it.module, resource.kind(), resource.name)
}

fn meta(it: &Object<'_>, module: &Module, release: Release) -> Value {
    let key = match (&it.key, &it.doubt) {
        (Some(key), _) => key.value(),
        (None, Some(_)) if it.resource.repetition.expr().is_some() => Value::unknown(Type::Dynamic),
        (None, _) => Value::null(Type::Dynamic),
    };
    object([
        ("address", Value::string(address(it))),
        ("module", Value::string(&it.module)),
        ("type", Value::string(&it.resource.ty)),
        ("name", Value::string(&it.resource.name)),
        ("provider", Value::string(provider(it.resource, module, release))),
        ("key", key),
        ("action", Value::unknown(Type::String)),
        ("previous_address", Value::unknown(Type::String)),
    ])
}

/// The address of a resource's provider: `registry.terraform.io/hashicorp/aws`.
fn provider(resource: &Resource, module: &Module, release: Release) -> String {
    let local = resource.provider().split('.').next().unwrap_or_default();
    address_of(local, module, release)
}

/// The address of the provider with a local name.
fn address_of(local: &str, module: &Module, release: Release) -> String {
    let required = module.required_providers.get(local);
    let source = required.and_then(|it| it.source.as_deref());
    if source.is_none() && local == "terraform" {
        return "terraform.io/builtin/terraform".to_owned();
    }
    let host = match release.product() {
        Product::Terraform => "registry.terraform.io",
        Product::OpenTofu => "registry.opentofu.org",
    };
    let source = source.unwrap_or(local);
    match source.matches('/').count() {
        0 => format!("{host}/hashicorp/{source}"),
        1 => format!("{host}/{source}"),
        _ => source.to_owned(),
    }
}
