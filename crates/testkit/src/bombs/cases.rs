//! Small files that ask for much work. Each grows with a size, so that the test makes it as large as
//! the dev build can bear, and `benches/bombs.rs` ten times as large as that.

use super::files::{
    DRAFT, Files, chain, configured, joined, main_tf, output, rule, rule_with, schema, values,
    values_json,
};

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

pub const TOO_LARGE: &str = "budget-exceeded";
const ACCEPTED: &str = "";

pub const BOMBS: &[Bomb] = &[
    // Structure that is shared.
    bomb("lists of lists", |size| chain(size, "[var.x]", "[@, @]", "@"), 40, 1, TOO_LARGE),
    bomb(
        "tolist of lists",
        |size| chain(size, "tolist([var.x])", "tolist([@, @])", "@"),
        40,
        1,
        TOO_LARGE,
    ),
    bomb(
        "objects of objects",
        |size| chain(size, "{ a = var.x }", "{ a = @, b = @ }", "@"),
        40,
        1,
        TOO_LARGE,
    ),
    bomb(
        "maps of maps",
        |size| chain(size, "tomap({ a = var.x })", "tomap({ a = @, b = @ })", "@"),
        40,
        1,
        TOO_LARGE,
    ),
    bomb(
        "merge of objects",
        |size| chain(size, "{ a = var.x }", "merge({ a = @ }, { b = @ })", "@"),
        40,
        1,
        TOO_LARGE,
    ),
    bomb("flatten", |size| chain(size, "[var.x]", "flatten([@, @])", "@"), 40, 1, TOO_LARGE),
    bomb("concat", |size| chain(size, "[var.x]", "concat(@, @)", "@"), 40, 1, TOO_LARGE),
    bomb(
        "conditionals of lists",
        |size| chain(size, "[var.x]", "var.x == \"a\" ? [@, @] : [@, @]", "@"),
        40,
        1,
        TOO_LARGE,
    ),
    bomb(
        "for over doubled lists",
        |size| chain(size, "[var.x]", "[for i in [1, 2] : @]", "@"),
        40,
        1,
        TOO_LARGE,
    ),
    bomb(
        "splat over doubled lists",
        |size| chain(size, "{ a = [var.x] }", "{ a = [@, @][*].a }", "@"),
        40,
        1,
        TOO_LARGE,
    ),
    bomb(
        "jsonencode of lists",
        |size| chain(size, "[var.x]", "[@, @]", "length(jsonencode(@))"),
        40,
        1,
        TOO_LARGE,
    ),
    bomb(
        "yamlencode of lists",
        |size| chain(size, "[var.x]", "[@, @]", "length(yamlencode(@))"),
        40,
        1,
        TOO_LARGE,
    ),
    bomb(
        "format of lists",
        |size| chain(size, "[var.x]", "[@, @]", "format(\"%#v\", @)"),
        40,
        1,
        TOO_LARGE,
    ),
    bomb(
        "comparison of lists",
        |size| chain(size, "[var.x]", "[@, @]", "@ == [@, 1]"),
        40,
        1,
        TOO_LARGE,
    ),
    bomb("set of lists", |size| chain(size, "[var.x]", "[@, @]", "toset([@])"), 40, 1, TOO_LARGE),
    bomb(
        "strings doubled",
        |size| chain(size, "var.x", "\"${@}${@}\"", "length(@)"),
        60,
        1,
        TOO_LARGE,
    ),
    bomb(
        "strings joined",
        |size| chain(size, "var.x", "join(\"\", [@, @])", "length(@)"),
        60,
        1,
        TOO_LARGE,
    ),
    bomb(
        "strings replaced",
        |size| chain(size, "var.x", "replace(@, \"a\", \"aa\")", "length(@)"),
        60,
        1,
        TOO_LARGE,
    ),
    bomb(
        "strings encoded",
        |size| chain(size, "var.x", "urlencode(\"%${@}%\")", "length(@)"),
        60,
        0,
        ACCEPTED,
    ),
    bomb(
        "sensitive lists",
        |size| chain(size, "[sensitive(var.x)]", "[@, @]", "@"),
        40,
        1,
        TOO_LARGE,
    ),
    bomb("unknown lists", |size| chain(size, "[timestamp()]", "[@, @]", "@"), 40, 1, TOO_LARGE),
    bomb(
        "numbers squared",
        |size| chain(size, "parseint(\"12345678901234567890123\", 10)", "@ * @", "@ > 1"),
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
        |size| {
            rule_with(
                &format!(
                    "locals {{\n  a = range(1000)\n  b = flatten([for i in range({size}) : local.a])\n  c = concat([for i in range(1000) : local.b]...)\n}}\n"
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
        |size| rule("length(regexall(\".*b|a\", var.x)) > 0", &format!("\"{}\"", "a".repeat(size))),
        20_000,
        1,
        TOO_LARGE,
    ),
    bomb(
        "replace that looks ahead",
        |size| {
            rule("replace(var.x, \"/.*b|a/\", \"\") == \"\"", &format!("\"{}\"", "a".repeat(size)))
        },
        20_000,
        1,
        TOO_LARGE,
    ),
    bomb(
        "pattern of many states",
        |size| {
            let call = "[for i in range(1000) : regexall(\"[ab]*a[ab]{900}c\", var.x)]";
            rule(&format!("length({call}) > 0"), &format!("\"{}\"", "ab".repeat(size)))
        },
        2_000,
        1,
        TOO_LARGE,
    ),
    bomb(
        "pattern of many classes",
        |size| {
            let pattern = "\\\\pL{200}${i}";
            rule(
                &format!("length([for i in range({size}) : regexall(\"{pattern}\", var.x)]) > 0"),
                "\"a\"",
            )
        },
        10,
        0,
        ACCEPTED,
    ),
    bomb(
        "pattern of many alternatives",
        |size| {
            rule(
                &format!(
                    "can(regex(\"{}\", var.x))",
                    joined(size, "|", |index| format!("a{index}"))
                ),
                "\"a1\"",
            )
        },
        5_000,
        0,
        ACCEPTED,
    ),
    bomb(
        "pattern that nests",
        |size| {
            rule(
                &format!("!can(regex(\"{}a{}\", var.x))", "(".repeat(size), ")".repeat(size)),
                "\"a\"",
            )
        },
        10_000,
        0,
        ACCEPTED,
    ),
    // Numbers.
    bomb(
        "parseint",
        |size| rule("parseint(var.x, 10) > 0", &format!("\"{}\"", "7".repeat(size))),
        1_000_000,
        1,
        TOO_LARGE,
    ),
    bomb("a long number", |size| rule("var.x > 0", &"7".repeat(size)), 1_000_000, 0, ACCEPTED),
    bomb(
        "strings as numbers",
        |size| {
            rule(
                "length([for i in range(1000) : [for j in range(1000) : var.x + i]]) > 0",
                &format!("\"{}\"", "7".repeat(size)),
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
    bomb(
        "range",
        |size| output(&format!("length(range({size}))")),
        100_000,
        1,
        "failed-evaluation",
    ),
    // Text.
    bomb(
        "trim of two long strings",
        |size| {
            rule_with(
                &format!(
                    "locals {{\n  a = join(\"\", [for i in range({size}) : \"é\"])\n  b = join(\"\", [for i in range(1000) : \"xé\"])\n}}\n"
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
        |size| rule("length(var.x) == 1", &format!("\"e{}\"", "\u{301}".repeat(size))),
        50_000,
        0,
        ACCEPTED,
    ),
    bomb(
        "flags",
        |size| {
            rule(
                "length(var.x) > 1 && strrev(var.x) != \"\"",
                &format!("\"{}\"", "\u{1f1e9}".repeat(size)),
            )
        },
        50_000,
        0,
        ACCEPTED,
    ),
    bomb(
        "families",
        |size| {
            rule(
                "length(var.x) == 1",
                &format!("\"\u{1f469}{}\"", "\u{200d}\u{1f469}".repeat(size)),
            )
        },
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
        |size| output(&format!("length(formatlist(\"%s %s\", range({size}), range({size})))")),
        1_000,
        0,
        ACCEPTED,
    ),
    bomb(
        "formatdate",
        |size| {
            rule(
                &format!(
                    "formatdate(\"{}\", \"2020-01-01T00:00:00Z\") != var.x",
                    "YYYY-".repeat(size)
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
        |size| {
            rule(
                &format!(
                    "length(indent(1000000, \"{}\")) > 0 && var.x == \"a\"",
                    "\\n".repeat(size)
                ),
                "\"a\"",
            )
        },
        10_000,
        1,
        TOO_LARGE,
    ),
    bomb(
        "csv",
        |size| {
            rule(
                "length(csvdecode(var.x)) > 0",
                &format!(
                    "\"{}\\n{}\"",
                    joined(size, ",", |index| format!("c{index}")),
                    joined(size, ",", |_| "1".into())
                ),
            )
        },
        10_000,
        0,
        ACCEPTED,
    ),
    bomb(
        "json that nests",
        |size| {
            rule("can(jsondecode(var.x))", &format!("\"{}{}\"", "[".repeat(size), "]".repeat(size)))
        },
        9_000,
        0,
        ACCEPTED,
    ),
    bomb(
        "json of one key",
        |size| {
            rule(
                "can(jsondecode(var.x))",
                &format!("\"{{{}}}\"", joined(size, ",", |_| "\\\"a\\\":[1]".into())),
            )
        },
        20_000,
        0,
        ACCEPTED,
    ),
    bomb(
        "yaml of aliases",
        |size| {
            let lines = joined(size, "\\n", |index| {
                format!(
                    "a{index}: &a{index} [{}]",
                    if index == 0 { "1".into() } else { format!("*a{0}, *a{0}", index - 1) }
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
        |size| rule("can(yamldecode(var.x)) || true", &format!("\"{}\"", "[".repeat(size))),
        20_000,
        0,
        ACCEPTED,
    ),
    bomb(
        "cidrsubnets",
        |size| {
            output(&format!(
                "length(cidrsubnets(\"10.0.0.0/8\", [for i in range({size}) : 20]...))"
            ))
        },
        1_000,
        0,
        ACCEPTED,
    ),
    bomb(
        "distinct",
        |size| output(&format!("length(distinct([for i in range({size}) : [i]]))")),
        1_000,
        0,
        ACCEPTED,
    ),
    bomb(
        "contains of a large value",
        |size| {
            output(&format!(
                "contains([for i in range(1000) : [i]], [for i in range({size}) : null])"
            ))
        },
        1_000,
        0,
        ACCEPTED,
    ),
    // Syntax.
    bomb(
        "and",
        |size| rule(&joined(size, " && ", |_| "var.x != \"b\"".into()), "\"a\""),
        20_000,
        0,
        ACCEPTED,
    ),
    bomb(
        "too long a chain of and",
        |size| rule(&joined(size, " && ", |_| "var.x != \"b\"".into()), "\"a\""),
        200_000,
        1,
        "Expression too long",
    ),
    with(
        PRINT,
        bomb(
            "coalesce of variables",
            |size| {
                let variables = joined(size, "", |index| {
                    format!("variable \"v{index}\" {{\n  type = string\n  default = null\n}}\n")
                });
                let all = joined(size, ", ", |index| format!("var.v{index}"));
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
            |size| rule(&joined(size, " || ", |index| format!("var.x == \"v{index}\"")), "\"v1\""),
            1_000,
            0,
            "\"enum\"",
        ),
    ),
    with(
        PRINT,
        bomb(
            "or of lengths",
            |size| {
                rule(&joined(size, " || ", |index| format!("length(var.x) == {index}")), "\"v1\"")
            },
            1_000,
            0,
            "\"properties\"",
        ),
    ),
    with(
        PRINT,
        bomb(
            "lengths of lists compacted again and again",
            |size| {
                let list = format!("{}var.x{}", "compact(".repeat(size), ")".repeat(size));
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
            |size| {
                let all = joined(size, " && ", |index| {
                    format!("length(var.x) % {} != 1 && length(var.x) < 9", index + 2)
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
            |size| {
                rule(
                    &joined(size, " || ", |index| format!("startswith(var.x, \"v{index}\")")),
                    "\"v1\"",
                )
            },
            1_000,
            0,
            "\"properties\"",
        ),
    ),
    with(
        PRINT,
        bomb(
            "or and and by turns",
            |size| {
                rule(
                    &format!(
                        "{}true{}",
                        "(".repeat(size),
                        joined(size, "", |index| format!(
                            " {} var.x == \"v{index}\")",
                            if index % 2 == 0 { "||" } else { "&&" }
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
    bomb(
        "sums",
        |size| rule(&format!("var.x{} > 0", " + 1".repeat(size)), "1"),
        20_000,
        0,
        ACCEPTED,
    ),
    bomb(
        "too long a sum",
        |size| rule(&format!("var.x{} > 0", " + 1".repeat(size)), "1"),
        200_000,
        1,
        "Expression too long",
    ),
    bomb(
        "too many attributes",
        |size| rule(&format!("var.x{} == 1", ".a".repeat(size)), "{}"),
        200_000,
        1,
        "Expression too long",
    ),
    bomb(
        "too many indexes",
        |size| rule(&format!("var.x{} == 1", "[0]".repeat(size)), "[]"),
        200_000,
        1,
        "Expression too long",
    ),
    bomb(
        "parentheses",
        |size| rule(&format!("{}var.x{} == 1", "(".repeat(size), ")".repeat(size)), "1"),
        100_000,
        1,
        "Nested too deeply",
    ),
    bomb(
        "not",
        |size| rule(&format!("{}true && var.x == 1", "!".repeat(size)), "1"),
        100_000,
        1,
        "Nested too deeply",
    ),
    bomb(
        "templates in templates",
        |size| rule(&format!("{}a{} == var.x", "\"${".repeat(size), "}\"".repeat(size)), "1"),
        20_000,
        1,
        "Nested too deeply",
    ),
    bomb("junk", |size| main_tf("@@@\n".repeat(size)), 100_000, 1, "Too many errors"),
    bomb("junk on one line", |size| main_tf("@".repeat(size)), 400_000, 1, "Too many errors"),
    bomb(
        "bad escapes",
        |size| output(&format!("\"{}\"", "\\q".repeat(size))),
        50_000,
        1,
        "Too many errors",
    ),
    bomb(
        "bad escapes in a template",
        |size| output(&format!("\"${{var.x}}{}\"", "\\q".repeat(size))),
        50_000,
        1,
        "Too many errors",
    ),
    with(
        CHECK,
        bomb(
            "bad escapes of a value",
            |size| values(format!("x = \"{}\"\n", "\\q".repeat(size))),
            50_000,
            1,
            "Too many errors",
        ),
    ),
    bomb("quotes on one line", |size| main_tf("'".repeat(size)), 400_000, 1, "invalid-syntax"),
    bomb(
        "brackets that never close",
        |size| main_tf("a = [\n".repeat(size)),
        8_000,
        1,
        "invalid-syntax",
    ),
    bomb(
        "braces that close nothing",
        |size| main_tf("}\n".repeat(size)),
        100_000,
        1,
        "Too many errors",
    ),
    bomb(
        "strings that never close",
        |size| main_tf("a = \"b\n".repeat(size)),
        20_000,
        1,
        "Too many errors",
    ),
    bomb("too many words", |_| main_tf("a ".repeat(4_100_000)), 1, 1, "File too large"),
    bomb(
        "heredoc",
        |size| {
            rule(
                &format!(
                    "length(<<-EOT\n{}    EOT\n    ) > 0 && var.x == 1",
                    "      line ${var.x}\n".repeat(size)
                ),
                "1",
            )
        },
        20_000,
        0,
        ACCEPTED,
    ),
    bomb("comments", |size| main_tf("# a\n/* b */\n".repeat(size)), 100_000, 0, ACCEPTED),
    bomb(
        "names twice",
        |size| main_tf(format!("locals {{\n{}}}\n", "  a = 1\n".repeat(size))),
        20_000,
        1,
        "Too many errors",
    ),
    bomb(
        "locals twice",
        |size| main_tf("locals {\n  a = 1\n}\n".repeat(size)),
        5_000,
        1,
        "invalid-module",
    ),
    // Modules.
    bomb(
        "variables",
        |size| {
            main_tf(joined(size, "", |index| {
                format!("variable \"v{index}\" {{\n  default = {index}\n}}\n")
            }))
        },
        10_000,
        0,
        ACCEPTED,
    ),
    bomb(
        "variables twice",
        |size| main_tf("variable \"v\" {}\n".repeat(size)),
        5_000,
        1,
        "invalid-variable",
    ),
    bomb("a chain of locals", |size| chain(size, "var.x", "@", "@"), 10_000, 0, ACCEPTED),
    bomb(
        "references to nothing",
        |size| {
            main_tf(joined(size, "", |index| {
                format!("locals {{\n  l{index} = local.m{index}\n}}\n")
            }))
        },
        1_000,
        1,
        "undeclared-reference",
    ),
    with(
        PRINT,
        bomb(
            "a type of many attributes",
            |size| {
                main_tf(format!(
                    "variable \"x\" {{\n  type = object({{ {} }})\n}}\n",
                    joined(size, ", ", |index| format!("a{index} = optional(string)"))
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
            |size| {
                main_tf(format!(
                    "variable \"x\" {{\n  type = {}string{}\n}}\n",
                    "list(".repeat(size),
                    ")".repeat(size)
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
        |size| values(joined(size, "", |index| format!("u{index} = 1\n"))),
        30_000,
        0,
        "more undeclared variables",
    ),
    bomb(
        "undeclared values in JSON",
        |size| values_json(format!("{{{}}}", joined(size, ",", |index| format!("\"u{index}\":1")))),
        30_000,
        0,
        "more undeclared variables",
    ),
    bomb("values twice", |size| values("x = 1\n".repeat(size)), 20_000, 1, "Too many errors"),
    bomb(
        "a wide value",
        |size| values(format!("x = [{}]\n", joined(size, ",", |index| index.to_string()))),
        100_000,
        0,
        ACCEPTED,
    ),
    bomb(
        "a deep value",
        |size| values(format!("x = {}1{}\n", "[".repeat(size), "]".repeat(size))),
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
        "many values next to many variables",
        |size| {
            let declared = joined(size, "", |index| {
                format!("variable \"v{index}\" {{\n  default = {index}\n  sensitive = true\n}}\n")
            });
            vec![
                ("main.tf", declared),
                ("terraform.tfvars", joined(size, "", |index| format!("u{index} = 1\n"))),
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
            |size| {
                let declared = joined(size, ", ", |index| format!("a{index} = optional(string)"));
                let given = joined(size, ", ", |index| format!("b{index} = \"1\""));
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
            |size| {
                schema(format!(
                    "{{\"properties\":{{{}}}}}",
                    joined(size, ",", |index| format!("\"k{index}\":{{}}"))
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
            |size| {
                schema(format!(
                    "{{{DRAFT},{}}}",
                    joined(size, ",", |index| format!("\"k{index}\":{{}}"))
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
            "a schema that nests",
            |size| {
                schema(format!(
                    "{{{DRAFT},\"not\":{}{}}}",
                    "{\"not\":".repeat(size),
                    "}".repeat(size)
                ))
            },
            20_000,
            1,
            "stale-schema",
        ),
    ),
    with(
        CHECK,
        bomb(
            "required twice",
            |size| {
                schema(format!(
                    "{{{DRAFT},\"required\":[{}]}}",
                    joined(size, ",", |index| format!("\"k{index}\""))
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
            |size| configured("@\n".repeat(size)),
            50_000,
            2,
            "invalid-configuration",
        ),
    ),
    with(
        CHECK,
        bomb(
            "many includes",
            |size| {
                configured(format!(
                    "modules {{\n  exclude = [{}]\n}}\n",
                    joined(size, ", ", |index| format!("\"a{index}/**\""))
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
            |size| {
                vec![
                    ("main.tf", "variable \"x\" {}\n".to_owned()),
                    (".gitignore", joined(size, "\n", |index| format!("*a{index}*b*"))),
                ]
            },
            2_000,
            1,
            "missing-schema",
        ),
    ),
];
