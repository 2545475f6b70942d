//! Messages: what they show beyond the error, and the habits of language that no text has.

use std::{fs, path::Path};

use regex_automata::meta::Regex;
use syn::visit::Visit;
use system::{MemorySystem, System};
use terraschema::{Console, run};

fn said(system: &dyn System, line: &str) -> String {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut console = Console::to(&mut stdout, &mut stderr);
    let arguments = ["terraschema"].into_iter().chain(line.split(' ')).map(Into::into).collect();
    run(arguments, system, &mut console);
    drop(console);
    [stdout, stderr].map(|it| String::from_utf8(it).unwrap()).concat()
}

fn module(text: &str) -> MemorySystem {
    MemorySystem::new().file("main.tf", text)
}

#[track_caller]
fn shows(system: &MemorySystem, expected: &str) {
    let text = said(system, "validate");
    assert!(text.contains(expected), "{expected}\n{text}");
}

#[test]
fn a_failed_evaluation_shows_the_values_of_its_operands() {
    let tf = "variable \"n\" {\n  type = number\n}\noutput \"x\" {\n  value = [\"a\", \"b\"][var.n]\n}\n";
    let system = module(tf).file("terraform.tfvars", "n = 2\n");
    shows(&system, "^^^^^^^^^^^^^^^^^ var.n is 2");
    shows(&system, "terraform.tfvars:1:5");
}

#[test]
fn sensitive_operands_are_not_shown() {
    let tf = "variable \"n\" {\n  type = number\n  sensitive = true\n}\nlocals {\n  x = [\"a\", \"b\"][var.n]\n}\n";
    let system = module(tf).file("terraform.tfvars", "n = 77\n");
    shows(&system, "var.n is (sensitive)");
    assert!(!said(&system, "validate").contains("77"));
}

#[test]
fn an_error_in_a_called_module_shows_the_argument_of_the_call() {
    let root = "variable \"n\" {\n  type = number\n}\nmodule \"m\" {\n  source = \"./m\"\n  size   = var.n\n}\n";
    let called = "variable \"size\" {\n  type = number\n}\noutput \"x\" {\n  value = [\"a\", \"b\"][var.size]\n}\n";
    let system = module(root).file("m/main.tf", called).file("terraform.tfvars", "n = 2\n");
    shows(&system, "var.size is 2");
    shows(&system, " ::: main.tf:6:12");
    shows(&system, "----- the argument of the call");
    shows(&system, " ::: terraform.tfvars:1:5");
}

#[test]
fn an_argument_that_writes_a_secret_down_is_not_quoted() {
    let root = "module \"m\" {\n  source = \"./m\"\n  size   = sensitive(\"hunter2\")\n}\n";
    let called = "variable \"size\" {\n}\noutput \"x\" {\n  value = regex(\"^a\", var.size)\n}\n";
    let system = module(root).file("m/main.tf", called);
    shows(&system, "var.size is (sensitive)");
    assert!(!said(&system, "validate").contains("hunter2"));
}

#[test]
fn elements_of_several_types_are_named() {
    shows(
        &module("output \"x\" {\n  value = tomap({ a = \"x\", b = [\"y\"] })\n}\n"),
        "\"a\" is string, and \"b\" is tuple",
    );
    let base = "variable \"x\" {\n  type    = map(any)\n  default = {}\n}\n";
    let over = "variable \"x\" {\n  default = { a = \"x\", b = [\"y\"] }\n}\n";
    let text = said(&module(base).file("x_override.tf", over), "validate");
    assert!(text.contains("all map elements must have the same type"), "{text}");
    assert!(text.contains("\"a\" is string, and \"b\" is tuple"), "{text}");
}

#[test]
fn an_error_in_csv_has_its_line_and_column() {
    let csv = |text: &str| format!("output \"x\" {{\n  value = csvdecode(\"{text}\")\n}}\n");
    for (text, expected) in [
        ("a,b\\n1,2\\n3,x\\\"y\\n", "on line 3, column 4: a quote in a field that is not quoted"),
        ("a,b\\n1\\n", "on line 2, column 1: a different number of fields than the header"),
        ("a,b\\n\\\"x\\\"y,2\\n", "on line 2, column 4: text after the closing quote of a field"),
        ("a,b\\n1,\\\"x\\n", "on line 2, column 3: the quote of a field is not closed"),
    ] {
        shows(&module(&csv(text)), expected);
    }
}

#[test]
fn an_error_in_a_template_has_its_line_and_column() {
    let tf = "output \"x\" {\n  value = templatefile(\"t.tpl\", {})\n}\n";
    let system = module(tf).file("t.tpl", "line one\n${ foo( }\n");
    shows(&system, "Call to function \"templatefile\" failed: t.tpl:2,9: Invalid expression");
}

