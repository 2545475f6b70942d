//! The reader of one file's blocks, and of arguments that many blocks share.

use super::{
    LoadOptions, ProviderReference, RequiredVersion, admitted,
    constant::{evaluate_constant, primitive},
    file::Demand,
};
use diagnostics::{Diagnostic, Diagnostics, Lint, Role, Span, lints};
use hcl::{
    Expr,
    config::{BodyContent, BodySchema, ConfigAttribute, ConfigBlock, ConfigBody},
};
use release::LanguageChange;
use tf_eval::Meter;
use tf_value::{
    Type, Value,
    typeexpr::{self, Constraint},
};

/// Reads the blocks of one file and collects their errors.
pub(super) struct BlockReader<'a> {
    pub options: &'a LoadOptions,
    pub meter: &'a Meter,
    pub is_override: bool,
    /// Whether only OpenTofu reads the file.
    pub is_of_tofu: bool,
    /// The rule of the diagnostics: `invalid-variable` inside a `variable` block.
    pub rule: &'static Lint,
    pub diagnostics: Diagnostics,
    /// Uses of features that some release introduced, whether or not the chosen release has them.
    pub features: Vec<(&'static LanguageChange, Span)>,
    pub provider_references: Vec<ProviderReference>,
}

impl<'a> BlockReader<'a> {
    pub fn new(options: &'a LoadOptions, meter: &'a Meter, is_override: bool) -> Self {
        BlockReader {
            options,
            meter,
            is_override,
            is_of_tofu: false,
            rule: &lints::INVALID_MODULE,
            diagnostics: Vec::new(),
            features: Vec::new(),
            provider_references: Vec::new(),
        }
    }

