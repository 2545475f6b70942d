//! Static analysis of expressions.

use diagnostics::FileId;
use hcl::analysis::{
    self, ConstantIndex, OpenStep, PathStep, Reference, TraversalStep, absolute_traversal, as_call,
    as_keyword, as_list, as_map, open_traversal, relative_traversal,
};
use hcl::{Expr, parse_expression};

fn parse(text: &str) -> Expr {
    let (expr, diagnostics) = parse_expression(FileId::default(), text.as_bytes(), 0);
    assert_eq!(diagnostics, [], "{text}");
    expr
}

fn key(key: &ConstantIndex) -> String {
    match key {
        ConstantIndex::String(it) => format!("[{it:?}]"),
        ConstantIndex::Number(it) => format!("[{it}]"),
    }
}

fn references(text: &str) -> Vec<String> {
    let show = |it: &Reference| {
        let steps = it.steps.iter().map(|it| match it {
            PathStep::Attr(it) => format!(".{it}"),
            PathStep::Key(it) => key(it),
            PathStep::Any => "[*]".to_owned(),
        });
        format!("{}{}", it.root.name, steps.collect::<String>())
    };
    analysis::references(&parse(text)).iter().map(show).collect()
}

fn traversal(text: &str) -> Option<String> {
    let expr = parse(text);
    let it = absolute_traversal(&expr)?;
    let steps = it.steps.iter().map(|it| match it {
        TraversalStep::Attr(it) => format!(".{}", it.name),
        TraversalStep::Index { key: it, .. } => key(it),
    });
    Some(format!("{}{}", it.root.name, steps.collect::<String>()))
}

/// The root and the steps as they are written in the text.
fn open(text: &str) -> (&str, Vec<&str>) {
    let written = |expr: &Expr| &text[expr.span.start as usize..expr.span.end as usize];
    let expr = parse(text);
    let (root, steps) = open_traversal(&expr);
    let steps = steps.into_iter().map(|it| match it {
        OpenStep::Attribute(name) => &text[name.span.start as usize - 1..name.span.end as usize],
        OpenStep::Key(key) => written(key),
    });
    (written(root), steps.collect())
}

#[test]
fn open_traversals_have_any_root_and_any_keys_in_source_order() {
    assert_eq!(open("a"), ("a", vec![]));
    assert_eq!(open("a.b[c.d].e[\"f\"]"), ("a", vec![".b", "c.d", ".e", "\"f\""]));
    assert_eq!(open("a.b.0.c"), ("a", vec![".b", "0", ".c"]));
    assert_eq!(open("f(x).a[each.key]"), ("f(x)", vec![".a", "each.key"]));
    // What HCL's static analysis does not look through is the root.
    assert_eq!(open("(a.b).c"), ("(a.b)", vec![".c"]));
    assert_eq!(open("a[*].b"), ("a[*].b", vec![]));
    assert_eq!(open("null.a"), ("null", vec![".a"]));
}

#[test]
fn references_keep_the_steps_behind_an_index() {
    assert_eq!(references("foo.x[count.index].name"), ["foo.x[*].name", "count.index"]);
    assert_eq!(references("a[b][c.d].e"), ["a[*][*].e", "b", "c.d"]);
    assert_eq!(references("a.b[\"c\"][0].d.1"), ["a.b[\"c\"][0].d[1]"]);
    assert_eq!(references("(a).b"), ["a.b"]);
    assert_eq!(references("(x ? a.b : c).d"), ["x", "a.b.d", "c.d"]);
}

#[test]
fn references_follow_splats() {
    assert_eq!(references("a[*].b"), ["a[*].b"]);
    assert_eq!(references("a.*.b[0].c"), ["a[0].b.c"]);
    assert_eq!(references("a[*].b[*].c[d]"), ["a[*].b[*].c[*]", "d"]);
    assert_eq!(references("f(a)[*].b"), ["a"]);
}

#[test]
fn references_leave_out_bound_names() {
    assert_eq!(references("[for x in y : x.a + z]"), ["y", "z"]);
    assert_eq!(references("{for k, v in k : k => v[w] if u}"), ["k", "w", "u"]);
    assert_eq!(references("[for x in x : [for y in x : y]]"), ["x"]);
    assert_eq!(references("\"%{ for x in y }${x}${z}%{ endfor }${x}\""), ["y", "z", "x"]);
    assert_eq!(references("\"%{ if a }${b}%{ else }${c}%{ endif }\""), ["a", "b", "c"]);
}

#[test]
fn references_see_keys_and_calls() {
    assert_eq!(
        references("{ a = b, (c) = d, e.f = g, \"${h}\" = 1 }"),
        ["b", "c", "d", "e.f", "g", "h"]
    );
    assert_eq!(references("f(a, g(b...))"), ["a", "b"]);
    assert_eq!(references("-a + !b"), ["a", "b"]);
}

#[test]
fn references_have_spans() {
    let found = analysis::references(&parse("1 + foo.x[i].name"));
    let spans: Vec<_> = found.iter().map(|it| it.span.range()).collect();
    assert_eq!(spans, [4..17, 10..11]);
    assert_eq!(found[0].root.span.range(), 4..7);
}

#[test]
fn traversals_are_constant() {
    assert_eq!(traversal("a.b[0][\"c\"].1").as_deref(), Some("a.b[0][\"c\"][1]"));
    assert_eq!(traversal("null").as_deref(), Some("null"));
    assert_eq!(traversal("null.foo").as_deref(), Some("null.foo"));
    assert_eq!(traversal("true.a[0]").as_deref(), Some("true.a[0]"));
    for none in ["a[b]", "(a).b", "(null).a", "a[*].b", "f().a", "\"a\"", "\"${a}\"", "a[-1]"] {
        assert_eq!(traversal(none), None, "{none}");
    }
    let relative = relative_traversal(&parse("tags[\"x\"]")).unwrap();
    assert_eq!(relative.steps.len(), 2);
}

#[test]
fn keywords_lists_maps_and_calls() {
    assert_eq!(as_keyword(&parse("string")), Some("string"));
    assert_eq!(as_keyword(&parse("true")), Some("true"));
    assert_eq!(as_keyword(&parse("(string)")), None);
    assert_eq!(as_keyword(&parse("\"string\"")), None);
    assert_eq!(as_list(&parse("[a, b]")).map(<[_]>::len), Some(2));
    assert_eq!(as_map(&parse("{ a = 1, a = 2 }")).map(<[_]>::len), Some(2));
    let expr = parse("a::f(b, c...)");
    let call = as_call(&expr).unwrap();
    assert_eq!((call.name.name.as_str(), call.args.len(), call.expand), ("a::f", 2, true));
}
