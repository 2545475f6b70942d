//! Reports and their formats. (How each renders the sample is documented in `tests/spec/report`.)

use std::fs;

use diagnostics::{Excerpt, Level, Sources};
use report::{
    Baseline, BaselineKey, Checked, Compat, Format, NotJudged, NotJudgedKind, PolicyRun, Report,
    ReportBody, ShardPart, Style, UsedSuppression, Verdict, from_json, render,
};
use serde_json::{Value, json};
use testkit::report::sample;
use unicode_segmentation::UnicodeSegmentation;

/// The lines after the findings.
fn last_lines(report: &Report, style: Style) -> String {
    let mut report = report.clone();
    report.findings.clear();
    report.checked_mut().into_iter().for_each(|it| it.modules.clear());
    render(&report, Format::Human, style)
}

fn call(name: &str) -> NotJudged {
    let address = format!("module.{name}");
    let reason = format!("its source \"a/{name}/aws\" is not here");
    let what = NotJudgedKind::Call { address, reason, locations: Vec::new() };
    NotJudged { module: ".".into(), what }
}

fn resources(count: usize) -> NotJudged {
    NotJudged { module: ".".into(), what: NotJudgedKind::Resources(count) }
}

fn open_rule() -> NotJudged {
    let is_rule = |it: &NotJudged| matches!(it.what, NotJudgedKind::Rule(_));
    sample().not_judged.into_iter().find(is_rule).unwrap()
}

#[test]
fn a_verdict_says_what_it_leaves_out() {
    let accepted = "accepted: Terraform would accept these inputs\n";
    let providers =
        "accepted, apart from what providers check: Terraform would accept these inputs\n";
    let away = "accepted, apart from modules that are not available: Terraform would accept these inputs\n";
    let both = "accepted, apart from what providers check and modules that are not available: Terraform would accept \
                these inputs\n";
    let vpc = "module.vpc (its source \"a/vpc/aws\" is not here)";
    let one = format!("not judged: {vpc}\n{away}");
    let mixed = format!(
        "not judged: {vpc}; 12 resources, whose arguments only their providers know\n{both}"
    );
    let single =
        format!("not judged: {vpc}; 1 resource, whose arguments only its provider knows\n{both}");
    let many = format!(
        "not judged: 4 calls of modules that are not available (list them with -v)\n{both}"
    );
    let four: Vec<NotJudged> = ["a", "b", "c", "d"].map(call).to_vec();
    for (not_judged, expected) in [
        (vec![], accepted),
        (vec![resources(12)], providers),
        (vec![call("vpc")], &one),
        (vec![call("vpc"), resources(12)], &mixed),
        (vec![call("vpc"), resources(1)], &single),
        ([four, vec![resources(1)]].concat(), &many),
    ] {
        let mut report = Report::default();
        (report.body, report.not_judged) = (ReportBody::Verdict(Verdict::Accept), not_judged);
        assert_eq!(last_lines(&report, Style::default()), expected);
        let quiet = last_lines(&report, Style { quiet: true, ..Style::default() });
        assert_eq!(quiet, expected.lines().last().unwrap().to_owned() + "\n");
    }
    let not_judged = vec![call("vpc"), resources(12)];
    let report = |verdict| {
        let mut report = Report::default();
        (report.body, report.not_judged) = (ReportBody::Verdict(verdict), not_judged.clone());
        report
    };
    let rejected = last_lines(&report(Verdict::Reject), Style::default());
    assert_eq!(rejected, "rejected: Terraform would reject these inputs\n");
    let undecided = last_lines(&report(Verdict::Undecided), Style::default());
    let line = mixed.lines().next().unwrap();
    assert_eq!(undecided, format!("{line}\nundecided: only a plan can decide\n"));
}

#[test]
fn a_check_counts_what_it_leaves_out() {
    let rules = "not judged: 1 rule that only a plan can decide (list them with -v)\n";
    let calls = "not judged: 2 calls of modules that are not available (list them with -v)\n";
    let both = "not judged: 3 rules that only a plan can decide; 1 call of a module that is not available \
                (list them with -v)\n";
    for (not_judged, expected) in [
        (vec![], ""),
        (vec![resources(12)], ""),
        (vec![open_rule(), resources(1)], rules),
        (vec![call("a"), call("b")], calls),
        (vec![open_rule(), open_rule(), open_rule(), call("a"), resources(1)], both),
    ] {
        let report = Report { not_judged, ..Report::default() };
        let counts = "0 errors, 0 warnings in 0 modules\n";
        assert_eq!(last_lines(&report, Style::default()), format!("{expected}{counts}"));
        assert_eq!(last_lines(&report, Style { quiet: true, ..Style::default() }), "");
        let text = render(&report, Format::Markdown, Style::default());
        let folded = expected.trim_end().trim_end_matches(" (list them with -v)");
        let folded = format!("<details><summary>{folded}</summary>");
        assert_eq!(text.contains(&folded), !expected.is_empty(), "{text}");
        assert_eq!(text.contains("<details>"), !expected.is_empty(), "{text}");
    }
}

