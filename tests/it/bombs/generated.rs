//! Bombs that a generator writes: each function, form of expression, kind of block, construct of a configuration and
//! kind of finding, with N parts. Twice the parts may take two and a half times the work that a run counts, and the
//! bytes that it prints, unless a budget ends it. No time is measured.
//!
//! `TERRASCHEMA_BOMBS=1000` is the smallest N; `TERRASCHEMA_SEED` draws other arguments for functions.

use check::CheckRequest;
use compat::ModuleContract;
use policy::{Asked, GivenContexts, plan};
use release::Release;
use report::{Format, Report, Style, render};
use system::MemorySystem;
use testkit::random::Random;
use tf_eval::{Meter, functions};

type Files = Vec<(String, String)>;
type Write = Box<dyn Fn(usize) -> Files>;

/// What a run came to.
#[derive(Debug)]
struct Size {
    work: u64,
    /// Of a report without excerpts: parts on one line grow the others by the square of their number until the line is
    /// cut.
    bytes: usize,
    /// Of the largest report.
    largest: usize,
    /// Whether a budget ended it.
    is_over: bool,
}

/// Work that every run may take, so that small constants do not count.
const FREE_WORK: u64 = 50_000;
/// Bytes that every report may have without excerpts.
const FREE_BYTES: usize = 50_000;

/// The pattern of each part is longer than that of the part before, so that all together grow with the square of N
/// until the budget of a translation ends it.
const LENGTHENED: &[&str] = &["string: split(\"-\", var.x)[@]"];
const MOST_LENGTHENED: u64 = 3_000_000;

/// Types whose schema nests as they do: the text of a schema is counted, and each level is indented further. The parser
/// ends this.
const INDENTED: &[&str] = &["object({ a = "];
const MOST_INDENTED: u64 = 500_000;

/// The bytes of the largest report: a thousand findings of a kind, each with its excerpts.
const MOST_BYTES: usize = 6_000_000;

fn smallest() -> usize {
    let number = std::env::var("TERRASCHEMA_BOMBS").ok().and_then(|it| it.parse().ok());
    number.unwrap_or(60)
}

fn run(files: Files) -> Size {
    let mut system = MemorySystem::new().working_in("/m");
    for (name, text) in files {
        system = system.file(format!("/m/{name}"), text);
    }
    let request = CheckRequest { policies: check_policy::reader(), ..CheckRequest::default() };
    let report = check::run(&request, &system).unwrap_or_else(|it| Report::failed(it.to_string()));
    let is_too_much =
        |it: &str| it.contains("work limit") || it.contains("too large") || it.contains("too deep");
    let is_over = report
        .findings
        .iter()
        .any(|it| it.rule.as_str() == "budget-exceeded" || is_too_much(&it.message));
    let bytes = |format| render(&report, format, Style::default()).len();
    let largest = bytes(Format::Human).max(bytes(Format::Json));
    Size { work: report.work, bytes: bytes(Format::Concise), largest, is_over }
}

/// What is wrong with the growth, if anything is.
fn fault(name: &str, write: &Write) -> Option<String> {
    fault_of(name, &|count| run(write(count)))
}

fn fault_of(name: &str, run: &dyn Fn(usize) -> Size) -> Option<String> {
    let first = smallest();
    let sizes = [first, 2 * first].map(run);
    if std::env::var_os("TERRASCHEMA_BOMBS").is_some() {
        println!("{name}: {} {}, {} bytes", sizes[0].work, sizes[1].work, sizes[1].bytes);
    }
    let grows = |one: &Size, two: &Size| {
        let is_one_of = |all: &[&str]| all.iter().any(|it| name.starts_with(it));
        let is_linear = two.work <= one.work * 5 / 2 + FREE_WORK
            || is_one_of(LENGTHENED) && two.work < MOST_LENGTHENED
            || is_one_of(INDENTED) && two.work < MOST_INDENTED;
        let is_short = two.bytes <= one.bytes * 5 / 2 + FREE_BYTES && two.largest < MOST_BYTES;
        (is_linear || two.is_over) && is_short
    };
    let is_fine = sizes.windows(2).all(|it| grows(&it[0], &it[1]));
    (!is_fine).then(|| format!("{name}: {sizes:?}"))
}

fn no_fault(bombs: Vec<(String, Write)>) {
    assert!(!bombs.is_empty());
    let found: Vec<String> = bombs.iter().filter_map(|(name, write)| fault(name, write)).collect();
    assert!(found.is_empty(), "{} of {}:\n{}", found.len(), bombs.len(), found.join("\n"));
}

/// `text` for each number. The number replaces `@`.
fn repeated(count: usize, text: &str, between: &str) -> String {
    let all: Vec<String> = (0..count).map(|it| text.replace('@', &it.to_string())).collect();
    all.join(between)
}

fn one(name: &str, text: String) -> Files {
    vec![(name.to_owned(), text)]
}

fn rule(ty: &str, condition: &str) -> String {
    format!(
        "variable \"x\" {{\n  type = {ty}\n  validation {{\n    condition     = {condition}\n    \
         error_message = \"Bad.\"\n  }}\n}}\n"
    )
}

/// What an expression repeats: before, each part, what is between, after.
type Form = (&'static str, &'static str, &'static str, &'static str);

