//! Reads and writes `*.rules.hcl`.

use std::{collections::BTreeMap, fmt::Write as _};

use super::{
    Clause, Converted, Literal, Shared, Test, input, listed, literals,
    policies::{block, declared},
    quote,
};
use diagnostics::Sources;
use hcl::{Block, Body, Expr, ExprKind, Item, ObjectKey, analysis};
use smol_str::SmolStr;
use stack::guarded;

const ROOT: &str = "context";

const OTHER: &str = "a validator has no counterpart";

type Result<T> = std::result::Result<T, &'static str>;

pub(super) fn read(body: &Body, sources: &Sources) -> Converted {
    let mut found = Converted::default();
    for item in &body.items {
        let Item::Block(block) = item else { continue };
        let label = block.labels.first().map(|it| it.text.as_str()).unwrap_or_default();
        match block.kind.name.as_str() {
            "locals" => (),
            "context" => found.inputs.extend(declared(block, sources)),
            "rule" => match shared(block, label) {
                Ok(all) => found.policies.extend(all),
                Err(why) => found.left.push((format!("rule {}", quote(label)), why.to_owned())),
            },
            kind => {
                let why = "policies have no such block".to_owned();
                found.left.push((format!("{kind} {}", quote(label)), why));
            }
        }
    }
    found
}

/// A rule: a policy for each of its types.
fn shared(rule: &Block, id: &str) -> Result<Vec<Shared>> {
    let (mut is_advisory, mut message, mut operations) = (false, None, None);
    let mut found = Vec::new();
    for item in &rule.body.items {
        match item {
            Item::Attribute(it) => match (it.name.name.as_str(), &it.value.kind) {
                ("level", ExprKind::String(text)) if text == "error" => (),
                ("level", ExprKind::String(text)) if text == "warning" => is_advisory = true,
                ("message", ExprKind::String(text)) => message = Some(text.to_string()),
                ("when", _) => operations = Some(actions(&it.value)?),
                _ => return Err("a setting has no counterpart"),
            },
            Item::Block(it) if it.kind.name == "resource" => {
                let mut filter = Vec::new();
                let mut demanded = Vec::new();
                for item in &it.body.items {
                    match item {
                        Item::Attribute(it) => {
                            demanded
                                .extend(clauses(std::slice::from_ref(&it.name.name), &it.value)?);
                        }
                        Item::Block(it) if it.kind.name == "where" => {
                            for item in &it.body.items {
                                let Item::Attribute(it) = item else { return Err(OTHER) };
                                filter.extend(clauses(
                                    std::slice::from_ref(&it.name.name),
                                    &it.value,
                                )?);
                            }
                        }
                        Item::Block(_) => return Err("it judges each block of several"),
                    }
                }
                let label = it.labels.first().map(|it| it.text.clone()).ok_or(OTHER)?;
                if demanded.is_empty() || it.labels.len() != 1 || label.contains(',') {
                    return Err("its types have no counterpart");
                }
                found.push((label, filter, demanded));
            }
            Item::Block(_) => return Err("it has a block without a counterpart"),
        }
    }
    let shared = found.into_iter().map(|(ty, filter, demanded)| Shared {
        id: id.to_owned(),
        ty,
        is_advisory,
        message: message.clone(),
        operations: operations.clone(),
        filter,
        demanded,
    });
    let all: Vec<Shared> = shared.collect();
    if all.is_empty() { Err("it is about no resource") } else { Ok(all) }
}

