//! `tests/cases`, which unpacks recorded cases for an editor and packs them again.

use std::{fs, process::Command};

use testkit::{
    missing::{MissingProgram, trials},
    workspace::Answer,
};

trials![cases_are_packed_as_they_were_unpacked];

fn cases_are_packed_as_they_were_unpacked() -> Result<(), MissingProgram> {
    let it = tempfile::tempdir().unwrap();
    let script = it.path().join("tests/cases");
    fs::create_dir(it.path().join("tests")).unwrap();
    fs::copy("tests/cases", &script).unwrap();
    // The last has texts that are not UTF-8, the one before links.
    for kind in ["verdicts", "trees-1.11", "trees", "oracle/cases"] {
        let packed = it.path().join("tests/data").join(kind);
        fs::create_dir_all(&packed).unwrap();
        let mut texts = Vec::new();
        for entry in fs::read_dir(format!("tests/data/{kind}")).unwrap() {
            let path = entry.unwrap().path();
            let copied = packed.join(path.file_name().unwrap());
            fs::copy(&path, &copied).unwrap();
            texts.push((copied, fs::read(path).unwrap()));
        }
        for verb in ["unpack", "pack"] {
            let mut python = Command::new("python3");
            python.arg(&script).args([verb, kind]).arg(it.path().join(kind.replace('/', "-")));
            let answer = python.output();
            let Ok(answer) = answer else { return Err(MissingProgram::tool("no python3")) };
            let answer = Answer::new(answer);
            assert_eq!(answer.code, 0, "{verb} {kind}: {}", answer.text());
        }
        assert_eq!(fs::read_dir(&packed).unwrap().count(), texts.len(), "{kind}");
        for (path, text) in texts {
            assert!(fs::read(&path).unwrap() == text, "{} is another one", path.display());
        }
    }
    Ok(())
}