const FORMS: &[Form] = &[
    ("", "var.x.a@ == 1", " && ", ""),
    ("", "var.x.a@ == 1", " || ", ""),
    ("", "var.x != @", " && ", ""),
    ("", "var.x == @", " || ", ""),
    ("", "var.x.a@", " + ", " == 1"),
    ("", "(var.x.a@ == null ? 1 : 0)", " + ", " == 1"),
    ("", "(var.x.a@ == null)", " == ", ""),
    ("", "(var.x.a@ == 1 || var.x.b@ == 2)", " && ", ""),
    ("", "(var.x.a@ == 1 && var.x.b@ == 2)", " || ", ""),
    ("", "((var.x.a@ == null) != (var.x.b@ == null))", " && ", ""),
    ("", "(var.x.a@ == null ? true : var.x.a@ > 1)", " && ", ""),
    ("", "can(var.x.a@)", " && ", ""),
    ("", "can(var.x.a@)", " || ", ""),
    ("", "can(regex(\"^a@[a-z]+$\", var.x))", " || ", ""),
    ("", "!can(regex(\"^a@[a-z]+$\", var.x))", " && ", ""),
    ("", "contains([\"a@\", \"b@\"], var.x)", " || ", ""),
    ("", "!contains([\"a@\", \"b@\"], var.x)", " && ", ""),
    ("", "length(var.x) == @", " || ", ""),
    ("", "length(var.x) != @", " && ", ""),
    ("", "lower(var.x) == \"a@\"", " || ", ""),
    ("", "startswith(var.x, \"a@\")", " || ", ""),
    ("", "!endswith(var.x, \"a@\")", " && ", ""),
    ("", "split(\"-\", var.x)[@] == \"a\"", " || ", ""),
    ("", "substr(var.x, 0, 2) == \"a@\"", " || ", ""),
    ("", "(var.x > @ && var.x < 1@)", " || ", ""),
    ("", "can(cidrhost(var.x, @))", " && ", ""),
    ("", "var.x == [\"a@\"]", " || ", ""),
    ("alltrue([", "var.x.a@ != @", ", ", "])"),
    ("anytrue([", "var.x == @", ", ", "])"),
    ("contains([", "\"a@\"", ", ", "], var.x)"),
    ("contains([", "var.x.a@", ", ", "], var.x.b)"),
    ("try(", "tonumber(var.x)", ", ", ")"),
    ("try(", "tonumber(var.x) == @", ", ", ")"),
    ("try(", "tonumber(\"x\")", ", ", ")"),
    ("try(", "var.x.a@", ", ", ", true)"),
    ("try(", "regex(\"^a@\", var.x)", ", ", ", \"\") == \"\""),
    ("coalesce(", "var.x.a@", ", ", ") == 1"),
    ("length(concat(", "var.x.a@", ", ", ")) == 1"),
    ("alltrue([for i in concat(", "var.x.a@", ", ", ") : i == 1])"),
    ("length(flatten([", "var.x.a@", ", ", "])) == 1"),
    ("length(compact([", "var.x.a@", ", ", "])) == 1"),
    ("length(distinct([", "var.x.a@", ", ", "])) == 7"),
    ("length(merge(", "var.x.a@", ", ", ")) == 1"),
    ("length([for b in [", "var.x.a@ == null", ", ", "] : b if b]) == 1"),
    ("sum([", "var.x.a@ == null ? 1 : 0", ", ", "]) == 1"),
    ("max(", "var.x.a@", ", ", ") == 1"),
    ("alltrue([for i in [", "var.x.a@", ", ", "] : i == 1])"),
    ("alltrue([for i in [", "\"a@\"", ", ", "] : i != var.x])"),
    ("alltrue([for i in [", "\"a@\"", ", ", "] : contains(var.x, i)])"),
    ("alltrue([for i in var.x : ", "i == @", " || ", "])"),
    ("alltrue([for i in var.x : ", "i.a@ == 1", " || ", "])"),
    ("length([for i in var.x : i if ", "i != @", " && ", "]) > 0"),
    ("{ ", "a@ = var.x", ", ", " }.a1 == 1"),
    ("length({ ", "(var.x.a@) = @", ", ", " }) == 1"),
    ("length(keys({ ", "a@ = var.x", ", ", " })) == 1"),
    ("lookup({ ", "a@ = true", ", ", " }, var.x, false)"),
    ("{ ", "a@ = true", ", ", " }[var.x]"),
    ("[", "@", ", ", "][var.x] == 1"),
    ("[", "var.x.a@", ", ", "] == [1]"),
    ("\"", "${var.x.a@}", "", "\" == \"a\""),
    ("\"", "%{ if var.x }a@%{ endif }", "", "\" == \"a\""),
    ("can(regex(\"", "a@", "|", "\", var.x))"),
    ("can(regex(\"", "[a-z@]", "", "\", var.x))"),
    ("length(setsubtract(var.x, [", "\"a@\"", ", ", "])) == 0"),
    ("length(setintersection(var.x, [", "\"a@\"", ", ", "])) == 0"),
    ("join(\"\", [", "var.x", ", ", "]) == \"a\""),
    ("length(zipmap([", "\"a@\"", ", ", "], var.x)) == 1"),
];

