//! Arrays with several dimensions that a program stores in one: `A[i * n + j]`.
//!
//! A subscript that multiplies an affine form with a form over symbolic constants has no affine
//! form itself. Products are symbols of their own while a region is read ([`Symbol::Product`]), so
//! that subscripts are `x_k s_k .. s_1 + .. + x_1 s_1 + x_0` with affine `x` and *strides* `s`. If all
//! references to the array have the same chain of strides, and every `x_l` but the outermost is
//! known to be in `0..s_(l+1)`, different `(x_k, .., x_0)` are different elements: in the model the
//! array has these subscripts. What is printed is the sum of products. A reference such as
//! `A[i * n + j - n]` is brought into range by multiples of the stride. Otherwise the reference may be to
//! any element.
use crate::diagnostics::diagnostic::Code;
use crate::diagnostics::refusal::Refusal;
use crate::model::conditions::{Condition, Conjunction, Disjunction};
use crate::model::delinearized_shape::{DelinearizedShape, Layout};
use crate::model::linear::{Limit, Linear, Symbol};
use crate::model::needed::Needed;
use crate::model::pieces::Pieces;
use crate::model::raw_model::{Inner, RawAccess, RawPiece, RawStatement};
use crate::model::spaces::Columns;
use crate::syntax::tree::Node;
use crate::walk::extractor::Extractor;
use loopwright_presburger::{Budget, Name, Set, Space, Tuple};
use loopwright_scop::AccessKind;
use smallvec::SmallVec;
use std::collections::{BTreeMap, BTreeSet};

/// Why products that are left are refused.
const PRODUCT: &str = "no extent of the array is one of the factors";

/// A place of the region: when it is reached, and what is known there.
#[derive(Clone, Copy)]
struct Place<'a> {
    domain: &'a Disjunction,
    loops: &'a [u32],
    context: &'a Set,
    parameters: &'a [u32],
}

/// Strides that are multiplied, sorted.
pub(super) type Chain = Vec<Linear>;

/// The subscripts of a dimension by the strides of its rows.
struct Rows {
    /// Those of each statement, as they were and one for each stride.
    split: Vec<(usize, Pieces, Vec<Pieces>)>,
    /// What has to be checked for it.
    needed: Vec<Needed>,
    /// The strides and their texts.
    strides: Vec<(Linear, String)>,
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Multiples of a stride that are tried to bring a subscript into range.
const SHIFTS: [i64; 3] = [0, 1, -1];

impl<'t> Extractor<'_, 't> {
    /// The product of two forms of which none is a constant; none if neither is over symbolic
    /// constants only.
    pub(crate) fn product(
        &mut self,
        a: &Linear,
        b: &Linear,
        is_long: bool,
    ) -> Result<Option<Linear>, Limit> {
        for (factor, stride) in [(a, b), (b, a)] {
            let is_parameter = |(symbol, _): &(Symbol, i64)| matches!(symbol, Symbol::Parameter(_));
            if stride.terms.iter().all(is_parameter) {
                return Ok(Some(self.out.symbols.product(factor, stride, is_long)));
            }
            // (n * m) * i is (i * n) * m.
            if let (0, [(Symbol::Product(p), 1)]) = (stride.constant, &stride.terms[..]) {
                let (inner, outer, _) = self.out.symbols.products[*p as usize].clone();
                let Some(part) = self.product(factor, &inner, is_long)? else { continue };
                if outer.as_constant().is_none() {
                    return self.product(&part, &outer, is_long);
                }
            }
        }
        Ok(None)
    }

    /// Refuses products at places other than the sum that a subscript is.
    pub(crate) fn check_products(&self, node: Node<'t>, pieces: &Pieces) -> Result<(), Refusal> {
        let in_conditions = pieces
            .0
            .iter()
            .any(|(conjunction, _)| conjunction.iter().any(|c| self.has_product(&c.linear)));
        let in_floors = pieces.0.iter().any(|(_, linear)| {
            linear.terms.iter().any(|(symbol, _)| match symbol {
                Symbol::Floor(f) => self.has_product(&self.out.symbols.floors[*f as usize].0),
                _ => false,
            })
        });
        if in_conditions || in_floors {
            return Err(self.not_affine(node, "it has a product of two variables"));
        }
        Ok(())
    }

