//! Programs in the order of the elements that they write.
//!
//! A table that is computed row by row needs two rows, but not if its first column is filled in a loop of its
//! own before: then all elements of the column wait for their use. Here statements that write an array are
//! put in the order of one subscript of what they write, and in the program's order where that is equal: each
//! row is begun when it is needed. By another subscript the same table is computed column by column, and
//! needs two columns.
use loopwright_presburger::{MultiUnionPwAff, PwAff, Result, Tuple, UnionPwAff, UnionSet};
use loopwright_schedule::{Band, Node, ScheduleTree};
use loopwright_scop::{AccessKind, ArrayId, Scop, Statement, Term};

/// The order of a program in which statements that write an array come in the order of its subscripts in a
/// dimension, between those that come before and behind all of them. None if other statements are between
/// them, or if a subscript is not known. Whether the order is legal is to be proved.
///
/// *Cost.* Linear in the tree.
///
/// ```
/// use loopwright_cfront::SourceFile;
/// use loopwright_scop::ArrayId;
/// use loopwright_storage::order_by_elements;
/// let text = "void f(int n, double a[n][n]) {\n#pragma scop\n  for (int i = 0; i < n; i++) a[i][0] = i;\n\
///     for (int i = 0; i < n; i++) for (int j = 1; j < n; j++) a[i][j] = a[i][j - 1];\n#pragma endscop\n}";
/// let scop = &SourceFile::from_text("f.c", text).extract().unwrap()[0].scop;
/// let a = (0..).zip(&scop.arrays).find(|(_, array)| &*array.name == "a").unwrap().0;
/// // Row by row: the first element of a row, then the others.
/// let rows = order_by_elements(scop, ArrayId(a), 0)?.expect("all statements write the array");
/// let times = rows.flatten()?.to_string();
/// assert!(times.contains("S0[i] -> [i, 0, ") && times.contains("S1[i, j] -> [i, 1, "), "{times}");
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
///
/// # Errors
/// Those of unions.
pub fn order_by_elements(
    scop: &Scop,
    array: ArrayId,
    dimension: usize,
) -> Result<Option<ScheduleTree>> {
    let tree = &scop.schedule;
    let parts: Vec<(UnionSet, Node)> = match &tree.root {
        Node::Sequence(children) => children
            .iter()
            .map(|child| match child {
                Node::Filter(filter, below) => (filter.clone(), (**below).clone()),
                other => (tree.domain.clone(), other.clone()),
            })
            .collect(),
        other => vec![(tree.domain.clone(), other.clone())],
    };
    let is_written = |(filter, _): &(UnionSet, Node)| {
        statements_of(scop, filter).any(|statement| writes(statement, array))
    };
    let Some(first) = parts.iter().position(is_written) else { return Ok(None) };
    let last = parts.iter().rposition(is_written).unwrap_or(first);
    let (before, rest) = parts.split_at(first);
    let (between, after) = rest.split_at(last + 1 - first);
    let mut domain = UnionSet::from_sets(&loopwright_presburger::Space::params(&[]), []);
    let mut subscripts = Vec::new();
    for (filter, _) in between {
        domain = domain.union(filter)?;
        for statement in statements_of(scop, filter) {
            let Some(subscript) = written_subscript(statement, array, dimension) else {
                return Ok(None);
            };
            subscripts.push(subscript);
        }
    }
    let schedule =
        MultiUnionPwAff::new(Tuple::anonymous(1), vec![UnionPwAff::from_parts(subscripts)]);
    let below = match between {
        [(_, only)] => only.clone(),
        several => Node::sequence(several.to_vec()),
    };
    let by_elements = Node::band(Band::new(schedule), below);
    let root = match before.is_empty() && after.is_empty() {
        true => by_elements,
        false => {
            let own = [(domain, by_elements)];
            Node::sequence([before, &own[..], after].concat())
        }
    };
    Ok(Some(ScheduleTree::new(tree.domain.clone(), root)))
}

fn statements_of<'s>(
    scop: &'s Scop,
    filter: &UnionSet,
) -> impl Iterator<Item = &'s Statement> + use<'s> {
    let sets = filter.sets();
    let names: Vec<_> =
        sets.iter().filter_map(|set| set.space().output()?.name().cloned()).collect();
    scop.statements.iter().filter(move |statement| names.contains(&statement.name))
}

fn writes(statement: &Statement, array: ArrayId) -> bool {
    let is_write = |kind: AccessKind| matches!(kind, AccessKind::MustWrite | AccessKind::MayWrite);
    !statement.is_kill && statement.accesses.iter().any(|a| is_write(a.kind) && a.array == array)
}

/// The subscript of the element of the array that an assignment writes.
fn written_subscript(statement: &Statement, array: ArrayId, dimension: usize) -> Option<PwAff> {
    if statement.is_kill {
        return None;
    }
    let (_, target, _) = statement.body.root().and_then(Term::as_assignment)?;
    let element = target.without_parentheses().as_element()?;
    let is_own = element.array == array;
    element.subscripts.get(dimension).filter(|_| is_own).cloned()
}
