//! Statements with fewer loops than others, as statements with equally many: further coordinates have one
//! value.
//!
//! The border of a field is set in a loop less than its inside: `ey[0][j]` beside `ey[i][j]`. As an instance
//! of a statement with loops over `i` and `j` it is the one with `i = 0`, so a tile that needs elements
//! around its block finds it like all others. Which coordinate is missing, and its value, is read off the
//! element that is written, beside those that a deeper statement writes.
use crate::tile::origins::pulled_back;
use loopwright_presburger::{
    Aff, DimKind, Int, MultiAff, Name, PwMultiAff, Result, Set, Space, Tuple, UnionPwMultiAff,
    UnionSet,
};
use loopwright_schedule::ScheduleTree;
use loopwright_scop::{ArrayId, Scop, Statement, Term};

/// The program with equally many coordinates for all statements that are executed; none if they have that
/// already, or if it is not known which are missing. Instances correspond one to one, in the same order.
///
/// *Cost.* Linear.
///
/// ```
/// use loopwright_cfront::SourceFile;
/// use loopwright_transform::overlapped::with_equal_depths;
/// let text = "void f(int n, double a[n][n]) {\n#pragma scop\n  for (int t = 0; t < n; t++) {\n    for (int j = 0; j < n; j++) a[0][j] = t;\n\
///     for (int i = 1; i < n; i++) for (int j = 0; j < n; j++) a[i][j] += a[i - 1][j];\n  }\n#pragma endscop\n}";
/// let scop = &SourceFile::from_text("f.c", text).extract().unwrap()[0].scop;
/// let padded = with_equal_depths(scop)?.expect("the border has a loop less");
/// assert_eq!(padded.statements[0].domain.to_string(), "[n] -> { S0[i0, 0, i2] : 0 <= i0 < n and 0 <= i2 < n }");
/// assert!(with_equal_depths(&padded)?.is_none());
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
///
/// # Errors
/// Those of operations on sets.
pub fn with_equal_depths(scop: &Scop) -> Result<Option<Scop>> {
    let executed = || scop.statements.iter().filter(|statement| !statement.is_kill);
    let most = executed().map(|statement| statement.iterators.len()).max().unwrap_or(0);
    if executed().all(|statement| statement.iterators.len() == most) {
        return Ok(None);
    }
    let mut padded = scop.clone();
    let mut instances = Vec::with_capacity(scop.statements.len());
    for statement in &mut padded.statements {
        if statement.is_kill || statement.iterators.len() == most {
            let space = statement.domain.space().clone();
            let all = (0..space.n(DimKind::Out)).map(|at| Aff::variable(&space, DimKind::Out, at));
            let identity = MultiAff::new(space.map_to(&space), all.collect())?;
            instances.push(PwMultiAff::everywhere(identity));
            continue;
        }
        let Some(places) = places(scop, statement, most) else { return Ok(None) };
        let (own, instance) = with_places(statement, &places)?;
        *statement = own;
        instances.push(PwMultiAff::everywhere(instance));
    }
    let pulled = scop.schedule.pullback(&UnionPwMultiAff::from_parts(instances))?;
    let domains = padded.statements.iter().map(|statement| statement.domain.clone());
    let domain = UnionSet::from_sets(&Space::params(&[]), domains);
    padded.schedule = ScheduleTree::new(domain, pulled.root);
    Ok(Some(padded))
}

/// Where a coordinate comes from.
enum Place {
    /// It is one that the statement has.
    Own(usize),
    /// It has this value, over the instances of the statement.
    Value(Aff),
}

/// The coordinates of a statement with `most` loops in its place: time, then those that its element has in an
/// instance of a deeper statement.
fn places(scop: &Scop, statement: &Statement, most: usize) -> Option<Vec<Place>> {
    if statement.iterators.is_empty() {
        return None;
    }
    let (array, own) = written(statement)?;
    let deepest = scop.statements.iter().filter(|other| other.iterators.len() == most);
    let (_, deep) = deepest.filter_map(written).find(|(other, _)| *other == array)?;
    let mut places: Vec<Option<Place>> = (0..most).map(|_| None).collect();
    *places.first_mut()? = Some(Place::Own(0));
    for (subscript, of_deep) in own.iter().zip(&deep) {
        let (position, offset) = iterator(of_deep)?;
        let place = match iterator(subscript) {
            Some((iterator, _)) => Place::Own(iterator),
            None if !subscript.involves_dims(DimKind::In, 0, statement.iterators.len()) => {
                Place::Value(subscript.add_constant(&-&offset))
            }
            None => return None,
        };
        let free = places.get_mut(position).filter(|place| place.is_none())?;
        *free = Some(place);
    }
    let places: Vec<Place> = places.into_iter().collect::<Option<_>>()?;
    let own = |at: usize| places.iter().filter(move |p| matches!(p, Place::Own(own) if *own == at));
    let is_complete = (0..statement.iterators.len()).all(|at| own(at).count() == 1);
    is_complete.then_some(places)
}

/// The element that an assignment writes.
fn written(statement: &Statement) -> Option<(ArrayId, Vec<Aff>)> {
    let (_, target, _) = statement.body.root().and_then(Term::as_assignment)?;
    let element = target.without_parentheses().as_element()?;
    let subscripts = element.subscripts.iter().map(|subscript| subscript.as_aff());
    Some((element.array, subscripts.collect::<Option<_>>()?))
}

/// The iterator that a subscript is, but for a constant.
fn iterator(subscript: &Aff) -> Option<(usize, Int)> {
    let n = subscript.domain_space().n(DimKind::Out);
    let space = subscript.domain_space();
    (0..n).find_map(|at| {
        let rest = subscript.sub(&Aff::variable(space, DimKind::Out, at)).ok()?;
        Some((at, rest.constant_value()?.to_int()?))
    })
}

/// The statement with these coordinates, and its own instances as functions of the new ones.
fn with_places(statement: &Statement, places: &[Place]) -> Result<(Statement, MultiAff)> {
    let own = statement.domain.space().clone();
    let name = own.output().and_then(Tuple::name).cloned().unwrap_or_default();
    let space = own.with_tuples(None, Some(Tuple::named(&name, places.len())));
    let position = |at: usize| places.iter().position(|p| matches!(p, Place::Own(o) if *o == at));
    let coordinates = (0..statement.iterators.len())
        .map(|at| Aff::variable(&space, DimKind::Out, position(at).unwrap_or_default()));
    let instance = MultiAff::new(space.map_to(&own), coordinates.collect())?;
    let mut domain: Set = statement.domain.preimage_multi_aff(&instance)?;
    let mut iterators: Vec<(Name, String)> = Vec::with_capacity(places.len());
    for (at, place) in places.iter().enumerate() {
        match place {
            Place::Own(own) => iterators
                .push((statement.iterators[*own].clone(), statement.iterator_types[*own].clone())),
            Place::Value(value) => {
                let value = value.pullback(&instance)?;
                let coordinate = Aff::variable(&space, DimKind::Out, at);
                domain = domain.intersect(&coordinate.eq_set(&value)?)?;
                iterators.push((Name::from(format!("coordinate_{at}")), "long".to_string()));
            }
        }
    }
    Ok((pulled_back(statement, &instance, &domain, iterators)?, instance))
}
