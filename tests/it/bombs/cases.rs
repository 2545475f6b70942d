//! Small files that ask for much work. Each grows with a size, so that the test makes it as large as
//! the dev build can bear, and `benches/bombs.rs` ten times as large as that.

/// What makes a JSON object a schema that `check --fix` may replace.
const DRAFT: &str = "\"$schema\":\"http://json-schema.org/draft-07/schema#\"";

/// A file's name and text.
pub type Files = Vec<(&'static str, String)>;

/// What is written, how large it is, and what the command has to say.
#[derive(Clone, Copy)]
pub struct Bomb {
    pub name: &'static str,
    pub files: fn(usize) -> Files,
    pub size: usize,
    pub args: &'static [&'static str],
    pub code: i32,
    /// Part of what is printed.
    pub says: &'static str,
}

const VALIDATE: &[&str] = &["validate"];
const CHECK: &[&str] = &["check", "."];
const PRINT: &[&str] = &["generate", "--stdout"];

const fn bomb(
    name: &'static str,
    files: fn(usize) -> Files,
    size: usize,
    code: i32,
    says: &'static str,
) -> Bomb {
    Bomb { name, files, size, args: VALIDATE, code, says }
}

const fn with(args: &'static [&'static str], bomb: Bomb) -> Bomb {
    Bomb { args, ..bomb }
}

fn main_tf(text: String) -> Files {
    vec![("main.tf", text)]
}

/// A variable with a rule; its value is `value`.
fn rule(condition: &str, value: &str) -> Files {
    let text = format!(
        "variable \"x\" {{\n  default = {value}\n  validation {{\n    condition = {condition}\n    \
         error_message = \"Bad.\"\n  }}\n}}\n"
    );
    main_tf(text)
}

/// Like `rule`, with locals next to it.
fn rule_with(locals: &str, condition: &str) -> Files {
    let mut files = rule(condition, "\"a\"");
    files[0].1 += locals;
    files
}

/// An output of an expression.
fn output(expression: &str) -> Files {
    main_tf(format!(
        "variable \"x\" {{\n  default = 1\n}}\noutput \"o\" {{\n  value = {expression}\n}}\n"
    ))
}

/// Locals. Each is made from the one before; `step` has `@` for that one.
fn chain(count: usize, first: &str, step: &str, last: &str) -> Files {
    let mut text = format!("variable \"x\" {{\n  default = \"a\"\n}}\nlocals {{\n  l0 = {first}\n");
    for n in 1..=count {
        text += &format!("  l{n} = {}\n", step.replace('@', &format!("local.l{}", n - 1)));
    }
    let last = last.replace('@', &format!("local.l{count}"));
    text += &format!("}}\noutput \"o\" {{\n  value = {last}\n}}\n");
    main_tf(text)
}

fn joined(count: usize, separator: &str, item: impl Fn(usize) -> String) -> String {
    (0..count).map(item).collect::<Vec<_>>().join(separator)
}

fn values(text: String) -> Files {
    let module = "variable \"x\" {\n  default = 1\n}\n";
    vec![("main.tf", module.to_owned()), ("terraform.tfvars", text)]
}

fn values_json(text: String) -> Files {
    let module = "variable \"x\" {\n  default = 1\n}\n";
    vec![("main.tf", module.to_owned()), ("terraform.tfvars.json", text)]
}

fn schema(text: String) -> Files {
    let module = "variable \"x\" {\n  default = 1\n}\n";
    vec![("main.tf", module.to_owned()), ("schema.json", text)]
}

fn configured(text: String) -> Files {
    let module = "variable \"x\" {\n  default = 1\n}\n";
    vec![("main.tf", module.to_owned()), (".terraschema.hcl", text)]
}

pub const TOO_LARGE: &str = "budget-exceeded";
const ACCEPTED: &str = "";

