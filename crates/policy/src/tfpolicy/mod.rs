//! HashiCorp's policy language, `*.policy.hcl`: a second way to write the rules that this crate judges by.
//!
//! [`ParsedPolicies`] turns each `resource_policy`, `module_policy` and `provider_policy` block into an ordinary
//! [`PolicyRule`](crate::language::PolicyRule) with [`PolicyDemands`] in place of a pattern. The rest of the crate finds the
//! objects for it, reports what it says, and counts what it judged, as for any other rule. For example,
//! `resource_policy "aws_ebs_volume" "encrypted"` becomes the rule `FILE-encrypted` about the resources of that
//! type.
//!
//! The supported language is that of the documentation of version 0.4 (beta); `docs/policy-hcl.md` lists every
//! form. What cannot be evaluated here, such as a plugin, is undecided and never a pass.

mod convert;
mod doubts;
mod explain;
mod functions;
mod judge;
mod model;
mod object;
mod operations;
mod reader;
mod reads;
mod related;
mod semver;
mod testing;

pub use convert::{ConvertedFile, convert, other_name};
pub(super) use doubts::of_list;
pub(super) use judge::{Enforcer, Memory};
pub use model::PolicyDemands;
pub use reader::ParsedPolicies;
pub use testing::{FindFiles, test};

/// The end of the name of a file with policies.
pub const SUFFIX: &str = ".policy.hcl";

/// The end of the name of a file with tests of policies.
pub const TEST_SUFFIX: &str = ".policytest.hcl";

/// Whether a file is one of this language, by its name.
pub fn is_theirs(path: &str) -> bool {
    path.ends_with(SUFFIX) || path.ends_with(TEST_SUFFIX)
}
