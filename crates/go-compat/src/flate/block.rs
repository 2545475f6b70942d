//! Blocks: stored, in fixed codes, or in codes of their own, whichever is the shortest.

use super::{
    Token,
    huffman::{self, Code},
    tables::{self, DISTANCE_CODES, END_OF_BLOCK, LITERAL_CODES},
};

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
pub(super) struct BlockWriter {
    out: Vec<u8>,
    pending: u64,
    count: u32,
}

impl BlockWriter {
    /// Writes a block that is not the last. `source` is the text of the tokens, if it is known.
    pub(super) fn block(&mut self, tokens: &[Token], source: Option<&[u8]>) {
        let usage = Usage::of(tokens);
        let own = Codes {
            literals: huffman::codes(&usage.literals, LONGEST_CODE),
            distances: huffman::codes(&usage.distances, LONGEST_CODE),
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

    pub(super) fn empty_stored_block(&mut self, is_last: bool) {
        self.stored(&[], is_last);
    }

    /// The bytes; those of a last block end with a byte.
    pub(super) fn finish(mut self) -> Vec<u8> {
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
                    let length = tables::length(length);
                    self.code(codes.literals[length.code]);
                    self.bits(length.extra, length.extra_bits);
                    let distance = tables::distance(distance);
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
                    let (length, distance) = (tables::length(length), tables::distance(distance));
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
        huffman::total(&self.literals, &usage.literals)
            + huffman::total(&self.distances, &usage.distances)
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
        let codes = huffman::codes(&frequencies, LONGEST_LENGTH_CODE);
        Header { literals, distances, runs, codes, shown: shown.max(4), frequencies }
    }

    fn size(&self) -> u64 {
        let extra: u64 = self.runs.iter().map(|it| u64::from(it.extra_bits())).sum();
        let shown = 3 * self.shown as u64;
        3 + 5 + 5 + 4 + shown + huffman::total(&self.codes, &self.frequencies) + extra
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
