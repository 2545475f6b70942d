//! Files that only look like values files: `terraform init -backend-config=FILE` reads them, and their names are arguments of a
//! backend. Terraform takes any name for such a file, and some call it `prod_backend.tfvars`.

use module::backend_arguments;
use smol_str::SmolStr;

/// Whether a file configures a backend, by the names that it sets: `bucket`, `key` and `region` are arguments of
/// `s3`. A values file also sets a name that no backend takes, or at most one that the module does not
/// declare, and not even that one if the file's own name says `backend`.
pub(super) fn configures_backend<'a>(
    file: &str,
    names: &(impl Iterator<Item = &'a SmolStr> + Clone),
    is_declared: impl Fn(&str) -> bool,
) -> bool {
    let name = file.rsplit('/').next().unwrap_or_default();
    let most = usize::from(!name.contains("backend"));
    let undeclared = names.clone().filter(|it| !is_declared(it)).count();
    let takes_all = |arguments: &str| {
        let mut names = names.clone();
        names.all(|name| arguments.split(' ').any(|argument| name == argument))
    };
    undeclared > most && backend_arguments().any(|(_, arguments)| takes_all(arguments))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backend_is_known_by_its_arguments() {
        let cases = [
            ("bucket key region", "", true),
            ("bucket key region dynamodb_table", "region", true),
            ("resource_group_name storage_account_name container_name key", "", true),
            // One name may be a slip of the pen.
            ("bucket", "", false),
            ("bucket region", "region", false),
            ("bucket key", "bucket key", false),
            ("bucket key instance_type", "", false),
            // No backend takes both.
            ("container_name bucket", "", false),
            ("", "", false),
        ];
        for (names, declared, expected) in cases {
            let is_declared = |name: &str| declared.split(' ').any(|it| it == name);
            let names: Vec<SmolStr> = names.split_whitespace().map(SmolStr::new).collect();
            let found = configures_backend("backend/a.tfvars", &names.iter(), is_declared);
            assert_eq!(found, expected, "{names:?}");
        }
        let of = |file: &str| configures_backend(file, &[SmolStr::new("prefix")].iter(), |_| false);
        assert!(of("a/dev.backend.tfvars") && of("backend.tfvars") && !of("backend/dev.tfvars"));
    }
}
