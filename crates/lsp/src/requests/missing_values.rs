//! Values for what a values file or a call leaves out, from the search of `skeleton`.

use lsp_types::TextEdit;

use super::View;
use crate::{contract::is_json, site::Link, symbol::call_of, text::difference};
use check::ReadModule;
use compat::ModuleContract;
use diagnostics::FileId;
use hcl::{Item, parse_body};
use skeleton::{SkeletonForm, SkeletonRequest};
use std::path::Path;
use system::paths;
use tf_eval::Meter;

/// The edit that adds the values. `None` if the file has errors, or if nothing that passes was found.
pub(super) fn edit(view: &View<'_>) -> Option<TextEdit> {
    let form = if is_json(view.path) { SkeletonForm::Json } else { SkeletonForm::Tfvars };
    let dir = view.modules.of_values(view.path)?.dir;
    let new = values(view, &dir, form, Some(view.path))?;
    difference(&view.document.text, &new, view.context.snapshot.encoding)
}

/// The edit that adds arguments of these names to the call of a name, with values that the called module accepts.
pub(super) fn arguments(view: &View<'_>, call: &str, names: &[&str]) -> Option<TextEdit> {
    let links = [Link::Block(vec!["module".to_owned(), call.to_owned()])];
    let (called, _) = call_of(&view.modules, view.path, &view.document.text, &links)?;
    let values = values(view, &called, SkeletonForm::Tfvars, None)?;
    let (body, _) = parse_body(FileId(0), values.as_bytes());
    let mut new = String::new();
    for item in &body.items {
        if let Item::Attribute(it) = item
            && names.contains(&it.name.name.as_str())
        {
            let value = values.get(it.value.span.range())?;
            // A line break inside of a text is part of it.
            let value =
                if value.contains("<<") { return None } else { value.replace('\n', "\n  ") };
            new += &format!("  {} = {value}\n", it.name.name);
        }
    }
    let block = view.document.text.body().items.iter().find_map(|it| match it {
        Item::Block(it) if it.kind.name == "module" && it.labels.first()?.text == call => Some(it),
        _ => None,
    })?;
    // In front of the brace at the end, which gets a line of its own.
    let text = view.text();
    let (start, close) = (block.span.range().start, block.span.range().end.checked_sub(1)?);
    let written = text.get(start..close)?;
    if let Some(line) = written.rfind('\n') {
        let at = start + line + 1;
        return Some(TextEdit { range: view.range(at..at), new_text: new });
    }
    let open = start + written.find('{')? + 1;
    let new_text = match text.get(open..close)?.trim() {
        "" => format!("\n{new}"),
        only => format!("\n  {only}\n{new}"),
    };
    Some(TextEdit { range: view.range(open..close), new_text })
}

/// A skeleton of the module in a directory (absolute), with the values of a file.
fn values(view: &View<'_>, dir: &Path, form: SkeletonForm, from: Option<&Path>) -> Option<String> {
    let View { system, modules, .. } = view;
    let dir = paths::relative(modules.root, dir);
    let settings = modules.configurations.settings(&dir);
    let contracts = Some(&modules.configurations as &dyn verdict::tree::ContractDirectories);
    let module =
        ReadModule::read(*system, &dir, settings.release, settings.limits, contracts).ok()?;
    let meter = Meter::new(settings.limits);
    let contract = ModuleContract::load(*system, &dir, module.release(), &meter).ok()?;
    let file = from.map(|it| paths::relative(modules.root, it));
    let request = SkeletonRequest {
        form,
        only_required: true,
        from: file.as_deref(),
        // They go where they are already.
        reveals: true,
        contracts,
        name: "module",
        source: ".",
    };
    Some(skeleton::write(*system, &module, &contract, request).ok()?.text)
}
