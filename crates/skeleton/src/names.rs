//! What values with some names usually look like. The first entry that fits the end of a name counts, else the first
//! one that fits another part of it.

/// The cloud that a module is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cloud {
    Aws,
    Azure,
    Google,
    Other,
}

impl Cloud {
    /// The cloud of a resource type, or of a provider's name.
    pub fn of(kind: &str) -> Cloud {
        match kind.split('_').next().unwrap_or_default() {
            "aws" | "awscc" => Cloud::Aws,
            "azurerm" | "azapi" | "azuread" => Cloud::Azure,
            "google" | "google-beta" => Cloud::Google,
            _ => Cloud::Other,
        }
    }
}

/// Texts, the best first.
pub enum Texts {
    Any(&'static [&'static str]),
    By {
        aws: &'static [&'static str],
        azure: &'static [&'static str],
        google: &'static [&'static str],
    },
}

/// The ends of names whose other words say nothing about the value: a `cluster_type` is not a cluster.
pub const GENERIC: &[&str] = &[
    "_group_name_",
    "_id_",
    "_kind_",
    "_mode_",
    "_mechanism_",
    "_name_",
    "_prefix_",
    "_status_",
    "_style_",
    "_tag_",
    "_type_",
];

/// The beginnings of names of what is on or off.
pub const SWITCHES: &[&str] = &[
    "_allow_",
    "_assign_",
    "_create_",
    "_deploy_",
    "_disable_",
    "_enable_",
    "_enabled_",
    "_has_",
    "_install_",
    "_is_",
    "_skip_",
    "_use_",
    "_with_",
];

const UUID: &str = "00000000-0000-0000-0000-000000000000";

const AZURE_SUBNET: &str = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/\
    rg-example/providers/Microsoft.Network/virtualNetworks/vnet-example/subnets/snet-example";

pub const AZURE_RESOURCE: &str = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/\
    rg-example/providers/Microsoft.Example/examples/example";

const AZURE_STORAGE: &str = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/\
    rg-example/providers/Microsoft.Storage/storageAccounts/example";

const AZURE_VNET: &str = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/\
    rg-example/providers/Microsoft.Network/virtualNetworks/vnet-example";

const AZURE_GROUP: &str = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/\
    rg-example";

const AZURE_VAULT: &str = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/\
    rg-example/providers/Microsoft.KeyVault/vaults/kv-example";

const AZURE_LOGS: &str = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/\
    rg-example/providers/Microsoft.OperationalInsights/workspaces/log-example";

const AZURE_PLAN: &str = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/\
    rg-example/providers/Microsoft.Web/serverFarms/asp-example";

const AZURE_IDENTITY: &str = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/\
    rg-example/providers/Microsoft.ManagedIdentity/userAssignedIdentities/id-example";

const AZURE_PUBLIC_IP: &str = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/\
    rg-example/providers/Microsoft.Network/publicIPAddresses/pip-example";

const AZURE_DNS_ZONE: &str = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/\
    rg-example/providers/Microsoft.Network/privateDnsZones/example.com";

const AZURE_NSG: &str = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/\
    rg-example/providers/Microsoft.Network/networkSecurityGroups/nsg-example";

/// What ARNs usually look like, by a word in the name.
pub const ARNS: &[(&[&str], &str)] = &[
    (&["_sns_", "_topic_"], "arn:aws:sns:us-east-1:123456789012:example"),
    (&["_sqs_", "_queue_"], "arn:aws:sqs:us-east-1:123456789012:example"),
    (&["_lambda_", "_function_"], "arn:aws:lambda:us-east-1:123456789012:function:example"),
    (&["_s3_", "_bucket_"], "arn:aws:s3:::example-bucket"),
    (&["_dynamodb_", "_table_"], "arn:aws:dynamodb:us-east-1:123456789012:table/example"),
    (&["_ecr_", "_repository_"], "arn:aws:ecr:us-east-1:123456789012:repository/example"),
    (&["_user_pool_"], "arn:aws:cognito-idp:us-east-1:123456789012:userpool/us-east-1_example"),
    (&["_oidc_"], "arn:aws:iam::123456789012:oidc-provider/oidc.example.com"),
    (
        &["_listener_"],
        "arn:aws:elasticloadbalancing:us-east-1:123456789012:listener/app/example/0123456789abcdef/0123456789abcdef",
    ),
    (
        &["_alb_", "_lb_", "_load_balancer_"],
        "arn:aws:elasticloadbalancing:us-east-1:123456789012:loadbalancer/app/example/0123456789abcdef",
    ),
    (&["_state_machine_"], "arn:aws:states:us-east-1:123456789012:stateMachine:example"),
    (&["_stream_"], "arn:aws:kinesis:us-east-1:123456789012:stream/example"),
    (&["_user_"], "arn:aws:iam::123456789012:user/example"),
];

