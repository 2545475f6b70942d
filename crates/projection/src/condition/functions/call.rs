//! A call as its reader gets it, and the result of a call without a reader.

use crate::{
    condition::{
        context::{Context, Folded},
        outcomes,
        symbolic::{Cases, Known, Term},
        types,
    },
    sets::{Extent, Reason},
};
use diagnostics::Span;
use hcl::Ident;
use tf_eval::functions::{Domain, Function, KnownArgument, ReturnType, Ty, result_type};
use tf_value::{Type, Value};

/// The most combinations of arguments' cases that are read one by one.
const MOST: usize = 64;

/// A call with as many arguments as the function takes, of types that it does not always refuse.
pub struct Call<'c, 'm> {
    pub function: &'static Function,
    pub args: &'c [Cases<'m>],
    pub span: Span,
    pub context: &'c Context<'m>,
    /// The arguments for which the function returns a value, judging by their types.
    pub domain: Domain,
}

impl<'m> Call<'_, 'm> {
    pub fn name(&self) -> &'static str {
        self.function.name
    }

    /// The result for constant arguments.
    pub fn of_constants(&self, values: &[Value]) -> Cases<'m> {
        let name = Ident { name: self.name().into(), span: self.span };
        match self.context.fold_call(&name, values, self.span) {
            Folded::Value(value) => Cases::constant(value),
            Folded::Error => Cases::failure(),
            Folded::Unclear => self.untranslated(),
        }
    }

    /// The result if this argument is the constant; `None` if another argument is not constant.
    pub fn of_constant(&self, index: usize, constant: &Value) -> Option<Cases<'m>> {
        let value = |(at, it): (usize, &Cases<'m>)| {
            if at == index { Some(constant.clone()) } else { it.as_constant().cloned() }
        };
        let values: Vec<Value> = self.args.iter().enumerate().map(value).collect::<Option<_>>()?;
        Some(self.of_constants(&values))
    }

    /// The result of a call whose arguments its reader does not translate.
    pub fn untranslated(&self) -> Cases<'m> {
        self.opaque(Reason::CallWithThese(self.name().into()))
    }

    /// A result that is unknown except for its type and its presence, if the argument types show these.
    pub fn opaque(&self, reason: Reason) -> Cases<'m> {
        let nulls = match &self.domain {
            Domain::Total => &[],
            Domain::FailsOnNull(nulls) => nulls.as_slice(),
            Domain::Always => return Cases::failure(),
            Domain::Partial => return Cases::unknown(self.reason(reason), self.span),
        };
        let (mut ok, mut error) = (Extent::everything(), Extent::nothing());
        for (index, arg) in self.args.iter().enumerate() {
            error = error.or(outcomes::failing(arg, self.context));
            if !nulls.contains(&index) {
                ok = ok.and(outcomes::defined(arg, self.context));
                continue;
            }
            let there = arg
                .list
                .iter()
                .map(|(guard, term)| guard.clone().and(outcomes::there(term, self.context)));
            let null = arg.list.iter().map(|(guard, term)| guard.clone().and(outcomes::null(term)));
            ok = ok.and(Extent::any(there));
            error = error.or(Extent::any(null));
        }
        let known = Known { ty: self.result(), null: self.may_be_null() };
        let term = Term::Unknown(self.reason(reason), self.span, Some(known));
        Cases { list: vec![(ok, term)], error }
    }

    /// An argument that is not translated is a better reason than the call.
    fn reason(&self, reason: Reason) -> Reason {
        let terms = self.args.iter().flat_map(|it| &it.list);
        let mut unknown = terms.filter_map(|(_, term)| match term {
            Term::Unknown(reason, _, None) => Some(reason.clone()),
            _ => None,
        });
        unknown.next_back().unwrap_or(reason)
    }

    /// The type of the result; `Dynamic` where it is not known.
    pub fn result(&self) -> Type {
        let terms: Vec<_> = self.args.iter().map(single).collect::<Option<_>>().unwrap_or_default();
        if terms.len() != self.args.len() {
            return Type::Dynamic;
        }
        let args: Vec<KnownArgument> =
            terms.into_iter().map(|it| types::argument(it, self.context)).collect();
        let releases = self.context.releases.to_ask_of(self.name()).last().copied();
        releases.map_or(Type::Dynamic, |it| result_type(self.function, it, &args))
    }

    fn may_be_null(&self) -> bool {
        match self.function.returns {
            ReturnType::Fixed(ty) => matches!(ty, Ty::Any),
            ReturnType::Of(_) | ReturnType::OfRelease(_) => true,
        }
    }
}

