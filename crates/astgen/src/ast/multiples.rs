//! Loops over the multiples of symbolic constants: the origins of tiles of variable sizes.
//!
//! Code is generated for loops over all integers that are at most a size away from a value; of those only the
//! multiples of the size are meant ([`OriginMark`]). Here such loops are told so.
use crate::ast::node::{AstNode, ForLoop};
use crate::expressions::expression::AstExpr;
use loopwright_presburger::{Int, Name};
use loopwright_schedule::OriginMark;

/// The tree in which the loops below [`OriginMark`]s take multiples of the sizes that these name, without
/// these marks.
///
/// *Cost.* Linear.
///
/// ```
/// use loopwright_astgen::{Options, generate, with_multiples};
/// use loopwright_presburger::{Budget, Set};
/// use loopwright_schedule::ScheduleTree;
/// let tree = ScheduleTree::parse(
///     "{ domain: '[n, s] -> { S[t, i] : 0 <= i < n and t <= i < t + s }', child: { mark: 'origins(s)', child: {
///          schedule: '[{ S[t, i] -> [(t)] }]', child: { schedule: '[{ S[t, i] -> [(i)] }]' } } } }",
/// )?;
/// let context = Set::parse("[s] -> { : s >= 1 }")?;
/// let ast = generate(&tree, &context, &Options::STANDARD, &Budget::steps(1_000_000))?;
/// let expected = "\
/// for (int c0 = 0; c0 < n; c0 += s)
///   for (int c1 = max(0, c0); c1 < min(n, c0 + s); c1 += 1)
///     S(c0, c1);
/// ";
/// assert_eq!(with_multiples(ast).to_string(), expected);
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[must_use]
pub fn with_multiples(ast: AstNode) -> AstNode {
    below(ast, &[])
}

/// The sizes of the loops of a dimension and those after it.
type Sizes = [(usize, Name)];

fn below(node: AstNode, sizes: &Sizes) -> AstNode {
    let boxed = |node: Box<AstNode>| Box::new(below(*node, sizes));
    match node {
        AstNode::For(each) => {
            let own = sizes.iter().find(|(dimension, _)| *dimension == each.dimension);
            let multiples_of = own.map(|(_, size)| size.clone());
            AstNode::For(ForLoop { multiples_of, body: boxed(each.body), ..each })
        }
        AstNode::If { condition, then, otherwise } => {
            AstNode::If { condition, then: boxed(then), otherwise: otherwise.map(boxed) }
        }
        AstNode::Block(children) => {
            AstNode::Block(children.into_iter().map(|child| below(child, sizes)).collect())
        }
        AstNode::Mark { name, dimension, child } => match OriginMark::parse(&name) {
            Some(mark) => {
                let own = (dimension..).zip(mark.sizes);
                let all: Vec<_> = sizes.iter().cloned().chain(own).collect();
                below(*child, &all)
            }
            None => AstNode::Mark { name, dimension, child: boxed(child) },
        },
        user @ AstNode::User { .. } => user,
    }
}

impl ForLoop {
    /// The first value of a loop over multiples of a size: the least multiple that is at least `init`; none
    /// if the loop takes all values.
    pub fn first_multiple(&self) -> Option<AstExpr> {
        let size = self.multiples_of.as_ref()?;
        Some(times(size, first_multiple(&self.init, size)))
    }
}

/// The number of the first multiple of `size` that is at least `value`: `floor((value + size - 1) / size)`.
///
/// ```
/// use loopwright_astgen::{AstExpr, first_multiple};
/// let value = AstExpr::Sub(Box::new(AstExpr::Id("n".into())), Box::new(AstExpr::Id("s".into())));
/// assert_eq!(first_multiple(&value, &"s".into()).to_string(), "floord(n - 1, s)");
/// ```
#[must_use]
pub fn first_multiple(value: &AstExpr, size: &Name) -> AstExpr {
    floor(at_least(value, size), size)
}

