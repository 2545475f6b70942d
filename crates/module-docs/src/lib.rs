//! The documentation of a module in Markdown, and the part of a file that it is kept in.
//!
//! A module and [`DocsSettings`] go in; sections in Markdown come out ([`markdown`]). [`MarkedPart`] finds the part of a file
//! between two markers, compares it by meaning, and makes the text with another part. Nothing is written here.
//!
//! The default sections are the two that other tools do not have: the attributes inside of inputs, and their rules.
//! Defaults of sensitive and ephemeral variables, and texts that contain one, are in no section.

mod cells;
mod output_type;
mod part;
mod sections;
mod table;
mod terraform_docs;

pub use output_type::output_types;
pub use part::{MarkedPart, PartError};
pub use sections::markdown;
pub use terraform_docs::{FILES, Foreign, foreign};

/// A section of the documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    Requirements,
    Providers,
    Modules,
    Resources,
    Inputs,
    NestedInputs,
    Rules,
    Outputs,
}

impl Section {
    /// All sections, in the order of the whole documentation.
    pub const ALL: [Section; 8] = [
        Section::Requirements,
        Section::Providers,
        Section::Modules,
        Section::Resources,
        Section::Inputs,
        Section::NestedInputs,
        Section::Rules,
        Section::Outputs,
    ];

    /// The name in the configuration.
    pub fn as_str(self) -> &'static str {
        match self {
            Section::Requirements => "requirements",
            Section::Providers => "providers",
            Section::Modules => "modules",
            Section::Resources => "resources",
            Section::Inputs => "inputs",
            Section::NestedInputs => "nested-inputs",
            Section::Rules => "rules",
            Section::Outputs => "outputs",
        }
    }

    /// The section with a name.
    pub fn from_name(name: &str) -> Option<Section> {
        Section::ALL.into_iter().find(|it| it.as_str() == name)
    }
}

/// How the documentation is written, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocsSettings {
    /// The path of the file, relative to the module's directory.
    pub file: String,
    /// The lines that the documentation is between.
    pub begin: String,
    pub end: String,
    pub sections: Vec<Section>,
    /// The level of the headings of sections, from 1 to 5.
    pub heading_level: u8,
    /// Lists instead of tables.
    pub lists: bool,
}

impl Default for DocsSettings {
    fn default() -> DocsSettings {
        DocsSettings {
            file: "README.md".to_owned(),
            begin: "<!-- BEGIN_TERRASCHEMA -->".to_owned(),
            end: "<!-- END_TERRASCHEMA -->".to_owned(),
            sections: vec![Section::NestedInputs, Section::Rules],
            heading_level: 2,
            lists: false,
        }
    }
}
