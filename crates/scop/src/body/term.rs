//! Parts of a body: expressions and statements, each with its spelling.
use super::literal::Literal;
use super::operator::{AssignmentOperator, BinaryOperator, PostfixOperator, UnaryOperator};
use super::scalar_type::ScalarType;
use crate::element_text::ElementText;
use crate::ids::ArrayId;
use loopwright_presburger::PwAff;

/// A variable in a body: an array element whose subscripts are regenerated, or a scalar.
#[derive(Clone, Debug)]
pub struct Element {
    /// The text around the subscripts (`A[..]`, `a[..].x`): with the name in the program, for
    /// variables that are declared inside the region their unique tuple name.
    pub base: ElementText,
    /// The array.
    pub array: ArrayId,
    /// One expression over the statement's domain per dimension; none for scalars, and for arrays whose
    /// subscripts follow as parts of their own ([`TermKind::Subscript`]): they depend on data, or on loops of
    /// the statement itself.
    pub subscripts: Vec<PwAff>,
}

/// What a part of a body is. The number and meaning of its children are said with each form.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum TermKind {
    /// An integer expression over the statement's domain that is regenerated (iterators, parameters
    /// mixed with iterators). It is an operand of what is around it: whatever is not a name or a number
    /// is printed in parentheses. Its value fits the type of the text it stands for, which is `int` unless
    /// it is the operand of a cast.
    Affine(Box<Form>),
    /// A variable or an element of one.
    Element(Box<Element>),
    /// A constant, with its text ([`Term::text`]).
    Literal(Literal),
    /// A name that is no variable of the model: a symbolic constant, a function, a variable of the statement
    /// itself.
    Name,
    /// `(a)`
    Parenthesized,
    /// `-a` and its like.
    Unary(UnaryOperator),
    /// `a++` and its like.
    Postfix(PostfixOperator),
    /// `a + b` and its like.
    Binary(BinaryOperator),
    /// `a = b` and its like: the target and the value.
    Assignment(AssignmentOperator),
    /// `a ? b : c`
    Conditional,
    /// `f(a, b)`: the function, then the arguments.
    Call,
    /// `(type) a`, with the type where it is known to be one of numbers.
    Cast(Option<ScalarType>),
    /// `a[b][c]`: what has the elements, then the subscripts.
    Subscript,
    /// `a.x`, `a->x`: the structure, or the pointer to it.
    Member,
    /// `if (a) b else c`: the condition, what runs if it holds, and what runs otherwise, if there is an
    /// `else`.
    If,
    /// `{ a b }`: statements in a row.
    Block,
    /// `a;`: an expression as a statement. (The last semicolon of a body is not part of it.)
    Statement,
    /// Anything else: text, with the parts that have structure. Loops, declarations, labels, extensions of
    /// compilers.
    Opaque,
}

/// An integer expression over the domain of a statement. Two are equal if they are written alike.
#[derive(Clone, Debug)]
pub struct Form(pub PwAff);

/// A part of a body: what it is, its parts, and the text around them.
///
/// A tree of terms is lossless: printed from left to right, texts and parts alternate, and the result is the
/// program's text (with single blanks), whatever the structure. The structure never says anything else than
/// the text: it is checked where a term is made ([`Term::new`]), and what does not fit is
/// [`TermKind::Opaque`].
#[derive(Clone, Debug)]
pub struct Term {
    kind: TermKind,
    children: Vec<Term>,
    /// Before, between and after the children; none for elements and integer expressions.
    texts: Vec<String>,
    /// The number of terms on the longest way down.
    depth: u32,
}

/// Terms inside each other; what is deeper has no structure. Trees are walked and dropped recursively.
const DEEPEST: u32 = 1000;

impl PartialEq for Form {
    fn eq(&self, other: &Form) -> bool {
        self.0.to_string() == other.0.to_string()
    }
}

impl PartialEq for Element {
    fn eq(&self, other: &Element) -> bool {
        let text = |form: &PwAff| form.to_string();
        self.base == other.base
            && self.array == other.array
            && self.subscripts.iter().map(text).eq(other.subscripts.iter().map(text))
    }
}

impl PartialEq for Term {
    fn eq(&self, other: &Term) -> bool {
        self.kind == other.kind && self.texts == other.texts && self.children == other.children
    }
}

impl Element {
    /// The element of an array with subscripts, `base[..][..]`, or a scalar.
    pub fn new(base: impl Into<ElementText>, array: ArrayId, subscripts: Vec<PwAff>) -> Self {
        Element { base: base.into(), array, subscripts }
    }
}

