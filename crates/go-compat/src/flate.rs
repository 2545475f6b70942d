//! Deflate (RFC 1951) with the very bytes that Go's `compress/flate` gives at its default level.
//!
//! RFC 1951 lets the compressor decide where it looks for repetitions, where a block ends and how it is coded. A
//! comparison of results of `base64gzip` shows those choices, so they are Go's: its match finder (`matches`), its
//! blocks of 2^14 tokens at most, its Huffman codes (`huffman`), and the cheapest of three codings of a block
//! (`block`).
//!
//! Every other compressor chooses otherwise: of 1,560 random texts `miniz_oxide` at the same level gives
//! the same bits for 185, all of them shorter than 1,000 bytes.

/// A piece of the text: a byte as it is, or a repetition of the bytes that are `distance` before.
#[derive(Clone, Copy, Debug)]
enum Token {
    Literal(u8),
    Match { length: usize, distance: usize },
}

/// The bits of a text, flushed once and then closed, as Terraform does it.
pub fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut writer = BlockWriter::default();
    Matcher::new(bytes).run(|tokens, source| writer.block(tokens, source));
    writer.empty_stored_block(false);
    writer.empty_stored_block(true);
    writer.finish()
}

// Blocks: stored, in fixed codes, or in codes of their own, whichever is the shortest.

