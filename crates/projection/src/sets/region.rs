//! The values for which an expression is true, or for which it is false.

use std::fmt;

use super::ValueSet;
use crate::sets::assignments::joined;
use diagnostics::Span;
use hcl::BinaryOp;
use re2::ecma::Untranslatable;
use smol_str::SmolStr;

/// Why a region is larger than the set of values that it represents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    pub reason: Reason,
    /// The part of the condition that it is about.
    pub span: Span,
}

/// A set of values that holds *at least* the values with some property. It is exact if nothing was lost; it is
/// never too small.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    /// Whether null is in.
    pub null: bool,
    /// The values other than null.
    pub values: ValueSet,
    pub losses: Vec<Loss>,
}

impl Region {
    pub fn new(null: bool, values: ValueSet) -> Region {
        Region { null, values, losses: Vec::new() }
    }

    /// Every value, null included.
    pub fn everything() -> Region {
        Region::new(true, ValueSet::Anything)
    }

    /// No value.
    pub fn nothing() -> Region {
        Region::new(false, ValueSet::Nothing)
    }

    /// Every value, because nothing better is known.
    pub fn unknown(reason: Reason, span: Span) -> Region {
        Region::everything().losing(reason, span)
    }

    /// The same region, marked as possibly too large.
    pub fn losing(mut self, reason: Reason, span: Span) -> Region {
        self.losses.push(Loss { reason, span });
        self
    }

    pub fn and(self, other: Region) -> Region {
        let values = ValueSet::all([self.values, other.values]);
        if values == ValueSet::Nothing {
            // An empty intersection is exact, even if its parts are too large.
            return Region::new(self.null && other.null, values);
        }
        Region { null: self.null && other.null, values, losses: joined(self.losses, other.losses) }
    }

    pub fn or(self, other: Region) -> Region {
        let values = ValueSet::either([self.values, other.values]);
        let losses = joined(self.losses, other.losses);
        Region { null: self.null || other.null, values, losses }
    }

    pub fn is_exact(&self) -> bool {
        self.losses.is_empty()
    }
}

// Why a region is larger than the set that it represents.

/// The part of a condition that was lost. Shown, it is a part of a sentence, such as "a comparison of two
/// values that are no constants".
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    // Differences between releases.
    /// Some releases see a failure that others do not: `var.x == null || var.x > 1` fails for null in
    /// Terraform 1.11.
    HangsOnRelease,
    /// No release that runs the module hides the failure.
    BeforeKleene,
    /// `format("%s", null)` fails in some releases.
    FormatOfNull,
    PatternByRelease,

    // Limits, and parts that the schema does not have.
    TooLong,
    TooManyCases,
    RefusedRule,
    /// The schema takes null for an element where one is null in the variable's own default: `["a", null]`.
    NullInDefault,
    VariableLeftOut,
    UnjudgedDefault,
    /// The option `basic` names other forms.
    BeyondBasic,
    /// A condition that contains the default of a sensitive or ephemeral variable.
    Secret,

    // Expressions.
    OtherReference,
    Template,
    Negation,
    OtherConstant,
    InvalidExpression,
    BranchesOfTwoTypes,
    ErrorMessage,
    AsCondition(ExpressionKind),

    // Parts of a value: attributes, indexes, keys.
    AttributeOf(ExpressionKind),
    AttributeOfConstant,
    PartOfAny,
    IndexInto(ExpressionKind),
    IndexIntoConstant,
    ComputedIndex,
    FractionalIndex,
    FarElement,
    ComputedKey,

    // Loops.
    LoopOver(ExpressionKind),
    LoopOverConstant,
    LoopOverType,
    SplatOver(ExpressionKind),
    FlattenOfAny,
    ElementIndex,
    NoElement,
    Element,
    ElementNoText,
    NullElement,
    FilterOfNothing,
    ForKey,
    EqualKeys,
    OutsideOfElements,
    UniquePart,

    // Comparisons and arithmetic.
    Comparison,
    ComparisonOf(ExpressionKind),
    ComparisonOfConstants,
    /// Of two values; neither is a constant.
    ComparisonOfTwo,
    ComparisonOfLengths,
    ComparisonOfLists,
    WholeCollections,
    ConvertedElements,
    ComputedLimit,
    LengthWithoutNumber,
    RemainderWithNumber,
    LettersBeyondAscii,
    /// JSON readers hold numbers in doubles.
    RoundedNumber,
    ArithmeticWithConstants,
    Arithmetic {
        op: BinaryOp,
        /// Whether one side is a constant.
        constant: bool,
    },
    SumOfValues,
    SumOfLengths,
    Tally,

    // Conversions.
    Converted,
    ConversionToBool,
    ConversionToNumber,
    ConversionToString,
    CollectionAsString,

    // Calls.
    Call(SmolStr),
    CallWithThese(SmolStr),
    CallOver(SmolStr, ExpressionKind),
    ExpandedArgument,
    Result,
    UnlikeDefault,
    MembershipOf(ExpressionKind),
    MembershipInConstant,
    LengthOfType,
    LengthOfList,

    // Texts.
    /// A text that the function of this name reads.
    TextReadBy(SmolStr),
    AddressPart,
    ComputedPattern,
    Pattern(Untranslatable),
    RegexOver(ExpressionKind),
    RegexOverConverted,
    MatchCount,
    ComputedSeparator,
    LongSeparator,
    ComputedPart,
    PartCount,
    Parts,
    PartOfString,
    NumberSpelled,
    NumberWithExponent,
    NumberText,
    LettersInEitherCase,
    WithoutWhiteSpace,
    WithoutCharacters,
    WithoutEnd,
    Reversed,
}

