//! `log` and `pow` against Go's results, bit by bit.

use std::fs;

use tf_value::{Number, Value};

use super::call;

/// Each line: operation, two arguments and the result, as hexadecimal bits, or `nan`.
#[test]
fn powers_and_logarithms_are_those_of_go() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/functions/go_math.txt");
    let mut wrong = Vec::new();
    for line in fs::read_to_string(file).unwrap().lines() {
        let [name, left, right, expected] = line.split(' ').collect::<Vec<_>>().try_into().unwrap();
        let number = |bits: &str| {
            Value::number(Number::from_f64(f64::from_bits(u64::from_str_radix(bits, 16).unwrap())))
        };
        let result = call(name, &[number(left), number(right)]).ok();
        let expected = (expected != "nan").then(|| number(expected));
        if result != expected {
            wrong.push(format!("{line}: {result:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong[..wrong.len().min(10)].join("\n"));
}
