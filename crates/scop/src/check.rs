//! Whether the parts of a model fit together.
//!
//! A model is plain data, which programs may build as they like. What the stages rely on without looking is
//! what is checked here: ids are positions, tuples have the names and sizes of statements and arrays,
//! and every statement has a place in the order. All of it is found by comparing spaces; that
//! no instance is missing in the order is a question about sets.
use crate::{Access, Array, ArrayId, Scop, Statement};
use loopwright_presburger::{Budget, Error, Name, Result, Space, Tuple, UnionSet};
use loopwright_schedule::Node;
use std::collections::HashSet;

/// The work for the question whether all instances of a statement are scheduled.
const STEPS: u64 = 1_000_000;

const OPERATION: &str = "the model of a region";

fn wrong<T>(reason: String) -> Result<T> {
    Err(Error::Invalid { operation: OPERATION, reason })
}

/// A tuple in a message.
fn text(tuple: Option<&Tuple>) -> String {
    match tuple {
        Some(tuple) => {
            let name = tuple.name().map_or("", |name| name);
            format!("{name}[{} dimensions]", tuple.n_dims())
        }
        None => "no tuple".to_string(),
    }
}

fn is(tuple: Option<&Tuple>, name: &Name, n_dims: usize) -> bool {
    tuple.is_some_and(|tuple| tuple.name() == Some(name) && tuple.n_dims() == n_dims)
}

impl Scop {
    /// The same model, if its parts fit together (see [`Scop::check`]).
    ///
    /// # Errors
    /// Those of [`Scop::check`].
    pub fn checked(self) -> Result<Scop> {
        self.check()?;
        Ok(self)
    }

    /// Whether the parts of the model fit together:
    ///
    /// * the ids of statements and references are their positions, those of arrays exist;
    /// * names of parameters, arrays and statements are different from each other;
    /// * domains, both ends of accesses, and expressions in bodies have the tuples of their statements and
    ///   arrays, with as many dimensions as there are iterators and extents;
    /// * sets use declared parameters only; the context and extents are over parameters;
    /// * every instance that is executed is in the domain of the schedule, and in no sequence of it any
    ///   statement is left out that reaches it.
    ///
    /// Cost: in proportion to the size of the model; one question about sets per statement whose
    /// domain is not literally that of the schedule, which is taken for answered with yes where
    /// a million steps do not suffice.
    ///
    /// # Errors
    /// [`Error::Invalid`], which names the statement or array and what is wrong with it.
    ///
    /// ```
    /// use loopwright_scop::{Scop, StatementId};
    /// let text = "
    /// context: \"{ : }\"
    /// statements:
    ///   - name: S0
    ///     domain: \"{ S0[i] : 0 <= i < 9 }\"
    ///     iterators: [ i ]
    ///     iterator_types: [ int ]
    ///     body: []
    /// schedule:
    ///   domain: \"{ S0[i] : 0 <= i < 9 }\"
    /// ";
    /// let mut scop = Scop::parse(text).unwrap();
    /// assert_eq!(scop.check(), Ok(()));
    /// scop.statements[0].id = StatementId(7);
    /// let error = scop.check().unwrap_err();
    /// assert_eq!(error.to_string(), "the model of a region: statement 0 has the id S7");
    /// ```
    pub fn check(&self) -> Result<()> {
        self.check_statements()?;
        self.check_schedule()
    }

    /// The part of [`Scop::check`] that is not about the order.
    ///
    /// # Errors
    /// [`Error::Invalid`], see there.
    pub fn check_statements(&self) -> Result<()> {
        self.check_names()?;
        if !self.context.space().is_params() {
            return wrong("the context is no set of parameter values".to_string());
        }
        self.check_parameters("the context", self.context.space())?;
        for array in &self.arrays {
            self.check_array(array)?;
        }
        for (position, statement) in self.statements.iter().enumerate() {
            self.check_statement(position, statement)?;
        }
        Ok(())
    }