#[test]
fn hints_help_with_common_slips_of_syntax() {
    let literal = "Write $${ for a literal ${.";
    shows(&module("locals {\n  a = \"${HOME\"\n}\n"), literal);
    shows(&module("locals {\n  a = \"${foo bar}\"\n}\n"), literal);
    let heredoc =
        "To begin a heredoc, write <<EOT without spaces, and nothing after it on its line.";
    shows(&module("locals {\n  a = <<EOT \nx\nEOT\n}\n"), heredoc);
    shows(&module("locals {\n  a = << EOT\nx\nEOT\n}\n"), heredoc);
    let values = module("variable \"x\" {}\n").file("terraform.tfvars", "x = hello\n");
    shows(&values, "help: if this is text, write it in quotes");
    let mark = module("variable \"x\" {}\n").file("terraform.tfvars.json", "\u{feff}{\"x\": 1}");
    shows(&mark, "Byte order mark in a JSON file");
    let json = r#"{"variable": {"x": {"type": "${string}"}}}"#;
    let json = MemorySystem::new().file("main.tf.json", json);
    shows(&json, "Write a type in JSON without ${ }, such as \"string\".");
    let utf16 = MemorySystem::new().file("main.tf", b"\xff\xfev\0");
    shows(&utf16, "The file is UTF-16: save it as UTF-8.");
    let twice = r#"{"x": {"a": 1, "a": 2}}"#;
    let twice = module("variable \"x\" {}\n").file("terraform.tfvars.json", twice);
    shows(&twice, "The key \"a\" occurs twice in this object.");
}

#[test]
fn a_cycle_of_moved_blocks_lists_the_blocks() {
    let moved = |from: &str, to: &str| {
        format!("moved {{\n  from = terraform_data.{from}\n  to   = terraform_data.{to}\n}}\n")
    };
    let tf = moved("a", "b") + &moved("b", "c[1]") + &moved("c[1]", "a");
    shows(
        &module(&tf),
        "a cycle, so there is no final location to move objects to: terraform_data.a -> \
         terraform_data.b, terraform_data.b -> terraform_data.c[1], terraform_data.c[1] -> \
         terraform_data.a.",
    );
}

#[test]
fn an_attribute_of_a_list_suggests_an_index_or_all_elements() {
    let tf = "module \"m\" {\n  source = \"./m\"\n  count  = 2\n}\noutput \"x\" {\n  value = module.m.id\n}\n";
    let system = module(tf).file("m/main.tf", "output \"id\" {\n  value = 1\n}\n");
    shows(
        &system,
        "Write [0] before the attribute for the first element, or [*] for all elements.",
    );
}

#[test]
fn a_comparison_with_an_empty_constructor_says_why_it_never_holds() {
    let tf = |ty: &str, empty: &str| {
        format!(
            "variable \"x\" {{\n  type = {ty}\n  validation {{\n    condition     = var.x == {empty}\n    \
             error_message = \"No.\"\n  }}\n}}\n"
        )
    };
    let object =
        "this never holds, because {} is an object and var.x is a map: write length(var.x) == 0";
    let tuple =
        "this never holds, because [] is a tuple and var.x is a list: write length(var.x) == 0";
    for (ty, empty, expected) in [("map(string)", "{}", object), ("list(string)", "[]", tuple)] {
        let system = module(&tf(ty, empty)).file("terraform.tfvars", format!("x = {empty}\n"));
        shows(&system, expected);
    }
}

#[test]
fn a_message_that_only_apply_knows_is_reported_as_such() {
    let rule = "  validation {\n    condition     = var.x == \"a\"\n    error_message = \"No: ${timestamp()}\"\n  }\n";
    let tf = format!("variable \"x\" {{\n  type = string\n{rule}}}\n");
    let system = module(&tf).file("terraform.tfvars", "x = \"b\"\n");
    shows(&system, "Invalid value for variable \"x\": the error message is known only after apply");
}

#[test]
fn a_message_that_reads_a_missing_file_is_not_said_to_be_known_after_apply() {
    let rule = |condition: &str| {
        format!(
            "condition = {condition}\n    error_message = jsondecode(file(\"gone.json\")).text\n  }}\n}}\n"
        )
    };
    let variable = |default: &str| {
        format!("variable \"x\" {{\n  {default}\n  validation {{\n    {}", rule("var.x == \"a\""))
    };
    let output = "output \"o\" {\n  value = 1\n  precondition {\n    ";
    for (tf, command, expected) in [
        (
            variable("default = \"b\""),
            "check",
            "Invalid value for variable \"x\": the error message depends on file(): the file \"gone.json\"\n",
        ),
        (
            variable("default = \"b\""),
            "validate",
            "Invalid value for variable \"x\": the error message cannot be evaluated\n",
        ),
        (
            variable("type = string") + output + &rule("var.x == \"a\""),
            "validate",
            "Invalid value for variable \"x\": the error message cannot be evaluated\n",
        ),
    ] {
        let system = module(&tf).file("terraform.tfvars", "x = \"b\"\n");
        let text = said(&system, command);
        assert!(text.contains(expected), "{command}: {text}");
        assert!(!text.contains("after apply"), "{command}: {text}");
    }
}