    /// Whether a form has a product in it, also inside of floors.
    fn has_product(&self, linear: &Linear) -> bool {
        linear.terms.iter().any(|(symbol, _)| match symbol {
            Symbol::Product(_) => true,
            Symbol::Floor(f) => self.has_product(&self.out.symbols.floors[*f as usize].0),
            _ => false,
        })
    }

    /// Whether a value has a product in it.
    pub(crate) fn is_product(&self, pieces: &Pieces) -> bool {
        pieces.0.iter().any(|(_, linear)| self.has_product(linear))
    }

    /// Gives arrays with products in their subscripts a dimension per stride. Where it is not known
    /// that this is the same, these subscripts are values about which nothing is known.
    pub(crate) fn split_subscripts(&mut self, context: &Set, parameters: &[u32]) {
        let mut places: BTreeSet<(u32, usize)> = BTreeSet::new();
        for access in self.out.statements.iter().flat_map(|s| &s.accesses) {
            for (dimension, subscript) in access.subscripts.iter().enumerate() {
                if self.is_product(subscript) {
                    places.insert((access.variable, dimension));
                }
            }
        }
        let variables: BTreeSet<u32> = places.iter().map(|(variable, _)| *variable).collect();
        for variable in variables {
            let own: Vec<usize> = places.iter().filter(|p| p.0 == variable).map(|p| p.1).collect();
            let is_split = match own[..] {
                [only] => {
                    self.split_dimension(variable, only, (context, parameters)).is_some()
                        || self.split_sum(variable, only, parameters).is_some()
                }
                _ => false,
            };
            if !is_split {
                self.forget_products(variable);
            }
        }
        self.refuse_other_products();
    }

    /// Takes subscripts with products as values about which nothing is known.
    fn forget_products(&mut self, variable: u32) {
        let mut statements = std::mem::take(&mut self.out.statements);
        for statement in &mut statements {
            let is_kill = |a: &RawAccess| a.variable == variable && a.kind == AccessKind::Kill;
            statement
                .accesses
                .retain(|a| !is_kill(a) || !a.subscripts.iter().any(|s| self.is_product(s)));
            let domain = &statement.domain;
            for access in statement.accesses.iter_mut().filter(|a| a.variable == variable) {
                for subscript in &mut access.subscripts {
                    if !self.is_product(subscript) {
                        continue;
                    }
                    *subscript = self.stand_in(variable);
                    let inner = access
                        .inner
                        .get_or_insert_with(|| Inner { loops: Vec::new(), domain: domain.clone() });
                    inner.loops.push((self.out.loops.len() - 1) as u32);
                    if access.kind == AccessKind::MustWrite {
                        access.kind = AccessKind::MayWrite;
                    }
                }
            }
            let pieces = std::mem::take(&mut statement.pieces);
            for piece in pieces {
                let text = match &piece {
                    RawPiece::Element { variable: own, subscripts }
                        if self.accessed(*own) == variable =>
                    {
                        let is_own = |t: &&(u32, Vec<Pieces>, Vec<RawPiece>)| {
                            t.0 == *own && t.1 == *subscripts
                        };
                        let text = self.out.product_texts().iter().find(is_own);
                        text.map(|(_, _, text)| (*own, text.clone()))
                    }
                    _ => None,
                };
                match text {
                    Some((own, text)) => {
                        let whole = RawPiece::Element { variable: own, subscripts: Vec::new() };
                        statement.pieces.push(whole);
                        statement
                            .pieces
                            .extend(text.into_iter().map(|p| self.without_parameter(p)));
                    }
                    None => statement.pieces.push(piece),
                }
            }
        }
        self.out.statements = statements;
    }

    /// A symbolic constant as text.
    fn without_parameter(&self, piece: RawPiece) -> RawPiece {
        match piece {
            RawPiece::Element { variable, subscripts }
                if self.out.affine_uses().contains(variable)
                    || self.variable(variable).constant.is_some() =>
            {
                debug_assert!(subscripts.is_empty(), "symbolic constants are scalars");
                RawPiece::Text(self.variable(variable).name.clone())
            }
            piece => piece,
        }
    }

