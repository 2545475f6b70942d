//! The laws of sets of values, over random sets and random types.

use projection::sets::{
    Kind, Length, Limit, Measure, NumberRange, Sample, ValueSet, contains, in_words, is_empty,
    witnesses,
};
use smol_str::SmolStr;
use testkit::condition::values::Random;
use tf_value::{Attributes, Number, Type, Value};

const PATTERNS: [&str; 14] = [
    "^a",
    "^[a-z]{2,4}$",
    "b",
    "^[^a]*$",
    "^$",
    "[0-9]$",
    "^(?:dev|prod|stage)$",
    r"\bx\b",
    "^[A-Z][a-z0-9-]*$",
    r"^[\s\S]{3}",
    "é",
    "^(?:ab)+$",
    r"(?:^|(?<=\n))q",
    r"^(?:[0-9]{1,3}\.){3}[0-9]{1,3}$",
];

const TEXTS: [&str; 10] = ["", "a", "ab", "dev", "prod", "x y", "Zz-9", "é", "10.0.0.1", "abab"];

const NAMES: [&str; 3] = ["a", "dev", "n"];

fn random_type(random: &mut Random, depth: usize) -> Type {
    let limit = if depth == 0 { 9 } else { 4 };
    match random.below(limit) {
        0 | 1 => Type::String,
        2 => Type::Number,
        3 => Type::Bool,
        4 => Type::list(random_type(random, depth + 1)),
        5 => Type::set(random_type(random, depth + 1)),
        6 => Type::map(random_type(random, depth + 1)),
        7 => Type::tuple((0..random.below(3)).map(|_| random_type(random, depth + 1)).collect()),
        _ => {
            let attributes = NAMES.map(|it| (SmolStr::from(it), random_type(random, depth + 1)));
            let optional = NAMES.into_iter().filter(|_| random.below(2) == 0).map(SmolStr::from);
            Attributes { attributes: attributes.into(), optional: optional.collect() }.into()
        }
    }
}

fn length(random: &mut Random) -> Length {
    let min = random.below(4) as u64;
    let max = min + random.below(3) as u64;
    match random.below(3) {
        0 => Length { min: Some(min), max: None },
        1 => Length { min: None, max: Some(max) },
        _ => Length { min: Some(min), max: Some(max) },
    }
}

fn random_set(random: &mut Random, ty: &Type, depth: usize) -> ValueSet {
    match random.below(if depth < 3 { 9 } else { 5 }) {
        0 if random.below(4) == 0 => ValueSet::Anything,
        0 if random.below(6) == 0 => ValueSet::Nothing,
        5 => random_set(random, ty, depth + 1).negated(),
        6 => ValueSet::all([random_set(random, ty, depth + 1), random_set(random, ty, depth + 1)]),
        7 | 8 => {
            ValueSet::either([random_set(random, ty, depth + 1), random_set(random, ty, depth + 1)])
        }
        _ => atom(random, ty, depth),
    }
}

