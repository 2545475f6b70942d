//! The laws of sets of assignments to two variables, checked for every assignment.

use super::pools::{matches, one_of, texts};
use crate::sets::{Assignments, ConstraintRoot, Extent, Reason, Region, ValueSet, contains};
use diagnostics::Span;
use tf_value::{Type, Value};

fn root(name: &str) -> ConstraintRoot {
    ConstraintRoot::Variable(name.into())
}

/// A value for each of two variables.
type Assignment = [Value; 2];

fn assignments() -> Vec<Assignment> {
    let mut values = texts(&["a", "b", "ab"]);
    values.push(Value::null(Type::String));
    let with =
        |one: &Value| values.iter().map(|other| [one.clone(), other.clone()]).collect::<Vec<_>>();
    values.iter().flat_map(with).collect()
}

fn of<'a>(assignment: &'a Assignment, it: &ConstraintRoot) -> &'a Value {
    &assignment[usize::from(*it == root("y"))]
}

/// Whether the assignment is in.
fn has(set: &Assignments, assignment: &Assignment) -> bool {
    match set {
        Assignments::At(root, null, values) => match of(assignment, root) {
            it if it.is_null() => *null,
            it => contains(values, it).unwrap(),
        },
        Assignments::All(parts) => parts.iter().all(|it| has(it, assignment)),
        Assignments::Any(parts) => parts.iter().any(|it| has(it, assignment)),
    }
}

fn atoms() -> Vec<Assignments> {
    let (x, y) = (root("x"), root("y"));
    vec![
        Assignments::TRUE,
        Assignments::FALSE,
        Assignments::at(&x, false, one_of(&["a"])),
        Assignments::at(&x, true, matches("b")),
        Assignments::at(&x, true, ValueSet::Nothing),
        Assignments::at(&x, false, ValueSet::Anything),
        Assignments::at(&y, false, one_of(&["a"])),
        Assignments::at(&y, true, one_of(&["a"]).negated()),
        Assignments::at(&y, true, ValueSet::Nothing),
    ]
}

/// Unions and intersections of two atoms, and of these and a third.
fn sets() -> Vec<Assignments> {
    let atoms = atoms();
    let mut pairs = Vec::new();
    for (a, b) in atoms.iter().flat_map(|one| atoms.iter().map(move |other| (one, other))) {
        pairs.extend([all([a, b]), any([a, b])]);
    }
    let mut out = pairs.clone();
    for (pair, atom) in pairs.iter().flat_map(|pair| atoms.iter().map(move |it| (pair, it))) {
        out.extend([all([pair, atom]), any([atom, pair])]);
    }
    out
}

fn all(parts: [&Assignments; 2]) -> Assignments {
    Assignments::all(parts.map(Clone::clone))
}

fn any(parts: [&Assignments; 2]) -> Assignments {
    Assignments::any(parts.map(Clone::clone))
}

#[test]
fn a_union_is_either_and_an_intersection_both() {
    let each = assignments();
    let sets = sets();
    for (a, b) in sets.iter().zip(sets.iter().skip(7)) {
        let (both, either) = (all([a, b]), any([a, b]));
        for it in &each {
            assert_eq!(has(&both, it), has(a, it) && has(b, it), "{it:?} {a:?} {b:?}");
            assert_eq!(has(&either, it), has(a, it) || has(b, it), "{it:?} {a:?} {b:?}");
        }
    }
}

#[test]
fn a_complement_holds_the_rest() {
    for set in sets() {
        let rest = Extent::new(set.clone()).complement().unwrap().formula;
        for it in assignments() {
            assert_ne!(has(&set, &it), has(&rest, &it), "{it:?} {set:?}");
        }
    }
    let span = Span::default();
    assert_eq!(Extent::everything().losing(Reason::Element, span).complement(), None);
}

#[test]
fn alternatives_are_the_same_set() {
    for set in sets() {
        let alternatives = set.alternatives(100).unwrap();
        for it in assignments() {
            let is_in = alternatives.iter().any(|atoms| {
                atoms.iter().all(|atom| match of(&it, &atom.root) {
                    value if value.is_null() => atom.null,
                    value => contains(&atom.values, value).unwrap(),
                })
            });
            assert_eq!(is_in, has(&set, &it), "{it:?} {set:?}");
        }
        for alternative in &alternatives {
            let has_one =
                |root: &ConstraintRoot| alternative.iter().filter(|it| it.root == *root).count();
            assert!([root("x"), root("y")].iter().all(|it| has_one(it) <= 1), "{alternative:?}");
            // A set that certainly contradicts itself is not an alternative.
            assert!(
                set.is_false()
                    || alternative.iter().all(|it| it.null || it.values != ValueSet::Nothing),
                "{set:?}"
            );
        }
    }
}

#[test]
fn there_are_as_many_alternatives_as_one_asks_for_or_none() {
    let at = |name: &str| Assignments::at(&root(name), false, one_of(&["a"]));
    let of_two = |one: &str, other: &str| any([&at(one), &at(other)]);
    let both = all([&of_two("a", "b"), &of_two("c", "d")]);
    assert_eq!(both.alternatives(3), None);
    assert_eq!(both.alternatives(4).unwrap().len(), 4);
    let three = all([&both, &of_two("e", "f")]);
    assert_eq!(three.alternatives(7), None);
    assert_eq!(three.alternatives(8).unwrap().len(), 8);
    assert_eq!(of_two("a", "b").alternatives(1), None);
    assert_eq!(of_two("a", "b").alternatives(2).unwrap().len(), 2);
}

