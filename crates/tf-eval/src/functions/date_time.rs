//! Dates, times and durations.

use std::time::SystemTime;

use super::{CallContext, DependsOn, Failure, Function, Param, ReturnType, Ty, text};
use go_compat::time::{Fields, Instant, parse_duration};
use tf_value::{Type, Value};

/// The functions of this family, sorted by name.
pub const FUNCTIONS: &[Function] = &[FORMATDATE, PLANTIMESTAMP, TIMEADD, TIMECMP, TIMESTAMP];

// `timestamp` and `plantimestamp`: the times of an apply (or of a console) and of a plan.

pub const TIMESTAMP: Function = Function::pure(
    "timestamp",
    "Returns the time of the apply; unknown until then.",
    &[],
    ReturnType::Fixed(Ty::String),
    time_of_apply,
)
.depends_on(DependsOn::Moment);

const PLANTIMESTAMP: Function = Function::pure(
    "plantimestamp",
    "Returns the time of the plan.",
    &[],
    ReturnType::Fixed(Ty::String),
    time_of_plan,
)
.depends_on(DependsOn::Moment);

fn time_of_apply(context: &CallContext<'_>, _: &[Value], _: &Type) -> Result<Value, Failure> {
    if context.host.is_console() {
        return Ok(Value::string(in_utc(context.host.system().now())));
    }
    Ok(Value::unknown_not_null(Type::String))
}

fn time_of_plan(context: &CallContext<'_>, _: &[Value], _: &Type) -> Result<Value, Failure> {
    match context.host.plan_time() {
        Some(time) => Ok(Value::string(in_utc(time))),
        None => Err(Failure::Undecided("the time is known only to a plan".to_owned())),
    }
}

fn in_utc(time: SystemTime) -> String {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let nanoseconds = i128::from(since.as_secs()) * 1_000_000_000;
    Instant { nanoseconds, offset: 0 }.to_string()
}

// `formatdate`: a timestamp in a given format.

const FORMATDATE: Function = Function::pure(
    "formatdate",
    "Formats a timestamp with verbs such as YYYY, MM and hh.",
    &[Param::new("format", Ty::String), Param::new("time", Ty::String)],
    ReturnType::Fixed(Ty::String),
    formatdate,
);

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

const DAYS: [&str; 7] =
    ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

fn formatdate(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let instant = Instant::parse_in(context.release, text(&args[1]))
        .map_err(|it| Failure::argument(1, it))?;
    let mut rest = text(&args[0]);
    let fields = instant.fields();
    let mut out = String::new();
    while let Some(first) = rest.chars().next() {
        let (token, after) = rest.split_at(token_length(rest, first));
        if first == '\'' {
            out.push_str(&quoted(token)?);
        } else if first.is_ascii_alphabetic() {
            out.push_str(&verb(token, instant, fields).map_err(|expected| bad(token, expected))?);
        } else {
            out.push_str(token);
        }
        rest = after;
    }
    Ok(Value::string(out))
}

/// The length in bytes of a quotation, of a run of one letter, or of other characters.
fn token_length(text: &str, first: char) -> usize {
    if first == '\'' {
        return quotation_length(text);
    }
    let ends = |char: char| {
        if first.is_ascii_alphabetic() {
            char != first
        } else {
            char == '\'' || char.is_ascii_alphabetic()
        }
    };
    text.find(ends).unwrap_or(text.len())
}

/// Two quotes alone are a quotation; inside of a quotation they denote a quote.
fn quotation_length(text: &str) -> usize {
    if text.starts_with("''") {
        return 2;
    }
    let mut end = 1;
    while let Some(quote) = text[end..].find('\'') {
        end += quote + 1;
        if !text[end..].starts_with('\'') {
            return end;
        }
        end += 1;
    }
    text.len()
}

fn quoted(token: &str) -> Result<String, Failure> {
    if token == "''" {
        return Ok("'".to_owned());
    }
    // Terraform reads a pair of quotes at the very end as the end, too.
    let inner = token.strip_prefix('\'').and_then(|it| it.strip_suffix('\''));
    let inner = inner.ok_or_else(|| Failure::argument(0, "a quoted literal is not closed"))?;
    Ok(inner.replace("''", "'"))
}