fn atom(random: &mut Random, ty: &Type, depth: usize) -> ValueSet {
    let inside = |random: &mut Random, ty: &Type| Box::new(random_set(random, ty, depth + 1));
    match ty {
        Type::String => match random.below(4) {
            0 => ValueSet::OneOf((0..3).map(|_| Value::string(random.pick(&TEXTS))).collect()),
            1 => ValueSet::Length(Measure::Characters, length(random)),
            _ => ValueSet::Matches((*random.pick(&PATTERNS)).to_owned()),
        },
        Type::Number => {
            let number = |random: &mut Random| {
                Number::from_f64(*random.pick(&[-2.0, 0.0, 0.5, 1.0, 3.0, 7.0, 7.25, 100.0]))
            };
            let limit = |random: &mut Random| {
                let inclusive = random.below(2) == 0;
                Some(Limit { value: number(random), inclusive })
            };
            match random.below(5) {
                0 => ValueSet::OneOf((0..2).map(|_| Value::number(number(random))).collect()),
                1 => ValueSet::MultipleOf(1 + random.below(6) as u64),
                2 => ValueSet::Range(NumberRange { lower: limit(random), upper: None }),
                3 => ValueSet::Range(NumberRange { lower: None, upper: limit(random) }),
                _ => ValueSet::Range(NumberRange { lower: limit(random), upper: limit(random) }),
            }
        }
        Type::Bool => ValueSet::OneOf(vec![Value::bool(random.below(2) == 0)]),
        Type::List(element) | Type::Set(element) => match random.below(7) {
            0 => ValueSet::Items(inside(random, element)),
            1 => ValueSet::SomeItem(inside(random, element)),
            2 => ValueSet::Count(length(random), inside(random, element)),
            3 => ValueSet::Unique,
            6 if matches!(ty, Type::List(_)) => {
                ValueSet::items_from(random.below(4), *inside(random, element))
            }
            4 if matches!(ty, Type::List(_)) => {
                ValueSet::place(random.below(3), random.below(2) == 0, *inside(random, element))
            }
            _ => ValueSet::Length(Measure::Items, length(random)),
        },
        Type::Tuple(elements) => match elements.len() {
            0 => ValueSet::Length(Measure::Items, length(random)),
            count => {
                let index = random.below(count);
                ValueSet::place(index, random.below(2) == 0, *inside(random, &elements[index]))
            }
        },
        Type::Map(element) => {
            let name = SmolStr::from(*random.pick(&NAMES));
            match random.below(6) {
                0 => ValueSet::Keys(inside(random, &Type::String)),
                1 => ValueSet::Values(inside(random, element)),
                2 => ValueSet::ValuesBeside(vec![name], inside(random, element)),
                3 => ValueSet::ValuesMatching("^a".to_owned(), inside(random, element)),
                4 => ValueSet::Length(Measure::Properties, length(random)),
                _ => ValueSet::member(name, random.below(2) == 0, *inside(random, element)),
            }
        }
        Type::Object(object) => {
            let name = *random.pick(&NAMES);
            let values = inside(random, &object.attributes[name]);
            ValueSet::member(name.into(), random.below(2) == 0, *values)
        }
        Type::Dynamic => ValueSet::Kind(Kind::String),
    }
}

fn sample(count: usize, seed: usize) -> Sample {
    Sample { count, seed: seed as u64 + 7, null: false }
}

/// Whether a value has the type's JSON kinds, and all required attributes.
fn is_of(value: &Value, ty: &Type) -> bool {
    match ty {
        Type::String => value.as_str().is_some(),
        Type::Number => value.as_number().is_some(),
        Type::Bool => value.as_bool().is_some(),
        Type::List(element) => {
            value.as_sequence().is_some_and(|it| it.iter().all(|it| is_of(it, element)))
        }
        Type::Set(element) => value.as_sequence().is_some_and(|elements| {
            let is_new = |(at, it): (usize, &Value)| !elements[..at].contains(it);
            elements.iter().all(|it| is_of(it, element)) && elements.iter().enumerate().all(is_new)
        }),
        Type::Tuple(types) => value.as_sequence().is_some_and(|it| {
            it.len() == types.len() && it.iter().zip(types.iter()).all(|(it, ty)| is_of(it, ty))
        }),
        Type::Map(element) => {
            value.as_mapping().is_some_and(|it| it.values().all(|it| is_of(it, element)))
        }
        Type::Object(object) => value.as_mapping().is_some_and(|members| {
            let fits = |(name, ty): (&SmolStr, &Type)| match members.get(name) {
                Some(it) => is_of(it, ty),
                None => object.optional.contains(name),
            };
            object.attributes.iter().all(fits)
                && members.keys().all(|it| object.attributes.contains_key(it))
        }),
        Type::Dynamic => true,
    }
}

