//! Notes on rules that judged nothing: a type that nothing has is often a typing mistake.

use smol_str::SmolStr;

use super::language::{BlockKind, BlockPattern, LabelPattern, Policy, PolicyRule};
use diagnostics::{Coverage, Diagnostic, Finding, Level, Role, Span, lints};
use stack::guarded;

impl Policy {
    /// Notes on rules that judged nothing, and on a `where` that let nothing pass. If a type of nearly the same
    /// name exists, it is a warning.
    pub fn idle(&self, coverage: &Coverage) -> Vec<Finding> {
        Idle { policy: self, coverage }.findings()
    }
}

/// A policy and what its rules were about.
struct Idle<'a> {
    policy: &'a Policy,
    coverage: &'a Coverage,
}

impl Idle<'_> {
    fn findings(&self) -> Vec<Finding> {
        let (mut found, policy) = (Vec::new(), self.policy);
        let is_on = |it: &&PolicyRule| it.level.is_some();
        let named: Vec<(BlockKind, &LabelPattern)> = policy.rules.iter().flat_map(labels).collect();
        for rule in policy.rules.iter().filter(is_on) {
            let conditions = rule.demands.iter().filter_map(|it| it.conditions.as_ref());
            let doubts = conditions.flat_map(|it| it.doubts());
            found.extend(doubts.map(|it| Finding::new(it, "", &policy.sources)));
            let targets = rule.demands.iter().map(|it| {
                let target = &it.target;
                (target.kind, &target.labels, target.span)
            });
            let counts = rule.counts.iter().map(|it| (it.kind, &it.labels, it.span));
            for (kind, labels, span) in targets.chain(counts) {
                self.block(kind, labels, span, &named, &mut found);
            }
            let patterns = rule.demands.iter().map(|it| &it.target.pattern);
            let patterns = patterns.chain(rule.needs.iter().flatten().map(|it| &it.pattern));
            patterns.for_each(|it| self.closed(it, &mut found));
            for count in rule.counts.iter().filter(|it| it.filter.is_some()) {
                self.closed_where(count.filter_span, &mut found);
            }
        }
        found
    }

    /// Notes that a block of a rule judged nothing.
    fn block(
        &self,
        kind: BlockKind,
        labels: &[LabelPattern],
        span: Span,
        named: &[(BlockKind, &LabelPattern)],
        found: &mut Vec<Finding>,
    ) {
        if kind == BlockKind::Terraform {
            return;
        }
        let of_kind = || self.coverage.labels(kind.as_str());
        let (is_judged, mut is_here) = (self.coverage.is_judged(span), false);
        for label in labels {
            if of_kind().any(|it| label.matches(it)) {
                is_here = true;
                continue;
            }
            // A type that another block names is not a misspelling.
            let is_free =
                |it: &&SmolStr| !named.iter().any(|(of, label)| *of == kind && label.matches(it));
            let near = of_kind().filter(is_free).find(|it| is_near(&label.0, it));
            let summary = format!("There is no {} {:?}", kind.as_str(), label.0);
            match near.filter(|_| label.is_exact()) {
                Some(near) => {
                    let summary = format!("{summary}, so this judges nothing");
                    let help = format!("did you mean {near:?}?");
                    found.push(self.remark(Level::Warning, summary, Some(help), span));
                }
                None => found.push(self.remark(Level::Note, summary, None, span)),
            }
        }
        if is_here && !is_judged {
            let summary = "No object matches the actions and addresses of `when`".to_owned();
            found.push(self.remark(Level::Note, summary, None, span));
        }
    }

    /// Notes each `where` in a pattern that let nothing pass.
    fn closed(&self, pattern: &BlockPattern, found: &mut Vec<Finding>) {
        if pattern.filter.is_some() {
            self.closed_where(pattern.filter_span, found);
        }
        guarded(|| pattern.blocks.iter().for_each(|it| self.closed(&it.pattern, found)));
    }

    fn closed_where(&self, span: Span, found: &mut Vec<Finding>) {
        if let Some(asked) = self.coverage.closed_where(span) {
            let of = if asked == 1 { "the only one".to_owned() } else { format!("all {asked}") };
            let summary = format!("Nothing passes this `where`: {of} that it checks fail");
            let summary = if asked == 1 { summary.replace(" fail", " fails") } else { summary };
            found.push(self.remark(Level::Note, summary, None, span));
        }
    }

    fn remark(&self, level: Level, summary: String, help: Option<String>, span: Span) -> Finding {
        let mut diagnostic = Diagnostic::new(&lints::NOTHING_JUDGED, summary).at(Role::Rule, span);
        diagnostic.help = help;
        Finding { level, ..Finding::new(&diagnostic, "", &self.policy.sources) }
    }
}

/// Every label of a rule, with its kind.
fn labels(rule: &PolicyRule) -> impl Iterator<Item = (BlockKind, &LabelPattern)> {
    let targets = rule.demands.iter().map(|it| &it.target).chain(rule.needs.iter().flatten());
    let targets = targets.flat_map(|it| it.labels.iter().map(|label| (it.kind, label)));
    targets.chain(rule.counts.iter().flat_map(|it| it.labels.iter().map(|label| (it.kind, label))))
}

/// Whether one name is a misspelling of the other: one letter is wrong, missing, added or swapped (two in a
/// long name), or the words are separated by other characters. `aws_rds_cluster` is not a misspelling of
/// `aws_ecs_cluster`: a short word with different letters is another word.
fn is_near(name: &str, other: &str) -> bool {
    const SHORT: usize = 3;
    let plain = |text: &str| text.to_lowercase().replace(['-', '.', ' '], "_");
    let (name, other) = (plain(name), plain(other));
    if name.split('_').count() == other.split('_').count() {
        let letters = |text: &str| {
            let mut letters: Vec<char> = text.chars().collect();
            letters.sort_unstable();
            letters
        };
        let is_other_word = |(one, other): (&str, &str)| {
            one.len() == other.len() && one.len() <= SHORT && letters(one) != letters(other)
        };
        if name.split('_').zip(other.split('_')).any(is_other_word) {
            return false;
        }
    }
    let distance = strsim::damerau_levenshtein(&name, &other);
    distance <= if name.len() > 12 { 2 } else { 1 }
}
