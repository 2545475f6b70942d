//! The arguments and blocks that backends take.

use std::collections::BTreeMap;

use tf_value::Type;

/// The backends with the names of their arguments and blocks, as any release of Terraform takes them: a name that one
/// release knows is accepted for all. `cloud` is the block of this name.
const ARGUMENTS: [(&str, &str); 13] = [
    (
        "azurerm",
        "access_key ado_pipeline_service_connection_id arm_client_id arm_client_secret arm_subscription_id \
        arm_tenant_id client_certificate client_certificate_password \
        client_certificate_path client_id client_id_file_path client_secret client_secret_file_path \
        container_name endpoint environment key lookup_blob_endpoint metadata_host msi_endpoint \
        oidc_request_token oidc_request_url oidc_token oidc_token_file_path resource_group_name sas_token \
        snapshot storage_account_name subscription_id tenant_id use_aks_workload_identity use_azuread_auth \
        use_cli use_microsoft_graph use_msi use_oidc",
    ),
    ("cloud", "hostname organization token workspaces"),
    (
        "consul",
        "access_token address ca_file cert_file datacenter gzip http_auth key_file lock path scheme",
    ),
    (
        "cos",
        "accelerate acl assume_role bucket cam_role_name domain encrypt endpoint key prefix profile region secret_id \
        secret_key security_token shared_credentials_dir",
    ),
    (
        "gcs",
        "access_token bucket credentials encryption_key impersonate_service_account \
        impersonate_service_account_delegates kms_encryption_key path prefix storage_custom_endpoint",
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
        config_context_cluster config_path config_paths exec host in_cluster_config insecure labels \
        load_config_file namespace \
        password proxy_url secret_suffix token username",
    ),
    ("local", "path workspace_dir"),
    (
        "oci",
        "auth bucket config_file_profile fingerprint key kms_key_id namespace private_key private_key_password \
        private_key_path region sse_customer_algorithm sse_customer_key sse_customer_key_sha256 tenancy_ocid \
        user_ocid workspace_key_prefix",
    ),
    (
        "oss",
        "access_key acl assume_role assume_role_policy assume_role_role_arn assume_role_session_expiration \
        assume_role_session_name bucket ecs_role_name encrypt endpoint key prefix profile region secret_key \
        security_token shared_credentials_file sts_endpoint tablestore_endpoint tablestore_instance_name \
        tablestore_table",
    ),
    ("pg", "conn_str schema_name skip_index_creation skip_schema_creation skip_table_creation"),
    ("remote", "hostname organization token workspaces"),
    (
        "s3",
        "access_key acl allowed_account_ids assume_role assume_role_duration_seconds assume_role_policy \
        assume_role_policy_arns assume_role_tags assume_role_transitive_tag_keys \
        assume_role_with_web_identity bucket custom_ca_bundle dynamodb_endpoint dynamodb_table \
        ec2_metadata_service_endpoint ec2_metadata_service_endpoint_mode encrypt endpoint endpoints \
        external_id forbidden_account_ids force_path_style http_proxy https_proxy iam_endpoint insecure key \
        kms_key_id lock_table max_retries no_proxy profile region retry_mode role_arn secret_key session_name \
        shared_config_files shared_credentials_file shared_credentials_files skip_credentials_validation \
        skip_get_ec2_platforms skip_metadata_api_check skip_region_validation skip_requesting_account_id skip_s3_checksum \
        sse_customer_key sts_endpoint sts_region token use_dualstack_endpoint use_fips_endpoint use_legacy_workflow use_lockfile \
        use_path_style workspace_key_prefix",
    ),
];

/// The backends whose arguments are known, each with its names, divided by spaces.
pub fn backend_arguments() -> impl Iterator<Item = (&'static str, &'static str)> {
    ARGUMENTS.into_iter()
}

/// The names that a backend takes; `None` if they are not known.
pub(crate) fn arguments_of(backend: &str) -> Option<Vec<&'static str>> {
    let (_, names) = ARGUMENTS.iter().find(|it| it.0 == backend)?;
    Some(names.split_whitespace().collect())
}

/// The arguments that are no strings, by what they are. Of `other` nothing is said: blocks, and what 1.11 has no longer.
const NOT_STRINGS: [(&str, &str, &str); 22] = [
    (
        "azurerm",
        "bool",
        "lookup_blob_endpoint snapshot use_aks_workload_identity use_azuread_auth use_cli use_msi use_oidc",
    ),
    ("cloud", "other", "workspaces"),
    ("consul", "bool", "gzip lock"),
    ("cos", "bool", "accelerate encrypt"),
    ("cos", "other", "assume_role"),
    ("gcs", "strings", "impersonate_service_account_delegates"),
    ("http", "number", "retry_max retry_wait_max retry_wait_min"),
    ("http", "bool", "skip_cert_verification"),
    ("kubernetes", "strings", "config_paths"),
    ("kubernetes", "other", "exec"),
    ("kubernetes", "bool", "in_cluster_config insecure load_config_file"),
    ("kubernetes", "map", "labels"),
    ("oss", "other", "assume_role"),
    ("oss", "number", "assume_role_session_expiration"),
    ("oss", "bool", "encrypt"),
    ("s3", "object", "assume_role assume_role_with_web_identity endpoints"),
    ("s3", "number", "max_retries"),
    (
        "s3",
        "other",
        "assume_role_duration_seconds assume_role_tags skip_get_ec2_platforms use_legacy_workflow",
    ),
    ("pg", "bool", "skip_index_creation skip_schema_creation skip_table_creation"),
    ("remote", "other", "workspaces"),
    (
        "s3",
        "strings",
        "allowed_account_ids assume_role_policy_arns assume_role_transitive_tag_keys forbidden_account_ids \
        shared_config_files shared_credentials_files",
    ),
    (
        "s3",
        "bool",
        "encrypt force_path_style insecure skip_credentials_validation skip_metadata_api_check \
        skip_region_validation skip_requesting_account_id skip_s3_checksum use_dualstack_endpoint \
        use_fips_endpoint use_lockfile use_path_style",
    ),
];

/// The type of an argument of a backend, or of `cloud`; `None` where it is not known.
pub(crate) fn type_of(backend: &str, argument: &str) -> Option<Type> {
    let has = |names: &str| names.split_whitespace().any(|it| it == argument);
    let is_known = backend == "inmem" || ARGUMENTS.iter().any(|it| it.0 == backend && has(it.1));
    if !is_known {
        return None;
    }
    let kind = NOT_STRINGS.iter().find(|it| it.0 == backend && has(it.2));
    match kind.map(|it| it.1) {
        None => Some(Type::String),
        Some("bool") => Some(Type::Bool),
        Some("number") => Some(Type::Number),
        Some("strings") => Some(Type::list(Type::String)),
        Some("map") => Some(Type::map(Type::String)),
        // Of any attributes.
        Some("object") => Some(Type::object(BTreeMap::new())),
        Some(_) => None,
    }
}
