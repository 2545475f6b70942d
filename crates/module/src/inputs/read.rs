//! Reads every source of values, lowest precedence first.

use std::path::PathBuf;

use super::{
    GivenValue, InputSource,
    given::text_source,
    values_file::{ValuesEntry, ValuesFile, ValuesFormat, auto_files, parse_file, read_file},
};
use crate::is_resource_address;
use diagnostics::{Diagnostic, Diagnostics, Sources, Span, lints};
use indexmap::IndexMap;
use release::{Release, changes};
use smol_str::SmolStr;
use system::{Refusal, System};

/// The prefix of environment variables that give a value.
const PREFIX: &str = "TF_VAR_";

/// The sources of values to read.
#[derive(Clone, Debug, Default)]
pub struct InputRequest {
    /// The directory that Terraform runs in: it contains the automatic files, and relative paths of
    /// `-var-file` start there.
    pub dir: PathBuf,
    /// Read `TF_VAR_NAME` from the environment.
    pub environment: bool,
    /// Read `terraform.tfvars`, `*.auto.tfvars` and their JSON forms.
    pub auto_files: bool,
    /// The options of the command line, in order.
    pub arguments: Vec<InputArgument>,
}

/// An option of the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputArgument {
    /// `-var-file=PATH`
    File(PathBuf),
    /// `-var=NAME=VALUE`
    Value(String),
    /// `-replace=ADDRESS`, which gives no value: Terraform refuses one that names no resource.
    Replace(String),
    /// Like [`InputArgument::File`], for a file in memory: its name, which shows the format, and its text.
    Text(String, String),
}

impl InputRequest {
    /// Adds the file of a `-var-file`.
    pub fn file(mut self, path: impl Into<PathBuf>) -> InputRequest {
        self.arguments.push(InputArgument::File(path.into()));
        self
    }

    /// Adds a `-var`. The value is written as for Terraform: plain text for a string, otherwise an
    /// expression such as `["a", "b"]`.
    pub fn value(mut self, name: &str, value: &str) -> InputRequest {
        self.arguments.push(InputArgument::Value(format!("{name}={value}")));
        self
    }

    /// Adds a values file in memory, such as `form.tfvars.json`. Its name shows the format.
    pub fn text(mut self, name: impl Into<String>, text: impl Into<String>) -> InputRequest {
        self.arguments.push(InputArgument::Text(name.into(), text.into()));
        self
    }
}

/// The values of one source. A later layer overrides an earlier one, name by name.
#[derive(Clone, Debug)]
pub struct Layer {
    pub origin: InputSource,
    pub entries: IndexMap<SmolStr, ValuesEntry>,
    /// The further values of names that a file sets before; each is an error.
    pub repeated: Vec<(SmolStr, ValuesEntry)>,
}

/// Reads all sources; every file is parsed, whether or not its values win. Terraform stops here at
/// errors.
pub fn read(
    system: &dyn System,
    sources: &mut Sources,
    request: &InputRequest,
    release: Release,
) -> (Vec<Layer>, Diagnostics) {
    let by_content = release.has(&changes::VALUES_BY_CONTENT);
    let format = if by_content { ValuesFormat::OfContent } else { ValuesFormat::OfName };
    let mut reader =
        LayerReader { system, sources, request, format, layers: Vec::new(), found: Vec::new() };
    if request.environment {
        reader.environment();
    }
    if request.auto_files {
        reader.auto_files();
    }
    for argument in &request.arguments {
        match argument {
            InputArgument::File(path) => reader.file(path.clone()),
            InputArgument::Value(text) => reader.option(text),
            InputArgument::Replace(address) if !is_resource_address(address, release) => {
                let problem = "Invalid force-replace address";
                let problem = Diagnostic::new(&lints::INVALID_INPUT_SYNTAX, problem);
                let detail = "The value of -replace must be the address of a managed resource, \
                    such as aws_instance.web[0].";
                reader.found.push(problem.detail(detail));
            }
            InputArgument::Replace(_) => (),
            InputArgument::Text(name, text) => {
                let id = reader.sources.add(name.clone(), text.as_bytes());
                let (file, diagnostics) = parse_file(reader.sources, id, format);
                reader.add(Some(file), diagnostics);
            }
        }
    }
    (reader.layers, reader.found)
}

struct LayerReader<'a> {
    system: &'a dyn System,
    sources: &'a mut Sources,
    request: &'a InputRequest,
    /// The format of the files that the command line names.
    format: ValuesFormat,
    layers: Vec<Layer>,
    found: Diagnostics,
}

impl LayerReader<'_> {
    fn environment(&mut self) {
        for (variable, text) in self.system.env_with_prefix(PREFIX) {
            let name = variable.strip_prefix(PREFIX).unwrap_or_default().into();
            self.text(InputSource::Environment(variable), name, text);
        }
    }

    fn auto_files(&mut self) {
        let dir = &self.request.dir;
        let entries = match self.system.list(dir) {
            Ok(entries) => entries,
            Err(error) => {
                let problem = Diagnostic::new(&lints::UNREADABLE_INPUT, "Failed to read directory");
                self.found.push(problem.detail(format!("{}: {error}.", dir.display())));
                return;
            }
        };
        // A link that the run does not follow is reported; its file does not count as missing.
        let exists = |name: &str| match self.system.kind(&dir.join(name)) {
            Ok(_) => true,
            Err(error) => Refusal::of(&error).is_some(),
        };
        for name in auto_files(&entries, exists) {
            self.file(PathBuf::from(name));
        }
    }

    fn file(&mut self, path: PathBuf) {
        let path = self.request.dir.join(path);
        let (file, diagnostics) = read_file(self.system, &path, self.format, self.sources);
        self.add(file, diagnostics);
    }

    fn add(&mut self, file: Option<ValuesFile>, diagnostics: Diagnostics) {
        self.found.extend(diagnostics);
        if let Some(file) = file {
            let ValuesFile { path, entries, repeated, .. } = file;
            self.layers.push(Layer { origin: InputSource::File(path), entries, repeated });
        }
    }

    fn option(&mut self, text: &str) {
        let (name, value) = match text.split_once('=') {
            Some((name, _)) if name.ends_with(' ') => {
                let detail = format!("Remove the space after the name \"{}\".", name.trim_end());
                self.found.push(invalid_option(detail));
                return;
            }
            Some(parts) => parts,
            None => {
                // The text may be a secret.
                let detail = "It has no equals sign: write -var NAME=VALUE.";
                self.found.push(invalid_option(detail.to_owned()));
                return;
            }
        };
        self.text(InputSource::CommandLine, name.into(), value.to_owned());
    }

    fn text(&mut self, origin: InputSource, name: SmolStr, text: String) {
        let file = self.sources.add(text_source(&name), text.as_bytes());
        let span = Span::new(file, 0, text.len());
        let given = GivenValue::Text { text, span }.into();
        let entries = IndexMap::from([(name, ValuesEntry { name_span: span, given })]);
        self.layers.push(Layer { origin, entries, repeated: Vec::new() });
    }
}

fn invalid_option(detail: String) -> Diagnostic {
    Diagnostic::new(&lints::INVALID_INPUT_SYNTAX, "Invalid -var option").detail(detail)
}
