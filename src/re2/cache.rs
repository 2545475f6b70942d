//! Compiled patterns of this thread.

use std::{cell::RefCell, collections::HashMap, rc::Rc};

use super::{Dialect, Error, Regex};

/// When so many are kept, all are dropped.
const MOST: usize = 256;

thread_local! {
    static CACHE: RefCell<HashMap<(Dialect, String), Rc<Regex>>> = RefCell::default();
}

/// The compiled pattern, from this thread's cache where it is there. Errors: those of
/// [`Regex::new`].
pub fn cached(pattern: &str, dialect: Dialect) -> Result<Rc<Regex>, Error> {
    let key = (dialect, pattern.to_owned());
    if let Some(regex) = CACHE.with_borrow(|it| it.get(&key).cloned()) {
        return Ok(regex);
    }
    let regex = Rc::new(Regex::of(pattern, dialect)?);
    CACHE.with_borrow_mut(|cache| {
        if cache.len() >= MOST {
            cache.clear();
        }
        cache.insert(key, Rc::clone(&regex));
    });
    Ok(regex)
}
