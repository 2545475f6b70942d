//! The questions.

use crate::Of;

/// A question that the tests can be asked at length.
#[derive(Clone, Copy, Debug)]
pub struct Question {
    pub name: &'static str,
    /// The heading of its table.
    pub group: &'static str,
    /// The question in words.
    pub asks: &'static str,
    /// The shell's commands, with `$TIMES` and `$OF`.
    pub script: &'static str,
    /// How often it is asked without `--times`; `None` if there is no such number.
    pub times: Option<usize>,
    pub of: Of,
    /// What has to be installed or takes long.
    pub needs: &'static str,
}

const SCHEMAS: &str = "Questions about schemas";
const TERRAFORM: &str = "Questions to Terraform and Go";
const POLICIES: &str = "Questions about policies, compatibility and tflint";
const ROBUSTNESS: &str = "Questions about robustness";

const fn question(group: &'static str, name: &'static str, asks: &'static str) -> Question {
    Question { name, group, asks, script: "", times: None, of: Of::Nothing, needs: "" }
}

/// Every question, in the order of the page.
pub const QUESTIONS: &[Question] = &[
    Question {
        script: "TERRASCHEMA_MODULES=$OF cargo test --test it soundness -- --nocapture",
        of: Of::Needed("DIR"),
        needs: "modules below `DIR`",
        ..question(SCHEMAS, "soundness", "Is a schema stronger than its conditions?")
    },
    Question {
        script: "TERRASCHEMA_CONDITIONS=$TIMES cargo test --profile fuzz --test outside condition::terraform",
        times: Some(1_000),
        needs: "Terraform; a minute and a half of one core for a thousand; from 20,000 on it requires 50 of each function",
        ..question(
            SCHEMAS,
            "conditions",
            "Does Terraform accept what schemas of random conditions accept, and reject the rest if they are exact?",
        )
    },
    Question {
        script: "TERRASCHEMA_FUZZ=$TIMES cargo test --profile fuzz --test it random_conditions -- --nocapture",
        times: Some(5_000),
        needs: "a minute for five thousand",
        ..question(
            SCHEMAS,
            "own-conditions",
            "The same, if the evaluator is right? Fifteen times as fast",
        )
    },
    Question {
        script: "TERRASCHEMA_MODULES=$OF cargo test --test outside consumers",
        of: Of::Maybe("DIR"),
        needs: "Node, pip, Go",
        ..question(
            SCHEMAS,
            "consumers",
            "Do Ajv, VS Code's service, check-jsonschema and `jv` judge as we do?",
        )
    },
    Question {
        script: "TERRASCHEMA_FUZZ=$TIMES cargo test --test outside javascript_engine",
        times: Some(1_000_000),
        needs: "Node",
        ..question(
            SCHEMAS,
            "javascript",
            "Does JavaScript find what RE2 finds, by our translation of a pattern?",
        )
    },
    Question {
        script: "TERRASCHEMA_FUZZ=$TIMES TERRASCHEMA_MODULES=$OF cargo test --test outside backtracking",
        times: Some(10_000),
        of: Of::Maybe("DIR"),
        needs: "Node, a quiet machine, a quarter of an hour",
        ..question(SCHEMAS, "backtracking", "Do our patterns keep an engine busy?")
    },
    Question {
        script: "TERRASCHEMA_PICTURE=$OF cargo test --test outside browser",
        of: Of::Maybe("docs/form.png"),
        needs: "Chromium, which comes by npm (`CHROMIUM=PROGRAM` names another); `--of` takes the picture in `docs/schema.md`",
        ..question(SCHEMAS, "forms", "Do forms show the authors' messages?")
    },
    Question {
        script: "TERRASCHEMA_GO_TOOL=$OF cargo test --test outside the_published_files",
        of: Of::Needed("DIR"),
        needs: "a checkout of that tool",
        ..question(SCHEMAS, "go-tool", "Do we write what the Go tool writes? CI does not ask this")
    },
    Question {
        script: "TERRASCHEMA_FORMAT=$OF cargo test --test it syntax::format -- --nocapture",
        of: Of::Needed("FILE"),
        needs: "answers of Terraform: lines of `{\"input\": …, \"output\": …}`; `null` is a refusal",
        ..question(TERRAFORM, "format", "Do we write other files as `terraform fmt` does?")
    },
    Question {
        script: "mkdir -p target/parity && (cd tests/parity && go run . \"$OF\") > target/parity/native.jsonl && \
            TERRASCHEMA_SYNTAX_DATA=target/parity cargo test --release --test it recorded_answers_native",
        of: Of::Needed("DIR"),
        needs: "Go, any `.tf`, `.tfvars` and `.hcl` files",
        ..question(TERRAFORM, "parser", "Does the parser agree with `hashicorp/hcl/v2`?")
    },
    Question {
        script: "mkdir -p target/parity && (cd tests/parity && go run . -mutants $TIMES -seed ${TERRASCHEMA_SEED:-1} \"$OF\") \
            > target/parity/native.jsonl && \
            TERRASCHEMA_SYNTAX_DATA=target/parity cargo test --release --test it recorded_answers_native",
        times: Some(20_000),
        of: Of::Needed("DIR"),
        needs: "the same",
        ..question(TERRAFORM, "parser-mutants", "And on broken files?")
    },
    Question {
        script: "(cd tests/parity && go run . -bench \"$OF\") && cargo bench --bench parse -- \"$OF\"",
        of: Of::Needed("DIR"),
        needs: "Go",
        ..question(TERRAFORM, "parser-speed", "How fast does it parse, compared with that?")
    },
    Question {
        script: "TERRASCHEMA_DIFFERENTIAL=$TIMES cargo test --test outside eval::differential",
        times: Some(20_000),
        needs: "Terraform",
        ..question(TERRAFORM, "expressions", "Do expressions agree with Terraform's?")
    },
    Question {
        script: "TERRASCHEMA_PLAN_DIFFERENTIAL=$TIMES cargo test --test outside eval::plan",
        times: Some(3_000),
        needs: "Terraform",
        ..question(TERRAFORM, "unknown-values", "And with unknown values, in a plan?")
    },
    Question {
        script: "TERRASCHEMA_YAML=$TIMES cargo test --test outside eval::yaml",
        times: Some(5_000),
        needs: "Terraform",
        ..question(TERRAFORM, "yaml", "And YAML?")
    },
    Question {
        script: "TERRASCHEMA_VERDICTS=$TIMES TERRASCHEMA_MODULES=$OF cargo test --test outside verdict::differential",
        times: Some(20_000),
        of: Of::Maybe("DIR"),
        needs: "Terraform, modules below `DIR`",
        ..question(TERRAFORM, "verdicts", "Do verdicts agree, for random inputs of real modules?")
    },
    Question {
        script: "TERRASCHEMA_GENERATED=$TIMES cargo test --test outside verdict::generated",
        times: Some(3_000),
        needs: "Terraform",
        ..question(
            TERRAFORM,
            "random-modules",
            "And for random modules, with overrides and values from every source?",
        )
    },
    Question {
        script: "TERRASCHEMA_TREES=$TIMES cargo test --test outside verdict::random_trees",
        times: Some(3_000),
        needs: "Terraform",
        ..question(TERRAFORM, "random-trees", "And for random trees of modules?")
    },
    Question {
        script: "tests/record-asked --check",
        needs: "Terraform, Go",
        ..question(
            TERRAFORM,
            "asked",
            "Does Terraform still answer about override files, imports and providers as recorded?",
        )
    },
    Question {
        script: "tests/record-trees --check",
        needs: "Terraform",
        ..question(TERRAFORM, "trees", "And about trees of modules?")
    },
    Question {
        script: "TERRASCHEMA_CASES_DATA=$OF cargo test --test it other_recorded -- --nocapture",
        of: Of::Needed("DIR"),
        needs: "a directory as `tests/cases unpack verdicts DIR` makes it",
        ..question(TERRAFORM, "cases", "And for recorded cases of another place?")
    },
    Question {
        script: "TERRASCHEMA_RELEASE=$OF cargo test --test it releases:: -- --nocapture",
        of: Of::Maybe("opentofu-1.12.6"),
        needs: "`--of` asks about all records of one release",
        ..question(TERRAFORM, "releases", "Does each release answer as recorded?")
    },
    Question {
        script: "cargo bench --bench verdict",
        needs: "Terraform",
        ..question(
            TERRAFORM,
            "verdict-speed",
            "How long does Terraform take for the same verdicts?",
        )
    },
    Question {
        script: "TERRASCHEMA_MODULES=$OF cargo test --test it policy::repositories -- --nocapture",
        of: Of::Maybe("DIR"),
        needs: "modules below `DIR`",
        ..question(
            POLICIES,
            "policy-configurations",
            "Is every module judged by its policy before a plan, and how much is known?",
        )
    },
    Question {
        script: "cargo test --test it policy::modes -- --nocapture",
        needs: "Terraform",
        ..question(
            POLICIES,
            "policy-modes",
            "Do both modes of `policy` agree on plans of random modules?",
        )
    },
    Question {
        script: "TERRASCHEMA_POLICY=$TIMES cargo test --test it policy::law -- --nocapture",
        times: Some(100_000),
        ..question(
            POLICIES,
            "policy-law",
            "Does a decided outcome of a policy hold, however unknowns turn out?",
        )
    },
    Question {
        script: "TERRASCHEMA_PAIRS=$TIMES cargo test --test it compat::random -- --nocapture",
        times: Some(2_000),
        ..question(
            POLICIES,
            "compat-pairs",
            "Does a value contradict what `compat` says about two random contracts?",
        )
    },
    Question {
        script: "cargo test --test spec -- compat",
        needs: "Terraform",
        ..question(
            POLICIES,
            "compat-witnesses",
            "Does Terraform plan each witness of `compat` with the old module, and reject it with the new one?",
        )
    },
    Question {
        script: "cargo test --features tflint --test tflint",
        needs: "tflint, which `tests/run` installs by Go",
        ..question(POLICIES, "tflint", "Does tflint report what we report?")
    },
    Question {
        script: "TERRASCHEMA_FAULTS=$TIMES cargo test --test it onward -- --nocapture",
        times: Some(10_000),
        ..question(
            ROBUSTNESS,
            "faults",
            "Does one fault hide another from `check`, or uncover it when it is fixed?",
        )
    },
    Question {
        script: "TERRASCHEMA_EDITS=$TIMES cargo test --test it lsp::edits -- --nocapture",
        times: Some(1_200),
        ..question(
            ROBUSTNESS,
            "edits",
            "Does the language server report what `check` reports, after random edits?",
        )
    },
    Question {
        script: "TERRASCHEMA_REPOSITORIES=$OF TERRASCHEMA_EDITS=$TIMES cargo test --release --test it lsp::trees -- --nocapture",
        times: Some(100_000),
        of: Of::Needed("DIR"),
        needs: "repositories below `DIR`; hours of an idle machine",
        ..question(ROBUSTNESS, "editing", "And after random work in real repositories?")
    },
    Question {
        script: "TERRASCHEMA_BOMBS=$TIMES cargo test --test it generated -- --nocapture",
        times: Some(1_000),
        needs: "a quarter of an hour",
        ..question(
            ROBUSTNESS,
            "bombs",
            "Does a condition, a block, a values file or a configuration of N parts take more than N's share of work or of the report?",
        )
    },
    Question {
        script: "git diff \"$OF\" > target/changes.diff && cargo mutants --in-diff target/changes.diff",
        of: Of::Needed("main"),
        needs: "cargo-mutants; two minutes for each mutant; `cargo mutants -f 'crates/projection/src/sets/**'` asks about whole files",
        ..question(ROBUSTNESS, "mutants", "Does a test notice a broken line?")
    },
    Question {
        script: "TERRASCHEMA_FUZZ=$TIMES cargo test --profile fuzz --test fuzz -- --nocapture",
        times: Some(1_000_000),
        ..question(ROBUSTNESS, "fuzz", "Can any input crash a parser or the evaluator?")
    },
    Question {
        script: "ASAN_OPTIONS=detect_odr_violation=0 cargo +nightly fuzz run \"${OF:-hcl}\"",
        of: Of::Maybe("hcl"),
        needs: "nightly Rust, cargo-fuzz; the script allows that libgit2 defines a table twice",
        ..question(ROBUSTNESS, "libfuzzer", "The same by libFuzzer?")
    },
];
