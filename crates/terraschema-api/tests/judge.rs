//! A contract judges any number of times, from any thread, and what one verdict took in is gone in the next.

use std::{sync::Arc, thread};

use terraschema_api::{
    Contract, Format, Limits, MemorySystem, Product, Style, Verdict, Wanted, render,
};

const MODULE: &str = "variable \"size\" {
  type = number
  validation {
    condition     = var.size < 10
    error_message = \"Too big.\"
  }
}
variable \"key\" {
  type      = string
  sensitive = true
  default   = \"\"
}
module \"m\" {
  source = \"./m\"
  size   = var.size
}
";

const CALLED: &str = "variable \"size\" {
  type = number
}
output \"half\" {
  value = [1, 2, 3][var.size]
}
";

const INPUTS: [(&str, Verdict); 5] = [
    ("size = 1\n", Verdict::Accept),
    ("size = 20\nkey = \"hunter2\"\n", Verdict::Reject),
    ("size = 5\n", Verdict::Reject),
    ("size = 1\nkey = [\"hunter2\"\n", Verdict::Reject),
    ("size = 2\n", Verdict::Accept),
];

fn contract() -> Contract {
    let system = MemorySystem::new().file("/t/main.tf", MODULE).file("/t/m/main.tf", CALLED);
    let newest = Wanted::Newest(Product::Terraform);
    Contract::read(Arc::new(system.working_in("/t")), "/t", newest, Limits::default())
        .expect("the module can be read")
}

fn judged(contract: &Contract, inputs: &str) -> (Option<Verdict>, String) {
    let report = contract.judge_all(&contract.inputs().text("x.tfvars", inputs));
    (report.verdict(), render(&report, Format::Json, Style::default()))
}

#[test]
fn a_verdict_does_not_depend_on_those_before_it() {
    let contract = contract();
    for round in 0..3 {
        for (inputs, expected) in INPUTS {
            let (verdict, text) = judged(&contract, inputs);
            assert_eq!(verdict, Some(expected), "{round} {inputs}: {text}");
            assert_eq!(text, judged(&self::contract(), inputs).1, "{round} {inputs}");
            assert!(!text.contains("hunter2"), "{text}");
        }
    }
}

#[test]
fn threads_share_a_contract() {
    let contract = contract();
    thread::scope(|scope| {
        for (inputs, expected) in INPUTS.into_iter().cycle().take(40) {
            let contract = &contract;
            scope.spawn(move || assert_eq!(judged(contract, inputs).0, Some(expected), "{inputs}"));
        }
    });
}