/// What is not a result is not listed among the results.
#[test]
fn dashboards_get_results_alone() {
    let all = sample();
    let mut none = sample();
    none.not_judged.clear();
    for (name, format) in Format::ALL {
        let text = |it: &Report| render(it, format, Style::default());
        let shows = ["human", "json", "markdown"].contains(&name);
        assert_eq!(text(&all) != text(&none), shows, "{name}");
    }
}

#[test]
fn an_older_report_left_nothing_out() {
    let mut report: Value =
        serde_json::from_str(&render(&sample(), Format::Json, Style::default())).unwrap();
    report["format_version"] = "1.0".into();
    assert_eq!(from_json(&report.to_string()).unwrap().not_judged.len(), 3);
    report["not_judged"][0]["kind"] = "forged".into();
    assert!(from_json(&report.to_string()).is_err());
    report.as_object_mut().unwrap().remove("not_judged");
    assert_eq!(from_json(&report.to_string()).unwrap().not_judged, []);
}

/// What acts on a terminal, reorders a line, or is not seen.
const RAW: &str = "\0\x07\x08\x0b\x0c\r\x1b[2J\x1b]8;;http://x\x1b\\\x7f\u{85}\u{9b}31m\u{ad}\u{61c}\u{180e}\u{200b}\u{200e}\u{200f}\u{2028}\u{2029}\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\u{2060}\u{2066}\u{2067}\u{2068}\u{2069}\u{feff}\u{fffb}\u{e0001}\u{e0041}\u{34f}\u{115f}\u{2800}\u{3164}\u{ffa0}\u{e0100}";

/// A report with all of that in every text, and with lines that look like ours.
fn hostile() -> Report {
    let text = format!("a{RAW}b\nerror[forged]: c ##[error]d\n\t::error::e\n  --> f{RAW}");
    let name = format!("g{RAW}\n::error::h");
    let mut report = sample();
    report.failures = vec![text.clone()];
    for finding in &mut report.findings {
        finding.message.clone_from(&text);
        finding.help = Some(text.clone());
        finding.module.clone_from(&name);
        for at in &mut finding.locations {
            at.file.clone_from(&name);
            at.text.clone_from(&text);
            // Before the place, in it and behind it.
            let (start, end) = (text.len() + 1, text.len() + 1 + RAW.len());
            let excerpt = format!("{text}\n{RAW}{RAW}\n{text}");
            at.excerpt = Excerpt { first_line: 1, text: excerpt, start, end };
        }
    }
    report.findings[0].address = name.as_str().into();
    let locations = report.findings[0].locations.clone();
    let call = NotJudgedKind::Call { address: name.clone(), reason: text.clone(), locations };
    report.not_judged = vec![
        NotJudged { module: name.clone(), what: call },
        NotJudged { module: name.clone(), what: NotJudgedKind::Resources(1) },
        NotJudged::from_finding(report.findings[0].clone()),
    ];
    for module in &mut report.checked_mut().unwrap().modules {
        module.path.clone_from(&name);
        module.schema.clone_from(&name);
        module.diff = Some(format!("--- {name}\n+++ b\n@@ -1 +1 @@\n-{text}\n+{text}\n"));
    }
    report
}

