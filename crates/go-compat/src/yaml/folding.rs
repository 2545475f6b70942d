//! White space inside plain and quoted scalars: line ends become a space or the empty lines between.

use super::cursor::Cursor;

/// White space between two parts of a scalar.
#[derive(Default)]
pub(super) struct Gap {
    spaces: String,
    /// The first line's end, and those of the empty lines that follow.
    first: &'static str,
    breaks: String,
    /// Whether it contains a line end.
    pub is_broken: bool,
}

impl Gap {
    /// The gap behind an escaped line end, which counts as nothing.
    pub fn behind_escape() -> Gap {
        Gap { is_broken: true, ..Gap::default() }
    }

    /// Takes a blank or a line end; white space at the end and the beginning of a line is ignored.
    pub fn take(&mut self, cursor: &mut Cursor<'_>) {
        if !cursor.is_at_break() {
            let blank = cursor.next();
            self.spaces.extend(blank.filter(|_| !self.is_broken));
        } else if self.is_broken {
            self.breaks.push_str(cursor.take_break());
        } else {
            self.spaces.clear();
            self.first = cursor.take_break();
            self.is_broken = true;
        }
    }

    /// Writes the text that the gap counts as.
    pub fn write(self, text: &mut String) {
        match self.first {
            "\n" if self.breaks.is_empty() => text.push(' '),
            "\n" => text.push_str(&self.breaks),
            first => {
                text.push_str(&self.spaces);
                text.push_str(first);
                text.push_str(&self.breaks);
            }
        }
    }
}
