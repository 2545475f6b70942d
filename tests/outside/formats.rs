//! What other programs make of our reports: official schemas, and the readers that CI systems have.
//! All read the one shared sample, and the findings of the broken example.

use std::{collections::BTreeSet, mem, path::Path, process::Command};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use report::{Format, Style, TOOL_VERSION, from_json, render};
use serde_json::{Value, json};
use testkit::{
    missing::{MissingProgram, trials},
    workspace::{Answer, Workspace, binary, isolated},
};

use crate::tools;

trials![
    #[cfg(target_os = "linux")]
    sarif_follows_the_schema_of_the_standard,
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    sarif_passes_microsofts_own_check,
    gitlab_gets_what_its_documentation_asks_for,
    junit_is_read_as_it_is_meant,
    markdown_shows_what_was_found,
    nothing_that_others_wrote_is_live_in_markdown,
    github_reads_back_what_was_found,
    the_json_report_passes_its_published_schema_elsewhere_too,
    lines_too_long_to_read_are_named_and_not_shown,
    a_run_that_fails_is_a_report_too,
    #[cfg(target_os = "linux")]
    what_standard_output_or_a_file_does_not_take_is_a_failure,
];

/// The same report in a format: the shared sample, the broken example, and nothing at all.
fn reports(format: &str) -> [String; 3] {
    let sample = std::fs::read_to_string(format!("tests/spec/report/{format}.txt")).unwrap();
    let check = |path: &str| {
        let mut command = isolated(binary(), ".".as_ref());
        let arguments = ["check", "--verbose", "--exit-zero", "--format", format, path];
        Answer::new(command.args(arguments).output().unwrap()).stdout
    };
    let sample = sample.replace("\"VERSION\"", &format!("\"{TOOL_VERSION}\""));
    [sample.replace("\r\n", "\n"), check("examples/broken"), check("examples/web-service")]
}

fn parsed(format: &str) -> Vec<Value> {
    reports(format).iter().map(|it| serde_json::from_str(it).unwrap()).collect()
}

/// What a schema has against a document.
fn objections(schema: &Value, document: &Value) -> Vec<String> {
    let validator = jsonschema::validator_for(schema).unwrap();
    let found = validator.iter_errors(document);
    found.map(|it| format!("{}: {it}", it.instance_path())).collect()
}

/// Microsoft's own reader of SARIF, with the schema of the standard.
#[cfg(target_os = "linux")]
fn sarif_multitool() -> Result<std::path::PathBuf, MissingProgram> {
    Ok(tools::node_modules()?.join("node_modules/@microsoft/sarif-multitool-linux"))
}

