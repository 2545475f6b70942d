//! The arguments and their types of the bodies that Terraform itself knows.

use tf_value::Type;

/// Arguments with their types, and the names of the required ones.
pub(super) struct Schema {
    pub arguments: &'static [(&'static str, ArgumentType)],
    pub required: &'static [&'static str],
}

/// The values that an argument accepts.
#[derive(Clone, Copy)]
pub(super) enum ArgumentType {
    Any,
    String,
    Number,
    Bool,
    Strings,
    StringMap,
    /// None: Terraform sets the attribute.
    ReadOnly,
}

impl ArgumentType {
    pub fn ty(self) -> Type {
        match self {
            ArgumentType::Any | ArgumentType::ReadOnly => Type::Dynamic,
            ArgumentType::String => Type::String,
            ArgumentType::Number => Type::Number,
            ArgumentType::Bool => Type::Bool,
            ArgumentType::Strings => Type::list(Type::String),
            ArgumentType::StringMap => Type::map(Type::String),
        }
    }
}

pub(super) const TERRAFORM_DATA: Schema = Schema {
    arguments: &[
        ("id", ArgumentType::ReadOnly),
        ("input", ArgumentType::Any),
        ("output", ArgumentType::ReadOnly),
        ("triggers_replace", ArgumentType::Any),
    ],
    required: &[],
};

/// The block `store` of `terraform_data`.
pub(super) const STORE: Schema = Schema {
    arguments: &[
        ("input", ArgumentType::Any),
        ("replace", ArgumentType::Bool),
        ("version", ArgumentType::Any),
    ],
    required: &[],
};

pub(super) const REMOTE_STATE: Schema = Schema {
    arguments: &[
        ("backend", ArgumentType::String),
        ("config", ArgumentType::Any),
        ("defaults", ArgumentType::Any),
        ("outputs", ArgumentType::Any),
        ("workspace", ArgumentType::String),
    ],
    required: &["backend"],
};

pub(super) const LOCAL_EXEC: Schema = Schema {
    arguments: &[
        ("command", ArgumentType::String),
        ("environment", ArgumentType::StringMap),
        ("interpreter", ArgumentType::Strings),
        ("quiet", ArgumentType::Bool),
        ("working_dir", ArgumentType::String),
    ],
    required: &["command"],
};

pub(super) const REMOTE_EXEC: Schema = Schema {
    arguments: &[
        ("inline", ArgumentType::Strings),
        ("script", ArgumentType::String),
        ("scripts", ArgumentType::Strings),
    ],
    required: &[],
};

pub(super) const FILE: Schema = Schema {
    arguments: &[
        ("content", ArgumentType::String),
        ("destination", ArgumentType::String),
        ("source", ArgumentType::String),
    ],
    required: &["destination"],
};

pub(super) const CONNECTION: Schema = Schema {
    arguments: &[
        ("agent", ArgumentType::Bool),
        ("agent_identity", ArgumentType::String),
        ("bastion_certificate", ArgumentType::String),
        ("bastion_host", ArgumentType::String),
        ("bastion_host_key", ArgumentType::String),
        ("bastion_password", ArgumentType::String),
        ("bastion_port", ArgumentType::Number),
        ("bastion_private_key", ArgumentType::String),
        ("bastion_user", ArgumentType::String),
        ("cacert", ArgumentType::String),
        ("certificate", ArgumentType::String),
        ("host", ArgumentType::String),
        ("host_key", ArgumentType::String),
        ("https", ArgumentType::Bool),
        ("insecure", ArgumentType::Bool),
        ("password", ArgumentType::String),
        ("port", ArgumentType::Number),
        ("private_key", ArgumentType::String),
        ("proxy_host", ArgumentType::String),
        ("proxy_port", ArgumentType::Number),
        ("proxy_scheme", ArgumentType::String),
        ("proxy_user_name", ArgumentType::String),
        ("proxy_user_password", ArgumentType::String),
        ("script_path", ArgumentType::String),
        ("target_platform", ArgumentType::String),
        ("timeout", ArgumentType::String),
        ("type", ArgumentType::String),
        ("use_ntlm", ArgumentType::Bool),
        ("user", ArgumentType::String),
    ],
    required: &["host"],
};
