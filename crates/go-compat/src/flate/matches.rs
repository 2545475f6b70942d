//! Where the text repeats itself: Go's search at level 6, with lazy matching.
//!
//! A match is not taken at once: when the next position has a longer one, the byte before it stays
//! a literal.

use super::Token;

const WINDOW: usize = 1 << 15;
/// Matches of three bytes would be allowed, but are not looked for.
const SHORTEST: usize = 4;
const LONGEST: usize = 258;
const BLOCK_TOKENS: usize = 1 << 14;
const HASH_BITS: u32 = 17;
/// A match that is as long is not bettered at the next position.
const LAZY: usize = 16;
/// A match that is as long ends the search.
const NICE: usize = 128;
/// How many earlier places are looked at.
const CHAIN: usize = 128;
/// A match as short as the shortest must not be farther away.
const NEAR: usize = 4096;

/// The search through a text. All positions are those of the text; the window of 2^16 bytes that
/// slides over it bounds how far back matches reach.
pub(super) struct Matcher<'a> {
    bytes: &'a [u8],
    window_start: usize,
    window_end: usize,
    index: usize,
    /// Where the tokens not yet written begin; nothing when the window has passed it.
    block_start: Option<usize>,
    /// The last position with a hash, plus one.
    heads: Vec<u32>,
    /// The position before, of the same hash, plus one.
    previous: Vec<u32>,
    /// The match at the position before.
    found: Option<(usize, usize)>,
    /// The byte before the position belongs to no token yet.
    is_pending: bool,
    tokens: Vec<Token>,
}

impl<'a> Matcher<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Matcher {
            bytes,
            window_start: 0,
            window_end: bytes.len().min(2 * WINDOW),
            index: 0,
            block_start: Some(0),
            heads: vec![0; 1 << HASH_BITS],
            previous: vec![0; WINDOW],
            found: None,
            is_pending: false,
            tokens: Vec::new(),
        }
    }

    /// Gives the tokens of each block, and the bytes that they encode if those are still in the
    /// window.
    pub(super) fn run(mut self, mut block: impl FnMut(&[Token], Option<&[u8]>)) {
        while self.window_end < self.bytes.len() {
            self.go_on(SHORTEST + LONGEST, &mut block);
            self.slide();
        }
        self.go_on(1, &mut block);
        if self.is_pending {
            self.literal();
        }
        if !self.tokens.is_empty() {
            self.end_block(&mut block);
        }
    }

    fn slide(&mut self) {
        self.window_start += WINDOW;
        self.window_end = self.bytes.len().min(self.window_start + 2 * WINDOW);
        self.block_start = self.block_start.filter(|it| *it >= self.window_start);
    }

    /// Makes tokens while so many bytes lie ahead in the window.
    fn go_on(&mut self, ahead: usize, block: &mut impl FnMut(&[Token], Option<&[u8]>)) {
        while self.window_end >= self.index + ahead {
            let before = self.found.take();
            let head = self.insert(self.index);
            self.found = head.and_then(|it| self.longer_match(it, before));
            match (before, self.found) {
                (Some((length, distance)), found)
                    if found.is_none_or(|(longer, _)| longer <= length) =>
                {
                    self.repetition(length, distance);
                }
                _ => {
                    if self.is_pending {
                        self.literal();
                    }
                    self.is_pending = true;
                    if self.tokens.len() == BLOCK_TOKENS {
                        self.end_block(block);
                    }
                    self.index += 1;
                    continue;
                }
            }
            if self.tokens.len() == BLOCK_TOKENS {
                self.end_block(block);
            }
        }
    }

    fn literal(&mut self) {
        let byte = self.index.checked_sub(1).and_then(|it| self.bytes.get(it));
        self.tokens.extend(byte.copied().map(Token::Literal));
        self.is_pending = false;
    }

    /// The match began at the byte before.
    fn repetition(&mut self, length: usize, distance: usize) {
        self.tokens.push(Token::Match { length, distance });
        let end = self.index + length - 1;
        for index in self.index + 1..end {
            self.insert(index);
        }
        self.index = end;
        self.is_pending = false;
        self.found = None;
    }

    fn end_block(&mut self, block: &mut impl FnMut(&[Token], Option<&[u8]>)) {
        let source = self.block_start.and_then(|it| self.bytes.get(it..self.index));
        block(&self.tokens, source);
        self.block_start = Some(self.index);
        self.tokens.clear();
    }

    /// Enters a position under its hash; the position that had the hash before.
    fn insert(&mut self, index: usize) -> Option<usize> {
        let next = self
            .bytes
            .get(index..index + SHORTEST)
            .filter(|_| index + SHORTEST <= self.window_end)?;
        let word = next.iter().fold(0_u32, |word, byte| word << 8 | u32::from(*byte));
        let hash = word.wrapping_mul(0x1e35_a7bd) >> (32 - HASH_BITS);
        let entry = u32::try_from(index + 1).unwrap_or(0);
        let head = self.heads.get_mut(hash as usize)?;
        let before = std::mem::replace(head, entry);
        *self.previous.get_mut(index % WINDOW)? = before;
        (before as usize).checked_sub(1)
    }

    /// The match at the position, unless the match before it makes it useless.
    fn longer_match(&self, head: usize, before: Option<(usize, usize)>) -> Option<(usize, usize)> {
        let ahead = self.window_end - self.index;
        let before = before.map_or(SHORTEST - 1, |(length, _)| length);
        let is_useful = ahead > before && before < LAZY;
        if is_useful && self.is_within_reach(head) { self.find(head) } else { None }
    }

    fn is_within_reach(&self, place: usize) -> bool {
        place >= self.window_start && place + WINDOW >= self.index
    }

    /// The longest match, and of those of one length the nearest: length and distance.
    fn find(&self, head: usize) -> Option<(usize, usize)> {
        let wanted = self.bytes.get(self.index..self.window_end.min(self.index + LONGEST))?;
        let nice = wanted.len().min(NICE);
        let mut found = None;
        let mut longest = SHORTEST - 1;
        let mut place = head;
        for _ in 0..CHAIN {
            let earlier = self.bytes.get(place..)?;
            // What differs where a longer match would end needs no closer look.
            let may_be_longer = earlier.get(longest) == wanted.get(longest);
            let length = if may_be_longer { common(earlier, wanted) } else { 0 };
            let distance = self.index - place;
            if length > longest && (length > SHORTEST || distance <= NEAR) {
                (found, longest) = (Some((length, distance)), length);
                if length >= nice {
                    break;
                }
            }
            if distance == WINDOW {
                // What stood before has been overwritten.
                break;
            }
            let before = self.previous.get(place % WINDOW).and_then(|it| it.checked_sub(1));
            match before {
                Some(it) if self.is_within_reach(it as usize) => place = it as usize,
                _ => break,
            }
        }
        found
    }
}

/// How many bytes both begin with.
fn common(left: &[u8], right: &[u8]) -> usize {
    left.iter().zip(right).take_while(|(left, right)| left == right).count()
}
