//! `can(cidrhost(var.x, 0))` and its siblings: which strings are prefixes of addresses.

const OCTET: &str = "0*(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
const GROUP: &str = "0*[0-9a-fA-F]{1,4}";

/// An IPv4 prefix as Terraform reads it: zeros may lead, host bits may be set.
pub fn ipv4_prefix() -> String {
    format!("^{}/0*(?:3[0-2]|[12]?[0-9])$", ipv4())
}

/// An IPv4 or IPv6 prefix that has a host number 0.
pub fn prefix() -> String {
    let length = "/0*(?:12[0-8]|1[01][0-9]|[1-9]?[0-9])";
    format!("^(?:{}/0*(?:3[0-2]|[12]?[0-9])|(?:{}){length})$", ipv4(), ipv6())
}

fn ipv4() -> String {
    format!("(?:{OCTET}\\.){{3}}{OCTET}")
}

fn ipv6() -> String {
    let ipv4 = ipv4();
    let mut forms = vec![format!("(?:{GROUP}:){{7}}{GROUP}"), format!("(?:{GROUP}:){{6}}{ipv4}")];
    // `::` stands for at least one group: with N groups before it, at most 7 - N behind it, of
    // which an IPv4 tail counts two.
    for before in 0..=7usize {
        let head = match before {
            0 => ":".to_owned(),
            1 => format!("{GROUP}:"),
            n => format!("{GROUP}(?::{GROUP}){{{}}}:", n - 1),
        };
        let after = 7 - before;
        if after == 0 {
            forms.push(format!("{head}:"));
            continue;
        }
        let mut tails = vec![format!("{GROUP}(?::{GROUP}){{0,{}}}", after - 1)];
        if after >= 2 {
            tails.push(format!("(?:{GROUP}:){{0,{}}}{ipv4}", after - 2));
        }
        forms.push(format!("{head}:(?:{})?", tails.join("|")));
    }
    forms.join("|")
}