/// Forms that nest: what opens a level, the middle, what closes it.
const NESTED: &[(&str, &str, &str)] = &[
    ("(", "var.x", ")"),
    ("!(", "var.x", ")"),
    ("can(", "var.x.a", ")"),
    ("try(", "var.x.a", ", false)"),
    ("(var.x ? (", "true", ") : false)"),
    ("(var.x == 1 ? true : (", "false", "))"),
    ("lower(", "var.x", ")"),
    ("flatten([", "var.x", "])"),
    ("concat(", "var.x", ", [1])"),
    ("[for i in ", "var.x", " : i]"),
    ("{ a = ", "var.x", " }"),
    ("\"${", "var.x", "}\""),
    ("(var.x != (", "true", "))"),
];

fn text_of((before, part, between, after): Form, count: usize) -> String {
    format!("{before}{}{after}", repeated(count, part, between))
}

fn forms(ty: &'static str) -> Vec<(String, Write)> {
    let named = |form: &Form| {
        let form = *form;
        let write = move |count| one("main.tf", rule(ty, &text_of(form, count)));
        (format!("{ty}: {}{}{}…{}", form.0, form.1, form.2, form.3), Box::new(write) as Write)
    };
    FORMS.iter().map(named).collect()
}

#[test]
fn conditions_of_many_parts() {
    no_fault(forms("any"));
}

#[test]
fn conditions_of_many_parts_of_a_text() {
    let mut all = forms("string");
    all.retain(|it| !it.0.contains("var.x.a") && !it.0.contains("in var.x"));
    no_fault(all);
}

#[test]
fn conditions_that_nest() {
    let named = |&(open, middle, close): &(&'static str, &'static str, &'static str)| {
        let write = move |count: usize| {
            let depth = count / 4;
            let text = format!("{}{middle}{} == 1", open.repeat(depth), close.repeat(depth));
            one("main.tf", rule("any", &text))
        };
        (format!("{open}…{close}"), Box::new(write) as Write)
    };
    no_fault(NESTED.iter().map(named).collect());
}

#[test]
fn outputs_of_many_parts() {
    let named = |form: &Form| {
        let form = *form;
        let write = move |count| {
            let value = text_of(form, count);
            one(
                "main.tf",
                format!(
                    "variable \"x\" {{\n  default = null\n}}\noutput \"o\" {{\n  value = {value}\n}}\n"
                ),
            )
        };
        (format!("output {}{}", form.0, form.1), Box::new(write) as Write)
    };
    no_fault(FORMS.iter().map(named).collect());
}

/// Every function with many arguments, with one argument of many parts, and called many times.
#[test]
fn functions_of_many_arguments() {
    const SHAPES: &[Form] = &[
        ("F(", "var.x", ", ", ") == 1"),
        ("F(", "\"a@\"", ", ", ") == 1"),
        ("F(", "tonumber(var.x)", ", ", ") == 1"),
        ("F(", "var.x.a@", ", ", ") == 1"),
        ("F([", "\"a@\"", ", ", "], var.x) == 1"),
        ("F(var.x, [", "\"a@\"", ", ", "]) == 1"),
        ("F([", "var.x", ", ", "]) == 1"),
        ("F({ ", "a@ = var.x", ", ", " }) == 1"),
        ("F([", "[var.x.a@]", ", ", "]...) == 1"),
        ("", "F(var.x) == @", " || ", ""),
        ("", "F(var.x, \"a@\") == 1", " && ", ""),
    ];
    let seed = std::env::var("TERRASCHEMA_SEED").ok().and_then(|it| it.parse().ok());
    let mut random = Random::new(seed.unwrap_or(1));
    let mut bombs = Vec::new();
    for function in functions::all() {
        for _ in 0..2 {
            let form = SHAPES[random.below(SHAPES.len())];
            let name = function.name;
            let write = move |count| {
                let text = text_of(form, count).replace('F', name);
                one("main.tf", rule("any", &text))
            };
            bombs.push((format!("{name}: {}{}", form.0, form.1), Box::new(write) as Write));
        }
    }
    assert!(bombs.len() > 200, "{}", bombs.len());
    no_fault(bombs);
}

