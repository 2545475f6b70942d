//! Calls of functions without an evaluator.

use std::{cell::Cell, path::Path};

use release::Release;
use system::{MemorySystem, System};
use tf_eval::functions::{self, CallContext, CallError, Failure, Host};
use tf_value::Value;

/// A host without templates that allows so much work.
pub struct PlainHost {
    system: MemorySystem,
    budget: Cell<u64>,
}

impl Host for PlainHost {
    fn system(&self) -> &dyn System {
        &self.system
    }

    fn base_dir(&self) -> &Path {
        Path::new("/")
    }

    fn render_template(&self, _: &str, _: &str, _: &Value) -> Result<Value, Failure> {
        Err(Failure::call("no templates here"))
    }

    fn read_values(&self, _: &str) -> Result<Value, Failure> {
        Err(Failure::call("no values here"))
    }

    fn spend(&self, units: u64) -> Result<(), Failure> {
        let left = self.budget.get().checked_sub(units);
        self.budget.set(left.unwrap_or(0));
        left.map(|_| ()).ok_or_else(|| Failure::too_large("too much work"))
    }
}

/// The result of a call by name.
pub fn call(name: &str, args: &[Value]) -> Result<Value, CallError> {
    call_within(100_000_000, name, args)
}

/// The units of work that a call takes.
pub fn units(name: &str, args: &[Value]) -> u64 {
    let most = u64::MAX / 2;
    let host = PlainHost { system: MemorySystem::new(), budget: Cell::new(most) };
    let context = CallContext { host: &host, release: Release::V1_11 };
    functions::call(&context, functions::lookup(name).unwrap(), args).unwrap();
    most - host.budget.get()
}

/// The result of a call that may do so much work.
pub fn call_within(budget: u64, name: &str, args: &[Value]) -> Result<Value, CallError> {
    call_as(Release::V1_11, budget, name, args)
}

/// As [`call_within`], as a release does it.
pub fn call_as(
    release: Release,
    budget: u64,
    name: &str,
    args: &[Value],
) -> Result<Value, CallError> {
    let host = PlainHost { system: MemorySystem::new(), budget: Cell::new(budget) };
    let context = CallContext { host: &host, release };
    let function = functions::lookup(name).unwrap_or_else(|| panic!("no function {name}"));
    functions::call(&context, function, args)
}