/// Asks about a type, two sets, values, and the number of the turn.
type Law<'a> = dyn FnMut(&Type, [&ValueSet; 2], &[Value], usize) + 'a;

/// Random sets of a random type, with values of it from the sets, from their complements and from
/// everywhere.
fn each(seed: u64, count: usize, law: &mut Law<'_>) {
    let mut random = Random::new(seed);
    for turn in 0..count {
        let ty = random_type(&mut random, 0);
        let sets = [(); 2].map(|()| random_set(&mut random, &ty, 0));
        let [a, b] = &sets;
        let mut values = Vec::new();
        for set in [a, b, &a.clone().negated(), &b.clone().negated(), &ValueSet::Anything] {
            values.extend(witnesses(set, &ty, sample(4, turn)));
        }
        law(&ty, [a, b], &values, turn);
    }
}

#[test]
fn a_union_holds_what_one_of_two_holds_and_an_intersection_what_both_hold() {
    each(1, 500, &mut |_, [a, b], values, _| {
        let union = ValueSet::either([a.clone(), b.clone()]);
        let both = ValueSet::all([a.clone(), b.clone()]);
        for value in values {
            let verdicts = [a, b].map(|it| contains(it, value).unwrap());
            let said = contains(&union, value).unwrap();
            assert_eq!(said, verdicts[0] || verdicts[1], "{value:?}\n{a:?}\n{b:?}\n{union:?}");
            let said = contains(&both, value).unwrap();
            assert_eq!(said, verdicts[0] && verdicts[1], "{value:?}\n{a:?}\n{b:?}\n{both:?}");
        }
    });
}

#[test]
fn a_complement_holds_the_rest() {
    each(2, 400, &mut |_, [a, _], values, _| {
        for value in values {
            let (own, other) = (contains(a, value), contains(&a.clone().negated(), value));
            assert_eq!(own.map(|it| !it), other, "{value:?} {a:?}");
            assert_eq!(contains(&a.clone().negated().negated(), value), own, "{value:?} {a:?}");
        }
    });
}

#[test]
fn a_witness_is_in_and_of_the_type_and_an_empty_set_has_none() {
    let (mut empty, mut found, mut open) = (0, 0, Vec::new());
    each(3, 600, &mut |ty, [a, b], values, turn| {
        let both = ValueSet::all([a.clone(), b.clone()]);
        for set in [a, &a.clone().negated(), &both] {
            let members = witnesses(set, ty, sample(6, turn));
            for (at, it) in members.iter().enumerate() {
                assert_eq!(contains(set, it), Some(true), "{it:?} {set:?}");
                assert!(is_of(it, ty), "{it:?} {ty:?}");
                assert!(!members[..at].contains(it), "{it:?} {set:?}");
            }
            assert_eq!(members, witnesses(set, ty, sample(6, turn)), "the same for the same seed");
            let is_empty = is_empty(set, ty, &mut 0);
            if is_empty {
                let inside = values.iter().find(|it| contains(set, it) != Some(false));
                assert_eq!((members.first(), inside), (None, None), "{ty:?} {set:?}");
            }
            match (is_empty, members.is_empty()) {
                (true, _) => empty += 1,
                (false, false) => found += 1,
                (false, true) => open.push(format!("{ty:?} {set:?}")),
            }
        }
    });
    let all = empty + found + open.len();
    eprintln!("empty {empty}, with a witness {found}, open {} of {all}", open.len());
    open.iter()
        .take(if std::env::var_os("TERRASCHEMA_OPEN").is_some() { 40 } else { 0 })
        .for_each(|it| eprintln!("{it}"));
    assert!(empty > 100 && open.len() * 60 < all, "{empty} {found} {}", open.len());
}

fn set(parts: &[ValueSet]) -> ValueSet {
    ValueSet::all(parts.iter().cloned())
}

fn matches(pattern: &str) -> ValueSet {
    ValueSet::Matches(pattern.to_owned())
}

