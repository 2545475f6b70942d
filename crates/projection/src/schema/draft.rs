//! The drafts of JSON Schema that a schema can be written in.

/// A draft of the specification. The drafts say the same in other words: draft-07 calls the places of a
/// tuple `items` and the elements behind them `additionalItems`; 2020-12 calls them `prefixItems` and
/// `items`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Draft {
    #[default]
    Draft07,
    Draft202012,
}

impl Draft {
    pub const ALL: [Draft; 2] = [Draft::Draft07, Draft::Draft202012];

    /// The name on the command line and in the configuration.
    pub fn as_str(self) -> &'static str {
        match self {
            Draft::Draft07 => "draft-07",
            Draft::Draft202012 => "2020-12",
        }
    }

    /// The draft with this name; the prefix `draft-` is optional.
    pub fn from_name(name: &str) -> Option<Draft> {
        let bare = |it: &'static str| it.trim_start_matches("draft-");
        let name = name.strip_prefix("draft-").unwrap_or(name);
        Draft::ALL.into_iter().find(|it| bare(it.as_str()) == name)
    }

    /// The keyword for schemas that others refer to.
    pub fn definitions(self) -> &'static str {
        match self {
            Draft::Draft07 => "definitions",
            Draft::Draft202012 => "$defs",
        }
    }

    /// The URI in `$schema`.
    pub fn uri(self) -> &'static str {
        match self {
            Draft::Draft07 => "http://json-schema.org/draft-07/schema#",
            Draft::Draft202012 => "https://json-schema.org/draft/2020-12/schema",
        }
    }

    /// The draft that a `$schema` names.
    pub fn from_uri(uri: &str) -> Option<Draft> {
        let bare = |it: &str| it.trim_end_matches('#').to_owned();
        Draft::ALL.into_iter().find(|it| bare(it.uri()) == bare(uri))
    }
}