impl fmt::Display for Reason {
    #[expect(clippy::too_many_lines, reason = "a sentence for each reason")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::HangsOnRelease => {
                "a failure that && and || hide from Terraform 1.12 and OpenTofu 1.10 on"
            }
            Reason::BeforeKleene => {
                "a failure next to && and ||, which the releases that run this module do not hide"
            }
            Reason::FormatOfNull => "format() of null, which fails only in some releases",
            Reason::PatternByRelease => "a pattern that releases of Terraform read differently",

            Reason::TooLong => "a condition that takes too long to read",
            Reason::TooManyCases => "a combination of too many cases",
            Reason::NullInDefault => "an element that is null in the variable's own default",
            Reason::RefusedRule => "a rule that Terraform refuses for every value",
            Reason::VariableLeftOut => "a variable that the schema leaves out",
            Reason::BeyondBasic => "a form that the option `basic` does not include",
            Reason::Secret => {
                "a condition that contains the default of a sensitive or ephemeral variable"
            }
            Reason::UnjudgedDefault => "the default of an attribute that cannot be judged",

            Reason::OtherReference => "a reference to something other than the variable",
            Reason::Template => "a template",
            Reason::Negation => "a negation (`-`)",
            Reason::OtherConstant => "this constant",
            Reason::InvalidExpression => "an invalid expression",
            Reason::BranchesOfTwoTypes => "a conditional with branches of two types",
            Reason::ErrorMessage => "an error message that may fail",
            Reason::AsCondition(form) => return write!(f, "{form} as a condition"),

            Reason::AttributeOf(form) => return write!(f, "an attribute of {form}"),
            Reason::AttributeOfConstant => "an attribute of a constant of this type",
            Reason::PartOfAny => "an attribute or index of a value of any type",
            Reason::IndexInto(form) => return write!(f, "an index into {form}"),
            Reason::IndexIntoConstant => "an index into a constant that is not a list",
            Reason::ComputedIndex => "an index that is not a constant",
            Reason::FractionalIndex => "an index that is not a whole number",
            Reason::FarElement => "an element far from the first",
            Reason::ComputedKey => "a key that is not a constant",

            Reason::LoopOver(form) => return write!(f, "a loop over {form}"),
            Reason::LoopOverConstant => "a loop over a constant of this type",
            Reason::LoopOverType => "a loop over a value of this type",
            Reason::SplatOver(form) => return write!(f, "a splat over {form}"),
            Reason::FlattenOfAny => "`flatten` of a value of any type",
            Reason::ElementIndex => "the index of an element",
            Reason::NoElement => "an element of an empty list",
            Reason::Element => "an element",
            Reason::ElementNoText => "an element that may not be a string",
            Reason::NullElement => "an element that is null",
            Reason::FilterOfNothing => "a filter that fails even without elements",
            Reason::ForKey => "the key of a `for`",
            Reason::EqualKeys => "keys of a `for` that may be equal",
            Reason::OutsideOfElements => "elements compared with something outside of them",
            Reason::UniquePart => "the uniqueness of a part of each element",

            Reason::Comparison => "a comparison of this kind",
            Reason::ComparisonOf(form) => {
                return write!(f, "a comparison of {form} with a constant");
            }
            Reason::ComparisonOfConstants => "a comparison of these constants",
            Reason::ComparisonOfTwo => "a comparison of two values that are not constants",
            Reason::ComparisonOfLengths => "a comparison of two lengths",
            Reason::ComparisonOfLists => "a comparison of two computed lists",
            Reason::WholeCollections => "a comparison of whole collections or objects",
            Reason::ConvertedElements => "a comparison of elements that may have been converted",
            Reason::ComputedLimit => "a limit that is not a constant number",
            Reason::LengthWithoutNumber => {
                "a length compared with something other than a \
                constant number"
            }
            Reason::RemainderWithNumber => "a comparison of a remainder (`%`) with this number",
            Reason::LettersBeyondAscii => "a comparison of letters in either case beyond ASCII",
            Reason::RoundedNumber => "a number that JSON readers round to a double",
            Reason::ArithmeticWithConstants => "arithmetic with these constants",
            Reason::Arithmetic { op, constant } => {
                let sides =
                    if *constant { "a variable on one side" } else { "variables on both sides" };
                return write!(f, "a {} (`{}`) with {sides}", result(*op), op.as_str());
            }
            Reason::SumOfValues => "a sum of values",
            Reason::SumOfLengths => "a sum of lengths",
            Reason::Tally => "the number of counted elements",

            Reason::Converted => "a value that is converted to another type",
            Reason::ConversionToBool => "a conversion to bool",
            Reason::ConversionToNumber => "a conversion to number",
            Reason::ConversionToString => "a conversion to string",
            Reason::CollectionAsString => "a collection instead of a string",

            Reason::Call(name) => return write!(f, "a call of `{name}`"),
            Reason::CallWithThese(name) => {
                return write!(f, "a call of `{name}` with these arguments");
            }
            Reason::CallOver(name, form) => return write!(f, "a call of `{name}` over {form}"),
            Reason::ExpandedArgument => "a call with an expanded argument",
            Reason::Result => "the result of a function",
            Reason::UnlikeDefault => "a default next to elements of any type",
            Reason::MembershipOf(form) => return write!(f, "membership of {form}"),
            Reason::MembershipInConstant => "membership in a constant that is not a list",
            Reason::LengthOfType => "the length of a value of this type",
            Reason::LengthOfList => "the length of a computed list",

            Reason::TextReadBy(name) => return write!(f, "a text that `{name}` reads"),
            Reason::AddressPart => "a part of an address range that must exist",
            Reason::ComputedPattern => "a pattern that is not a constant",
            Reason::Pattern(why) => {
                return write!(f, "a pattern that a schema cannot express ({why})");
            }
            Reason::RegexOver(form) => return write!(f, "a regular expression over {form}"),
            Reason::RegexOverConverted => "a regular expression over a value converted to string",
            Reason::MatchCount => "the number of matches",
            Reason::ComputedSeparator => "a separator that is not a constant",
            Reason::LongSeparator => "a separator of several characters",
            Reason::ComputedPart => "a part of a string that is not a constant",
            Reason::PartCount => "the number of parts of a string",
            Reason::Parts => "the parts of a string",
            Reason::PartOfString => "a part of a string",
            Reason::NumberSpelled => "a number in a string",
            Reason::NumberWithExponent => "a number with an exponent in a string",
            Reason::NumberText => "the text of a number",
            Reason::LettersInEitherCase => "letters in either case",
            Reason::WithoutWhiteSpace => "a string without the white space around it",
            Reason::WithoutCharacters => "a string without the characters around it",
            Reason::WithoutEnd => "a string without a prefix or suffix",
            Reason::Reversed => "a string read from its end",
        })
    }
}

/// The name of the operator's result.
fn result(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "sum",
        BinaryOp::Subtract => "difference",
        BinaryOp::Multiply => "product",
        BinaryOp::Divide => "quotient",
        _ => "remainder",
    }
}

/// The kind of value that an expression gives: `length(var.x)` is a length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpressionKind {
    Constant,
    Value,
    Condition,
    ComputedList,
    Object,
    Length,
    Matches,
    SplitString,
    Rounded,
    Remainder,
    SumOfConditionals,
    SumOfLengths,
}

impl fmt::Display for ExpressionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ExpressionKind::Constant => "a constant",
            ExpressionKind::Value => "a value",
            ExpressionKind::Condition => "a condition",
            ExpressionKind::ComputedList => "a computed list",
            ExpressionKind::Object => "an object",
            ExpressionKind::Length => "a length",
            ExpressionKind::Matches => "a list of matches",
            ExpressionKind::SplitString => "a split string",
            ExpressionKind::Rounded => "a rounded number",
            ExpressionKind::Remainder => "a remainder (`%`)",
            ExpressionKind::SumOfConditionals => "a sum of conditionals",
            ExpressionKind::SumOfLengths => "a sum of lengths",
        })
    }
}
