//! The releases that a module's `required_version` admits.

use super::{Module, RequiredVersion};
use diagnostics::{Diagnostic, Diagnostics, Role, Span, lints};
use release::{Constraints, Product, Release, Stage, Version, changes};

/// The last minor release of each major version that is tried.
const LAST_MINORS: [(u32, u32); 2] = [(0, 15), (1, 20)];
/// The number of patch releases that are tried for each minor release. 0.12.31 has the highest number.
const PATCHES: u32 = 32;
/// The first version with today's syntax.
const FIRST: Version = Version::new(0, 12, 0);
/// The first version of OpenTofu.
const FIRST_TOFU: Version = Version::new(1, 6, 0);

impl Module {
    /// The oldest version that `required_version` admits, for OpenTofu from 1.6 on. The first version
    /// with today's syntax if there is no constraint, the newest known if no version is admitted.
    pub fn oldest_admitted(&self) -> Version {
        let product = self.release.product();
        let first = match product {
            Product::Terraform => FIRST,
            Product::OpenTofu => FIRST_TOFU,
        };
        let oldest = self.admitted().find(|it| *it >= first);
        oldest.unwrap_or(product.newest().version())
    }

    /// The newest final release that `required_version` admits; see [`newest_admitted`].
    pub fn newest_admitted(&self, product: Product) -> Option<Release> {
        newest_admitted(&self.required_versions, product)
    }

    /// The final releases that may run the module, the oldest first; never empty. Without
    /// `required_version` the only one is the release that read the module.
    pub fn releases(&self) -> Vec<Release> {
        if self.required_versions.is_empty() {
            return vec![self.release];
        }
        let is_final = |it: &Release| it.version().stage == Stage::Final;
        let all = self.release.product().releases().filter(is_final);
        let mut all: Vec<Release> = all.filter(|it| self.admits(*it)).collect();
        if all.is_empty() {
            all.push(self.release);
        }
        all
    }

    /// Whether `required_version` admits a release.
    pub fn admits(&self, release: Release) -> bool {
        admits(&self.required_versions, release)
    }

    /// The admitted versions, oldest first.
    fn admitted(&self) -> impl Iterator<Item = Version> {
        admitted(&self.required_versions)
    }
}

/// The newest final release that all constraints admit: preferably one whose behaviour was observed, otherwise one that
/// is judged as another release. `None` if no release up to the newest is admitted.
pub fn newest_admitted(required: &[RequiredVersion], product: Product) -> Option<Release> {
    let is_final = |it: &Release| it.version().stage == Stage::Final;
    let newest = product.newest();
    let known = product.releases().rev().filter(is_final).find(|it| admits(required, *it));
    let older = || admitted(required).take_while(|it| *it < newest.version()).last();
    known.or_else(|| older().map(|it| Release::of(product, it)))
}

/// Whether all constraints admit a release.
pub fn admits(required: &[RequiredVersion], release: Release) -> bool {
    required.iter().all(|required| {
        let constraints = Constraints::parse(&required.text);
        constraints.is_none_or(|all| {
            let is_met = all.allow(release.version());
            is_met || !required.is_of_tofu && release.meets(&all)
        })
    })
}

/// The versions that all constraints admit, oldest first.
fn admitted(required: &[RequiredVersion]) -> impl Iterator<Item = Version> {
    let constraints: Vec<Constraints> =
        required.iter().filter_map(|it| Constraints::parse(&it.text)).collect();
    let minors = LAST_MINORS.iter().flat_map(|(major, last)| (0..=*last).map(|it| (*major, it)));
    // `> 1.3` and `!= 1.3` admit the second patch release.
    let last = if constraints.iter().any(Constraints::names_patch) { PATCHES } else { 2 };
    let patches = move |(major, minor)| (0..last).map(move |it| Version::new(major, minor, it));
    let releases = minors.flat_map(patches);
    releases.filter(move |it| constraints.iter().all(|all| all.allow(*it)))
}

// Checks `required_version` against the chosen release.

/// The error in a constraint itself.
pub(super) fn check_syntax(text: &str, span: Span) -> Option<Diagnostic> {
    if Constraints::parse(text).is_some() {
        return None;
    }
    let detail = format!("\"{text}\" is not a version constraint such as \">= 1.3, < 2.0\".");
    let problem = Diagnostic::new(&lints::INVALID_MODULE, "Invalid version constraint");
    Some(problem.detail(detail).at(Role::Declaration, span))
}

/// The constraints that the release does not meet. Terraform reports them only if nothing else is wrong with the files.
pub(super) fn check_version(module: &Module, release: Release) -> Diagnostics {
    let mut diagnostics = Vec::new();
    let is_ignored = release.has(&changes::REQUIRED_VERSION_IGNORED);
    let judged = module.required_versions.iter().filter(|it| it.is_of_tofu || !is_ignored);
    for RequiredVersion { text, span, .. } in judged {
        let Some(constraints) = Constraints::parse(text) else { continue };
        if constraints.has_prerelease() {
            let detail =
                format!("\"{text}\" names a prerelease, which required_version does not allow.");
            diagnostics.push(unmet("Invalid required_version constraint", detail, *span));
        } else if !constraints.allow(release.version()) {
            let detail = format!("The module requires \"{text}\", but it is judged as {release}.");
            let summary = format!("Unsupported {} Core version", release.product());
            diagnostics.push(unmet(&summary, detail, *span));
        }
    }
    diagnostics
}

/// Terraform reads constraints of providers once more, from the merged files, and accepts less.
pub(super) fn check_providers(module: &Module) -> Diagnostics {
    let required = module.required_providers.values();
    let required = required.filter_map(|it| Some((it.version.as_deref()?, it.span)));
    let configured = module.configurations.iter().filter_map(|it| it.version.as_ref());
    let all = required.chain(configured.map(|it| (it.text.as_str(), it.span)));
    let sound = all.filter(|it| Constraints::parse(it.0).is_some());
    let unfit = sound.filter_map(|(text, span)| {
        let detail = Constraints::problem_for_provider(text)?;
        let problem = Diagnostic::new(&lints::INVALID_MODULE, "Invalid version constraint");
        Some(problem.detail(detail).at(Role::Declaration, span))
    });
    unfit.collect()
}

fn unmet(summary: &str, detail: String, span: Span) -> Diagnostic {
    Diagnostic::new(&lints::UNSUPPORTED_VERSION, summary).detail(detail).at(Role::Declaration, span)
}
