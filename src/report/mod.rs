//! Output formats. Knows findings and nothing else.
