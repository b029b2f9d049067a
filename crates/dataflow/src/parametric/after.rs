//! What a region leaves: its last values as reads behind it.
use loopwright_presburger::{Map, Name, Result, Set, Space, Tuple, UnionSet};
use loopwright_schedule::{Node, ScheduleTree};
use loopwright_scop::{
    Access, AccessKind, ArrayId, Body, FilteredScop, ReferenceId, Scop, Statement, StatementId,
};

/// A model with a statement behind all others that reads whatever it has written of variables that are used
/// afterwards, and the id of that statement. It always runs, however the region is left.
///
/// The sources of its reads are the writes whose values may be seen after the region. *Cost.* One union per
/// write.
///
/// ```
/// use loopwright_dataflow::with_reads_after;
/// use loopwright_scop::{FilteredScop, Scop};
/// // for (int i = 0; i < 9; i++) s = A[0];
/// let text = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/assignment.scop"));
/// let filtered = FilteredScop::unfiltered(Scop::parse(text)?);
/// let (longer, after) = with_reads_after(&filtered)?;
/// assert_eq!(longer.scop.statement(after).accesses.len(), 1, "it reads s");
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
///
/// # Errors
/// Those of operations on relations.
pub fn with_reads_after(filtered: &FilteredScop) -> Result<(FilteredScop, StatementId)> {
    let mut longer = filtered.clone();
    let scop = &mut longer.scop;
    let id = StatementId(u32::try_from(scop.statements.len()).unwrap_or(u32::MAX));
    let names: Vec<Name> = scop.parameters.iter().map(|own| own.name.clone()).collect();
    let parameters = Space::params(&names);
    let name = free_name(scop);
    let space = parameters.with_tuples(None, Some(Tuple::named(&name, 0)));
    let domain = Set::universe(space);
    let mut accesses: Vec<Access> = Vec::new();
    for (array, declared) in (0u32..).map(ArrayId).zip(&scop.arrays) {
        let Some(written) = written_elements(scop, array)?.filter(|_| declared.live_out) else {
            continue;
        };
        accesses.push(Access {
            reference: ReferenceId(accesses.len() as u32),
            array,
            kind: AccessKind::Read,
            relation: Map::from_domain_and_range(&domain, &written)?,
        });
    }
    let last = ScheduleTree {
        domain: UnionSet::from_sets(&parameters, [domain.clone()]),
        root: Node::Leaf,
    };
    scop.schedule = scop.schedule.followed_by(&last)?;
    scop.statements.push(Statement {
        id,
        name,
        domain,
        iterators: Vec::new(),
        iterator_types: Vec::new(),
        accesses,
        body: Body::default(),
        is_kill: false,
        location: scop.statements.last().map(|last| last.location).unwrap_or_default(),
    });
    longer.filters.push(Vec::new());
    Ok((longer, id))
}

/// The elements of an array that a model writes; none if it writes none.
fn written_elements(scop: &Scop, array: ArrayId) -> Result<Option<Set>> {
    let writes = |kind| matches!(kind, AccessKind::MustWrite | AccessKind::MayWrite);
    let all = scop.statements.iter().flat_map(|statement| &statement.accesses);
    let written = all.filter(|access| access.array == array && writes(access.kind));
    let ranges = written.map(|access| Ok(access.relation.range()));
    ranges.reduce(|a: Result<Set>, b| a?.union(&b?)).transpose()
}

fn free_name(scop: &Scop) -> Name {
    let mut name = "After".to_string();
    while scop.statement_named(&name).is_some() {
        name.push('_');
    }
    Name::from(name)
}
