//! The evaluation of each node of the graph in one instance of its module.

use smol_str::SmolStr;

use super::{
    Rest, built_in, call,
    graph::Node,
    imports,
    instance::{CALL, MemberInstance},
    output,
    pass::{Inputs, Pass},
    prepare,
    repetition::Expansion,
    resource::{self, Look},
    undecided,
    validation::ValidationJudge,
};
use diagnostics::{Diagnostics, Span, has_errors};
use module::{
    Module, Variable,
    inputs::{GivenValue, SEALED_REASON, example},
};
use release::changes;
use tf_value::{Marks, Value};

/// The work of an instance of a module, and of each of its nodes. Their memory counts as work, too: some 2 KB, and 100
/// bytes.
const MODULE_INSTANCE: u64 = 300;
const MODULE_NODE: u64 = 20;

impl Pass<'_> {
    /// Evaluates a node; the diagnostics have their places among the root's files.
    pub(super) fn evaluate_in(&mut self, member: usize, index: usize, node: &Node) -> Diagnostics {
        let module = self.members.get(member).module;
        let shift = self.members.get(member).shift;
        self.host.begin(span(module, node).map(|it| it.shifted(shift)));
        let look = Look {
            is_static: self.inputs.is_static(),
            awaits: self.setting.awaits,
            goes_on: self.setting.onward.is_some(),
            waits: self.members.waits(member),
        };
        match node {
            Node::Value(name) if member == 0 => self.root_value(name),
            Node::Value(name) => self.argument(member, index, name),
            Node::Rules(name) => self.rules(member, index, name),
            Node::Call(name) => self.call(member, index, name),
            Node::Close(name) => self.close(member, index, name),
            Node::Output(name) => {
                let Some(it) = module.outputs.get(name) else { return Vec::new() };
                let here = &mut self.instances[member][index];
                let standing = match member {
                    0 if self.setting.awaits => output::Standing::Unknown,
                    0 => output::Standing::Root,
                    _ => output::Standing::Called,
                };
                let (value, found) = output::check(it, &here.values.scope(), look, standing);
                here.outputs.extend(value.map(|it| (name.clone(), it)));
                self.own(member, found)
            }
            Node::Local(name) => {
                let found = self.instances[member][index].values.local(name);
                self.own(member, found.map(|it| it.diagnostics).unwrap_or_default())
            }
            Node::Check(name) => {
                let asserts = module.checks.get(name).map(|it| it.asserts.as_slice());
                let scope = self.instances[member][index].values.scope();
                let is_static = self.inputs.is_static();
                let mut of_check =
                    module.resources.values().filter(|it| it.check.as_ref() == Some(name));
                if of_check.any(|it| built_in::fails(it, &scope, look)) {
                    return Vec::new();
                }
                let found = asserts.unwrap_or_default().iter();
                let found = found.flat_map(|it| output::assertion(it, name, &scope, is_static));
                self.own(member, found.collect())
            }
            Node::Resource(kind, name) => {
                let Some(it) = module.resources.get(&(kind.clone(), name.clone())) else {
                    return Vec::new();
                };
                let here = &mut self.instances[member][index];
                let (expansion, value, found) = resource::check(it, &here.values, look);
                let key = (kind.clone(), name.clone());
                here.expansions.extend(expansion.map(|it| (key, it)));
                if let Some(value) = value {
                    here.values.set_object(kind, name, value);
                }
                self.own(member, found)
            }
            Node::Configuration(at) => {
                let values = &self.instances[member][index].values;
                let is_static = self.inputs.is_static();
                let it = &module.configurations[*at];
                // Terraform ignores a configuration that no resource uses.
                let is_action = !it.address.starts_with("provider.");
                let is_used = is_action || self.used.contains(&(member, *at));
                let found = resource::configuration(it, values, is_used, is_static);
                self.own(member, found)
            }
            Node::Import(at) => {
                let values = &self.instances[member][index].values;
                let (targets, found) =
                    imports::check(&module.imports[*at], values, self.inputs.is_static());
                self.instances[member][index].imports.insert(*at, targets);
                self.own(member, found)
            }
        }
    }

    /// Maps diagnostics of a member's own.
    fn own(&self, member: usize, found: Diagnostics) -> Diagnostics {
        found.into_iter().map(|it| self.members.own(member, it)).collect()
    }

    /// Evaluates a variable of the root module.
    pub(super) fn root_value(&mut self, name: &SmolStr) -> Diagnostics {
        let Some(variable) = self.members.get(0).module.variables.get(name) else {
            return Vec::new();
        };
        let values = &mut self.instances[0][0].values;
        let given = match self.inputs {
            Inputs::Unknown | Inputs::Anywhere => return Vec::new(),
            Inputs::Given(given) => given.get(name),
            Inputs::Partly(given, _) if given.contains_key(name) => given.get(name),
            Inputs::Defaults | Inputs::Partly(..) => {
                let has_default = !matches!(self.inputs, Inputs::Partly(_, Rest::Unknown));
                if let Some(default) = variable.default.as_ref().filter(|_| has_default) {
                    values.set(variable, default.clone());
                } else {
                    let unknown = Value::unknown(variable.constraint.ty.without_optional());
                    values.set(variable, unknown.with_marks(Marks::UNDECIDED));
                }
                return Vec::new();
            }
        };
        match prepare::prepare(variable, given, self.setting.meter) {
            Some(Ok(value)) => {
                values.set(variable, value);
                let reason = given.and_then(|it| match *it.given {
                    GivenValue::Sealed(_) => Some(SEALED_REASON),
                    GivenValue::Example { .. } => Some(example::REASON),
                    _ => None,
                });
                if let Some(it) = reason {
                    values.set_reasons(name, vec![it.to_owned()]);
                }
                Vec::new()
            }
            Some(Err(diagnostic)) => vec![diagnostic],
            None => Vec::new(),
        }
    }

    /// Evaluates the variable of a called module.
    fn argument(&mut self, member: usize, index: usize, name: &SmolStr) -> Diagnostics {
        let it = self.members.get(member);
        let (Some(variable), Some((caller, call))) = (it.module.variables.get(name), it.caller)
        else {
            return Vec::new();
        };
        let here = &self.instances[member][index];
        let values = &self.instances[caller][here.caller].values;
        let mut given = None;
        if let Some(argument) = call.arguments.get(name) {
            let instance =
                if self.inputs.is_static() { call::any_instance() } else { here.instance.clone() };
            match call::argument(argument, variable, values, &instance) {
                Ok(it) => given = Some(it),
                Err(found) => return self.own(caller, found),
            }
        }
        let (input, reasons) = given.unzip();
        let value = prepare::prepare(variable, input.as_ref(), self.setting.meter);
        let here = &mut self.instances[member][index];
        here.inputs.extend(input.map(|it| (name.clone(), it)));
        match value {
            Some(Ok(value)) if self.inputs.is_static() => {
                here.own.insert(name.clone(), value);
                Vec::new()
            }
            Some(Ok(value)) => {
                here.values.set(variable, value);
                here.values.set_reasons(name, reasons.unwrap_or_default());
                Vec::new()
            }
            Some(Err(found)) => vec![self.members.of_variable(member, found)],
            None => Vec::new(),
        }
    }

    /// Judges the rules of a variable. In the static pass of a called module only these rules see its
    /// value.
    fn rules(&mut self, member: usize, index: usize, name: &SmolStr) -> Diagnostics {
        let it = self.members.get(member);
        let Some(variable) = it.module.variables.get(name) else { return Vec::new() };
        let is_static = self.inputs.is_static();
        if matches!(self.inputs, Inputs::Partly(..)) {
            return Vec::new();
        }
        // Findings about the module itself report what defaults do to the root's own rules.
        if matches!(self.inputs, Inputs::Defaults | Inputs::Anywhere) && member == 0 {
            return Vec::new();
        }
        let judge = ValidationJudge::new(it.module, self.host).in_pass(it.shift, is_static);
        let here = &mut self.instances[member][index];
        let value = here.own.get(name).or_else(|| here.values.variable(name));
        let passed = it.shared.map(|it| &it.passed);
        let known = passed
            .zip(value)
            .and_then(|(passed, value)| Some((passed, passed.key(it.module, variable, value)?)));
        if let Some((passed, key)) = &known
            && let Some(work) = passed.find(key)
            && self.works_again(judge, variable, &work)
        {
            return Vec::new();
        }
        let here = &mut self.instances[member][index];
        if let Some(own) = here.own.get(name).filter(|_| !variable.validations.is_empty()) {
            here.values.set(variable, own.clone());
        }
        let (mut found, mut work) = (Vec::new(), Vec::new());
        self.host.has_looked_outside();
        for validation in &variable.validations {
            if self.setting.meter.is_exhausted() {
                break;
            }
            let here = &self.instances[member][index];
            let given = match self.inputs {
                Inputs::Given(given) if member == 0 => given.get(name),
                _ => here.inputs.get(name),
            };
            let before = self.setting.meter.spent();
            let judged = judge.judge(variable, validation, given, &here.values);
            let mut diagnostics = judged.diagnostics();
            work.push(self.setting.meter.spent() - before);
            judged.add_demand(&mut diagnostics, |index| {
                let words_of = self.setting.words?;
                let words = self.words[member].get_or_init(|| words_of(it.module));
                words.demand(it.module, variable, index)
            });
            let is_last = self.setting.onward.is_none()
                && self.setting.release.has(&changes::FIRST_RULE_ONLY)
                && has_errors(&diagnostics);
            found.extend(diagnostics);
            if is_last {
                break;
            }
        }
        if let Some((passed, key)) = known
            && found.is_empty()
            && work.len() == variable.validations.len()
            && !self.host.has_looked_outside()
        {
            passed.keep(key, work);
        }
        if self.instances[member][index].own.contains_key(name) {
            self.instances[member][index].values.forget(name);
        }
        found.into_iter().map(|it| self.members.of_variable(member, it)).collect()
    }

    /// Charges the work of rules as if they were evaluated; returns whether the budget allows it. The
    /// cost of a verdict must not depend on earlier verdicts.
    fn works_again(&self, judge: ValidationJudge<'_>, variable: &Variable, work: &[u64]) -> bool {
        variable.validations.iter().zip(work).all(|(validation, work)| {
            judge.begin(validation);
            self.setting.meter.spend(*work).is_ok()
        })
    }

    /// Ends a call: for a module that is not here this reports what the caller alone shows. What refers to the module
    /// does not wait for it, because only the module knows which arguments its outputs depend on.
    fn close(&self, member: usize, index: usize, name: &SmolStr) -> Diagnostics {
        let here = &self.instances[member][index];
        let expansion = here.expansions.get(&(CALL, name.clone()));
        let call = self.members.get(member).module.calls.get(name);
        let (Some(expansion), Some(call), None) =
            (expansion, call, self.members.called(member, name))
        else {
            return Vec::new();
        };
        let is_static = self.inputs.is_static();
        self.own(member, call::arguments_of_absent(call, expansion, &here.values, is_static))
    }

    /// Expands a call: makes the instances of the called module.
    fn call(&mut self, member: usize, index: usize, name: &SmolStr) -> Diagnostics {
        let Some(call) = self.members.get(member).module.calls.get(name) else {
            return Vec::new();
        };
        let is_static = self.inputs.is_static();
        let called = self.members.called(member, name);
        let values = &self.instances[member][index].values;
        let (expansion, mut found) = call::expand(call, values, is_static);
        if let (Some(onward), Some(called)) = (self.setting.onward, called) {
            let called = self.members.get(called);
            let uncertain = &onward.distrust(&called).variables;
            let is_judged = |name: &SmolStr| {
                called.module.variables.contains_key(name) && !uncertain.contains_key(name)
            };
            found.extend(call::other_arguments(call, is_judged, values));
        }
        let address = format!("module.{name}");
        let open = expansion.as_ref();
        let open = open.and_then(|it| undecided::expansion(it, &address, call.span, is_static));
        found.extend(open);
        let found = self.own(member, found);
        let expansion = match (expansion, self.inputs) {
            (expansion, Inputs::Partly(..)) => Expansion::for_reports(expansion, &call.repetition),
            (Some(expansion), _) => expansion,
            // One instance is judged, however many there should be.
            (None, _) if self.setting.onward.is_some() => {
                Expansion::Open { is_count: call.repetition.count.is_some(), reasons: Vec::new() }
            }
            (None, _) => return found,
        };
        if let Some(called) = called {
            let to = self.members.get(called);
            // The nodes of the called module are visited for each instance.
            let nodes =
                to.module.variables.len() + to.module.locals.len() + to.module.outputs.len();
            for instance in expansion.instances(is_static) {
                if !self.setting.meter.charge(MODULE_INSTANCE + MODULE_NODE * nodes as u64) {
                    break;
                }
                let mut new = MemberInstance::new(to, self.setting, self.host);
                if !is_static && self.setting.has_checked_references() {
                    new.values = new.values.checked();
                }
                if matches!(self.inputs, Inputs::Partly(..)) {
                    new.values = new.values.following_written();
                }
                new.caller = index;
                new.instance = instance;
                new.doubt.clone_from(&self.instances[member][index].doubt);
                if let (Expansion::Open { reasons, .. }, false) = (&expansion, is_static)
                    && !has_errors(&found)
                {
                    new.doubt.get_or_insert_with(Vec::new).extend(reasons.iter().cloned());
                }
                self.instances[called].push(new);
            }
        }
        self.instances[member][index].expansions.insert((CALL, name.clone()), expansion);
        found
    }
}

/// The block that a node's work is charged to, in addition to the module. Each rule is charged by itself.
fn span(module: &Module, node: &Node) -> Option<Span> {
    match node {
        Node::Value(_) | Node::Rules(_) => None,
        _ => node.span(module),
    }
}
