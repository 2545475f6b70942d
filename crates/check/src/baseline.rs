//! The baselines of a run: read, applied to the findings, and with `--write-baseline` written.
//!
//! A baseline is made for git: one entry a line, sorted, so that two branches rarely change neighbouring
//! lines. It holds no message and no value. The hash is of the message as every report shows it, without
//! values of sensitive variables: a guess at the text behind a hash reveals no secret.

use std::{
    collections::{BTreeMap, HashMap},
    fmt::Write,
    io::ErrorKind,
    path::{Path, PathBuf},
};

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::{CheckRequest, UNREADABLE, rules::missing_variable};
use config::Configurations;
use diagnostics::{Diagnostic, Finding, Role, Sources, Span, lints, visible_json};
use hcl::json;
use report::{Baseline, BaselineEntry, BaselineKey, Report, WrittenBaseline};
use system::{EntryKind, ExpectedContent, System, paths};

/// The first line of every baseline, by which a file is recognised as one.
const HEADER: &str = r#"{"terraschema_baseline":1}"#;

/// The baselines that apply to a run.
pub(super) struct Known<'a> {
    request: &'a CheckRequest,
    system: &'a dyn System,
    configurations: &'a Configurations<'a>,
    current_dir: PathBuf,
    /// The file (absolute) to write.
    target: Option<PathBuf>,
    /// What the file to write held when it was read; `None` if there was none.
    before: Option<Vec<u8>>,
    /// The baselines by file (absolute).
    files: BTreeMap<PathBuf, Baseline>,
}

impl<'a> Known<'a> {
    /// Reads every baseline that the configurations read so far name, and the one to be written. Also
    /// returns the errors.
    pub fn read(
        request: &'a CheckRequest,
        system: &'a dyn System,
        configurations: &'a Configurations<'a>,
    ) -> std::io::Result<(Known<'a>, Vec<Finding>)> {
        let current_dir = system.current_dir()?;
        let target = request.write_baseline.as_ref();
        let target = target.map(|it| paths::clean(&current_dir.join(it)));
        let (files, mut problems) = (BTreeMap::new(), Vec::new());
        let before = None;
        let mut known =
            Known { request, system, configurations, current_dir, target, before, files };
        let configured = configurations.baselines().into_iter();
        for path in configured.chain(known.target.clone()) {
            let file = paths::display(&paths::relative(&known.current_dir, &path));
            let is_target = known.target.as_ref() == Some(&path);
            let entries = match system.read(&path) {
                Ok(bytes) => {
                    if is_target {
                        known.before = Some(bytes.clone());
                    }
                    parse(&file, bytes, is_target).map_err(|it| *it)
                }
                // The file is about to be written.
                Err(error) if error.kind() == ErrorKind::NotFound && is_target => {
                    Ok(BTreeMap::new())
                }
                Err(error) => {
                    let why = match error.kind() {
                        ErrorKind::NotFound => format!("the file \"{file}\" does not exist"),
                        _ => format!("{file}: {error}"),
                    };
                    Err(configurations.unreadable_baseline(&path, &why))
                }
            };
            let entries = entries.map_err(|it| problems.push(it)).unwrap_or_default();
            known.files.insert(path, Baseline { file, entries, ..Baseline::default() });
        }
        problems.dedup();
        Ok((known, problems))
    }

    /// Whether there is no baseline.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Removes known findings from a sorted report; with `--write-baseline` makes them known first.
    /// `is_whole`: everything below the request's targets was checked.
    pub fn settle(mut self, report: &mut Report, is_whole: bool) {
        if self.files.is_empty() {
            return;
        }
        let findings = std::mem::take(&mut report.findings);
        report.findings = findings.into_iter().flat_map(|it| self.taken_apart(it)).collect();
        let mut found: HashMap<PathBuf, Vec<(Finding, BaselineKey)>> = HashMap::new();
        for finding in &report.findings {
            if let Some((file, key)) = self.key(finding) {
                found.entry(file).or_default().push((finding.clone(), key));
            }
        }
        for (path, baseline) in &mut self.files {
            let is_configured = self.configurations.baselines().contains(path);
            let found = found.remove(path).unwrap_or_default();
            let dir = path.parent().unwrap_or(path);
            let is_whole = is_whole && covers(self.request, &self.current_dir, dir);
            if self.target.as_ref() == Some(path) {
                let is_whole = is_whole && self.request.shard.is_none();
                let before = std::mem::take(&mut baseline.entries);
                baseline.entries = updated(before, &found, is_whole);
                let text = text(&baseline.entries);
                let file = baseline.file.clone();
                match replaced(self.system, path, self.before.as_deref(), &text) {
                    Ok(()) => {
                        if let Some(checked) = report.checked_mut() {
                            checked.baseline = Some(WrittenBaseline { file, is_configured });
                        }
                    }
                    Err(error) => {
                        report.failures.push(format!("cannot write the baseline: {error}"));
                    }
                }
            }
            baseline.unused_level =
                is_whole.then(|| self.configurations.level_of_unused(path)).flatten();
            let is_listed = |it: &(Finding, BaselineKey)| baseline.entries.contains_key(&it.1);
            baseline.found = found.into_iter().filter(is_listed).collect();
        }
        let baselines: Vec<Baseline> = self.files.into_values().collect();
        report.settle(&baselines);
        if let Some(part) = report.checked_mut().and_then(|it| it.part.as_mut()) {
            part.baselines = baselines;
        }
    }

