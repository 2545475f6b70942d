//! What another program is needed for, where there is none.

use std::env;

use libtest_mimic::{Completion, Failed};

/// Why Terraform is not asked.
pub const NO_TERRAFORM: &str = "no terraform 1.11.4 on the path";

/// The end of a test that needs Terraform and finds none: it is ignored, and where `TERRASCHEMA_REQUIRE=terraform`
/// says that there must be one, it fails. (`CI` does not say so: a machine with only the Rust toolchain runs the tests,
/// too, and so do systems for which nobody installs Terraform.)
pub fn terraform() -> Result<Completion, Failed> {
    if env::var_os("TERRASCHEMA_REQUIRE").is_some_and(|it| it == "terraform") {
        return Err(format!("{NO_TERRAFORM}, and TERRASCHEMA_REQUIRE asks for it").into());
    }
    Ok(Completion::ignored_with(NO_TERRAFORM))
}