    /// Refuses products in subscripts that are not those of a dimension of an array in the model
    /// (inside of structures that are copied).
    fn refuse_other_products(&mut self) {
        let mut found = Vec::new();
        for statement in &self.out.statements {
            for piece in &statement.pieces {
                let forms = match piece {
                    RawPiece::Expression(form) => std::slice::from_ref(form),
                    RawPiece::Element { subscripts, .. } => &subscripts[..],
                    _ => &[],
                };
                if forms.iter().any(|form| self.is_product(form)) {
                    let message = "a product of variables in a subscript inside of a structure";
                    found.push(
                        self.refuse_at(Code::NonAffineSubscript, statement.at, message)
                            .with_reason(PRODUCT),
                    );
                }
            }
        }
        self.out.report_all(found.into_iter().map(|refusal| *refusal.0));
    }

    /// Refuses products where sets and relations are made of forms: these have to be affine.
    pub(crate) fn refuse_remaining_products(&mut self) {
        if self.out.symbols.products.is_empty() {
            return;
        }
        let of =
            |cases: &[Conjunction]| cases.iter().flatten().any(|c| self.has_product(&c.linear));
        let of_pieces = |pieces: &Pieces| {
            pieces
                .0
                .iter()
                .any(|(case, linear)| self.has_product(linear) || of(std::slice::from_ref(case)))
        };
        let is_refused = |statement: &&RawStatement| {
            of(&statement.domain.0)
                || statement.accesses.iter().any(|access| {
                    access.subscripts.iter().any(of_pieces)
                        || access.inner.as_ref().is_some_and(|inner| of(&inner.domain.0))
                })
        };
        let refused = self.out.statements.iter().filter(is_refused).map(|statement| {
            let message = "a product of two variables in a statement";
            *self.refuse_at(Code::NonAffineSubscript, statement.at, message).with_reason(PRODUCT).0
        });
        let refused: Vec<_> = refused.collect();
        self.out.report_all(refused);
    }

    /// Splits one dimension of an array; none if it is not known that this is right.
    fn split_dimension(
        &mut self,
        variable: u32,
        dimension: usize,
        known: (&Set, &[u32]),
    ) -> Option<()> {
        if self.variable(variable).in_region() {
            return None;
        }
        let accesses = || {
            self.out.statements.iter().enumerate().flat_map(|(at, statement)| {
                let own = statement.accesses.iter().filter(|a| a.variable == variable);
                own.filter_map(move |a| Some((at, a, a.subscripts.get(dimension)?)))
            })
        };
        // Subscripts that depend on data, or on loops of the statement itself.
        if accesses().any(|(_, access, _)| access.inner.is_some()) {
            return None;
        }
        let mut chains: BTreeSet<Chain> = BTreeSet::from([Vec::new()]);
        for (_, linear) in accesses().flat_map(|(_, _, pieces)| &pieces.0) {
            chains.extend(self.summands(linear).ok()?.into_keys());
        }
        let strides = strides(chains)?;
        let at = (variable, dimension);
        let mut found = self.in_rows(at, known, &strides, 1);
        let factor = self.common_factor(at, &strides).unwrap_or(1);
        if factor > 1 && found.as_ref().is_none_or(|rows| !rows.needed.is_empty()) {
            let scaled = self.in_rows(at, known, &strides, factor);
            if found.is_none() || scaled.as_ref().is_some_and(|rows| rows.needed.is_empty()) {
                found = scaled;
            }
        }
        let Rows { split, needed, strides } = found?;
        self.out.needed.extend(needed);
        self.replace_subscripts(variable, dimension, &split);
        self.out
            .set_view(variable, DelinearizedShape { dimension, strides, layout: Layout::Nested });
        Some(())
    }

    /// The subscripts of one dimension of a variable, with their statements.
    fn subscripts_of(
        &self,
        (variable, dimension): (u32, usize),
    ) -> impl Iterator<Item = (usize, usize, &Pieces)> {
        self.out.statements.iter().enumerate().flat_map(move |(statement, raw)| {
            let own = raw.accesses.iter().filter(move |a| a.variable == variable);
            own.filter_map(move |a| Some((statement, a.at, a.subscripts.get(dimension)?)))
        })
    }

    /// The greatest number that all factors of strides are multiples of: `(y * w + x) * 3 + k` has rows of
    /// `3 * w` elements.
    fn common_factor(&self, at: (u32, usize), strides: &[Linear]) -> Option<i64> {
        let mut common: u64 = 0;
        for (_, linear) in self.subscripts_of(at).flat_map(|(_, _, pieces)| &pieces.0) {
            let forms = self.forms(linear, strides).ok()?;
            for form in &forms[..strides.len()] {
                let numbers = form.terms.iter().map(|(_, number)| *number).chain([form.constant]);
                common = numbers.fold(common, |common, number| gcd(common, number.unsigned_abs()));
            }
        }
        i64::try_from(common).ok()
    }