/// A region and a zone of a provider outside of the three clouds.
pub const PLACES: &[(&str, &str, &str)] = &[
    ("alicloud", "eu-central-1", "eu-central-1a"),
    ("digitalocean", "fra1", "fra1"),
    ("hcloud", "nbg1", "nbg1"),
    ("ibm", "us-south", "us-south-1"),
    ("linode", "eu-central", "eu-central"),
    ("oci", "eu-frankfurt-1", "AD-1"),
    ("scaleway", "fr-par", "fr-par-1"),
    ("stackit", "eu01", "eu01-1"),
    ("yandex", "ru-central1", "ru-central1-a"),
];

/// Texts by the words in a name.
pub const TEXTS: &[(&[&str], Texts)] = &[
    (
        &["_vnet_id_", "_virtual_network_id_"],
        Texts::By { aws: &["vpc-0123456789abcdef0"], azure: &[AZURE_VNET], google: &["example"] },
    ),
    (
        &["_resource_group_id_", "_parent_id_"],
        Texts::By { aws: &["example"], azure: &[AZURE_GROUP], google: &["example"] },
    ),
    (
        &["_key_vault_id_"],
        Texts::By { aws: &["example"], azure: &[AZURE_VAULT], google: &["example"] },
    ),
    (
        &["_log_analytics_workspace_id_", "_workspace_id_", "_workspace_resource_id_"],
        Texts::By { aws: &["example"], azure: &[AZURE_LOGS], google: &["example"] },
    ),
    (
        &["_service_plan_id_"],
        Texts::By { aws: &["example"], azure: &[AZURE_PLAN], google: &["example"] },
    ),
    (
        &["_identity_id_", "_user_assigned_identity_resource_id_"],
        Texts::By { aws: &["example"], azure: &[AZURE_IDENTITY], google: &["example"] },
    ),
    (
        &["_public_ip_id_", "_public_ip_address_id_"],
        Texts::By { aws: &["example"], azure: &[AZURE_PUBLIC_IP], google: &["example"] },
    ),
    (
        &["_private_dns_zone_id_"],
        Texts::By { aws: &["example"], azure: &[AZURE_DNS_ZONE], google: &["example"] },
    ),
    (
        &["_network_security_group_id_", "_nsg_id_"],
        Texts::By { aws: &["sg-0123456789abcdef0"], azure: &[AZURE_NSG], google: &["example"] },
    ),
    (
        &["_master_cidr_", "_master_cidr_block_", "_master_ipv4_cidr_block_"],
        Texts::Any(&["172.16.0.0/28", "10.0.0.0/16"]),
    ),
    (
        &["_private_ip_", "_private_ip_address_", "_private_ipv4_"],
        Texts::Any(&["10.0.0.10", "10.0.0.0/16"]),
    ),
    (&["_ipv4_", "_ipv4_address_"], Texts::Any(&["203.0.113.10", "10.0.0.0/16"])),
    (&["_ssh_port_"], Texts::Any(&["22"])),
    (&["_image_tag_"], Texts::Any(&["1.0.0", "latest"])),
    (
        &["_ecr_repository_url_", "_ecr_url_"],
        Texts::Any(&[
            "123456789012.dkr.ecr.us-east-1.amazonaws.com/example",
            "https://example.com",
        ]),
    ),
    (&["_ipv6_cidr_", "_cidr_ipv6_"], Texts::Any(&["2001:db8::/56", "2001:db8::/64"])),
    (
        &["_subnet_cidr_", "_subnet_cidr_block_", "_cidr_subnet_"],
        Texts::Any(&["10.0.1.0/24", "10.0.0.0/16", "10.0.0.0/28"]),
    ),
    (
        &["_cidr_", "_ip_range_", "_ip_cidr_"],
        Texts::Any(&["10.0.0.0/16", "10.0.0.0/24", "10.0.0.0/28", "10.0.0.0"]),
    ),
    (&["_address_space_"], Texts::Any(&["10.0.0.0/16"])),
    (&["_address_prefix_"], Texts::Any(&["10.0.1.0/24"])),
    (
        &["_service_account_id_"],
        Texts::By {
            aws: &["example"],
            azure: &["example"],
            google: &[
                "projects/example-project/serviceAccounts/example@example-project.iam.gserviceaccount.com",
                "example",
            ],
        },
    ),
    (
        &["_service_account_email_", "_service_account_"],
        Texts::By {
            aws: &["example"],
            azure: &["example"],
            google: &["example@example-project.iam.gserviceaccount.com"],
        },
    ),
    (&["_email_", "_mail_"], Texts::Any(&["team@example.com"])),
    (
        &["_certificate_arn_"],
        Texts::Any(&[
            "arn:aws:acm:us-east-1:123456789012:certificate/12345678-1234-1234-1234-123456789012",
        ]),
    ),
    (
        &["_kms_key_arn_", "_kms_arn_", "_key_arn_"],
        Texts::Any(&[
            "arn:aws:kms:us-east-1:123456789012:key/12345678-1234-1234-1234-123456789012",
        ]),
    ),
    (&["_bucket_arn_"], Texts::Any(&["arn:aws:s3:::example-bucket"])),
    (&["_topic_arn_", "_sns_arn_"], Texts::Any(&["arn:aws:sns:us-east-1:123456789012:example"])),
    (&["_queue_arn_"], Texts::Any(&["arn:aws:sqs:us-east-1:123456789012:example"])),
    (
        &["_function_arn_", "_lambda_arn_"],
        Texts::Any(&["arn:aws:lambda:us-east-1:123456789012:function:example"]),
    ),
    (
        &["_secret_arn_"],
        Texts::Any(&["arn:aws:secretsmanager:us-east-1:123456789012:secret:example"]),
    ),
    (
        &["_cluster_arn_"],
        Texts::Any(&["arn:aws:ecs:us-east-1:123456789012:cluster/example-cluster"]),
    ),
    (
        &["_target_group_arn_"],
        Texts::Any(&[
            "arn:aws:elasticloadbalancing:us-east-1:123456789012:targetgroup/example/0123456789abcdef",
        ]),
    ),
    (&["_log_group_arn_"], Texts::Any(&["arn:aws:logs:us-east-1:123456789012:log-group:example"])),
    (&["_policy_arn_"], Texts::Any(&["arn:aws:iam::aws:policy/ReadOnlyAccess"])),
    (&["_arn_"], Texts::Any(&["arn:aws:iam::123456789012:role/example"])),
    (&["_billing_account_", "_billing_account_id_"], Texts::Any(&["012345-6789AB-CDEF01"])),
    (&["_storage_account_id_"], Texts::Any(&[AZURE_STORAGE])),
    (
        &["_account_id_", "_account_number_"],
        Texts::By {
            aws: &["123456789012"],
            azure: &[AZURE_RESOURCE, "123456789012"],
            google: &["example", "123456789012"],
        },
    ),
    (
        &[
            "_subscription_id_",
            "_tenant_id_",
            "_client_id_",
            "_object_id_",
            "_principal_id_",
            "_uuid_",
            "_guid_",
        ],
        Texts::Any(&[UUID, "/subscriptions/00000000-0000-0000-0000-000000000000"]),
    ),
    (&["_project_id_", "_project_name_"], Texts::Any(&["example-project"])),
    (&["_folder_id_"], Texts::Any(&["folders/123456789012", "123456789012"])),
    (
        &["_folder_"],
        Texts::By {
            aws: &["example"],
            azure: &["example"],
            google: &["folders/123456789012", "123456789012"],
        },
    ),
    (&["_compartment_id_", "_compartment_ocid_"], Texts::Any(&["ocid1.compartment.oc1..example"])),
    (&["_tenancy_id_", "_tenancy_ocid_"], Texts::Any(&["ocid1.tenancy.oc1..example"])),
    (&["_ocid_"], Texts::Any(&["ocid1.resource.oc1..example"])),
    (&["_partition_"], Texts::By { aws: &["aws"], azure: &["example"], google: &["example"] }),
    (&["_dns_zone_", "_hosted_zone_", "_domain_zone_"], Texts::Any(&["example.com"])),
    (&["_availability_domain_"], Texts::Any(&["AD-1"])),
    (&["_os_type_"], Texts::Any(&["Linux", "linux"])),
    (&["_tls_version_"], Texts::Any(&["1.2", "TLS1_2", "TLSv1.2"])),
    (&["_asn_"], Texts::Any(&["64512"])),
    (&["_vlan_", "_vlan_tag_", "_vlan_id_"], Texts::Any(&["100"])),
    (&["_port_"], Texts::Any(&["443", "8080"])),
    (&["_disk_size_", "_disk_size_gb_", "_volume_size_"], Texts::Any(&["50"])),
    (&["_capacity_", "_min_size_", "_max_size_", "_replica_count_"], Texts::Any(&["2", "1"])),
    (&["_org_id_", "_organization_id_"], Texts::Any(&["123456789012"])),
    (&["_vpc_id_"], Texts::Any(&["vpc-0123456789abcdef0"])),
    (
        &["_subnet_id_"],
        Texts::By {
            aws: &["subnet-0123456789abcdef0"],
            azure: &[AZURE_SUBNET],
            google: &["projects/example-project/regions/europe-west1/subnetworks/example"],
        },
    ),
    (
        &["_subnet_"],
        Texts::By {
            aws: &["subnet-0123456789abcdef0", "10.0.1.0/24"],
            azure: &["snet-example", AZURE_SUBNET],
            google: &["example-subnet"],
        },
    ),
    (&["_security_group_id_", "_sg_id_"], Texts::Any(&["sg-0123456789abcdef0"])),
    (
        &["_security_group_"],
        Texts::By { aws: &["sg-0123456789abcdef0"], azure: &["nsg-example"], google: &["example"] },
    ),
    (&["_ami_id_", "_ami_"], Texts::Any(&["ami-0123456789abcdef0"])),
    (&["_route_table_id_"], Texts::Any(&["rtb-0123456789abcdef0"])),
    (&["_zone_id_"], Texts::Any(&["Z0123456789ABCDEFGHIJ", "example"])),
    (&["_instance_id_"], Texts::Any(&["i-0123456789abcdef0"])),
    (
        &["_resource_group_name_", "_resource_group_", "_rg_name_", "_rg_"],
        Texts::Any(&["rg-example"]),
    ),
    (
        &["_region_"],
        Texts::By {
            aws: &["us-east-1"],
            azure: &["westeurope", "West Europe"],
            google: &["europe-west1"],
        },
    ),
    (
        &["_location_"],
        Texts::By {
            aws: &["us-east-1", "Example"],
            azure: &["westeurope", "West Europe"],
            google: &["europe-west1", "EU"],
        },
    ),
    (
        &["_availability_zone_", "_az_", "_zone_"],
        Texts::By {
            aws: &["us-east-1a", "example.com"],
            azure: &["1"],
            google: &["europe-west1-b"],
        },
    ),
    (&["_environment_", "_env_", "_stage_"], Texts::Any(&["dev", "prod", "test", "staging"])),
    (&["_ip_address_", "_ip_"], Texts::Any(&["203.0.113.10", "10.0.0.10", "10.0.0.0/24"])),
    (
        &["_domain_name_", "_domain_", "_fqdn_", "_zone_name_", "_dns_name_"],
        Texts::Any(&["example.com", "app.example.com"]),
    ),
    (&["_hostname_", "_host_"], Texts::Any(&["app.example.com", "app"])),
    (
        &["_url_", "_uri_", "_endpoint_"],
        Texts::Any(&["https://example.com", "https://example.com/", "example.com"]),
    ),
    (&["_password_", "_passwd_"], Texts::Any(&["Change-Me-1234", "ChangeMe1234"])),
    (
        &["_public_key_", "_ssh_key_"],
        Texts::Any(&[
            "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExampleExampleExampleExampleExampleExampl team@example.com",
        ]),
    ),
    (&["_secret_", "_token_", "_api_key_"], Texts::Any(&["change-me"])),
    (&["_username_", "_user_name_", "_login_"], Texts::Any(&["example"])),
    (&["_instance_class_"], Texts::Any(&["db.t3.medium"])),
    (
        &["_instance_type_"],
        Texts::By { aws: &["t3.micro"], azure: &["Standard_D2s_v5"], google: &["e2-medium"] },
    ),
    (
        &["_node_type_"],
        Texts::By { aws: &["cache.t3.micro"], azure: &["Standard_D2s_v5"], google: &["e2-medium"] },
    ),
    (&["_machine_type_"], Texts::Any(&["e2-medium"])),
    (&["_vm_size_", "_node_size_"], Texts::Any(&["Standard_D2s_v5"])),
    (&["_sku_", "_tier_"], Texts::Any(&["Standard", "standard"])),
    (&["_engine_version_"], Texts::Any(&["16.3", "8.0"])),
    (&["_engine_"], Texts::Any(&["postgres"])),
    (
        &["_kubernetes_version_", "_cluster_version_", "_k8s_version_"],
        Texts::Any(&["1.31", "1.31.0", "v1.31.0"]),
    ),
    (&["_version_"], Texts::Any(&["1.0.0", "1.0", "v1.0.0"])),
    (&["_runtime_"], Texts::Any(&["python3.12"])),
    (&["_handler_"], Texts::Any(&["index.handler"])),
    (&["_bucket_name_", "_bucket_"], Texts::Any(&["example-bucket"])),
    (&["_cluster_name_", "_cluster_"], Texts::Any(&["example-cluster"])),
    (&["_image_"], Texts::Any(&["nginx:1.27"])),
    (
        &["_schedule_", "_cron_"],
        Texts::By {
            aws: &["rate(1 day)", "cron(0 3 * * ? *)", "0 3 * * *"],
            azure: &["0 3 * * *"],
            google: &["0 3 * * *"],
        },
    ),
    (&["_maintenance_window_"], Texts::Any(&["sun:03:00-sun:04:00"])),
    (&["_backup_window_"], Texts::Any(&["01:00-02:00"])),
    (&["_timezone_", "_time_zone_"], Texts::Any(&["UTC", "Etc/UTC"])),
    (&["_duration_", "_period_"], Texts::Any(&["1h", "PT1H", "60s"])),
    (&["_protocol_"], Texts::Any(&["tcp", "TCP", "HTTPS", "https"])),
    (
        &[
            "_config_path_",
            "_directory_",
            "_file_path_",
            "_key_path_",
            "_local_path_",
            "_module_path_",
            "_template_path_",
        ],
        Texts::Any(&["./example", "/", "/example"]),
    ),
    (
        &["_health_path_", "_health_check_path_", "_healthcheck_path_"],
        Texts::Any(&["/health", "/"]),
    ),
    (&["_mount_path_", "_container_path_"], Texts::Any(&["/mnt/example", "/"])),
    (&["_path_"], Texts::Any(&["/example", "/", "./example", "/example/"])),
    (
        &["_start_date_", "_start_time_", "_begin_date_"],
        Texts::Any(&["2030-01-01T00:00:00Z", "2030-01-01", "03:00"]),
    ),
    (
        &["_end_date_", "_end_time_", "_expiration_date_", "_expiry_date_", "_expiry_"],
        Texts::Any(&["2031-01-01T00:00:00Z", "2031-01-01", "04:00"]),
    ),
    (&["_repository_", "_repo_"], Texts::Any(&["example/repository", "example"])),
    (&["_branch_"], Texts::Any(&["main"])),
    (&["_description_"], Texts::Any(&["An example"])),
    (&["_display_name_", "_title_"], Texts::Any(&["Example"])),
    (&["_owner_", "_team_"], Texts::Any(&["platform-team"])),
    (&["_cost_center_"], Texts::Any(&["1234"])),
    (&["_suffix_"], Texts::Any(&["01"])),
    (&["_json_", "_policy_document_"], Texts::Any(&["{}"])),
];

