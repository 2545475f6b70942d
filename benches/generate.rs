//! What a schema costs compared with reading and parsing a module's files, over every module below
//! a directory: `cargo bench --bench generate -- DIR`.
#![allow(
    clippy::cast_precision_loss,
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::unwrap_used
)] // A bench, not the tool.

use std::{
    fs,
    hint::black_box,
    path::{Path, PathBuf},
    time::Instant,
};

use diagnostics::FileId;
use hcl::parse_body;
use projection::schema::{self, CarriedConditions, SchemaOptions};
use system::OsSystem;

fn main() {
    let Some(root) = std::env::args_os().skip(1).find(|it| it != "--bench") else {
        eprintln!("left out: name a directory, `cargo bench --bench generate -- DIR`");
        return;
    };
    let mut dirs = Vec::new();
    collect(Path::new(&root), &mut dirs);
    let files: Vec<PathBuf> = dirs.iter().flat_map(|it| sources(it)).collect();
    let read = || files.iter().map(|it| fs::read(it).unwrap()).collect::<Vec<_>>();
    let texts = black_box(read());
    let (reading, _) = timed(read);
    let (parsing, ()) = timed(|| {
        texts.iter().for_each(|it| drop(black_box(parse_body(FileId::default(), it))));
    });
    let (loading, modules) = timed(|| {
        let load = |it: &PathBuf| module::load(&OsSystem, it, &module::LoadOptions::default()).ok();
        let modules = dirs.iter().filter_map(load).map(|it| it.0);
        modules.filter(|it| !it.variables.is_empty()).collect::<Vec<_>>()
    });
    let generate = |conditions| {
        let options = SchemaOptions { conditions, ..SchemaOptions::default() };
        for module in &modules {
            black_box(schema::generate(module, &options).schema.to_json().to_text(false));
        }
    };
    let (types, ()) = timed(|| generate(CarriedConditions::None));
    let (schemas, ()) = timed(|| generate(CarriedConditions::Full));
    let megabytes = texts.iter().map(Vec::len).sum::<usize>() as f64 / 1e6;
    eprintln!("{} modules, {} files, {megabytes:.1} MB", modules.len(), files.len());
    for (name, seconds) in [
        ("read every file", reading),
        ("parse every file", parsing),
        ("load every module", loading),
        ("schemas without conditions", types),
        ("schemas", schemas),
        ("load, and schemas", loading + schemas),
    ] {
        let (to_read, to_parse) = (seconds / reading, seconds / parsing);
        eprintln!("{name}: {seconds:.3} s, {to_read:.2} of reading, {to_parse:.2} of parsing");
    }
}

fn timed<T>(run: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let out = run();
    (start.elapsed().as_secs_f64(), out)
}

/// Every directory below, hidden ones left out.
fn collect(directory: &Path, out: &mut Vec<PathBuf>) {
    out.push(directory.to_owned());
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let hidden = path.file_name().is_some_and(|it| it.to_string_lossy().starts_with('.'));
        if path.is_dir() && !path.is_symlink() && !hidden {
            collect(&path, out);
        }
    }
}

fn sources(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap().map(|it| it.unwrap().path());
    entries.filter(|it| it.is_file() && it.extension().is_some_and(|it| it == "tf")).collect()
}
