//! Values files that are none: `terraform init -backend-config=FILE` reads them, and their names are arguments of a
//! backend. Terraform takes any name for such a file, and some call it `prod_backend.tfvars`.

use smol_str::SmolStr;

/// The backends with their arguments, as Terraform 1.11 takes them (of any other it says "Unsupported argument"), and
/// those of `s3` that earlier releases took.
const BACKENDS: [(&str, &str); 12] = [
    (
        "azurerm",
        "access_key ado_pipeline_service_connection_id client_certificate client_certificate_password \
        client_certificate_path client_id client_id_file_path client_secret client_secret_file_path \
        container_name endpoint environment key lookup_blob_endpoint metadata_host msi_endpoint \
        oidc_request_token oidc_request_url oidc_token oidc_token_file_path resource_group_name sas_token \
        snapshot storage_account_name subscription_id tenant_id use_aks_workload_identity use_azuread_auth \
        use_cli use_msi use_oidc",
    ),
    ("cloud", "hostname organization token"),
    (
        "consul",
        "access_token address ca_file cert_file datacenter gzip http_auth key_file lock path scheme",
    ),
    (
        "cos",
        "accelerate acl bucket domain encrypt endpoint key prefix region secret_id secret_key security_token",
    ),
    (
        "gcs",
        "access_token bucket credentials encryption_key impersonate_service_account \
        impersonate_service_account_delegates kms_encryption_key prefix storage_custom_endpoint",
    ),
    (
        "http",
        "address client_ca_certificate_pem client_certificate_pem client_private_key_pem lock_address \
        lock_method password retry_max retry_wait_max retry_wait_min skip_cert_verification unlock_address \
        unlock_method update_method username",
    ),
    (
        "kubernetes",
        "client_certificate client_key cluster_ca_certificate config_context config_context_auth_info \
        config_context_cluster config_path config_paths host in_cluster_config insecure labels namespace \
        password proxy_url secret_suffix token username",
    ),
    ("local", "path workspace_dir"),
    (
        "oss",
        "access_key acl assume_role_policy assume_role_role_arn assume_role_session_expiration \
        assume_role_session_name bucket ecs_role_name encrypt endpoint key prefix profile region secret_key \
        security_token shared_credentials_file sts_endpoint tablestore_endpoint tablestore_table",
    ),
    ("pg", "conn_str schema_name skip_index_creation skip_schema_creation skip_table_creation"),
    ("remote", "hostname organization token"),
    (
        "s3",
        "access_key acl allowed_account_ids assume_role assume_role_duration_seconds assume_role_policy \
        assume_role_policy_arns assume_role_tags assume_role_transitive_tag_keys \
        assume_role_with_web_identity bucket custom_ca_bundle dynamodb_endpoint dynamodb_table \
        ec2_metadata_service_endpoint ec2_metadata_service_endpoint_mode encrypt endpoint endpoints \
        external_id forbidden_account_ids force_path_style http_proxy https_proxy iam_endpoint insecure key \
        kms_key_id max_retries no_proxy profile region retry_mode role_arn secret_key session_name \
        shared_config_files shared_credentials_file shared_credentials_files skip_credentials_validation \
        skip_metadata_api_check skip_region_validation skip_requesting_account_id skip_s3_checksum \
        sse_customer_key sts_endpoint sts_region token use_dualstack_endpoint use_fips_endpoint use_lockfile \
        use_path_style workspace_key_prefix",
    ),
];

/// Whether a file configures a backend, by the names that it sets: `bucket`, `key` and `region` are arguments of
/// `s3`. A values file sets a name that no backend takes beside the others, or at most one that the module does not
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
    undeclared > most && BACKENDS.iter().any(|(_, arguments)| takes_all(arguments))
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
