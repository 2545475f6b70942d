//! Tables, and the same content as lists.

use std::fmt::Write;

/// Rows with the same columns.
pub struct Table {
    columns: &'static [&'static str],
    rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new(columns: &'static [&'static str]) -> Table {
        Table { columns, rows: Vec::new() }
    }

    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Writes the table. As a list each row is an item that begins with its first cell.
    pub fn write(&self, lists: bool, out: &mut String) {
        if lists {
            self.write_list(out);
            return;
        }
        let line = |cells: &[String]| {
            let cells = cells.iter().map(|it| match it.as_str() {
                "" => " |".to_owned(),
                it => format!(" {} |", without_ends(it)),
            });
            format!("|{}\n", cells.collect::<String>())
        };
        let columns: Vec<String> = self.columns.iter().map(|it| (*it).to_owned()).collect();
        out.push_str(&line(&columns));
        _ = writeln!(out, "|{}", "---|".repeat(self.columns.len()));
        self.rows.iter().for_each(|it| out.push_str(&line(it)));
    }

    fn write_list(&self, out: &mut String) {
        for row in &self.rows {
            let mut cells = row.iter().zip(self.columns);
            if let Some((first, _)) = cells.next() {
                _ = writeln!(out, "- {first}");
            }
            for (cell, column) in cells.filter(|it| !it.0.is_empty()) {
                _ = writeln!(out, "  - {column}: {cell}");
            }
        }
    }
}

/// A cell ends at a bar, also in code, unless a backslash is before it.
fn without_ends(cell: &str) -> String {
    let mut out = String::with_capacity(cell.len());
    let mut is_escaped = false;
    for char in cell.chars() {
        if char == '|' && !is_escaped {
            out.push('\\');
        }
        is_escaped = char == '\\' && !is_escaped;
        out.push(char);
    }
    out
}
