//! Values from files.
use super::literals::literal_value;
use super::value::Value;
use loopwright_cfront::{Options, read_file};
use loopwright_presburger::{UnionMap, UnionSet};
use loopwright_schedule::ScheduleTree;
use loopwright_scop::{AccessKind, Scop};
use std::path::Path;

/// The value in a file: a set or relation in isl's notation or as matrices, or a schedule tree.
pub(super) fn read_value(path: &str) -> Result<Value, String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("cannot read {path}: {e}"))?;
    if text.contains("domain:") || text.contains("\"domain\"") {
        let tree = ScheduleTree::parse(&text).map_err(|e| format!("{path}: {e}"))?;
        return Ok(Value::Schedule(Box::new(tree)));
    }
    literal_value(&text).map_err(|e| format!("{path}:{}", e.explain(&text)))
}

/// The model of the first region of a C file: instances, sure writes, possible writes, reads, and
/// the order of the program.
pub(super) fn parse_c(path: &str) -> Result<Value, String> {
    let describe = |diagnostics: Vec<loopwright_cfront::Diagnostic>| {
        let texts: Vec<String> = diagnostics.iter().map(ToString::to_string).collect();
        texts.join("\n")
    };
    let file = read_file(Path::new(path), &Options::default()).map_err(describe)?;
    let regions = file.extract().map_err(describe)?;
    let region = regions.into_iter().next().ok_or_else(|| format!("{path} has no region"))?;
    model(&region.scop).map_err(|error| format!("{path}: {error}"))
}

fn model(scop: &Scop) -> loopwright_presburger::Result<Value> {
    let executed = || scop.statements.iter().filter(|statement| !statement.is_kill);
    let mut domain = UnionSet::empty();
    for statement in executed() {
        domain = domain.union(&UnionSet::from_set(statement.domain.clone()))?;
    }
    let accesses = |kinds: &[AccessKind]| {
        let mut all = UnionMap::empty();
        for access in executed().flat_map(|statement| &statement.accesses) {
            if kinds.contains(&access.kind) {
                all = all.union(&UnionMap::from_map(access.relation.clone()))?;
            }
        }
        Ok(Value::Map(all))
    };
    let must = accesses(&[AccessKind::MustWrite])?;
    let may = accesses(&[AccessKind::MustWrite, AccessKind::MayWrite])?;
    let reads = accesses(&[AccessKind::Read])?;
    let order = scop.schedule.flatten()?.intersect_domain(&domain)?;
    Ok(Value::List(vec![domain.into(), must, may, reads, order.into()]))
}