#[cfg(target_os = "linux")]
fn sarif_follows_the_schema_of_the_standard() -> Result<(), MissingProgram> {
    let multitool = sarif_multitool()?;
    let schema = std::fs::read_to_string(multitool.join("sarif-2.1.0.json")).unwrap();
    let schema: Value = serde_json::from_str(&schema).unwrap();
    for report in parsed("sarif") {
        assert_eq!(objections(&schema, &report), Vec::<String>::new());
    }
    assert_ne!(objections(&schema, &json!({"version": "2.1.0", "runs": [{}]})), [""; 0]);
    Ok(())
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn sarif_passes_microsofts_own_check() -> Result<(), MissingProgram> {
    use std::os::unix::fs::PermissionsExt;
    let multitool = sarif_multitool()?;
    let program = multitool.join("Sarif.Multitool");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let it = Workspace::new();
    let check = |text: &str| {
        it.write("report.sarif", text);
        let mut command = Command::new(&program);
        command.arg("validate").arg(it.path("report.sarif"));
        command.env("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT", "1");
        let answer = Answer::new(command.output().unwrap());
        assert!(answer.stdout.contains("1 files scanned"), "{}", answer.text());
        let lines = answer.stdout.lines().filter(|it| it.contains("error "));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    for report in reports("sarif") {
        assert_eq!(check(&report), [""; 0]);
    }
    assert_ne!(check("{\"version\": \"2.1.0\", \"runs\": [{}]}"), [""; 0], "it does object");
    Ok(())
}

/// GitLab's documentation of the code quality report, and the rule that it shows only the first of
/// several issues with one fingerprint.
fn gitlab_gets_what_its_documentation_asks_for() {
    let schema = json!({
        "type": "array",
        "items": {
            "type": "object",
            "required": ["description", "check_name", "fingerprint", "severity", "location"],
            "properties": {
                "description": {"type": "string", "minLength": 1},
                "check_name": {"type": "string", "minLength": 1},
                "fingerprint": {"type": "string", "minLength": 1},
                "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
                "location": {
                    "type": "object",
                    "required": ["path", "lines"],
                    "properties": {
                        "path": {"type": "string", "pattern": r"^(?!\./|/)[^\\]+$"},
                        "lines": {
                            "type": "object",
                            "required": ["begin"],
                            "properties": {"begin": {"type": "integer", "minimum": 1}},
                        },
                    },
                },
            },
        },
    });
    for report in parsed("gitlab") {
        assert_eq!(objections(&schema, &report), Vec::<String>::new());
        let issues = report.as_array().unwrap();
        let fingerprints: BTreeSet<&str> =
            issues.iter().map(|it| it["fingerprint"].as_str().unwrap()).collect();
        assert_eq!(fingerprints.len(), issues.len());
    }
}

fn junit_is_read_as_it_is_meant() -> Result<(), MissingProgram> {
    let python = &tools::python()?;
    let it = Workspace::new();
    for (report, json) in reports("junit").iter().zip(parsed("json")) {
        it.write("junit.xml", report);
        let script = "import json, sys, junitparser\n\
            xml = junitparser.JUnitXml.fromfile(sys.argv[1])\n\
            cases = [case for suite in xml for case in suite]\n\
            json.dump({'tests': xml.tests, 'failures': xml.failures, 'errors': xml.errors,\n\
              'skipped': xml.skipped,\
              'failed': [case.result[0].type for case in cases \
                if not case.is_passed and not case.is_skipped]}, sys.stdout)";
        let mut command = Command::new(python);
        let answer =
            Answer::new(command.args(["-c", script]).arg(it.path("junit.xml")).output().unwrap());
        assert_eq!(answer.code, 0, "{}", answer.text());
        let read: Value = serde_json::from_str(&answer.stdout).unwrap();
        let findings = json["findings"].as_array().unwrap();
        let failures = json["failures"].as_array().map_or(0, Vec::len);
        let errors: BTreeSet<&str> = findings
            .iter()
            .filter(|it| it["level"] == "error")
            .map(|it| it["rule"].as_str().unwrap())
            .chain((failures > 0).then_some("failure"))
            .collect();
        let failed: BTreeSet<&str> =
            read["failed"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
        assert_eq!(failed, errors);
        assert_eq!(read["failures"], json["summary"]["errors"]);
        let blocked = json["not_judged"]
            .as_array()
            .map_or(0, |all| all.iter().filter(|it| it["kind"] == "blocked").count());
        assert_eq!(read["skipped"], blocked);
        assert_eq!(read["errors"], failures);
        assert!(read["tests"].as_u64().unwrap() >= findings.len() as u64);
    }
    Ok(())
}

/// The cells of every table, as a page shows their text; the heads of the tables are left out.
fn rows(markdown: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut cell) = (Vec::new(), Vec::new(), String::new());
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES | Options::ENABLE_MATH) {
        match event {
            Event::Start(Tag::TableCell) => cell.clear(),
            Event::Text(text) | Event::Code(text) => cell.push_str(&text),
            Event::End(TagEnd::TableCell) => row.push(mem::take(&mut cell)),
            Event::End(TagEnd::TableHead) => row.clear(),
            Event::End(TagEnd::TableRow) => rows.push(mem::take(&mut row)),
            _ => (),
        }
    }
    rows
}

fn markdown_shows_what_was_found() {
    let it = Workspace::new();
    let rule = "  validation {\n    condition     = var.a_b > 1\n    \
        error_message = \"A <b>big_one</b>, *a|b* [x](y) `code` ~~no~~ $$1$$ &amp; \\\\_.\"\n  }\n";
    it.write("in_put/main_vars.tf", format!("variable \"a_b\" {{\n  type = number\n{rule}}}\n"));
    for name in ["pl_ain", "tick`s``", "b|ar"] {
        it.write(&format!("in_put/{name}.tfvars"), "a_b = 1\nun_known = 2\n");
    }
    it.write("in_put/schema.json", "{}\n");
    let json = it.terraschema("check --format json").stdout;
    let report: Value = serde_json::from_str(&json).unwrap();
    let finding = |it: &Value| {
        let at = &it["locations"][0];
        let place = format!("{}:{}", at["file"].as_str().unwrap_or_default(), at["line"]);
        let place = if at.is_null() { it["module"].as_str().unwrap().to_owned() } else { place };
        let message = it["message"].as_str().unwrap().split_whitespace().collect::<Vec<_>>();
        vec![it["rule"].as_str().unwrap().to_owned(), place, message.join(" ")]
    };
    let found: BTreeSet<_> = report["findings"].as_array().unwrap().iter().map(finding).collect();
    let markdown = it.terraschema("check --format markdown").stdout;
    assert!(
        markdown.contains("<summary><code>in_put/schema.json</code> is stale</summary>"),
        "{markdown}"
    );
    let shown = rows(&markdown);
    assert_eq!(shown.len(), 9, "{shown:?}");
    assert_eq!(shown.into_iter().collect::<BTreeSet<_>>(), found);
}

/// What GitHub would make links, mentions, pictures and pages of, if it stood outside of code.
const LIVE: [&str; 14] = [
    "@team and @org/team",
    "http://example.com/a www.example.com b@example.com",
    "#123 GH-1 a/b#2 0123456789abcdef0123456789abcdef01234567",
    "![p](http://example.com/p.png) [x](http://example.com) [y]: http://example.com",
    "<!-- <script>alert(1)</script> <img src=x> <https://example.com>",
    "`@team` ``@team`` ` @team",
    "a|b \\| @team | `|` @team \\",
    "\\` @team \\`` $`@team`$ $$@team$$",
    "`",
    "</code></summary></details> @team",
    "&lt;@team&gt; &#64;team",
    "# h * - > ``` ~~~ --- === |---|",
    ":+1: **b** _i_ ~~s~~",
    " `` @team",
];

fn nothing_that_others_wrote_is_live_in_markdown() {
    let texts: Vec<String> = LIVE.iter().map(|it| (*it).to_owned()).collect();
    let joined = LIVE.join("\n\n");
    for text in texts.iter().chain([&joined]) {
        let finding = json!({
            "rule": "failed-validation", "level": "error", "message": text, "module": text,
            "locations": [{
                "role": "value", "file": text, "line": 1, "column": 1, "end_line": 1, "end_column": 2,
            }],
            "help": text,
        });
        let placeless = json!({
            "rule": "stale-schema", "level": "note", "message": text, "module": text,
            "locations": [],
        });
        let report = json!({
            "format_version": "1.0",
            "findings": [finding, placeless],
            "modules": [{
                "path": text, "schema": text, "status": "stale",
                "translations": {"exact": 0, "necessary": 0, "untranslated": 0},
                "diff": format!("--- {text}\n+````\n+{text}\n</details>\n"),
            }],
            "not_judged": [
                {"kind": "call", "module": text, "address": text, "reason": text, "locations": []},
            ],
            "failures": [text],
        });
        let report = from_json(&report.to_string()).unwrap();
        let markdown = render(&report, Format::Markdown, Style::default());
        let spoken = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let place = format!("{text}:1").replace('\n', r"\u{a}");
        let place = place.split_whitespace().collect::<Vec<_>>().join(" ");
        let module = text.replace('\n', r"\u{a}");
        let module = module.split_whitespace().collect::<Vec<_>>().join(" ");
        let expected = [
            vec!["failed-validation".to_owned(), place, spoken.clone()],
            vec!["stale-schema".to_owned(), module, spoken],
        ];
        assert_eq!(rows(&markdown), expected, "{markdown}");
        only_ours_is_live(&markdown);
    }
}

/// Outside of code there are our words, links to our pages, and the two tags of a folded diff.
fn only_ours_is_live(markdown: &str) {
    let is_ours = |it: &str| {
        it.starts_with("https://github.com/terraschema/terraschema/blob/main/docs/rules/")
    };
    let options = Options::ENABLE_TABLES | Options::ENABLE_MATH | Options::ENABLE_STRIKETHROUGH;
    let (mut in_code, mut html) = (false, String::new());
    for event in Parser::new_ext(markdown, options | Options::ENABLE_FOOTNOTES) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => in_code = true,
            Event::End(TagEnd::CodeBlock) => in_code = false,
            Event::Start(Tag::Link { dest_url, .. }) => assert!(is_ours(&dest_url), "{markdown}"),
            Event::Start(Tag::Image { .. } | Tag::Strikethrough | Tag::Emphasis) => {
                panic!("{markdown}")
            }
            Event::InlineMath(_) | Event::DisplayMath(_) | Event::InlineHtml(_) => {
                panic!("{markdown}")
            }
            Event::Html(text) => html += &text,
            Event::Text(text) if !in_code => {
                let is_word = |it: char| {
                    it.is_ascii_lowercase() || it.is_ascii_digit() || " -:;,".contains(it)
                };
                assert!(text.chars().all(is_word), "{text:?} in {markdown}");
            }
            _ => (),
        }
    }
    let left = "<details><summary>not judged: 1 call of a module that is not available</summary>\n\
                </details>\n";
    let html = html.strip_prefix(left).expect(markdown);
    let (open, close) = ("<details><summary><code>", "</code> is stale</summary>\n</details>\n");
    let name = html.strip_prefix(open).and_then(|it| it.strip_suffix(close)).expect(markdown);
    assert!(!name.contains(['<', '>']), "{markdown}");
}

