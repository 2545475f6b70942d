//! How variables get their values on both sides: given, as null, or by their defaults.

use smol_str::SmolStr;

use super::{
    inclusion::Inclusion,
    reads::merges,
    space::plain,
    types::{Fit, fit},
};
use module::Variable;
use tf_value::{Type, Value};

/// How a variable gets its value on both sides.
#[derive(Clone, Debug)]
pub enum Mode {
    /// The same value on both sides.
    Same,
    /// A value that the other side converts.
    Converted,
    /// A fixed value. `written` is the call's argument, `None` if it has none; `from` and `to` are the values
    /// that the rules of both sides see.
    Fixed { written: Option<Value>, from: Option<Value>, to: Option<Value> },
}

impl Inclusion<'_, '_, '_> {
    /// The ways in which a variable of the other contract may get its value. `is_kept`: a conversion does not
    /// change the parts that are read.
    pub fn modes(&self, name: &SmolStr, is_kept: bool) -> Vec<Mode> {
        let Some(to) = self.to.variable(name) else { return vec![Mode::Same] };
        let default = to.default.as_ref();
        let Some(from) = self.from.contract.variable(name) else {
            let mode = |it: &Value| Mode::Fixed { written: None, from: None, to: plain(it) };
            return default.map(mode).into_iter().collect();
        };
        let mut modes = match fit(&from.constraint.ty, &to.constraint.ty) {
            _ if is_kept => vec![Mode::Same],
            Fit::Identity if !merges(from, to) => vec![Mode::Same],
            _ => self.converted(name, from, to),
        };
        let null = || Some(Value::null(Type::Dynamic));
        if let (Some(was), Some(is)) = (&from.default, default) {
            let (was_plain, is_plain) = (plain(was), plain(is));
            let is_covered = was == is
                && was_plain
                    .as_ref()
                    .is_some_and(|it| !it.is_null() || from.is_nullable() && to.is_nullable());
            if !is_covered {
                modes.push(Mode::Fixed { written: None, from: was_plain, to: is_plain });
            }
        }
        match (from.is_nullable(), to.is_nullable()) {
            (true, false) => {
                if let Some(is) = to.instead_of_null() {
                    modes.push(Mode::Fixed { written: null(), from: null(), to: plain(is) });
                }
            }
            (false, true) => {
                if let Some(was) = from.instead_of_null() {
                    modes.push(Mode::Fixed { written: null(), from: plain(was), to: null() });
                }
            }
            (false, false) => {
                let both = from.instead_of_null().zip(to.instead_of_null());
                if let Some((was, is)) = both.filter(|(was, is)| was != is) {
                    let (from, to) = (plain(was), plain(is));
                    modes.push(Mode::Fixed { written: null(), from, to });
                }
            }
            (true, true) => (),
        }
        modes
    }

    /// The modes of a variable that the other side converts: one for each value, if they are few.
    fn converted(&self, name: &SmolStr, from: &Variable, to: &Variable) -> Vec<Mode> {
        let Some(values) = self.from.finite(name).filter(|it| it.len() <= 16) else {
            return vec![Mode::Converted];
        };
        let mode = |it: Value| {
            let is = to.constraint.accept(&it).ok()?;
            Some(Mode::Fixed { to: plain(&is), from: Some(it.clone()), written: Some(it) })
        };
        let mut modes: Vec<Mode> = values.into_iter().filter_map(mode).collect();
        if from.is_nullable() && to.is_nullable() {
            let null = Some(Value::null(Type::Dynamic));
            modes.push(Mode::Fixed { written: null.clone(), from: null.clone(), to: null });
        }
        modes
    }
}

/// Combination number `at`: one mode of each variable.
pub fn choice(modes: &[Vec<Mode>], mut at: usize) -> Vec<&Mode> {
    let mut out = Vec::new();
    for all in modes {
        out.extend(all.get(at % all.len().max(1)));
        at /= all.len().max(1);
    }
    out
}