impl Term {
    /// An integer expression.
    pub fn affine(form: PwAff) -> Term {
        Term::leaf(TermKind::Affine(Box::new(Form(form))), Vec::new())
    }

    /// A variable or an element of one.
    pub fn element(element: Element) -> Term {
        Term::leaf(TermKind::Element(Box::new(element)), Vec::new())
    }

    /// A name, a constant, or other text without parts.
    pub fn of_text(text: &str) -> Term {
        let kind = match Literal::of(text) {
            Some(literal) => TermKind::Literal(literal),
            None if is_name(text) => TermKind::Name,
            None => TermKind::Opaque,
        };
        Term::leaf(kind, vec![text.to_string()])
    }

    fn leaf(kind: TermKind, texts: Vec<String>) -> Term {
        Term { kind, children: Vec::new(), texts, depth: 1 }
    }

    /// A term of a kind with `children` and the texts before, between and after them. Where these do not have
    /// the form of that kind, or are nested too deeply, it is what they have the form of,
    /// [`TermKind::Opaque`] at worst.
    ///
    /// *Cost.* Linear in the texts, unless it is nested too deeply: then linear in all of it.
    ///
    /// ```
    /// use loopwright_scop::{ArithmeticOperator, BinaryOperator, Term, TermKind};
    /// let plus = TermKind::Binary(BinaryOperator::Arithmetic(ArithmeticOperator::Add));
    /// let operands = || vec![Term::of_text("n"), Term::of_text("2.5")];
    /// let sum = Term::new(plus.clone(), operands(), &["", " + ", ""]);
    /// assert_eq!(sum.kind(), &plus);
    /// let other = Term::new(plus, operands(), &["", " - ", ""]);
    /// assert_eq!(other.kind(), &TermKind::Opaque);
    /// ```
    pub fn new<T: AsRef<str>>(kind: TermKind, children: Vec<Term>, texts: &[T]) -> Term {
        let mut texts: Vec<String> = texts.iter().map(|text| text.as_ref().to_string()).collect();
        texts.resize(children.len() + 1, String::new());
        if children.is_empty() {
            return Term::of_text(&texts.concat());
        }
        let depth = 1 + children.iter().map(|child| child.depth).max().unwrap_or(0);
        if depth > DEEPEST {
            return flat(children, texts);
        }
        let kinds = [kind, TermKind::Subscript, TermKind::Member].into_iter();
        let kind = kinds.filter(|kind| *kind != TermKind::Opaque).find(|kind| fits(kind, &texts));
        let kind = kind.unwrap_or(TermKind::Opaque);
        Term { kind, children, texts, depth }
    }

    /// `target = value`.
    pub fn assignment(target: Element, value: Term) -> Term {
        let kind = TermKind::Assignment(AssignmentOperator::Set);
        Term::new(kind, vec![Term::element(target), value], &["", " = ", ""])
    }

    /// What it is.
    pub fn kind(&self) -> &TermKind {
        &self.kind
    }

    /// Its parts, from left to right.
    pub fn children(&self) -> &[Term] {
        &self.children
    }

    /// The texts before, between and after the children: one more than there are children, but none for
    /// elements and integer expressions.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// The text of a name or constant; of others the text before their first part.
    pub fn text(&self) -> &str {
        self.texts.first().map_or("", |text| text)
    }

    /// The variable that this is.
    pub fn as_element(&self) -> Option<&Element> {
        match &self.kind {
            TermKind::Element(element) => Some(element),
            _ => None,
        }
    }

    /// The operator and the operands, if this has two.
    pub fn as_binary(&self) -> Option<(BinaryOperator, &Term, &Term)> {
        match (&self.kind, &self.children[..]) {
            (TermKind::Binary(operator), [left, right]) => Some((*operator, left, right)),
            _ => None,
        }
    }

    /// The operator, the target and the value of an assignment.
    pub fn as_assignment(&self) -> Option<(AssignmentOperator, &Term, &Term)> {
        match (&self.kind, &self.children[..]) {
            (TermKind::Assignment(operator), [target, value]) => Some((*operator, target, value)),
            _ => None,
        }
    }

    /// What is in the parentheses around it, if there are any.
    pub fn without_parentheses(&self) -> &Term {
        match (&self.kind, &self.children[..]) {
            (TermKind::Parenthesized, [inner]) => inner.without_parentheses(),
            _ => self,
        }
    }

