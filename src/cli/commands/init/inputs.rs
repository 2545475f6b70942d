//! `input` blocks for values files that lie apart from their modules, or that are incomplete.

use std::fmt::Write;

use super::quoted;
use crate::{check::FoundInput, system::paths};

/// A block for each set.
pub(super) fn blocks(inputs: &[FoundInput]) -> String {
    let mut out = String::new();
    for input in inputs {
        _ = writeln!(out, "\ninput {} {{", quoted(&input.name));
        let module = paths::display(&input.module);
        if module != "." {
            _ = writeln!(out, "  module  = {}", quoted(&module));
        }
        let files: Vec<String> = input.files.iter().map(|it| quoted(&paths::display(it))).collect();
        _ = writeln!(out, "  files   = [{}]", files.join(", "));
        if input.partial {
            out += "  partial = true\n";
        }
        out += "}\n";
    }
    out
}