const BLOCKS: &[&str] = &[
    "variable \"v@\" {}\n",
    "variable \"v\" {}\n",
    "variable \"v@\" {\n  typ = string\n}\n",
    "variable \"v@\" {\n  type = \"string\"\n}\n",
    "variable \"v@\" {\n  type    = number\n  default = \"a\"\n}\n",
    "variable \"v@\" {\n  default = null\n  validation {\n    condition     = var.v@ == null || length(var.v@) > 2\n    error_message = \"Bad.\"\n  }\n}\n",
    "variable \"v@\" {\n  default = 1\n  validation {\n    condition     = var.v@ != var.z\n    error_message = \"Bad.\"\n  }\n}\n",
    "locals {\n  l@ = var.z\n}\n",
    "locals {\n  l = 1\n}\n",
    "output \"o@\" {\n  value = var.nope@\n}\n",
    "output \"o@\" {\n  value = tonumber(\"a\")\n}\n",
    "output \"o\" {\n  value = 1\n}\n",
    "resource \"a_b\" \"r@\" {\n  x = var.z\n}\n",
    "resource \"terraform_data\" \"r@\" {\n  inputt = 1\n}\n",
    "resource \"terraform_data\" \"r@\" {\n  input = terraform_data.r0\n}\n",
    "resource \"terraform_data\" \"r@\" {\n  lifecycle {\n    precondition {\n      condition     = var.z == 1\n      error_message = \"Bad.\"\n    }\n  }\n}\n",
    "data \"a_b\" \"r@\" {\n  x = 1\n}\n",
    "provider \"a\" {\n  alias = \"p@\"\n}\n",
    "provider \"a\" {}\n",
    "moved {\n  from = a_b.c@\n  to   = a_b.d@\n}\n",
    "moved {\n  from = a_b.c\n  to   = a_b.d@\n}\n",
    "removed {\n  from = a_b.c@\n}\n",
    "import {\n  to = a_b.c@\n  id = \"a\"\n}\n",
    "check \"c@\" {\n  assert {\n    condition     = var.z == 1\n    error_message = \"Bad.\"\n  }\n}\n",
    "terraform {\n  required_version = \">= 1.@\"\n}\n",
    "terraform {\n  required_providers {\n    p@ = {\n      source = \"a/p@\"\n    }\n  }\n}\n",
    "module \"m@\" {\n  source = \"./missing@\"\n}\n",
    "module \"m@\" {\n  source = \"a/b/c\"\n  x      = var.z\n}\n",
    "module \"m@\" {\n  source = \"./m\"\n  x      = @\n}\n",
    "module \"m@\" {\n  source = \"./m\"\n  y      = @\n}\n",
    "module \"m@\" {\n  source = \"./m\"\n  x      = { b = 1 }\n}\n",
    "foo \"b@\" {}\n",
    "a@ = 1\n",
    "# terraschema:ignore missing-schema because\n",
    "# terraschema:ignore nothing-like-that because\n",
    "# terraschema:ignore\n",
    "# terraschema:ignore invalid-variable because\nvariable \"v@\" {\n  typ = string\n}\n",
];

#[test]
fn blocks_of_every_kind() {
    const CALLED: &str = "variable \"x\" {\n  type    = any\n  default = {}\n}\noutput \"o\" {\n  value = var.x\n}\n";
    let named = |text: &&'static str| {
        let text = *text;
        let write = move |count| {
            let all = repeated(count, text, "") + "variable \"z\" {\n  default = 1\n}\n";
            vec![("main.tf".to_owned(), all), ("m/main.tf".to_owned(), CALLED.to_owned())]
        };
        (text.replace('\n', " "), Box::new(write) as Write)
    };
    no_fault(BLOCKS.iter().map(named).collect());
}

#[test]
fn bodies_of_many_parts() {
    const INSIDE: &[&str] = &[
        "  a@ = var.z\n",
        "  a = var.z\n",
        "  d {\n    a = 1\n  }\n",
        "  dynamic \"d\" {\n    for_each = var.z\n    content {}\n  }\n",
        "  provisioner \"local-exec\" {\n    command = \"a\"\n  }\n",
        "  validation {\n    condition     = var.v != @\n    error_message = \"Bad.\"\n  }\n",
        "  validation {\n    condition     = var.v == \"b@\"\n    error_message = \"Bad.\"\n  }\n",
        "  lifecycle {\n    postcondition {\n      condition     = var.z == 1\n      error_message = \"a\"\n    }\n  }\n",
    ];
    const KINDS: &[&str] = &[
        "resource \"a_b\" \"r\"",
        "resource \"terraform_data\" \"r\"",
        "data \"a_b\" \"r\"",
        "module \"m\"",
        "output \"o\"",
        "variable \"v\"",
        "provider \"p\"",
        "check \"c\"",
        "terraform",
        "locals",
    ];
    let mut bombs = Vec::new();
    for (kind, inside) in
        KINDS.iter().flat_map(|it| INSIDE.iter().map(move |inside| (*it, *inside)))
    {
        let write = move |count| {
            let text = format!(
                "{kind} {{\n{}}}\nvariable \"z\" {{\n  default = 1\n}}\n",
                repeated(count, inside, "")
            );
            one("main.tf", text)
        };
        bombs.push((format!("{kind}: {}", inside.replace('\n', " ")), Box::new(write) as Write));
    }
    no_fault(bombs);
}

#[test]
fn types_of_many_parts() {
    const TYPES: &[Form] = &[
        ("object({ ", "a@ = string", ", ", " })"),
        ("object({ ", "a@ = optional(string)", ", ", " })"),
        ("object({ ", "a@ = optional(string, \"d@\")", ", ", " })"),
        ("object({ ", "a@ = optional(object({ b = optional(string) }), {})", ", ", " })"),
        ("object({ ", "a@ = strin", ", ", " })"),
        ("object({ ", "a = string", ", ", " })"),
        ("tuple([", "string", ", ", "])"),
    ];
    let mut bombs: Vec<(String, Write)> = Vec::new();
    for ty in TYPES.iter().copied() {
        bombs.push((
            format!("{ty:?}"),
            Box::new(move |count| one("main.tf", rule(&text_of(ty, count), "var.x != null"))),
        ));
    }
    for (open, close) in
        [("list(", ")"), ("object({ a = ", " })"), ("object({ a = optional(", ") })")]
    {
        let write = move |count: usize| {
            let depth = count / 8;
            one(
                "main.tf",
                rule(
                    &format!("{}string{}", open.repeat(depth), close.repeat(depth)),
                    "var.x != null",
                ),
            )
        };
        bombs.push((open.to_owned(), Box::new(write)));
    }
    no_fault(bombs);
}

