//! The arguments of what Terraform itself knows, and their types.

use crate::value::Type;

/// Arguments with their types, and those without which nothing goes.
pub(super) struct Schema {
    pub arguments: &'static [(&'static str, Kind)],
    pub required: &'static [&'static str],
}

/// What an argument takes.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Any,
    String,
    Number,
    Bool,
    Strings,
    StringMap,
    /// Nothing: Terraform says it.
    ReadOnly,
}

impl Kind {
    pub fn ty(self) -> Type {
        match self {
            Kind::Any | Kind::ReadOnly => Type::Dynamic,
            Kind::String => Type::String,
            Kind::Number => Type::Number,
            Kind::Bool => Type::Bool,
            Kind::Strings => Type::list(Type::String),
            Kind::StringMap => Type::map(Type::String),
        }
    }
}

pub(super) const TERRAFORM_DATA: Schema = Schema {
    arguments: &[
        ("id", Kind::ReadOnly),
        ("input", Kind::Any),
        ("output", Kind::ReadOnly),
        ("triggers_replace", Kind::Any),
    ],
    required: &[],
};

/// The block `store` of `terraform_data`.
pub(super) const STORE: Schema = Schema {
    arguments: &[("input", Kind::Any), ("replace", Kind::Bool), ("version", Kind::Any)],
    required: &[],
};

pub(super) const REMOTE_STATE: Schema = Schema {
    arguments: &[
        ("backend", Kind::String),
        ("config", Kind::Any),
        ("defaults", Kind::Any),
        ("outputs", Kind::Any),
        ("workspace", Kind::String),
    ],
    required: &["backend"],
};

pub(super) const LOCAL_EXEC: Schema = Schema {
    arguments: &[
        ("command", Kind::String),
        ("environment", Kind::StringMap),
        ("interpreter", Kind::Strings),
        ("quiet", Kind::Bool),
        ("working_dir", Kind::String),
    ],
    required: &["command"],
};

pub(super) const REMOTE_EXEC: Schema = Schema {
    arguments: &[("inline", Kind::Strings), ("script", Kind::String), ("scripts", Kind::Strings)],
    required: &[],
};

pub(super) const FILE: Schema = Schema {
    arguments: &[
        ("content", Kind::String),
        ("destination", Kind::String),
        ("source", Kind::String),
    ],
    required: &["destination"],
};

pub(super) const CONNECTION: Schema = Schema {
    arguments: &[
        ("agent", Kind::Bool),
        ("agent_identity", Kind::String),
        ("bastion_certificate", Kind::String),
        ("bastion_host", Kind::String),
        ("bastion_host_key", Kind::String),
        ("bastion_password", Kind::String),
        ("bastion_port", Kind::Number),
        ("bastion_private_key", Kind::String),
        ("bastion_user", Kind::String),
        ("cacert", Kind::String),
        ("certificate", Kind::String),
        ("host", Kind::String),
        ("host_key", Kind::String),
        ("https", Kind::Bool),
        ("insecure", Kind::Bool),
        ("password", Kind::String),
        ("port", Kind::Number),
        ("private_key", Kind::String),
        ("proxy_host", Kind::String),
        ("proxy_port", Kind::Number),
        ("proxy_scheme", Kind::String),
        ("proxy_user_name", Kind::String),
        ("proxy_user_password", Kind::String),
        ("script_path", Kind::String),
        ("target_platform", Kind::String),
        ("timeout", Kind::String),
        ("type", Kind::String),
        ("use_ntlm", Kind::Bool),
        ("user", Kind::String),
    ],
    required: &["host"],
};
