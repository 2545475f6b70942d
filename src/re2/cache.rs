//! Compiled patterns of this thread.

use std::{cell::RefCell, collections::HashMap, rc::Rc};

use super::{Error, Regex};

/// When so many are kept, all are dropped.
const MOST: usize = 256;

thread_local! {
    static CACHE: RefCell<HashMap<String, Rc<Regex>>> = RefCell::default();
}

/// The compiled pattern, from this thread's cache where it is there. Errors: those of
/// [`Regex::new`].
pub fn cached(pattern: &str) -> Result<Rc<Regex>, Error> {
    if let Some(regex) = CACHE.with_borrow(|it| it.get(pattern).cloned()) {
        return Ok(regex);
    }
    let regex = Rc::new(Regex::new(pattern)?);
    CACHE.with_borrow_mut(|it| {
        if it.len() >= MOST {
            it.clear();
        }
        it.insert(pattern.to_owned(), Rc::clone(&regex));
    });
    Ok(regex)
}
