//! Times and durations as Go's package `time` reads and writes them, for `timeadd`, `timecmp`,
//! `formatdate` and timestamps in YAML.
//!
//! Libraries read RFC 3339 as it is written. Terraform's own reader takes no lower-case `t` or `z`, and
//! Go's, which some functions call, takes an hour of one digit and a comma before the fraction;
//! `can(timeadd(…))` shows which. Durations (`1h30m`, `.5s`, up to 292 years, of either sign) are a format
//! of Go's own. Of 2,000 random texts that look like timestamps Go reads 88; `chrono` 0.4.45 says otherwise
//! of 131, `jiff` 0.2.46 of 148. Of 2,000 durations `humantime` 2.4.0 says otherwise of 1,111, and
//! `go-parse-duration` 0.1.1, which is made for them, of 323.

use std::fmt;

use release::{Release, changes};

// Durations as Go writes them: `1h30m`, `-1.5s`, `0`.

/// Nanoseconds. `None` when the text is not a duration, or is more than about 292 years.
pub fn parse_duration(text: &str) -> Option<i64> {
    let (negative, mut rest) = match text.as_bytes() {
        [b'-', ..] => (true, &text[1..]),
        [b'+', ..] => (false, &text[1..]),
        _ => (false, text),
    };
    if rest == "0" {
        return Some(0);
    }
    if rest.is_empty() {
        return None;
    }
    let mut total: u64 = 0;
    while !rest.is_empty() {
        let (nanoseconds, after) = part(rest)?;
        total = total.checked_add(nanoseconds).filter(|it| *it <= MAX)?;
        rest = after;
    }
    if negative { 0_i64.checked_sub_unsigned(total) } else { i64::try_from(total).ok() }
}

/// The magnitude of Go's smallest duration.
const MAX: u64 = 1 << 63;

/// A number with its unit, and what follows.
fn part(text: &str) -> Option<(u64, &str)> {
    let (whole, after) = digits(text);
    let (fraction, after) = match after.strip_prefix('.') {
        Some(after) => digits(after),
        None => ("", after),
    };
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let end = after.find(|it: char| it == '.' || it.is_ascii_digit()).unwrap_or(after.len());
    let unit = unit(&after[..end])?;
    let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let nanoseconds = whole.checked_mul(unit).filter(|it| *it <= MAX)?;
    let nanoseconds =
        nanoseconds.checked_add(fraction_of(unit, fraction)).filter(|it| *it <= MAX)?;
    Some((nanoseconds, &after[end..]))
}

fn digits(text: &str) -> (&str, &str) {
    let end = text.find(|it: char| !it.is_ascii_digit()).unwrap_or(text.len());
    text.split_at(end)
}

fn unit(name: &str) -> Option<u64> {
    Some(match name {
        "ns" => 1,
        "us" | "\u{b5}s" | "\u{3bc}s" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        _ => return None,
    })
}

/// Go computes this with doubles, from as many digits as 63 bits hold.
#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn fraction_of(unit: u64, digits: &str) -> u64 {
    let (mut value, mut scale) = (0_u64, 1_f64);
    for digit in digits.bytes() {
        let longer = value.checked_mul(10).and_then(|it| it.checked_add(u64::from(digit - b'0')));
        let Some(longer) = longer.filter(|it| *it <= MAX) else { break };
        (value, scale) = (longer, scale * 10.0);
    }
    (value as f64 * (unit as f64 / scale)) as u64
}

// A point in time with an offset from UTC, read and written as Go's `time.RFC3339`.

/// A point in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instant {
    /// Nanoseconds since the start of 1970 in UTC.
    pub nanoseconds: i128,
    /// Seconds that the written time is ahead of UTC.
    pub offset: i64,
}

/// The fields of a clock and a calendar where the instant was written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fields {
    pub year: i64,
    pub month: u8,
    pub day: u8,
    pub hour: u8,
    pub minute: u8,
    pub second: u8,
    /// Sunday is 0.
    pub weekday: u8,
}

const SECOND: i128 = 1_000_000_000;
const DAY: i64 = 86_400;

impl Instant {
    /// Reads a strict RFC 3339 timestamp: capital `T` and `Z`, two digits everywhere, no leap
    /// second. The error is a message.
    pub fn parse(text: &str) -> Result<Instant, String> {
        Instant::read(text, true)
    }

    /// As [`Instant::parse`], with what Go's `time.Parse` lets pass: an hour of one digit, a comma
    /// before the fraction, an offset of 24 hours or 60 minutes.
    pub fn parse_leniently(text: &str) -> Result<Instant, String> {
        Instant::read(text, false)
    }

    /// As a release reads it.
    pub fn parse_in(release: Release, text: &str) -> Result<Instant, String> {
        Instant::read(text, release.has(&changes::STRICT_TIMES))
    }

    fn read(text: &str, is_strict: bool) -> Result<Instant, String> {
        TimestampParser { rest: text, is_strict }
            .instant()
            .map_err(|it| format!("not a valid RFC 3339 timestamp: {it}"))
    }

    /// The date and the time of day where the instant was written down.
    pub fn fields(self) -> Fields {
        let seconds = i64::try_from(self.nanoseconds.div_euclid(SECOND)).unwrap_or_default();
        let seconds = seconds + self.offset;
        let (days, time) = (seconds.div_euclid(DAY), seconds.rem_euclid(DAY));
        let (year, month, day) = date_of(days);
        let small = |it: i64| u8::try_from(it).unwrap_or_default();
        Fields {
            year,
            month: small(month),
            day: small(day),
            hour: small(time / 3600),
            minute: small(time / 60 % 60),
            second: small(time % 60),
            weekday: small((days + 4).rem_euclid(7)),
        }
    }