    fn check_names(&self) -> Result<()> {
        let different = |kind: &str, names: &mut dyn Iterator<Item = &Name>| {
            let mut known = HashSet::new();
            for name in names {
                if name.is_empty() || !known.insert(name) {
                    return wrong(format!("the name `{name}` of a {kind} is no name of its own"));
                }
            }
            Ok(())
        };
        different("parameter", &mut self.parameters.iter().map(|parameter| &parameter.name))?;
        different("tuple of an array", &mut self.arrays.iter().map(|array| &array.tuple_name))?;
        different("statement", &mut self.statements.iter().map(|statement| &statement.name))
    }

    fn check_parameters(&self, what: &str, space: &Space) -> Result<()> {
        let is_declared = |name: &&Name| self.parameters.iter().any(|known| known.name == **name);
        match space.param_names().iter().find(|name| !is_declared(name)) {
            Some(name) => wrong(format!("{what} uses `{name}`, which is no parameter")),
            None => Ok(()),
        }
    }

    fn check_array(&self, array: &Array) -> Result<()> {
        let name = &array.tuple_name;
        let (n, n_texts) = (array.extents.len(), array.extent_texts.len());
        if n != n_texts {
            return wrong(format!("array {name} has {n} extents and texts of {n_texts}"));
        }
        for extent in array.extents.iter().flatten() {
            if !extent.domain_space().is_params() {
                return wrong(format!("an extent of array {name} is not over the parameters"));
            }
            self.check_parameters(&format!("an extent of array {name}"), extent.domain_space())?;
        }
        Ok(())
    }

    fn check_statement(&self, position: usize, statement: &Statement) -> Result<()> {
        let Statement { id, name, domain, iterators, .. } = statement;
        if id.0 as usize != position {
            return wrong(format!("statement {position} has the id {id}"));
        }
        let n_dims = iterators.len();
        let tuple = domain.space().output();
        if !domain.space().is_set() || !is(tuple, name, n_dims) {
            let found = text(tuple);
            return wrong(format!("the domain of {name}, of {n_dims} iterators, is over {found}"));
        }
        self.check_parameters(&format!("the domain of {name}"), domain.space())?;
        for (index, access) in statement.accesses.iter().enumerate() {
            self.check_access(statement, index, access)?;
        }
        self.check_body(statement)
    }

    fn check_access(&self, statement: &Statement, index: usize, access: &Access) -> Result<()> {
        let name = &statement.name;
        let Access { reference, array: id, relation, .. } = access;
        if reference.0 as usize != index {
            return wrong(format!("access {index} of {name} has the id {reference}"));
        }
        let Some(array) = self.arrays.get(id.0 as usize) else {
            return wrong(format!("{reference} of {name} is to array {}, which is missing", id.0));
        };
        let space = relation.space();
        if !is(space.input(), name, statement.iterators.len()) {
            let found = text(space.input());
            return wrong(format!("{reference} of {name} begins at {found}"));
        }
        if !is(space.output(), &array.tuple_name, array.extents.len()) {
            let (found, array, n) = (text(space.output()), &array.tuple_name, array.extents.len());
            return wrong(format!("{reference} of {name}, to {array} of {n}, ends at {found}"));
        }
        self.check_parameters(&format!("{reference} of {name}"), space)
    }

    fn check_body(&self, statement: &Statement) -> Result<()> {
        let (name, body) = (&statement.name, &statement.body);
        let is_missing = |id: &ArrayId| self.arrays.get(id.0 as usize).is_none();
        let named = body.elements().into_iter().map(|element| element.array);
        if let Some(id) = named.chain(body.hidden().iter().copied()).find(is_missing) {
            return wrong(format!("the body of {name} has array {}, which is missing", id.0));
        }
        for form in body.forms() {
            let space = form.domain_space();
            if !space.is_params() && !is(space.output(), name, statement.iterators.len()) {
                let found = text(space.output());
                return wrong(format!("an expression in the body of {name} is over {found}"));
            }
            self.check_parameters(&format!("an expression in the body of {name}"), space)?;
        }
        Ok(())
    }

