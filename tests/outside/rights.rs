//! What happens where a user has other rights than the owner of the files. To make such files takes rights, too.

use std::{
    fs,
    io::ErrorKind,
    os::unix::fs::{PermissionsExt, chown},
    path::Path,
    process::Command,
};

use system::{OsSystem, System};
use testkit::{
    faults::Fleet,
    missing::{MissingProgram, trials},
    workspace::Workspace,
};

trials![
    a_full_disk_leaves_every_schema_whole,
    a_read_only_directory_is_a_clear_error,
    a_repository_of_somebody_else_has_to_be_trusted,
];

/// Nobody's.
const OTHER: u32 = 65534;

fn a_repository_of_somebody_else_has_to_be_trusted() -> Result<(), MissingProgram> {
    let it = Workspace::repository();
    it.write("m/main.tf", "variable \"x\" {}\n").commit("First");
    let give = |path: &Path| chown(path, Some(OTHER), Some(OTHER));
    if [".git", "m", ""].iter().any(|path| give(&it.path(path)).is_err()) {
        return Err(MissingProgram::right("only root can give a repository to somebody else"));
    }
    for command in [
        "check --changed",
        "check",
        "check --fix",
        "check --staged",
        "generate -i m -o m/schema.json",
        "generate -i m --stdout",
    ] {
        let answer = it.terraschema(command);
        assert_eq!(answer.code, 2, "{command}: {}", answer.text());
        assert!(answer.stderr.contains("--add safe.directory"), "{command}: {}", answer.stderr);
    }
    assert!(!it.path("m/schema.json").exists());
    Ok(())
}

fn a_read_only_directory_is_a_clear_error() -> Result<(), MissingProgram> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("f");
    OsSystem.write_atomic(&path, b"old").unwrap();
    fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o555)).unwrap();
    let result = OsSystem.write_atomic(&path, b"new");
    fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let Err(error) = result else {
        return Err(MissingProgram::right("this user may write into read-only directories"));
    };
    assert_eq!(error.kind(), ErrorKind::PermissionDenied);
    assert!(error.to_string().contains("directory"), "{error}");
    assert_eq!(OsSystem.read(&path).unwrap(), b"old");
    Ok(())
}

fn a_full_disk_leaves_every_schema_whole() -> Result<(), MissingProgram> {
    let it = Workspace::new();
    fs::create_dir(it.path("disk")).unwrap();
    let mount = |arguments: &[&str]| Command::new("mount").args(arguments).output();
    let disk = it.path("disk").to_str().unwrap().to_owned();
    let made = mount(&["-t", "tmpfs", "-o", "size=1M", "tmpfs", &disk]);
    if !made.is_ok_and(|it| it.status.success()) {
        return Err(MissingProgram::right(
            "a disk of its own can only be made with the right to mount",
        ));
    }
    let unmount = Unmount(disk);
    let fleet = Fleet::below(it, "disk", 40);
    // What is free is filled, so that some schemas may still be replaced and others not.
    let mut filler = Vec::new();
    while fs::write(fleet.it.path("disk/filler"), &filler).is_ok() {
        filler.resize(filler.len() + 4096, 0);
    }
    let answer = fleet.it.terraschema("check --fix disk");
    assert_eq!(answer.code, 2, "{}", answer.text());
    assert!(fleet.count_new("disk") < 40);
    assert_eq!(fleet.leftovers("disk"), 0);
    fs::remove_file(fleet.it.path("disk/filler")).unwrap();
    assert_eq!(fleet.it.terraschema("check --fix disk").code, 0);
    assert_eq!(fleet.count_new("disk"), 40);
    drop(unmount);
    Ok(())
}

struct Unmount(String);

impl Drop for Unmount {
    fn drop(&mut self) {
        _ = Command::new("umount").args(["-l", &self.0]).output();
    }
}
