//! A day: the end of an `ignore` block, and the day that it is compared with.

use std::{
    fmt,
    time::{SystemTime, UNIX_EPOCH},
};

const SECONDS: u64 = 86_400;
const MONTHS: [u64; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/// A day of the Gregorian calendar, in UTC. An earlier day is less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    year: u64,
    month: u64,
    day: u64,
}

impl Date {
    /// Reads an RFC 3339 date such as `2027-01-31`; `None` if there is no such day, and before 1970.
    pub fn parse(text: &str) -> Option<Date> {
        let parts: Vec<&str> = text.split('-').collect();
        let [year, month, day] = parts.as_slice() else { return None };
        let number = |text: &str, digits: usize| {
            let is_plain = text.len() == digits && text.bytes().all(|it| it.is_ascii_digit());
            text.parse().ok().filter(|_| is_plain)
        };
        let it = Date { year: number(year, 4)?, month: number(month, 2)?, day: number(day, 2)? };
        let is_day = it.year >= 1970
            && (1..=12).contains(&it.month)
            && (1..=days_of(it.year, it.month)).contains(&it.day);
        is_day.then_some(it)
    }

    /// The day of a time in UTC.
    pub fn of(time: SystemTime) -> Date {
        let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
        let (mut year, mut month, mut left) = (1970, 1, since.as_secs() / SECONDS);
        while left >= days_of_year(year) {
            left -= days_of_year(year);
            year += 1;
        }
        while left >= days_of(year, month) {
            left -= days_of(year, month);
            month += 1;
        }
        Date { year, month, day: left + 1 }
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

fn is_leap(year: u64) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

fn days_of_year(year: u64) -> u64 {
    365 + u64::from(is_leap(year))
}

fn days_of(year: u64, month: u64) -> u64 {
    let days = usize::try_from(month - 1).ok().and_then(|it| MONTHS.get(it)).copied();
    days.unwrap_or(31) + u64::from(month == 2 && is_leap(year))
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