/// A workflow command as GitHub's runner reads it: name, properties, message.
fn command(line: &str) -> (&str, Vec<(&str, String)>, String) {
    let (head, message) = line.strip_prefix("::").unwrap().split_once("::").unwrap();
    let (name, properties) = head.split_once(' ').unwrap();
    let plain = |it: &str| it.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%");
    let value = |it: &str| plain(&it.replace("%3A", ":").replace("%2C", ","));
    let properties = properties.split(',').map(|it| it.split_once('=').unwrap());
    let properties = properties.map(|(key, text)| (key, value(text))).collect();
    (name, properties, plain(message))
}

fn github_reads_back_what_was_found() {
    for (text, json) in reports("github").iter().zip(parsed("json")) {
        let findings = json["findings"].as_array().unwrap();
        let mut levels = Vec::new();
        for line in text.lines() {
            let (name, properties, message) = command(line);
            levels.push(["error", "warning", "notice"].iter().position(|it| *it == name).unwrap());
            let known = ["file", "line", "endLine", "col", "endColumn", "title"];
            assert!(properties.iter().all(|(key, _)| known.contains(key)), "{line}");
            let get = |name| properties.iter().find(|it| it.0 == name).map(|it| it.1.as_str());
            let is_failure =
                || json["failures"].as_array().is_some_and(|it| it.contains(&json!(message)));
            if message.ends_with("more; see the log") || is_failure() {
                continue;
            }
            let rule = get("title").unwrap().strip_prefix("terraschema ").unwrap();
            if rule == "not judged" {
                let all = json["not_judged"].as_array().unwrap();
                assert!(all.iter().any(|it| it["kind"] == "blocked"), "{line}");
                continue;
            }
            let is_it = |it: &&Value| {
                it["rule"] == rule
                    && message.starts_with(it["message"].as_str().unwrap())
                    && it["locations"].get(0).and_then(|it| it["file"].as_str()) == get("file")
            };
            assert!(findings.iter().any(|it| is_it(&it)), "{line}");
        }
        assert!(levels.is_sorted(), "errors first: {text}");
        let most = (0..3).map(|level| levels.iter().filter(|it| **it == level).count()).max();
        assert!(most <= Some(10), "the runner drops what is more: {text}");
    }
}

