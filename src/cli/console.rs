//! Standard output and standard error, exchangeable for tests.

use std::io::{self, IsTerminal, Write};

/// Where a command writes. A reader that goes away (a closed pipe) ends the output, not the command.
pub struct Console<'a> {
    stdout: Box<dyn Write + 'a>,
    stderr: Box<dyn Write + 'a>,
    /// Whether standard output is a terminal that wants colours.
    pub color: bool,
}

impl<'a> Console<'a> {
    /// The process's own streams. Colours follow the terminal and `NO_COLOR`.
    pub fn process() -> Console<'static> {
        Console {
            stdout: Box::new(io::stdout()),
            stderr: Box::new(io::stderr()),
            color: io::stdout().is_terminal(),
        }
    }

    /// Two buffers, no colours.
    pub fn to(stdout: &'a mut Vec<u8>, stderr: &'a mut Vec<u8>) -> Console<'a> {
        Console { stdout: Box::new(stdout), stderr: Box::new(stderr), color: false }
    }

    /// Writes text to standard output as it is.
    pub fn out(&mut self, text: &str) {
        _ = self.stdout.write_all(text.as_bytes());
        _ = self.stdout.flush();
    }

    /// Writes text to standard error as it is.
    pub fn err_text(&mut self, text: &str) {
        _ = self.stderr.write_all(text.as_bytes());
        _ = self.stderr.flush();
    }

    /// A line `Error: …` on standard error.
    pub fn error(&mut self, message: &str) {
        self.err_text(&format!("Error: {message}\n"));
    }

    /// A line `Warning: …` on standard error.
    pub fn warning(&mut self, message: &str) {
        self.err_text(&format!("Warning: {message}\n"));
    }

    /// A line `Info: …` on standard error.
    pub fn info(&mut self, message: &str) {
        self.err_text(&format!("Info: {message}\n"));
    }
}