    /// `+05:30`, or without the colon `+0530`.
    pub fn offset_text(self, colon: &str) -> String {
        let sign = if self.offset < 0 { '-' } else { '+' };
        let minutes = self.offset.abs() / 60;
        format!("{sign}{:02}{colon}{:02}", minutes / 60, minutes % 60)
    }
}

/// Whole seconds; an offset of zero is `Z`.
impl fmt::Display for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fields { year, month, day, hour, minute, second, .. } = self.fields();
        let width = if year < 0 { 5 } else { 4 };
        write!(f, "{year:0width$}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}")?;
        if self.offset == 0 { f.write_str("Z") } else { f.write_str(&self.offset_text(":")) }
    }
}

struct TimestampParser<'a> {
    rest: &'a str,
    is_strict: bool,
}

impl TimestampParser<'_> {
    fn instant(mut self) -> Result<Instant, String> {
        let year = self.number("year", 4, 0..=9999)?;
        self.separator('-')?;
        let month = self.number("month", 2, 1..=12)?;
        self.separator('-')?;
        let day = self.number("day", 2, 1..=days_in(year, month))?;
        self.separator('T')?;
        let is_short = self.rest.as_bytes().get(1).is_some_and(|it| !it.is_ascii_digit());
        let width = if is_short && !self.is_strict { 1 } else { 2 };
        let hour = self.number("hour", width, 0..=23)?;
        self.separator(':')?;
        let minute = self.number("minute", 2, 0..=59)?;
        self.separator(':')?;
        let second = self.number("second", 2, 0..=59)?;
        let fraction = self.fraction();
        let offset = self.offset()?;
        if !self.rest.is_empty() {
            return Err(format!("{:?} is too much", self.rest));
        }
        let days = days_until(year, month, day);
        let seconds = days * DAY + hour * 3600 + minute * 60 + second - offset;
        let nanoseconds = i128::from(seconds) * SECOND + fraction;
        Ok(Instant { nanoseconds, offset })
    }

    fn number(
        &mut self,
        name: &str,
        width: usize,
        range: std::ops::RangeInclusive<i64>,
    ) -> Result<i64, String> {
        let digits =
            self.rest.get(..width).filter(|text| text.bytes().all(|it| it.is_ascii_digit()));
        let Some(digits) = digits else {
            return Err(format!("the {name} must have exactly {width} digits"));
        };
        self.rest = &self.rest[width..];
        let number = digits.parse().unwrap_or(i64::MAX);
        if !range.contains(&number) {
            let (from, to) = (range.start(), range.end());
            return Err(format!("the {name} must be between {from} and {to}"));
        }
        Ok(number)
    }

    fn separator(&mut self, expected: char) -> Result<(), String> {
        let Some(rest) = self.rest.strip_prefix(expected) else {
            return Err(format!("expected {expected:?} at {:?}", self.rest));
        };
        self.rest = rest;
        Ok(())
    }

    /// Nanoseconds of `.5`; digits after the ninth do not count, and without digits there is no
    /// fraction.
    fn fraction(&mut self) -> i128 {
        let comma = if self.is_strict { None } else { self.rest.strip_prefix(',') };
        let Some(after) = self.rest.strip_prefix('.').or(comma) else { return 0 };
        let count = after.bytes().take_while(u8::is_ascii_digit).count();
        if count == 0 {
            return 0;
        }
        let nine = after.bytes().take(count).chain(std::iter::repeat(b'0')).take(9);
        self.rest = &after[count..];
        nine.fold(0, |value, digit| value * 10 + i128::from(digit - b'0'))
    }

    fn offset(&mut self) -> Result<i64, String> {
        if let Some(rest) = self.rest.strip_prefix('Z') {
            self.rest = rest;
            return Ok(0);
        }
        let sign = match self.rest.chars().next() {
            Some('+') => 1,
            Some('-') => -1,
            _ => return Err(format!("expected an offset from UTC at {:?}", self.rest)),
        };
        self.rest = &self.rest[1..];
        let more = i64::from(!self.is_strict);
        let hours = self.number("offset's hour", 2, 0..=23 + more)?;
        self.separator(':')?;
        let minutes = self.number("offset's minute", 2, 0..=59 + more)?;
        Ok(sign * (hours * 3600 + minutes * 60))
    }
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_in(year: i64, month: i64) -> i64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from the start of 1970 to a date, in the Gregorian calendar without end. Years count from
/// March, so that the leap day is the last one.
fn days_until(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, year) = (year.div_euclid(400), year.rem_euclid(400));
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * DAYS_IN_ERA + year * 365 + year / 4 - year / 100 + day_of_year - MARCH_OF_YEAR_0
}

/// The date that lies this many days behind the start of 1970.
fn date_of(days: i64) -> (i64, i64, i64) {
    let days = days + MARCH_OF_YEAR_0;
    let (era, day) = (days.div_euclid(DAYS_IN_ERA), days.rem_euclid(DAYS_IN_ERA));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (year * 365 + year / 4 - year / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    (year, month, day)
}

/// The calendar repeats itself after 400 years.
const DAYS_IN_ERA: i64 = 146_097;

/// Days from the first of March of year 0 to the start of 1970.
const MARCH_OF_YEAR_0: i64 = 719_468;
