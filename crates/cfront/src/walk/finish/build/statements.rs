//! The statements of a scop: domains, access relations and texts.
use super::Builder;
use crate::facts::variables::Origin;
use crate::model::linear::Linear;
use crate::model::pieces::Pieces;
use crate::model::raw_model::{RawAccess, RawPiece, RawStatement};
use crate::model::spaces::Columns;
use crate::parallel_map::side_by_side;
use loopwright_presburger::{
    Aff, Budget, DimKind, Map, Name, PwAff, Result as SetResult, Set, Space, Tuple,
};
use loopwright_scop::{
    Access, Body, BodyBuilder, BodyPiece, Element, ElementText, Location, ReferenceId, Statement,
    StatementId,
};
use std::borrow::Cow;
use std::ops::Range;

/// So many statements are built one after the other.
const STATEMENTS_IN_TURN: usize = 64;

impl Builder<'_, '_, '_> {
    /// All statements.
    pub(super) fn statements(
        &self,
        extents: &[Vec<(Option<Linear>, String)>],
    ) -> SetResult<Vec<Statement>> {
        let raw = &self.walk.out.statements;
        let n = raw.len();
        if n <= STATEMENTS_IN_TURN {
            return self.some_statements(0..n, extents);
        }
        let places = || raw.iter().map(|statement| statement.at);
        let bytes = places().max().unwrap_or(0) - places().min().unwrap_or(0);
        let parts: Vec<usize> = (0..n).step_by(STATEMENTS_IN_TURN).collect();
        let part = |first: &usize| {
            self.apart().some_statements(*first..n.min(first + STATEMENTS_IN_TURN), extents)
        };
        let parts: SetResult<Vec<_>> = side_by_side(&parts, bytes, part).into_iter().collect();
        Ok(parts?.into_iter().flatten().collect())
    }

    /// The same with names and a budget of its own: threads that count references to the same names would
    /// wait for each other.
    fn apart(&self) -> Self {
        let own = |name: &Name| Name::from(&**name);
        let names: Vec<Name> = self.space.param_names().iter().map(own).collect();
        let space = Space::params(&names);
        let range = |range: &Space| space.with_tuples(None, range.output().cloned());
        Builder {
            walk: self.walk,
            parameters: self.parameters.clone(),
            arrays: self.arrays.clone(),
            array_ids: self.array_ids.clone(),
            tuple_names: self.tuple_names.iter().map(own).collect(),
            ranges: self.ranges.iter().map(range).collect(),
            space,
            budget: Budget::steps(super::STEPS),
        }
    }

    /// Statements that follow each other.
    fn some_statements(
        &self,
        range: Range<usize>,
        extents: &[Vec<(Option<Linear>, String)>],
    ) -> SetResult<Vec<Statement>> {
        let mut statements = Vec::with_capacity(range.len());
        for (index, raw) in range.clone().zip(&self.walk.out.statements[range]) {
            let suffix = if raw.is_kill { "_kill" } else { "" };
            let name = Name::from(format!("S{index}{suffix}"));
            statements.push(self.statement(index, &name, raw, extents, statements.last())?);
        }
        Ok(statements)
    }

    /// The names of the iterators of a nest, made unique.
    fn iterator_names(&self, loops: &[u32]) -> Vec<Name> {
        let mut names: Vec<Name> = Vec::with_capacity(loops.len());
        for (depth, index) in loops.iter().enumerate() {
            let plain = &self.walk.variable(self.walk.out.loops[*index as usize].variable).name;
            let mut name: Name = plain.as_str().into();
            if names.contains(&name) || self.space.param_names().contains(&name) {
                name = format!("{plain}_{depth}").into();
            }
            names.push(name);
        }
        names
    }

    /// A statement, perhaps after another one.
    fn statement(
        &self,
        index: usize,
        name: &Name,
        raw: &RawStatement,
        extents: &[Vec<(Option<Linear>, String)>],
        last: Option<&Statement>,
    ) -> SetResult<Statement> {
        let iterators = self.iterator_names(&raw.loops);
        let dim_names: Vec<Option<Name>> = iterators.iter().cloned().map(Some).collect();
        let tuple = Tuple::named(name, iterators.len()).with_dim_names(&dim_names);
        let universe = Set::universe(self.set_space(tuple));
        let space = universe.space();
        let columns = self.columns(&raw.loops, 0);
        let same = |last: &&Statement| {
            let other = &self.walk.out.statements[last.id.0 as usize];
            other.loops == raw.loops && other.domain == raw.domain
        };
        let domain = match last.filter(same) {
            Some(last) => last.domain.with_space_tuples(space)?,
            None => {
                let domain = columns.set(space, &raw.domain.0);
                Set::from_map(self.compact(domain.as_map().clone())?)
            }
        };
        let accesses = self.accesses(raw, &domain, extents)?;
        let body = self.body(&raw.pieces, &columns, &universe, &domain)?;
        let c_type = |l: &u32| {
            let variable = self.walk.out.loops[*l as usize].variable;
            self.walk.variable(variable).declared.scalar.spelling.clone()
        };
        let line = self.walk.line_of(raw.at);
        let start = self.walk.facts.clean.starts[self.walk.facts.clean.line_of(raw.at)];
        Ok(Statement {
            id: StatementId(index as u32),
            name: name.clone(),
            domain,
            iterator_types: raw.loops.iter().map(c_type).collect(),
            iterators,
            accesses,
            body,
            is_kill: raw.is_kill,
            location: Location { line, column: (raw.at - start) as u32 + 1 },
        })
    }

    /// The accesses of a statement. Calls often touch the same whole array dozens of times: that is said
    /// once.
    fn accesses(
        &self,
        statement: &RawStatement,
        domain: &Set,
        extents: &[Vec<(Option<Linear>, String)>],
    ) -> SetResult<Vec<Access>> {
        let mut accesses: Vec<Access> = Vec::with_capacity(statement.accesses.len());
        for raw in &statement.accesses {
            let access = self.access(accesses.len(), raw, statement, domain, extents)?;
            let is_whole =
                raw.subscripts.is_empty() && !extents[access.array.0 as usize].is_empty();
            let says_the_same = |other: &Access| {
                (other.array, other.kind) == (access.array, access.kind)
                    && other.relation.plain_is_equal(&access.relation)
            };
            if !(is_whole && accesses.iter().any(says_the_same)) {
                accesses.push(access);
            }
        }
        Ok(accesses)
    }

    fn access(
        &self,
        reference: usize,
        raw: &RawAccess,
        statement: &RawStatement,
        domain: &Set,
        extents: &[Vec<(Option<Linear>, String)>],
    ) -> SetResult<Access> {
        let space = domain.space();
        let array = self.array_ids[&raw.variable];
        let position = array.0 as usize;
        let n = extents[position].len();
        let range = &self.ranges[position];
        let inner_loops = raw.inner.as_ref().map_or(&[][..], |inner| &inner.loops);
        let loops = match inner_loops {
            [] => Cow::Borrowed(&statement.loops[..]),
            _ => Cow::Owned([&statement.loops[..], inner_loops].concat()),
        };
        let n_loops = loops.len();
        let columns = self.columns(loops, n);
        let extents = self.limits(raw, &extents[position]);
        let relation = match &raw.inner {
            None => {
                let space = space.map_to(range);
                let is_limited = extents.iter().any(Option::is_some);
                let graph = || columns.graph(&space, domain, &raw.subscripts);
                match (!is_limited).then(graph).flatten() {
                    Some(graph) => Map::from_basic_map(graph),
                    None => {
                        columns.relation(&space, &statement.domain.0, &raw.subscripts, &extents)
                    }
                }
            }
            Some(inner) => {
                let (outer, more) = (statement.loops.len(), inner.loops.len());
                let whole = self.set_space(Tuple::anonymous(n_loops));
                let domain = &inner.domain.0;
                columns
                    .relation(&whole.map_to(range), domain, &raw.subscripts, &extents)
                    .project_out(DimKind::In, outer, more)
                    .with_space_tuples(&space.map_to(range))?
            }
        };
        let relation = self.compact(relation)?;
        let reference = ReferenceId(reference as u32);
        Ok(Access { reference, array, kind: raw.kind, relation })
    }

    /// The extents within which the elements of a reference lie: those of dimensions without
    /// subscripts, and where a subscript is not known. The outermost extent of an argument is not
    /// part of its type.
    fn limits<'l>(
        &self,
        raw: &RawAccess,
        extents: &'l [(Option<Linear>, String)],
    ) -> Vec<Option<&'l Linear>> {
        let is_argument = self.walk.variable(raw.variable).origin == Origin::Argument;
        let limit = |(position, (extent, _)): (usize, &'l (Option<Linear>, String))| {
            let applies = match raw.subscripts.get(position) {
                None => true,
                Some(pieces) => self.walk.is_unknown(pieces) && !(is_argument && position == 0),
            };
            extent.as_ref().filter(|_| applies)
        };
        extents.iter().enumerate().map(limit).collect()
    }

    /// The same points in few pieces: the cases of conditions and subscripts that no instance
    /// reaches are dropped, the others merged. Everything after this multiplies the pieces.
    pub(super) fn compact(&self, map: Map) -> SetResult<Map> {
        if map.basic_maps().len() <= 1 {
            return Ok(map);
        }
        let mut kept = Vec::new();
        for basic in map.basic_maps() {
            // When the budget is gone the piece stays: that is always right.
            if !Map::from_basic_map(basic.clone()).is_empty(&self.budget).unwrap_or(false) {
                kept.push(basic.clone());
            }
        }
        let reached = Map::from_basic_maps(map.space().clone(), kept);
        Ok(reached.coalesce(&self.budget).unwrap_or(reached))
    }

    fn body(
        &self,
        pieces: &[RawPiece],
        columns: &Columns<'_>,
        universe: &Set,
        domain: &Set,
    ) -> SetResult<Body> {
        let mut body = BodyBuilder::default();
        for piece in pieces {
            match piece {
                RawPiece::Open(kind) => body.open(kind.clone()),
                RawPiece::Close => body.close(),
                piece => body.piece(self.piece(piece, columns, universe, domain)?),
            }
        }
        Ok(body.finish())
    }

    fn piece(
        &self,
        piece: &RawPiece,
        columns: &Columns<'_>,
        universe: &Set,
        domain: &Set,
    ) -> SetResult<BodyPiece<'static>> {
        let expression = |pieces: &Pieces| self.expression(pieces, columns, universe, domain);
        Ok(match piece {
            RawPiece::Open(_) | RawPiece::Close => BodyPiece::text(""),
            RawPiece::Text(text) => BodyPiece::text(text.clone()),
            RawPiece::Hidden { variable } => {
                match self.array_ids.get(&self.walk.accessed(*variable)) {
                    Some(&array) => BodyPiece::Hidden(array),
                    None => BodyPiece::text(""),
                }
            }
            RawPiece::Expression(pieces) => BodyPiece::affine(expression(pieces)?),
            RawPiece::Element { variable, subscripts } => {
                let accessed = self.walk.accessed(*variable);
                // What a call is given and does not use.
                let Some(&array) = self.array_ids.get(&accessed) else {
                    let root = self.walk.variable(self.walk.root(*variable));
                    let constant = self.walk.constant_at(*variable, subscripts);
                    let name = constant.map_or(&root.name, |c| &self.walk.variable(c).name);
                    return Ok(BodyPiece::text(name.clone()));
                };
                let tuple_name = &self.tuple_names[array.0 as usize];
                let root = self.walk.variable(self.walk.root(*variable));
                let n = self.walk.variable(*variable).declared.dimensions.len();
                let is_text = subscripts.is_empty() && n > 0;
                let base = match root.in_region() {
                    true if is_text => ElementText::named(&**tuple_name),
                    false if is_text => ElementText::named(root.name.as_str()),
                    true if accessed == *variable => ElementText::named(&**tuple_name),
                    true => self.walk.element_text(*variable, tuple_name),
                    false => self.walk.element_text(*variable, &root.name),
                };
                let base = match self.walk.out.views().get(&accessed) {
                    Some(view) if !is_text => view.text(&base, n),
                    _ => base,
                };
                let subscripts = subscripts.iter().map(expression).collect::<SetResult<_>>()?;
                BodyPiece::element(Element { base, array, subscripts })
            }
        })
    }

    fn expression(
        &self,
        pieces: &Pieces,
        columns: &Columns<'_>,
        universe: &Set,
        domain: &Set,
    ) -> SetResult<PwAff> {
        let space = universe.space();
        let everywhere = |aff| PwAff::on_domain(universe.clone(), aff);
        if let Some(linear) = pieces.as_linear() {
            return Ok(everywhere(columns.aff(space, linear)));
        }
        let mut reached: Vec<(Set, Aff)> = Vec::new();
        for (conjunction, linear) in &pieces.0 {
            let piece = columns.set(space, std::slice::from_ref(conjunction));
            if !domain.intersect(&piece)?.is_empty(&self.budget).unwrap_or(false) {
                reached.push((piece, columns.aff(space, linear)));
            }
        }
        if let [(_, only)] = &reached[..] {
            return Ok(everywhere(only.clone()));
        }
        let mut result = PwAff::empty(space);
        for (piece, aff) in reached {
            result = result.union_disjoint(&PwAff::on_domain(piece, aff))?;
        }
        Ok(result)
    }
}
