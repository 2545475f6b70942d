//! A day: the end of an `ignore` block, and the day that it is compared with.

use std::{
    fmt,
    time::{SystemTime, UNIX_EPOCH},
};

use go_compat::time::{Fields, Instant};

/// A day of the Gregorian calendar, in UTC. An earlier day is less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    year: i64,
    month: u8,
    day: u8,
}

impl Date {
    /// Reads an RFC 3339 date such as `2027-01-31`; `None` if there is no such day, and before 1970.
    pub fn parse(text: &str) -> Option<Date> {
        let midnight = Instant::parse(&format!("{text}T00:00:00Z")).ok()?;
        Some(Date::of_instant(midnight)).filter(|it| it.year >= 1970)
    }

    /// The day of a time in UTC.
    pub fn of(time: SystemTime) -> Date {
        let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
        let nanoseconds = i128::try_from(since.as_nanos()).unwrap_or_default();
        Date::of_instant(Instant { nanoseconds, offset: 0 })
    }

    fn of_instant(instant: Instant) -> Date {
        let Fields { year, month, day, .. } = instant.fields();
        Date { year, month, day }
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn days_that_there_are_are_read() {
        for text in ["1970-01-01", "2027-01-31", "2028-02-29", "2000-02-29"] {
            assert_eq!(Date::parse(text).unwrap().to_string(), text);
        }
        for text in ["2027-02-29", "2100-02-29", "2027-13-01", "2027-1-31", "2027-00-10", "soon"] {
            assert_eq!(Date::parse(text), None, "{text}");
        }
        // A time or an offset is not a part of a date.
        for text in ["1969-12-31", "2027-01-31T00:00:00Z", "2027-01-31T", "2027-01-31 ", ""] {
            assert_eq!(Date::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_day_is_that_of_its_last_second() {
        // `date -u -d @SECONDS`
        for (seconds, day) in [
            (0, "1970-01-01"),
            (951_868_799, "2000-02-29"),
            (951_868_800, "2000-03-01"),
            (1_798_761_599, "2026-12-31"),
            (1_798_761_600, "2027-01-01"),
        ] {
            let time = UNIX_EPOCH + Duration::from_secs(seconds);
            assert_eq!(Date::of(time).to_string(), day);
        }
    }
}
