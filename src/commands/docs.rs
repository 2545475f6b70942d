//! `terraschema docs`: a module's documentation in Markdown.

use std::path::{Path, PathBuf};

use super::one_module;
use crate::{
    Console, Exit,
    confine::{Asked, with_walls},
    flags::{LimitFlags, ReleaseFlags},
};
use anyhow::{Context as _, bail};
use clap::Args;
use config::{Configurations, Settings};
use diagnostics::visible_line;
use module_docs::{DocsSettings, FILES, MarkedPart, PartError, Section, foreign, markdown};
use system::{EntryKind, ExpectedContent, System, paths};
use tf_eval::Meter;

#[derive(Debug, Args)]
pub(crate) struct DocsArgs {
    /// Directories of modules [default: the current directory]
    #[arg(value_name = "DIR")]
    dirs: Vec<PathBuf>,
    /// Write all sections, not only nested inputs and rules
    #[arg(long)]
    all: bool,
    /// Write the file of each module instead of printing: the part between the markers, or a new
    /// part at the end
    #[arg(short, long)]
    write: bool,
    #[command(flatten)]
    release: ReleaseFlags,
    #[command(flatten)]
    limits: LimitFlags,
}

pub(crate) fn run(
    args: &DocsArgs,
    system: &dyn System,
    console: &mut Console<'_>,
) -> anyhow::Result<Exit> {
    let here = [PathBuf::from(".")];
    let dirs = if args.dirs.is_empty() { &here[..] } else { &args.dirs };
    let max_file_size = args.limits.max_file_size();
    let asked = Asked { named: dirs, root: None, files: &[], max_file_size };
    with_walls(system, &asked, |system| {
        let flags = one_module::flags(args.release, args.limits);
        let configurations = Configurations::new(system, flags, None)?;
        for (at, dir) in dirs.iter().enumerate() {
            if at > 0 && !args.write {
                console.out("\n");
            }
            document(args, dir, &configurations, system, console)?;
        }
        Ok(Exit::Clean)
    })
}

fn document(
    args: &DocsArgs,
    dir: &Path,
    configurations: &Configurations<'_>,
    system: &dyn System,
    console: &mut Console<'_>,
) -> anyhow::Result<()> {
    let (module, Settings { limits, mut docs, .. }) =
        one_module::read(system, dir, configurations)?;
    let meter = Meter::new(limits);
    if args.all {
        let is_default = docs.sections == DocsSettings::default().sections;
        if is_default {
            docs.sections = Section::ALL.to_vec();
            read_foreign(dir, &mut docs, system, console, &meter);
        }
    }
    let text = markdown(module.module(), system, &docs, &meter);
    if meter.is_exhausted() {
        let shown = visible_line(&paths::display(dir)).into_owned();
        bail!("{shown}: the documentation takes more work than the limit allows");
    }
    if args.write {
        return write(dir, &docs, &text, system, console);
    }
    console.out(&text);
    Ok(())
}

/// Reads the settings of terraform-docs next to the module, and names those that have no meaning here.
fn read_foreign(
    dir: &Path,
    docs: &mut DocsSettings,
    system: &dyn System,
    console: &mut Console<'_>,
    meter: &Meter,
) {
    for name in FILES {
        let path = dir.join(name);
        let Ok(bytes) = system.read(&path) else { continue };
        let shown = visible_line(&paths::display(&path)).into_owned();
        let text = String::from_utf8(bytes).ok();
        match text.and_then(|it| foreign(&it, docs, meter)) {
            None => console.warning(&format!("{shown} cannot be read as YAML and is not used")),
            Some(it) if it.unused.is_empty() => (),
            Some(it) => {
                let names = visible_line(&it.unused.join(", ")).into_owned();
                console.warning(&format!("{shown}: these settings have no meaning here: {names}"));
            }
        }
        let header =
            Some(&docs.header_from).filter(|it| **it != DocsSettings::default().header_from);
        for file in header.into_iter().chain(&docs.footer_from) {
            if system.kind(&dir.join(file)).is_err() {
                let file = visible_line(file);
                console.warning(&format!("{shown} names {file}, which does not exist"));
            }
        }
        return;
    }
}

/// Writes the part between the markers; a file without markers gets them at its end.
fn write(
    dir: &Path,
    docs: &DocsSettings,
    new: &str,
    system: &dyn System,
    console: &mut Console<'_>,
) -> anyhow::Result<()> {
    let path = paths::clean(&dir.join(&docs.file));
    let shown = visible_line(&paths::display(&path)).into_owned();
    let parent = path.parent().filter(|it| !it.as_os_str().is_empty());
    let entries = system.list(parent.unwrap_or(Path::new("."))).unwrap_or_default();
    let name = path.file_name().and_then(|it| it.to_str()).unwrap_or_default();
    if entries.iter().any(|it| it.name == name && it.kind == EntryKind::Symlink) {
        bail!("{shown} is a symbolic link; write the file that it leads to");
    }
    if system.kind(&path).is_err() {
        let text = format!("{}\n{new}{}\n", docs.begin, docs.end);
        let done = system.replace(&path, ExpectedContent::Nothing, text.as_bytes());
        done.with_context(|| format!("cannot write {shown}"))?;
        console.info(&format!("wrote {shown}"));
        return Ok(());
    }
    let bytes = system.read(&path).with_context(|| format!("cannot read {shown}"))?;
    let text = std::str::from_utf8(&bytes).with_context(|| format!("{shown} is not UTF-8"))?;
    let whole = match MarkedPart::find(text, &docs.begin, &docs.end) {
        Ok(part) if part.is_current(text, new) => return Ok(()),
        Ok(part) => part.replaced(text, new),
        Err(PartError::Missing) => match MarkedPart::appended(text, new, &docs.begin, &docs.end) {
            Ok(whole) => whole,
            Err(line) => bail!(
                "{shown}:{line}: the code block that begins here is not closed, so that the new part would be \
                    code; close it; nothing was written"
            ),
        },
        Err(error) => bail!("{shown}: {error}; nothing was written"),
    };
    let done = system.replace(&path, ExpectedContent::Bytes(&bytes), whole.as_bytes());
    done.with_context(|| format!("cannot write {shown}"))?;
    console.info(&format!("wrote {shown}"));
    Ok(())
}
