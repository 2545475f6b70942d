//! Deflate's format (RFC 1951), read.

use crate::functions::Failure;

/// The most bits of a code.
const LONGEST: usize = 15;
/// How many symbols lengths and distances have, without reserved ones.
const LENGTHS: [(u16, u8); 29] = [
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
const DISTANCES: [(u16, u8); 30] = [
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
/// The order in which the lengths of the codes for lengths are written.
const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/// Why reading stops.
enum Stop {
    Malformed,
    Budget(Failure),
}

/// Text and what follows it; `None` where the data is malformed. `spend` counts the work.
type Inflated<'a> = Option<(Vec<u8>, &'a [u8])>;

pub(super) fn inflate<'a>(
    bytes: &'a [u8],
    spend: &mut dyn FnMut(u64) -> Result<(), Failure>,
) -> Result<Inflated<'a>, Failure> {
    let mut reader = Reader { bytes, at: 0, bits: 0, count: 0, out: Vec::new(), spend };
    match reader.blocks() {
        Ok(()) => Ok(Some((reader.out, &bytes[reader.at..]))),
        Err(Stop::Malformed) => Ok(None),
        Err(Stop::Budget(it)) => Err(it),
    }
}

struct Reader<'a, 's> {
    bytes: &'a [u8],
    at: usize,
    /// Bits of the byte before `at` that are still to come.
    bits: u32,
    count: u32,
    out: Vec<u8>,
    spend: &'s mut dyn FnMut(u64) -> Result<(), Failure>,
}

impl Reader<'_, '_> {
    fn blocks(&mut self) -> Result<(), Stop> {
        loop {
            let is_last = self.take(1)? == 1;
            match self.take(2)? {
                0 => self.stored()?,
                1 => self.block(&Codes::fixed(), &Codes::of(&[5; 32]).ok_or(Stop::Malformed)?)?,
                2 => {
                    let (symbols, distances) = self.tables()?;
                    self.block(&symbols, &distances)?;
                }
                _ => return Err(Stop::Malformed),
            }
            if is_last {
                return Ok(());
            }
        }
    }

    fn byte(&mut self) -> Result<u8, Stop> {
        let byte = *self.bytes.get(self.at).ok_or(Stop::Malformed)?;
        self.at += 1;
        Ok(byte)
    }

    fn take(&mut self, count: u32) -> Result<u32, Stop> {
        let mut value = 0;
        for place in 0..count {
            if self.count == 0 {
                (self.bits, self.count) = (u32::from(self.byte()?), 8);
            }
            value |= (self.bits & 1) << place;
            self.bits >>= 1;
            self.count -= 1;
        }
        Ok(value)
    }

    fn number(&mut self, bits: u8) -> Result<usize, Stop> {
        Ok(self.take(u32::from(bits))? as usize)
    }

    fn push(&mut self, byte: u8) -> Result<(), Stop> {
        self.out.push(byte);
        if self.out.len().is_multiple_of(64) {
            (self.spend)(8).map_err(Stop::Budget)?;
        }
        Ok(())
    }

    fn stored(&mut self) -> Result<(), Stop> {
        self.count = 0;
        let (length, complement) = (self.number(16)?, self.number(16)?);
        if length != !complement & 0xffff {
            return Err(Stop::Malformed);
        }
        for _ in 0..length {
            let byte = self.byte()?;
            self.push(byte)?;
        }
        Ok(())
    }

    fn tables(&mut self) -> Result<(Codes, Codes), Stop> {
        let (symbols, distances) = (self.number(5)? + 257, self.number(5)? + 1);
        let count = self.number(4)? + 4;
        if symbols > 286 || distances > 30 {
            return Err(Stop::Malformed);
        }
        let mut lengths = [0; 19];
        for place in &ORDER[..count] {
            lengths[*place] = self.number(3)?;
        }
        let codes = Codes::of(&lengths).ok_or(Stop::Malformed)?;
        let mut lengths = Vec::with_capacity(symbols + distances);
        while lengths.len() < symbols + distances {
            let (length, times) = match self.symbol(&codes)? {
                16 => (*lengths.last().ok_or(Stop::Malformed)?, 3 + self.number(2)?),
                17 => (0, 3 + self.number(3)?),
                18 => (0, 11 + self.number(7)?),
                length => (length, 1),
            };
            lengths.extend(std::iter::repeat_n(length, times));
        }
        if lengths.len() > symbols + distances {
            return Err(Stop::Malformed);
        }
        let (symbols, distances) = lengths.split_at(symbols);
        let (symbols, distances) = (Codes::of(symbols), Codes::of(distances));
        symbols.zip(distances).ok_or(Stop::Malformed)
    }

    fn block(&mut self, symbols: &Codes, distances: &Codes) -> Result<(), Stop> {
        loop {
            let symbol = self.symbol(symbols)?;
            if let Ok(byte) = u8::try_from(symbol) {
                self.push(byte)?;
                continue;
            }
            if symbol == 256 {
                return Ok(());
            }
            let (base, extra) = *LENGTHS.get(symbol - 257).ok_or(Stop::Malformed)?;
            let length = usize::from(base) + self.number(extra)?;
            let (base, extra) = *DISTANCES.get(self.symbol(distances)?).ok_or(Stop::Malformed)?;
            let distance = usize::from(base) + self.number(extra)?;
            let first = self.out.len().checked_sub(distance).ok_or(Stop::Malformed)?;
            for from in first..first + length {
                let byte = self.out[from];
                self.push(byte)?;
            }
        }
    }

    fn symbol(&mut self, codes: &Codes) -> Result<usize, Stop> {
        let (mut code, mut first, mut index) = (0, 0, 0);
        for count in &codes.counts[1..] {
            code |= self.number(1)?;
            if code < first + count {
                return Ok(codes.symbols[index + code - first]);
            }
            index += count;
            first = (first + count) << 1;
            code <<= 1;
        }
        Err(Stop::Malformed)
    }
}

/// Canonical Huffman codes.
struct Codes {
    /// How many codes have how many bits.
    counts: [usize; LONGEST + 1],
    /// By code.
    symbols: Vec<usize>,
}

impl Codes {
    /// By the lengths of the symbols' codes; `None` where they fit no codes. Go takes one code of one
    /// bit alone, and none at all.
    fn of(lengths: &[usize]) -> Option<Codes> {
        let mut counts = [0; LONGEST + 1];
        for length in lengths {
            counts[*length] += 1;
        }
        counts[0] = 0;
        let used: usize = counts.iter().sum();
        let mut left = 1_i64;
        for count in &counts[1..] {
            left = 2 * left - i64::try_from(*count).ok()?;
            if left < 0 {
                return None;
            }
        }
        if left > 0 && used > 0 && !(used == 1 && counts[1] == 1) {
            return None;
        }
        let mut symbols: Vec<usize> = (0..lengths.len()).filter(|it| lengths[*it] > 0).collect();
        symbols.sort_by_key(|it| lengths[*it]);
        Some(Codes { counts, symbols })
    }

    fn fixed() -> Codes {
        let mut counts = [0; LONGEST + 1];
        (counts[7], counts[8], counts[9]) = (24, 152, 112);
        let symbols = (256..280).chain(0..144).chain(280..288).chain(144..256).collect();
        Codes { counts, symbols }
    }
}
