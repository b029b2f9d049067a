//! Writing files.
use super::OWN_EXTENSION;
use super::relation_text::{function_text, no_elements_text, relation_text};
use crate::body_text::{body_text, iterator_names};
use crate::model::all_parameters;
use crate::{Foreign, executed};
use loopwright_presburger::{
    Aff, Budget, DimKind, Int, Map, PwMultiAff, Result, Set, Space, UnionSet,
};
use loopwright_schedule::{Node, Piece, ScheduleTree};
use loopwright_scop::{Access, AccessKind, Scop, Statement};

/// Writes a region. Kill statements are left out: other tools would run them.
pub(crate) fn write(region: &Foreign, budget: &Budget) -> Result<String> {
    let scop = &region.scop;
    let params = all_parameters(&scop.context, &scop.statements);
    let params = params.merge_params(&scop.schedule.domain.params_space().to_params());
    let statements: Vec<&Statement> = scop.statements.iter().filter(|s| !s.is_kill).collect();
    let order = scop.schedule.intersect_domain(&executed(scop)?)?;
    let pieces = order.flat_pieces()?;
    let flat = order.flatten()?;
    let mut text = String::from("<OpenScop>\n\n# Language\nC\n\n# Context\n");
    text.push_str(&relation_text("CONTEXT", scop.context.align_params(&params).as_map()));
    text.push_str("\n# Names of the parameters are provided\n1\n<strings>\n");
    let names: Vec<&str> = params.param_names().iter().map(|name| &**name).collect();
    text.push_str(&format!("{}\n</strings>\n", names.join(" ")));
    text.push_str(&format!("\n# Number of statements\n{}\n", statements.len()));
    for statement in &statements {
        let is_own = |space: &Space| space.domain().has_equal_tuples(statement.domain.space());
        let own: Vec<&Piece> =
            pieces.iter().filter(|piece| is_own(&piece.domain.space().map_from_set())).collect();
        let times = flat.maps().iter().find(|map| is_own(map.space()));
        let time = times.map(|map| map.align_params(&params));
        text.push_str(&statement_text(statement, &params, &own, time.as_ref(), budget)?);
    }
    text.push_str("\n<arrays>\n# Number of variables\n");
    text.push_str(&format!("{}\n# Number and name\n", scop.arrays.len()));
    for (position, array) in scop.arrays.iter().enumerate() {
        text.push_str(&format!("{} {}\n", position + 1, array.tuple_name));
    }
    text.push_str("</arrays>\n");
    text.push_str(&coordinates(region));
    text.push_str(&own_extension(scop)?);
    text.push_str("\n</OpenScop>\n");
    Ok(text)
}

fn statement_text(
    statement: &Statement,
    params: &Space,
    pieces: &[&Piece],
    times: Option<&Map>,
    budget: &Budget,
) -> Result<String> {
    let accesses: Vec<&Access> =
        statement.accesses.iter().filter(|access| access.kind != AccessKind::Kill).collect();
    let mut text = format!("\n# Statement {}\n# Number of relations\n", statement.name);
    text.push_str(&format!("{}\n", 2 + accesses.len()));
    text.push_str(&relation_text("DOMAIN", statement.domain.align_params(params).as_map()));
    let function = match pieces {
        [single] => {
            let values: Vec<Aff> =
                single.schedule.iter().map(|value| value.align_params(params)).collect();
            function_text("SCATTERING", &values)
        }
        _ => None,
    };
    match (function, times) {
        (Some(function), _) => text.push_str(&function),
        (None, Some(times)) => text.push_str(&relation_text("SCATTERING", times)),
        (None, None) => text.push_str(&relation_text("SCATTERING", &no_times(statement, params))),
    }
    for access in accesses {
        text.push_str(&access_text(statement, access, params, budget)?);
    }
    text.push_str("# Number of extensions\n1\n<body>\n# Number of iterators\n");
    let iterators = iterator_names(statement);
    text.push_str(&format!("{}\n", iterators.len()));
    if !iterators.is_empty() {
        text.push_str(&format!("# Iterators\n{}\n", iterators.join(" ")));
    }
    let body = body_text(statement, budget)?;
    text.push_str(&format!("# Text\n{body};\n</body>\n"));
    Ok(text)
}

/// A scattering without output dimensions, for a statement without instances.
fn no_times(statement: &Statement, params: &Space) -> Map {
    let input = statement.domain.space().output().cloned();
    let output = loopwright_presburger::Tuple::anonymous(0);
    Map::universe(params.with_tuples(input, Some(output)))
}

fn access_text(
    statement: &Statement,
    access: &Access,
    params: &Space,
    budget: &Budget,
) -> Result<String> {
    let kind = match access.kind {
        AccessKind::Read => "READ",
        AccessKind::MayWrite => "MAY_WRITE",
        AccessKind::MustWrite | AccessKind::Kill => "WRITE",
    };
    let number = Int::from(i64::from(access.array.0) + 1);
    let relation = access.relation.align_params(params);
    // What only some instances access is more than its subscripts.
    let instances = relation.domain();
    if statement.domain.is_subset(&instances, budget).unwrap_or(false)
        && let Ok(function) = PwMultiAff::from_map(&relation, budget)
        && let [(_, values)] = function.pieces()
    {
        let domain = relation.space().domain();
        let mut all = vec![Aff::constant(&domain, &number)];
        all.extend(values.affs().iter().map(|value| value.align_params(&domain)));
        if let Some(text) = function_text(kind, &all) {
            return Ok(text);
        }
    }
    let n_dims = relation.n(DimKind::Out);
    let flat = loopwright_presburger::Tuple::anonymous(n_dims);
    let space = relation.space().with_tuples(relation.space().input().cloned(), Some(flat));
    let elements = relation.with_space_tuples(&space)?;
    let numbered = elements.insert_dims(DimKind::Out, 0, 1).fix(DimKind::Out, 0, &number);
    match numbered.is_empty(budget) {
        Ok(true) => Ok(no_elements_text(kind, &number, &numbered)),
        _ => Ok(relation_text(kind, &numbered)),
    }
}

fn coordinates(region: &Foreign) -> String {
    let place = &region.place;
    if place.file.is_empty() {
        return String::new();
    }
    format!(
        "\n<coordinates>\n# File name\n{}\n# First line and column\n{} 0\n# Last line and column\n\
         {} 0\n# Indentation\n{}\n</coordinates>\n",
        place.file.replace(['\n', '\r', '#'], "_"),
        place.lines.0,
        place.lines.1,
        place.indentation.chars().count()
    )
}

/// What the format has no place for: types and sizes of variables, types of iterators, places of
/// statements, and how their elements are written. The text is that of a model without instances.
fn own_extension(scop: &Scop) -> Result<String> {
    let statements = scop.statements.iter().filter(|statement| !statement.is_kill);
    let statements = statements.map(|statement| Statement {
        domain: Set::empty(statement.domain.space().clone()),
        accesses: Vec::new(),
        ..statement.clone()
    });
    let rest = Scop {
        context: scop.context.clone(),
        parameters: scop.parameters.clone(),
        arrays: scop.arrays.clone(),
        statements: statements.collect(),
        schedule: ScheduleTree { domain: UnionSet::empty(), root: Node::Leaf },
        assumptions: scop.assumptions.clone(),
    };
    Ok(format!("\n<{OWN_EXTENSION}>\n{}</{OWN_EXTENSION}>\n", rest))
}
