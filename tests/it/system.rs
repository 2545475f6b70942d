//! Tests of the `system` layer.
#![allow(clippy::disallowed_methods)] // They look behind the layer's back.

use std::{fs, io::ErrorKind, path::Path};

use system::{DeniedSystem, EntryKind, MemorySystem, OsSystem, System, is_temporary, paths};

#[test]
fn paths_are_cleaned_as_go_does() {
    let cases = [
        ("", "."),
        (".", "."),
        ("./a", "a"),
        ("a/./b//c/", "a/b/c"),
        ("a/../b", "b"),
        ("a/../../b", "../b"),
        ("..", ".."),
        ("/..", "/"),
        ("/../a", "/a"),
        ("/a/b/../..", "/"),
        ("a/..", "."),
    ];
    for (path, expected) in cases {
        assert_eq!(paths::display(Path::new(path)), expected, "{path:?}");
    }
}

#[test]
fn relative_paths_lead_from_base_to_path() {
    let cases = [
        ("/a/b", "/a/b/c.tf", "c.tf"),
        ("/a/b", "/a/x/c.tf", "../x/c.tf"),
        ("/a/b", "/a/b", "."),
        (".", "x/y", "x/y"),
        ("x", "x/y", "y"),
        ("/a", "b", "b"),
        ("..", "b", "b"),
        ("a", "../b", "../../b"),
    ];
    for (base, path, expected) in cases {
        let found = paths::relative(Path::new(base), Path::new(path));
        assert_eq!(paths::slashes(&found), expected, "{base:?} {path:?}");
    }
}

#[test]
fn memory_implies_directories_and_lists_them_sorted() {
    let system = MemorySystem::new()
        .file("/m/b.tf", "b")
        .file("/m/sub/deep/x", "")
        .file("/m/a.tf", "a")
        .file("/m-other/c.tf", "")
        .directory("/m/empty")
        .symlink("/m/link", "a.tf");
    let names = |dir: &str| -> Vec<(String, EntryKind)> {
        let entries = system.list(Path::new(dir)).unwrap();
        entries.into_iter().map(|it| (it.name, it.kind)).collect()
    };
    let expected = [
        ("a.tf", EntryKind::File),
        ("b.tf", EntryKind::File),
        ("empty", EntryKind::Directory),
        ("link", EntryKind::Symlink),
        ("sub", EntryKind::Directory),
    ];
    assert_eq!(names("/m"), expected.map(|(name, kind)| (name.to_owned(), kind)));
    assert_eq!(names("/m/sub"), [("deep".to_owned(), EntryKind::Directory)]);
    assert_eq!(system.kind(Path::new("/m/link")).unwrap(), EntryKind::File);
    assert_eq!(system.read(Path::new("/m/link")).unwrap(), b"a");
    assert_eq!(system.canonicalize(Path::new("/m/link")).unwrap(), Path::new("/m/a.tf"));
    assert_eq!(system.list(Path::new("/none")).unwrap_err().kind(), ErrorKind::NotFound);
}

#[test]
fn memory_follows_links_to_directories_and_stops_in_circles() {
    let system = MemorySystem::new()
        .file("/real/f", "x")
        .symlink("/a", "real")
        .symlink("/b", "/a")
        .symlink("/loop", "loop");
    assert_eq!(system.read(Path::new("/b/f")).unwrap(), b"x");
    assert!(system.read(Path::new("/loop")).is_err());
}

#[test]
fn memory_writes_only_where_a_directory_is() {
    let system = MemorySystem::new().file("/m/a", "").denied("/secret").working_in("/m");
    system.write_atomic(Path::new("new"), b"1").unwrap();
    assert_eq!(system.read(Path::new("/m/new")).unwrap(), b"1");
    let missing = system.write_atomic(Path::new("/x/new"), b"1").unwrap_err();
    assert_eq!(missing.kind(), ErrorKind::NotFound);
    system.create_dir_all(Path::new("/x/y")).unwrap();
    system.write_atomic(Path::new("/x/y/new"), b"1").unwrap();
    let denied = system.read(Path::new("/secret/x")).unwrap_err();
    assert_eq!(denied.kind(), ErrorKind::PermissionDenied);
}

#[test]
fn a_denied_system_tells_nothing_of_the_world() {
    assert!(std::env::var_os("PATH").is_some());
    assert_eq!(DeniedSystem.env("PATH"), None);
    let denied = DeniedSystem.read(Path::new("/")).unwrap_err();
    assert_eq!(denied.kind(), ErrorKind::PermissionDenied);
}

