//! Flags that choose the release whose verdict is wanted.

use clap::Args;

use config::OpenTofu;
use release::{Product, Release, Unknown, Wanted};

// Flags that every command that judges takes. (A doc comment would become the description of the
// commands that flatten this.)
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct ReleaseFlags {
    /// Release of Terraform to judge as, such as 1.11 or 1.11.4 [default: the newest final release
    /// that the module allows]
    #[arg(long, value_name = "VERSION", value_parser = terraform)]
    pub terraform_version: Option<Release>,
    /// Judge as OpenTofu, and read .tofu files; false: judge as Terraform [default version: the
    /// newest that the module allows]
    #[arg(long, value_name = "VERSION", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", value_parser = opentofu,
          conflicts_with = "terraform_version")]
    pub opentofu: Option<OpenTofu>,
}

impl ReleaseFlags {
    /// The release that the flags ask for, without a configuration.
    pub fn wanted(self) -> Wanted {
        match (self.terraform_version, self.opentofu) {
            (Some(it), _) | (None, Some(OpenTofu::Release(it))) => Wanted::Release(it),
            (None, Some(OpenTofu::Newest)) => Wanted::Newest(Product::OpenTofu),
            (None, Some(OpenTofu::No) | None) => Wanted::Newest(Product::Terraform),
        }
    }
}

fn terraform(text: &str) -> Result<Release, Unknown> {
    Release::parse(Product::Terraform, text)
}

fn opentofu(text: &str) -> Result<OpenTofu, Unknown> {
    match text {
        "true" => Ok(OpenTofu::Newest),
        "false" => Ok(OpenTofu::No),
        _ => Release::parse(Product::OpenTofu, text).map(OpenTofu::Release),
    }
}
