//! Flags for how much a run may do and how large a file may be.

use clap::Args;

use config::{LimitSettings, parse_size};
use system::MAX_FILE_SIZE;
use tf_eval::Limits;

// Flags that every command that reads modules takes. (A doc comment would become the description of
// the commands that flatten this.)
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct LimitFlags {
    /// Work limit of the run, in units of about a tenth of a microsecond [default: 144000000]
    #[arg(long, value_name = "UNITS")]
    max_work: Option<u64>,
    /// Size limit of a file, such as 1000000, 10MB or 64MiB [default: 64MiB]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    max_file_size: Option<u64>,
}

impl LimitFlags {
    pub fn settings(self) -> LimitSettings {
        let LimitFlags { max_work, max_file_size } = self;
        LimitSettings { max_work, max_file_size, ..LimitSettings::default() }
    }

    pub fn limits(self) -> Limits {
        self.max_work.map_or_else(Limits::default, Limits::of_run)
    }

    /// The largest file that is read, in bytes, before any configuration is known.
    pub fn max_file_size(self) -> u64 {
        self.max_file_size.unwrap_or(MAX_FILE_SIZE)
    }
}

fn size(text: &str) -> Result<u64, String> {
    parse_size(text).ok_or_else(|| "write a number of bytes, such as 1000000 or 64MiB".to_owned())
}
