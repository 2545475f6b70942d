//! A values file whose values stay.

use std::path::Path;

use super::{SkeletonForm, SkeletonRequest, entries::withheld};
use check::ReadModule;
use compat::Arguments;
use diagnostics::{Diagnostic, Sources, visible_line};
use module::inputs::{
    GivenValue, InputSource, Layer, ValuesFile, ValuesFormat, collect, is_json_file, read_file,
};
use system::{System, paths};
use tf_eval::Meter;

/// What a values file has set.
pub struct From {
    /// The values of declared variables.
    pub values: Arguments,
    /// Names that the module does not declare.
    undeclared: Vec<String>,
    /// Notes about sensitive variables that the file sets.
    withheld: Vec<String>,
    /// The text of a file in HCL, as it is and without its sensitive values.
    texts: Option<(String, String)>,
}

/// Reads the file. Errors: it cannot be read, or has errors.
pub fn read(system: &dyn System, path: &Path, module: &ReadModule) -> Result<From, String> {
    let shown = paths::display(path);
    let mut sources = Sources::new();
    let (file, problems) = read_file(system, path, ValuesFormat::OfContent, &mut sources);
    let problem = |sources: &Sources, it: &Diagnostic| {
        let place = it.span().map(|span| {
            let at = sources.file(span.file).position(span.start);
            format!(":{}:{}", at.line, at.column)
        });
        let place = place.unwrap_or_default();
        format!("{}{place}: {}", visible_line(&shown), it.message())
    };
    if let Some(it) = problems.iter().find(|it| it.is_error()) {
        return Err(problem(&sources, it));
    }
    let Some(ValuesFile { file, entries, .. }) = file else {
        return Err(format!("{}: the file was not read", visible_line(&shown)));
    };
    let variables = &module.module().variables;
    let undeclared = entries.keys().filter(|it| !variables.contains_key(*it));
    let undeclared = undeclared.map(ToString::to_string).collect();
    let hidden = |name: &str| variables.get(name).filter(|it| it.is_hidden());
    let withheld = entries.keys().filter_map(|it| hidden(it)).map(withheld).collect();
    let is_native = !is_json_file(&shown)
        && entries.values().all(|it| matches!(*it.given, GivenValue::Expr(_)));
    let texts = is_native.then(|| {
        let whole = sources.file(file).text().into_owned();
        let mut public = whole.clone();
        let spans = entries.iter().filter_map(|(name, it)| Some((hidden(name)?, it)));
        let mut spans: Vec<_> = spans.collect();
        spans.reverse();
        for (variable, it) in spans {
            let (start, end) = (it.name_span.range().start, it.given.span().range().end);
            if public.is_char_boundary(start) && public.is_char_boundary(end) && start <= end {
                // The end of a heredoc is the end of a line.
                let end_of_line = if public[start..end].ends_with('\n') { "\n" } else { "" };
                let note = format!("# {}{end_of_line}", self::withheld(variable));
                public.replace_range(start..end, &note);
            } else {
                public.clear();
            }
        }
        (whole, public)
    });
    let layer = Layer { origin: InputSource::File(shown.clone()), entries, repeated: Vec::new() };
    let meter = Meter::default();
    let (collected, problems) = collect(variables, vec![layer], module.release(), &meter);
    if let Some(it) = problems.iter().find(|it| it.is_error()) {
        return Err(problem(&sources, it));
    }
    let values = collected.into_iter().map(|(name, it)| (name, it.value.unmark_deep().0)).collect();
    Ok(From { values, undeclared, withheld, texts })
}

impl From {
    /// The text to go on from; `None` for JSON.
    pub fn text(&self, reveals: bool) -> Option<String> {
        let (whole, public) = self.texts.as_ref()?;
        Some(if reveals { whole } else { public }.clone())
    }

    /// What the user should know.
    pub fn notes(&self, request: SkeletonRequest<'_>) -> Vec<String> {
        let is_kept = request.form == SkeletonForm::Tfvars && self.texts.is_some();
        let what = if is_kept { "kept" } else { "left out" };
        let undeclared = self.undeclared.iter();
        let mut out: Vec<String> = undeclared
            .map(|it| format!("the module declares no variable \"{}\"; {what}", visible_line(it)))
            .collect();
        if !request.reveals {
            out.extend(self.withheld.iter().cloned());
        }
        out
    }
}
