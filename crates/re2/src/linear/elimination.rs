//! From an automaton to an expression: states are taken out one after another, and what led through
//! them becomes an expression between their neighbours (Brzozowski and McCluskey 1963). Since each
//! text has one way through the automaton, it has one through the expression.

use std::collections::BTreeMap;

use super::{automaton::Automaton, expression::Expression, symbols::Symbols};

/// The limit for the size of a readable result.
const SIZE: usize = 4000;

type Edges = BTreeMap<(usize, usize), Expression>;

/// `None` where it becomes too long, or where nothing is accepted.
pub(super) fn expression(automaton: &Automaton, symbols: &Symbols) -> Option<Expression> {
    let states = automaton.next.len();
    let (start, end) = (states, states + 1);
    let mut edges = Edges::new();
    edges.insert((start, 0), Expression::empty());
    for (state, next) in automaton.next.iter().enumerate() {
        if automaton.accepts[state] {
            edges.insert((state, end), Expression::empty());
        }
        for (symbol, to) in next {
            add(&mut edges, (state, *to), Expression::of(&symbols.all[*symbol]));
        }
    }
    let mut left: Vec<usize> = (0..states).collect();
    while let Some(index) = (0..left.len()).min_by_key(|it| cost(&edges, left[*it])) {
        take_out(&mut edges, left.swap_remove(index));
        if edges.values().map(Expression::size).sum::<usize>() > SIZE {
            return None;
        }
    }
    edges.remove(&(start, end))
}

fn add(edges: &mut Edges, key: (usize, usize), expression: Expression) {
    let joined = match edges.remove(&key) {
        Some(it) => it.or(expression),
        None => expression,
    };
    edges.insert(key, joined);
}

/// What leads into the state, out of it, and round.
type Around<'e> =
    (Vec<(usize, &'e Expression)>, Vec<(usize, &'e Expression)>, Option<&'e Expression>);

fn around(edges: &Edges, state: usize) -> Around<'_> {
    let into = edges.iter().filter(|((from, to), _)| *to == state && *from != state);
    let out = edges.range((state, 0)..(state + 1, 0)).filter(|((_, to), _)| *to != state);
    (
        into.map(|((from, _), it)| (*from, it)).collect(),
        out.map(|((_, to), it)| (*to, it)).collect(),
        edges.get(&(state, state)),
    )
}

/// How much longer everything becomes without the state (Delgado and Morais 2004).
fn cost(edges: &Edges, state: usize) -> usize {
    let (into, out, round) = around(edges, state);
    let size = |them: &[(usize, &Expression)]| -> usize { them.iter().map(|it| it.1.size()).sum() };
    size(&into) * out.len()
        + size(&out) * into.len()
        + round.map_or(0, Expression::size) * into.len() * out.len()
}

fn take_out(edges: &mut Edges, state: usize) {
    let (into, out, round) = around(edges, state);
    let round = round.cloned().map_or_else(Expression::empty, Expression::repeated);
    let mut new = Vec::new();
    for (from, before) in &into {
        for (to, after) in &out {
            let through = (*before).clone().then(round.clone()).then((*after).clone());
            new.push(((*from, *to), through));
        }
    }
    edges.retain(|(from, to), _| *from != state && *to != state);
    for (key, expression) in new {
        add(edges, key, expression);
    }
}
