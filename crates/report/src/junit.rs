//! JUnit XML: one suite for each module, one case for each finding; a module without findings is one
//! passed case. Failures of the tool are errors, in a separate suite.

use quick_junit::{NonSuccessKind, Report as Junit, TestCase, TestCaseStatus, TestSuite};

use super::{NotJudged, Report, TOOL_NAME, concise::one_line, context};
use diagnostics::{Finding, Level};

pub(super) fn render(report: &Report) -> String {
    let mut junit = Junit::new(TOOL_NAME);
    let mut paths: Vec<&str> = report.modules().iter().map(|it| it.path.as_str()).collect();
    paths.extend(report.findings.iter().map(|it| it.module.as_str()));
    paths.extend(report.blocked().map(|it| it.module.as_str()));
    paths.sort_unstable();
    paths.dedup();
    for path in paths {
        junit.add_test_suite(suite(report, path));
    }
    if !report.failures.is_empty() {
        junit.add_test_suite(failures(report));
    }
    junit.to_string().unwrap_or_default()
}

fn failures(report: &Report) -> TestSuite {
    let mut suite = TestSuite::new(TOOL_NAME);
    for why in &report.failures {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        let headline = why.lines().next().unwrap_or_default();
        status.set_message(headline).set_type("failure").set_description(why.as_str());
        suite.add_test_case(TestCase::new(one_line(why), status));
    }
    suite
}

fn suite(report: &Report, path: &str) -> TestSuite {
    let mut suite = TestSuite::new(if path.is_empty() { "." } else { path });
    for finding in report.findings.iter().filter(|it| it.module == path) {
        suite.add_test_case(case(finding));
    }
    for it in report.blocked().filter(|it| it.module == path) {
        suite.add_test_case(not_judged(it));
    }
    if suite.test_cases.is_empty() {
        suite.add_test_case(TestCase::new("contract", TestCaseStatus::success()));
    }
    suite
}

/// A skipped case for what a problem keeps from being judged.
fn not_judged(it: &NotJudged) -> TestCase {
    let place = it.locations().first();
    let place =
        place.map_or(it.module.clone(), |at| format!("{}:{}:{}", at.file, at.line, at.column));
    let mut status = TestCaseStatus::skipped();
    status.set_message(format!("not judged: {}", one_line(&it.blocked_text())));
    let mut case = TestCase::new(format!("not-judged {place}"), status);
    case.set_classname("not-judged");
    case
}

fn case(it: &Finding) -> TestCase {
    let place = it.locations.first().map(|at| format!("{}:{}:{}", at.file, at.line, at.column));
    let place = place.unwrap_or_else(|| it.module.clone());
    // CI systems turn red at any failure, so a warning is not one.
    let mut status = if it.level == Level::Error {
        TestCaseStatus::non_success(NonSuccessKind::Failure)
    } else {
        TestCaseStatus::success()
    };
    // An attribute holds one line; the element's text has all lines.
    let headline = it.message.lines().next().unwrap_or_default();
    let called = context(it).map(|it| format!("\n{it}")).unwrap_or_default();
    let description = it.message.clone() + &called;
    status.set_message(headline).set_type(it.rule.as_str()).set_description(description.as_str());
    let mut case = TestCase::new(format!("{} {place}", it.rule), status);
    case.set_classname(it.rule.as_str());
    if it.level != Level::Error {
        case.set_system_out(format!("{}: {description}", it.level.as_str()));
    }
    case
}
