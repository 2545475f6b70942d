//! Tests of the `functions` layer.

mod graphemes;
mod charsets;
mod complete;
mod domain;
mod go_math;
mod gzip;
mod host;
mod registry;
mod unknown;
mod work;

use host::call;