/// The habits, each with its better words.
const HABITS: &[(&str, &str)] = &[
    (r"\b[Tt](old|ells?)\b", "report, say, show"),
    (r"\b[Ss]t(ands?|ood)\b", "be, be listed, be documented"),
    (r"\b[Bb]eside\b", "next to"),
    (r"\b([Ii]s|was) no\b", "is not a"),
    (r"\b([Ii]s|[Aa]re|was|were) none\b", "is not, there is no"),
    (r"\banew\b", "again"),
    (r"\bof which\b", "where, a noun"),
    (r"\b[Aa]s far as\b", "where, if"),
    (r"\b[Ww]hoever\b", "everybody who"),
    (r"\ball the same\b", "anyway"),
    (r"\b[Ww]ho (does|gives|names|wants|refers|relies)\b", "to do X; callers who"),
];

/// Texts with the words of a habit that are correct here, each with its reason.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("There is no ", "the common form of `is no` with a subject"),
    ("there is no ", "the common form of `is no` with a subject"),
    ("if there is none", "the common form of `is none` with a subject"),
    ("is no longer", "an adverb"),
    ("{told:?}", "the name of a variable"),
    (
        "Only a plan can tell whether it holds",
        "a reason in the sample of `testkit`, as recorded reports have it",
    ),
];

struct Texts {
    found: Vec<String>,
}

impl<'ast> Visit<'ast> for Texts {
    fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
        // Comments are not messages, except where clap makes help of them.
        if !attribute.path().is_ident("doc") {
            syn::visit::visit_attribute(self, attribute);
        }
    }

    fn visit_lit_str(&mut self, text: &'ast syn::LitStr) {
        self.found.push(text.value());
    }

    fn visit_macro(&mut self, it: &'ast syn::Macro) {
        self.read(it.tokens.clone());
    }
}

impl Texts {
    fn read(&mut self, tokens: proc_macro2::TokenStream) {
        for token in tokens {
            match token {
                proc_macro2::TokenTree::Group(it) => self.read(it.stream()),
                proc_macro2::TokenTree::Literal(it) => {
                    if let Ok(syn::Lit::Str(text)) = syn::parse_str(&it.to_string()) {
                        self.found.push(text.value());
                    }
                }
                _ => (),
            }
        }
    }
}

fn texts(dir: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            texts(&path, found);
        } else if path.extension().is_some_and(|it| it == "rs") {
            let file = syn::parse_file(&fs::read_to_string(&path).unwrap()).unwrap();
            let mut texts = Texts { found: Vec::new() };
            texts.visit_file(&file);
            let name = path.display().to_string();
            found.extend(texts.found.into_iter().map(|it| (name.clone(), it)));
        }
    }
}

#[test]
fn no_text_of_the_code_has_a_habit_of_the_list() {
    let mut all = Vec::new();
    for top in ["crates", "src"] {
        texts(Path::new(top), &mut all);
    }
    assert!(all.len() > 5_000, "{}", all.len());
    assert!(all.iter().any(|(_, it)| it == "Only managed resources can be imported."));
    let habits: Vec<_> = HABITS.iter().map(|(it, _)| Regex::new(it).unwrap()).collect();
    let mut bad = Vec::new();
    let mut excused = vec![0; EXCEPTIONS.len()];
    for (file, text) in &all {
        let mut rest = text.clone();
        for (at, (exception, _)) in EXCEPTIONS.iter().enumerate() {
            excused[at] += usize::from(rest.contains(exception));
            rest = rest.replace(exception, "…");
        }
        for ((habit, instead), regex) in HABITS.iter().zip(&habits) {
            if regex.is_match(&rest) {
                bad.push(format!("{file}: {text:?}: write {instead} for {habit}"));
            }
        }
    }
    assert!(bad.is_empty(), "docs/contributing/messages.md says how:\n{}", bad.join("\n"));
    let unused: Vec<_> =
        EXCEPTIONS.iter().zip(&excused).filter(|(_, count)| **count == 0).collect();
    assert!(unused.is_empty(), "no text needs these: {unused:?}");
}
