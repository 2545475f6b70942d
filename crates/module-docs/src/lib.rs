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
mod written;

pub use output_type::output_types;
pub use part::{MarkedPart, PartError};
pub use sections::markdown;
pub use terraform_docs::{FILES, Foreign, foreign};
pub use written::is_text_of_module;

/// A section of the documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    Header,
    Requirements,
    Providers,
    Modules,
    Resources,
    Inputs,
    NestedInputs,
    Rules,
    Outputs,
    Footer,
}

impl Section {
    /// All sections, in the order of the whole documentation.
    pub const ALL: [Section; 10] = [
        Section::Header,
        Section::Requirements,
        Section::Providers,
        Section::Modules,
        Section::Resources,
        Section::Inputs,
        Section::NestedInputs,
        Section::Rules,
        Section::Outputs,
        Section::Footer,
    ];

    /// The name in the configuration.
    pub fn as_str(self) -> &'static str {
        match self {
            Section::Header => "header",
            Section::Requirements => "requirements",
            Section::Providers => "providers",
            Section::Modules => "modules",
            Section::Resources => "resources",
            Section::Inputs => "inputs",
            Section::NestedInputs => "nested-inputs",
            Section::Rules => "rules",
            Section::Outputs => "outputs",
            Section::Footer => "footer",
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
    /// The files that the header and the footer come from, relative to the module's directory: of a Terraform file
    /// the comment at its beginning, of a text the whole.
    pub header_from: String,
    pub footer_from: Option<String>,
    pub order: Order,
    /// Whether sections without content are left out.
    pub hides_empty: bool,
    /// Whether names are targets of links, as `#input_name`.
    pub has_anchors: bool,
    /// Whether the comment above a variable or an output is its description, if it has no other.
    pub reads_comments: bool,
    /// Whether the comments above calls and resources are in a column.
    pub has_descriptions: bool,
    /// Whether the versions of providers come from `.terraform.lock.hcl`.
    pub reads_locks: bool,
}

/// The order of inputs and outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    Name,
    /// Required inputs first.
    Required,
    Type,
    /// As they are declared.
    Declared,
}

impl Order {
    /// The order with a name.
    pub fn from_name(name: &str) -> Option<Order> {
        match name {
            "name" => Some(Order::Name),
            "required" => Some(Order::Required),
            "type" => Some(Order::Type),
            _ => None,
        }
    }
}

/// The file whose first comment is the header, unless the settings name another one.
const HEADER: &str = "main.tf";

impl Default for DocsSettings {
    fn default() -> DocsSettings {
        DocsSettings {
            file: "README.md".to_owned(),
            begin: "<!-- BEGIN_TERRASCHEMA -->".to_owned(),
            end: "<!-- END_TERRASCHEMA -->".to_owned(),
            sections: vec![Section::NestedInputs, Section::Rules],
            heading_level: 2,
            lists: false,
            header_from: HEADER.to_owned(),
            footer_from: None,
            order: Order::Name,
            hides_empty: false,
            has_anchors: true,
            reads_comments: true,
            has_descriptions: false,
            reads_locks: true,
        }
    }
}
