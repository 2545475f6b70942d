//! The address of a module in a `source`, normalised so that two spellings of one module compare equal.
//! For example: `github.com/o/r//vpc?ref=v1` and `git@github.com:o/r.git//vpc` have the same package and
//! subdirectory.

use std::path::{Component, Path, PathBuf};

/// Registries that an address without a host means.
const DEFAULT_REGISTRIES: [&str; 2] = ["registry.terraform.io", "registry.opentofu.org"];

/// Hosts of repositories, which Terraform does not take for registries.
const REPOSITORY_HOSTS: [&str; 3] = ["github.com", "bitbucket.org", "gitlab.com"];

/// Parameters that choose a state of a git repository, or how to fetch it, but not which repository.
const GIT_PARAMETERS: [&str; 3] = ["ref", "depth", "sshkey"];

/// A module of a registry, or one behind a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Address {
    is_registry: bool,
    /// The host in lower case and the path: `example.com/org/repository`, without protocol, user and
    /// `.git`; without the default host for a registry module.
    package: String,
    /// The path behind `//`; empty if there is none.
    subdirectory: PathBuf,
    /// The release in `?ref=`, if it is one: `v1.2.3`.
    pub reference: Option<String>,
}

impl Address {
    /// Parses a source; `None` for a local path, and for a path that leads above its own package.
    pub fn parse(source: &str) -> Option<Address> {
        let is_local = source.is_empty() || source.starts_with(['.', '/', '\\', '~']);
        if is_local || source.contains(char::is_whitespace) {
            return None;
        }
        let (address, query) = source.split_once('?').unwrap_or((source, ""));
        let (package, subdirectory) = split_subdirectory(address);
        let (parameters, reference) = parameters(query);
        let mut it = match registry_module(package) {
            Some(package) if query.is_empty() => {
                Address { is_registry: true, package, subdirectory, reference }
            }
            _ => {
                let (package, inner) = repository(package);
                let subdirectory = inner.join(subdirectory);
                Address { is_registry: false, package, subdirectory, reference }
            }
        };
        it.package.push_str(&parameters);
        let is_name = |it: Component<'_>| matches!(it, Component::Normal(_) | Component::CurDir);
        it.subdirectory.components().all(is_name).then_some(it)
    }

    /// The path from another address of the same package to this one, if this is at it or below it.
    pub fn below(&self, other: &Address) -> Option<&Path> {
        let is_same = self.is_registry == other.is_registry && self.package == other.package;
        self.subdirectory.strip_prefix(&other.subdirectory).ok().filter(|_| is_same)
    }

    /// A text that occurs in every spelling.
    pub fn last_name(&self) -> &str {
        if self.is_registry {
            // The module's own name, without namespace and provider.
            return self.package.rsplit('/').nth(1).unwrap_or_default();
        }
        let package = self.package.split('?').next().unwrap_or_default();
        package.rsplit('/').next().unwrap_or_default()
    }
}

/// Splits at the first `//` that is not part of a protocol.
fn split_subdirectory(address: &str) -> (&str, PathBuf) {
    let from = address.find("://").map_or(0, |it| it + "://".len());
    match address[from..].find("//") {
        None => (address, PathBuf::new()),
        Some(at) => {
            let (package, rest) = address.split_at(from + at);
            (package, Path::new(rest.trim_matches('/')).components().collect())
        }
    }
}

/// The parameters that distinguish packages, and the release in `ref`.
fn parameters(query: &str) -> (String, Option<String>) {
    let all = || query.split('&').filter(|it| !it.is_empty());
    let name = |it: &str| it.split_once('=').map_or(it.to_owned(), |(name, _)| name.to_owned());
    let distinguishing = all().filter(|it| !GIT_PARAMETERS.contains(&name(it).as_str()));
    let distinguishing: String = distinguishing.map(|it| format!("?{it}")).collect();
    let reference = all().find_map(|it| it.strip_prefix("ref="));
    let is_release = |text: &&str| {
        let plain = text.strip_prefix('v').unwrap_or(text);
        plain.split('.').count() == 3 && plain.starts_with(|it: char| it.is_ascii_digit())
    };
    let is_readable = |it: &&str| release::Constraints::parse(it).is_some();
    (distinguishing, reference.filter(is_release).filter(is_readable).map(str::to_owned))
}

/// `[HOST/]NAMESPACE/NAME/PROVIDER`, without a default host.
fn registry_module(package: &str) -> Option<String> {
    let is_name = |text: &&str| {
        let is_part = |it: char| it.is_ascii_alphanumeric() || matches!(it, '-' | '_');
        !text.is_empty() && text.chars().all(is_part)
    };
    let parts: Vec<&str> = package.split('/').collect();
    let (host, names) = match parts.len() {
        3 => (None, &parts[..]),
        4 => (Some(parts[0].to_lowercase()), &parts[1..]),
        _ => return None,
    };
    let names = names.iter().all(is_name).then(|| names.join("/"))?;
    match host {
        None => Some(names),
        Some(host) if DEFAULT_REGISTRIES.contains(&host.as_str()) => Some(names),
        Some(host) if REPOSITORY_HOSTS.contains(&host.as_str()) => None,
        Some(host) => host.contains(['.', ':']).then(|| format!("{host}/{names}")),
    }
}

/// `HOST/PATH` of a repository or an archive, and the subdirectory in GitHub's short form.
fn repository(package: &str) -> (String, PathBuf) {
    let plain = package.split_once("::").map_or(package, |(_, it)| it);
    let (protocol, plain) = match plain.split_once("://") {
        Some((protocol, rest)) => (Some(protocol), rest),
        None => (None, plain),
    };
    let (before, plain) = plain.split_once('@').unwrap_or(("", plain));
    let plain = if before.contains('/') { package } else { plain };
    // `git@example.com:org/repository`
    let (host, path) = match plain.split_once(['/', ':']) {
        Some((host, path)) if protocol.is_none() => (host, path.to_owned()),
        Some(_) => {
            let (host, path) = plain.split_once('/').unwrap_or((plain, ""));
            (host, path.to_owned())
        }
        None => (plain, String::new()),
    };
    let host = host.to_lowercase();
    let mut names: Vec<&str> = path.split('/').filter(|it| !it.is_empty()).collect();
    let mut inner = PathBuf::new();
    if protocol.is_none() && REPOSITORY_HOSTS.contains(&host.as_str()) && names.len() > 2 {
        inner = names.split_off(2).iter().collect();
    }
    let path = names.join("/");
    (format!("{host}/{}", path.strip_suffix(".git").unwrap_or(&path)), inner)
}
