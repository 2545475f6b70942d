//! What a run is asked for.

use std::{path::PathBuf, sync::Arc};

use super::{Change, Progress, Shard};
use crate::{config::Config, system::Tracked};

/// What to check and how.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Files and directories; none is the current directory.
    pub targets: Vec<PathBuf>,
    /// What the command line says; it overrides every file.
    pub flags: Config,
    /// What a configuration excludes is left out even where a target names it.
    pub force_exclude: bool,
    /// The one configuration file that counts; else each directory's own do.
    pub config_file: Option<PathBuf>,
    /// Only modules that this touches are checked.
    pub change: Option<Change>,
    /// What git tracks: a schema that is not among it counts as missing.
    pub tracked: Option<Arc<dyn Tracked>>,
    /// Only the modules of this shard.
    pub shard: Option<Shard>,
    /// Rewrite schemas that are stale, create those that are missing.
    pub fix: bool,
    /// Take attributes that Terraform drops anyway out of values files.
    pub fix_inputs: bool,
    /// Raise `required_version` where it lets in what lacks a feature.
    pub fix_required_version: bool,
    /// Write what is found into this baseline, so that it is known from then on.
    pub write_baseline: Option<PathBuf>,
    /// How far the run is; the request's owner may look meanwhile.
    pub progress: Arc<Progress>,
}
