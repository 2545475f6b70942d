//! Parsing of classes: `[…]`, `\d`, `\p{…}`.

use super::{
    Dialect,
    ast::{Atom, Class, Item, ItemKind},
    error::{Error, ErrorKind},
    parser::escape,
    sets,
};
use regex_syntax::hir::ClassUnicode;

/// Reads classes out of a pattern.
pub(super) struct ClassParser<'p> {
    pub pattern: &'p str,
    pub dialect: Dialect,
    pub position: usize,
    pub fold_case: bool,
}

impl<'p> ClassParser<'p> {
    /// The bracketed class at the position.
    pub(super) fn bracketed(&mut self) -> Result<Class, Error> {
        let start = self.position;
        self.position += 1;
        let negated = self.rest().starts_with('^');
        self.position += usize::from(negated);
        let mut items = Vec::new();
        // A `]` that comes first is a literal.
        while items.is_empty() || !self.rest().starts_with(']') {
            items.push(self.item(start)?);
        }
        self.position += 1;
        Ok(Class { items, negated, bracketed: true, source: start..self.position })
    }

    /// The class escape at the position (`\d`, `\pL`), if there is one.
    pub(super) fn escape(&mut self) -> Result<Option<Class>, Error> {
        let start = self.position;
        let item = match self.unicode()? {
            Some(item) => Some(item),
            None => self.perl(),
        };
        let class = item.map(|item| Class {
            items: vec![item],
            negated: false,
            bracketed: false,
            source: start..self.position,
        });
        Ok(class)
    }

    fn rest(&self) -> &'p str {
        &self.pattern[self.position..]
    }

    fn item(&mut self, class_start: usize) -> Result<Item, Error> {
        if let Some(item) = self.posix()? {
            return Ok(item);
        }
        if let Some(item) = self.unicode()? {
            return Ok(item);
        }
        if let Some(item) = self.perl() {
            return Ok(item);
        }
        self.code_points(class_start)
    }

    fn posix(&mut self) -> Result<Option<Item>, Error> {
        let Some(inside) = self.rest().strip_prefix("[:") else { return Ok(None) };
        let Some(end) = inside.find(":]") else { return Ok(None) };
        let length = end + 4;
        let (name, whole) = (&inside[..end], &self.rest()[..length]);
        let Some(plain) = sets::posix(name, false) else {
            return Err(Error::new(ErrorKind::InvalidCharRange, whole));
        };
        let folded = self.folded(&plain, || sets::posix(name, true));
        Ok(Some(self.take(ItemKind::Posix, plain, folded, length)))
    }

    fn unicode(&mut self) -> Result<Option<Item>, Error> {
        let rest = self.rest();
        if !rest.starts_with(r"\p") && !rest.starts_with(r"\P") {
            return Ok(None);
        }
        let (length, inside) = self.unicode_name()?;
        let (caret, name) = match inside.strip_prefix('^') {
            Some(name) => (true, name),
            None => (false, inside),
        };
        let negated = caret != rest.starts_with(r"\P");
        let set = if self.dialect.long_classes {
            sets::unicode_loosely(name)
        } else {
            sets::unicode(name)
        };
        let Some(set) = set else {
            return Err(Error::new(ErrorKind::InvalidCharRange, &rest[..length]));
        };
        let signed = |mut set: ClassUnicode| {
            if negated {
                set.negate();
            }
            set
        };
        let plain = signed(set.clone());
        let folded = self.folded(&plain, || Some(signed(sets::fold(&set))));
        let kind = ItemKind::Unicode { name: name.to_owned(), negated };
        Ok(Some(self.take(kind, plain, folded, length)))
    }

    /// The length of the `\p` escape at the position and the name in it.
    fn unicode_name(&self) -> Result<(usize, &'p str), Error> {
        let rest = self.rest();
        let Some(first) = rest[2..].chars().next() else { return Ok((2, "")) };
        if first != '{' {
            let end = 2 + first.len_utf8();
            return Ok((end, &rest[2..end]));
        }
        match rest.find('}') {
            Some(end) => Ok((end + 1, &rest[3..end])),
            None => Err(Error::new(ErrorKind::InvalidCharRange, rest)),
        }
    }

    fn perl(&mut self) -> Option<Item> {
        let letter = self.rest().strip_prefix('\\')?.chars().next()?;
        let plain = sets::perl(letter, false)?;
        let folded = self.folded(&plain, || sets::perl(letter, true));
        Some(self.take(ItemKind::Perl(letter), plain, folded, 2))
    }

    /// A single code point or a range of them.
    fn code_points(&mut self, class_start: usize) -> Result<Item, Error> {
        let start = self.position;
        let low = self.atom(class_start)?;
        let rest = self.rest();
        let (kind, plain) = if rest.starts_with('-') && rest.len() > 1 && !rest.starts_with("-]") {
            self.position += 1;
            let high = self.atom(class_start)?;
            if high.code < low.code {
                let range = &self.pattern[start..self.position];
                return Err(Error::new(ErrorKind::InvalidCharRange, range));
            }
            let plain = sets::range(low.code, high.code);
            (ItemKind::Range(low, high), plain)
        } else {
            let plain = sets::range(low.code, low.code);
            (ItemKind::Single(low), plain)
        };
        let folded = self.folded(&plain, || Some(sets::fold(&plain)));
        Ok(Item { kind, plain, folded, source: start..self.position })
    }

    fn atom(&mut self, class_start: usize) -> Result<Atom, Error> {
        let start = self.position;
        let Some(char) = self.rest().chars().next() else {
            return Err(Error::new(ErrorKind::MissingBracket, &self.pattern[class_start..]));
        };
        let (code, length) = match char {
            '\\' => escape(self.rest())?,
            char => (char as u32, char.len_utf8()),
        };
        self.position += length;
        Ok(Atom { code, source: start..self.position })
    }

    /// The set under flag `i`, where the flag is on and it differs.
    fn folded(
        &self,
        plain: &ClassUnicode,
        fold: impl FnOnce() -> Option<ClassUnicode>,
    ) -> Option<ClassUnicode> {
        if !self.fold_case {
            return None;
        }
        fold().filter(|it| it != plain)
    }

    fn take(
        &mut self,
        kind: ItemKind,
        plain: ClassUnicode,
        folded: Option<ClassUnicode>,
        length: usize,
    ) -> Item {
        let start = self.position;
        self.position += length;
        Item { kind, plain, folded, source: start..self.position }
    }
}