fn single<'t, 'm>(cases: &'t Cases<'m>) -> Option<&'t Term<'m>> {
    if let [(_, term)] = cases.list.as_slice() { Some(term) } else { None }
}

/// One case of each argument: where it holds, the arguments, and the call's domain.
pub struct Combination<'m> {
    pub guard: Extent,
    pub args: Vec<Cases<'m>>,
    pub domain: Domain,
}

/// The call's domain if each argument has one case; `None` if an argument has several.
pub fn only_domain<'m>(
    function: &'static Function,
    args: &[Cases<'m>],
    context: &Context<'m>,
) -> Option<Domain> {
    let terms: Vec<&Term<'m>> = args.iter().map(single).collect::<Option<_>>()?;
    let arguments: Vec<KnownArgument> =
        terms.iter().map(|term| types::argument(term, context)).collect();
    let is_impossible = args.iter().flat_map(|it| &it.list).any(|(guard, _)| guard.is_nothing());
    Some(if is_impossible {
        Domain::Always
    } else {
        domain_of(function, &terms, &arguments, context)
    })
}

/// The domain for these types. A list that a `for` gave its elements may be empty, and then converts to whatever
/// the function takes: `anytrue(distinct([for it in var.x : [it]]))` is false for an empty x.
fn domain_of<'m>(
    function: &'static Function,
    terms: &[&Term<'m>],
    arguments: &[KnownArgument],
    context: &Context<'m>,
) -> Domain {
    let domain = context.releases.domain(function, arguments);
    if domain != Domain::Always {
        return domain;
    }
    let or_empty = |(term, argument): (&&Term<'m>, &KnownArgument)| {
        let is_told = matches!(argument, KnownArgument::OneOf(_));
        if is_told || !types::may_lack_elements(term, context) {
            return argument.clone();
        }
        let empty =
            [Type::tuple(Vec::new()), Type::list(Type::Dynamic)].map(KnownArgument::not_null);
        KnownArgument::OneOf(vec![argument.clone(), empty[0].clone(), empty[1].clone()])
    };
    let arguments: Vec<KnownArgument> = terms.iter().zip(arguments).map(or_empty).collect();
    context.releases.domain(function, &arguments)
}

/// All combinations of the arguments' cases; `None` for too many.
pub fn combinations<'m>(
    function: &'static Function,
    args: &[Cases<'m>],
    context: &Context<'m>,
) -> Option<Vec<Combination<'m>>> {
    let count = args.iter().map(|it| it.list.len()).fold(1, usize::saturating_mul);
    if count > MOST {
        return None;
    }
    let typed: Vec<Vec<KnownArgument>> = args
        .iter()
        .map(|it| it.list.iter().map(|(_, term)| types::argument(term, context)).collect())
        .collect();
    let mut out = Vec::with_capacity(count);
    for number in 0..count {
        let mut rest = number;
        let mut guard = Extent::everything();
        let (mut chosen, mut arguments) = (Vec::new(), Vec::new());
        for (arg, typed) in args.iter().zip(&typed) {
            let index = rest % arg.list.len();
            rest /= arg.list.len();
            let (it, term) = arg.list.get(index)?;
            guard = guard.and(it.clone());
            chosen.push(Cases::one(term.clone()));
            arguments.push(typed.get(index)?.clone());
        }
        if !guard.is_nothing() {
            let terms: Vec<&Term<'m>> = chosen.iter().filter_map(single).collect();
            let domain = domain_of(function, &terms, &arguments, context);
            out.push(Combination { guard, args: chosen, domain });
        }
    }
    Some(out)
}
