//! The modules that a root module calls, for commands that stand where Terraform does.

use crate::{
    config::Configurations,
    diagnostic::Diagnostics,
    eval::Meter,
    module::Options,
    system::System,
    verdict::{
        Loaded,
        tree::{Given, Library, Locator, Manifest, Reading},
    },
};

/// Reads them: by their paths, from what `terraform init` wrote into `.terraform` (`TF_DATA_DIR` where
/// that is set), and by the contracts of the configuration. Gives what is wrong with them.
pub(super) fn follow(
    module: &mut Loaded,
    options: &Options,
    system: &dyn System,
    meter: &Meter,
    configurations: &Configurations<'_>,
    given: Option<&Given>,
) -> Diagnostics {
    let library = &Library::default();
    let data_dir = system.env("TF_DATA_DIR").filter(|it| !it.is_empty());
    let manifest = Manifest::read(system, &module.dir, data_dir.as_deref());
    let locator = &Locator::initialised(manifest, Some(configurations));
    module.follow_calls(Reading { system, options, library, locator, given, meter })
}
