//! `cargo package` makes an archive of each crate that holds whatever the crate's build reads.
#![cfg(unix)]

use std::{fs, path::Path, process::Command};

use testkit::workspace::{Workspace, isolated};

/// The most files in the archive of the command: its sources, not its tests.
const MOST_FILES: usize = 300;

#[test]
fn every_crate_is_packaged_with_what_its_build_reads() {
    let it = Workspace::new();
    let mut command = Command::new(env!("CARGO"));
    let arguments = "package --workspace --no-verify --exclude-lockfile --allow-dirty --offline";
    command.args(arguments.split(' ')).arg("--target-dir").arg(it.path("target"));
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let crates = fs::read_dir("crates").unwrap().map(|it| it.unwrap().file_name());
    let names = crates.map(|it| it.into_string().unwrap()).chain(["terraschema".to_owned()]);
    let (mut count, mut read) = (0, 0);
    for name in names {
        let archive = format!("{name}-{}.crate", env!("CARGO_PKG_VERSION"));
        let packages = it.path("target/package");
        let unpacked = isolated("tar", &packages).args(["-xzf", &archive]).status().unwrap();
        assert!(unpacked.success(), "{archive}");
        let root = packages.join(archive.trim_end_matches(".crate"));
        let mut files = Vec::new();
        files_below(&root, &mut files);
        assert!(name != "terraschema" || files.len() <= MOST_FILES, "{}", files.len());
        for file in files.iter().filter(|it| it.ends_with(".rs")) {
            let text = fs::read_to_string(file).unwrap();
            for path in text.split("include_str!(\"").skip(1) {
                let path = path.split('"').next().unwrap();
                let there = Path::new(file).parent().unwrap().join(path);
                assert!(there.is_file(), "{file} reads {path}, which is not in {archive}");
                read += 1;
            }
            let elsewhere = text.contains("CARGO_MANIFEST_DIR") && text.contains("/../");
            assert!(!elsewhere, "{file} reads what is outside of its crate");
        }
        count += 1;
    }
    assert!(count > 20 && read >= 3, "{count} crates, {read} files");
}

fn files_below(dir: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files_below(&path, found);
        } else {
            found.push(path.to_str().unwrap().to_owned());
        }
    }
}