    /// The subscripts in rows of a multiple of the innermost stride, if that is known or can be checked.
    fn in_rows(
        &self,
        at: (u32, usize),
        known: (&Set, &[u32]),
        strides: &[Linear],
        factor: i64,
    ) -> Option<Rows> {
        let mut scaled = strides.to_vec();
        let last = scaled.last_mut()?;
        *last = last.scale(factor).ok()?;
        let mut split: Vec<(usize, Pieces, Vec<Pieces>)> = Vec::new();
        let mut needed: Vec<Needed> = Vec::new();
        for (statement, byte, pieces) in self.subscripts_of(at) {
            if split.iter().any(|(s, p, _)| *s == statement && p == pieces) {
                continue;
            }
            let mut parts = vec![Pieces(SmallVec::new()); strides.len() + 1];
            for (conjunction, linear) in &pieces.0 {
                let mut forms = self.forms(linear, strides).ok()?;
                for form in &mut forms[..strides.len()] {
                    form.terms.iter_mut().for_each(|(_, number)| *number /= factor);
                    form.constant /= factor;
                }
                let place = (statement, byte);
                let forms =
                    self.in_range((place, known), conjunction, forms, &scaled, &mut needed)?;
                for (part, form) in parts.iter_mut().zip(forms) {
                    part.0.push((conjunction.clone(), form));
                }
            }
            split.push((statement, pieces.clone(), parts));
        }
        let text = |(stride, scaled): (&Linear, &Linear)| match stride == scaled {
            true => self.stride_text(stride),
            false => format!("({factor} * (long) {})", self.stride_text(stride)),
        };
        let texts = strides.iter().zip(&scaled).map(text).collect::<Vec<String>>();
        Some(Rows { split, needed, strides: scaled.into_iter().zip(texts).collect() })
    }

    /// The affine factors of the chains of strides of a form.
    pub(super) fn summands(&self, linear: &Linear) -> Result<BTreeMap<Chain, Linear>, Limit> {
        let mut sum: BTreeMap<Chain, Linear> = BTreeMap::new();
        let mut rest = linear.clone();
        rest.terms.retain(|(symbol, _)| !matches!(symbol, Symbol::Product(_)));
        sum.insert(Vec::new(), rest);
        for (symbol, coefficient) in &linear.terms {
            let Symbol::Product(product) = symbol else { continue };
            let (factor, stride, _) = &self.out.symbols.products[*product as usize];
            for (mut chain, part) in self.summands(factor)? {
                chain.push(stride.clone());
                chain.sort();
                let known = sum.entry(chain).or_default();
                *known = known.add_scaled(*coefficient, &part)?;
            }
        }
        sum.retain(|chain, part| chain.is_empty() || *part != Linear::default());
        Ok(sum)
    }

    /// One form per stride and one for the rest, outermost first.
    fn forms(&self, linear: &Linear, strides: &[Linear]) -> Result<Vec<Linear>, Limit> {
        let mut summands = self.summands(linear)?;
        let mut chain: Chain = strides.to_vec();
        let mut forms = Vec::with_capacity(strides.len() + 1);
        for position in 0..=strides.len() {
            chain.clear();
            chain.extend_from_slice(&strides[position..]);
            chain.sort();
            forms.push(summands.remove(&chain).unwrap_or_default());
        }
        Ok(forms)
    }

