//! Requests, one in each file. They run on other threads, on a snapshot.

mod code_action;
mod completion;
mod definition;
mod document_symbol;
mod edit;
mod evaluated;
mod execute_command;
mod expression;
mod folding_range;
mod formatting;
mod hover;
mod input_block;
mod inlay_hint;
mod missing_values;
mod references;
mod rename;
mod rules;
mod semantic_tokens;
mod settings;
mod words;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use lsp_types::{Location, Position, TextDocumentPositionParams, Uri};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

use super::{
    contract::{Contract, Modules},
    convert::{Files, file_uri},
    inbox::of,
    server::MACHINE,
    snapshot::{self, Document, Snapshot},
    symbol::{Occurrence, Symbol},
    text::Text,
    unit::{Judged, Shown, Unit, judge},
    uri,
};
use diagnostics::Span;
use module::Variable;
use projection::schema::RulesInWords;
use system::System;

pub(crate) use execute_command::USE as USE_INPUT_SET;

/// What a request works on.
pub(crate) struct RequestContext {
    pub snapshot: Arc<Snapshot>,
    /// What was found in the document of the request.
    pub shown: Vec<Shown>,
}

/// Answers a request. Errors: why it has no answer.
pub(crate) type Handler = fn(&RequestContext, Value) -> Result<Value, String>;

/// The handler of a method.
pub(crate) fn handler(method: &str) -> Option<Handler> {
    Some(match method {
        "codeAction/resolve" => |context, it| answered(context, it, code_action::resolve),
        "textDocument/codeAction" => |context, it| answered(context, it, code_action::run),
        "textDocument/completion" => |context, it| answered(context, it, completion::run),
        "textDocument/definition" => |context, it| answered(context, it, definition::run),
        "textDocument/documentSymbol" => |context, it| answered(context, it, document_symbol::run),
        "textDocument/formatting" => |context, it| answered(context, it, formatting::run),
        "textDocument/foldingRange" => |context, it| answered(context, it, folding_range::run),
        "textDocument/hover" => |context, it| answered(context, it, hover::run),
        "textDocument/inlayHint" => |context, it| answered(context, it, inlay_hint::run),
        "textDocument/prepareRename" => |context, it| answered(context, it, rename::prepare),
        "textDocument/references" => |context, it| answered(context, it, references::run),
        "workspace/executeCommand" => |context, it| answered(context, it, execute_command::run),
        "textDocument/rename" => |context, it| answered(context, it, rename::run),
        "textDocument/semanticTokens/full" => {
            |context, it| answered(context, it, semantic_tokens::run)
        }
        "textDocument/semanticTokens/range" => {
            |context, it| answered(context, it, semantic_tokens::of_range)
        }
        _ => return None,
    })
}

/// The part of the server's capabilities that is about these requests.
pub(crate) fn capabilities() -> Value {
    json!({
        "codeActionProvider": {"codeActionKinds": ["quickfix", "source"], "resolveProvider": true},
        "completionProvider": {"triggerCharacters": ["\"", "=", "{", "."]},
        "definitionProvider": true,
        "documentFormattingProvider": true,
        "documentSymbolProvider": true,
        "executeCommandProvider": {"commands": execute_command::COMMANDS},
        "foldingRangeProvider": true,
        "hoverProvider": true,
        "inlayHintProvider": true,
        "referencesProvider": true,
        "renameProvider": {"prepareProvider": true},
        "semanticTokensProvider": {"legend": semantic_tokens::legend(), "full": true, "range": true},
    })
}

/// The result of a handler, which may have nothing to say.
type Answered<R> = Result<Option<R>, String>;

/// Reads the parameters, and writes the answer.
fn answered<P: DeserializeOwned, R: Serialize>(
    context: &RequestContext,
    params: Value,
    run: fn(&RequestContext, &P) -> Answered<R>,
) -> Result<Value, String> {
    let answer = run(context, &of(params)?)?;
    serde_json::to_value(answer).map_err(|it| it.to_string())
}

/// The longest text, in bytes, for which a request asks for a verdict of its own. The diagnostics of a longer one come
/// anyway, later.
const LONGEST_JUDGED: usize = 256 << 10;

/// The description of a variable, unless it contains a default that must not be shown.
fn description(words: &RulesInWords<'_>, variable: &Variable) -> Option<String> {
    let text = variable.description.as_ref().filter(|it| !it.trim().is_empty())?;
    let is_secret = words.secrets().are_in_prose(variable, text);
    (!is_secret).then(|| text.trim().to_owned())
}