#[test]
fn nothing_in_a_report_acts_on_a_terminal_or_a_runner() {
    let report = hostile();
    let again = from_json(&render(&report, Format::Json, Style::default())).unwrap();
    assert_eq!(again.findings, report.findings, "a machine reads what was said");
    assert_eq!((again.modules(), &again.failures), (report.modules(), &report.failures));
    assert_eq!(again.not_judged, report.not_judged);
    let mut renderings: Vec<(String, String)> = Format::ALL
        .map(|(name, format)| (name.to_owned(), render(&report, format, Style::default())))
        .to_vec();
    let verbose = render(&report, Format::Human, Style { verbose: true, ..Style::default() });
    renderings.push(("human, everything".into(), verbose));
    let mut verdict = report.clone();
    verdict.body = ReportBody::Verdict(Verdict::Undecided);
    renderings.push(("human, verdict".into(), render(&verdict, Format::Human, Style::default())));
    let colored = render(&report, Format::Human, Style { color: true, ..Style::default() });
    let own =
        ["0", "1", "31", "32", "33", "36", "91", "92", "94", "96"].map(|it| format!("\x1b[{it}m"));
    let own = own
        .into_iter()
        .chain(["1;91", "1;92", "1;93", "1;94", "1;95", "1;96"].map(|it| format!("\x1b[{it}m")));
    let colored = own.fold(colored, |text, it| text.replace(&it, ""));
    let strip = |text: &str| text.replace("\x1b[1m", "").replace("\x1b[0m", "");
    renderings.push(("human, coloured".into(), strip(&colored)));
    for (format, text) in renderings {
        let raw = |it: &char| RAW.contains(*it) && !it.is_ascii_graphic();
        assert_eq!(text.chars().find(raw), None, "{format}: {text:?}");
        if format == "github" {
            assert!(text.lines().all(|it| it.starts_with("::")), "{text}");
            assert_eq!(text.lines().count(), report.findings.len() + 1, "{text}");
            continue;
        }
        for line in text.lines() {
            let start = line.trim_start();
            assert!(!start.starts_with("::") || start.starts_with(":::"), "{format}: {line:?}");
            assert!(!line.contains("##["), "{format}: {line:?}");
            // Inside of an element or a fence a line passes for nothing.
            let is_inside = ["junit", "markdown"].contains(&format.as_str());
            assert!(is_inside || !line.starts_with("error[forged]"), "{format}: {line:?}");
        }
    }
}

#[test]
fn what_is_not_seen_is_written_the_same_way_in_every_format() {
    let mut report = sample();
    report.findings.truncate(1);
    report.findings[0].message = "a\u{202e}b\x1b".into();
    let text = |format| render(&report, format, Style::default());
    for format in [Format::Human, Format::Concise, Format::Github, Format::Markdown, Format::Junit]
    {
        assert!(text(format).contains(r"a\u{202e}b\u{1b}"), "{}", text(format));
    }
    for format in [Format::Sarif, Format::Gitlab] {
        assert!(text(format).contains(r"a\\u{202e}b\\u{1b}"), "{}", text(format));
    }
    assert!(text(Format::Json).contains(r"a\u202eb\u001b"), "{}", text(Format::Json));
}

#[test]
fn columns_are_grapheme_clusters() {
    let at = &sample().findings[0].locations[0];
    assert_eq!((at.line, at.column, at.end_column), (2, 3, 8));
    let last_line = "  \"nam\": \"é👩‍👩‍👧\",";
    let mut sources = Sources::new();
    let file = sources.add("x", last_line.as_bytes());
    let position = sources.file(file).position(u32::try_from(last_line.len()).unwrap());
    assert_eq!(position.column, 15);
}

/// However long the line is, and whatever is in it, also between two clusters.
#[test]
fn columns_of_a_long_line_are_counted_from_its_start() {
    let text = "a{é👩‍👩‍👧x\r🇩🇪🇫🇷b}e\u{301}\u{600}c".repeat(50);
    let bytes = [b"\xef\xbb\xbfx\n", text.as_bytes(), b"\xff}\r\n\n", text.as_bytes()].concat();
    let mut sources = Sources::new();
    let id = sources.add("x", bytes.clone());
    for offset in 3..=bytes.len() {
        let start = bytes[..offset].iter().rposition(|it| *it == b'\n').map_or(3, |it| it + 1);
        let line = bytes[..offset].split(|it| *it == b'\n').count();
        let column = String::from_utf8_lossy(&bytes[start..offset]).graphemes(true).count() + 1;
        let at = sources.file(id).position(u32::try_from(offset).unwrap());
        assert_eq!((at.line as usize, at.column as usize), (line, column), "{offset}");
    }
}

#[test]
fn the_json_report_reads_back() {
    let mut report = sample();
    report.body = ReportBody::Verdict(Verdict::Undecided);
    let text = render(&report, Format::Json, Style::default());
    let again = from_json(&text).unwrap();
    assert_eq!(render(&again, Format::Json, Style::default()), text);
    assert_eq!((again.findings.len(), again.not_judged.len()), (4, 3));
    assert_eq!(again, report);
    let forged = text.replace("\"missing-schema\"", "\"](http://x) @team\"");
    assert!(forged != text && from_json(&forged).is_err(), "a rule is called as rules are");
    for broken in ["", "[]", "{}", r#"{"format_version": "2.0"}"#, r#"{"format_version": "1.0"}"#] {
        assert!(from_json(broken).is_err(), "{broken}");
    }
}

