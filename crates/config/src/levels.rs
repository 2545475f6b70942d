//! The configured level of a finding, and whether it is silenced.

use std::path::{Path, PathBuf};

use super::{
    Configurations, Date, Globs, Ignore, LevelSetting, find::Layer, policy_block::covers_variables,
    unused::Use,
};
use diagnostics::{Bump, Finding, Level};

impl Configurations<'_> {
    /// The finding with its configured level; `None` if its rule is off there or it is ignored.
    pub fn adjust(&self, mut finding: Finding) -> Option<Finding> {
        // Only the directory that demands a policy's rule may lower it.
        if finding.policy.is_some() {
            return Some(finding);
        }
        let module = self.absolute(Path::new(&finding.module));
        let chain = self.chain(&module);
        if chain.layers.is_empty() {
            return Some(finding);
        }
        let place = finding.locations.first().map_or(&finding.module, |it| &it.file);
        let places = [self.absolute(Path::new(place)), module];
        let (mut level, today) = (Some(finding.level), self.today());
        for layer in &chain.layers {
            level = configured(layer, &finding, &places).unwrap_or(level);
            if finding.bump.is_some() {
                finding.bump = bump(layer, &finding, &places).or(finding.bump);
            }
            if let Some(ignore) = ignored(layer, &finding, &places, today) {
                self.note(Use::Ignore(layer.dir.clone(), ignore.span.start));
                return None;
            }
        }
        finding.level = level?;
        Some(finding)
    }
}

/// The level in the last block about the finding: `Some(None)` turns it off.
#[expect(clippy::option_option, reason = "not said, off, a level")]
fn configured(layer: &Layer, finding: &Finding, places: &[PathBuf]) -> Option<Option<Level>> {
    let mut settings = layer.config.levels.iter().rev();
    settings.find(|it| it.has_level && it.is_about(finding, layer, places)).map(|it| it.level)
}

impl LevelSetting {
    /// Whether the block is about a finding at these places.
    pub(super) fn is_about(&self, finding: &Finding, layer: &Layer, places: &[PathBuf]) -> bool {
        self.rule == finding.rule
            && self.variable.as_ref().is_none_or(|it| covers_variables(it, finding))
            && covers(layer, self.paths.as_ref(), places)
    }
}

/// The bump in the last block about the finding that has one.
fn bump(layer: &Layer, finding: &Finding, places: &[PathBuf]) -> Option<Bump> {
    let mut settings = layer.config.levels.iter().rev();
    settings.find(|it| it.bump.is_some() && it.is_about(finding, layer, places))?.bump
}

fn ignored<'l>(
    layer: &'l Layer,
    finding: &Finding,
    places: &[PathBuf],
    today: Date,
) -> Option<&'l Ignore> {
    layer.config.ignores.iter().find(|it| it.silences(finding, layer, places, today))
}

pub(super) fn covers(layer: &Layer, globs: Option<&Globs>, places: &[PathBuf]) -> bool {
    globs.is_none_or(|globs| places.iter().any(|it| globs.covers(&layer.relative(it))))
}