fn the_json_report_passes_its_published_schema_elsewhere_too() -> Result<(), MissingProgram> {
    let check = tools::python_program("check-jsonschema")?;
    let it = Workspace::new();
    let schema = Path::new("docs/report.schema.json");
    for report in reports("json") {
        it.write("report.json", report);
        let mut command = Command::new(&check);
        command.arg("--schemafile").arg(schema).arg(it.path("report.json"));
        let answer = Answer::new(command.output().unwrap());
        assert_eq!(answer.code, 0, "{}", answer.text());
    }
    Ok(())
}

/// A report must not repeat a file as often as it has findings.
fn lines_too_long_to_read_are_named_and_not_shown() {
    let it = Workspace::new();
    it.write("main.tf", "variable \"a\" {}\n");
    let members: Vec<String> = (0..500).map(|it| format!("\"unknown_{it}\": 1")).collect();
    it.write("x.tfvars.json", format!("{{ \"a\": 1, {} }}", members.join(", ")));
    let answer = it.terraschema("check --format json");
    let report: serde_json::Value = serde_json::from_str(&answer.stdout).unwrap();
    let findings = report["findings"].as_array().unwrap().iter();
    let undeclared: Vec<_> = findings.filter(|it| it["rule"] == "undeclared-variable").collect();
    assert_eq!(undeclared.len(), 500);
    assert_eq!(undeclared[499]["locations"][0]["line"], 1);
    assert!(answer.stdout.len() < 500_000, "{} bytes", answer.stdout.len());
    let answer = it.terraschema("check --format human");
    assert!(answer.stdout.contains("--> x.tfvars.json:1:"), "{}", answer.stdout);
}

