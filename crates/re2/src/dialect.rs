//! What differs between versions of Go.

use release::{Release, changes};

/// The patterns that a release accepts: those of the Go version that builds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dialect {
    /// `(?<name>…)` besides `(?P<name>…)`: since Go 1.22.
    pub short_names: bool,
    /// Since Go 1.25 the names of general categories and scripts are read without regard to case,
    /// spaces, hyphens and underscores (a script with an underscore in its name has none any more);
    /// there are long names of categories, `ASCII`, `Assigned`, `Cn` and `LC`, and `C` has what is
    /// not assigned.
    pub long_classes: bool,
}

impl Dialect {
    /// The dialect of the Go version that builds a release.
    pub fn of(release: Release) -> Dialect {
        Dialect {
            short_names: release.has(&changes::SHORT_NAMED_GROUPS),
            long_classes: release.has(&changes::LONG_CLASSES),
        }
    }

    /// Whether dialects may read the pattern differently. `false` is certain: it names no class of Unicode
    /// and no group in the short form.
    pub fn matter_to(pattern: &str) -> bool {
        [r"\p", r"\P", "(?<"].iter().any(|it| pattern.contains(it))
    }
}

/// The dialect of Go 1.22 to 1.24.
impl Default for Dialect {
    fn default() -> Self {
        Dialect { short_names: true, long_classes: false }
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{parser::parse, regex},
        *,
    };

    #[test]
    fn dialects_matter_to_short_names_and_unicode_classes_alone() {
        let all = [false, true].into_iter().flat_map(|short_names| {
            [false, true].map(|long_classes| Dialect { short_names, long_classes })
        });
        let all: Vec<Dialect> = all.collect();
        let is_alike = |pattern: &str| {
            let read = |dialect: &Dialect| parse(pattern, *dialect).map(|it| regex::hir(&it.root));
            all.iter().all(|it| read(it) == read(&all[0]))
        };
        let alike = [
            "",
            "^a+$",
            "(?P<n>a)",
            "(?i)k",
            "[[:word:]]",
            r"\w\d\S",
            "(?",
            "(",
            r"\Qa\E",
            "a{2,1}",
            "(?s:.)",
        ];
        for pattern in alike {
            assert!(!Dialect::matter_to(pattern) && is_alike(pattern), "{pattern}");
        }
        for pattern in ["(?<n>a)", r"\p{lu}", r"\PC", r"[\p{Cn}]"] {
            assert!(Dialect::matter_to(pattern) && !is_alike(pattern), "{pattern}");
        }
    }
}