const LONGEST_CODE: usize = 15;
const LONGEST_LENGTH_CODE: usize = 7;
const LARGEST_STORED: usize = 65535;
/// The order in which the codes of code lengths are written.
const LENGTH_ORDER: [usize; 19] =
    [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/// How blocks are coded (RFC 1951, 3.2.3).
#[derive(Clone, Copy)]
enum BlockKind {
    Stored = 0,
    Fixed = 1,
    Dynamic = 2,
}

/// Writes blocks, the lowest bit of a byte first.
#[derive(Default)]
struct BlockWriter {
    out: Vec<u8>,
    pending: u64,
    count: u32,
}

impl BlockWriter {
    /// Writes a block that is not the last. `source` is the text of the tokens, if it is known.
    fn block(&mut self, tokens: &[Token], source: Option<&[u8]>) {
        let usage = Usage::of(tokens);
        let own = Codes {
            literals: huffman_codes(&usage.literals, LONGEST_CODE),
            distances: huffman_codes(&usage.distances, LONGEST_CODE),
        };
        let header = Header::new(&usage, &own);
        let fixed = Codes::fixed();
        let fixed_size = 3 + fixed.size(&usage);
        let own_size = header.size() + own.size(&usage);
        let size = own_size.min(fixed_size);
        if let Some(source) = source.filter(|it| it.len() <= LARGEST_STORED)
            && (source.len() as u64 + 5) * 8 < size
        {
            self.stored(source, false);
            return;
        }
        if own_size < fixed_size {
            self.begin(BlockKind::Dynamic, false);
            self.header(&header);
            self.tokens(tokens, &own);
        } else {
            self.begin(BlockKind::Fixed, false);
            self.tokens(tokens, &fixed);
        }
    }

    fn empty_stored_block(&mut self, is_last: bool) {
        self.stored(&[], is_last);
    }

    /// The bytes; those of a last block end with a byte.
    fn finish(mut self) -> Vec<u8> {
        self.align();
        self.out
    }

    fn stored(&mut self, source: &[u8], is_last: bool) {
        self.begin(BlockKind::Stored, is_last);
        self.align();
        let length = u16::try_from(source.len()).unwrap_or(u16::MAX);
        self.out.extend(length.to_le_bytes());
        self.out.extend((!length).to_le_bytes());
        self.out.extend(source);
    }

    fn begin(&mut self, kind: BlockKind, is_last: bool) {
        self.bits(u32::from(is_last) | (kind as u32) << 1, 3);
    }

    fn header(&mut self, header: &Header) {
        self.number(header.literals - 257, 5);
        self.number(header.distances - 1, 5);
        self.number(header.shown - 4, 4);
        for symbol in &LENGTH_ORDER[..header.shown] {
            self.bits(header.codes[*symbol].length, 3);
        }
        for run in &header.runs {
            self.code(header.codes[run.symbol]);
            self.number(run.extra, run.extra_bits());
        }
    }

    fn tokens(&mut self, tokens: &[Token], codes: &Codes) {
        for token in tokens {
            match *token {
                Token::Literal(byte) => self.code(codes.literals[usize::from(byte)]),
                Token::Match { length, distance } => {
                    let length = length_code(length);
                    self.code(codes.literals[length.code]);
                    self.bits(length.extra, length.extra_bits);
                    let distance = distance_code(distance);
                    self.code(codes.distances[distance.code]);
                    self.bits(distance.extra, distance.extra_bits);
                }
            }
        }
        self.code(codes.literals[END_OF_BLOCK]);
    }

    fn code(&mut self, code: Code) {
        self.bits(code.bits, code.length);
    }

    fn number(&mut self, number: usize, count: u32) {
        self.bits(u32::try_from(number).unwrap_or(0), count);
    }

    fn bits(&mut self, bits: u32, count: u32) {
        self.pending |= u64::from(bits) << self.count;
        self.count += count;
        while self.count >= 8 {
            self.out.push(self.pending.to_le_bytes()[0]);
            self.pending >>= 8;
            self.count -= 8;
        }
    }

    fn align(&mut self) {
        if self.count > 0 {
            self.bits(0, 8 - self.count);
        }
    }
}

/// How often each code is used, and the bits behind the codes.
struct Usage {
    literals: [u32; LITERAL_CODES],
    distances: [u32; DISTANCE_CODES],
    extra_bits: u64,
}

impl Usage {
    fn of(tokens: &[Token]) -> Usage {
        let mut usage =
            Usage { literals: [0; LITERAL_CODES], distances: [0; DISTANCE_CODES], extra_bits: 0 };
        usage.literals[END_OF_BLOCK] = 1;
        for token in tokens {
            match *token {
                Token::Literal(byte) => usage.literals[usize::from(byte)] += 1,
                Token::Match { length, distance } => {
                    let (length, distance) = (length_code(length), distance_code(distance));
                    usage.literals[length.code] += 1;
                    usage.distances[distance.code] += 1;
                    usage.extra_bits += u64::from(length.extra_bits + distance.extra_bits);
                }
            }
        }
        if usage.distances.iter().all(|it| *it == 0) {
            // A code of distances must have a code.
            usage.distances[0] = 1;
        }
        usage
    }
}

struct Codes {
    literals: Vec<Code>,
    distances: Vec<Code>,
}

impl Codes {
    /// RFC 1951, 3.2.6
    fn fixed() -> Codes {
        let literal = |symbol| match symbol {
            0..144 => Code::new(0x30 + symbol, 8),
            144..256 => Code::new(0x190 + symbol - 144, 9),
            256..280 => Code::new(symbol - 256, 7),
            _ => Code::new(0xc0 + symbol - 280, 8),
        };
        let distances = (0..).take(DISTANCE_CODES).map(|it| Code::new(it, 5)).collect();
        Codes { literals: (0..).take(LITERAL_CODES).map(literal).collect(), distances }
    }

    fn size(&self, usage: &Usage) -> u64 {
        total(&self.literals, &usage.literals)
            + total(&self.distances, &usage.distances)
            + usage.extra_bits
    }
}

/// What precedes the tokens of a block with codes of its own: the lengths of the codes, in a code.
struct Header {
    literals: usize,
    distances: usize,
    runs: Vec<Run>,
    codes: Vec<Code>,
    /// How many of the codes are written.
    shown: usize,
    frequencies: [u32; LENGTH_ORDER.len()],
}

impl Header {
    fn new(usage: &Usage, codes: &Codes) -> Header {
        let used = |counts: &[u32]| counts.iter().rposition(|it| *it > 0).map_or(0, |it| it + 1);
        let (literals, distances) = (used(&usage.literals), used(&usage.distances));
        let codes =
            codes.literals.iter().take(literals).chain(codes.distances.iter().take(distances));
        let runs = runs(&codes.map(|it| it.length as usize).collect::<Vec<_>>());
        let mut frequencies = [0; LENGTH_ORDER.len()];
        for run in &runs {
            frequencies[run.symbol] += 1;
        }
        let shown = LENGTH_ORDER.iter().rposition(|it| frequencies[*it] > 0).map_or(0, |it| it + 1);
        let codes = huffman_codes(&frequencies, LONGEST_LENGTH_CODE);
        Header { literals, distances, runs, codes, shown: shown.max(4), frequencies }
    }

    fn size(&self) -> u64 {
        let extra: u64 = self.runs.iter().map(|it| u64::from(it.extra_bits())).sum();
        let shown = 3 * self.shown as u64;
        3 + 5 + 5 + 4 + shown + total(&self.codes, &self.frequencies) + extra
    }
}

/// A length of codes, or a symbol for a repetition of one and how often.
#[derive(Clone, Copy, Debug)]
struct Run {
    symbol: usize,
    extra: usize,
}

impl Run {
    fn extra_bits(self) -> u32 {
        match self.symbol {
            16 => 2,
            17 => 3,
            18 => 7,
            _ => 0,
        }
    }
}

/// Lengths with repetitions: 16 repeats the last length 3 to 6 times, 17 is 3 to 10 zeros, 18 is
/// 11 to 138.
fn runs(lengths: &[usize]) -> Vec<Run> {
    let mut runs = Vec::new();
    for same in lengths.chunk_by(|left, right| left == right) {
        let (Some(&symbol), mut count) = (same.first(), same.len()) else { continue };
        if symbol == 0 {
            while count >= 11 {
                let zeros = count.min(138);
                runs.push(Run { symbol: 18, extra: zeros - 11 });
                count -= zeros;
            }
            if count >= 3 {
                runs.push(Run { symbol: 17, extra: count - 3 });
                count = 0;
            }
        } else {
            runs.push(Run { symbol, extra: 0 });
            count -= 1;
            while count >= 3 {
                let again = count.min(6);
                runs.push(Run { symbol: 16, extra: again - 3 });
                count -= again;
            }
        }
        runs.extend(std::iter::repeat_n(Run { symbol, extra: 0 }, count));
    }
    runs
}

// Huffman codes of bounded length, by package-merge.

/// A code as it is written: from its last bit on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Code {
    pub bits: u32,
    pub length: u32,
}