    /// Runs `read` inside `variable` blocks, where every problem is an `invalid-variable`.
    pub fn of_variables<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.rule, &lints::INVALID_VARIABLE);
        let result = read(self);
        self.rule = outer;
        result
    }

    pub fn error(&mut self, summary: &str, detail: impl Into<String>, span: Span) {
        let diagnostic = Diagnostic::new(self.rule, summary).detail(detail);
        self.diagnostics.push(diagnostic.at(Role::Declaration, span));
    }

    /// Reads a body against a schema. An argument or block outside of the schema is an
    /// `unsupported-argument`; other errors have the reader's rule.
    pub fn content<'b>(&mut self, body: ConfigBody<'b>, schema: &BodySchema) -> BodyContent<'b> {
        let (content, problems) = body.content(schema);
        self.add(problems);
        content
    }

    /// Takes over diagnostics of the syntax layer.
    pub fn add(&mut self, problems: Diagnostics) {
        let rule = self.rule;
        self.diagnostics.extend(problems.into_iter().map(|it| {
            let is_unsupported = it.rule == lints::UNSUPPORTED_ARGUMENT;
            if is_unsupported { it } else { Diagnostic { rule: rule.into(), ..it } }
        }));
    }

    /// The value of an argument as written: in JSON, strings are text.
    pub fn literal(&mut self, argument: &ConfigAttribute<'_>) -> Expr {
        let (expr, problems) = argument.literal();
        self.add(problems);
        expr.into_owned()
    }

    /// The value of an argument that is evaluated: in JSON, strings are templates.
    pub fn expression(&mut self, argument: &ConfigAttribute<'_>) -> Expr {
        let (expr, problems) = argument.expression();
        self.add(problems);
        expr.into_owned()
    }

    /// A constant of any type; `None` when there is a diagnostic.
    pub fn constant(&mut self, expr: &Expr) -> Option<Value> {
        let (value, problems) =
            evaluate_constant(expr, self.rule, self.options.release, self.meter);
        let is_sound = problems.is_empty();
        self.diagnostics.extend(problems);
        is_sound.then_some(value)
    }

    /// A constant bool, as `sensitive` takes it.
    pub fn bool(&mut self, argument: Option<&ConfigAttribute<'_>>) -> Option<bool> {
        self.primitive(argument, &Type::Bool)?.as_bool()
    }

    /// A constant string, as `description` takes it.
    pub fn string(&mut self, argument: Option<&ConfigAttribute<'_>>) -> Option<String> {
        self.primitive(argument, &Type::String)?.as_str().map(ToOwned::to_owned)
    }

    /// Reports an argument that the chosen Terraform does not know yet. It is read anyway.
    pub fn since(
        &mut self,
        argument: Option<&ConfigAttribute<'_>>,
        change: &'static LanguageChange,
    ) {
        let Some(argument) = argument else { return };
        self.came_with(change, &format!("\"{}\"", argument.name.name), argument.name.span);
    }

    /// Reports a block that the chosen release does not know yet. It is read anyway.
    pub fn block_since(&mut self, block: &ConfigBlock<'_>, change: &'static LanguageChange) {
        let what = format!("blocks of type \"{}\"", block.kind.name);
        self.says_since(change, "Unsupported block type", &what, block.kind.span);
    }

    /// Reports a feature that the chosen Terraform does not know yet.
    pub fn came_with(&mut self, change: &'static LanguageChange, what: &str, span: Span) {
        self.says_since(change, "Unsupported argument", what, span);
    }

    /// Notes the use of a feature that some release introduced.
    pub fn uses(&mut self, change: &'static LanguageChange, span: Span) {
        self.features.push((change, span));
    }

    fn says_since(
        &mut self,
        change: &'static LanguageChange,
        summary: &str,
        what: &str,
        span: Span,
    ) {
        self.uses(change, span);
        let release = self.options.release;
        if release.has(change) {
            return;
        }
        let diagnostic = Diagnostic::new(&lints::UNSUPPORTED_ARGUMENT, summary);
        let came = change.since(release.product());
        let detail = format!("{release} does not know {what}, which {came}.");
        self.diagnostics.push(diagnostic.detail(detail).at(Role::Declaration, span));
    }

    /// A type constraint.
    pub fn type_constraint(&mut self, argument: &ConfigAttribute<'_>) -> Constraint {
        let (expr, mut problems) = argument.static_expression();
        if let Some(hcl::json::ValueKind::String(text)) = argument.json_value().map(|it| &it.kind)
            && text.starts_with("${")
        {
            let help = "Write a type in JSON without ${ }, such as \"string\".";
            problems.iter_mut().for_each(|it| it.help = Some(help.to_owned()));
        }
        self.add(problems);
        let (rule, release, meter) = (self.rule, self.options.release, self.meter);
        #[allow(clippy::result_large_err, reason = "as the type layer takes it")]
        let fold = |expr: &Expr| {
            let (value, problems) = evaluate_constant(expr, rule, release, meter);
            problems.into_iter().next().map_or(Ok(value), Err)
        };
        let (constraint, problems) = typeexpr::parse_type(&expr, &fold);
        self.diagnostics.extend(problems);
        constraint
    }

    /// A `required_version`; `None` when it is malformed.
    pub fn required_version(&mut self, argument: &ConfigAttribute<'_>) -> Option<Demand> {
        let (expr, span) = (self.literal(argument), argument.value_span());
        if self.constant(&expr)?.is_null() {
            return Some(Demand::Nothing);
        }
        let text = self.string(Some(argument))?;
        let problem = admitted::check_syntax(&text, span);
        let is_sound = problem.is_none();
        self.diagnostics.extend(problem);
        let is_of_tofu = self.is_of_tofu;
        is_sound.then_some(Demand::Version(RequiredVersion { text, span, is_of_tofu }))
    }

    fn primitive(&mut self, argument: Option<&ConfigAttribute<'_>>, ty: &Type) -> Option<Value> {
        let (expr, problems) = argument?.literal();
        self.add(problems);
        primitive(&expr, ty, self.rule, self.options.release, self.meter, &mut self.diagnostics)
    }
}