/// Texts for any name.
pub const PLAIN: &[&str] = &[
    "example",
    "Example",
    "example-1",
    "example01",
    "dev",
    "ex",
    "example-example-01",
    "Example-Passw0rd-123",
    "EXAMPLE",
    "example_name",
    "example.com",
    "https://example.com",
    "team@example.com",
    "10.0.0.0/16",
    "10.0.0.10",
    "1",
    "10",
    "60s",
    "1h",
    "1.0.0",
    "a",
    "12:00",
    "2030-01-01T00:00:00Z",
    "2030-01-01",
    UUID,
    "123456789012",
    "arn:aws:iam::123456789012:role/example",
    "{}",
    "",
];

/// Numbers by the words in a name.
pub const NUMBERS: &[(&str, &[i64])] = &[
    ("_asn_", &[64512]),
    ("_vlan_", &[100]),
    ("_length_", &[8, 16]),
    ("_ssh_port_", &[22]),
    ("_http_port_", &[80]),
    ("_db_port_", &[5432]),
    ("_database_port_", &[5432]),
    ("_redis_port_", &[6379]),
    ("_port_", &[443, 8080, 80, 5432]),
    ("_min_", &[1]),
    ("_max_", &[3, 5, 10]),
    ("_desired_", &[2]),
    ("_replica_", &[2, 1]),
    ("_count_", &[2, 1]),
    ("_retention_", &[30, 7, 14]),
    ("_day_", &[30, 7]),
    ("_hour_", &[24, 1]),
    ("_minute_", &[60, 5]),
    ("_second_", &[60, 30]),
    ("_timeout_", &[60, 30]),
    ("_ttl_", &[300]),
    ("_memory_", &[512, 1024]),
    ("_cpu_", &[256, 1]),
    ("_disk_", &[50, 20]),
    ("_storage_", &[20, 100]),
    ("_size_", &[20, 2]),
    ("_priority_", &[100, 1]),
    ("_weight_", &[100]),
    ("_prefix_length_", &[24]),
    ("_bit_", &[8, 4]),
    ("_newbit_", &[8, 4]),
];
