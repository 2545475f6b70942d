//! One line of the table: commands run one after another, their time and their memory.

use std::{
    fs,
    process::{Child, Command},
    thread,
    time::{Duration, Instant},
};

pub struct Row {
    what: &'static str,
    commands: Vec<Command>,
    seconds: Vec<f64>,
    /// The most that one of the commands held at once, in KiB.
    peak: u64,
}

impl Row {
    pub fn new(what: &'static str, commands: Vec<Command>) -> Row {
        Row { what, commands, seconds: Vec::new(), peak: 0 }
    }

    pub fn run(&mut self) {
        let start = Instant::now();
        for command in &mut self.commands {
            self.peak = self.peak.max(wait(command.spawn().unwrap()));
        }
        self.seconds.push(start.elapsed().as_secs_f64());
    }

    pub fn median(&self) -> f64 {
        let mut sorted = self.seconds.clone();
        sorted.sort_by(f64::total_cmp);
        sorted[sorted.len() / 2]
    }

    /// With the ratio to the time of another row.
    pub fn print(&self, base: f64) {
        let seconds = self.median();
        let (ratio, peak) = (seconds / base, self.peak / 1024);
        println!("| {} | {seconds:.3} | {ratio:.2} | {peak} MiB |", self.what);
    }

    /// The time for all modules, scaled from that of a sample.
    pub fn print_scaled(&self, scale: f64, base: f64) {
        let seconds = self.median() * scale;
        println!("| {} (scaled) | {seconds:.1} | {:.0} | |", self.what, seconds / base);
    }
}

/// Waits for a program and gives its peak memory in KiB, 0 where `/proc` does not report it.
fn wait(mut child: Child) -> u64 {
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    loop {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|it| it.strip_prefix("VmHWM:"));
        let now = line.and_then(|it| it.trim().strip_suffix(" kB")?.parse().ok());
        peak = peak.max(now.unwrap_or(0));
        if child.try_wait().unwrap().is_some() {
            return peak;
        }
        thread::sleep(Duration::from_micros(500));
    }
}