fn bad(verb: &str, expected: &str) -> Failure {
    Failure::argument(0, format!("invalid date format verb {verb:?}{expected}"))
}

/// The text for a verb. Errors: the verbs that exist for its letter.
fn verb(verb: &str, instant: Instant, fields: Fields) -> Result<String, &'static str> {
    let Fields { year, month, day, hour, minute, second, weekday } = fields;
    let month_name = MONTHS[usize::from(month - 1) % MONTHS.len()];
    let day_name = DAYS[usize::from(weekday) % DAYS.len()];
    let half = if hour < 12 { "AM" } else { "PM" };
    let twelve = if hour % 12 == 0 { 12 } else { hour % 12 };
    Ok(match verb {
        "YYYY" => format!("{year:04}"),
        "YY" => format!("{:02}", year % 100),
        "MMMM" => month_name.to_owned(),
        "MMM" => month_name[..3].to_owned(),
        "MM" => format!("{month:02}"),
        "M" => month.to_string(),
        "DD" => format!("{day:02}"),
        "D" => day.to_string(),
        "EEEE" => day_name.to_owned(),
        "EEE" => day_name[..3].to_owned(),
        "hh" => format!("{hour:02}"),
        "h" => hour.to_string(),
        "HH" => format!("{twelve:02}"),
        "H" => twelve.to_string(),
        "AA" => half.to_owned(),
        "aa" => half.to_ascii_lowercase(),
        "mm" => format!("{minute:02}"),
        "m" => minute.to_string(),
        "ss" => format!("{second:02}"),
        "s" => second.to_string(),
        "ZZZ" if instant.offset == 0 => "UTC".to_owned(),
        "Z" if instant.offset == 0 => "Z".to_owned(),
        "ZZZZZ" | "Z" => instant.offset_text(":"),
        "ZZZZ" | "ZZZ" => instant.offset_text(""),
        _ => return Err(verbs_of(verb)),
    })
}

fn verbs_of(verb: &str) -> &'static str {
    match verb.as_bytes().first() {
        Some(b'Y') => ": expected YY or YYYY",
        Some(b'M') => ": expected M, MM, MMM or MMMM",
        Some(b'D') => ": expected D or DD",
        Some(b'E') => ": expected EEE or EEEE",
        Some(b'h') => ": expected h or hh",
        Some(b'H') => ": expected H or HH",
        Some(b'A') => ": expected AA",
        Some(b'a') => ": expected aa",
        Some(b'm') => ": expected m or mm",
        Some(b's') => ": expected s or ss",
        Some(b'Z') => ": expected Z, ZZZ, ZZZZ or ZZZZZ",
        _ => "",
    }
}

// `timeadd`: a timestamp and a duration.

const TIMEADD: Function = Function::pure(
    "timeadd",
    "Adds a duration to a timestamp; fractions of a second are dropped.",
    &[Param::new("timestamp", Ty::String), Param::new("duration", Ty::String)],
    ReturnType::Fixed(Ty::String),
    timeadd,
);

fn timeadd(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let mut instant = Instant::parse_in(context.release, text(&args[0])).map_err(Failure::Call)?;
    let duration = text(&args[1]);
    let Some(nanoseconds) = parse_duration(duration) else {
        return Err(Failure::Call(format!("{duration:?} is not a duration like \"1h30m\"")));
    };
    instant.nanoseconds += i128::from(nanoseconds);
    Ok(Value::string(instant.to_string()))
}

// `timecmp`: which of two timestamps is earlier.

const TIMECMP: Function = Function::pure(
    "timecmp",
    "Compares two timestamps: -1, 0 or 1 if the first is before, equal to or after \
        the second.",
    &[Param::new("timestamp_a", Ty::String), Param::new("timestamp_b", Ty::String)],
    ReturnType::Fixed(Ty::Number),
    timecmp,
);

fn timecmp(_: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let instant = |index| {
        Instant::parse_leniently(text(&args[index])).map_err(|it| Failure::argument(index, it))
    };
    let (a, b) = (instant(0)?, instant(1)?);
    Ok(Value::int(a.nanoseconds.cmp(&b.nanoseconds) as i64))
}