/// The module, and the values that are repeated.
const VALUES: &[(&str, Form)] = &[
    (
        "variable \"x\" { type = list(object({ a = optional(number) })) }\n",
        ("x = [", "{ b = 1 }", ", ", "]\n"),
    ),
    (
        "variable \"x\" { type = list(object({ a = optional(number) })) }\n",
        ("x = [{ ", "b@ = 1", ", ", " }]\n"),
    ),
    (
        "variable \"x\" { type = list(object({ a = optional(number) })) }\n",
        ("x = [", "{ b = null }", ", ", "]\n"),
    ),
    (
        "variable \"x\" { type = list(object({ a = optional(number) })) }\n",
        ("x = [", "{ a = \"z\" }", ", ", "]\n"),
    ),
    (
        "variable \"x\" { type = set(object({ a = number })) }\n",
        ("x = [", "{ a = @ }", ", ", "]\n"),
    ),
    ("variable \"x\" { type = map(number) }\n", ("x = { ", "a@ = @", ", ", " }\n")),
    ("variable \"x\" { type = list(any) }\n", ("x = [", "{ a = @ }", ", ", "]\n")),
    ("variable \"x\" {}\n", ("x = [", "{ a@ = @ }", ", ", "]\n")),
    ("variable \"x\" {}\n", ("x = [", "nope@", ", ", "]\n")),
    ("variable \"x\" {\n  default = 1\n}\n", ("", "unknown_@ = 1\n", "", "")),
    ("variable \"x\" {}\n", ("", "x = 1\n", "", "")),
    (
        "variable \"x\" {}\n",
        ("x = 1\n", "# terraschema:ignore unknown-attribute because\n", "", ""),
    ),
    ("variable \"x\" {}\n", ("", "x {\n}\n", "", "")),
];

#[test]
fn values_of_many_parts() {
    let mut bombs: Vec<(String, Write)> = Vec::new();
    for (module, form) in VALUES.iter().copied() {
        let write = move |count| {
            let values = text_of(form, count);
            vec![("main.tf".to_owned(), module.to_owned()), ("terraform.tfvars".to_owned(), values)]
        };
        bombs.push((format!("{form:?}"), Box::new(write)));
    }
    for (module, value) in [
        ("variable \"v@\" { type = number }\n", "v@ = \"a\"\n"),
        ("variable \"v@\" {}\n", ""),
        ("variable \"v@\" {\n  type      = number\n  sensitive = true\n}\n", "v@ = \"a\"\n"),
        (
            "variable \"v@\" {\n  validation {\n    condition     = var.v@ == 2\n    error_message = \"a\"\n  }\n}\n",
            "v@ = 1\n",
        ),
    ] {
        let write = move |count| {
            let values = repeated(count, value, "");
            vec![
                ("main.tf".to_owned(), repeated(count, module, "")),
                ("terraform.tfvars".to_owned(), values),
            ]
        };
        bombs.push((module.replace('\n', " "), Box::new(write)));
    }
    for (module, form) in [
        ("variable \"x\" { type = list(string) }\n", ("{\"x\": [", "@", ", ", "]}")),
        ("variable \"x\" {\n  default = 1\n}\n", ("{", "\"unknown_@\": 1", ", ", "}")),
        (
            "variable \"x\" { type = list(object({ a = optional(number) })) }\n",
            ("{\"x\": [", "{\"b\": 1}", ", ", "]}"),
        ),
    ] {
        let write = move |count| {
            let values = text_of(form, count);
            vec![
                ("main.tf".to_owned(), module.to_owned()),
                ("terraform.tfvars.json".to_owned(), values),
            ]
        };
        bombs.push((format!("{form:?}"), Box::new(write)));
    }
    no_fault(bombs);
}

