//! Values for the variables that a values file leaves out, from the search of `skeleton`.

use lsp_types::TextEdit;

use super::View;
use crate::{contract::is_json, text::difference};
use check::ReadModule;
use compat::ModuleContract;
use skeleton::{SkeletonForm, SkeletonRequest};
use system::paths;
use tf_eval::Meter;

/// The edit that adds the values. `None` if the file has errors, or if nothing that passes was found.
pub(super) fn edit(view: &View<'_>) -> Option<TextEdit> {
    let View { system, modules, path, .. } = view;
    let dir = paths::relative(modules.root, &modules.of_values(path)?.dir);
    let settings = modules.configurations.settings(&dir);
    let contracts = Some(&modules.configurations as &dyn verdict::tree::ContractDirectories);
    let module =
        ReadModule::read(*system, &dir, settings.release, settings.limits, contracts).ok()?;
    let meter = Meter::new(settings.limits);
    let contract = ModuleContract::load(*system, &dir, module.release(), &meter).ok()?;
    let file = paths::relative(modules.root, path);
    let request = SkeletonRequest {
        form: if is_json(path) { SkeletonForm::Json } else { SkeletonForm::Tfvars },
        only_required: true,
        from: Some(&file),
        // They go where they are already.
        reveals: true,
        contracts,
        name: "module",
        source: ".",
    };
    let new = skeleton::write(*system, &module, &contract, request).ok()?.text;
    difference(&view.document.text, &new, view.context.snapshot.encoding)
}
