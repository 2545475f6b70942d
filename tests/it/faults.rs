//! Whatever happens while schemas are written, each is afterwards the old or the new one, whole.
#![cfg(unix)]
#![allow(clippy::disallowed_methods)] // They look behind the layers' backs.

use std::{
    fs,
    os::unix::{fs::PermissionsExt, process::CommandExt},
};

use testkit::{
    faults::Fleet,
    workspace::{Answer, Workspace, binary, isolated},
};
#[test]
fn a_killed_process_leaves_every_schema_whole() {
    let fleet = Fleet::new(1000);
    fleet.stop_midway(3, "KILL", |_, _| ());
    assert_eq!(fleet.it.terraschema("check --fix").code, 0);
    assert_eq!((fleet.count_new("m"), fleet.leftovers("m")), (1000, 0));
}

#[test]
fn an_interrupted_process_leaves_nothing_behind() {
    let fleet = Fleet::new(400);
    for (signal, expected) in [("INT", 130), ("TERM", 143)] {
        fleet.stop_midway(2, signal, |new, code| {
            // One that comes before the handlers do ends the process as it always did.
            assert!(code == Some(expected) || (new == 0 && code.is_none()), "{signal}: {code:?}");
            assert_eq!(fleet.leftovers("m"), 0, "{signal}");
        });
    }
}

/// What a full disk does to a writer, for everybody: no file may grow beyond one block.
#[test]
fn a_write_that_breaks_off_leaves_the_old_schema() {
    let fleet = Fleet::new(20);
    let script = format!("ulimit -f 1; exec '{}' check --fix", binary());
    let mut command = isolated("bash", &fleet.it.path(""));
    let answer = Answer::new(command.args(["-c", &script]).output().unwrap());
    assert_eq!(answer.code, 2, "{}", answer.text());
    assert!(answer.stderr.contains("schema.json"), "{}", answer.stderr);
    assert_eq!((fleet.count_new("m"), fleet.leftovers("m")), (0, 0));
}

#[test]
fn a_read_only_directory_is_a_clear_error() {
    let fleet = Fleet::new(3);
    let set = |path: &str, mode| {
        fs::set_permissions(fleet.it.path(path), fs::Permissions::from_mode(mode)).unwrap();
    };
    fs::copy(binary(), fleet.it.path("terraschema")).unwrap();
    ["", "m", "m/0", "m/1", "m/2"].iter().for_each(|it| set(it, 0o755));
    set("m/1", 0o555);
    let mut command = isolated(fleet.it.path("terraschema"), &fleet.it.path(""));
    // Nothing is read-only to root, so somebody else runs it.
    let is_root = fs::write(fleet.it.path("m/1/probe"), "").is_ok();
    if is_root {
        command.uid(65534).gid(65534);
    }
    let answer = Answer::new(command.args(["check", "--fix"]).output().unwrap());
    assert_eq!(answer.code, 2, "{}", answer.text());
    assert!(answer.stderr.contains("m/1/schema.json") || is_root, "{}", answer.stderr);
    assert!(answer.stderr.contains("ermission denied"), "{}", answer.stderr);
    fleet.count_new("m");
    assert_eq!(fleet.leftovers("m"), 0);
    set("m/1", 0o755);
}

/// The directory would let anybody replace them, and nothing keeps root from writing them.
#[test]
fn read_only_files_stay_as_they_are_in_a_directory_that_is_not() {
    let values = "name = \"a\"\nother = 1\n";
    let readme = "<!-- BEGIN_TERRASCHEMA -->\nold\n<!-- END_TERRASCHEMA -->\n";
    let module = "variable \"name\" {\n  type = string\n  validation {\n    condition     = var.name != \"\"\n    \
                  error_message = \"No.\"\n  }\n}\n";
    for (command, file) in [
        ("generate -i m -o m/schema.json --overwrite", "m/schema.json"),
        ("check --fix", "m/schema.json"),
        ("check --fix", "m/README.md"),
        ("docs m --write", "m/README.md"),
        ("check --fix-inputs", "m/prod.tfvars"),
        ("check --fix-inputs", "m/prod.tfvars.example"),
        ("skeleton m --as tfvars --from m/part.tfvars -o m/part.tfvars", "m/part.tfvars"),
        ("check --write-baseline known.json", "known.json"),
        ("check --output json=report.json", "report.json"),
    ] {
        let it = Workspace::new();
        it.write("m/main.tf", module).write("m/prod.tfvars", values);
        it.write("m/prod.tfvars.example", values).write("m/part.tfvars", "");
        it.write("m/README.md", readme).write("report.json", "{}");
        it.write(
            "m/schema.json",
            "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\"\n}\n",
        );
        it.write("known.json", "{\"terraschema_baseline\":1}\n");
        let path = it.path(file);
        let before = fs::read(&path).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
        let answer = it.terraschema(command);
        assert_eq!(answer.code, 2, "{command}: {}", answer.text());
        let error = format!("{file} is read-only, and was not written");
        assert!(answer.stderr.contains(&error), "{command}: {}", answer.text());
        assert_eq!(fs::read(&path).unwrap(), before, "{command}");
        // The same command writes a file that somebody may write.
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        it.terraschema(command);
        assert_ne!(fs::read(&path).unwrap(), before, "{command}");
        let mode = fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o640, "{command}");
        // What is up to date may be read-only.
        let after = fs::read(&path).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
        let answer = it.terraschema(command);
        assert_ne!(answer.code, 2, "{command}: {}", answer.text());
        assert_eq!(fs::read(&path).unwrap(), after, "{command}");
    }
}

/// Where memory is short threads do not start: every run ends, with its result or with a word why not.
#[test]
fn a_thread_that_cannot_start_is_done_without() {
    let it = Workspace::new();
    for n in 0..30 {
        it.write(&format!("m/{n}/main.tf"), "variable \"x\" {\n  type = string\n}\n");
    }
    let run = |limit: u32, threads: u32| {
        // A run that hangs is a failure, not a test that never ends.
        let script = format!(
            "ulimit -v {limit}; RAYON_NUM_THREADS={threads} timeout 1800 '{}' check -q",
            binary()
        );
        let mut command = isolated("bash", &it.path(""));
        Answer::new(command.args(["-c", &script]).output().unwrap())
    };
    let expected = it.terraschema("check -q");
    assert_eq!(expected.code, 1);
    // How many threads fit, and whether the work does as well, depends on what else the machine does.
    // The program of a development build takes 61,000 by itself, without which nothing starts.
    for limit in [80_000, 100_000, 200_000, 300_000, 400_000, 800_000, 1_200_000, 1_600_000] {
        for _ in 0..4 {
            let answer = run(limit, 16);
            assert_ne!(answer.code, 124, "{limit} hangs");
            match answer.code {
                1 => assert_eq!(answer.stdout, expected.stdout, "{limit}"),
                code => assert!(!answer.text().trim().is_empty(), "{limit}: {code} without a word"),
            }
        }
    }
    // There is room for the work, but never for so many threads.
    let answer = run(4_000_000, 4_000);
    assert_eq!((answer.code, &answer.stdout), (1, &expected.stdout), "{}", answer.text());
}
