//! Bounds on work and depth.

use terraschema::{
    functions::CallError,
    value::{Type, Value},
};

use super::{call, host::call_within};

#[test]
fn products_are_bounded_before_they_are_made() {
    let numbers = (0..1000).map(Value::int).collect();
    let list = Value::list(Type::Number, numbers);
    let args = vec![list; 4];
    let error = call_within(1_000_000, "setproduct", &args).unwrap_err();
    assert!(matches!(error, CallError::Budget { .. }), "{error:?}");
}

#[test]
fn long_lists_take_no_square_of_time() {
    let numbers: Vec<Value> = (0..50_000).map(Value::int).collect();
    let list = Value::list(Type::Number, numbers);
    assert_eq!(call("distinct", &[list.clone()]).unwrap(), list);
    let matched = call("matchkeys", &[list.clone(), list.clone(), list.clone()]).unwrap();
    assert_eq!(matched, list);
    let set = call("setintersection", &[list.clone(), list]).unwrap();
    assert_eq!(set.as_sequence().unwrap().len(), 50_000);
}

#[test]
fn deep_values_do_not_overflow_the_stack() {
    let mut deep = Value::tuple(vec![]);
    for _ in 0..3_000 {
        deep = Value::tuple(vec![deep]);
    }
    assert_eq!(call("flatten", &[deep.clone()]).unwrap(), Value::tuple(vec![]));
    assert!(call("distinct", &[Value::tuple(vec![deep])]).is_ok());
}
