//! Counting user-perceived characters.

use terraschema::functions::grapheme_count;

/// Expectations from `length("…")` of Terraform 1.11.4.
#[test]
fn graphemes_are_counted_as_terraform_does() {
    let cases = [
        ("", 0),
        ("hello", 5),
        ("a\r\nb", 3),
        ("👨‍👩‍👧‍👦", 1),
        ("🇩🇪🇫🇷", 2),
        ("क्ष", 2),
        ("e\u{301}", 1),
        ("한국어", 3),
        ("👍🏽", 1),
        ("க்ஷ", 2),
        ("ന്ത", 2),
        ("ক্ষ", 2),
        ("ශ්‍ර", 2),
        ("က္က", 2),
        ("ก็", 1),
        ("নি", 1),
        ("\u{600}a", 1),
        ("1️⃣", 1),
    ];
    for (text, count) in cases {
        assert_eq!(grapheme_count(text), count, "{text:?}");
    }
}
