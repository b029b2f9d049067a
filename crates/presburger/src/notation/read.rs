//! The entry points that read sets and relations.
use crate::core::basic_map::BasicMap;
use crate::core::error::Result;
use crate::core::map::Map;
use crate::core::set::Set;
use crate::core::space::Space;
use crate::core::tuple::Name;
use crate::core::union_map::UnionMap;
use crate::core::union_set::UnionSet;
use crate::notation::lexer::error;
use crate::notation::parser::{Mode, Parser};
use crate::notation::syntax::Item;
use crate::notation::{lower, polylib};

/// What a text of one pair of braces says.
struct Text {
    params: Vec<Name>,
    items: Vec<Item>,
}

/// A relation, and where in the text its first element starts.
type Located = (usize, Map);

/// The parameters and the relations, one per space, of a text in braces or of matrices.
fn read_relations(text: &str) -> Result<(Space, Vec<Located>)> {
    let mut parser = Parser::new(text, Mode::Relation)?;
    if polylib::is_matrix(parser.tokens()) {
        let map = polylib::read(text, parser.tokens())?;
        return Ok((map.space().to_params(), vec![(0, map)]));
    }
    let params = parser.parameters()?;
    let items = parser.items()?;
    parser.end()?;
    let text = Text { params, items };
    Ok((Space::params(&text.params), relations(&text)?))
}

/// The space of an item whose tuples are all dimensions.
fn space_of(item: &Item, params: &[Name]) -> Space {
    let tuple =
        |syntax: &Option<super::syntax::TupleSyntax>| syntax.as_ref().map(|t| t.tuple.clone());
    Space::params(params).with_tuples(tuple(&item.input), tuple(&item.output))
}

/// The relations of a text, one per space, in the order of their first item.
fn relations(text: &Text) -> Result<Vec<Located>> {
    let mut spaces: Vec<(usize, Space, Vec<BasicMap>)> = Vec::new();
    for item in &text.items {
        let space = space_of(item, &text.params);
        let known = spaces.iter().position(|(_, s, _)| *s == space).unwrap_or_else(|| {
            spaces.push((item.position, space, Vec::new()));
            spaces.len() - 1
        });
        let (_, space, basics) = &mut spaces[known];
        basics.extend(lower::relation(item, space)?);
    }
    Ok(spaces
        .into_iter()
        .map(|(position, space, basics)| (position, Map::from_basic_maps(space, basics)))
        .collect())
}

/// The single relation of a text that is not a union of several spaces; none if there is no item.
fn single(text: &str, expected: &str, accepts: fn(&Space) -> bool) -> Result<(Space, Option<Map>)> {
    let (params, mut maps) = read_relations(text)?;
    for (index, (position, map)) in maps.iter().enumerate() {
        if index > 0 {
            return Err(error(
                *position,
                format!("expected {expected} in one space, found a second space"),
            ));
        }
        if !accepts(map.space()) {
            return Err(error(
                *position,
                format!("expected {expected}, found an element of {}", map.space()),
            ));
        }
    }
    Ok((params, maps.pop().map(|m| m.1)))
}

/// The union of the relations of a text.
fn union(text: &str, expected: &str, accepts: fn(&Space) -> bool) -> Result<UnionMap> {
    let (params, maps) = read_relations(text)?;
    union_of(params, maps, expected, accepts)
}

/// The union of sets that comes next.
pub(super) fn union_set(parser: &mut Parser<'_>, params: &[Name]) -> Result<UnionSet> {
    let text = Text { params: params.to_vec(), items: parser.items()? };
    union_of(Space::params(params), relations(&text)?, "a set", |space| !space.is_map())
        .map(UnionSet)
}

fn union_of(
    params: Space,
    maps: Vec<Located>,
    expected: &str,
    accepts: fn(&Space) -> bool,
) -> Result<UnionMap> {
    let mut union = UnionMap { params, maps: Vec::new() };
    for (position, map) in maps {
        if !accepts(map.space()) {
            return Err(error(
                position,
                format!("expected {expected}, found an element of {}", map.space()),
            ));
        }
        union = union.union(&UnionMap::from_map(map))?;
    }
    Ok(union)
}