pub const BOMBS: &[Bomb] = &[
    // Structure that is shared.
    bomb("lists of lists", |n| chain(n, "[var.x]", "[@, @]", "@"), 40, 1, TOO_LARGE),
    bomb(
        "tolist of lists",
        |n| chain(n, "tolist([var.x])", "tolist([@, @])", "@"),
        40,
        1,
        TOO_LARGE,
    ),
    bomb(
        "objects of objects",
        |n| chain(n, "{ a = var.x }", "{ a = @, b = @ }", "@"),
        40,
        1,
        TOO_LARGE,
    ),
    bomb(
        "maps of maps",
        |n| chain(n, "tomap({ a = var.x })", "tomap({ a = @, b = @ })", "@"),
        40,
        1,
        TOO_LARGE,
    ),
    bomb(
        "merge of objects",
        |n| chain(n, "{ a = var.x }", "merge({ a = @ }, { b = @ })", "@"),
        40,
        1,
        TOO_LARGE,
    ),
    bomb("flatten", |n| chain(n, "[var.x]", "flatten([@, @])", "@"), 40, 1, TOO_LARGE),
    bomb("concat", |n| chain(n, "[var.x]", "concat(@, @)", "@"), 40, 1, TOO_LARGE),
    bomb(
        "conditionals of lists",
        |n| chain(n, "[var.x]", "var.x == \"a\" ? [@, @] : [@, @]", "@"),
        40,
        1,
        TOO_LARGE,
    ),
    bomb(
        "for over doubled lists",
        |n| chain(n, "[var.x]", "[for i in [1, 2] : @]", "@"),
        40,
        1,
        TOO_LARGE,
    ),
    bomb(
        "splat over doubled lists",
        |n| chain(n, "{ a = [var.x] }", "{ a = [@, @][*].a }", "@"),
        40,
        1,
        TOO_LARGE,
    ),
    bomb(
        "jsonencode of lists",
        |n| chain(n, "[var.x]", "[@, @]", "length(jsonencode(@))"),
        40,
        1,
        TOO_LARGE,
    ),
    bomb(
        "yamlencode of lists",
        |n| chain(n, "[var.x]", "[@, @]", "length(yamlencode(@))"),
        40,
        1,
        TOO_LARGE,
    ),
    bomb(
        "format of lists",
        |n| chain(n, "[var.x]", "[@, @]", "format(\"%#v\", @)"),
        40,
        1,
        TOO_LARGE,
    ),
    bomb("comparison of lists", |n| chain(n, "[var.x]", "[@, @]", "@ == [@, 1]"), 40, 1, TOO_LARGE),
    bomb("set of lists", |n| chain(n, "[var.x]", "[@, @]", "toset([@])"), 40, 1, TOO_LARGE),
    bomb("strings doubled", |n| chain(n, "var.x", "\"${@}${@}\"", "length(@)"), 60, 1, TOO_LARGE),
    bomb(
        "strings joined",
        |n| chain(n, "var.x", "join(\"\", [@, @])", "length(@)"),
        60,
        1,
        TOO_LARGE,
    ),
    bomb(
        "strings replaced",
        |n| chain(n, "var.x", "replace(@, \"a\", \"aa\")", "length(@)"),
        60,
        1,
        TOO_LARGE,
    ),
    bomb(
        "strings encoded",
        |n| chain(n, "var.x", "urlencode(\"%${@}%\")", "length(@)"),
        60,
        0,
        ACCEPTED,
    ),
    bomb("sensitive lists", |n| chain(n, "[sensitive(var.x)]", "[@, @]", "@"), 40, 1, TOO_LARGE),
    bomb("unknown lists", |n| chain(n, "[timestamp()]", "[@, @]", "@"), 40, 1, TOO_LARGE),
    bomb(
        "numbers squared",
        |n| chain(n, "parseint(\"12345678901234567890123\", 10)", "@ * @", "@ > 1"),
        40,
        0,
        ACCEPTED,
    ),
    bomb(
        "setproduct",
        |_| output("length(setproduct(range(1000), range(1000), range(1000), range(1000)))"),
        1,
        1,
        TOO_LARGE,
    ),
    bomb(
        "concat of long lists",
        |n| {
            rule_with(
                &format!(
                    "locals {{\n  a = range(1000)\n  b = flatten([for i in range({n}) : local.a])\n  c = concat([for i in range(1000) : local.b]...)\n}}\n"
                ),
                "length(local.c) > 0 && var.x != \"\"",
            )
        },
        100,
        1,
        TOO_LARGE,
    ),
    // Patterns.
    bomb(
        "regexall that looks ahead",
        |n| rule("length(regexall(\".*b|a\", var.x)) > 0", &format!("\"{}\"", "a".repeat(n))),
        20_000,
        1,
        TOO_LARGE,
    ),
    bomb(
        "replace that looks ahead",
        |n| rule("replace(var.x, \"/.*b|a/\", \"\") == \"\"", &format!("\"{}\"", "a".repeat(n))),
        20_000,
        1,
        TOO_LARGE,
    ),
    bomb(
        "pattern of many states",
        |n| {
            let call = "[for i in range(1000) : regexall(\"[ab]*a[ab]{900}c\", var.x)]";
            rule(&format!("length({call}) > 0"), &format!("\"{}\"", "ab".repeat(n)))
        },
        2_000,
        1,
        TOO_LARGE,
    ),
    bomb(
        "pattern of many classes",
        |n| {
            let pattern = "\\\\pL{200}${i}";
            rule(
                &format!("length([for i in range({n}) : regexall(\"{pattern}\", var.x)]) > 0"),
                "\"a\"",
            )
        },
        10,
        0,
        ACCEPTED,
    ),
    bomb(
        "pattern of many alternatives",
        |n| {
            rule(
                &format!("can(regex(\"{}\", var.x))", joined(n, "|", |i| format!("a{i}"))),
                "\"a1\"",
            )
        },
        5_000,
        0,
        ACCEPTED,
    ),
    bomb(
        "pattern that nests",
        |n| rule(&format!("!can(regex(\"{}a{}\", var.x))", "(".repeat(n), ")".repeat(n)), "\"a\""),
        10_000,
        0,
        ACCEPTED,
    ),
    // Numbers.
    bomb(
        "parseint",
        |n| rule("parseint(var.x, 10) > 0", &format!("\"{}\"", "7".repeat(n))),
        1_000_000,
        1,
        TOO_LARGE,
    ),
    bomb("a long number", |n| rule("var.x > 0", &"7".repeat(n)), 1_000_000, 0, ACCEPTED),
    bomb(
        "strings as numbers",
        |n| {
            rule(
                "length([for i in range(1000) : [for j in range(1000) : var.x + i]]) > 0",
                &format!("\"{}\"", "7".repeat(n)),
            )
        },
        100_000,
        1,
        TOO_LARGE,
    ),
    bomb(
        "exponents",
        |_| {
            rule(
                "length([for i in range(1000) : [for j in range(1000) : tostring(1e100000 * var.x)]]) > 0",
                "7",
            )
        },
        1,
        1,
        TOO_LARGE,
    ),
    bomb("range", |n| output(&format!("length(range({n}))")), 100_000, 1, "failed-evaluation"),
    // Text.
    bomb(
        "trim of two long strings",
        |n| {
            rule_with(
                &format!(
                    "locals {{\n  a = join(\"\", [for i in range({n}) : \"é\"])\n  b = join(\"\", [for i in range(1000) : \"xé\"])\n}}\n"
                ),
                "trim(local.a, local.b) == \"\" && var.x != \"\"",
            )
        },
        1_000,
        0,
        ACCEPTED,
    ),
    bomb(
        "a cluster of marks",
        |n| rule("length(var.x) == 1", &format!("\"e{}\"", "\u{301}".repeat(n))),
        50_000,
        0,
        ACCEPTED,
    ),
    bomb(
        "flags",
        |n| {
            rule(
                "length(var.x) > 1 && strrev(var.x) != \"\"",
                &format!("\"{}\"", "\u{1f1e9}".repeat(n)),
            )
        },
        50_000,
        0,
        ACCEPTED,
    ),
    bomb(
        "families",
        |n| rule("length(var.x) == 1", &format!("\"\u{1f469}{}\"", "\u{200d}\u{1f469}".repeat(n))),
        20_000,
        0,
        ACCEPTED,
    ),
    bomb(
        "format widths",
        |_| rule("length(format(\"%1000000000s\", var.x)) > 0", "\"a\""),
        1,
        1,
        TOO_LARGE,
    ),
    bomb(
        "formatlist",
        |n| output(&format!("length(formatlist(\"%s %s\", range({n}), range({n})))")),
        1_000,
        0,
        ACCEPTED,
    ),
    bomb(
        "formatdate",
        |n| {
            rule(
                &format!(
                    "formatdate(\"{}\", \"2020-01-01T00:00:00Z\") != var.x",
                    "YYYY-".repeat(n)
                ),
                "\"a\"",
            )
        },
        50_000,
        0,
        ACCEPTED,
    ),
    bomb(
        "indent",
        |n| {
            rule(
                &format!("length(indent(1000000, \"{}\")) > 0 && var.x == \"a\"", "\\n".repeat(n)),
                "\"a\"",
            )
        },
        10_000,
        1,
        TOO_LARGE,
    ),
    bomb(
        "csv",
        |n| {
            rule(
                "length(csvdecode(var.x)) > 0",
                &format!(
                    "\"{}\\n{}\"",
                    joined(n, ",", |i| format!("c{i}")),
                    joined(n, ",", |_| "1".into())
                ),
            )
        },
        10_000,
        0,
        ACCEPTED,
    ),
    bomb(
        "json that nests",
        |n| rule("can(jsondecode(var.x))", &format!("\"{}{}\"", "[".repeat(n), "]".repeat(n))),
        9_000,
        0,
        ACCEPTED,
    ),
    bomb(
        "json of one key",
        |n| {
            rule(
                "can(jsondecode(var.x))",
                &format!("\"{{{}}}\"", joined(n, ",", |_| "\\\"a\\\":[1]".into())),
            )
        },
        20_000,
        0,
        ACCEPTED,
    ),
    bomb(
        "yaml of aliases",
        |n| {
            let lines = joined(n, "\\n", |i| {
                format!(
                    "a{i}: &a{i} [{}]",
                    if i == 0 { "1".into() } else { format!("*a{0}, *a{0}", i - 1) }
                )
            });
            rule("length(yamldecode(var.x)) > 0", &format!("\"{lines}\""))
        },
        40,
        1,
        TOO_LARGE,
    ),
    bomb(
        "yaml that nests",
        |n| rule("can(yamldecode(var.x)) || true", &format!("\"{}\"", "[".repeat(n))),
        20_000,
        0,
        ACCEPTED,
    ),
    bomb(
        "cidrsubnets",
        |n| output(&format!("length(cidrsubnets(\"10.0.0.0/8\", [for i in range({n}) : 20]...))")),
        1_000,
        0,
        ACCEPTED,
    ),
    bomb(
        "distinct",
        |n| output(&format!("length(distinct([for i in range({n}) : [i]]))")),
        1_000,
        0,
        ACCEPTED,
    ),
    bomb(
        "contains of a large value",
        |n| {
            output(&format!("contains([for i in range(1000) : [i]], [for i in range({n}) : null])"))
        },
        1_000,
        0,
        ACCEPTED,
    ),
    // Syntax.
    bomb(
        "and",
        |n| rule(&joined(n, " && ", |_| "var.x != \"b\"".into()), "\"a\""),
        20_000,
        0,
        ACCEPTED,
    ),
    bomb(
        "too long a chain of and",
        |n| rule(&joined(n, " && ", |_| "var.x != \"b\"".into()), "\"a\""),
        200_000,
        1,
        "Expression too long",
    ),
    with(
        PRINT,
        bomb(
            "coalesce of variables",
            |n| {
                let variables = joined(n, "", |i| {
                    format!("variable \"v{i}\" {{\n  type = string\n  default = null\n}}\n")
                });
                let all = joined(n, ", ", |i| format!("var.v{i}"));
                let mut files =
                    rule(&format!("coalesce({all}) != \"a\" || var.x == \"b\""), "\"b\"");
                files[0].1 += &variables;
                files
            },
            1_000,
            0,
            "\"v999\"",
        ),
    ),
    with(
        PRINT,
        bomb(
            "or",
            |n| rule(&joined(n, " || ", |i| format!("var.x == \"v{i}\"")), "\"v1\""),
            1_000,
            0,
            "\"enum\"",
        ),
    ),
    with(
        PRINT,
        bomb(
            "or of lengths",
            |n| rule(&joined(n, " || ", |i| format!("length(var.x) == {i}")), "\"v1\""),
            1_000,
            0,
            "\"properties\"",
        ),
    ),
    with(
        PRINT,
        bomb(
            "lengths of lists compacted again and again",
            |n| {
                let list = format!("{}var.x{}", "compact(".repeat(n), ")".repeat(n));
                main_tf(format!(
                    "variable \"x\" {{\n  type = list(string)\n  validation {{\n    condition = \
                     length({list}) == length({list}) && length(var.x) == length({list})\n    \
                     error_message = \"Bad.\"\n  }}\n}}\n"
                ))
            },
            60,
            0,
            "\"items\"",
        ),
    ),
    with(
        PRINT,
        bomb(
            "remainders of lengths",
            |n| {
                let all = joined(n, " && ", |i| {
                    format!("length(var.x) % {} != 1 && length(var.x) < 9", i + 2)
                });
                rule(&all, "\"v1\"")
            },
            300,
            0,
            "\"properties\"",
        ),
    ),
    with(
        PRINT,
        bomb(
            "or of prefixes",
            |n| rule(&joined(n, " || ", |i| format!("startswith(var.x, \"v{i}\")")), "\"v1\""),
            1_000,
            0,
            "\"properties\"",
        ),
    ),
    with(
        PRINT,
        bomb(
            "or and and by turns",
            |n| {
                rule(
                    &format!(
                        "{}true{}",
                        "(".repeat(n),
                        joined(n, "", |i| format!(
                            " {} var.x == \"v{i}\")",
                            if i % 2 == 0 { "||" } else { "&&" }
                        ))
                    ),
                    "\"v1\"",
                )
            },
            1_000,
            0,
            "\"properties\"",
        ),
    ),
    bomb("sums", |n| rule(&format!("var.x{} > 0", " + 1".repeat(n)), "1"), 20_000, 0, ACCEPTED),
    bomb(
        "too long a sum",
        |n| rule(&format!("var.x{} > 0", " + 1".repeat(n)), "1"),
        200_000,
        1,
        "Expression too long",
    ),
    bomb(
        "too many attributes",
        |n| rule(&format!("var.x{} == 1", ".a".repeat(n)), "{}"),
        200_000,
        1,
        "Expression too long",
    ),
    bomb(
        "too many indexes",
        |n| rule(&format!("var.x{} == 1", "[0]".repeat(n)), "[]"),
        200_000,
        1,
        "Expression too long",
    ),
    bomb(
        "parentheses",
        |n| rule(&format!("{}var.x{} == 1", "(".repeat(n), ")".repeat(n)), "1"),
        100_000,
        1,
        "Nested too deeply",
    ),
    bomb(
        "not",
        |n| rule(&format!("{}true && var.x == 1", "!".repeat(n)), "1"),
        100_000,
        1,
        "Nested too deeply",
    ),
    bomb(
        "templates in templates",
        |n| rule(&format!("{}a{} == var.x", "\"${".repeat(n), "}\"".repeat(n)), "1"),
        20_000,
        1,
        "Nested too deeply",
    ),
    bomb("junk", |n| main_tf("@@@\n".repeat(n)), 100_000, 1, "Too many errors"),
    bomb("junk on one line", |n| main_tf("@".repeat(n)), 400_000, 1, "Too many errors"),
    bomb(
        "bad escapes",
        |n| output(&format!("\"{}\"", "\\q".repeat(n))),
        50_000,
        1,
        "Too many errors",
    ),
    bomb(
        "bad escapes in a template",
        |n| output(&format!("\"${{var.x}}{}\"", "\\q".repeat(n))),
        50_000,
        1,
        "Too many errors",
    ),
    with(
        CHECK,
        bomb(
            "bad escapes of a value",
            |n| values(format!("x = \"{}\"\n", "\\q".repeat(n))),
            50_000,
            1,
            "Too many errors",
        ),
    ),
    bomb("quotes on one line", |n| main_tf("'".repeat(n)), 400_000, 1, "invalid-syntax"),
    bomb("brackets that never close", |n| main_tf("a = [\n".repeat(n)), 8_000, 1, "invalid-syntax"),
    bomb("braces that close nothing", |n| main_tf("}\n".repeat(n)), 100_000, 1, "Too many errors"),
    bomb(
        "strings that never close",
        |n| main_tf("a = \"b\n".repeat(n)),
        20_000,
        1,
        "Too many errors",
    ),
    bomb("too many words", |_| main_tf("a ".repeat(4_100_000)), 1, 1, "File too large"),
    bomb(
        "heredoc",
        |n| {
            rule(
                &format!(
                    "length(<<-EOT\n{}    EOT\n    ) > 0 && var.x == 1",
                    "      line ${var.x}\n".repeat(n)
                ),
                "1",
            )
        },
        20_000,
        0,
        ACCEPTED,
    ),
    bomb("comments", |n| main_tf("# a\n/* b */\n".repeat(n)), 100_000, 0, ACCEPTED),
    bomb(
        "names twice",
        |n| main_tf(format!("locals {{\n{}}}\n", "  a = 1\n".repeat(n))),
        20_000,
        1,
        "Too many errors",
    ),
    bomb(
        "locals twice",
        |n| main_tf("locals {\n  a = 1\n}\n".repeat(n)),
        5_000,
        1,
        "invalid-module",
    ),
    // Modules.
    bomb(
        "variables",
        |n| main_tf(joined(n, "", |i| format!("variable \"v{i}\" {{\n  default = {i}\n}}\n"))),
        10_000,
        0,
        ACCEPTED,
    ),
    bomb(
        "variables twice",
        |n| main_tf("variable \"v\" {}\n".repeat(n)),
        5_000,
        1,
        "invalid-variable",
    ),
    bomb("a chain of locals", |n| chain(n, "var.x", "@", "@"), 10_000, 0, ACCEPTED),
    bomb(
        "references to nothing",
        |n| main_tf(joined(n, "", |i| format!("locals {{\n  l{i} = local.m{i}\n}}\n"))),
        1_000,
        1,
        "undeclared-reference",
    ),
    with(
        PRINT,
        bomb(
            "a type of many attributes",
            |n| {
                main_tf(format!(
                    "variable \"x\" {{\n  type = object({{ {} }})\n}}\n",
                    joined(n, ", ", |i| format!("a{i} = optional(string)"))
                ))
            },
            10_000,
            0,
            "\"properties\"",
        ),
    ),
    with(
        PRINT,
        bomb(
            "a type that nests",
            |n| {
                main_tf(format!(
                    "variable \"x\" {{\n  type = {}string{}\n}}\n",
                    "list(".repeat(n),
                    ")".repeat(n)
                ))
            },
            1_000,
            0,
            "\"properties\"",
        ),
    ),
    // Values files.
    bomb(
        "undeclared values",
        |n| values(joined(n, "", |i| format!("u{i} = 1\n"))),
        30_000,
        0,
        "more undeclared variables",
    ),
    bomb(
        "undeclared values in JSON",
        |n| values_json(format!("{{{}}}", joined(n, ",", |i| format!("\"u{i}\":1")))),
        30_000,
        0,
        "more undeclared variables",
    ),
    bomb("values twice", |n| values("x = 1\n".repeat(n)), 20_000, 1, "Too many errors"),
    bomb(
        "a wide value",
        |n| values(format!("x = [{}]\n", joined(n, ",", |i| i.to_string()))),
        100_000,
        0,
        ACCEPTED,
    ),
    bomb(
        "a deep value",
        |n| values(format!("x = {}1{}\n", "[".repeat(n), "]".repeat(n))),
        5_000,
        0,
        ACCEPTED,
    ),
    bomb(
        "too many values",
        |_| values_json(format!("{{\"x\":[{}]}}", joined(2_000_001, ",", |_| "1".into()))),
        1,
        1,
        "JSON too large",
    ),
    bomb(
        "many values beside many variables",
        |n| {
            let declared = joined(n, "", |i| {
                format!("variable \"v{i}\" {{\n  default = {i}\n  sensitive = true\n}}\n")
            });
            vec![
                ("main.tf", declared),
                ("terraform.tfvars", joined(n, "", |i| format!("u{i} = 1\n"))),
            ]
        },
        3_000,
        0,
        "more undeclared variables",
    ),
    with(
        CHECK,
        bomb(
            "unknown attributes",
            |n| {
                let declared = joined(n, ", ", |i| format!("a{i} = optional(string)"));
                let given = joined(n, ", ", |i| format!("b{i} = \"1\""));
                vec![
                    (
                        "main.tf",
                        format!("variable \"x\" {{\n  type = object({{ {declared} }})\n}}\n"),
                    ),
                    ("terraform.tfvars", format!("x = {{ {given} }}\n")),
                ]
            },
            300,
            1,
            "Terraform drops it",
        ),
    ),
    // Committed schemas.
    with(
        CHECK,
        bomb(
            "foreign keys",
            |n| {
                schema(format!(
                    "{{\"properties\":{{{}}}}}",
                    joined(n, ",", |i| format!("\"k{i}\":{{}}"))
                ))
            },
            20_000,
            1,
            "more places",
        ),
    ),
    with(
        CHECK,
        bomb(
            "foreign keys at the root",
            |n| schema(format!("{{{DRAFT},{}}}", joined(n, ",", |i| format!("\"k{i}\":{{}}")))),
            20_000,
            1,
            "more places",
        ),
    ),
    with(
        CHECK,
        bomb(
            "a schema that nests",
            |n| schema(format!("{{{DRAFT},\"not\":{}{}}}", "{\"not\":".repeat(n), "}".repeat(n))),
            20_000,
            1,
            "stale-schema",
        ),
    ),
    with(
        CHECK,
        bomb(
            "required twice",
            |n| {
                schema(format!(
                    "{{{DRAFT},\"required\":[{}]}}",
                    joined(n, ",", |i| format!("\"k{i}\""))
                ))
            },
            20_000,
            1,
            "stale-schema",
        ),
    ),
    // Configurations.
    with(
        CHECK,
        bomb(
            "a configuration of junk",
            |n| configured("@\n".repeat(n)),
            50_000,
            2,
            "invalid-configuration",
        ),
    ),
    with(
        CHECK,
        bomb(
            "many includes",
            |n| {
                configured(format!(
                    "modules {{\n  exclude = [{}]\n}}\n",
                    joined(n, ", ", |i| format!("\"a{i}/**\""))
                ))
            },
            1_000,
            1,
            "",
        ),
    ),
    with(
        CHECK,
        bomb(
            ".gitignore",
            |n| {
                vec![
                    ("main.tf", "variable \"x\" {}\n".to_owned()),
                    (".gitignore", joined(n, "\n", |i| format!("*a{i}*b*"))),
                ]
            },
            2_000,
            1,
            "missing-schema",
        ),
    ),
];
