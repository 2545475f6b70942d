//! The verdict compared with `terraform plan`: `cargo bench --bench verdict [-- DIR FILE]`. The
//! arguments are the directory of a module that needs no provider, and a values file in it. Without
//! them the bench uses the variables of `examples/web-service`.
#![allow(
    clippy::cast_precision_loss,
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::unwrap_used
)] // A bench, not the tool.

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use module::inputs::{InputArgument, InputRequest};
use release::Release;
use system::OsSystem;
use tf_eval::Meter;
use verdict::{JudgeSetting, Loaded, plan};

/// Runs of each program, in each order.
const RUNS: usize = 31;
const PERIOD: Duration = Duration::from_secs(3);

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|it| it != "--bench").collect();
    if let [dir, file] = args.as_slice() {
        return measure(Path::new(dir), file);
    }
    let dir = tempfile::tempdir().unwrap();
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/web-service");
    for file in ["variables.tf", "environments/prod.tfvars"] {
        let path = example.join(file);
        std::fs::copy(&path, dir.path().join(path.file_name().unwrap())).unwrap();
    }
    measure(dir.path(), "prod.tfvars");
}

fn measure(dir: &Path, file: &str) {
    in_one_process(dir, file);
    whole_processes(dir, file);
}

/// Each verdict reads and judges everything again.
fn in_one_process(dir: &Path, file: &str) {
    let (start, mut verdicts) = (Instant::now(), 0_u32);
    while start.elapsed() < PERIOD {
        let options = module::LoadOptions::default();
        let (module, said) = module::load(&OsSystem, dir, &options).unwrap();
        let request = InputRequest {
            dir: dir.to_owned(),
            environment: false,
            auto_files: true,
            arguments: vec![InputArgument::File(PathBuf::from(file))],
        };
        let meter = Meter::default();
        let setting = JudgeSetting::new(&OsSystem, dir, Release::NEWEST, &meter);
        std::hint::black_box(plan(&mut Loaded::new(module), said, &request, setting));
        verdicts += 1;
    }
    let rate = f64::from(verdicts) / start.elapsed().as_secs_f64();
    eprintln!("one process: {rate:.0} verdicts per second (module and values read anew each time)");
}

fn whole_processes(dir: &Path, file: &str) {
    let file = format!("-var-file={file}");
    let ours = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_terraschema"));
        command.args(["validate", &file]);
        command
    };
    let theirs = || {
        let mut command = Command::new("terraform");
        command.args(["plan", "-input=false", &file]);
        command.env("CHECKPOINT_DISABLE", "1");
        command
    };
    if Command::new("terraform").arg("version").output().is_err() {
        eprintln!("left out: there is no terraform to compare with");
        return;
    }
    let (mut us, mut them) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        us.push(time(ours(), dir));
        them.push(time(theirs(), dir));
    }
    compare("in turns, each with the other's data in the caches", us, them);
    let us = (0..RUNS).map(|_| time(ours(), dir)).collect();
    let them = (0..RUNS).map(|_| time(theirs(), dir)).collect();
    compare("each in a row", us, them);
}

fn compare(order: &str, mut us: Vec<f64>, mut them: Vec<f64>) {
    eprintln!("whole process, {RUNS} runs, {order}, in milliseconds:");
    for (what, pick) in [("median", median as fn(&mut [f64]) -> f64), ("shortest", shortest)] {
        let (us, them) = (pick(&mut us), pick(&mut them));
        let ratio = them / us;
        eprintln!(
            "{what}: terraschema validate {us:.1}, terraform plan {them:.1}: {ratio:.1} times"
        );
    }
}

/// Milliseconds; both programs must be of one mind.
fn time(mut command: Command, dir: &Path) -> f64 {
    let command = command.current_dir(dir).stdin(Stdio::null());
    let start = Instant::now();
    let output = command.output().unwrap();
    let elapsed = start.elapsed();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    elapsed.as_secs_f64() * 1e3
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// What waiting for a busy machine lengthens least.
fn shortest(times: &mut [f64]) -> f64 {
    times.iter().copied().fold(f64::INFINITY, f64::min)
}
