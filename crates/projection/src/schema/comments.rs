//! The comments that authors write above the attributes of an object type. Terraform has no other place
//! for the attributes' descriptions.
//!
//! ```hcl
//! type = object({
//!   # How many instances run at night.
//!   replicas = optional(number, 1)
//! })
//! ```

use std::{collections::BTreeMap, path::Path};

use smol_str::SmolStr;

use super::prose::prose;
use hcl::{Expr, ExprKind, ObjectItem, ObjectKey, parse_expression};
use module::{Module, Variable};
use stack::guarded;

/// The comments of attributes, as a tree.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AttributeComments {
    attributes: BTreeMap<SmolStr, (Option<String>, AttributeComments)>,
    /// The names of attributes as declared.
    order: Vec<SmolStr>,
    elements: Option<Box<AttributeComments>>,
}

const NONE: &AttributeComments =
    &AttributeComments { attributes: BTreeMap::new(), order: Vec::new(), elements: None };

impl AttributeComments {
    /// The comments in a variable's type in native syntax; JSON has none. Comments that must not be
    /// shown are left out.
    pub fn of(
        module: &Module,
        variable: &Variable,
        is_shown: &dyn Fn(&str) -> bool,
    ) -> AttributeComments {
        let Some(span) = variable.type_span else { return AttributeComments::default() };
        let path = Path::new(&module.sources.file(span.file).path);
        if path.extension().is_some_and(|it| it == "json") {
            return AttributeComments::default();
        }
        let text = module.sources.snippet(span);
        let (expr, _) = parse_expression(span.file, text.as_bytes(), 0);
        of_type(&expr, &text, is_shown)
    }

    /// The names of the attributes of an object type, in the order of their declaration; without names if the
    /// type is not written in native syntax.
    pub fn order(&self) -> &[SmolStr] {
        &self.order
    }

    /// The text above an attribute.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.attributes.get(name)?.0.as_deref()
    }

    /// The comments inside an attribute, or an element of a tuple.
    pub fn attribute(&self, name: &str) -> &AttributeComments {
        self.attributes.get(name).map_or(NONE, |it| &it.1)
    }

    /// The comments inside each element of a collection.
    pub fn elements(&self) -> &AttributeComments {
        self.elements.as_deref().unwrap_or(NONE)
    }
}

fn of_type(expr: &Expr, text: &str, is_shown: &dyn Fn(&str) -> bool) -> AttributeComments {
    let mut out = AttributeComments::default();
    guarded(|| match &expr.kind {
        ExprKind::Call { name, args, .. } => match (name.name.as_str(), args.as_slice()) {
            ("optional", [inner, ..]) => out = of_type(inner, text, is_shown),
            ("object", [inner]) => out = of_type(inner, text, is_shown),
            ("list" | "set" | "map", [inner]) => {
                out.elements = Some(of_type(inner, text, is_shown).into());
            }
            ("tuple", [inner]) => {
                let ExprKind::Tuple(elements) = &inner.kind else { return };
                for (index, it) in elements.iter().enumerate() {
                    let inner = of_type(it, text, is_shown);
                    out.attributes.insert(index.to_string().into(), (None, inner));
                }
            }
            _ => (),
        },
        ExprKind::Object(items) => {
            for ObjectItem { key, value } in items {
                let ObjectKey::Name(name) = key else { continue };
                let before = text.get(..name.span.start as usize).unwrap_or_default();
                let inner = of_type(value, text, is_shown);
                out.order.push(name.name.clone());
                out.attributes
                    .insert(name.name.clone(), (comment(before).filter(|it| is_shown(it)), inner));
            }
        }
        ExprKind::Paren(inner) => out = of_type(inner, text, is_shown),
        _ => (),
    });
    out
}

/// The comment that ends in the line above.
fn comment(before: &str) -> Option<String> {
    let (above, indent) = before.rsplit_once('\n')?;
    if !indent.trim().is_empty() {
        return None;
    }
    let mut lines: Vec<&str> = Vec::new();
    let mut in_block = false;
    for line in above.rsplit('\n') {
        let line = line.trim();
        let of_line = line.strip_prefix('#').or_else(|| line.strip_prefix("//"));
        if lines.is_empty() && of_line.is_none() && line.ends_with("*/") {
            in_block = true;
        }
        if in_block {
            // A block comment behind an attribute belongs to that attribute.
            let (code, text) = line.split_once("/*").unwrap_or(("", line));
            if !code.is_empty() {
                return None;
            }
            lines.push(text.trim_end_matches("*/").trim_start_matches('*'));
            if line.contains("/*") {
                break;
            }
            continue;
        }
        let Some(text) = of_line else { break };
        let text = text.trim_start_matches(['#', '/']);
        // `##### A heading #####`
        let heading = text.trim_end_matches('#');
        lines.push(if text.len() - heading.len() > 1 { heading } else { text });
    }
    lines.reverse();
    let text = prose(&lines).join(" ");
    (!text.is_empty()).then_some(text)
}