/// `size * number`.
fn times(size: &Name, number: AstExpr) -> AstExpr {
    match number.as_int() {
        Some(zero) if zero.is_zero() => number,
        _ => AstExpr::Mul(Box::new(AstExpr::Id(size.clone())), Box::new(number)),
    }
}

/// `floor(value / size)`.
fn floor(value: AstExpr, size: &Name) -> AstExpr {
    match value.as_int() {
        Some(zero) if zero.is_zero() => value,
        _ => AstExpr::DivFloor(Box::new(value), Box::new(AstExpr::Id(size.clone()))),
    }
}

/// `value + size - 1`, in each operand of a maximum.
fn at_least(value: &AstExpr, size: &Name) -> AstExpr {
    if let AstExpr::Max(list) = value {
        return AstExpr::Max(list.iter().map(|value| at_least(value, size)).collect());
    }
    let Some(mut sum) = Sum::of(value) else {
        let before = AstExpr::Sub(Box::new(AstExpr::Id(size.clone())), Box::new(AstExpr::int(1)));
        return AstExpr::Add(Box::new(value.clone()), Box::new(before));
    };
    sum.add(size, &Int::ONE);
    sum.constant = &sum.constant - &Int::ONE;
    sum.expression()
}

/// A sum of names with factors, in the order in which they come, and a constant.
struct Sum {
    terms: Vec<(Name, Int)>,
    constant: Int,
}

impl Sum {
    /// The expression as a sum; none if it is none.
    fn of(expression: &AstExpr) -> Option<Sum> {
        let mut sum = Sum { terms: Vec::new(), constant: Int::ZERO };
        sum.add_all(expression, &Int::ONE)?;
        Some(sum)
    }

    fn add_all(&mut self, expression: &AstExpr, factor: &Int) -> Option<()> {
        match expression {
            AstExpr::Int(value) => self.constant = &self.constant + &(value * factor),
            AstExpr::Id(name) => self.add(name, factor),
            AstExpr::Neg(a) => self.add_all(a, &-factor)?,
            AstExpr::Add(a, b) => {
                self.add_all(a, factor)?;
                self.add_all(b, factor)?;
            }
            AstExpr::Sub(a, b) => {
                self.add_all(a, factor)?;
                self.add_all(b, &-factor)?;
            }
            AstExpr::Mul(a, b) => match (&**a, &**b) {
                (AstExpr::Int(value), other) | (other, AstExpr::Int(value)) => {
                    self.add_all(other, &(value * factor))?;
                }
                _ => return None,
            },
            _ => return None,
        }
        Some(())
    }

    fn add(&mut self, name: &Name, factor: &Int) {
        match self.terms.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => *known = &*known + factor,
            None => self.terms.push((name.clone(), factor.clone())),
        }
    }

    /// Positive terms first.
    fn expression(self) -> AstExpr {
        let (added, subtracted): (Vec<_>, Vec<_>) = self
            .terms
            .into_iter()
            .filter(|(_, factor)| !factor.is_zero())
            .partition(|(_, factor)| factor.is_positive());
        let term = |name: Name, factor: Int| match factor.is_one() {
            true => AstExpr::Id(name),
            false => AstExpr::Mul(Box::new(AstExpr::Int(factor)), Box::new(AstExpr::Id(name))),
        };
        let mut sum: Option<AstExpr> = None;
        for (name, factor) in added {
            let own = term(name, factor);
            sum = Some(match sum {
                Some(sum) => AstExpr::Add(Box::new(sum), Box::new(own)),
                None => own,
            });
        }
        let mut constant = self.constant;
        let mut sum =
            sum.unwrap_or_else(|| AstExpr::Int(std::mem::replace(&mut constant, Int::ZERO)));
        for (name, factor) in subtracted {
            sum = AstExpr::Sub(Box::new(sum), Box::new(term(name, -&factor)));
        }
        match constant {
            constant if constant.is_zero() => sum,
            constant if constant.is_negative() => {
                AstExpr::Sub(Box::new(sum), Box::new(AstExpr::Int(-&constant)))
            }
            constant => AstExpr::Add(Box::new(sum), Box::new(AstExpr::Int(constant))),
        }
    }
}
