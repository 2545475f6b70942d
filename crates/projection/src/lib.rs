//! Conditions as sets of values, and sets as JSON Schema: the sound projection of a contract.
//!
//! A module goes in; a schema comes out that accepts every canonical value that Terraform accepts, with a remark for
//! each condition that it does not express in full.
//!
//! | module | in | out |
//! |---|---|---|
//! | [`sets`] | sets of values, of assignments | other sets, whether one is empty, members of it |
//! | [`condition`] | a `validation` block | a set that is exact, or too large for reasons that it names |
//! | [`schema`] | a module | its JSON Schema, and the difference between two |
//!
//! For example: `condition = can(regex("^[a-z]+$", var.tag))`. [`condition`] reads the expression from the leaves up.
//! `var.tag` is a place, `regex` gives the region of strings that match, and `can` turns the inputs for which it does
//! not fail into those for which the condition is true. The result is the extent "`var.tag` matches `^[a-z]+$`" without
//! a loss, so the [`Translation`](condition::Translation) is exact. [`schema::generate`] asks for it in `property`;
//! `apply` finds the place of the set in the variable's schema, and it becomes `"pattern": "^[a-z]+$"`. Null is not
//! among the region's values, and `nulls` decides whether the schema needs an alternative for it.
//!
//! One rule holds everywhere: a set that is too large may be used, one that is too small may not. `docs/conditions.md`
//! is the book of this crate, and says which files a new form, function or identity needs.

pub mod condition;
pub mod schema;
pub mod sets;
