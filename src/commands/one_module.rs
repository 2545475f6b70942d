//! What the commands that read the contract of one module share.

use std::path::Path;

use crate::flags::{LimitFlags, ReleaseFlags};
use anyhow::{Context as _, bail};
use check::ReadModule;
use config::{Config, Configurations, Settings};
use diagnostics::visible_line;
use system::{System, paths};

/// The settings of the command line, which come before those of files.
pub(super) fn flags(release: ReleaseFlags, limits: LimitFlags) -> Config {
    Config {
        terraform_version: release.terraform_version,
        opentofu: release.opentofu,
        limits: limits.settings(),
        ..Config::default()
    }
}

/// Reads the module in a directory, with its settings. Errors: the configuration is wrong, there is no module, or a
/// file or a `variable` block cannot be read, so that the contract would not be whole.
pub(super) fn read(
    system: &dyn System,
    dir: &Path,
    configurations: &Configurations<'_>,
) -> anyhow::Result<(ReadModule, Settings)> {
    let settings = configurations.settings(dir);
    if let Some(it) = configurations.problems().first() {
        bail!("{}", it.message);
    }
    let shown = visible_line(&paths::display(dir)).into_owned();
    let (release, limits) = (settings.release, settings.limits);
    let module = ReadModule::read(system, dir, release, limits, Some(configurations))
        .with_context(|| format!("cannot read {shown}"))?;
    let sources = &module.module().sources;
    if let Some(it) = module.obstacle() {
        let file = it.span().map(|it| sources.display(it));
        let place = file.map(|it| format!("{}: ", visible_line(&it))).unwrap_or_default();
        bail!("{place}{}", it.message());
    }
    if sources.files().next().is_none() {
        bail!("{shown} contains no .tf files");
    }
    Ok((module, settings))
}
