//! Throughput of the HCL parser over a directory of real files: `cargo bench --bench parse -- DIR`.
#![allow(
    clippy::cast_precision_loss,
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::unwrap_used
)] // A bench, not the tool.

use std::path::Path;
use std::time::Instant;

use diagnostics::FileId;
use hcl::parse_body;

fn main() {
    let Some(root) = std::env::args_os().skip(1).find(|it| it != "--bench") else {
        eprintln!("left out: name a directory, `cargo bench --bench parse -- DIR`");
        return;
    };
    let mut files = Vec::new();
    collect(Path::new(&root), &mut files);
    assert!(!files.is_empty());
    let bytes: usize = files.iter().map(Vec::len).sum();
    let start = Instant::now();
    for file in &files {
        std::hint::black_box(parse_body(FileId::default(), file));
    }
    let (megabytes, seconds) = (bytes as f64 / 1e6, start.elapsed().as_secs_f64());
    let (files, rate) = (files.len(), megabytes / seconds);
    eprintln!("{files} files, {megabytes:.1} MB in {seconds:.2} s: {rate:.1} MB/s");
}

fn collect(directory: &Path, files: &mut Vec<Vec<u8>>) {
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let extension = path.extension().and_then(|it| it.to_str());
        if path.is_dir() {
            collect(&path, files);
        } else if matches!(extension, Some("tf" | "tfvars" | "hcl")) {
            files.push(std::fs::read(path).unwrap());
        }
    }
}