impl Code {
    /// The code whose first bit is the highest of `length`.
    fn new(code: u32, length: u32) -> Code {
        Code { bits: code.reverse_bits().checked_shr(32 - length).unwrap_or(0), length }
    }
}

/// The codes of symbols with these frequencies; none for those that do not occur.
fn huffman_codes(frequencies: &[u32], longest: usize) -> Vec<Code> {
    let mut codes = vec![Code::default(); frequencies.len()];
    let mut used: Vec<usize> = (0..codes.len()).filter(|it| frequencies[*it] > 0).collect();
    if used.len() <= 2 {
        for (bits, symbol) in (0..).zip(used) {
            codes[symbol] = Code::new(bits, 1);
        }
        return codes;
    }
    used.sort_by_key(|it| (frequencies[*it], *it));
    let weights: Vec<u32> = used.iter().map(|it| frequencies[*it]).collect();
    let mut code = 0;
    for (length, count) in (1..).zip(lengths(&weights, longest)) {
        code <<= 1;
        let mut symbols = used.split_off(used.len() - count);
        symbols.sort_unstable();
        for symbol in symbols {
            codes[symbol] = Code::new(code, length);
            code += 1;
        }
    }
    codes
}

/// The bits that symbols with these frequencies take.
fn total(codes: &[Code], frequencies: &[u32]) -> u64 {
    let each = codes.iter().zip(frequencies);
    each.map(|(code, count)| u64::from(code.length) * u64::from(*count)).sum()
}

/// How many codes have one bit, two bits and so on; `weights` are at least three, in order.
///
/// Each level pairs up the items of the level below and merges the pairs with the leaves, pairs
/// first among equals. The items that the last level needs show which leaves count at each level,
/// and a leaf's code is as long as there are levels at which it counts.
fn lengths(weights: &[u32], longest: usize) -> Vec<usize> {
    let longest = longest.min(weights.len() - 1);
    let mut levels: Vec<Vec<Item>> = Vec::with_capacity(longest);
    for _ in 0..longest {
        levels.push(merge(weights, levels.last().map_or(&[], Vec::as_slice)));
    }
    let mut needed = 2 * weights.len() - 2;
    let mut leaves: Vec<usize> = Vec::with_capacity(longest + 1);
    for items in levels.iter().rev() {
        let count = items.iter().take(needed).filter(|it| it.is_leaf).count();
        leaves.push(count);
        needed = 2 * (needed - count);
    }
    leaves.push(0);
    leaves.windows(2).map(|pair| pair[0] - pair[1]).collect()
}

