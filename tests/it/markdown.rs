//! Lines of generated pages, at most 100 characters as markdownlint wants them.

const WIDTH: usize = 100;

/// The text in lines that begin with `rest`, the first one with `first`. Code in backticks stays on one line.
pub fn wrap(text: &str, first: &str, rest: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match words.last_mut() {
            Some(last) if last.matches('`').count() % 2 == 1 => {
                last.push(' ');
                last.push_str(word);
            }
            _ => words.push(word.to_owned()),
        }
    }
    let (mut lines, mut line) = (Vec::new(), first.to_owned());
    for (at, word) in words.iter().enumerate() {
        let space = usize::from(at > 0);
        if at > 0 && line.chars().count() + space + word.chars().count() > WIDTH {
            lines.push(std::mem::replace(&mut line, rest.to_owned()));
        } else if at > 0 {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    lines.join("\n") + "\n"
}

#[test]
fn lines_are_short_and_code_stays_together() {
    let text = format!("{} `a - b` {}", "word ".repeat(19).trim_end(), "word ".repeat(3));
    let wrapped = wrap(&text, "- ", "  ");
    let lines: Vec<&str> = wrapped.lines().collect();
    assert!(lines.iter().all(|it| it.chars().count() <= WIDTH), "{wrapped}");
    assert_eq!(lines[1], "  `a - b` word word word");
}