/// A name that each of many findings contains. It is as long as they are many.
#[test]
fn names_of_many_bytes() {
    const CALLED: &str = "variable \"x\" {\n  type = string\n}\n";
    const PLACES: &[(&str, Form)] = &[
        (
            "main.tf",
            (
                "variable \"L\" {\n",
                "  validation {\n    condition     = true\n    error_message = \"a\"\n  }\n",
                "",
                "}\n",
            ),
        ),
        ("main.tf", ("variable \"L\" {\n", "  nope@ = 1\n", "", "}\n")),
        ("main.tf", ("resource \"terraform_data\" \"L\" {\n", "  nope@ = 1\n", "", "}\n")),
        ("main.tf", ("module \"L\" {\n  source = \"./m\"\n", "  nope@ = 1\n", "", "}\n")),
        ("main.tf", ("locals {\n", "  a@ = local.b\n", "", "  L = 1\n}\n")),
        ("m/terraform.tfvars", ("x = \"L\"\n", "nope@ = 1\n", "", "")),
        ("n/terraform.tfvars", ("x = { L = [", "{ b = 1 }", ", ", "] }\n")),
        ("n/terraform.tfvars", ("x = { \"L \" = [", "{ b = 1 }", ", ", "] }\n")),
        ("o/terraform.tfvars", ("x = { L = { L = { L = [", "{ b = 1 }", ", ", "] } } }\n")),
        ("o/terraform.tfvars", ("x = { L = { L = { L = [", "1", ", ", "] } } }\n")),
    ];
    let named = |(file, form): &(&'static str, Form)| {
        let (file, form) = (*file, *form);
        let write = move |count: usize| {
            let text = text_of(form, count).replace('L', &"l".repeat(200 * count));
            let declared =
                "variable \"x\" {\n  type = map(list(object({ a = optional(number) })))\n}\n";
            vec![
                ("m/main.tf".to_owned(), CALLED.to_owned()),
                ("n/main.tf".to_owned(), declared.to_owned()),
                (
                    "o/main.tf".to_owned(),
                    declared.replace("map(list(", "map(map(map(list(").replace(")))", ")))))"),
                ),
                (file.to_owned(), text),
            ]
        };
        (format!("{file}: {form:?}"), Box::new(write) as Write)
    };
    no_fault(PLACES.iter().map(named).collect());
}

/// Many values files in one directory: with all values, without some, with undeclared ones, each with others.
#[test]
fn values_files_without_number() {
    let mut bombs: Vec<(String, Write)> = Vec::new();
    for (module, values) in [
        ("variable \"x\" {}\n", "x = 1\n"),
        ("variable \"x\" {}\nvariable \"y\" {}\n", "x = 1\n"),
        ("variable \"x\" {}\n", "x = 1\ny = 2\n"),
        ("variable \"x\" {}\n", "other_@ = 2\n"),
        ("locals {}\n", "x = 1\n"),
        ("", "x = 1\n"),
    ] {
        let write = move |count: usize| {
            let file = |it: usize| (format!("f{it}.tfvars"), values.replace('@', &it.to_string()));
            let mut files: Files = (0..count).map(file).collect();
            if !module.is_empty() {
                files.push(("main.tf".to_owned(), module.to_owned()));
            }
            files
        };
        bombs.push((format!("{module:?} {values:?}"), Box::new(write)));
    }
    no_fault(bombs);
}

const CONFIGURATIONS: &[Form] = &[
    ("", "rule \"missing-schema\" {\n  level = \"off\"\n}\n", "", ""),
    ("", "rule \"missing-schema\" {\n  level = \"off\"\n  paths = [\"a@\"]\n}\n", "", ""),
    ("", "rule \"nothing-@\" {\n  level = \"off\"\n}\n", "", ""),
    ("", "rule \"missing-schema\" {\n  level = \"of\"\n}\n", "", ""),
    ("", "ignore \"missing-schema\" {\n  reason = \"a\"\n  paths  = [\"a@*\"]\n}\n", "", ""),
    ("", "ignore \"missing-schema\" {\n  reason = \"a\"\n  until  = \"2020-01-01\"\n}\n", "", ""),
    ("", "input \"i@\" {\n  files = [\"none-@.tfvars\"]\n}\n", "", ""),
    ("", "input \"i@\" {\n  files = [\"none*.tfvars\"]\n}\n", "", ""),
    ("", "input \"i@\" {\n  files = [\"v*.tfvars\"]\n}\n", "", ""),
    ("", "input \"i\" {\n  files = [\"v*.tfvars\"]\n}\n", "", ""),
    ("", "input \"i@\" {\n  each = [\"v*.tfvars\"]\n}\n", "", ""),
    ("", "input \"i@\" {\n  files = [\"v*.tfvars\", \"w@*\"]\n}\n", "", ""),
    ("", "input \"i@\" {\n  each = [\"v*.tfvars\", \"w@*.tfvars\"]\n}\n", "", ""),
    ("", "input \"i@\" {\n  files = [\"v@.tfvars\"]\n  each = [\"v*.tfvars\"]\n}\n", "", ""),
    ("", "input \"i@\" {\n  modules = [\"*\", \"a@\"]\n  each = [\"v*.tfvars\"]\n}\n", "", ""),
    ("", "input \"i@\" {\n  files = [\"v1.tfvars\"]\n  given = [\"x@\"]\n}\n", "", ""),
    ("", "input \"i@\" {\n  module = \"m@\"\n  files = [\"v*.tfvars\"]\n}\n", "", ""),
    ("", "contract \"a/b@/c\" {\n  path = \"m\"\n}\n", "", ""),
    ("", "schema {\n}\n", "", ""),
    ("", "nothing {\n}\n", "", ""),
    ("", "a@ = 1\n", "", ""),
    ("modules {\n  exclude = [", "\"*a@*/**/b\"", ", ", "]\n}\n"),
    ("modules {\n  include = [", "\"a@\"", ", ", "]\n}\n"),
    ("schema {\n  ignore_variables = [", "\"a@\"", ", ", "]\n}\n"),
    ("schema {\n  properties = { ", "a@ = \"b\"", ", ", " }\n}\n"),
    ("input \"i\" {\n  files = [", "\"v1.tfvars\"", ", ", "]\n}\n"),
    ("input \"i\" {\n  files = [", "\"v*.tfvars\"", ", ", "]\n}\n"),
    ("calls = [", "@", ", ", "]\n"),
];

