//! Sets: Terraform's order of elements, and duplicates.

use super::{Type, Value};

pub(super) fn make(_element: Type, _elements: Vec<Value>) -> Value {
    todo!()
}
