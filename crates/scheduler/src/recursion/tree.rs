//! Nodes of schedule trees for members and groups of statements.
use crate::graph::Graph;
use crate::pluto::BandMember;
use loopwright_presburger::{
    Aff, Int, MultiUnionPwAff, PwAff, Result, Row, Set, Tuple, UnionPwAff, UnionSet,
};
use loopwright_schedule::{Band, Member, Node};

/// The filter that keeps all instances of some statements.
fn filter(graph: &Graph, statements: &[usize]) -> Result<UnionSet> {
    let mut union = UnionSet::empty();
    for &statement in statements {
        let set = Set::universe(graph.statements[statement].space.clone());
        union = union.union(&UnionSet::from_set(set))?;
    }
    Ok(union)
}

/// The children one after the other, or in any order.
pub(crate) fn children(
    graph: &Graph,
    parts: Vec<(Vec<usize>, Node)>,
    ordered: bool,
) -> Result<Node> {
    let mut filters = Vec::with_capacity(parts.len());
    for (statements, child) in parts {
        filters.push(Node::Filter(filter(graph, &statements)?, Box::new(child)));
    }
    Ok(if ordered { Node::Sequence(filters) } else { Node::Set(filters) })
}

/// The band of some members; rows are indexed by the statements of the graph.
pub(crate) fn band(
    graph: &Graph,
    statements: &[usize],
    members: &[BandMember],
    permutable: bool,
    child: Node,
) -> Node {
    if members.is_empty() {
        return child;
    }
    let schedules = members.iter().map(|member| union_pw_aff(graph, statements, member)).collect();
    let schedule = MultiUnionPwAff::new(Tuple::anonymous(members.len()), schedules);
    let mut band = Band::new(schedule);
    band.permutable = permutable;
    band.members =
        members.iter().map(|m| Member { coincident: m.coincident, ..Member::default() }).collect();
    Node::Band(band, Box::new(child))
}

fn union_pw_aff(graph: &Graph, statements: &[usize], member: &BandMember) -> UnionPwAff {
    let part = |&index: &usize| {
        let statement = &graph.statements[index];
        let (head, coefficients) = member.rows[index].split_at(1 + graph.n_params);
        let mut row = Row::zeros(1 + statement.space.n_all());
        for (column, &entry) in head.iter().enumerate() {
            row.set(column, Int::from(entry));
        }
        for (&dim, &entry) in statement.coordinates.iter().zip(coefficients) {
            row.set(head.len() + dim, Int::from(entry));
        }
        PwAff::from_aff(Aff::from_row(&statement.space, Vec::new(), row, Int::from(1)))
    };
    UnionPwAff::from_parts(statements.iter().map(part).collect())
}