#[test]
fn configurations_of_many_parts() {
    let named = |form: &Form| {
        let form = *form;
        let write = move |count| {
            let mut files: Files =
                (0..20).map(|it| (format!("v{it}.tfvars"), "x = 1\n".to_owned())).collect();
            files.push(("main.tf".to_owned(), "variable \"x\" {}\n".to_owned()));
            files.push((".terraschema.hcl".to_owned(), text_of(form, count)));
            files
        };
        (format!("{form:?}"), Box::new(write) as Write)
    };
    no_fault(CONFIGURATIONS.iter().map(named).collect());
}

/// The rules, and what is repeated in them or in the module.
#[test]
fn policies_of_many_parts() {
    const RULES: &[Form] = &[
        ("", "rule \"r@\" {\n  forbid \"a_b\" {}\n}\n", "", ""),
        ("", "rule \"r@\" {\n  resource \"a_b\" {\n    x = @\n  }\n}\n", "", ""),
        ("", "rule \"r@\" {\n  resource \"*\" {\n    x = required\n  }\n}\n", "", ""),
        ("", "rule \"r@\" {\n  resorce \"a_b\" {}\n}\n", "", ""),
        ("", "rule \"r\" {\n  forbid \"a_b\" {}\n}\n", "", ""),
        ("rule \"r\" {\n", "  forbid \"a_b@\" {}\n", "", "}\n"),
        ("rule \"r\" {\n  resource \"a_b\" {\n", "    x@ = @\n", "", "  }\n}\n"),
        ("rule \"r\" {\n  resource \"a_b\" {\n    x = any([", "\"v@\"", ", ", "])\n  }\n}\n"),
        (
            "rule \"r\" {\n  when = { except = [",
            "\"a_b.r@\"",
            ", ",
            "] }\n  forbid \"a_b\" {}\n}\n",
        ),
        ("", "context \"c@\" {\n  default = 1\n}\n", "", ""),
    ];
    const RESOURCES: &[&str] = &[
        "resource \"a_b\" \"r@\" {\n  x = 1\n}\n",
        "resource \"a_b\" \"r@\" {\n  x = var.nope\n}\n",
        "data \"a_b\" \"r@\" {}\n",
    ];
    const RULE: &str = "rule \"r\" {\n  resource \"a_b\" {\n    x = 2\n  }\n}\n";
    const MODULE: &str = "resource \"a_b\" \"r\" {\n  x = \"a\"\n}\n";
    let files = |rules: String, module: String| -> Files {
        let named = "policy {\n  rules = [\"rules\"]\n}\n".to_owned();
        vec![
            (".terraschema.hcl".to_owned(), named),
            ("rules/a.rules.hcl".to_owned(), rules),
            ("main.tf".to_owned(), module),
        ]
    };
    let mut bombs: Vec<(String, Write)> = Vec::new();
    for form in RULES.iter().copied() {
        let write = move |count| files(text_of(form, count), MODULE.to_owned());
        bombs.push((format!("{form:?}"), Box::new(write)));
    }
    for text in RESOURCES.iter().copied() {
        let write = move |count| files(RULE.to_owned(), repeated(count, text, ""));
        bombs.push((text.to_owned(), Box::new(write)));
    }
    no_fault(bombs);
}

