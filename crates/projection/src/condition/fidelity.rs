//! How much of a condition a schema carries, and a sentence about the rest.

/// How much of a condition a constraint carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fidelity {
    /// The constraint holds exactly where the condition does.
    Exact,
    /// The constraint holds whenever the condition does, and refuses some of the other values.
    Necessary,
    /// The constraint refuses nothing.
    Untranslated,
}

impl Fidelity {
    pub fn as_str(self) -> &'static str {
        match self {
            Fidelity::Exact => "exact",
            Fidelity::Necessary => "necessary",
            Fidelity::Untranslated => "untranslated",
        }
    }
}

/// The note about forms that are not translated: `A template and a call of `sha256` are not translated.`
pub fn sentence(forms: &[String]) -> String {
    let (verb, named) = match forms {
        [] => ("is", "the rule".to_owned()),
        [one] => ("is", one.clone()),
        [first @ .., last] => ("are", format!("{} and {last}", first.join(", "))),
    };
    let (initial, rest) = named.split_at(named.chars().next().map_or(0, char::len_utf8));
    format!("{}{rest} {verb} not translated.", initial.to_uppercase())
}