    /// The same element with subscripts that are within the strides: known to be, or `needed` to be.
    fn in_range(
        &self,
        ((statement, at), known): ((usize, usize), (&Set, &[u32])),
        conjunction: &Conjunction,
        mut forms: Vec<Linear>,
        strides: &[Linear],
        needed: &mut Vec<Needed>,
    ) -> Option<Vec<Linear>> {
        let is_in_row = |form: &Linear, last: &Linear, needs: &mut Vec<Needed>| {
            [form, last].into_iter().all(|bound| {
                self.never_negative(statement, conjunction, bound, known)
                    || self.is_needed_in_row((statement, at), conjunction, bound, needs)
            })
        };
        for level in (1..forms.len()).rev() {
            let stride = &strides[level - 1];
            let guess = stride.terms.first().map_or(0, |(symbol, coefficient)| {
                forms[level].coefficient(*symbol).div_euclid(*coefficient)
            });
            let mut found: Option<(Linear, i64, Vec<Needed>)> = None;
            for shift in SHIFTS.map(|shift| guess.saturating_add(shift)) {
                let form = forms[level].add_scaled(-shift, stride).ok()?;
                let last = stride.sub(&form).and_then(|l| l.add_constant(-1)).ok()?;
                let mut needs = Vec::new();
                // What is known is better than what has to be checked.
                if is_in_row(&form, &last, &mut needs) && (needs.is_empty() || found.is_none()) {
                    let is_known = needs.is_empty();
                    found = Some((form, shift, needs));
                    if is_known {
                        break;
                    }
                }
            }
            let (form, shift, needs) = found?;
            needed.extend(
                needs.into_iter().filter(|need| !needed.contains(need)).collect::<Vec<_>>(),
            );
            forms[level] = form;
            forms[level - 1] = forms[level - 1].add_constant(shift).ok()?;
        }
        Some(forms)
    }

    /// Whether it can be checked in front of the region that a subscript is in its row.
    fn is_needed_in_row(
        &self,
        (statement, at): (usize, usize),
        conjunction: &Conjunction,
        form: &Linear,
        needs: &mut Vec<Needed>,
    ) -> bool {
        let reason = format!("`{}` stays in its row", self.reference_text(at));
        let statement = &self.out.statements[statement];
        let needed = self.checkable((statement, conjunction), form.clone(), (at, reason));
        needs.extend(needed.clone());
        needed.is_some()
    }

    /// Whether a form is at least 0 at all instances of a statement where a conjunction holds.
    fn never_negative(
        &self,
        statement: usize,
        conjunction: &Conjunction,
        form: &Linear,
        (context, parameters): (&Set, &[u32]),
    ) -> bool {
        let raw = &self.out.statements[statement];
        let place = Place { domain: &raw.domain, loops: &raw.loops, context, parameters };
        self.is_nonnegative(&place, conjunction, form, STEPS)
    }

    /// Whether a form is known to be at least 0 wherever the current place is reached.
    pub(crate) fn is_nonnegative_here(&self, form: &Linear) -> bool {
        let mut parameters: BTreeSet<u32> = BTreeSet::new();
        let of_domain = self.at.domain.0.iter().flatten().map(|condition| &condition.linear);
        let of_floors = self.out.symbols.floors.iter().map(|(linear, _)| linear);
        let of_promises = self.out.promises().iter().flat_map(|promise| promise.0.iter().flatten());
        let of_promises = of_promises.map(|condition| &condition.linear);
        for linear in of_domain.chain(of_floors).chain(of_promises).chain([form]) {
            if self.has_product(linear) {
                return false;
            }
            parameters.extend(linear.terms.iter().filter_map(|(symbol, _)| match symbol {
                Symbol::Parameter(parameter) => Some(*parameter),
                _ => None,
            }));
        }
        let parameters: Vec<u32> = parameters.into_iter().collect();
        let signs =
            self.out.symbols.nonnegative_parameters.iter().filter(|p| parameters.contains(p));
        let signs = signs.map(|p| Condition::nonnegative(Linear::symbol(Symbol::Parameter(*p))));
        let promised = self.out.promises().iter().filter(|promise| promise.0.len() == 1);
        let promised = promised.flat_map(|promise| promise.0[0].iter().cloned());
        let signs = signs.chain(promised);
        let context = Set::universe(Space::params(&[]));
        let loops = self.loops_here(form);
        let place = Place {
            domain: &self.at.domain,
            loops: &loops,
            context: &context,
            parameters: &parameters,
        };
        self.is_nonnegative(&place, &signs.collect(), form, FEW_STEPS)
    }

    /// The loops around the current place, and what else a form and the domain depend on.
    pub(crate) fn loops_here(&self, form: &Linear) -> Vec<u32> {
        let mut loops = self.at.nest.clone();
        let of_domain = self.at.domain.0.iter().map(|case| (case.clone(), form.clone()));
        for index in self.loops_of(&Pieces(of_domain.collect())) {
            if !loops.contains(&index) {
                loops.push(index);
            }
        }
        loops
    }