fn actions(expr: &Expr) -> Result<Vec<String>> {
    const OTHER: &str = "its actions or addresses have no counterpart";
    let Some([item]) = analysis::as_map(expr) else { return Err(OTHER) };
    let (ObjectKey::Name(name), ExprKind::Tuple(all)) = (&item.key, &item.value.kind) else {
        return Err(OTHER);
    };
    let texts: Option<Vec<&str>> = all
        .iter()
        .map(|it| match &it.kind {
            ExprKind::String(text) => Some(text.as_str()),
            _ => None,
        })
        .collect();
    let texts = texts.filter(|_| name.name == "actions").ok_or(OTHER)?;
    // A replacement is a create there.
    if texts.contains(&"create") != texts.contains(&"replace") {
        return Err("there, a replacement is a create");
    }
    let known = ["create", "update", "no-op", "replace"];
    if !texts.iter().all(|it| known.contains(it)) {
        return Err(OTHER);
    }
    Ok(texts.into_iter().filter(|it| *it != "replace").map(str::to_owned).collect())
}

/// A validator as clauses that must all hold.
fn clauses(path: &[SmolStr], expr: &Expr) -> Result<Vec<Clause>> {
    let one = |test| Ok(vec![Clause { path: path.to_vec(), test }]);
    if let Some(it) = Literal::read(expr, ROOT).filter(|it| !matches!(it, Literal::Input(_))) {
        return one(Test::OneOf(vec![it]));
    }
    match &expr.kind {
        ExprKind::Variable(word) if word == "required" => one(Test::Required),
        ExprKind::Variable(word) if word == "forbidden" => one(Test::Forbidden),
        ExprKind::Paren(it) => one(Test::OneOf(vec![Literal::read(it, ROOT).ok_or(OTHER)?])),
        ExprKind::Object(items) => {
            let mut all = Vec::new();
            for item in items {
                let ObjectKey::Name(name) = &item.key else { return Err(OTHER) };
                let path = [path, std::slice::from_ref(&name.name)].concat();
                all.extend(guarded(|| clauses(&path, &item.value))?);
            }
            if all.is_empty() { Err(OTHER) } else { Ok(all) }
        }
        ExprKind::Call { name, args, expand } => match (name.name.as_str(), args.as_slice()) {
            ("any", [list]) if *expand => one(Test::OneOfInput(input(list, ROOT).ok_or(OTHER)?)),
            ("any", [first, rest]) if matches!(first.kind, ExprKind::Null) && path.len() == 1 => {
                match &rest.kind {
                    ExprKind::Call { name, args, expand: false } if name.name == "deny" => {
                        match literals(args, ROOT).ok_or(OTHER)?.as_slice() {
                            [it] => one(Test::Not(it.clone())),
                            _ => Err(OTHER),
                        }
                    }
                    _ => Err(OTHER),
                }
            }
            ("deny", all) if !expand && path.len() == 1 => {
                one(Test::NoneOf(literals(all, ROOT).ok_or(OTHER)?))
            }
            ("any", all) if !expand => one(Test::OneOf(literals(all, ROOT).ok_or(OTHER)?)),
            ("all", all) if !expand => {
                let mut found = Vec::new();
                for it in all {
                    found.extend(guarded(|| clauses(path, it))?);
                }
                Ok(found)
            }
            ("number", [options]) => bounds(path, options),
            ("string", [options]) => match analysis::as_map(options) {
                Some([item]) if is_named(&item.key, "pattern") => match &item.value.kind {
                    ExprKind::String(it) => one(Test::Pattern(it.clone())),
                    _ => Err(OTHER),
                },
                _ => Err(OTHER),
            },
            _ => Err(OTHER),
        },
        _ => Err(OTHER),
    }
}

fn is_named(key: &ObjectKey, wanted: &str) -> bool {
    matches!(key, ObjectKey::Name(it) if it.name == wanted)
}

fn bounds(path: &[SmolStr], options: &Expr) -> Result<Vec<Clause>> {
    let items = analysis::as_map(options).filter(|it| !it.is_empty()).ok_or(OTHER)?;
    let one = |item: &hcl::ObjectItem| {
        let bound = Literal::read(&item.value, ROOT).filter(Literal::is_bound).ok_or(OTHER)?;
        let test = match &item.key {
            it if is_named(it, "min") => Test::AtLeast(bound),
            it if is_named(it, "max") => Test::AtMost(bound),
            _ => return Err(OTHER),
        };
        Ok(Clause { path: path.to_vec(), test })
    };
    items.iter().map(one).collect()
}