    /// A finding about several variables: one for each that a baseline lists or is about to list, and one for all
    /// others. So the finding is not new when some of the variables get their values.
    fn taken_apart(&self, finding: Finding) -> Vec<Finding> {
        let names: Vec<String> = finding.variables.iter().map(ToString::to_string).collect();
        let about = |names: &[String]| missing_variable::about(&finding, names);
        let is_listed = |it: &Finding| {
            let Some((file, key)) = self.key(it) else { return false };
            self.target.as_ref() == Some(&file)
                || self.files.get(&file).is_some_and(|listed| listed.entries.contains_key(&key))
        };
        let is_known =
            |name: &String| about(std::slice::from_ref(name)).is_some_and(|it| is_listed(&it));
        let (known, new): (Vec<String>, Vec<String>) = names.into_iter().partition(is_known);
        let mut all: Vec<Finding> =
            known.iter().filter_map(|it| about(std::slice::from_ref(it))).collect();
        if known.is_empty() {
            return vec![finding];
        }
        all.extend(about(&new).filter(|_| !new.is_empty()));
        all
    }

    /// The baseline (absolute) that governs a finding, and the finding's entry in it. A finding that
    /// something could not be read is never known, since nobody has seen what it hides.
    fn key(&self, finding: &Finding) -> Option<(PathBuf, BaselineKey)> {
        let rule = &finding.rule;
        if rule.is_one_of(&UNREADABLE) || *rule == lints::INVALID_CONFIGURATION {
            return None;
        }
        let place = finding.locations.first().and_then(|it| Path::new(&it.file).parent());
        // A finding in a called module is reported once, with whichever caller comes first, so its own
        // place identifies it.
        let is_its_own = finding.address.is_empty() && !finding.module.is_empty();
        let module = if is_its_own { Some(Path::new(&finding.module)) } else { place };
        let module = module.unwrap_or(Path::new(&finding.module));
        let absolute = paths::clean(&self.current_dir.join(module));
        // A nearer baseline cannot make a finding known that an outer file demands.
        let demanding = finding.policy.as_ref().and_then(|it| it.demanded_by.as_deref());
        let file = match demanding {
            Some(demanding) => self.configurations.baseline_up_to(&absolute, demanding),
            None => self.configurations.baseline(&absolute),
        };
        let file = file.or_else(|| self.target.clone())?;
        let base = file.parent().unwrap_or(&file);
        let key = BaselineKey {
            module: paths::display(&paths::relative(base, &absolute)),
            rule: finding.rule.clone(),
            variable: finding.variable.clone(),
            validation: finding.validation,
            message: hash(&self.without_places(finding)),
        };
        Some((file, key))
    }

    /// The message without lines and columns, and with only the last name of each path, so that it is
    /// the same from every directory.
    fn without_places(&self, finding: &Finding) -> String {
        let word = |word: &str| {
            let bare = word.trim_matches(|it| "\"'`,;:()".contains(it));
            let (path, rest) = bare.split_once(':').unwrap_or((bare, ""));
            let is_file = finding.locations.iter().any(|it| it.file == path);
            let name = Path::new(path).file_name().and_then(|it| it.to_str());
            let Some(name) = name.filter(|_| is_file || self.is_path(path)) else {
                return without_numbers(word);
            };
            let is_place = |it: char| it.is_ascii_digit() || ",:".contains(it);
            let rest = if rest.chars().all(is_place) { "" } else { rest };
            word.replacen(bare, &format!("{name}{rest}"), 1)
        };
        let mut words: Vec<String> = Vec::new();
        for it in finding.message.split_whitespace() {
            let follows = |what: &str| words.last().is_some_and(|it| it.ends_with(what));
            if (follows("line") || follows("lines"))
                && it.starts_with(|it: char| it.is_ascii_digit())
            {
                continue;
            }
            words.push(word(it));
        }
        words.join(" ")
    }

    /// Whether a word is a path: the source of a module, or something in a directory that exists.
    /// `10.0.0.0/8` is neither.
    fn is_path(&self, word: &str) -> bool {
        let is_dir = |path: &Path| {
            let found = self.system.kind(&paths::clean(&self.current_dir.join(path)));
            found.is_ok_and(|it| it == EntryKind::Directory)
        };
        let is_source = word.starts_with("./") || word.starts_with("../");
        is_source || (word.contains('/') && Path::new(word).parent().is_some_and(is_dir))
    }
}

/// Writes a baseline in place of what was read, unless nothing changes.
fn replaced(
    system: &dyn System,
    path: &Path,
    before: Option<&[u8]>,
    text: &str,
) -> std::io::Result<()> {
    if before == Some(text.as_bytes()) {
        return Ok(());
    }
    let expected = before.map_or(ExpectedContent::Nothing, ExpectedContent::Bytes);
    system.replace(path, expected, text.as_bytes())
}

