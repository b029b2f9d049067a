//! Directions among which there is one of least width.
//!
//! # Method
//! Let `P` be a polytope of full dimension with the normals `a_c`. For an integer direction `d` let `v` and
//! `w` be vertices with the greatest and the least `d x`: `d` is in the normal cone of `v` and in the
//! negative of that of `w`. In the intersection `K` of these pointed cones the width is `d (v - w)`, linear
//! and nowhere negative. An integer `d` in `K` is a sum of extreme rays of `K` and of one integer point of
//! the box that `n` independent rays span, all in `K`: one of these is not zero and at most as wide as `d`.
//! The walls of the normal cones, hence those of `K`, are hyperplanes through `n - 1` normals, and extreme
//! rays of `K` are intersections of `n - 1` such hyperplanes. None of this depends on where the constraints
//! are, as long as the same vertices exist. (For the width as such see Eisenbrand and Shmonin, "Parametric
//! integer programming in fixed dimension", 2008.)
use crate::core::budget::Budget;
use crate::core::error::Result;
use loopwright_exact::{Int, Row};
use std::collections::BTreeSet;

/// Integer vectors of which one has the least width for every polytope of full dimension with some normals,
/// up to their signs.
///
/// # Errors
/// The budget is exceeded.
pub(super) fn candidates(
    normals: &[Row],
    n: usize,
    operation: &'static str,
    budget: &Budget,
) -> Result<BTreeSet<Vec<Int>>> {
    let spend = |steps: usize| budget.spend(steps as u64, operation);
    let normals: Vec<Row> = normals.iter().map(|row| primitive(row.clone())).collect();
    let walls = crossings(&normals, n, &spend)?;
    let rays = crossings(&walls, n, &spend)?;
    let mut found: BTreeSet<Vec<Int>> = rays.iter().map(|ray| ray.iter().collect()).collect();
    let mut choice = Vec::new();
    for_each_choice(rays.len(), n, &mut choice, &mut |chosen| {
        let chosen: Vec<Row> = chosen.iter().map(|&at| rays[at].clone()).collect();
        points_of_boxes(&chosen, &mut found, &spend)
    })?;
    Ok(found)
}

/// Runs a function for each choice of so many of the numbers below another one.
fn for_each_choice(
    n: usize,
    count: usize,
    chosen: &mut Vec<usize>,
    run: &mut impl FnMut(&[usize]) -> Result<()>,
) -> Result<()> {
    if chosen.len() == count {
        return run(chosen);
    }
    for next in chosen.last().map_or(0, |last| last + 1)..n {
        chosen.push(next);
        for_each_choice(n, count, chosen, run)?;
        chosen.pop();
    }
    Ok(())
}

/// The lines orthogonal to `n - 1` independent vectors, as primitive vectors.
fn crossings(vectors: &[Row], n: usize, spend: &impl Fn(usize) -> Result<()>) -> Result<Vec<Row>> {
    let mut found: BTreeSet<Vec<Int>> = BTreeSet::new();
    for_each_choice(vectors.len(), n - 1, &mut Vec::new(), &mut |chosen| {
        spend(n * n)?;
        let chosen: Vec<&Row> = chosen.iter().map(|&at| &vectors[at]).collect();
        let line = orthogonal(&chosen, n);
        if !line.is_zero() {
            found.insert(primitive(line).iter().collect());
        }
        Ok(())
    })?;
    Ok(found.into_iter().map(Row::from_ints).collect())
}

/// Without a common divisor, the first entry that is not zero positive.
fn primitive(mut row: Row) -> Row {
    row.reduce();
    if row.first_nonzero(0..row.len()).is_some_and(|lead| row.sign(lead) < 0) {
        row.negate();
    }
    row
}

/// A vector orthogonal to `n - 1` others, zero if these are not independent: `x` times it is the determinant
/// of the others behind `x`.
fn orthogonal(rows: &[&Row], n: usize) -> Row {
    let minor = |left_out: usize| {
        let kept = (0..n).filter(|&column| column != left_out);
        let kept: Vec<usize> = kept.collect();
        let value = determinant(rows, &kept);
        if left_out.is_multiple_of(2) { value } else { -value }
    };
    (0..n).map(minor).collect()
}

/// The determinant of some columns by expansion along the first row.
fn determinant(rows: &[&Row], columns: &[usize]) -> Int {
    let Some((first, others)) = rows.split_first() else { return Int::ONE };
    let mut sum = Int::ZERO;
    for (at, &column) in columns.iter().enumerate() {
        let entry = first.get(column);
        if entry.is_zero() {
            continue;
        }
        let rest: Vec<usize> = columns.iter().copied().filter(|&other| other != column).collect();
        let term = &entry * &determinant(others, &rest);
        sum = if at.is_multiple_of(2) { &sum + &term } else { &sum - &term };
    }
    sum
}

/// Adds the integer points that are combinations of `n` vectors, each taken positively or negatively, with
/// factors from 0 to below 1.
fn points_of_boxes(
    rays: &[Row],
    found: &mut BTreeSet<Vec<Int>>,
    spend: &impl Fn(usize) -> Result<()>,
) -> Result<()> {
    let n = rays.len();
    spend(n * n * n)?;
    // x = sum of (forms[i] x / size) rays[i]
    let mut forms: Vec<Row> = Vec::with_capacity(n);
    for at in 0..n {
        let others = rays.iter().enumerate().filter(|(other, _)| *other != at);
        let others: Vec<&Row> = others.map(|(_, ray)| ray).collect();
        let mut form = orthogonal(&others, n);
        if form.dot(&rays[at]).is_negative() {
            form.negate();
        }
        forms.push(form);
    }
    let size = forms[0].dot(&rays[0]);
    if size.is_zero() || size.is_one() {
        return Ok(());
    }
    for factors in factors_of_points(&forms, &size, spend)? {
        for signs in 0..1_u32 << (n - 1) {
            spend(n * n)?;
            let mut point = Row::zeros(n);
            for (at, (factor, ray)) in factors.iter().zip(rays).enumerate() {
                let is_turned = signs >> at & 1 == 1 && !factor.is_zero();
                // The opposite ray has the opposite factor, modulo the size.
                let factor = if is_turned { factor - &size } else { factor.clone() };
                point.add_scaled(&factor, ray);
            }
            point.div_exact(&size);
            if !point.is_zero() {
                found.insert(primitive(point).iter().collect());
            }
        }
    }
    Ok(())
}

/// The factors, times the size of the box, from 0 to below it, of all integer points: the group that those of
/// unit vectors span.
fn factors_of_points(
    forms: &[Row],
    size: &Int,
    spend: &impl Fn(usize) -> Result<()>,
) -> Result<BTreeSet<Vec<Int>>> {
    let n = forms.len();
    let steps: Vec<Vec<Int>> =
        (0..n).map(|column| forms.iter().map(|form| form.get(column)).collect()).collect();
    let zero = vec![Int::ZERO; n];
    let mut known = BTreeSet::from([zero.clone()]);
    let mut pending = vec![zero];
    while let Some(factors) = pending.pop() {
        for step in &steps {
            spend(n)?;
            let sums = factors.iter().zip(step).map(|(a, b)| a + b);
            let next: Vec<Int> = sums.map(|sum| &sum - &(size * &sum.div_floor(size))).collect();
            if known.insert(next.clone()) {
                pending.push(next);
            }
        }
    }
    Ok(known)
}
