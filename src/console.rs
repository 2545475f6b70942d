//! Standard output and standard error, exchangeable for tests.

use std::io::{self, BufRead, IsTerminal, Read, Write};

use diagnostics::{Inert, visible};

/// The streams of a command. If the reader goes away (a closed pipe), the output ends, but not the
/// command.
pub struct Console<'a> {
    stdout: Box<dyn Write + 'a>,
    stderr: Box<dyn Write + 'a>,
    stdin: Box<dyn BufRead + 'a>,
    /// The error of writing to standard output.
    failure: Option<io::Error>,
    /// Whether a person types the standard input.
    pub is_interactive: bool,
    /// Whether standard output is a terminal.
    pub is_terminal: bool,
    /// Whether standard error is a terminal that can show progress.
    pub shows_progress: bool,
}

impl<'a> Console<'a> {
    /// The process's own streams.
    pub fn process() -> Console<'static> {
        Console {
            stdout: Box::new(io::stdout()),
            stderr: Box::new(io::stderr()),
            stdin: Box::new(io::BufReader::new(io::stdin())),
            failure: None,
            is_interactive: io::stdin().is_terminal(),
            is_terminal: io::stdout().is_terminal(),
            shows_progress: io::stderr().is_terminal(),
        }
    }

    /// Two buffers, no input, no terminal.
    pub fn to(stdout: &'a mut Vec<u8>, stderr: &'a mut Vec<u8>) -> Console<'a> {
        Console {
            stdout: Box::new(stdout),
            stderr: Box::new(stderr),
            stdin: Box::new(io::empty()),
            failure: None,
            is_interactive: false,
            is_terminal: false,
            shows_progress: false,
        }
    }

    /// The same console with this text as its input.
    pub fn with_input(self, text: &'a str) -> Console<'a> {
        Console { stdin: Box::new(text.as_bytes()), ..self }
    }

    /// The next line of standard input without its line end; `None` at the end, or if it is not UTF-8.
    pub fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        let count = self.stdin.read_line(&mut line).ok()?;
        (count > 0).then(|| line.trim_end_matches(['\n', '\r']).to_owned())
    }

    /// All of standard input, of at most `limit` bytes.
    pub fn input(&mut self, limit: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        (&mut self.stdin).take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > limit {
            return Err(system::Refusal::TooLarge { limit }.into());
        }
        Ok(bytes)
    }

    /// Writes text to standard output unchanged.
    pub fn out(&mut self, text: &str) {
        let written = self.stdout.write_all(text.as_bytes()).and_then(|()| self.stdout.flush());
        if let Err(error) = written {
            self.failure.get_or_insert(error);
        }
    }

    /// The error of writing to standard output, unless its reader went away.
    pub(super) fn failure(&mut self) -> Option<io::Error> {
        self.failure.take().filter(|it| it.kind() != io::ErrorKind::BrokenPipe)
    }

    /// Writes text to standard error, with others' control characters made harmless.
    pub fn err_text(&mut self, text: &str) {
        let text = Inert::TEXT.write(visible(text).into_owned());
        _ = self.stderr.write_all(text.as_bytes());
        _ = self.stderr.flush();
    }

    /// Writes a line `Error: …` to standard error.
    pub fn error(&mut self, message: &str) {
        self.message("Error", message);
    }

    /// Writes a line `Warning: …` to standard error.
    pub fn warning(&mut self, message: &str) {
        self.message("Warning", message);
    }

    /// Writes a line `Info: …` to standard error.
    pub fn info(&mut self, message: &str) {
        self.message("Info", message);
    }

    /// Writes a message whose further lines are indented, so that none looks like another message.
    fn message(&mut self, kind: &str, message: &str) {
        self.err_text(&format!("{kind}: {}\n", message.trim_end().replace('\n', "\n  ")));
    }
}
