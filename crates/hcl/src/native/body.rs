//! Bodies: attributes and blocks.

use std::collections::{HashMap, hash_map::Entry};

use smol_str::SmolStr;

use super::{Parser, Token, TokenKind as T};
use crate::{Attribute, Block, BlockLabel, Body, Ident, Item};
use diagnostics::{Role, Span, lints};
use stack::checkpoint;

/// The number of items up to which names are searched for one by one; beyond it they are collected.
const FEW: usize = 16;

fn attributes(items: &[Item]) -> impl Iterator<Item = &Ident> {
    items.iter().filter_map(|it| match it {
        Item::Attribute(it) => Some(&it.name),
        Item::Block(_) => None,
    })
}

/// The attributes of a body whose items are being read.
#[derive(Default)]
struct Names {
    /// Their places, once there are more than a few.
    places: HashMap<SmolStr, Span>,
    /// Those whose names are set before.
    repeated: Vec<Attribute>,
}

/// The place of an earlier attribute with the same name.
fn first_of(name: &Ident, items: &[Item], names: &mut Names) -> Option<Span> {
    if items.len() < FEW {
        return attributes(items).find(|it| it.name == name.name).map(|it| it.span);
    }
    let names = &mut names.places;
    if names.is_empty() {
        names.extend(attributes(items).map(|it| (it.name.clone(), it.span)));
    }
    match names.entry(name.name.clone()) {
        Entry::Occupied(first) => Some(*first.get()),
        Entry::Vacant(free) => {
            free.insert(name.span);
            None
        }
    }
}

