//! Tests of the `functions` layer.

mod graphemes;
mod go_math;
mod host;

use host::call;
