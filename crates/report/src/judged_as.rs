//! The releases whose verdicts a report holds.

use std::collections::{BTreeMap, BTreeSet};

use release::{Product, Release};

/// The releases of a run, with the number of modules that each judged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JudgedAs {
    /// The releases that answered: `Terraform 1.15.9`.
    pub releases: BTreeMap<String, usize>,
    /// Remarks about them: that another release answered than was wanted, or that it is a candidate.
    pub remarks: BTreeSet<String>,
}

impl JudgedAs {
    /// Counts a module.
    pub fn add(&mut self, release: Release) {
        let name = format!("{} {}", release.product(), release.recorded());
        *self.releases.entry(name).or_default() += 1;
        self.remarks.extend(release.remark());
    }

    pub(super) fn join(&mut self, other: JudgedAs) {
        for (release, count) in other.releases {
            *self.releases.entry(release).or_default() += count;
        }
        self.remarks.extend(other.remarks);
    }

    /// The release that judged the most modules.
    fn most(&self) -> Option<&str> {
        self.releases.iter().max_by_key(|it| it.1).map(|it| it.0.as_str())
    }

    /// The product whose release judged the most modules.
    pub(super) fn product(&self) -> Product {
        match self.most().and_then(|it| it.split(' ').next()) {
            Some(name) if name == Product::OpenTofu.to_string() => Product::OpenTofu,
            _ => Product::Terraform,
        }
    }

    /// `judged as Terraform 1.15.9`; `judged as Terraform 1.15.9 (2 as Terraform 1.9.8)`.
    pub(super) fn words(&self) -> Option<String> {
        let most = self.most()?;
        let others = self.releases.iter().filter(|it| *it.0 != most);
        let others: Vec<String> = others.map(|(it, count)| format!("{count} as {it}")).collect();
        let others =
            if others.is_empty() { String::new() } else { format!(" ({})", others.join(", ")) };
        Some(format!("judged as {most}{others}"))
    }
}