impl Set {
    /// Reads isl's notation: `[n] -> { S[i] : 0 <= i < n }` or `[n] -> { : n > 0 }`.
    ///
    /// A text without elements, `{ }`, is the empty set of parameters. A text that starts with a
    /// number is read as constraint matrices, see [`Format::ExtPolyLib`](crate::Format::ExtPolyLib).
    ///
    /// ```
    /// use loopwright_presburger::Set;
    /// let set = Set::parse("[n] -> { S[i, j] : 0 <= i < j < n and (i + j) mod 2 = 0 }")?;
    /// assert_eq!(set.space().to_string(), "[n] -> { S[i, j] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parse`](crate::Error::Parse) with the byte position, and
    /// [`Error::Exceeded`](crate::Error::Exceeded) for a formula that expands to too many
    /// conjunctions.
    pub fn parse(text: &str) -> Result<Self> {
        let (params, map) = single(text, "a set", |space| !space.is_map())?;
        Ok(Set(map.unwrap_or_else(|| Map::empty(params))))
    }
}

impl Space {
    /// Reads what a space is printed as: `[n] -> { S[i] -> T[j] }`, `{ S[i] }`, `[n] -> { : }`.
    ///
    /// ```
    /// # use loopwright_presburger::{Name, Space, Tuple};
    /// let space = Space::set(&[Name::from("n")], Tuple::named("S", 2));
    /// assert_eq!(Space::parse(&space.to_string())?, space);
    /// assert!(Space::parse("{ S[i] : i > 0 }").is_err());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parse`](crate::Error::Parse) with the byte position, also for conditions and for several
    /// spaces.
    pub fn parse(text: &str) -> Result<Self> {
        let (params, relations) = read_relations(text)?;
        match &relations[..] {
            [] => Ok(params),
            [(_, map)] if map.plain_is_universe() => Ok(map.space().clone()),
            [(position, _), ..] => Err(error(*position, "expected one space without conditions")),
        }
    }
}

impl Map {
    /// Reads isl's notation: `[n] -> { S[i] -> T[i + 1, j] : 0 <= i < n }`.
    ///
    /// ```
    /// # use loopwright_presburger::Map;
    /// let map = Map::parse("[n] -> { S[i] -> T[i + 1, j] : 0 <= i < n }")?;
    /// assert_eq!(map.to_string(), "[n] -> { S[i] -> T[1 + i, j] : 0 <= i < n }");
    /// let error = Map::parse("{ S[i] -> T[2k] }").unwrap_err();
    /// assert_eq!(error.to_string(), "at byte 13: expected a declared name, found `k`");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parse`](crate::Error::Parse) with the byte position (also for a text without
    /// elements, which has no space), and [`Error::Exceeded`](crate::Error::Exceeded) for a
    /// formula that expands to too many conjunctions.
    pub fn parse(text: &str) -> Result<Self> {
        let (_, map) = single(text, "a relation", Space::is_map)?;
        map.ok_or_else(|| {
            error(text.len(), "expected a relation, found no elements that tell its space")
        })
    }
}

impl UnionMap {
    /// Reads isl's notation: `{ S[i] -> A[i]; T[i] -> A[i + 1] : i > 0 }`.
    ///
    /// ```
    /// # use loopwright_presburger::UnionMap;
    /// let map = UnionMap::parse("[n] -> { S[i] -> A[i] : 0 <= i < n; T[] -> A[n] }")?;
    /// assert_eq!(map.maps().len(), 2);
    /// assert!(UnionMap::parse("{ }")?.plain_is_empty());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::parse`].
    pub fn parse(text: &str) -> Result<Self> {
        union(text, "a relation", Space::is_map)
    }
}

impl UnionSet {
    /// Reads isl's notation: `{ S[i] : i > 0; T[] }`.
    ///
    /// ```
    /// # use loopwright_presburger::UnionSet;
    /// let set = UnionSet::parse("[n] -> { S[i] : 0 <= i < n; T[] }")?;
    /// assert_eq!(set.sets().len(), 2);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Set::parse`].
    pub fn parse(text: &str) -> Result<Self> {
        union(text, "a set", |space| !space.is_map()).map(UnionSet)
    }
}
