//! The sources of the reads of a region, in words.
use super::{ParameterMeaning, ReadSources, RegionDataflow, SourceOfReads};
use crate::pipeline::run::stage_budget_by;
use crate::settings::options::CompileOptions;
use loopwright_cfront::Region;
use loopwright_dataflow::{Disjunct, Origin, ParametricFlow, ReadFlow, SourceParameters};
use loopwright_presburger::{Budget, Error, Result};
use loopwright_scop::{Scop, StatementId};

/// Looks at a region: at its finest model for which limits are not reached.
pub(super) fn of_region(
    models: &[Region],
    note: Option<String>,
    projected: bool,
    options: &CompileOptions,
) -> Result<RegionDataflow> {
    let mut notes: Vec<String> = note.into_iter().collect();
    let (last, finer) = models.split_last().ok_or_else(|| Error::too_large("dataflow analysis"))?;
    for region in finer {
        match of_model(region, &notes, projected, &stage_budget_by(options)) {
            Err(Error::Exceeded { .. }) => notes.push(
                "conditions on data are parts of statements: with filters the analysis reached its limit"
                    .to_string(),
            ),
            found => return found,
        }
    }
    of_model(last, &notes, projected, &stage_budget_by(options))
}

fn of_model(
    region: &Region,
    notes: &[String],
    projected: bool,
    budget: &Budget,
) -> Result<RegionDataflow> {
    let filtered = region.filtered_scop();
    let flow = ParametricFlow::of_filtered_scop(&filtered, budget)?;
    let reads = flow.reads.iter().map(|read| chosen(read, &region.scop, projected, budget));
    let conditions = region.condition_texts();
    let conditions =
        conditions.iter().map(|condition| format!("`{condition}` holds before the region"));
    Ok(RegionDataflow {
        function: region.function.clone(),
        lines: (region.first_line, region.last_line),
        reads: reads.collect::<Result<_>>()?,
        n_parameters: flow.n_parameters(),
        n_disjuncts: flow.n_disjuncts(),
        assumptions: region.scop.assumptions.iter().cloned().chain(conditions).collect(),
        notes: [notes, &region.remarks].concat(),
    })
}

/// The sources without parameters, or with them.
fn chosen(read: &ReadFlow, scop: &Scop, projected: bool, budget: &Budget) -> Result<ReadSources> {
    if !projected {
        return Ok(sources(read, scop));
    }
    let (disjuncts, parameters) = (read.projected(budget)?, Vec::new());
    Ok(sources(&ReadFlow { disjuncts, parameters, ..read.clone() }, scop))
}

/// The sources of a reference, with the meaning of their parameters.
pub(crate) fn sources(read: &ReadFlow, scop: &Scop) -> ReadSources {
    let statement = scop.statement(read.statement);
    ReadSources {
        statement: statement.name.to_string(),
        line: statement.location.line,
        variable: scop.array(read.array).name.to_string(),
        reads: read.reads.to_string(),
        sources: read.disjuncts.iter().map(|disjunct| source(disjunct, scop)).collect(),
        parameters: read.parameters.iter().map(|own| meaning(own, scop)).collect(),
    }
}

fn source(disjunct: &Disjunct, scop: &Scop) -> SourceOfReads {
    let (statement, is_undefined) = match disjunct.origin {
        Origin::Write(statement, _) => (Some(named(statement, scop)), false),
        Origin::Undefined(statement, _) => (Some(named(statement, scop)), true),
        Origin::Before => (None, false),
    };
    let relation = match &disjunct.relation {
        Some(relation) => relation.to_string(),
        None => disjunct.reads.to_string(),
    };
    SourceOfReads { statement, is_undefined, relation }
}

fn meaning(own: &SourceParameters, scop: &Scop) -> ParameterMeaning {
    let coordinates = &scop.statement(own.statement).iterators;
    let last = own.last.iter().zip(coordinates).filter_map(|(name, coordinate)| {
        Some((name.as_ref()?.to_string(), coordinate.to_string()))
    });
    ParameterMeaning {
        statement: named(own.statement, scop),
        ran: (own.ran.to_string(), own.ran_value),
        last: last.collect(),
        candidates: own.candidates.to_string(),
    }
}

fn named(statement: StatementId, scop: &Scop) -> (String, u32) {
    let statement = scop.statement(statement);
    (statement.name.to_string(), statement.location.line)
}
