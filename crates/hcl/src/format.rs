//! The canonical layout of a file, as `terraform fmt` writes it.
//!
//! Bytes go in; the same tokens with other spaces between them come out. Terraform's rules are those of
//! HCL's writer: each line has a lead, an assignment and a comment, and cells of consecutive lines begin
//! in the same column. Indentation counts brackets line by line. In addition, `"${…}"` around a whole
//! value is taken away, labels of blocks get quotes, and types of variables are written in today's form.

use std::ops::Range;

use unicode_normalization::is_nfc;
use unicode_segmentation::UnicodeSegmentation;

use super::{
    ast::Item,
    lexer::{Start, scan},
    native::parse_body,
    token::TokenKind as T,
};
use diagnostics::FileId;

/// The text of a file as `terraform fmt` writes it. `None`: it has errors or is not UTF-8, so that Terraform does not
/// read it either; or Terraform would lose a comment or a label.
pub fn formatted(bytes: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(bytes).ok().filter(|it| !it.starts_with('\u{feff}'))?;
    let (body, problems) = parse_body(FileId(0), bytes);
    if !problems.is_empty() {
        return None;
    }
    let mut rewrites = Vec::new();
    let pieces = pieces(text);
    let is_whole = body.items.iter().all(|it| add_rewrites(it, true, &pieces, &mut rewrites));
    if !is_whole || !body.repeated.is_empty() {
        return None;
    }
    let mut pieces = rewritten(&pieces, &rewrites);
    let lines = lines(&pieces);
    indent(&mut pieces, &lines);
    space(&mut pieces, &lines);
    align(&mut pieces, &lines, |it| Some((it.lead.start, it.assign.clone()?.start)));
    align(&mut pieces, &lines, |it| Some((it.lead.start, it.comment?)));
    let mut out = String::with_capacity(text.len());
    for it in &pieces {
        out.extend(std::iter::repeat_n(' ', it.spaces));
        out.push_str(it.text);
    }
    Some(out)
}

/// A part that is written in another way.
struct Rewrite {
    range: Range<usize>,
    how: How,
}

#[derive(Clone, Copy)]
enum How {
    /// A value, without a template that only wraps it.
    Value,
    /// A label, in quotes.
    Label,
    /// The type of a variable, in the form of Terraform 0.12.
    Type,
}

/// Adds what is rewritten in an attribute or a block, in order. Returns whether nothing is lost.
fn add_rewrites(item: &Item, is_top: bool, pieces: &[Piece<'_>], out: &mut Vec<Rewrite>) -> bool {
    let block = match item {
        Item::Attribute(it) => {
            out.push(Rewrite { range: it.value.span.range(), how: How::Value });
            return true;
        }
        Item::Block(it) => it,
    };
    let header = block.header.range();
    let mut of_header = pieces.iter().filter(|it| header.contains(&it.start));
    // Terraform takes comments out of a header, and writes a label's text in another way, not always with the same
    // meaning.
    let is_changed = |it: &Piece<'_>| {
        let is_plain =
            !it.text.contains("${") && !it.text.contains("%{") && !it.text.contains('\\');
        it.kind.is_none() || !is_plain || !is_nfc(it.text)
    };
    if of_header.any(is_changed) || !block.body.repeated.is_empty() {
        return false;
    }
    let bare = block.labels.iter().filter(|it| !it.quoted);
    out.extend(bare.map(|it| Rewrite { range: it.span.range(), how: How::Label }));
    let is_variable = is_top && block.kind.name == "variable";
    for it in &block.body.items {
        match it {
            Item::Attribute(it) if is_variable && it.name.name == "type" => {
                out.push(Rewrite { range: it.value.span.range(), how: How::Type });
            }
            it if !stack::guarded(|| add_rewrites(it, false, pieces, out)) => return false,
            _ => (),
        }
    }
    true
}

/// A token or a comment, and the spaces before it.
#[derive(Clone, Copy)]
struct Piece<'t> {
    /// `None` is a comment; one to the end of its line has the line end in it.
    kind: Option<T>,
    text: &'t str,
    start: usize,
    spaces: usize,
}

