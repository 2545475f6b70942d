//! Patterns of this thread that were read before.

use std::{cell::RefCell, collections::HashMap, rc::Rc, thread::LocalKey};

use super::{Dialect, Error, Outline, Regex};

/// When so many are kept, all are dropped.
const MOST: usize = 256;

type Cache<T> = RefCell<HashMap<(Dialect, String), Rc<T>>>;

thread_local! {
    static COMPILED: Cache<Regex> = RefCell::default();
    static OUTLINES: Cache<Outline> = RefCell::default();
}

/// The compiled pattern, from this thread's cache where it is there. Errors: those of
/// [`Regex::new`].
pub fn cached(pattern: &str, dialect: Dialect) -> Result<Rc<Regex>, Error> {
    kept(&COMPILED, pattern, dialect, Regex::of)
}

/// What the pattern shows without a matcher, from this thread's cache if it is there. Errors: those of [`Outline::of`].
pub fn outline(pattern: &str, dialect: Dialect) -> Result<Rc<Outline>, Error> {
    kept(&OUTLINES, pattern, dialect, Outline::of)
}

fn kept<T>(
    cache: &'static LocalKey<Cache<T>>,
    pattern: &str,
    dialect: Dialect,
    read: fn(&str, Dialect) -> Result<T, Error>,
) -> Result<Rc<T>, Error> {
    let key = (dialect, pattern.to_owned());
    if let Some(known) = cache.with_borrow(|it| it.get(&key).cloned()) {
        return Ok(known);
    }
    let read = Rc::new(read(pattern, dialect)?);
    cache.with_borrow_mut(|cache| {
        if cache.len() >= MOST {
            cache.clear();
        }
        cache.insert(key, Rc::clone(&read));
    });
    Ok(read)
}