#[test]
fn the_json_report_follows_its_published_schema() {
    let schema = fs::read_to_string("docs/report.schema.json").unwrap();
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let validator = jsonschema::draft7::new(&schema).unwrap();
    let mut verdict = sample();
    verdict.body = ReportBody::Verdict(Verdict::Reject);
    for report in [sample(), verdict, Report::default()] {
        let text = render(&report, Format::Json, Style::default());
        let found: Vec<String> = validator
            .iter_errors(&serde_json::from_str(&text).unwrap())
            .map(|it| format!("{}: {it}", it.instance_path()))
            .collect();
        assert_eq!(found, Vec::<String>::new());
    }
    let empty = serde_json::json!({"format_version": "1.0"});
    assert!(!validator.is_valid(&empty), "the schema asks for something");
}

#[test]
fn machine_formats_are_valid_json() {
    for format in [Format::Json, Format::Sarif, Format::Gitlab] {
        for report in [sample(), Report::default()] {
            let text = render(&report, format, Style::default());
            assert!(serde_json::from_str::<Value>(&text).is_ok(), "{format:?}: {text}");
        }
    }
}

#[test]
fn github_says_how_many_it_left_out() {
    let mut report = sample();
    let error = report.findings.iter().find(|it| it.level == Level::Error).unwrap().clone();
    report.findings.extend(std::iter::repeat_n(error, 14));
    let text = render(&report, Format::Github, Style::default());
    let errors: Vec<&str> = text.lines().filter(|it| it.starts_with("::error")).collect();
    assert_eq!(errors.len(), 10, "GitHub shows ten for each level");
    assert!(errors[9].ends_with("and 8 more; see the log"), "{}", errors[9]);
    assert!(text.starts_with("::error"), "errors come first");
}

#[test]
fn a_job_summary_stays_below_what_github_takes() {
    let mut report = sample();
    let found = report.findings.clone();
    for n in 0..6000 {
        report.findings.extend(found.iter().cloned().map(|mut it| {
            it.message = format!("{n}: {}", "|".repeat(200));
            it
        }));
    }
    let mut few = report.clone();
    few.findings.clear();
    for count in [100, 101] {
        let long = |n| call(&format!("{n}{}", "|".repeat(2000)));
        let not_judged = (0..count).map(long).collect();
        let text = |it: &Report| render(it, Format::Markdown, Style::default());
        let mut all = few.clone();
        all.not_judged = not_judged;
        assert_eq!(text(&all).contains("\n- and more; see the log\n"), count > 100);
        report.not_judged.clone_from(&all.not_judged);
    }
    let text = render(&report, Format::Markdown, Style::default());
    assert!(text.contains("</details>"), "what is folded is closed");
    assert!(text.len() <= 1 << 20, "GitHub drops a summary of {} bytes", text.len());
    assert!(text.contains(" more |"), "what is left out is counted");
    assert!(text.contains("More differences are in the log"));
}

#[test]
fn rules_are_sorted_by_id() {
    let ids: Vec<&str> = diagnostics::LINTS.iter().map(|it| it.id).collect();
    let wrong = ids.windows(2).find(|pair| pair[0] >= pair[1]);
    assert_eq!(wrong, None, "a binary search finds them: so the second stands before the first");
}

#[test]
fn joined_reports_are_the_report_of_one_run() {
    let whole = sample();
    let part = |keep: fn(usize) -> bool| {
        let findings = whole.findings.iter().enumerate().filter(|(n, _)| keep(*n));
        let modules = whole.modules().iter().enumerate().filter(|(n, _)| keep(*n));
        Report {
            findings: findings.map(|(_, it)| it.clone()).collect(),
            body: ReportBody::Check(Checked {
                modules: modules.map(|(_, it)| it.clone()).collect(),
                ..Checked::default()
            }),
            not_judged: whole.not_judged.clone(),
            failures: whole.failures.clone(),
            ..Report::default()
        }
    };
    let parts = [part(|n| n % 2 == 1), part(|n| n % 2 == 0), part(|_| true)];
    let joined = Report::join(parts).unwrap();
    let json = |it: &Report| render(it, Format::Json, Style::default());
    assert_eq!(json(&joined), json(&whole));
}