#[test]
fn memory_has_an_environment_and_a_clock() {
    let system = MemorySystem::new()
        .with_env("TF_VAR_b", "2")
        .with_env("TF_VAR_a", "1")
        .with_env("X", "3")
        .at(60);
    let found = system.env_with_prefix("TF_VAR_");
    let expected = [("TF_VAR_a", "1"), ("TF_VAR_b", "2")].map(|(k, v)| (k.into(), v.into()));
    assert_eq!(found, expected);
    assert_eq!(system.env("X").as_deref(), Some("3"));
    assert_eq!(system.env("Y"), None);
    let since = system.now().duration_since(std::time::UNIX_EPOCH).unwrap();
    assert_eq!(since.as_secs(), 60);
}

#[test]
fn atomic_writes_replace_create_and_leave_nothing_behind() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("schema.json");
    OsSystem.write_atomic(&path, b"one").unwrap();
    OsSystem.write_atomic(&path, b"two").unwrap();
    assert_eq!(OsSystem.read(&path).unwrap(), b"two");
    let leftover = dir.path().join(".schema.json.terraschema-1-2-3.tmp");
    let foreign = dir.path().join(".other.json.terraschema-1-2-3.tmp");
    assert!(is_temporary(".schema.json.terraschema-1-2-3.tmp"));
    fs::write(&leftover, "half").unwrap();
    fs::write(&foreign, "half").unwrap();
    OsSystem.write_atomic(&path, b"three").unwrap();
    assert_eq!(OsSystem.read(&path).unwrap(), b"three");
    assert!(!leftover.exists());
    assert!(foreign.exists());
    assert_eq!(OsSystem.list(dir.path()).unwrap().len(), 2);
}

#[test]
fn atomic_writes_take_long_names() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("é".repeat(120));
    OsSystem.write_atomic(&path, b"x").unwrap();
    assert_eq!(OsSystem.read(&path).unwrap(), b"x");
}

#[test]
fn atomic_writes_from_many_threads_never_show_half_a_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("f");
    std::thread::scope(|scope| {
        for n in 0..4_u8 {
            let path = &path;
            scope.spawn(move || {
                for _ in 0..10 {
                    OsSystem.write_atomic(path, &vec![n; 10_000]).unwrap();
                    let seen = OsSystem.read(path).unwrap();
                    assert!(seen.len() == 10_000 && seen.iter().all(|it| *it == seen[0]));
                }
            });
        }
    });
    assert_eq!(OsSystem.list(dir.path()).unwrap().len(), 1);
}

#[test]
fn failed_writes_say_where_and_leave_the_old_file() {
    let dir = tempfile::tempdir().unwrap();
    let missing = dir.path().join("none").join("schema.json");
    let error = OsSystem.write_atomic(&missing, b"x").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert!(error.to_string().contains("none"), "{error}");
    let error = OsSystem.write_atomic(dir.path(), b"x").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::IsADirectory);
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn permissions_of_the_old_file_are_kept() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("f");
        OsSystem.write_atomic(&path, b"1").unwrap();
        let plain = dir.path().join("plain");
        fs::write(&plain, "1").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
        assert_eq!(mode(&path), mode(&plain), "a new file has the umask's permissions");
        for (old, new) in [(0o600, 0o600), (0o664, 0o664), (0o755, 0o644), (0o4711, 0o600)] {
            fs::set_permissions(&path, fs::Permissions::from_mode(old)).unwrap();
            OsSystem.write_atomic(&path, b"2").unwrap();
            assert_eq!(mode(&path), new, "data is not run");
        }
    }

    #[test]
    fn links_stay_links_and_their_targets_are_replaced() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("sub")).unwrap();
        let link = dir.path().join("link");
        symlink("sub/target", &link).unwrap();
        OsSystem.write_atomic(&link, b"1").unwrap();
        assert_eq!(fs::read(dir.path().join("sub/target")).unwrap(), b"1");
        OsSystem.write_atomic(&link, b"2").unwrap();
        assert_eq!(OsSystem.read(&link).unwrap(), b"2");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        let entries = OsSystem.list(dir.path()).unwrap();
        assert_eq!(entries[0].kind, EntryKind::Symlink);
        symlink("loop", dir.path().join("loop")).unwrap();
        assert!(OsSystem.write_atomic(&dir.path().join("loop"), b"").is_err());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn devices_are_written_into_and_a_full_one_says_so() {
        OsSystem.write_atomic(Path::new("/dev/null"), b"x").unwrap();
        let error = OsSystem.write_atomic(Path::new("/dev/full"), b"x").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::StorageFull);
    }
}
