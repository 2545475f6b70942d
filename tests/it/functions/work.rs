//! Bounds on work and depth.

use tf_eval::functions::CallError;
use tf_value::{Type, Value};

use super::{
    call,
    host::{call_within, units},
};

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

type Args = Vec<Value>;

#[test]
fn ten_times_as_much_takes_ten_times_the_work() {
    let text = |size: usize| Value::string("ab".repeat(size));
    let list = |size: usize| {
        let numbers = (0..size).map(|it| Value::string(it.to_string())).collect();
        Value::list(Type::String, numbers)
    };
    let calls: [(&str, &dyn Fn(usize) -> Args); 9] = [
        ("regexall", &|size| vec![Value::string("a|b"), text(size)]),
        ("regex", &|size| vec![Value::string("c?$"), text(size)]),
        ("replace", &|size| vec![text(size), Value::string("/a/"), Value::string("b")]),
        ("split", &|size| vec![Value::string("a"), text(size)]),
        ("trim", &|size| vec![text(size), text(size)]),
        ("concat", &|size| vec![list(size), list(size)]),
        ("distinct", &|size| vec![list(size)]),
        ("flatten", &|size| vec![list(size)]),
        ("jsonencode", &|size| vec![list(size)]),
    ];
    for (function, args) in calls {
        let (once, more) = (units(function, &args(300)), units(function, &args(3000)));
        assert!(more < 13 * once, "{function}: {once} and {more}");
    }
}

#[test]
fn what_looks_ahead_again_and_again_counts_it() {
    let args = |size: usize| [Value::string(".*b|a"), Value::string("a".repeat(size))];
    let (once, more) = (units("regexall", &args(2_000)), units("regexall", &args(8_000)));
    // Each match looks at all the rest: the square.
    assert!(more > 10 * once, "{once} and {more}");
    let error = call_within(4_000_000, "regexall", &args(100_000)).unwrap_err();
    assert!(matches!(error, CallError::Budget { .. }), "{error:?}");
    let digits = |size: usize| [Value::string("7".repeat(size)), Value::int(10)];
    assert!(units("parseint", &digits(100_000)) > 50 * units("parseint", &digits(10_000)));
}

#[test]
fn a_text_that_is_too_large_is_no_wrong_text() {
    let text = Value::string(format!("[{}1]", "1,".repeat(2_000_000)));
    let error = call_within(u64::MAX, "jsondecode", &[text]).unwrap_err();
    assert!(matches!(error, CallError::Budget { .. }), "{error:?}");
}

#[test]
fn shared_structure_is_measured_without_a_walk() {
    let mut value = Value::tuple(vec![Value::string("a")]);
    for _ in 0..100 {
        value = Value::tuple(vec![value.clone(), value]);
    }
    assert_eq!(value.size(), u64::MAX);
    assert_eq!(value.ty().size(), u64::MAX);
    assert!(value.is_wholly_known() && value.deep_marks().is_empty());
    assert!(!value.ty().has_dynamic() && !value.ty().has_optional());
    for function in ["length", "flatten", "jsonencode", "toset", "distinct", "tolist"] {
        let error = call_within(4_000_000, function, std::slice::from_ref(&value));
        assert!(matches!(error, Err(CallError::Budget { .. })), "{function}: {error:?}");
    }
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
