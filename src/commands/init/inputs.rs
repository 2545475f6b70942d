//! What a first configuration says about values files: `given`, and `input` blocks for those that lie apart from their
//! modules.

use std::fmt::Write;

use super::quoted;
use check::FoundInput;
use system::paths;

/// The longest line of a list of names.
const LONGEST: usize = 100;

/// The `given` setting for all modules; nothing if there are no names.
pub(super) fn given(names: &[smol_str::SmolStr]) -> String {
    if names.is_empty() {
        return String::new();
    }
    let names: Vec<String> = names.iter().map(|it| quoted(it)).collect();
    let line = format!("given = [{}]\n", names.join(", "));
    let line = if line.len() <= LONGEST {
        line
    } else {
        format!("given = [\n  {},\n]\n", names.join(",\n  "))
    };
    format!(
        "# No values file sets these variables, so a pipeline must set them with -var or \
        TF_VAR_*. They are unknown here.\n# Everything else is judged.\n{line}\n"
    )
}

/// A block for each set, or for each pattern of sets.
pub(super) fn blocks(inputs: &[FoundInput]) -> String {
    let mut out = String::new();
    let list = |all: &[String]| all.iter().map(|it| quoted(it)).collect::<Vec<_>>().join(", ");
    for input in inputs {
        _ = writeln!(out, "\ninput {} {{", quoted(&input.name));
        let mut lines: Vec<(&str, String)> = Vec::new();
        match input.modules.as_slice() {
            [module] if module == "." => (),
            [module] if !module.contains('*') => lines.push(("module", quoted(module))),
            modules => lines.push(("modules", format!("[{}]", list(modules)))),
        }
        let files: Vec<String> = input.files.iter().map(|it| paths::display(it)).collect();
        if !files.is_empty() {
            lines.push(("files", format!("[{}]", list(&files))));
        }
        match input.each.as_slice() {
            [] => (),
            [pattern] => lines.push(("each", quoted(pattern))),
            patterns => lines.push(("each", format!("[{}]", list(patterns)))),
        }
        if !input.given.is_empty() {
            let names: Vec<String> = input.given.iter().map(ToString::to_string).collect();
            lines.push(("given", format!("[{}]", list(&names))));
        }
        if input.partial {
            lines.push(("partial", "true".to_owned()));
        }
        let width = lines.iter().map(|it| it.0.len()).max().unwrap_or_default();
        for (name, value) in lines {
            _ = writeln!(out, "  {name:width$} = {value}");
        }
        out += "}\n";
    }
    out
}
