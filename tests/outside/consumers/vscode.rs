//! VS Code's language service for JSON, as an editor uses it: it gives our verdicts on values files,
//! and shows descriptions where a name is pointed at or proposed.

use std::process::Command;

use projection::schema::{self, SchemaOptions};
use serde::Deserialize;
use serde_json::{Value, json};
use testkit::{
    missing::{MissingProgram, trials},
    modules::module,
    workspace::Workspace,
};

use super::{answers, forms, tally};
use crate::tools;

trials![vs_code_gives_our_verdicts, vs_code_shows_descriptions,];

fn vs_code_gives_our_verdicts() -> Result<(), MissingProgram> {
    let dir = tools::node_modules()?;
    let jobs: Vec<Value> = forms()
        .map(|(subject, form)| json!({ "schema": form.schema, "values": subject.values }))
        .collect();
    let mut node = Command::new("node");
    let judgements = answers(node.arg(dir.join("vscode.mjs")), &jobs, &Workspace::new());
    tally("VS Code", judgements);
    Ok(())
}

#[derive(Deserialize)]
struct Shown {
    hover: String,
    complete: Vec<Proposal>,
}

#[derive(Debug, Deserialize, PartialEq)]
struct Proposal {
    label: String,
    documentation: String,
}

const MODULE: &str = r#"
variable "network" {
  description = "The address range of the network."
  type        = string
  validation {
    condition     = can(cidrhost(var.network, 0))
    error_message = "The network must be a CIDR."
  }
}

variable "peer" {
  description = "The network on the other side."
  type        = string
  validation {
    condition     = can(cidrhost(var.peer, 0))
    error_message = "The peer must be a CIDR."
  }
}

variable "size" {
  description = "How many machines there are."
  type        = string
  validation {
    condition     = contains(["small", "large"], var.size)
    error_message = "The size must be small or large."
  }
}
"#;

/// Also of variables whose pattern is in `definitions`.
fn vs_code_shows_descriptions() -> Result<(), MissingProgram> {
    let dir = tools::node_modules()?;
    let schema =
        schema::generate(&module(MODULE), &SchemaOptions::default()).schema.to_json().to_serde();
    let references = json!([{ "$ref": "#/definitions/prefix" }]);
    assert_eq!(schema["properties"]["network"]["allOf"], references);
    let job = |text: &str, hover: &str, complete: &str| json!({ "schema": schema, "text": text, "hover": hover, "complete": complete });
    let jobs = [
        job("{ \"network\": \"10.0.0.0/8\",  }", "network", "8\", "),
        job("{ \"size\": \"small\" }", "size", "\"size\": "),
    ];
    let mut node = Command::new("node");
    let shown: Vec<Shown> = answers(node.arg(dir.join("vscode.mjs")), &jobs, &Workspace::new());
    // The title is that of the pattern; both are Markdown.
    let network = "An IPv4 or IPv6 prefix \\(CIDR\\)\n\nThe address range of the network\\.";
    assert_eq!(shown[0].hover, network);
    assert_eq!(shown[1].hover, "How many machines there are\\.");
    let proposals = |it: &[(&str, &str)]| -> Vec<Proposal> {
        let own =
            |it: &(&str, &str)| Proposal { label: it.0.to_owned(), documentation: it.1.to_owned() };
        it.iter().map(own).collect()
    };
    let names =
        [("peer", "The network on the other side."), ("size", "How many machines there are.")];
    assert_eq!(shown[0].complete, proposals(&names));
    let sizes = ["\"small\"", "\"large\""].map(|it| (it, names[1].1));
    assert_eq!(shown[1].complete, proposals(&sizes));
    Ok(())
}