fn characters(min: Option<u64>, max: Option<u64>) -> ValueSet {
    ValueSet::Length(Measure::Characters, Length { min, max })
}

#[test]
fn strings_are_decided_by_automata() {
    let is_empty = |it: &ValueSet| is_empty(it, &Type::String, &mut 0);
    let empty = [
        set(&[matches("^a"), matches("^b")]),
        set(&[matches("^[a-z]+$"), matches("[0-9]")]),
        set(&[matches("^[a-z]{5}$"), characters(None, Some(4))]),
        set(&[matches("^.{5}$"), characters(Some(6), None)]),
        set(&[matches("^a*$"), matches("^(?:aa)*$").negated(), matches("^(?:aa)*a$").negated()]),
        set(&[
            matches("^[ab]$"),
            ValueSet::OneOf(vec!["a", "b"].into_iter().map(Value::string).collect()).negated(),
        ]),
        set(&[characters(Some(5), None), characters(None, Some(3))]),
        matches("a^b"),
    ];
    for it in &empty {
        assert!(is_empty(it), "{it:?}");
    }
    let some = [
        set(&[matches("^a"), matches("b$")]),
        set(&[matches("^[a-z]{5}$"), characters(None, Some(5))]),
        // Combining characters: five code points may be one character.
        set(&[matches("^.{5}$"), characters(None, Some(1))]),
        set(&[matches("^q.b$"), matches(r"^[\s\S]b")]),
        matches("^(?:a+)+$"),
    ];
    for it in &some {
        assert!(!is_empty(it), "{it:?}");
    }
}

#[test]
fn the_borders_come_first() {
    let three_to_five = set(&[matches("^[a-z]+$"), characters(Some(3), Some(5))]);
    let members = witnesses(&three_to_five, &Type::String, sample(8, 1));
    let mut lengths: Vec<_> = members.iter().take(2).map(|it| it.as_str().unwrap().len()).collect();
    lengths.sort_unstable();
    assert_eq!((lengths, members.len()), (vec![3, 5], 8));
    let outside = witnesses(&three_to_five.clone().negated(), &Type::String, sample(8, 1));
    assert_eq!(outside[0], Value::string(""));
    let null = witnesses(&matches("^a"), &Type::String, Sample { count: 2, seed: 1, null: true });
    assert!(null[0].is_null() && null[1].as_str().unwrap().starts_with('a'));
}

#[test]
fn hostile_sets_end_within_their_budget() {
    let mut deep = matches("^a");
    for _ in 0..500 {
        deep = ValueSet::Items(Box::new(deep)).negated();
    }
    let mut wide = Vec::new();
    for n in 0..200 {
        let part = |it: &str| matches(&format!("^(?:[ab]*a[ab]{{{n}}}{it})$"));
        wide.push(ValueSet::Either(vec![part("c"), part("d")]));
    }
    let long = set(&[matches("^(?:a|b|[^z]{2}){1,200}$"), characters(Some(1_000_000), None)]);
    for it in [deep, ValueSet::All(wide.clone()), ValueSet::All(wide).negated(), long] {
        for ty in [Type::String, Type::list(Type::String), Type::Dynamic] {
            let mut work = 0;
            is_empty(&it, &ty, &mut work);
            assert!(work < 1_000_000, "{work}");
            witnesses(&it, &ty, sample(5, 1));
        }
    }
}