impl<'t> Piece<'t> {
    /// One that the text does not have.
    fn new(kind: T, text: &'t str) -> Piece<'t> {
        Piece { kind: Some(kind), text, start: 0, spaces: 0 }
    }

    fn ends_line(&self) -> bool {
        match self.kind {
            None => self.text.ends_with('\n'),
            Some(kind) => kind == T::Newline,
        }
    }

    /// How many brackets it opens or, if negative, closes.
    fn brackets(&self) -> i64 {
        match self.kind {
            Some(
                T::OpenBrace | T::OpenBracket | T::OpenParen | T::Interpolation | T::Directive,
            ) => 1,
            Some(T::CloseBrace | T::CloseBracket | T::CloseParen | T::SequenceEnd) => -1,
            _ => 0,
        }
    }
}

/// All pieces of a text, up to its end, which is one too.
fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    let mut end = 0;
    let mut add = |kind, range: Range<usize>, end: &mut usize| {
        let spaces = range.start - *end;
        *end = range.end;
        found.push(Piece { kind, text: &text[range.clone()], start: range.start, spaces });
    };
    for token in scan(text.as_bytes(), Start::Expression) {
        let range = token.range();
        for it in comments_in(text, end..range.start) {
            add(None, it, &mut end);
        }
        let is_comment = token.kind == T::Newline && text[range.clone()].starts_with(['#', '/']);
        add((!is_comment).then_some(token.kind), range, &mut end);
    }
    found
}

/// The comments between two tokens.
fn comments_in(text: &str, gap: Range<usize>) -> Vec<Range<usize>> {
    let (mut found, mut at) = (Vec::new(), gap.start);
    while let Some(start) = text[at..gap.end].find(['#', '/']).map(|it| at + it) {
        let rest = &text[start..gap.end];
        let length = match rest.strip_prefix("/*") {
            Some(inner) => inner.find("*/").map_or(rest.len(), |it| it + 4),
            None => rest.len(),
        };
        found.push(start..start + length);
        at = start + length;
    }
    found
}

/// The pieces with some parts written in another way.
fn rewritten<'t>(pieces: &[Piece<'t>], rewrites: &[Rewrite]) -> Vec<Piece<'t>> {
    let mut out = Vec::with_capacity(pieces.len());
    let mut at = 0;
    for Rewrite { range, how } in rewrites {
        let begin = pieces.partition_point(|it| it.start < range.start);
        let end = pieces.partition_point(|it| it.start < range.end);
        out.extend_from_slice(&pieces[at..begin]);
        let part = &pieces[begin..end];
        match how {
            How::Value => add_value(part, &mut out),
            How::Label => {
                out.push(Piece::new(T::OpenQuote, "\""));
                out.extend(part.iter().map(|it| Piece::new(T::QuotedText, it.text)));
                out.push(Piece::new(T::CloseQuote, "\""));
            }
            How::Type => add_type(part, &mut out),
        }
        at = end;
    }
    out.extend_from_slice(&pieces[at..]);
    out
}

/// Adds a value, without a template that only wraps it.
fn add_value<'t>(value: &[Piece<'t>], out: &mut Vec<Piece<'t>>) {
    let Some(inside) = inside(value) else { return out.extend_from_slice(value) };
    let is_kind = |piece: Option<&Piece<'_>>, kind| piece.is_some_and(|it| it.kind == Some(kind));
    let has_parens = is_kind(inside.first(), T::OpenParen) && is_kind(inside.last(), T::CloseParen);
    let needs_parens = !has_parens && inside.iter().any(|it| it.kind == Some(T::Newline));
    out.extend(needs_parens.then(|| Piece::new(T::OpenParen, "(")));
    out.extend_from_slice(inside);
    out.extend(needs_parens.then(|| Piece::new(T::CloseParen, ")")));
}

