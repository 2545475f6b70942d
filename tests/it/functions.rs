//! Tests of the `functions` layer.

mod graphemes;
mod go_math;
mod host;
mod registry;

use host::call;
