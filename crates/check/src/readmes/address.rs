//! Addresses of modules in a registry or a Git repository, and the names of the repository that is checked.
//!
//! The repository's names are those of its remotes. Without one it is the name of the directory at its root, which says
//! nothing about the owner.

use std::path::{Path, PathBuf};

use system::paths;

/// How surely an address names a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    Surely,
    /// The repository's owner is not known.
    Perhaps,
}

/// A module in a repository.
#[derive(Debug, PartialEq, Eq)]
pub struct Remote {
    /// In lower case; `None` if the address does not say which of the repository's names it is.
    owner: Option<String>,
    /// In lower case.
    repository: String,
    /// The path inside of it.
    dir: PathBuf,
}

/// Reads the address of a module that is not a path: `OWNER/NAME/PROVIDER//modules/a` of a registry, or the URL of a
/// Git repository.
pub fn of_remote(source: &str) -> Option<Remote> {
    let text = source.strip_prefix("git::").unwrap_or(source);
    let text = text.split('?').next()?.trim_end_matches('/');
    let (is_url, text) = match text.split_once("://") {
        Some((_, rest)) => (true, rest),
        None => (false, text),
    };
    let (address, dir) = text.split_once("//").unwrap_or((text, ""));
    let dir = paths::clean(Path::new(dir));
    let is_scp = !is_url && address.contains('@') && address.contains(':');
    let parts: Vec<&str> =
        address.split(|it| it == '/' || is_scp && it == ':').filter(|it| !it.is_empty()).collect();
    let is_host = |it: &str| it.contains('.');
    let of = |owner: Option<&str>, repository: &str| {
        let repository = repository.to_lowercase();
        Some(Remote { owner: owner.map(str::to_lowercase), repository, dir: dir.clone() })
    };
    match parts[..] {
        [.., owner, repository] if is_url || is_scp || is_host(parts[0]) && parts.len() == 3 => {
            of(Some(owner), repository.strip_suffix(".git").unwrap_or(repository))
        }
        [owner, name, provider] => of(Some(owner), &format!("terraform-{provider}-{name}")),
        [host, _, name, provider] if is_host(host) => {
            of(None, &format!("terraform-{provider}-{name}"))
        }
        _ => None,
    }
}

/// The names of a repository.
#[derive(Debug, Default)]
pub struct Identity {
    root: PathBuf,
    /// Owner and name, in lower case.
    names: Vec<(Option<String>, String)>,
}

impl Identity {
    /// The names of the repository with this root, which has remotes with these URLs.
    pub fn of(root: PathBuf, urls: &[String]) -> Identity {
        let urls = urls.iter().map(String::as_str).filter(|it| is_network(it));
        let names = urls.filter_map(of_remote);
        let mut names: Vec<_> = names.map(|it| (it.owner, it.repository)).collect();
        let own = root.file_name().and_then(|it| it.to_str());
        if names.is_empty() {
            names.extend(own.map(|it| (None, it.to_lowercase())));
        }
        Identity { root, names }
    }

    /// The directory (absolute) of the module in this repository that an address names, and how surely it does;
    /// `None` for one in another repository.
    pub fn find(&self, remote: &Remote) -> Option<(PathBuf, Named)> {
        let mut best = None;
        for (owner, _) in self.names.iter().filter(|it| it.1 == remote.repository) {
            match (owner, &remote.owner) {
                (Some(own), Some(other)) if own != other => (),
                (Some(_), Some(_)) => best = Some(Named::Surely),
                _ => best = best.or(Some(Named::Perhaps)),
            }
        }
        best.map(|it| (paths::clean(&self.root.join(&remote.dir)), it))
    }
}

/// Whether a URL is not that of a directory.
fn is_network(url: &str) -> bool {
    url.contains("://") && !url.starts_with("file:") || url.contains('@') && url.contains(':')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn remote(owner: Option<&str>, repository: &str, dir: &str) -> Option<Remote> {
        let dir = paths::clean(Path::new(dir));
        Some(Remote { owner: owner.map(str::to_owned), repository: repository.to_owned(), dir })
    }

    #[test]
    fn addresses() {
        let of = |owner, dir| remote(Some(owner), "terraform-aws-vpc", dir);
        for it in [
            "acme/vpc/aws",
            "github.com/Acme/terraform-aws-vpc",
            "github.com/acme/terraform-aws-vpc.git?ref=v1.0.0",
            "git::https://github.com/acme/terraform-aws-vpc.git?ref=v1",
            "git::ssh://git@github.com/acme/terraform-aws-vpc.git",
            "git@github.com:acme/terraform-aws-vpc.git",
            "https://github.com/acme/terraform-aws-vpc",
        ] {
            assert_eq!(of_remote(it), of("acme", ""), "{it}");
        }
        for it in [
            "acme/vpc/aws//modules/a",
            "git::https://github.com/acme/terraform-aws-vpc.git//modules/a?ref=v1",
            "git@github.com:acme/terraform-aws-vpc.git//modules/a/",
        ] {
            assert_eq!(of_remote(it), of("acme", "modules/a"), "{it}");
        }
        let private = of_remote("app.terraform.io/other/vpc/aws");
        assert_eq!(private, remote(None, "terraform-aws-vpc", ""));
        for it in ["vpc", "acme/vpc", "", "a/b/c/d/e", "://", "git::"] {
            assert_eq!(of_remote(it), None, "{it}");
        }
    }

    #[test]
    fn names_of_a_repository() {
        let urls =
            ["/mirror/a.git", "git@github.com:Acme/terraform-aws-vpc.git"].map(str::to_owned);
        let identity = Identity::of(PathBuf::from("/r/a"), &urls);
        let find = |source: &str| identity.find(&of_remote(source).unwrap());
        let in_dir = |dir: &str, named| Some((PathBuf::from(dir), named));
        assert_eq!(find("acme/vpc/aws"), in_dir("/r/a", Named::Surely));
        assert_eq!(find("acme/vpc/aws//modules/a"), in_dir("/r/a/modules/a", Named::Surely));
        assert_eq!(find("other/vpc/aws"), None);
        assert_eq!(find("app.terraform.io/other/vpc/aws"), in_dir("/r/a", Named::Perhaps));
        assert_eq!(find("x/y/z"), None);
        // Without a remote the name of the directory counts.
        let unnamed = Identity::of(PathBuf::from("/r/terraform-aws-vpc"), &urls[..1]);
        let address = of_remote("acme/vpc/aws").unwrap();
        assert_eq!(unnamed.find(&address), in_dir("/r/terraform-aws-vpc", Named::Perhaps));
    }
}