/// Adds the type of a variable. What Terraform 0.11 wrote as a text, or without the type of the elements, gets the
/// form that means the same today.
fn add_type<'t>(value: &[Piece<'t>], out: &mut Vec<Piece<'t>>) {
    let texts: Vec<&str> = value.iter().map(|it| it.text).collect();
    let (name, of) = match texts[..] {
        ["\"", "string", "\""] => ("string", None),
        ["\"", name @ ("list" | "map"), "\""] => (name, Some("string")),
        [name @ ("list" | "map" | "set")] => (name, Some("any")),
        _ => return out.extend_from_slice(value),
    };
    out.push(Piece::new(T::Ident, name));
    if let Some(of) = of {
        out.push(Piece::new(T::OpenParen, "("));
        out.push(Piece::new(T::Ident, of));
        out.push(Piece::new(T::CloseParen, ")"));
    }
}

/// The inside of a value that is a template of one interpolation only.
fn inside<'p, 't>(value: &'p [Piece<'t>]) -> Option<&'p [Piece<'t>]> {
    let kinds = |part: &[Piece<'_>]| part.iter().map(|it| it.kind).collect::<Vec<_>>();
    let (head, rest) = value.split_at_checked(2)?;
    let (inside, tail) = rest.split_at_checked(rest.len().checked_sub(2)?)?;
    let is_template = kinds(head) == [Some(T::OpenQuote), Some(T::Interpolation)]
        && kinds(tail) == [Some(T::SequenceEnd), Some(T::CloseQuote)];
    if !is_template || inside.is_empty() {
        return None;
    }
    let mut quotes = 0;
    for it in inside {
        match it.kind {
            Some(T::OpenQuote) => quotes += 1,
            Some(T::CloseQuote) => quotes -= 1,
            Some(T::Interpolation | T::SequenceEnd | T::QuotedText) if quotes <= 0 => return None,
            _ => (),
        }
    }
    let is_line_end = |it: &Piece<'_>| it.kind == Some(T::Newline);
    let start = inside.iter().position(|it| !is_line_end(it)).unwrap_or(inside.len());
    let end = inside.iter().rposition(|it| !is_line_end(it)).map_or(start, |it| it + 1);
    Some(&inside[start..end])
}

/// A line, as ranges of pieces.
struct Line {
    lead: Range<usize>,
    /// From `=` on.
    assign: Option<Range<usize>>,
    /// The comment that ends it, after something else.
    comment: Option<usize>,
}

/// The lines of some pieces; the end of the text is in none of them.
fn lines(pieces: &[Piece<'_>]) -> Vec<Line> {
    let end = pieces.len() - 1;
    let (mut lines, mut start) = (Vec::new(), 0);
    while start < end {
        let length = pieces[start..end].iter().position(Piece::ends_line);
        let stop = length.map_or(end, |it| start + it + 1);
        let has_comment = stop - start > 1 && pieces[stop - 1].kind.is_none();
        let comment = has_comment.then_some(stop - 1);
        let mut line = Line { lead: start..comment.unwrap_or(stop), assign: None, comment };
        let mut after = line.lead.clone().skip(1);
        if let Some(at) = after.find(|it| pieces[*it].kind == Some(T::Assign)) {
            // A value that goes on in the next line is not aligned.
            if pieces[at..line.lead.end].iter().map(Piece::brackets).sum::<i64>() == 0 {
                line.assign = Some(at..line.lead.end);
                line.lead.end = at;
            }
        }
        lines.push(line);
        start = stop;
    }
    lines
}

/// Indents each line by the brackets that are open before it.
fn indent(pieces: &mut [Piece<'_>], lines: &[Line]) {
    // The brackets that each level opened.
    let mut levels: Vec<i64> = Vec::new();
    for line in lines {
        let first = line.lead.start;
        if pieces[first].kind == Some(T::Newline) {
            pieces[first].spaces = 0;
            continue;
        }
        let mut net = 0;
        for it in &pieces[line.lead.clone()] {
            net += it.brackets();
            if it.kind == Some(T::OpenHeredoc) {
                break;
            }
        }
        let assign = line.assign.clone().unwrap_or_default();
        net += pieces[assign].iter().map(Piece::brackets).sum::<i64>();
        let mut closed = -net;
        while closed > 0
            && let Some(level) = levels.last_mut()
        {
            let taken = closed.min(*level);
            closed -= taken;
            *level -= taken;
            if *level == 0 {
                levels.pop();
            }
        }
        pieces[first].spaces = 2 * levels.len();
        if net > 0 {
            levels.push(net);
        }
    }
}

/// Puts spaces between the pieces of each cell.
fn space(pieces: &mut [Piece<'_>], lines: &[Line]) {
    for line in lines {
        let cells = [Some(line.lead.clone()), line.assign.clone()];
        for cell in cells.into_iter().flatten() {
            for at in cell.start + 1..cell.end {
                let before = (at - 1 > cell.start).then(|| pieces[at - 2]);
                let is_apart = is_apart(before, &pieces[at - 1], &pieces[at]);
                pieces[at].spaces = usize::from(is_apart);
            }
        }
    }
}

/// Whether a space is between a piece and the next one.
fn is_apart(before: Option<Piece<'_>>, piece: &Piece<'_>, after: &Piece<'_>) -> bool {
    let before_kind = before.and_then(|it| it.kind);
    match (piece.kind, after.kind) {
        (_, Some(T::Newline | T::Dot | T::Comma | T::Ellipsis))
        | (Some(T::Ident), Some(T::OpenParen | T::DoubleColon))
        | (Some(T::DoubleColon), Some(T::Ident))
        | (Some(T::Dot), _) => false,
        (Some(T::Comma), _) => true,
        (Some(T::QuotedText | T::PlainText | T::OpenQuote | T::OpenHeredoc), _)
        | (_, Some(T::QuotedText | T::PlainText | T::CloseQuote | T::CloseHeredoc)) => false,
        (Some(T::Ident), _) if piece.text == "in" && before_kind == Some(T::Ident) => true,
        (Some(kind), Some(T::OpenBracket))
            if matches!(kind, T::Ident | T::Number) || piece.brackets() < 0 =>
        {
            false
        }
        (Some(T::Not), _) => false,
        (Some(T::Minus), _) => before.is_some() && !precedes_negation(before_kind),
        (Some(T::OpenBrace), Some(T::CloseBrace)) => false,
        (Some(T::OpenBrace), _) | (_, Some(T::CloseBrace)) => true,
        (Some(T::Interpolation | T::Directive), Some(T::OpenBrace))
        | (Some(T::CloseBrace), Some(T::SequenceEnd)) => true,
        (Some(T::SequenceEnd), Some(T::Interpolation | T::Directive)) => false,
        _ => piece.brackets() <= 0 && after.brackets() >= 0,
    }
}

/// Whether a minus after it is a sign. The writer guesses, too.
fn precedes_negation(kind: Option<T>) -> bool {
    let Some(kind) = kind else { return false };
    matches!(kind, T::OpenParen | T::OpenBrace | T::OpenBracket | T::Assign | T::Colon | T::Comma)
        || matches!(kind, T::Question | T::Plus | T::Star | T::Slash | T::Percent | T::Minus)
        || matches!(kind, T::Equal | T::NotEqual | T::Greater | T::GreaterOrEqual | T::Less)
        || matches!(kind, T::LessOrEqual | T::And | T::Or | T::Not)
}

/// Lets the cells of consecutive lines begin in the same column. `cell`: the first piece of the line and the
/// first one of its cell, if it has the cell.
fn align(pieces: &mut [Piece<'_>], lines: &[Line], cell: impl Fn(&Line) -> Option<(usize, usize)>) {
    for chain in lines.chunk_by(|a, b| cell(a).is_some() == cell(b).is_some()) {
        let cells: Vec<(usize, usize)> = chain
            .iter()
            .filter_map(|it| {
                let (start, at) = cell(it)?;
                Some((columns(&pieces[start..at]), at))
            })
            .collect();
        let widest = cells.iter().map(|it| it.0).max().unwrap_or(0);
        for (width, at) in cells {
            pieces[at].spaces = widest - width + 1;
        }
    }
}

fn columns(pieces: &[Piece<'_>]) -> usize {
    let width = |it: &Piece<'_>| match it.text {
        text if text.is_ascii() && !text.contains('\r') => text.len(),
        text => text.graphemes(true).count(),
    };
    pieces.iter().map(|it| it.spaces + width(it)).sum()
}
