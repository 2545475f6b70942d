//! The `limits` block: the work of a run, the size of a file.

use super::{Config, LimitSettings, fields::Fields};
use diagnostics::{Diagnostic, Diagnostics, Role, Span, lints};
use hcl::Block;
use system::MAX_FILE_SIZE;
use tf_eval::Limits;

/// Reads a number of bytes, plain or with a unit: `1000`, `10MB`, `64MiB`.
pub fn parse_size(text: &str) -> Option<u64> {
    const UNITS: [(&str, u64); 7] = [
        ("", 1),
        ("KB", 1_000),
        ("MB", 1_000_000),
        ("GB", 1_000_000_000),
        ("KiB", 1 << 10),
        ("MiB", 1 << 20),
        ("GiB", 1 << 30),
    ];
    let text = text.trim();
    let digits = text.find(|it: char| !it.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let (_, factor) = UNITS.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit.trim()))?;
    number.parse::<u64>().ok()?.checked_mul(*factor)
}

pub(super) fn read(block: &Block, outer: &mut Fields<'_>) -> LimitSettings {
    outer.no_label(block);
    let mut fields = outer.of_block(block);
    let settings = LimitSettings {
        max_work: count("max_work", &mut fields),
        max_work_span: fields.span("max_work"),
        max_file_size: size("max_file_size", &mut fields),
        max_file_size_span: fields.span("max_file_size"),
    };
    outer.take(fields);
    settings
}

fn count(name: &'static str, fields: &mut Fields<'_>) -> Option<u64> {
    let text = fields.string(name)?;
    let count = text.parse().ok();
    if count.is_none() {
        fields.refuse(name, "a whole number is expected");
    }
    count
}

fn size(name: &'static str, fields: &mut Fields<'_>) -> Option<u64> {
    let text = fields.string(name)?;
    let size = parse_size(&text);
    if size.is_none() {
        fields.refuse(name, "a number of bytes is expected, such as 1000000 or \"10MiB\"");
    }
    size
}

/// Errors for limits above the default or above those of the command line.
pub(super) fn raised(config: &Config, flags: &Config) -> Diagnostics {
    let (asked, given) = (config.limits, flags.limits);
    let raised = |name: &str, asked: Option<u64>, allowed: u64, span: Span| {
        asked.filter(|it| *it > allowed).map(|_| {
            let summary = format!("A configuration cannot raise \"{name}\"");
            let flag = name.replace('_', "-");
            Diagnostic::new(&lints::INVALID_CONFIGURATION, summary)
                .detail(format!("The limit of this run is {allowed}; use --{flag} to raise it."))
                .at(Role::Declaration, span)
        })
    };
    let work = given.max_work.unwrap_or(0).max(Limits::default().run);
    let size = given.max_file_size.unwrap_or(0).max(MAX_FILE_SIZE);
    let work = raised("max_work", asked.max_work, work, asked.max_work_span);
    let size = raised("max_file_size", asked.max_file_size, size, asked.max_file_size_span);
    work.into_iter().chain(size).collect()
}