    /// Whether a form is known to be at least 0 at a place inside of loops.
    pub(crate) fn is_nonnegative_at(
        &self,
        domain: &Disjunction,
        loops: &[u32],
        (context, parameters): (&Set, &[u32]),
        conjunction: &Conjunction,
        form: &Linear,
    ) -> bool {
        let place = Place { domain, loops, context, parameters };
        self.is_nonnegative(&place, conjunction, form, FEW_STEPS)
    }

    fn is_nonnegative(
        &self,
        place: &Place<'_>,
        conjunction: &Conjunction,
        form: &Linear,
        steps: u64,
    ) -> bool {
        let Place { domain, loops, context, parameters } = *place;
        let negative = form.scale(-1).and_then(|l| l.add_constant(-1));
        let Ok(negative) = negative.map(Condition::nonnegative) else { return false };
        let names: Vec<Name> =
            parameters.iter().map(|p| self.variable(*p).name.as_str().into()).collect();
        let space = Space::set(&names, Tuple::anonymous(loops.len()));
        let columns = Columns::new(parameters, loops, 0, &self.out.symbols.floors);
        let mut outside = Vec::with_capacity(domain.0.len());
        for case in &domain.0 {
            let mut case = case.clone();
            case.extend(conjunction.iter().cloned());
            case.push(negative.clone());
            outside.push(case);
        }
        let budget = Budget::steps(steps);
        let outside = columns.set(&space, &outside).intersect_params(context);
        outside.and_then(|set| set.is_empty(&budget)).unwrap_or(false)
    }

    pub(super) fn replace_subscripts(
        &mut self,
        variable: u32,
        dimension: usize,
        split: &[(usize, Pieces, Vec<Pieces>)],
    ) {
        let replace = |statement: usize, subscripts: &mut Vec<Pieces>| {
            let Some(own) = subscripts.get(dimension) else { return };
            let same = split.iter().find(|(s, pieces, _)| *s == statement && pieces == own);
            if let Some((_, _, parts)) = same {
                subscripts.splice(dimension..=dimension, parts.iter().cloned());
            }
        };
        let mut statements = std::mem::take(&mut self.out.statements);
        for (at, statement) in statements.iter_mut().enumerate() {
            for access in statement.accesses.iter_mut().filter(|a| a.variable == variable) {
                replace(at, &mut access.subscripts);
            }
            for piece in &mut statement.pieces {
                if let RawPiece::Element { variable: own, subscripts } = piece
                    && self.accessed(*own) == variable
                {
                    replace(at, subscripts);
                }
            }
        }
        self.out.statements = statements;
    }

    /// A stride in C.
    pub(super) fn stride_text(&self, stride: &Linear) -> String {
        let is_long = self.out.symbols.products.iter().any(|(_, own, long)| *long && own == stride);
        let mut text = String::new();
        for (symbol, coefficient) in &stride.terms {
            let Symbol::Parameter(parameter) = symbol else { continue };
            let name = &self.variable(*parameter).name;
            let name = if is_long { format!("(long) {name}") } else { name.clone() };
            let sign = match (text.is_empty(), *coefficient < 0) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            text.push_str(sign);
            match coefficient.unsigned_abs() {
                1 => text.push_str(&name),
                factor => text.push_str(&format!("{factor} * {name}")),
            }
        }
        match stride.constant {
            0 => {}
            constant if constant < 0 => text.push_str(&format!(" - {}", constant.unsigned_abs())),
            constant => text.push_str(&format!(" + {constant}")),
        }
        let is_word = text.chars().all(|c| c.is_alphanumeric() || c == '_');
        if is_word { text } else { format!("({text})") }
    }
}

/// Work limit of one proof that a subscript is in range.
const STEPS: u64 = 200_000;

/// Work limit of one proof that an unsigned value does not wrap around.
const FEW_STEPS: u64 = 20_000;

/// The strides, outermost first, if every chain has one more than the one before.
fn strides(chains: BTreeSet<Chain>) -> Option<Vec<Linear>> {
    let mut chains: Vec<Chain> = chains.into_iter().collect();
    chains.sort_by_key(Vec::len);
    let mut strides = Vec::with_capacity(chains.len());
    for pair in chains.windows(2) {
        let mut more = pair[1].clone();
        for stride in &pair[0] {
            let position = more.iter().position(|other| other == stride)?;
            more.remove(position);
        }
        let [stride] = &more[..] else { return None };
        strides.push(stride.clone());
    }
    strides.reverse();
    Some(strides)
}
