//! Values from files, which the user of a session reads and writes: the calculator itself does not touch any.
use super::literals::literal_value;
use super::value::Value;
use loopwright_presburger::{UnionMap, UnionSet};
use loopwright_schedule::ScheduleTree;
use loopwright_scop::{AccessKind, Scop};
use std::fmt;
use std::io;

/// What statements read and write: the files of a machine, or whatever is to be taken for them.
pub trait Files: fmt::Debug {
    /// The text of a file.
    ///
    /// # Errors
    /// Those of reading.
    fn read(&self, path: &str) -> io::Result<String>;

    /// Replaces a file by a text: all of it, or nothing and an error.
    ///
    /// # Errors
    /// Those of writing.
    fn write(&self, path: &str, text: &str) -> io::Result<()>;

    /// The model of the first region of a C file.
    ///
    /// # Errors
    /// In words, if there is none.
    fn model(&self, path: &str) -> Result<Scop, String>;
}

/// The value in a file: a set or relation in isl's notation or as matrices, or a schedule tree.
pub(super) fn read_value(files: &dyn Files, path: &str) -> Result<Value, String> {
    let text = files.read(path).map_err(|e| format!("cannot read {path}: {e}"))?;
    if text.contains("domain:") || text.contains("\"domain\"") {
        let tree = ScheduleTree::parse(&text).map_err(|e| format!("{path}: {e}"))?;
        return Ok(Value::Schedule(Box::new(tree)));
    }
    literal_value(&text).map_err(|e| format!("{path}:{}", e.explain(&text)))
}

/// The model of the first region of a C file: instances, sure writes, possible writes, reads, and
/// the order of the program.
pub(super) fn parse_c(files: &dyn Files, path: &str) -> Result<Value, String> {
    model(&files.model(path)?).map_err(|error| format!("{path}: {error}"))
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
