//! Modules with stale schemas, for tests that disturb `check --fix` while it writes.

use std::{
    fs,
    process::{Command, Stdio},
    thread,
};

use system::is_temporary;

use crate::workspace::{Workspace, binary, isolated};

/// Modules whose schemas are stale, and both texts of a schema.
pub struct Fleet {
    pub it: Workspace,
    pub count: usize,
    pub old: String,
    pub new: String,
}

impl Fleet {
    /// So many modules in a directory `m`.
    pub fn new(count: usize) -> Fleet {
        let it = Workspace::new();
        Fleet::below(it, "m", count)
    }

    /// A module of about 3 KiB schema, many times.
    pub fn below(it: Workspace, dir: &str, count: usize) -> Fleet {
        let variable = |number| {
            let description = format!("Number {number} of them, described at some length.");
            format!(
                "variable \"v{number}\" {{\n  type = string\n  description = \"{description}\"\n}}\n"
            )
        };
        let module = (0..20).map(variable).collect::<Vec<_>>().concat();
        for n in 0..count {
            it.write(&format!("{dir}/{n}/main.tf"), &module);
        }
        assert_eq!(it.terraschema(&format!("check --fix {dir}/0")).code, 0);
        let new = it.read(&format!("{dir}/0/schema.json"));
        let old = new.replace("described", "once described");
        let fleet = Fleet { it, count, old, new };
        fleet.reset(dir);
        fleet
    }

    /// Makes all schemas stale.
    pub fn reset(&self, dir: &str) {
        (0..self.count)
            .for_each(|at| _ = self.it.write(&format!("{dir}/{at}/schema.json"), &self.old));
    }

    /// How many schemas are new; all others must be old.
    pub fn count_new(&self, dir: &str) -> usize {
        let is_new = |at: &usize| {
            let text = self.it.read(&format!("{dir}/{at}/schema.json"));
            assert!(text == self.new || text == self.old, "module {at} is torn:\n{text}");
            text == self.new
        };
        (0..self.count).filter(is_new).count()
    }

    /// Repairs all schemas and is stopped by a signal. Repeats this until the signal has come this many times while
    /// some schemas were new and some old. `look` gets the number of new schemas and the exit code. The signal comes
    /// when a certain schema is new, however long that takes.
    pub fn stop_midway(&self, times: usize, signal: &str, look: impl Fn(usize, Option<i32>)) {
        let mut midway = 0;
        for round in 0..500 {
            self.reset("m");
            let mut command = isolated(binary(), &self.it.path(""));
            let mut process =
                command.args(["check", "--fix"]).stdout(Stdio::null()).spawn().unwrap();
            // Spread over the first four fifths of the modules by the golden ratio.
            let awaited = round * 618 % 1000 * self.count * 4 / 5000;
            let awaited = format!("m/{awaited}/schema.json");
            let mut is_over = false;
            while !is_over && self.it.read(&awaited) != self.new {
                is_over = process.try_wait().unwrap().is_some();
                thread::yield_now();
            }
            if is_over {
                continue;
            }
            let sent =
                Command::new("kill").args(["-s", signal, &process.id().to_string()]).status();
            assert!(sent.unwrap().success());
            let code = process.wait().unwrap().code();
            let new = self.count_new("m");
            if new < self.count {
                look(new, code);
                midway += usize::from(new > 0);
            }
            if midway == times {
                return;
            }
        }
        panic!("only {midway} signals came while schemas were written");
    }

    /// The number of temporary files that are left.
    pub fn leftovers(&self, dir: &str) -> usize {
        let files = (0..self.count)
            .flat_map(|at| fs::read_dir(self.it.path(&format!("{dir}/{at}"))).unwrap());
        files.filter(|it| is_temporary(it.as_ref().unwrap().file_name().to_str().unwrap())).count()
    }
}
