//! Changes as findings, with their places on both sides.

use super::change::{Change, State};
use crate::{
    check,
    diagnostic::{Diagnostic, Finding, Level, Location, Role, RuleId, Sources},
    report::Bump,
};

/// The files of both states.
pub struct Sides<'a> {
    pub sources: &'a [Sources; 2],
    pub prefix: [&'a str; 2],
}

impl Sides<'_> {
    /// The finding, unless a comment in the new files silences it.
    pub fn unless_ignored(&self, change: &Change, finding: Finding) -> Option<Finding> {
        let in_head = change.places.iter().filter(|it| it.state == State::Head);
        let diagnostic = Diagnostic::new(change.rule, change.summary.clone());
        let diagnostic = in_head.fold(diagnostic, |it, at| it.at(Role::Declaration, at.span));
        let sources = &self.sources[State::Head.index()];
        let is_silenced = !diagnostic.labels.is_empty() && check::is_silenced(diagnostic, sources);
        (!is_silenced).then_some(finding)
    }
}

/// What a call writes as the source of a module.
pub fn source(path: &str) -> String {
    match path {
        "." => "./".to_owned(),
        path if path.starts_with(['/', '.']) => path.to_owned(),
        path => format!("./{path}"),
    }
}

/// A change as a finding of the module.
pub fn finding(change: &Change, sides: &Sides<'_>, path: &str) -> Finding {
    let locations = change.places.iter().map(|it| {
        let at = it.state.index();
        let location = Location::new(it.role, it.span, it.text, &sides.sources[at]);
        Location { file: format!("{}{}", sides.prefix[at], location.file), ..location }
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
        rule: RuleId::from(change.rule),
        level: level(change.level),
        message,
        module: path.to_owned(),
        address: smol_str::SmolStr::default(),
        variable: change.variable.as_ref().map(ToString::to_string),
        validation: None,
        path: None,
        policy: None,
        locations: locations.collect(),
        help,
        fix: None,
    }
}

fn level(bump: Bump) -> Level {
    match bump {
        Bump::Major => Level::Error,
        Bump::CannotTell => Level::Warning,
        Bump::None | Bump::Patch | Bump::Minor => Level::Note,
    }
}

/// What a change asks for where the configuration gives its finding another level: an error is major, and
/// what is less than that is minor at most.
pub fn effective(change: &Change, configured: Level) -> Bump {
    if level(change.level) == configured {
        return change.level;
    }
    match configured {
        Level::Error => Bump::Major,
        Level::Warning | Level::Note => change.level.min(Bump::Minor),
    }
}
