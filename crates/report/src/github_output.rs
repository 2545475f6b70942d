//! Outputs of a step of GitHub Actions: `NAME=VALUE` lines for the file `$GITHUB_OUTPUT`.

use super::{ModuleReport, Report, Status};

/// `drifted-modules` is a JSON array of directories, for a matrix; `findings` is their number.
pub(super) fn render(report: &Report) -> String {
    let drifted =
        |it: &&ModuleReport| matches!(it.status, Status::Stale | Status::Missing | Status::Written);
    let drifted: Vec<&str> =
        report.modules().iter().filter(drifted).map(|it| it.path.as_str()).collect();
    let drifted = serde_json::to_string(&drifted).unwrap_or_default();
    let files = &report.values_files;
    let mut out = format!(
        "drifted-modules={drifted}\nfindings={}\nmodules={}\nvalues-files={}\n\
         values-files-without-module={}\n",
        report.findings.len(),
        report.modules().len(),
        files.judged.len(),
        files.without_module.len()
    );
    if !files.not_judged.is_empty() {
        out += &format!("values-files-not-judged={}\n", files.not_judged.len());
    }
    if report.baselined() > 0 {
        out += &format!("baselined={}\n", report.baselined());
    }
    out
}
