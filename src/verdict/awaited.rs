//! Files that are missing and may be made before the plan: git ignores what a build makes.

use super::{graph::Node, pass::Pass, undecided};
use crate::{
    diagnostic::{Cause, Diagnostic, Diagnostics},
    eval::Evaluation,
    value::{Marks, Type, Value},
};

/// Why a value is not known.
const REASON: &str = "a file that is missing";

impl Pass<'_> {
    /// Turns errors about missing files that git ignores into undecided ones, and the node's value into one
    /// that only a plan knows.
    pub(super) fn await_files(
        &mut self,
        member: usize,
        place: usize,
        node: &Node,
        found: Diagnostics,
    ) -> Diagnostics {
        let system = self.setting.system;
        let is_made = |it: &Diagnostic| {
            let path = it.cause.as_ref().and_then(Cause::missing_file);
            path.is_some_and(|path| system.is_ignored(path))
        };
        if !self.setting.awaits || !found.iter().any(is_made) {
            return found;
        }
        let here = &mut self.places[member][place];
        let open = |ty| Value::unknown(ty).with_marks(Marks::UNDECIDED);
        let reasons = vec![REASON.to_owned()];
        match node {
            Node::Local(name) => {
                let value = open(Type::Dynamic);
                let evaluation = Evaluation {
                    value,
                    diagnostics: Vec::new(),
                    undecided: reasons,
                    trace: Vec::new(),
                };
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
        let told = |it| if is_made(&it) { undecided::awaited(&it).unwrap_or(it) } else { it };
        found.into_iter().map(told).collect()
    }
}