/// Removes `:12,3` or `:12:3`, a place in a file, from the end of a word.
fn without_numbers(word: &str) -> String {
    let end = word.trim_end_matches(|it| ".;)\"'`".contains(it)).len();
    let (body, tail) = word.split_at(end);
    let Some((path, numbers)) = body.split_once(':') else { return word.to_owned() };
    let mut parts = numbers.split([',', ':']);
    let is_number = |text: &str| !text.is_empty() && text.chars().all(|it| it.is_ascii_digit());
    let is_place = path.contains('.') && parts.all(is_number);
    if is_place { format!("{path}{tail}") } else { word.to_owned() }
}

/// Whether a run checks everything below a directory (absolute).
fn covers(request: &CheckRequest, current_dir: &Path, dir: &Path) -> bool {
    if request.targets.is_empty() {
        return dir.starts_with(current_dir);
    }
    request.targets.iter().any(|it| dir.starts_with(paths::clean(&current_dir.join(it))))
}

/// The entries after a run. A run that did not check everything removes none.
fn updated(
    before: BTreeMap<BaselineKey, u64>,
    found: &[(Finding, BaselineKey)],
    is_whole: bool,
) -> BTreeMap<BaselineKey, u64> {
    let mut now: BTreeMap<BaselineKey, u64> = BTreeMap::new();
    for (_, key) in found {
        *now.entry(key.clone()).or_default() += 1;
    }
    if !is_whole {
        for (key, count) in before {
            let entry = now.entry(key).or_default();
            *entry = (*entry).max(count);
        }
    }
    now
}

/// 64 bits of SHA-256, in hexadecimal: enough to keep the messages of one rule apart.
fn hash(message: &str) -> String {
    let digest = Sha256::digest(message);
    digest.iter().take(8).fold(String::new(), |mut hex, byte| {
        _ = write!(hex, "{byte:02x}");
        hex
    })
}

fn text(entries: &BTreeMap<BaselineKey, u64>) -> String {
    let mut out = format!("{HEADER}\n");
    for (key, count) in entries {
        let entry = BaselineEntry { key: key.clone(), count: *count };
        out += &serde_json::to_string(&entry).unwrap_or_default();
        out.push('\n');
    }
    visible_json(out)
}

/// The entries of a baseline. If several lines have one key, as after a merge, the highest count wins.
/// One that is written again may be empty and have lines that cannot be read, but a file that is not a
/// baseline is never overwritten.
fn parse(
    file: &str,
    bytes: Vec<u8>,
    is_target: bool,
) -> Result<BTreeMap<BaselineKey, u64>, Box<Finding>> {
    let mut sources = Sources::default();
    let text = json::decoded(&bytes).map(|it| it.into_owned().into_bytes());
    let id = sources.add(file, text.unwrap_or(bytes));
    let text = sources.file(id).text().into_owned();
    let (mut entries, mut at, mut has_header) = (BTreeMap::new(), 0, false);
    for line in text.split_inclusive('\n') {
        let span = Span::new(id, at, at + line.trim_end().len());
        at += line.len();
        let refuse = |why: &str, help: String| {
            let problem =
                Diagnostic::new(&lints::INVALID_CONFIGURATION, "The baseline is not valid");
            let problem = problem.detail(format!("{why}.")).at(Role::Declaration, span).help(help);
            Box::new(Finding::new(&problem, "", &sources))
        };
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        if !has_header {
            if line.replace(' ', "") != HEADER {
                let help = "name a baseline, or a file that does not exist yet".to_owned();
                return Err(refuse(&format!("the first line of every baseline is {HEADER}"), help));
            }
            has_header = true;
            continue;
        }
        match entry(line) {
            Ok(BaselineEntry { key, count }) => {
                let known: &mut u64 = entries.entry(key).or_default();
                *known = (*known).max(count);
            }
            Err(_) if is_target => (),
            Err(why) => {
                let again = format!("`terraschema check --write-baseline {file}`");
                let help = format!("remove the line, or write the file again with {again}");
                return Err(refuse(&why, help));
            }
        }
    }
    let empty = || {
        let problem = Diagnostic::new(&lints::INVALID_CONFIGURATION, "The baseline is empty");
        let help = format!("write it with `terraschema check --write-baseline {file}`");
        let problem = problem.help(help);
        let place = Span::new(id, 0, 0);
        Box::new(Finding::new(&problem.at(Role::Declaration, place), "", &sources))
    };
    if has_header || is_target { Ok(entries) } else { Err(empty()) }
}

/// A line after the first. Errors: why it is not an entry.
fn entry(line: &str) -> Result<BaselineEntry, String> {
    if ["<<<<<<<", "=======", ">>>>>>>", "|||||||"].iter().any(|it| line.starts_with(it)) {
        return Err("the line is a conflict marker of a merge".to_owned());
    }
    let entry: Value = serde_json::from_str(line).map_err(|_| "the line is not JSON".to_owned())?;
    serde_json::from_value(entry).map_err(|it| it.to_string())
}
