//! Makes a tree smaller as long as something about it stays.

use super::{
    block::{Block, Given},
    tree::Tree,
};

/// How often `is_kept` is asked at most.
const MOST_TRIALS: usize = 400;

pub fn reduce(tree: &Tree, is_kept: &mut dyn FnMut(&Tree) -> bool) -> Tree {
    let mut best = tree.clone();
    let mut trials = 0;
    loop {
        let mut is_smaller = false;
        let mut at = 0;
        while trials < MOST_TRIALS {
            let mut smaller = best.clone();
            if !cut(&mut smaller, at) {
                break;
            }
            trials += 1;
            if is_kept(&smaller) {
                (best, is_smaller) = (smaller, true);
            } else {
                at += 1;
            }
        }
        if !is_smaller || trials >= MOST_TRIALS {
            return best;
        }
    }
}

/// Makes the cut of this number; false where there is none.
fn cut(tree: &mut Tree, mut at: usize) -> bool {
    for (place, module) in tree.modules.iter_mut().enumerate() {
        if cut_blocks(&mut module.blocks, &mut at) || cut_blocks(&mut module.overrides, &mut at) {
            return true;
        }
        if module.is_json && turn(&mut at) {
            module.is_json = false;
            return true;
        }
        if place > 0 && turn(&mut at) {
            tree.modules.remove(place);
            return true;
        }
    }
    let names: Vec<String> = tree.values.keys().cloned().collect();
    for name in names {
        let members = tree.values.get_mut(&name).unwrap();
        for member in 0..members.len() {
            if turn(&mut at) {
                members.remove(member);
                return true;
            }
        }
    }
    for place in 0..tree.args.len() {
        if turn(&mut at) {
            tree.args.remove(place);
            return true;
        }
    }
    false
}

fn turn(at: &mut usize) -> bool {
    let is_now = *at == 0;
    *at = at.wrapping_sub(1);
    is_now
}

fn cut_blocks(blocks: &mut Vec<Block>, at: &mut usize) -> bool {
    for place in 0..blocks.len() {
        if turn(at) {
            blocks.remove(place);
            return true;
        }
        let block = &mut blocks[place];
        for argument in 0..block.arguments.len() {
            if turn(at) {
                block.arguments.remove(argument);
                return true;
            }
            let Given::Expr(text) = &mut block.arguments[argument].1 else { continue };
            for simple in ["1", "\"a\"", "[]"] {
                if text.len() > 3 && turn(at) {
                    simple.clone_into(text);
                    return true;
                }
            }
        }
        if cut_blocks(&mut block.blocks, at) {
            return true;
        }
    }
    false
}
