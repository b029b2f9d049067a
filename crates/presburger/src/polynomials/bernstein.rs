//! Bernstein expansion over the convex hull of vertices.
//!
//! # Method
//! Clauss, Fernández, Garbervetsky and Verdoolaege, "Symbolic polynomial maximization over convex
//! sets and its application to memory requirement estimation" (IEEE Transactions on VLSI Systems
//! 17(8), 2009). A point of a polytope is `Σ λᵢ vᵢ` with `λᵢ >= 0` and `Σ λᵢ = 1`. Put into a
//! polynomial of degree `d`, with every term multiplied by a power of `Σ λᵢ` such that all have degree
//! `d`, this gives `Σ_α b_α (d! / α!) λ^α`. The weights `(d! / α!) λ^α` are not negative and their
//! sum is `(Σ λᵢ)^d = 1`, hence the polynomial lies between the least and the greatest of the
//! coefficients `b_α`. The coefficient of `λᵢ^d` is the value at the vertex `vᵢ`.
use crate::core::budget::Budget;
use crate::core::error::Result;
use crate::polynomials::sparse::{Monomial, Polynomial};
use crate::polynomials::vertices::Vertex;
use loopwright_exact::{Int, Rational};
use std::collections::BTreeMap;

/// A coefficient of the expansion, and the vertex where it is the value, if there is one.
pub(super) struct Coefficient {
    pub(super) value: Polynomial,
    pub(super) vertex: Option<usize>,
}

/// The coefficients of a polynomial whose variables from `first` on are those of the vertices.
///
/// # Errors
/// [`Error::Exceeded`](crate::Error::Exceeded): their number is that of the monomials of the degree in one
/// variable for each vertex.
pub(super) fn coefficients(
    polynomial: &Polynomial,
    first: usize,
    vertices: &[&Vertex],
    budget: &Budget,
) -> Result<Vec<Coefficient>> {
    let degree = polynomial.degree(|column| column >= first);
    let sum = (0..vertices.len())
        .fold(Polynomial::zero(), |sum, vertex| sum.plus(&Polynomial::variable(first + vertex)));
    let mut expansion = Polynomial::zero();
    for (monomial, coefficient) in polynomial.terms() {
        let mut term = Polynomial::constant(coefficient.clone());
        let mut missing = degree;
        for &(column, exponent) in monomial {
            let factor = match column.checked_sub(first) {
                None => Polynomial::variable(column),
                Some(variable) => {
                    missing -= exponent;
                    combination(vertices, variable, first)
                }
            };
            for _ in 0..exponent {
                term = product(&term, &factor, budget)?;
            }
        }
        for _ in 0..missing {
            term = product(&term, &sum, budget)?;
        }
        expansion = expansion.plus(&term);
    }
    Ok(collected(&expansion, first, vertices.len(), degree))
}

fn product(a: &Polynomial, b: &Polynomial, budget: &Budget) -> Result<Polynomial> {
    budget.spend((a.n_terms() * b.n_terms()) as u64, "a Bernstein expansion")?;
    Ok(a.times(b))
}

/// A coordinate of `Σ λᵢ vᵢ`, with `λᵢ` as column `first + i`.
fn combination(vertices: &[&Vertex], variable: usize, first: usize) -> Polynomial {
    let parts = vertices.iter().enumerate().map(|(index, vertex)| {
        vertex.coordinates[variable].times(&Polynomial::variable(first + index))
    });
    parts.fold(Polynomial::zero(), |sum, part| sum.plus(&part))
}

/// The coefficients `b_α` of a homogeneous expansion. Those that are missing in it are zero.
fn collected(
    expansion: &Polynomial,
    first: usize,
    n_vertices: usize,
    degree: u32,
) -> Vec<Coefficient> {
    let mut groups: BTreeMap<Monomial, Polynomial> = BTreeMap::new();
    for (monomial, coefficient) in expansion.terms() {
        let at = monomial.partition_point(|(column, _)| *column < first);
        let (outer, weights) = monomial.split_at(at);
        let group = groups.entry(weights.to_vec()).or_default();
        group.add_term(outer.to_vec(), &(coefficient / &multinomial(degree, weights)));
    }
    let mut coefficients = Vec::with_capacity(groups.len() + n_vertices);
    if degree > 0 {
        for index in 0..n_vertices {
            let value = groups.remove(&vec![(first + index, degree)]).unwrap_or_default();
            coefficients.push(Coefficient { value, vertex: Some(index) });
        }
    }
    groups.retain(|_, value| !value.is_zero());
    let n_inner = n_monomials(n_vertices, degree) - Int::from(n_vertices);
    let has_zero = degree > 1 && Int::from(groups.len()) < n_inner || expansion.is_zero();
    coefficients.extend(groups.into_values().map(|value| Coefficient { value, vertex: None }));
    if has_zero {
        coefficients.push(Coefficient { value: Polynomial::zero(), vertex: None });
    }
    coefficients
}

/// `degree! / α!`.
fn multinomial(degree: u32, weights: &[(usize, u32)]) -> Rational {
    let factorial = |n: u32| (1..=n).fold(Int::ONE, |product, i| product * Int::from(i64::from(i)));
    let divisor = weights.iter().fold(Int::ONE, |product, (_, e)| product * factorial(*e));
    Rational::new(factorial(degree), divisor)
}

/// The number of monomials of a degree in `n` variables: `n (n + 1) ... (n + degree - 1) / degree!`.
fn n_monomials(n: usize, degree: u32) -> Int {
    (1..=degree as usize)
        .fold(Int::ONE, |count, i| (count * Int::from(n + i - 1)).div_exact(&Int::from(i)))
}
