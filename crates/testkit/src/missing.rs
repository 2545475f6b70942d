//! A program that a test asks and that is not here: the test is ignored, or it fails where the program has to be here.

use std::env;

pub use libtest_mimic::Trial;
use libtest_mimic::{Completion, Failed};

/// What a test needs and does not find.
#[derive(Debug)]
pub struct MissingProgram {
    /// Why the test is not run: `no terraform 1.11.4 on the path`.
    reason: String,
    /// Who says that it has to be here: `TERRASCHEMA_REQUIRE asks for it`.
    required_by: Option<&'static str>,
}

impl MissingProgram {
    /// `TERRASCHEMA_REQUIRE=terraform` says that there must be one. (`CI` does not say so: a machine with only the Rust
    /// toolchain runs the tests, too, and so do systems where Terraform is not installed.)
    pub fn terraform() -> MissingProgram {
        let is_required = env::var_os("TERRASCHEMA_REQUIRE").is_some_and(|it| it == "terraform");
        let required_by = is_required.then_some("TERRASCHEMA_REQUIRE asks for it");
        MissingProgram { reason: "no terraform 1.11.4 on the path".to_owned(), required_by }
    }

    /// A program that `tests/run` or the tests install; in CI it has to be there.
    pub fn tool(reason: impl Into<String>) -> MissingProgram {
        let required_by = env::var_os("CI").is_some().then_some("CI asks for it");
        MissingProgram { reason: reason.into(), required_by }
    }

    /// What only somebody who sets a variable has, or asks for.
    pub fn option(reason: impl Into<String>) -> MissingProgram {
        MissingProgram { reason: reason.into(), required_by: None }
    }

    /// A right that only some users have, as `root` has: no machine has to grant it.
    pub fn right(reason: impl Into<String>) -> MissingProgram {
        MissingProgram::option(reason)
    }

    pub fn ended(self) -> Result<Completion, Failed> {
        match self.required_by {
            Some(by) => Err(format!("{}, and {by}", self.reason).into()),
            None => Ok(Completion::ignored_with(self.reason)),
        }
    }
}

/// What a test's function returns.
pub trait Ending {
    fn ended(self) -> Result<Completion, Failed>;
}

impl Ending for () {
    fn ended(self) -> Result<Completion, Failed> {
        Ok(Completion::Completed)
    }
}

impl Ending for Result<(), MissingProgram> {
    fn ended(self) -> Result<Completion, Failed> {
        self.map_or_else(MissingProgram::ended, Ending::ended)
    }
}

/// A test that `module_path!` and the name of its function name: `outside::eval::yaml` gives `eval::yaml::NAME`.
pub fn trial<E: Ending + 'static>(module: &str, name: &str, test: fn() -> E) -> Trial {
    let module = module.split_once("::").map_or("", |it| it.1);
    Trial::ignorable_test(format!("{module}::{name}"), move || test().ended())
}

/// `trials![one, two];` defines `trials()`, the tests of a file. The compiler reports a test that is in no list,
/// because nothing uses it.
#[macro_export]
macro_rules! trials {
    ($($(#[$condition:meta])* $test:ident),* $(,)?) => {
        pub fn trials() -> Vec<$crate::missing::Trial> {
            Vec::from([$(
                $(#[$condition])*
                $crate::missing::trial(module_path!(), stringify!($test), $test),
            )*])
        }
    };
}
pub use trials;