#[derive(Clone, Copy, Debug)]
struct Item {
    weight: u32,
    is_leaf: bool,
}

fn merge(weights: &[u32], below: &[Item]) -> Vec<Item> {
    let mut leaves = weights.iter().peekable();
    let mut items = Vec::with_capacity(weights.len() + below.len() / 2);
    for pair in below.chunks_exact(2) {
        let weight = pair[0].weight + pair[1].weight;
        while let Some(leaf) = leaves.next_if(|it| **it < weight) {
            items.push(Item { weight: *leaf, is_leaf: true });
        }
        items.push(Item { weight, is_leaf: false });
    }
    items.extend(leaves.map(|it| Item { weight: *it, is_leaf: true }));
    items
}

// Where the text repeats itself: Go's search at level 6, with lazy matching.
//
// A match is not taken at once: when the next position has a longer one, the byte before it stays
// a literal.

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
struct Matcher<'a> {
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
    fn new(bytes: &'a [u8]) -> Self {
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
    fn run(mut self, mut block: impl FnMut(&[Token], Option<&[u8]>)) {
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

// The codes of lengths and distances (RFC 1951, 3.2.5).

/// The code that ends a block.
const END_OF_BLOCK: usize = 256;
/// The code of the shortest length.
const FIRST_LENGTH: usize = 257;
/// Codes for literals, the end of the block, and lengths.
const LITERAL_CODES: usize = 286;
const DISTANCE_CODES: usize = 30;

const LENGTHS: [(usize, u32); 29] = [
    (3, 0),
    (4, 0),
    (5, 0),
    (6, 0),
    (7, 0),
    (8, 0),
    (9, 0),
    (10, 0),
    (11, 1),
    (13, 1),
    (15, 1),
    (17, 1),
    (19, 2),
    (23, 2),
    (27, 2),
    (31, 2),
    (35, 3),
    (43, 3),
    (51, 3),
    (59, 3),
    (67, 4),
    (83, 4),
    (99, 4),
    (115, 4),
    (131, 5),
    (163, 5),
    (195, 5),
    (227, 5),
    (258, 0),
];

const DISTANCES: [(usize, u32); DISTANCE_CODES] = [
    (1, 0),
    (2, 0),
    (3, 0),
    (4, 0),
    (5, 1),
    (7, 1),
    (9, 2),
    (13, 2),
    (17, 3),
    (25, 3),
    (33, 4),
    (49, 4),
    (65, 5),
    (97, 5),
    (129, 6),
    (193, 6),
    (257, 7),
    (385, 7),
    (513, 8),
    (769, 8),
    (1025, 9),
    (1537, 9),
    (2049, 10),
    (3073, 10),
    (4097, 11),
    (6145, 11),
    (8193, 12),
    (12289, 12),
    (16385, 13),
    (24577, 13),
];

/// A code, and the bits that follow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Coded {
    pub code: usize,
    pub extra: u32,
    pub extra_bits: u32,
}

/// The code of a length from 3 to 258.
fn length_code(length: usize) -> Coded {
    let coded = find(&LENGTHS, length);
    Coded { code: FIRST_LENGTH + coded.code, ..coded }
}

/// The code of a distance from 1 to 32768.
fn distance_code(distance: usize) -> Coded {
    find(&DISTANCES, distance)
}

/// The last entry that does not begin behind the value.
fn find(table: &[(usize, u32)], value: usize) -> Coded {
    let code = table.partition_point(|(base, _)| *base <= value).saturating_sub(1);
    let (base, extra_bits) = table.get(code).copied().unwrap_or_default();
    let extra = u32::try_from(value.saturating_sub(base)).unwrap_or(0);
    Coded { code, extra, extra_bits }
}