    /// That every executed instance is scheduled.
    fn check_schedule(&self) -> Result<()> {
        let domain = &self.schedule.domain;
        self.check_parameters("the schedule", domain.params_space())?;
        for statement in self.statements.iter().filter(|statement| !statement.is_kill) {
            let all = &statement.domain;
            let scheduled = domain.extract(all.space());
            if scheduled.as_map().plain_is_equal(all.as_map()) {
                continue;
            }
            let executed = all.intersect_params(&self.context)?;
            if let Ok(false) = executed.is_subset(&scheduled, &Budget::steps(STEPS)) {
                let name = &statement.name;
                return wrong(format!("instances of {name} are not in the domain of the schedule"));
            }
        }
        let executed = self.statements.iter().filter(|statement| !statement.is_kill);
        let names = executed.map(|statement| statement.name.clone()).collect();
        let mut left_out = Vec::new();
        find_left_out(&self.schedule.root, &names, &mut left_out)?;
        for statement in self.statements.iter().filter(|s| left_out.contains(&s.name)) {
            // Statements without instances have no place.
            let executed = statement.domain.intersect_params(&self.context)?;
            if let Ok(false) = executed.is_empty(&Budget::steps(STEPS)) {
                let name = &statement.name;
                return wrong(format!("{name} is left out in a sequence of the schedule"));
            }
        }
        Ok(())
    }
}

fn names_of(instances: &UnionSet) -> HashSet<Name> {
    let sets = instances.sets();
    sets.iter().filter_map(|set| set.space().output()?.name().cloned()).collect()
}

/// The statements that reach a sequence and are in none of its filters, down to nodes that change what the
/// instances are.
fn find_left_out(node: &Node, names: &HashSet<Name>, found: &mut Vec<Name>) -> Result<()> {
    let children = match node {
        Node::Sequence(children) | Node::Set(children) => children,
        Node::Expansion { .. } | Node::Extension(..) | Node::Leaf => return Ok(()),
        Node::Filter(filter, child) => {
            let mut kept = names_of(filter);
            kept.retain(|name| names.contains(name));
            return find_left_out(child, &kept, found);
        }
        other => {
            let mut children = other.children().iter();
            return children.try_for_each(|child| find_left_out(child, names, found));
        }
    };
    let mut kept = HashSet::new();
    for child in children {
        match child {
            Node::Filter(filter, _) => kept.extend(names_of(filter)),
            _ => return wrong("a child of a sequence of the schedule is no filter".to_string()),
        }
        find_left_out(child, names, found)?;
    }
    found.extend(names.difference(&kept).cloned());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ArrayId, Body, ReferenceId, StatementId, Term};
    use loopwright_presburger::{Map, PwAff, Set};
    use loopwright_schedule::ScheduleTree;

    const MODEL: &str = r#"
context: "[n] -> { : n > 3 }"
parameters:
  - { name: n, type: int }
arrays:
  - { name: a, tuple: a, type: double, kind: floating, extents: [ "[n] -> { [(n)] }" ], extent_texts: [ n ] }
  - { name: x, tuple: x, type: double, kind: floating }
statements:
  - name: S0
    domain: "[n] -> { S0[i] : 0 <= i < n }"
    iterators: [ i ]
    iterator_types: [ int ]
    accesses:
      - { array: a, kind: write, relation: "[n] -> { S0[i] -> a[i] : 0 <= i < n }" }
    body:
      - element: "a"
        array: a
        subscripts: [ "[n] -> { S0[i] -> [(i)] }" ]
      - text: " = "
      - expression: "[n] -> { S0[i] -> [(i)] }"
  - name: S1
    domain: "{ S1[] }"
    accesses:
      - { array: x, kind: read, relation: "{ S1[] -> x[] }" }
    body: [ ]
schedule:
  domain: "[n] -> { S0[i] : 0 <= i < n; S1[] }"
  child:
    sequence:
      - filter: "[n] -> { S0[i] }"
      - filter: "[n] -> { S1[] }"
