//! Tests of the `module` layer.

mod load;
