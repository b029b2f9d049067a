//! The entry points that read quasi-affine expressions.
use crate::core::error::Result;
use crate::core::map::Map;
use crate::core::set::Set;
use crate::core::space::Space;
use crate::core::tuple::{Name, Tuple};
use crate::functions::aff::Aff;
use crate::functions::multi_aff::MultiAff;
use crate::functions::multi_union_pw_aff::MultiUnionPwAff;
use crate::functions::piecewise::{PwAff, PwMultiAff};
use crate::functions::union_piecewise::{UnionPwAff, UnionPwMultiAff};
use crate::notation::lexer::error;
use crate::notation::lower::{self, FunctionPiece};
use crate::notation::parser::{Mode, Parser};
use crate::notation::read::union_set;
use crate::notation::syntax::Item;

/// A tuple of expressions on a domain, and where in the text it starts.
struct Piece {
    position: usize,
    domain: Set,
    value: MultiAff,
}

/// Reads `{ S[i] -> [(i)] : i > 0; ... }` after the parameters.
fn pieces(parser: &mut Parser<'_>, params: &[Name]) -> Result<Vec<Piece>> {
    let mut pieces = Vec::new();
    for item in parser.items()? {
        pieces.extend(pieces_of_item(&item, params)?);
    }
    Ok(pieces)
}

fn pieces_of_item(item: &Item, params: &[Name]) -> Result<Vec<Piece>> {
    let input = item.input.as_ref().map(|t| t.tuple.clone());
    let domain = Space::params(params).with_tuples(None, input.clone());
    let Some(output) = &item.output else {
        return Err(error(item.position, "expected a tuple of expressions"));
    };
    let space = domain.with_tuples(input, Some(output.tuple.clone()));
    let pieces = lower::function(item, &domain)?.into_iter();
    pieces.map(|piece| finished(item, &domain, &space, piece)).collect()
}

/// The expression of an item whose output is a tuple of one anonymous position.
pub(super) fn pw_aff_of_item(item: Item, params: &[Name]) -> Result<PwAff> {
    let input = item.input.as_ref().map(|t| t.tuple.clone());
    let domain = Space::params(params).with_tuples(None, input);
    let first = |piece: Piece| (piece.domain, piece.value.affs()[0].clone());
    let pieces = pieces_of_item(&item, params)?.into_iter().map(first).collect();
    Ok(PwAff::from_pieces(domain, pieces))
}

fn finished(item: &Item, domain: &Space, space: &Space, piece: FunctionPiece) -> Result<Piece> {
    let value = |value| match value {
        Some((locals, row, denominator)) => Aff::from_row(domain, locals, row, denominator),
        None => Aff::nan(domain),
    };
    let affs = piece.values.into_iter().map(value).collect();
    Ok(Piece {
        position: item.position,
        domain: Set(Map::from_basic_maps(domain.clone(), piece.domain)),
        value: MultiAff::new(space.clone(), affs)?,
    })
}

/// The parameters and the pieces of a whole text.
fn read(text: &str) -> Result<(Vec<Name>, Vec<Piece>)> {
    let mut parser = Parser::new(text, Mode::Function)?;
    let params = parser.parameters()?;
    let pieces = pieces(&mut parser, &params)?;
    parser.end()?;
    Ok((params, pieces))
}

/// The pieces of one space, and where in the text the first one starts.
type Group = (usize, Space, Vec<(Set, MultiAff)>);

/// Groups pieces by their spaces.
fn functions(pieces: Vec<Piece>) -> Vec<(usize, PwMultiAff)> {
    let mut groups: Vec<Group> = Vec::new();
    for Piece { position, domain, value } in pieces {
        match groups.iter_mut().find(|(_, space, _)| space == value.space()) {
            Some((_, _, group)) => group.push((domain, value)),
            None => groups.push((position, value.space().clone(), vec![(domain, value)])),
        }
    }
    let function = |(at, space, pieces): Group| (at, PwMultiAff::from_pieces(space, pieces));
    groups.into_iter().map(function).collect()
}

/// The single function of a text.
fn single(text: &str) -> Result<PwMultiAff> {
    let (_, pieces) = read(text)?;
    let mut functions = functions(pieces);
    if let Some((position, _)) = functions.get(1) {
        return Err(error(*position, "expected one space, found a second space"));
    }
    match functions.pop() {
        Some((_, function)) => Ok(function),
        None => {
            Err(error(text.len(), "expected an expression, found no pieces that tell its space"))
        }
    }
}

/// The only piece of a function, which must cover everything.
fn total(function: PwMultiAff) -> Result<MultiAff> {
    let everywhere = |domain: &Set| domain.plain_is_universe();
    match <[_; 1]>::try_from(function.pieces) {
        Ok([(domain, aff)]) if everywhere(&domain) => Ok(aff),
        _ => Err(error(0, "expected a single expression without conditions")),
    }
}

/// The expression in a tuple of one anonymous position.
fn scalar(position: usize, function: &PwMultiAff) -> Result<PwAff> {
    match function.space().output() {
        Some(tuple) if *tuple == Tuple::anonymous(1) => Ok(function.pw_aff(0)),
        _ => Err(error(position, "expected a single expression in an anonymous tuple")),
    }
}