"#;

    fn model() -> Scop {
        Scop::parse(MODEL).unwrap()
    }

    #[test]
    fn a_model_that_fits_together() {
        model().checked().unwrap();
    }

    /// Each kind of wrong model is an error that names what is wrong.
    #[test]
    fn wrong_models_are_refused_by_name() {
        type Damage = fn(&mut Scop);
        let cases: &[(Damage, &str)] = &[
            (|m| m.statements[1].id = StatementId(4), "statement 1 has the id S4"),
            (|m| m.statements[1].name = "S0".into(), "the name `S0` of a statement"),
            (|m| m.arrays[1].tuple_name = "a".into(), "the name `a` of a tuple of an array"),
            (|m| m.parameters.push(m.parameters[0].clone()), "the name `n` of a parameter"),
            (|m| m.parameters.clear(), "the context uses `n`, which is no parameter"),
            (|m| m.context = Set::parse("{ C[i] }").unwrap(), "the context is no set of parameter"),
            (|m| m.arrays[0].extents.clear(), "array a has 0 extents and texts of 1"),
            (
                |m| m.arrays[0].extents[0] = Some(PwAff::parse("{ S0[i] -> [(i)] }").unwrap()),
                "an extent of array a is not over the parameters",
            ),
            (
                |m| m.statements[0].iterators.push("j".into()),
                "the domain of S0, of 2 iterators, is over S0[1 dimensions]",
            ),
            (
                |m| m.statements[1].domain = Set::parse("{ T[] }").unwrap(),
                "the domain of S1, of 0 iterators, is over T[0 dimensions]",
            ),
            (
                |m| m.statements[1].domain = Set::parse("{ : }").unwrap(),
                "the domain of S1, of 0 iterators, is over no tuple",
            ),
            (
                |m| m.statements[0].accesses[0].reference = ReferenceId(2),
                "access 0 of S0 has the id R2",
            ),
            (
                |m| m.statements[0].accesses[0].array = ArrayId(9),
                "R0 of S0 is to array 9, which is missing",
            ),
            (
                |m| m.statements[0].accesses[0].array = ArrayId(1),
                "R0 of S0, to x of 0, ends at a[1 dimensions]",
            ),
            (
                |m| {
                    let wrong = Map::parse("[n] -> { S0[i] -> a[i, i] }").unwrap();
                    m.statements[0].accesses[0].relation = wrong;
                },
                "R0 of S0, to a of 1, ends at a[2 dimensions]",
            ),
            (
                |m| {
                    let wrong = Map::parse("[n] -> { S0[i, j] -> a[i] }").unwrap();
                    m.statements[0].accesses[0].relation = wrong;
                },
                "R0 of S0 begins at S0[2 dimensions]",
            ),
            (
                |m| {
                    m.statements[1].accesses[0].relation =
                        Map::parse("[k] -> { S1[] -> x[] }").unwrap()
                },
                "R0 of S1 uses `k`, which is no parameter",
            ),
            (
                |m| {
                    let wrong = PwAff::parse("{ S0[i, j] -> [(j)] }").unwrap();
                    m.statements[0].body = Body::new(Term::affine(wrong));
                },
                "an expression in the body of S0 is over S0[2 dimensions]",
            ),
            (
                |m| {
                    let body = &mut m.statements[0].body;
                    body.for_each_element_mut(&mut |element| element.array = ArrayId(5));
                },
                "the body of S0 has array 5, which is missing",
            ),
            (
                |m| m.schedule = ScheduleTree::parse("domain: \"{ S1[] }\"").unwrap(),
                "instances of S0 are not in the domain of the schedule",
            ),
            (
                |m| {
                    let few =
                        UnionSet::from_set(Set::parse("[n] -> { S0[i] : 0 < i < n }").unwrap());
                    let rest = UnionSet::from_set(Set::parse("{ S1[] }").unwrap());
                    m.schedule.domain = few.union(&rest).unwrap();
                },
                "instances of S0 are not in the domain of the schedule",
            ),
            (
                |m| {
                    if let Node::Sequence(children) = &mut m.schedule.root {
                        children.pop();
                    }
                },
                "S1 is left out in a sequence of the schedule",
            ),
            (
                |m| {
                    if let Node::Sequence(children) = &mut m.schedule.root {
                        children.push(Node::Leaf);
                    }
                },
                "a child of a sequence of the schedule is no filter",
            ),
        ];
        for (damage, message) in cases {
            let mut scop = model();
            damage(&mut scop);
            let error = scop.check().unwrap_err().to_string();
            assert!(error.contains(message), "`{error}` does not say `{message}`");
        }
    }
}