fn a_run_that_fails_is_a_report_too() {
    let it = Workspace::new();
    it.write("main.tf", "variable \"x\" {}\n");
    let all = [
        "check nowhere",
        "check --changed",
        "check --config nowhere",
        "check --staged --shard 1/2",
        "merge nowhere",
        "merge main.tf",
        "validate -i nowhere",
    ];
    for arguments in all {
        let run = |format: &str| {
            let answer = it.terraschema(&format!("{arguments} --format {format}"));
            assert_eq!(answer.code, 2, "{arguments}: {}", answer.text());
            assert!(answer.stderr.starts_with("Error: "), "{}", answer.stderr);
            answer.stdout
        };
        let why = run("json");
        let why = serde_json::from_str::<Value>(&why).unwrap()["failures"][0]
            .as_str()
            .unwrap()
            .to_owned();
        for format in ["sarif", "gitlab"] {
            let text = run(format);
            serde_json::from_str::<Value>(&text).unwrap();
            assert!(text.contains(&serde_json::to_string(&why).unwrap()), "{text}");
        }
        assert!(run("junit").contains("<error "));
        assert!(run("github").starts_with("::error title=terraschema::"));
        assert!(run("markdown").contains("**failed:**"));
        assert_eq!([run("human"), run("concise")], ["", ""], "{arguments}");
    }
}

#[cfg(target_os = "linux")]
fn what_standard_output_or_a_file_does_not_take_is_a_failure() {
    let it = Workspace::new();
    it.write("main.tf", "variable \"x\" {}\n");
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = isolated(binary(), &it.path(""));
    let answer = Answer::new(command.args(["check", "--exit-zero"]).stdout(full).output().unwrap());
    assert_eq!(answer.code, 2);
    assert!(answer.stderr.contains("cannot write to standard output"), "{}", answer.stderr);
    for file in ["main.tf/where.json", "/dev/full", "."] {
        let answer =
            it.terraschema(&format!("check --exit-zero --format concise --output json={file}"));
        assert_eq!(answer.code, 2);
        assert!(answer.stdout.contains("missing-schema"), "what was found is told all the same");
        assert!(answer.stderr.contains(file), "{}", answer.stderr);
    }
    assert!(it.terraschema("check --output json=").stderr.contains("the file's name is missing"));
}
