//! The codes of lengths and distances (RFC 1951, 3.2.5).

/// The code that ends a block.
pub(super) const END_OF_BLOCK: usize = 256;
/// The code of the shortest length.
const FIRST_LENGTH: usize = 257;
/// Codes for literals, the end of the block, and lengths.
pub(super) const LITERAL_CODES: usize = 286;
pub(super) const DISTANCE_CODES: usize = 30;

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
pub(super) struct Coded {
    pub code: usize,
    pub extra: u32,
    pub extra_bits: u32,
}

/// The code of a length from 3 to 258.
pub(super) fn length(length: usize) -> Coded {
    let coded = find(&LENGTHS, length);
    Coded { code: FIRST_LENGTH + coded.code, ..coded }
}

/// The code of a distance from 1 to 32768.
pub(super) fn distance(distance: usize) -> Coded {
    find(&DISTANCES, distance)
}

/// The last entry that does not begin behind the value.
fn find(table: &[(usize, u32)], value: usize) -> Coded {
    let code = table.partition_point(|(base, _)| *base <= value).saturating_sub(1);
    let (base, extra_bits) = table.get(code).copied().unwrap_or_default();
    let extra = u32::try_from(value.saturating_sub(base)).unwrap_or(0);
    Coded { code, extra, extra_bits }
}