/// The blocks of a file with rules.
pub(super) fn write(converted: &Converted) -> Vec<String> {
    let mut parts: Vec<String> = converted.inputs.iter().map(|it| block(ROOT, it)).collect();
    for it in &converted.policies {
        let mut out = format!("rule {} {{\n", quote(&it.id));
        if it.is_advisory {
            out.push_str("  level = \"warning\"\n");
        }
        if let Some(message) = &it.message {
            _ = writeln!(out, "  message = {}", quote(message));
        }
        if let Some(operations) = &it.operations {
            let mut words: Vec<String> = operations.iter().map(|it| quote(it)).collect();
            if operations.iter().any(|it| it == "create") {
                words.push("\"replace\"".to_owned());
            }
            _ = writeln!(out, "  when = {{ actions = [{}] }}", words.join(", "));
        }
        _ = writeln!(out, "  resource {} {{", quote(&it.ty));
        if !it.filter.is_empty() {
            out.push_str("    where {\n");
            members(&it.filter, 0, "      ", &mut out);
            out.push_str("    }\n");
        }
        members(&it.demanded, 0, "    ", &mut out);
        out.push_str("  }\n}\n");
        parts.push(out);
    }
    parts
}

/// A line for each argument, in the order of the clauses.
fn members(clauses: &[Clause], depth: usize, indent: &str, out: &mut String) {
    let all: Vec<&Clause> = clauses.iter().collect();
    for (name, text) in grouped(&all, depth) {
        _ = writeln!(out, "{indent}{name} = {text}");
    }
}

/// The arguments at a depth, each with its validator.
fn grouped(clauses: &[&Clause], depth: usize) -> Vec<(SmolStr, String)> {
    let mut names: Vec<&SmolStr> = Vec::new();
    let mut by_name: BTreeMap<&SmolStr, Vec<&Clause>> = BTreeMap::new();
    for it in clauses {
        let Some(name) = it.path.get(depth) else { continue };
        if !names.contains(&name) {
            names.push(name);
        }
        by_name.entry(name).or_default().push(it);
    }
    let text = |all: &Vec<&Clause>| {
        let (here, inside): (Vec<&Clause>, Vec<&Clause>) =
            all.iter().partition(|it| it.path.len() == depth + 1);
        let mut texts: Vec<String> = here.iter().map(|it| validator(&it.test)).collect();
        if !inside.is_empty() {
            let members = guarded(|| grouped(&inside, depth + 1));
            let members = members.into_iter().map(|(name, it)| format!("{name} = {it}"));
            texts.push(format!("{{ {} }}", members.collect::<Vec<_>>().join(", ")));
        }
        match texts.as_slice() {
            [one] => one.clone(),
            all => format!("all({})", all.join(", ")),
        }
    };
    names.into_iter().filter_map(|it| Some((it.clone(), text(by_name.get(it)?)))).collect()
}

fn validator(test: &Test) -> String {
    match test {
        Test::Required => "required".to_owned(),
        Test::Forbidden => "forbidden".to_owned(),
        Test::OneOf(all) => match all.as_slice() {
            [it @ Literal::Input(_)] => format!("({})", it.write(ROOT)),
            [it] => it.write(ROOT),
            all => format!("any({})", listed(all, ROOT)),
        },
        Test::OneOfInput(name) => format!("any({ROOT}.{name}...)"),
        Test::NoneOf(all) => format!("deny({})", listed(all, ROOT)),
        Test::Not(it) => format!("any(null, deny({}))", it.write(ROOT)),
        Test::AtLeast(bound) => format!("number({{ min = {} }})", bound.write(ROOT)),
        Test::AtMost(bound) => format!("number({{ max = {} }})", bound.write(ROOT)),
        Test::Pattern(text) => format!("string({{ pattern = {} }})", quote(text)),
    }
}