impl Aff {
    /// Reads `[n] -> { S[i] -> [(i + n)] }`.
    ///
    /// ```
    /// # use loopwright_presburger::{Aff, Int, Rational};
    /// let aff = Aff::parse("[n] -> { S[i] -> [(2i + floor((i + n)/3))] }")?;
    /// assert_eq!(aff.eval(&[Int::from(10), Int::from(4)]), Rational::from(12));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parse`](crate::Error::Parse) with the byte position.
    pub fn parse(text: &str) -> Result<Self> {
        let function = single(text)?;
        let _is_scalar = scalar(0, &function)?;
        Ok(total(function)?.affs()[0].clone())
    }
}

impl PwAff {
    /// Reads `{ [i] -> [(i)] : i >= 0; [i] -> [(-i)] : i < 0 }`; minima, maxima and conditional
    /// expressions become pieces.
    ///
    /// ```
    /// use loopwright_presburger::PwAff;
    /// let distance = PwAff::parse("{ [i, j] -> [max(i - j, j - i)] }")?;
    /// assert_eq!(distance.pieces().len(), 2);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parse`](crate::Error::Parse) with the byte position.
    pub fn parse(text: &str) -> Result<Self> {
        scalar(0, &single(text)?)
    }
}

impl MultiAff {
    /// Reads `{ S[i] -> A[(i), (i + 1)] }`.
    ///
    /// ```
    /// # use loopwright_presburger::MultiAff;
    /// let access = MultiAff::parse("{ S[i, j] -> A[i + j, 2i] }")?;
    /// assert_eq!(access.to_string(), "{ S[i, j] -> A[(i + j), (2i)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parse`](crate::Error::Parse) with the byte position.
    pub fn parse(text: &str) -> Result<Self> {
        total(single(text)?)
    }
}

impl PwMultiAff {
    /// Reads `{ S[i] -> A[(i), (i + 1)] : i > 3; S[i] -> A[(2), (3)] : i < 0 }`.
    ///
    /// ```
    /// # use loopwright_presburger::PwMultiAff;
    /// let access =
    ///     PwMultiAff::parse("{ S[i] -> A[(i), (i + 1)] : i > 3; S[i] -> A[2, 3] : i < 0 }")?;
    /// assert_eq!(access.pieces().len(), 2);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parse`](crate::Error::Parse) with the byte position.
    pub fn parse(text: &str) -> Result<Self> {
        single(text)
    }
}

impl UnionPwAff {
    /// Reads `{ S[i] -> [(i)]; T[] -> [(0)] }`.
    ///
    /// ```
    /// # use loopwright_presburger::UnionPwAff;
    /// let time = UnionPwAff::parse("{ S[i] -> [(i)]; T[] -> [(0)] }")?;
    /// assert_eq!(time.parts().len(), 2);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parse`](crate::Error::Parse) with the byte position.
    pub fn parse(text: &str) -> Result<Self> {
        let (_, pieces) = read(text)?;
        union_of(pieces)
    }
}

fn union_of(pieces: Vec<Piece>) -> Result<UnionPwAff> {
    let parts =
        functions(pieces).iter().map(|(at, part)| scalar(*at, part)).collect::<Result<_>>()?;
    Ok(UnionPwAff::from_parts(parts))
}

impl UnionPwMultiAff {
    /// Reads `{ S[i] -> A[(i)]; T[i] -> B[(i), (0)] }`.
    ///
    /// ```
    /// # use loopwright_presburger::UnionPwMultiAff;
    /// let accesses = UnionPwMultiAff::parse("{ S[i] -> A[(i)]; T[i] -> B[(i), (0)] }")?;
    /// assert_eq!(accesses.to_union_map().to_string(), "{ S[i] -> A[i]; T[i] -> B[i, 0] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parse`](crate::Error::Parse) with the byte position.
    pub fn parse(text: &str) -> Result<Self> {
        let (_, pieces) = read(text)?;
        Ok(UnionPwMultiAff::from_parts(functions(pieces).into_iter().map(|f| f.1).collect()))
    }
}

impl MultiUnionPwAff {
    /// Reads `L[{ S[i] -> [(i)]; T[] -> [(0)] }, { S[i] -> [(0)]; T[] -> [(1)] }]`, and with a
    /// domain for a tuple without members `(L[] : { S[i] : i > 0 })`.
    ///
    /// ```
    /// # use loopwright_presburger::MultiUnionPwAff;
    /// let band = MultiUnionPwAff::parse("L[{ S[i] -> [(i)]; T[] -> [(0)] }]")?;
    /// assert_eq!(band.to_union_map()?.to_string(), "{ S[i] -> L[i]; T[] -> L[0] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parse`](crate::Error::Parse) with the byte position.
    pub fn parse(text: &str) -> Result<Self> {
        let mut parser = Parser::new(text, Mode::Function)?;
        let params = parser.parameters()?;
        let has_domain = parser.accept("(");
        let name = parser.tuple_name();
        parser.expect("[")?;
        let mut members = Vec::new();
        while !parser.accept("]") {
            if !members.is_empty() {
                parser.expect(",")?;
            }
            let member = pieces(&mut parser, &params)?;
            members.push(union_of(member)?);
        }
        let tuple = Tuple::anonymous(members.len()).with_name(name);
        let mut function = MultiUnionPwAff::new(tuple, members);
        if has_domain {
            parser.expect(":")?;
            parser.set_mode(Mode::Relation);
            let domain = union_set(&mut parser, &params)?;
            parser.expect(")")?;
            function = match function.n_members() {
                0 => MultiUnionPwAff::without_members(function.tuple().clone(), domain),
                _ => function.intersect_domain(&domain)?,
            };
        }
        parser.end()?;
        Ok(function)
    }
}
