//! What rules speak of, so that nothing else of a plan is read.

use foldhash::HashSet;
use smol_str::SmolStr;

use super::language::{Kind, Label, Policy};

/// The types of resources and of data sources that rules speak of.
#[derive(Default)]
pub struct Asked {
    resources: Types,
    data: Types,
}

#[derive(Default)]
struct Types {
    exact: HashSet<SmolStr>,
    others: Vec<Label>,
}

impl Asked {
    pub fn new(policy: &Policy) -> Asked {
        let mut asked = Asked::default();
        for rule in &policy.rules {
            let targets = rule.demands.iter().map(|it| &it.target);
            for target in targets.chain(rule.needs.iter().flatten()) {
                target.labels.iter().for_each(|it| asked.add(target.kind, it));
            }
        }
        policy.referred.iter().for_each(|(kind, label)| asked.add(*kind, label));
        asked
    }

    fn add(&mut self, kind: Kind, label: &Label) {
        let types = match kind {
            Kind::Resource => &mut self.resources,
            Kind::Data => &mut self.data,
            _ => return,
        };
        if label.is_exact() {
            types.exact.insert(label.0.clone());
        } else {
            types.others.push(label.clone());
        }
    }

    /// Whether a rule speaks of a type.
    pub fn wants(&self, is_data: bool, ty: &str) -> bool {
        let types = if is_data { &self.data } else { &self.resources };
        types.exact.contains(ty) || types.others.iter().any(|it| it.matches(ty))
    }
}
