//! `generate --report`: the translation of each validation rule.

use diagnostics::{visible_json, visible_line};
use module::Module;
use projection::{
    condition::{Fidelity, Translation},
    schema::{Generated, SchemaJson},
    sets::ValueSet,
};

/// One line for each rule, below it the schema's meaning in words and the reasons why it is incomplete,
/// and a line of sums.
pub(crate) fn text(module: &Module, generated: &Generated) -> String {
    let mut out = String::new();
    for (name, translation) in rules(generated) {
        let place = place(module, name, translation);
        let place = visible_line(&place);
        let (index, fidelity) = (translation.validation, translation.fidelity().as_str());
        out += &format!("{place}: rule {index} of {name}: {fidelity}{}\n", scope(translation));
        if let Some(meaning) = meaning(module, name, translation) {
            let demand = match (meaning.as_str(), fidelity) {
                ("nothing", _) => {
                    format!("no value of {name} is accepted: the rule can never hold")
                }
                (_, "exact") => format!("{name} must be {meaning}"),
                _ => format!("{name} must at least be {meaning}"),
            };
            out += &visible_line(&format!("  {demand}"));
            out.push('\n');
        }
        for loss in &translation.region.losses {
            let place = position(module, loss.span);
            out += &format!("  {}: {}\n", visible_line(&place), loss.reason);
        }
    }
    let [exact, necessary, untranslated] = sums(generated);
    out + &format!("{exact} exact, {necessary} necessary, {untranslated} untranslated\n")
}

/// `{"rules": [{"variable", "validation", "fidelity", "meaning", "scope", "location", "reasons"}],
/// "summary"}`. The `meaning` is the demand of the schema on the variable in words, if it has one;
/// `scope` is `inputs` if a rule holds for complete inputs only.
pub(crate) fn json(module: &Module, generated: &Generated) -> String {
    let rules = rules(generated).map(|(name, rule)| {
        let reasons = rule.region.losses.iter().map(|loss| {
            SchemaJson::Record(vec![
                ("reason", SchemaJson::string(loss.reason.to_string())),
                ("location", SchemaJson::string(position(module, loss.span))),
            ])
        });
        let mut record = vec![
            ("variable", SchemaJson::string(name)),
            ("validation", SchemaJson::integer(rule.validation as u64)),
            ("fidelity", SchemaJson::string(rule.fidelity().as_str())),
        ];
        record.extend(meaning(module, name, rule).map(|it| ("meaning", SchemaJson::String(it))));
        record.extend([
            ("scope", SchemaJson::string(if is_of_inputs(rule) { "inputs" } else { "variable" })),
            ("location", SchemaJson::string(place(module, name, rule))),
            ("reasons", SchemaJson::Array(reasons.collect())),
        ]);
        SchemaJson::Record(record)
    });
    let rules = SchemaJson::Array(rules.collect());
    let [exact, necessary, untranslated] = sums(generated);
    let summary = SchemaJson::Record(vec![
        ("exact", SchemaJson::integer(exact)),
        ("necessary", SchemaJson::integer(necessary)),
        ("untranslated", SchemaJson::integer(untranslated)),
    ]);
    visible_json(
        SchemaJson::Record(vec![("rules", rules), ("summary", summary)]).to_text(false) + "\n",
    )
}

fn rules(generated: &Generated) -> impl Iterator<Item = (&str, &Translation)> {
    let each = generated.translations.iter();
    each.flat_map(|(name, all)| all.iter().map(move |it| (name.as_str(), it)))
}

/// The demand of the schema on the variable, in words.
fn meaning(module: &Module, name: &str, translation: &Translation) -> Option<String> {
    translation.in_words(module.variables.get(name)?)
}

fn sums(generated: &Generated) -> [u64; 3] {
    let kinds = [Fidelity::Exact, Fidelity::Necessary, Fidelity::Untranslated];
    kinds.map(|kind| rules(generated).filter(|(_, it)| it.fidelity() == kind).count() as u64)
}

fn is_of_inputs(translation: &Translation) -> bool {
    translation.inputs != ValueSet::Anything
}

fn scope(translation: &Translation) -> &'static str {
    if is_of_inputs(translation) { " (for complete inputs)" } else { "" }
}

fn place(module: &Module, name: &str, translation: &Translation) -> String {
    let rule = module.variables.get(name).and_then(|it| it.validations.get(translation.validation));
    rule.map_or_else(String::new, |it| position(module, it.condition.span))
}

fn position(module: &Module, span: diagnostics::Span) -> String {
    let file = module.sources.file(span.file);
    let at = file.position(span.start);
    format!("{}:{}:{}", file.path, at.line, at.column)
}
