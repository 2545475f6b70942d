//! Files that are missing and may be there for a plan: git ignores what a build makes, and Terraform may run in a
//! directory further up, from which relative paths then start.

use std::path::Path;

use super::{graph::Node, pass::Pass, undecided};
use diagnostics::{Cause, Diagnostic, Diagnostics};
use system::paths;
use tf_eval::Evaluation;
use tf_value::{Marks, Type, Value};

/// Why a value is not known.
const REASON: &str = "a file that is missing";

impl Pass<'_> {
    /// Turns errors about missing files that git ignores, or that are there as seen from a directory further up,
    /// into undecided ones, and the node's value into one that only a plan knows.
    pub(super) fn await_files(
        &mut self,
        member: usize,
        index: usize,
        node: &Node,
        found: Diagnostics,
    ) -> Diagnostics {
        let system = self.setting.system;
        let is_made = |it: &Diagnostic| {
            let path = it.cause.as_ref().and_then(Cause::missing_file);
            path.is_some_and(|path| system.is_ignored(path) || self.is_further_up(path))
        };
        let is_open: Vec<bool> =
            if self.setting.awaits { found.iter().map(is_made).collect() } else { Vec::new() };
        if !is_open.contains(&true) {
            return found;
        }
        let here = &mut self.instances[member][index];
        let open = |ty| Value::unknown(ty).with_marks(Marks::UNDECIDED);
        let reasons = vec![REASON.to_owned()];
        match node {
            Node::Local(name) => {
                let value = open(Type::Dynamic);
                let evaluation = Evaluation { value, diagnostics: Vec::new(), undecided: reasons };
                here.values.set_local(name, evaluation);
            }
            Node::Value(name) => {
                if let Some(variable) = self.members.get(member).module.variables.get(name) {
                    here.values.set(variable, open(variable.constraint.ty.without_optional()));
                    here.values.set_reasons(name, reasons);
                }
            }
            Node::Output(name) => _ = here.outputs.insert(name.clone(), open(Type::Dynamic)),
            _ => (),
        }
        let reason =
            |(it, is_open)| if is_open { undecided::awaited(&it).unwrap_or(it) } else { it };
        found.into_iter().zip(is_open).map(reason).collect()
    }

    /// Whether a missing file exists relative to a directory above the one where relative paths start here. For
    /// example: `modules/env` reads `users.json`, which is next to the root module that calls it.
    fn is_further_up(&self, file: &Path) -> bool {
        let system = self.setting.system;
        let current = system.current_dir().unwrap_or_default();
        let base_dir = paths::clean(&current.join(self.setting.base_dir));
        let written = paths::relative(&base_dir, &paths::clean(&current.join(file)));
        let above = base_dir.ancestors().skip(1);
        above.map(|it| paths::clean(&it.join(&written))).any(|it| system.kind(&it).is_ok())
    }
}