/// Objects of a plan, their attributes, blocks and elements, and what a plan says about them.
#[test]
fn plans_of_many_parts() {
    const RULES: &str = "rule \"r\" {\n  resource \"a_b\" {\n    x = 2\n    y {\n      z = some(1)\n    }\n  }\n}\n";
    let change = |place: &str, after: &str, unknown: &str| {
        format!(
            "{{\"address\": \"a_b.r{place}\", \"mode\": \"managed\", \"type\": \"a_b\", \"name\": \"r{place}\", \
             \"change\": {{\"actions\": [\"create\"], \"before\": null, \"after\": {after}, \
             \"after_unknown\": {unknown}}}}}"
        )
    };
    let shapes: [(&str, &dyn Fn(usize) -> String); 6] = [
        ("objects", &|count| repeated(count, &change("@", "{\"x\": 1}", "{}"), ", ")),
        ("objects that fit", &|count| repeated(count, &change("@", "{\"x\": 2}", "{}"), ", ")),
        ("unknown objects", &|count| repeated(count, &change("@", "{}", "{\"x\": true}"), ", ")),
        ("attributes", &|count| {
            change("", &format!("{{{}}}", repeated(count, "\"a@\": 1", ", ")), "{}")
        }),
        ("blocks", &|count| {
            let blocks = repeated(count, "{\"z\": [2]}", ", ");
            change("", &format!("{{\"x\": 2, \"y\": [{blocks}]}}"), "{}")
        }),
        ("elements", &|count| {
            let elements = repeated(count, "2", ", ");
            change("", &format!("{{\"x\": 2, \"y\": [{{\"z\": [{elements}]}}]}}"), "{}")
        }),
    ];
    let run = |text: &str| {
        let meter = Meter::default();
        let rules = vec![("a.rules.hcl".to_owned(), std::sync::Arc::from(RULES.as_bytes()))];
        let (policy, _) = policy::read(rules, &GivenContexts::default(), &meter);
        let plan = format!("{{\"format_version\": \"1.2\", \"resource_changes\": [{text}]}}");
        let plan = plan::read(plan.as_bytes(), &Asked::new(&policy)).unwrap();
        let found = policy::judge(&policy, &plan, &meter).findings;
        let bytes = found.iter().map(|it| it.message.len()).sum();
        Size { work: meter.spent(), bytes, largest: bytes, is_over: meter.is_exhausted() }
    };
    let found: Vec<String> = shapes
        .iter()
        .filter_map(|(name, text)| fault_of(name, &|count| run(&text(count))))
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// What a README says, around code and in it.
#[test]
fn readmes_of_many_parts() {
    const TEXTS: &[&str] = &[
        "# a\n\ntext `code` text\n",
        "```hcl\nx = 1\n```\n",
        "```hcl\nx = \"a\"\nz = 1\n```\n",
        "```hcl\nmodule \"m\" {\n  source = \"./\"\n  x = \"a\"\n}\n```\n",
        "```hcl\nmodule \"m@\" {\n  source = \"../m\"\n  nope = 1\n}\n```\n",
        "```hcl\nx = [\n```\n",
        "```hcl\n",
        "~~~~\n```\n",
        "<!-- BEGIN_TF_DOCS -->\n",
        "<!-- BEGIN_TF_DOCS -->\n| a |\n|---|\n<!-- END_TF_DOCS -->\n",
        "<details>\n",
        "> ```\n> x = 1\n",
        "- a\n  ```hcl\n  x = 1\n  ```\n",
        "| a | b |\n",
    ];
    let named = |text: &&'static str| {
        let text = *text;
        let write = move |count| {
            vec![
                ("main.tf".to_owned(), "variable \"x\" {\n  type = number\n}\n".to_owned()),
                ("README.md".to_owned(), repeated(count, text, "")),
            ]
        };
        (text.replace('\n', " "), Box::new(write) as Write)
    };
    no_fault(TEXTS.iter().map(named).collect());
}

/// Patterns of ignored files, among files that some of them name.
#[test]
fn ignore_files_of_many_lines() {
    const LINES: &[&str] = &[
        "a@\n",
        "a@/\n",
        "*.a@\n",
        "/f@.tfvars\n",
        "**/f@/**\n",
        "!f@.tfvars\n",
        "f*@.tfvars\n",
        "[a-@\n",
        "# a\n",
        "\\\n",
    ];
    let named = |line: &&'static str| {
        let line = *line;
        let write = move |count| {
            let file = |it: usize| (format!("f{it}.tfvars"), "x = 1\n".to_owned());
            let mut files: Files = (0..20).map(file).collect();
            files.push((".git/HEAD".to_owned(), String::new()));
            files.push((".gitignore".to_owned(), repeated(count, line, "")));
            files.push(("main.tf".to_owned(), "variable \"x\" {}\n".to_owned()));
            files
        };
        (line.replace('\n', " "), Box::new(write) as Write)
    };
    no_fault(LINES.iter().map(named).collect());
}

/// Two states of a module: what each of them repeats.
#[test]
fn changes_of_many_parts() {
    const CHANGES: &[(&str, &str)] = &[
        ("variable \"v@\" {}\n", "variable \"v@\" {}\n"),
        ("", "variable \"v@\" {}\n"),
        ("variable \"v@\" {}\n", ""),
        ("variable \"v@\" { type = string }\n", "variable \"v@\" { type = number }\n"),
        ("variable \"v@\" {\n  default = 1\n}\n", "variable \"v@\" {\n  default = 2\n}\n"),
        ("output \"o@\" { value = 1 }\n", ""),
        ("output \"o@\" { value = 1 }\n", "output \"o@\" { value = \"a\" }\n"),
        (
            "variable \"v@\" { type = string }\n",
            "variable \"v@\" {\n  type = string\n  validation {\n    condition     = length(var.v@) < 3\n    error_message = \"Bad.\"\n  }\n}\n",
        ),
        (
            "resource \"a_b\" \"r@\" {}\n",
            "resource \"a_b\" \"s@\" {}\nmoved {\n  from = a_b.r@\n  to   = a_b.s@\n}\n",
        ),
    ];
    let run = |before: &str, after: &str, count: usize| {
        let system = MemorySystem::new().working_in("/r");
        let system = system
            .file("/r/before/main.tf", repeated(count, before, ""))
            .file("/r/after/main.tf", repeated(count, after, ""));
        let meter = Meter::default();
        let load = |dir: &str| {
            ModuleContract::load(&system, std::path::Path::new(dir), Release::NEWEST, &meter)
                .unwrap()
        };
        let (before, after) = (load("before"), load("after"));
        compat::compare(&before, &after);
        Size { work: meter.spent(), bytes: 0, largest: 0, is_over: meter.is_exhausted() }
    };
    let found: Vec<String> = CHANGES
        .iter()
        .filter_map(|(before, after)| {
            fault_of(&format!("{before:?} {after:?}"), &|count| run(before, after, count))
        })
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}