#[test]
fn what_is_left_beside_a_known_value_holds_the_same() {
    for set in sets() {
        for it in assignments() {
            let of_x = set.given(&|name| (*name == root("x")).then(|| Some(it[0].clone())));
            assert_eq!(has(&of_x, &it), has(&set, &it), "{it:?} {set:?}");
            assert!(!of_x.roots().contains(&root("x")), "{of_x:?}");
            // A value that is not known excludes nothing.
            let of_any = set.given(&|name| (*name == root("x")).then_some(None));
            assert!(has(&of_any, &it) || !has(&set, &it), "{it:?} {set:?}");
        }
    }
}

#[test]
fn a_set_of_one_variable_is_a_set_of_its_values() {
    let mut count = 0;
    for set in sets() {
        let roots = set.roots();
        let Some((null, values)) = set.of_root(&root("x")) else {
            assert!(roots.contains(&root("y")), "{set:?}");
            continue;
        };
        count += 1;
        assert!(!roots.contains(&root("y")), "{set:?}");
        for it in assignments() {
            let is_in = if it[0].is_null() { null } else { contains(&values, &it[0]).unwrap() };
            assert_eq!(is_in, has(&set, &it), "{it:?} {set:?}");
        }
    }
    assert!(count > 200, "{count}");
}

#[test]
fn the_parts_of_a_union_are_the_union() {
    for set in sets() {
        let parts = set.parts();
        assert!(parts.iter().all(|it| set.has_part(it)), "{set:?}");
        for it in assignments() {
            assert_eq!(parts.iter().any(|part| has(part, &it)), has(&set, &it), "{it:?} {set:?}");
        }
        for other in atoms().iter().filter(|it| set.has_part(it)) {
            assert_eq!(any([&set, other]), set);
        }
    }
}

/// Exact extents, and lossy ones; the empty extent has no losses.
fn extents() -> Vec<Extent> {
    let exact: Vec<Extent> = atoms().into_iter().map(Extent::new).collect();
    let lossy = exact.iter().filter(|it| !it.is_nothing());
    let lossy = lossy.map(|it| it.clone().losing(Reason::Element, Span::default()));
    lossy.chain(exact.iter().cloned()).collect()
}

#[test]
fn an_extent_is_never_too_small_and_exact_without_a_loss() {
    let extents = extents();
    for (a, b) in extents.iter().flat_map(|one| extents.iter().map(move |other| (one, other))) {
        let (both, either) = (a.clone().and(b.clone()), a.clone().or(b.clone()));
        for it in assignments() {
            let (in_a, in_b) = (has(&a.formula, &it), has(&b.formula, &it));
            assert_eq!(has(&both.formula, &it), in_a && in_b, "{it:?} {a:?} {b:?}");
            assert_eq!(has(&either.formula, &it), in_a || in_b, "{it:?} {a:?} {b:?}");
        }
        let has_lost = [a, b].map(|it| !it.losses.is_empty());
        // A loss disappears in an empty intersection, and in a union with everything.
        let is_certain = |it: &Extent| it.losses.is_empty() && it.formula.is_true();
        let lost = (has_lost[0] || has_lost[1]) && !both.is_nothing();
        assert_eq!(!both.losses.is_empty(), lost, "{a:?} {b:?}");
        let lost = (has_lost[0] || has_lost[1]) && !is_certain(a) && !is_certain(b);
        assert_eq!(!either.losses.is_empty(), lost && !either.is_nothing(), "{a:?} {b:?}");
        assert!(both.losses.len() <= 1 && either.losses.len() <= 1, "a loss is reported once");
    }
}

#[test]
fn all_and_any_of_none_are_everything_and_nothing() {
    assert_eq!(Extent::all([]), Extent::everything());
    assert_eq!(Extent::any([]), Extent::nothing());
    let region = Region::new(false, one_of(&["a"]));
    let extent = Extent::of(&root("x"), region);
    assert_eq!(Extent::all([extent.clone()]), extent);
    assert_eq!(Extent::any([extent.clone()]), extent);
}

/// A set of `count` alternatives, each about a variable of its own.
fn of_parts(count: usize) -> Extent {
    let name = |index: usize| ConstraintRoot::Variable(format!("v{index}").into());
    let at = |index| Assignments::at(&name(index), false, matches("^a"));
    Extent::new(Assignments::any((0..count).map(at)))
}

#[test]
fn what_is_too_large_to_be_read_is_given_up_with_a_reason() {
    let joined = |count| {
        of_parts(count).or(Extent::new(Assignments::at(&root("x"), true, ValueSet::Nothing)))
    };
    assert!(joined(600).losses.is_empty());
    let given_up = joined(1100);
    assert!(given_up.formula.is_true());
    assert_eq!(given_up.losses[0].reason, Reason::TooManyCases);
}

#[test]
fn a_larger_set_takes_more_work_which_grows_in_line() {
    let work = |count| of_parts(count).work();
    assert!((2..100).all(|it| work(it) > work(it - 1)));
    assert!(work(2) >= 2);
    let (few, many) = (work(100), work(1000));
    assert!((9 * few..11 * few).contains(&many), "{few} {many}");
    let of_values = |count: usize| {
        let values = (0..count).map(|it| Value::string(it.to_string())).collect();
        let set = ValueSet::OneOf(values);
        [set.clone(), set.negated()].map(|it| Extent::new(Assignments::at(&root("x"), false, it)))
    };
    for (few, many) in of_values(10).iter().zip(&of_values(1000)) {
        assert!(many.work() > 10 * few.work(), "{} {}", many.work(), few.work());
        assert_eq!(many.parts() - few.parts(), 990);
    }
    let lossy = of_parts(3).losing(Reason::Element, Span::default());
    assert!(lossy.work() > of_parts(3).work() && lossy.parts() == of_parts(3).parts() + 1);
}
