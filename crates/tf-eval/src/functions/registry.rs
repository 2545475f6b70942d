//! All functions in one sorted table.

use std::sync::LazyLock;

use super::{
    Function, built_in_provider, collection, date_time, encoding, filesystem, hash_crypto,
    ip_network, numeric, string, type_conversion,
};

/// The functions of one chapter of Terraform's documentation.
#[derive(Clone, Copy)]
pub struct Family {
    /// The chapter's heading.
    pub title: &'static str,
    /// Sorted by name.
    pub functions: &'static [Function],
}

/// Every family, in the order of Terraform's documentation.
pub const FAMILIES: &[Family] = &[
    Family { title: "Numeric functions", functions: numeric::FUNCTIONS },
    Family { title: "String functions", functions: string::FUNCTIONS },
    Family { title: "Collection functions", functions: collection::FUNCTIONS },
    Family { title: "Encoding functions", functions: encoding::FUNCTIONS },
    Family { title: "Filesystem functions", functions: filesystem::FUNCTIONS },
    Family { title: "Date and time functions", functions: date_time::FUNCTIONS },
    Family { title: "Hash and crypto functions", functions: hash_crypto::FUNCTIONS },
    Family { title: "IP network functions", functions: ip_network::FUNCTIONS },
    Family { title: "Type conversion functions", functions: type_conversion::FUNCTIONS },
];

/// The functions that are called as `provider::terraform::NAME`.
pub const BUILT_IN_PROVIDER: Family =
    Family { title: "Functions of the built-in provider", functions: built_in_provider::FUNCTIONS };

/// The function called `name`; a `core::` prefix is not part of the name.
pub fn lookup(name: &str) -> Option<&'static Function> {
    let table = all();
    let index = table.binary_search_by(|it| it.name.cmp(name)).ok()?;
    table.get(index).copied()
}

/// Every function, sorted by name.
pub fn all() -> &'static [&'static Function] {
    static TABLE: LazyLock<Vec<&'static Function>> = LazyLock::new(|| {
        let mut table: Vec<_> = FAMILIES.iter().flat_map(|it| it.functions).collect();
        table.sort_by_key(|it| it.name);
        table
    });
    &TABLE
}