#[test]
fn reports_are_joined_if_one_answer_holds_both() {
    let of = |body| Report { body, ..Report::default() };
    let verdicts = [Verdict::Accept, Verdict::Undecided, Verdict::Reject];
    for (n, one) in verdicts.into_iter().enumerate() {
        for (m, other) in verdicts.into_iter().enumerate() {
            let joined =
                Report::join([of(ReportBody::Verdict(one)), of(ReportBody::Verdict(other))]);
            assert_eq!(joined.unwrap().verdict(), Some(verdicts[n.max(m)]), "the worst one");
        }
    }
    let run = |rules, objects| of(ReportBody::Policy(PolicyRun { rules, objects }));
    let joined = Report::join([run(2, 3), run(2, 4)]).unwrap();
    assert_eq!(joined.body, ReportBody::Policy(PolicyRun { rules: 2, objects: 7 }));
    // A run that failed has no answer.
    let joined = Report::join([Report::failed("no"), run(2, 3)]).unwrap();
    assert_eq!(joined.body, ReportBody::Policy(PolicyRun { rules: 2, objects: 3 }));
    let compat = || {
        let (base, head) = ("v1".to_owned(), "v2".to_owned());
        of(ReportBody::Compat(Compat {
            base,
            head,
            modules: Vec::new(),
            left_out: Vec::new(),
            history: None,
        }))
    };
    let refused = |one, other| Report::join([one, other]).unwrap_err().to_string();
    let both = "a report of `check` and one of `policy` cannot be joined";
    assert_eq!(refused(sample(), run(2, 3)), both);
    let twice = "a report of `compat` and one of `compat` cannot be joined";
    assert_eq!(refused(compat(), compat()), twice);
}

/// `tests/data/reports` holds what version 0.1.0 wrote while it was made, by the version of the format.
#[test]
fn reports_of_earlier_formats_are_read() {
    let read = |format: &str| {
        let text = fs::read_to_string(format!("tests/data/reports/{format}.json")).unwrap();
        from_json(&text).unwrap_or_else(|it| panic!("{format}: {it}"))
    };
    let whole = sample();
    // It had no findings about called modules, and did not say what was not judged.
    let first = read("1.0");
    let own = whole.findings.iter().filter(|it| it.address.is_empty());
    assert_eq!(first.findings, own.cloned().collect::<Vec<_>>());
    assert_eq!((first.modules(), first.not_judged.len()), (whole.modules(), 0));
    // It did not say where the run stood.
    let second = read("1.1");
    assert_eq!(second.findings, whole.findings);
    assert_eq!((second.modules(), &second.not_judged), (whole.modules(), &whole.not_judged));
    let joined = Report::join([first, second]).unwrap();
    let json = |it: &Report| render(it, Format::Json, Style::default());
    assert_eq!(json(&joined), json(&whole));
}

#[test]
fn members_of_later_formats_do_not_matter() {
    fn extend(value: &mut Value) {
        match value {
            Value::Object(members) => {
                members.values_mut().for_each(extend);
                members.insert("of_tomorrow".to_owned(), json!({"a": [null]}));
            }
            Value::Array(items) => items.iter_mut().for_each(extend),
            _ => (),
        }
    }
    let mut report = sample();
    report.checked_mut().unwrap().part = Some(part());
    let mut value: Value =
        serde_json::from_str(&render(&report, Format::Json, Style::default())).unwrap();
    extend(&mut value);
    value["format_version"] = "1.99".into();
    // Its members are the names of releases.
    value["judged_as"].as_object_mut().unwrap().remove("of_tomorrow");
    assert_eq!(from_json(&value.to_string()).unwrap(), report);
}

/// A part with everything that one can have.
fn part() -> ShardPart {
    let finding = sample().findings.remove(0);
    let key = BaselineKey {
        module: "modules/b".to_owned(),
        rule: finding.rule.clone(),
        variable: Some("name".to_owned()),
        validation: None,
        message: "0123456789abcdef".to_owned(),
    };
    let baseline = Baseline {
        file: "known.jsonl".to_owned(),
        entries: [(key.clone(), 2)].into(),
        unused_level: Some(Level::Warning),
        found: vec![(finding.clone(), key)],
    };
    let used = UsedSuppression { file: "main.tf".to_owned(), line: 3 };
    ShardPart {
        index: 1,
        count: 2,
        unused: Some(vec![finding]),
        used: vec![used],
        baselines: vec![baseline],
    }
}