/// A position in an open document, and everything that can be looked up from there.
struct View<'a> {
    context: &'a RequestContext,
    path: &'a Path,
    document: &'a Document,
    /// The byte of the position.
    offset: usize,
    system: &'a dyn System,
    modules: Modules<'a>,
}

impl RequestContext {
    /// The open document of a request.
    fn document(&self, uri: &Uri) -> Option<(PathBuf, &Document)> {
        let path = uri::path(uri)?;
        let document = self.snapshot.documents.get(&path)?;
        Some((path, document))
    }

    /// Looks at a position. `None` if its document is not open, or nothing can be read.
    fn look<T>(
        &self,
        uri: &Uri,
        position: Position,
        look: impl FnOnce(&View<'_>) -> Option<T>,
    ) -> Option<T> {
        let (path, document) = self.document(uri)?;
        let offset = document.text.offset(position, self.snapshot.encoding);
        let named: Vec<PathBuf> = self.snapshot.documents.keys().cloned().collect();
        let named: Vec<PathBuf> =
            named.into_iter().filter(|it| it.starts_with(&document.root)).collect();
        let looked = self.snapshot.with_system(&MACHINE, &document.root, true, &named, |system| {
            let modules = Modules::new(&system, &document.root).ok()?;
            if modules.configurations.leaves_product_open() && self.has_tofu(&document.root) {
                modules.configurations.assume_opentofu();
            }
            let path = path.as_path();
            look(&View { context: self, path, document, offset, system: &system, modules })
        });
        looked.ok().flatten()
    }

    /// Whether OpenTofu runs the modules of a root, as `check` decides it: there are files that it alone reads.
    fn has_tofu(&self, root: &Path) -> bool {
        let known = self.snapshot.tofu.get(root).map(|it| &***it).unwrap_or_default();
        let open = self.snapshot.documents.keys().filter(|it| it.starts_with(root));
        let mut files: Vec<PathBuf> = known.iter().chain(open).cloned().collect();
        files.sort_unstable();
        check::has_tofu_files(&files)
    }

    /// As [`RequestContext::look`], at the position that most requests have.
    fn look_at<T>(
        &self,
        at: &TextDocumentPositionParams,
        look: impl FnOnce(&View<'_>) -> Option<T>,
    ) -> Option<T> {
        self.look(&at.text_document.uri, at.position, look)
    }
}

impl View<'_> {
    fn text(&self) -> &str {
        &self.document.text.text
    }

    fn range(&self, bytes: std::ops::Range<usize>) -> lsp_types::Range {
        self.document.text.range(bytes, self.context.snapshot.encoding)
    }

    /// What would be found if the document had another text.
    fn judged_with(&self, text: Text) -> Judged {
        let View { context, path, document, .. } = self;
        let mut snapshot = (*context.snapshot).clone();
        let unit = Unit { root: document.root.clone(), targets: vec![path.to_path_buf()] };
        snapshot.insert(path.to_path_buf(), Document { text: text.into(), ..(*document).clone() });
        judge(&MACHINE, &snapshot, &unit)
    }

    fn files(&self) -> Files<'_> {
        Files::new(self.system, &self.document.root, self.context.snapshot.encoding)
    }

    fn symbol(&self) -> Option<Symbol> {
        super::symbol::at(&self.modules, self.path, &self.document.text, self.offset)
    }

    /// All places of a variable. Errors: a file in which they cannot be found.
    fn occurrences(&self, symbol: &Symbol) -> Result<Vec<Occurrence>, String> {
        let all = snapshot::all_files(&MACHINE, &self.document.root);
        super::symbol::occurrences(&self.modules, &all, symbol)
    }

    /// The place of a span of a module.
    fn location(&self, contract: &Contract, span: Span) -> Location {
        let mut files = self.files();
        let path = files.path(&contract.module.sources.file(span.file).path);
        let file = files.file(&path);
        let range = file.1.range(span.range(), files.encoding);
        Location { uri: file_uri(&path, &self.context.snapshot), range }
    }

    fn occurrence(&self, it: &Occurrence, files: &mut Files<'_>) -> Location {
        let range = files.file(&it.file).1.range(it.name.clone(), files.encoding);
        Location { uri: file_uri(&it.file, &self.context.snapshot), range }
    }
}