    /// The type of a cast, as written.
    pub fn cast_type(&self) -> Option<&str> {
        match self.kind {
            TermKind::Cast(_) => type_in(self.text()),
            _ => None,
        }
    }

    pub(super) fn children_mut(&mut self) -> &mut [Term] {
        &mut self.children
    }

    pub(super) fn kind_mut(&mut self) -> &mut TermKind {
        &mut self.kind
    }

    /// The number of terms on the longest way down.
    pub(super) fn update_depth(&mut self) {
        self.depth = 1 + self.children.iter().map(|child| child.depth).max().unwrap_or(0);
    }
}

/// Text with the leaves of the children, all structure between them gone.
fn flat(children: Vec<Term>, texts: Vec<String>) -> Term {
    let mut all = Term::leaf(TermKind::Opaque, vec![String::new()]);
    let push = |all: &mut Term, text: &str| {
        if let Some(last) = all.texts.last_mut() {
            last.push_str(text);
        }
    };
    fn add(all: &mut Term, term: Term, push: &impl Fn(&mut Term, &str)) {
        if matches!(term.kind, TermKind::Affine(_) | TermKind::Element(_)) {
            all.children.push(term);
            all.texts.push(String::new());
            return;
        }
        let mut texts = term.texts.into_iter();
        push(all, &texts.next().unwrap_or_default());
        for (child, text) in term.children.into_iter().zip(texts) {
            add(all, child, push);
            push(all, &text);
        }
    }
    let mut texts = texts.into_iter();
    push(&mut all, &texts.next().unwrap_or_default());
    for (child, text) in children.into_iter().zip(texts) {
        add(&mut all, child, &push);
        push(&mut all, &text);
    }
    all.depth = 2;
    all
}

/// Whether texts around children are those of a kind.
fn fits(kind: &TermKind, texts: &[String]) -> bool {
    let texts: Vec<&str> = texts.iter().map(|text| text.trim()).collect();
    let is = |expected: &[&str]| texts == expected;
    let (first, inner, last) = match &texts[..] {
        [first, inner @ .., last] => (*first, inner, *last),
        _ => return false,
    };
    match kind {
        TermKind::Parenthesized => is(&["(", ")"]),
        TermKind::Unary(operator) => is(&[operator.symbol(), ""]),
        TermKind::Postfix(operator) => is(&["", operator.symbol()]),
        TermKind::Binary(operator) => is(&["", operator.symbol(), ""]),
        TermKind::Assignment(operator) => is(&["", operator.symbol(), ""]),
        TermKind::Conditional => is(&["", "?", ":", ""]),
        TermKind::Cast(_) => inner.is_empty() && last.is_empty() && type_in(first).is_some(),
        TermKind::Statement => is(&["", ";"]),
        TermKind::Member => inner.is_empty() && first.is_empty() && is_member(last),
        TermKind::Call => match inner {
            [] => first.is_empty() && compact(last) == "()",
            [open, commas @ ..] => {
                first.is_empty() && *open == "(" && last == ")" && commas.iter().all(|c| *c == ",")
            }
        },
        TermKind::Subscript => match inner {
            [open, others @ ..] => {
                let is_between = |text: &&str| compact(text) == "][";
                first.is_empty() && *open == "[" && last == "]" && others.iter().all(is_between)
            }
            [] => false,
        },
        TermKind::If => {
            compact(first) == "if(" && last.is_empty() && matches!(inner, [")"] | [")", "else"])
        }
        TermKind::Block => first == "{" && last == "}" && inner.iter().all(|text| text.is_empty()),
        TermKind::Opaque => true,
        TermKind::Affine(_) | TermKind::Element(_) | TermKind::Literal(_) | TermKind::Name => false,
    }
}

fn compact(text: &str) -> String {
    text.split_whitespace().collect()
}

fn is_member(text: &str) -> bool {
    let name = text.strip_prefix('.').or_else(|| text.strip_prefix("->"));
    name.is_some_and(|name| is_name(name.trim()))
}

/// The type in parentheses at the end of a text that is nothing else.
fn type_in(text: &str) -> Option<&str> {
    let inside = text.trim().strip_prefix('(')?.strip_suffix(')')?.trim();
    let belongs = |c: char| c.is_alphanumeric() || matches!(c, '_' | ' ' | '*');
    (!inside.is_empty() && inside.chars().all(belongs)).then_some(inside)
}

/// Whether a text is a name of C.
pub(super) fn is_name(text: &str) -> bool {
    let belongs = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    text.chars().all(belongs) && !text.starts_with(|c: char| c.is_ascii_digit()) && !text.is_empty()
}
