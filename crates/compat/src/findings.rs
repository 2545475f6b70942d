//! Makes findings of changes, with their spans on both sides.

use std::collections::{BTreeMap, BTreeSet};

use crate::described::Described;
use diagnostics::{Bump, Diagnostic, Finding, Lint, LintId, Location, Role, Sources, Span, lints};
use smol_str::SmolStr;
use tf_value::{Value, typeexpr::value_source};

/// The files of both states.
pub struct Sides<'a> {
    pub sources: &'a [Sources; 2],
    pub prefix: [&'a str; 2],
    /// The schemas that replace modules.
    pub described: [Option<&'a Described>; 2],
}

impl Sides<'_> {
    /// Whether a comment in the new files silences the change.
    pub fn is_ignored(&self, change: &Change) -> bool {
        // JSON has no comments.
        if self.described[State::Head.index()].is_some() {
            return false;
        }
        let in_head = change.spans.iter().filter(|it| it.state == State::Head);
        let diagnostic = Diagnostic::new(change.rule, change.summary.clone());
        let diagnostic = in_head.fold(diagnostic, |it, at| it.at(Role::Declaration, at.span));
        let sources = &self.sources[State::Head.index()];
        !diagnostic.labels.is_empty() && check::is_silenced(diagnostic, sources)
    }
}

/// How many outputs one note names.
const NAMED: usize = 3;

/// Folds the notes about outputs whose type only a plan knows into one, if there are several.
pub fn folded(changes: Vec<Change>) -> Vec<Change> {
    let is_open = |it: &Change| it.rule == &lints::UNDECIDED_OUTPUT;
    let (open, mut out): (Vec<Change>, Vec<Change>) = changes.into_iter().partition(is_open);
    if open.len() < 2 {
        out.extend(open);
        return out;
    }
    let names = open.iter().filter_map(|it| it.output.as_ref()).take(NAMED);
    let mut text = names.map(|it| format!("\"{it}\"")).collect::<Vec<_>>().join(", ");
    let more = open.len().saturating_sub(NAMED);
    if more > 0 {
        text += &format!(" and {more} more");
    }
    let summary = format!("The expressions of {} outputs changed", open.len());
    let mut all = Change::new(&lints::UNDECIDED_OUTPUT, Bump::Patch, summary)
        .detail(format!("Only a plan can decide whether their types changed too: {text}."));
    all.spans = open.into_iter().take(NAMED).flat_map(|it| it.spans).collect();
    out.push(all);
    out
}

/// The `source` that a call writes for a module at a path: `./modules/net`.
pub fn source(path: &str) -> String {
    match path {
        "." => "./".to_owned(),
        path if path.starts_with(['/', '.']) => path.to_owned(),
        path => format!("./{path}"),
    }
}

/// A change as a finding of the module.
pub fn finding(change: &Change, sides: &Sides<'_>, path: &str) -> Finding {
    let mut locations: Vec<Location> = change
        .spans
        .iter()
        .filter_map(|it| {
            let at = it.state.index();
            let span = match sides.described[at] {
                Some(described) => described.spans.get(change.variable.as_ref()?)?.0,
                None => it.span,
            };
            let location = Location::new(it.role, span, it.text, &sides.sources[at]);
            Some(Location { file: format!("{}{}", sides.prefix[at], location.file), ..location })
        })
        .collect();
    locations.dedup_by(|one, other| {
        (&one.file, one.line, one.column) == (&other.file, other.line, other.column)
    });
    let message = match change.detail.as_str() {
        "" => change.summary.clone(),
        detail => format!("{}: {detail}", change.summary),
    };
    let help = change
        .witness
        .as_ref()
        .map(|it| format!("this call {}\n{}", it.outcome, it.block(&source(path))));
    Finding {
        rule: LintId::from(change.rule),
        level: change.rule.level,
        bump: Some(change.bump),
        message,
        module: path.to_owned(),
        address: smol_str::SmolStr::default(),
        variable: change.variable.as_ref().map(ToString::to_string),
        variables: Vec::new(),
        validation: None,
        path: None,
        policy: None,
        later: false,
        locations,
        values_files: Vec::new(),
        help,
        fix: None,
        cause: None,
    }
}

// A change of a contract, before it becomes a finding.

/// One of the two states that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Base,
    Head,
}

/// A span that a change concerns.
#[derive(Clone, Debug)]
pub struct ChangeSpan {
    pub state: State,
    pub role: Role,
    pub span: Span,
    pub text: &'static str,
}

/// Something in a contract that changed.
#[derive(Clone, Debug)]
pub struct Change {
    pub rule: &'static Lint,
    /// The version that it requires. It does not depend on the level of its finding.
    pub bump: Bump,
    pub summary: String,
    pub detail: String,
    /// The release before which it is major, if only older ones are concerned: `1.9`.
    pub major_before: Option<String>,
    pub variable: Option<SmolStr>,
    pub output: Option<SmolStr>,
    /// The first is the primary one.
    pub spans: Vec<ChangeSpan>,
    pub witness: Option<Witness>,
}

/// Arguments that show what a change does.
#[derive(Clone, Debug)]
pub struct Witness {
    pub arguments: BTreeMap<SmolStr, Value>,
    /// Variables whose values are not shown.
    pub hidden: BTreeSet<SmolStr>,
    /// Whether the call has `count`.
    pub count: bool,
    /// What the new contract does with them, in words.
    pub outcome: String,
}

impl Witness {
    /// The arguments as a `module` block.
    pub fn block(&self, source: &str) -> String {
        let width = self.arguments.keys().map(SmolStr::len).max().unwrap_or(0).max(6);
        let mut out = "module \"example\" {\n".to_owned();
        out += &format!("  {:width$} = {}\n", "source", value_source(&Value::string(source)));
        if self.count {
            out += &format!("  {:width$} = 1\n", "count");
        }
        for (name, value) in &self.arguments {
            if self.hidden.contains(name) {
                out += &format!("  # {name} is hidden: its value is not shown\n");
            } else {
                out += &format!("  {name:width$} = {}\n", value_source(value));
            }
        }
        out + "}"
    }
}

impl Change {
    pub fn new(rule: &'static Lint, bump: Bump, summary: impl Into<String>) -> Change {
        Change {
            rule,
            bump,
            summary: summary.into(),
            detail: String::new(),
            major_before: None,
            variable: None,
            output: None,
            spans: Vec::new(),
            witness: None,
        }
    }

    pub fn detail(mut self, detail: impl Into<String>) -> Change {
        self.detail = detail.into();
        self
    }

    pub fn variable(mut self, name: &SmolStr) -> Change {
        self.variable = Some(name.clone());
        self
    }

    pub fn output(mut self, name: &SmolStr) -> Change {
        self.output = Some(name.clone());
        self
    }

    /// Adds a span.
    pub fn at(self, state: State, span: Span) -> Change {
        self.at_with(state, span, "")
    }

    pub fn at_with(mut self, state: State, span: Span, text: &'static str) -> Change {
        self.spans.push(ChangeSpan { state, role: Role::Declaration, span, text });
        self
    }

    pub fn witness(mut self, witness: impl Into<Option<Witness>>) -> Change {
        self.witness = witness.into();
        self
    }
}