impl Parser<'_> {
    pub(super) fn file_body(&mut self) -> Body {
        let mut items = Vec::new();
        let mut names = Names::default();
        loop {
            self.items(&mut items, &mut names);
            if std::mem::take(&mut self.outermost) {
                continue;
            }
            let token = self.peek();
            if token.kind == T::End {
                break;
            }
            let detail = "This brace does not close a block.";
            let one = self.diagnostic(token, "Unexpected closing brace", detail);
            self.report(one);
            self.next();
        }
        let span = Span::new(self.file, 0, self.bytes.len());
        Body { items, repeated: names.repeated, span }
    }

    /// Parses items up to a closing brace or the end, which is not consumed.
    fn items(&mut self, items: &mut Vec<Item>, names: &mut Names) {
        loop {
            checkpoint();
            let start = self.at;
            let token = self.peek();
            match token.kind {
                T::Newline => {
                    self.next();
                    continue;
                }
                T::CloseBrace | T::End => return,
                _ => {}
            }
            if let Some(item) = self.item() {
                self.add(item, items, names);
            }
            if self.lost {
                self.resync(start);
            }
            if self.outermost {
                return;
            }
        }
    }

    fn add(&mut self, item: Item, items: &mut Vec<Item>, names: &mut Names) {
        let attribute = match item {
            Item::Attribute(it) => it,
            Item::Block(_) => return items.push(item),
        };
        let Some(first) = first_of(&attribute.name, items, names) else {
            return items.push(Item::Attribute(attribute));
        };
        let name = &attribute.name.name;
        let diagnostic = diagnostics::Diagnostic::new(
            &lints::INVALID_SYNTAX,
            format!("Argument \"{name}\" is set twice"),
        )
        .detail("A body can set an argument only once.")
        .at(Role::Value, attribute.name.span)
        .at_with(Role::Value, first, "first set here");
        self.add_diagnostic(diagnostic);
        names.repeated.push(attribute);
    }

    fn item(&mut self) -> Option<Item> {
        let name = self.next();
        if name.kind != T::Ident {
            self.not_an_item(name);
            return None;
        }
        match self.peek_kind() {
            T::Assign => self.attribute(name).map(Item::Attribute),
            T::OpenQuote | T::OpenBrace | T::Ident => self.block(name).map(Item::Block),
            _ => {
                let text = self.text(name);
                let detail = format!(
                    "After \"{text}\", write an equals sign (for an argument), or labels and an \
                    opening brace (for a block), on the same line."
                );
                self.error(name, "Argument or block required", detail);
                None
            }
        }
    }

    fn not_an_item(&mut self, token: Token) {
        if token.kind == T::OpenQuote {
            let detail = "Write the name of an argument without quotes.";
            return self.error(token, "Quoted argument name", detail);
        }
        self.error(
            token,
            "Argument or block required",
            "Only arguments (name = value) and blocks are allowed here.",
        );
    }

    fn attribute(&mut self, name: Token) -> Option<Attribute> {
        let attribute = self.assignment(name)?;
        if self.lost {
            return Some(attribute);
        }
        let end = self.peek();
        match end.kind {
            T::Newline => {
                self.next();
            }
            T::End => {}
            T::Comma => self.error(
                end,
                "Unexpected comma after an argument",
                "Write each argument on its own line, without a comma.",
            ),
            _ => self.error(
                end,
                "Missing line end after an argument",
                "The value is complete; write the next argument or block on its own line.",
            ),
        }
        Some(attribute)
    }

    /// Parses `= value`, without the line end.
    fn assignment(&mut self, name: Token) -> Option<Attribute> {
        self.next();
        let value = self.expression();
        let name = self.ident(name);
        let span = name.span.to(value.span);
        Some(Attribute { name, value: value.into(), span })
    }

    fn block(&mut self, kind: Token) -> Option<Block> {
        let mut labels = Vec::new();
        let mut last = kind;
        let open = loop {
            let token = self.next();
            match token.kind {
                T::OpenBrace => break token,
                T::Ident => {
                    let Ident { name, span } = self.ident(token);
                    labels.push(BlockLabel { text: name, span, quoted: false });
                    last = token;
                }
                T::OpenQuote => {
                    let (text, end) = self.label(token)?;
                    let span = self.span_between(token, end);
                    labels.push(BlockLabel { text, span, quoted: true });
                    last = end;
                }
                _ => {
                    self.bad_header(kind, token);
                    return None;
                }
            }
        };
        let header = self.span_between(kind, last);
        let kind_ident = self.ident(kind);
        let (mut items, mut names) = (Vec::new(), Names::default());
        let close = self.nested(|it| it.block_body(kind, open, &mut items, &mut names))?;
        let Names { repeated, .. } = names;
        let body = Body { items, repeated, span: self.span_inside(open, close) };
        Some(Block { kind: kind_ident, labels, body, header, span: self.span_between(kind, close) })
    }

    fn bad_header(&mut self, kind: Token, token: Token) {
        let kind = self.text(kind);
        let detail = match token.kind {
            T::Assign => format!(
                "A \"{kind}\" block has no equals sign: write the opening brace directly after \
                its labels."
            ),
            T::Newline | T::End => {
                format!("Write the opening brace of a \"{kind}\" block on its first line.")
            }
            _ => format!(
                "Only labels can follow \"{kind}\" before the opening brace: quoted text \
                without ${{ }}, or single words."
            ),
        };
        self.error(token, "Invalid block header", detail);
    }

    /// Parses the inside of a block; also consumes the closing brace and the line end behind it.
    fn block_body(
        &mut self,
        kind: Token,
        open: Token,
        items: &mut Vec<Item>,
        names: &mut Names,
    ) -> Token {
        if self.peek_kind() == T::Newline {
            self.items(items, names);
        } else if let Some(close) = self.one_line_body(kind, items) {
            return close;
        }
        if self.outermost {
            return self.previous();
        }
        let close = self.next();
        if close.kind == T::End {
            let detail = "This brace is never closed.";
            self.error(open, "Unclosed block", detail);
            return close;
        }
        let after = self.peek();
        match after.kind {
            T::Newline => {
                self.next();
            }
            T::End => {}
            _ => self.error(
                after,
                "Missing line end after a block",
                "The block is closed; write the next argument or block on its own line.",
            ),
        }
        close
    }

    /// Parses a body on the line of its opening brace: empty, or one argument. If the closing brace is
    /// wrong, returns the token in its place; otherwise `None`, and the brace comes next.
    fn one_line_body(&mut self, kind: Token, items: &mut Vec<Item>) -> Option<Token> {
        let name = self.peek();
        match name.kind {
            T::CloseBrace | T::End => return None,
            T::Ident => {
                self.next();
            }
            _ => {
                self.not_an_item_of_line(name);
                return Some(name);
            }
        }
        let next = self.peek();
        if next.kind != T::Assign {
            self.not_one_argument(name, next);
            return Some(name);
        }
        items.extend(self.assignment(name).map(Item::Attribute));
        let close = self.peek();
        if self.lost {
            return Some(close);
        }
        if close.kind == T::CloseBrace {
            return None;
        }
        self.more_than_one_argument(kind, close);
        Some(close)
    }

    fn not_an_item_of_line(&mut self, token: Token) {
        let detail = "A block on one line can contain only one argument (name = value).";
        self.error(token, "Argument required", detail);
    }

    fn not_one_argument(&mut self, name: Token, next: Token) {
        let detail = "A block on one line can contain only one argument (name = value); write \
            nested blocks on their own lines.";
        match next.kind {
            T::Ident | T::OpenQuote | T::OpenBrace => {
                let whole = Token { end: next.end, ..name };
                self.error(whole, "Argument required", detail);
            }
            _ => self.error(name, "Argument required", detail),
        }
    }

    fn more_than_one_argument(&mut self, kind: Token, token: Token) {
        let kind = self.text(kind);
        let detail = if token.kind == T::Comma {
            format!("A \"{kind}\" block is not an object: write its arguments without commas.")
        } else {
            "A block on one line can contain only one argument, and closes on that line.".to_owned()
        };
        let help = "Write each argument on its own line, between the lines with the braces.";
        let diagnostic = self
            .diagnostic(token, "More than one argument in a block on one line", detail)
            .help(help);
        self.give_up(token, diagnostic);
    }

    fn span_inside(&self, open: Token, close: Token) -> Span {
        let end = if close.kind == T::CloseBrace { close.start } else { close.end };
        let (start, end) = (open.end + self.offset, end.max(open.end) + self.offset);
        Span { file: self.file, start, end }
    }
}
