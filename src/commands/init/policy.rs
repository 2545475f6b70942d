//! A `policy` block for the rule files of the repository.

use std::{
    collections::BTreeSet,
    fmt::Write,
    io,
    path::{Path, PathBuf},
};

use super::quoted;
use policy::GivenContexts;
use system::{System, paths};
use tf_eval::{Limits, Meter};

/// The block, or nothing if there are no rules. A comment names rules that cannot be used as they are,
/// since they are not checked.
pub(super) fn block(system: &dyn System) -> io::Result<String> {
    let is_hidden = |path: &Path| {
        let mut names = path.components().filter_map(|it| it.as_os_str().to_str());
        names.any(|it| it.starts_with('.') && it != ".")
    };
    let files = system.walk(Path::new("."), &|_| true)?.into_iter().map(|it| paths::clean(&it));
    let is_rules = |it: &PathBuf| policy::is_rules(it) && !is_hidden(it);
    let found: Vec<PathBuf> = files.filter(is_rules).collect();
    if found.is_empty() {
        return Ok(String::new());
    }
    // A directory covers everything below it; a file next to the configuration is listed itself.
    let name = |it: &PathBuf| match it.parent() {
        Some(dir) if dir != Path::new("") => dir.to_owned(),
        _ => it.clone(),
    };
    let names: BTreeSet<PathBuf> = found.iter().map(name).collect();
    let is_inside = |it: &&PathBuf| it.ancestors().skip(1).any(|up| names.contains(up));
    let outermost = names.iter().filter(|it| !is_inside(it));
    let quoted: Vec<String> = outermost.map(|it| quoted(&paths::display(it))).collect();
    let block = format!("policy {{\n  rules = [{}]\n}}\n", quoted.join(", "));
    let files = policy::rule_files(found, &|it| paths::display(it), system);
    let meter = Meter::new(Limits::default());
    let is_sound = |files| {
        let (policy, problems) = policy::read(files, &GivenContexts::default(), &meter);
        problems.is_empty() && !policy.rules.is_empty()
    };
    if files.is_ok_and(is_sound) {
        return Ok(format!("\n# Rules that every module here must follow.\n{block}"));
    }
    let mut out = "\n# These rules need values of contexts, or are not valid. Run `terraschema \
        policy test` for details.\n"
        .to_owned();
    block.lines().for_each(|it| _ = writeln!(out, "# {it}"));
    Ok(out)
}