#[test]
fn a_set_is_told_in_words() {
    let text = |it: &str| Value::string(it);
    let one_of = |it: &[&str]| ValueSet::OneOf(it.iter().map(|it| text(it)).collect());
    let range = |lower: Option<(i64, bool)>, upper: Option<(i64, bool)>| {
        let limit = |it: (i64, bool)| Limit { value: Number::from_i64(it.0), inclusive: it.1 };
        ValueSet::Range(NumberRange { lower: lower.map(limit), upper: upper.map(limit) })
    };
    let object = Type::object(
        [("name".into(), Type::String), ("port".into(), Type::Number)].into_iter().collect(),
    );
    let named = |it: ValueSet| ValueSet::member("name".into(), true, it);
    let (string, number) = (Type::String, Type::Number);
    let map = Type::map(Type::map(Type::String));
    let list = Type::list(object.clone());
    let cases = [
        (
            set(&[matches("^a"), characters(Some(1), Some(8))]),
            &string,
            "a string of 1 to 8 characters that matches ^a",
        ),
        (matches("^a").negated(), &string, "a string that does not match ^a"),
        (one_of(&["a", "b"]), &string, r#"one of "a", "b""#),
        (one_of(&["a"]).negated(), &string, r#"a string other than "a""#),
        (
            ValueSet::either([one_of(&["a"]), matches("^b")]),
            &string,
            r#""a", or a string that matches ^b"#,
        ),
        (range(Some((1, true)), Some((5, true))), &number, "a number from 1 to 5"),
        (range(Some((1, false)), Some((5, false))), &number, "a number above 1 and below 5"),
        (
            set(&[ValueSet::MultipleOf(1), range(None, Some((5, true)))]),
            &number,
            "a whole number up to 5",
        ),
        (ValueSet::Anything, &number, "a number"),
        (ValueSet::Nothing, &number, "nothing"),
        (named(one_of(&["x"])), &object, r#"an object in which `name` is "x""#),
        (
            set(&[
                ValueSet::Items(Box::new(set(&[
                    named(matches("^a")),
                    ValueSet::member("port".into(), false, range(Some((1, true)), None)),
                ]))),
                ValueSet::Length(Measure::Items, Length { min: Some(1), max: None }),
            ]),
            &list,
            "a list of at least 1 element in which every element's `name` is a string that matches ^a \
             and every element's `port` is a number from 1",
        ),
        (
            set(&[
                ValueSet::member("a".into(), false, one_of(&["x"])),
                ValueSet::member(
                    "b".into(),
                    true,
                    ValueSet::member("c".into(), false, one_of(&["y"])),
                ),
            ]),
            &map,
            r#"a map in which `a`, if given, is "x" and `b`'s `c`, if given, is "y""#,
        ),
        (
            set(&[characters(Some(3), None), matches("^a"), characters(None, Some(9))]),
            &string,
            "a string of 3 to 9 characters that matches ^a",
        ),
        (
            set(&[range(Some((1, false)), None), range(None, Some((5, true)))]),
            &number,
            "a number above 1 and up to 5",
        ),
        (ValueSet::OneOf(vec![Value::bool(false)]).negated(), &Type::Bool, "true"),
        (ValueSet::Unique, &list, "a list without equal elements"),
        (
            ValueSet::items_from(1, named(one_of(&["x"]))),
            &list,
            r#"a list in which the `name` of every element from index 1 on is "x""#,
        ),
    ];
    for (set, ty, expected) in cases {
        assert_eq!(in_words(&set, ty, false, &|_| None), expected);
        assert_eq!(
            in_words(&set, ty, true, &|_| None),
            match expected {
                "nothing" => "null".to_owned(),
                other => format!("null or {other}"),
            }
        );
    }
    let or_null = ValueSet::OneOf(vec![Value::null(Type::String), text("a")]);
    assert_eq!(in_words(&or_null, &string, true, &|_| None), r#"null or "a""#);
    let named = |it: &str| (it == "^a").then(|| "a word".to_owned());
    assert_eq!(
        in_words(&set(&[matches("^a"), matches("^b").negated()]), &string, false, &named),
        "a string that is a word and that does not match ^b"
    );
    let long = matches(&"é".repeat(500));
    let words = in_words(&long, &string, false, &|_| None);
    assert!(words.chars().count() == 241 && words.ends_with('…'), "{words}");
}
