//! What can be chosen about the printed text, and parts of it that a user prints.
use crate::ast::node::{AstNode, ForLoop};
use crate::expressions::expression::AstExpr;
use crate::places::place::Place;
use loopwright_presburger::Space;
use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};

/// The options of the C text; names and defaults are isl's.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PrintOptions {
    /// The type of iterators.
    pub iterator_type: Cow<'static, str>,
    /// Put braces around every body, also around a single statement.
    pub always_print_block: bool,
    /// Put braces around the whole text if it is more than one statement.
    pub print_outermost_block: bool,
}

impl PrintOptions {
    /// isl's defaults.
    pub const STANDARD: PrintOptions = PrintOptions {
        iterator_type: Cow::Borrowed("int"),
        always_print_block: false,
        print_outermost_block: true,
    };
}

/// [`PrintOptions::STANDARD`].
impl Default for PrintOptions {
    fn default() -> Self {
        PrintOptions::STANDARD
    }
}

/// Parts of the text that a user prints; none leaves a part to the printer.
///
/// ```
/// use loopwright_astgen::{AstExpr, CText, ForLoop, Options, Place, Printer, generate_from_map};
/// use loopwright_presburger::{Budget, PwMultiAff, Set, Space, UnionMap};
/// /// Prints assignments for statements, and a pragma before outermost loops.
/// struct Assignments;
/// impl Printer for Assignments {
///     fn user(&self, _: &Space, _: &[AstExpr], place: &Place) -> Option<String> {
///         let element = PwMultiAff::parse("{ S[i] -> A[(i + 1)] }").ok()?;
///         Some(format!("{} = 0;", place.access(&element).ok()?))
///     }
///     fn before_for(&self, each: &ForLoop) -> Option<String> {
///         (each.dimension == 0).then(|| "#pragma ivdep".to_string())
///     }
/// }
/// let schedule = UnionMap::parse("[n] -> { S[i] -> [i] : 0 <= i < n }")?;
/// let (context, none) = (Set::parse("{ : }")?, UnionMap::empty());
/// let budget = Budget::steps(1_000_000);
/// let ast = generate_from_map(&schedule, &context, &none, &Options::STANDARD, &budget)?;
/// let expected = "\
/// #pragma ivdep
/// for (int c0 = 0; c0 < n; c0 += 1)
///   A[c0 + 1] = 0;
/// ";
/// assert_eq!(CText::new(&ast).with_printer(&Assignments).to_string(), expected);
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
pub trait Printer {
    /// The text of a user node, without a line break at the end.
    fn user(&self, statement: &Space, arguments: &[AstExpr], place: &Place) -> Option<String> {
        let _ = (statement, arguments, place);
        None
    }

    /// The text of a loop's head, such as `for (int c0 = 0; c0 < n; c0 += 1)`.
    fn for_head(&self, each: &ForLoop) -> Option<String> {
        let _ = each;
        None
    }

    /// A line before a loop.
    fn before_for(&self, each: &ForLoop) -> Option<String> {
        let _ = each;
        None
    }
}

/// A printer that prints nothing by itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoPrinter;

impl Printer for NoPrinter {}

/// The C text of a tree, without definitions of the macros that it uses.
#[derive(Clone, Copy)]
pub struct CText<'a> {
    pub(crate) ast: &'a AstNode,
    pub(crate) options: &'a PrintOptions,
    pub(crate) printer: &'a dyn Printer,
}

impl<'a> CText<'a> {
    /// The usual text.
    pub fn new(ast: &'a AstNode) -> Self {
        CText { ast, options: &PrintOptions::STANDARD, printer: &NoPrinter }
    }

    /// With options.
    ///
    /// ```
    /// use loopwright_astgen::{CText, Options, PrintOptions, generate_from_map};
    /// use loopwright_presburger::{Budget, Set, UnionMap};
    /// let schedule = UnionMap::parse("[n] -> { S[i] -> [i] : 0 <= i < n }")?;
    /// let (context, none) = (Set::parse("{ : }")?, UnionMap::empty());
    /// let budget = Budget::steps(1_000_000);
    /// let ast = generate_from_map(&schedule, &context, &none, &Options::STANDARD, &budget)?;
    /// let options = PrintOptions {
    ///     iterator_type: "long".into(),
    ///     always_print_block: true,
    ///     ..PrintOptions::STANDARD
    /// };
    /// let expected = "\
    /// for (long c0 = 0; c0 < n; c0 += 1) {
    ///   S(c0);
    /// }
    /// ";
    /// assert_eq!(CText::new(&ast).with_options(&options).to_string(), expected);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    #[must_use]
    pub fn with_options(self, options: &'a PrintOptions) -> Self {
        CText { options, ..self }
    }

    /// With parts that a user prints.
    #[must_use]
    pub fn with_printer(self, printer: &'a dyn Printer) -> Self {
        CText { printer, ..self }
    }
}

impl fmt::Debug for CText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}
