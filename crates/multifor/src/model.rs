//! What the bodies of a multifor statement access: the front end's model of its nests, one after the other.
use crate::error::MultiforError;
use crate::multifor::Multifor;
use crate::sequential::sequential_text;
use loopwright_cfront::{Code, FoundMultifor, Options, Region, read_text, replace_regions};
use loopwright_presburger::{Budget, DimKind, Map, Result as SetResult};
use loopwright_scop::{AccessKind, Statement, StatementId};
use std::path::Path;

/// The model of the nests of a multifor statement.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    /// The nests, one after the other, as a region of C.
    pub(crate) region: Region,
    /// The body that each statement of the region is a part of; none for those that are never executed.
    pub(crate) body_of: Vec<Option<usize>>,
}

impl Model {
    /// The model of the statement at a position among those of a text.
    ///
    /// # Errors
    /// What the front end says about the bodies.
    pub(crate) fn of_statement(
        path: &Path,
        text: &str,
        all: &[FoundMultifor],
        position: usize,
        options: &Options,
    ) -> Result<Model, MultiforError> {
        let found = &all[position];
        let sequential = sequential_text(&found.statement);
        let alone = |(other, each): (usize, &FoundMultifor)| match other == position {
            true => {
                let code = format!("{{\n#pragma scop\n{}#pragma endscop\n}}\n", sequential.text);
                (each.bytes.clone(), code)
            }
            false => (each.bytes.clone(), ";".to_string()),
        };
        let without_regions = without_region_pragmas(text);
        let replacements: Vec<_> = all.iter().enumerate().map(alone).collect();
        let written = replace_regions(&without_regions, &replacements);
        let refused = |reasons: Vec<String>| {
            let message = "what the bodies of a multifor statement access is not known";
            let error = MultiforError::new(Code::UnsupportedStatement, found.bytes.start, message);
            reasons.into_iter().fold(error, MultiforError::because)
        };
        let file = read_text(path, &written, options)
            .map_err(|all| refused(all.iter().map(|each| each.message.clone()).collect()))?;
        let mut regions = file.extract().map_err(|all| {
            let reason = |each: &loopwright_cfront::Diagnostic| match &each.reason {
                Some(reason) => format!("{}: {reason}", each.message),
                None => each.message.clone(),
            };
            refused(all.iter().map(reason).collect())
        })?;
        if regions.len() != 1 {
            return Err(refused(vec!["the front end finds no single region".to_string()]));
        }
        let region = regions.remove(0);
        if !region.updates.is_empty() {
            let reason = "variables take values in bodies that subscripts or bounds depend on";
            return Err(refused(vec![reason.to_string()]));
        }
        let first_line = region.first_line as usize + 1;
        let body_of = |statement: &Statement| {
            let line = (statement.location.line as usize).checked_sub(first_line)?;
            let body = sequential.bodies.iter().find(|(_, lines)| lines.contains(&line));
            body.map(|(body, _)| *body)
        };
        let statements = region.scop.statements.iter().filter(|statement| !statement.is_kill);
        if statements.clone().any(|statement| body_of(statement).is_none()) {
            return Err(refused(vec!["a statement has no place in the text".to_string()]));
        }
        let body_of = region.scop.statements.iter().map(|statement| match statement.is_kill {
            true => None,
            false => body_of(statement),
        });
        Ok(Model { body_of: body_of.collect(), region })
    }

    /// The executed statements, each with its body.
    pub(crate) fn statements(&self) -> impl Iterator<Item = (&Statement, usize)> {
        let all = self.region.scop.statements.iter().zip(&self.body_of);
        all.filter_map(|(statement, body)| Some((statement, (*body)?)))
    }

    /// A map on the instances of a body as one on those of a statement in it: its outer dimensions are the
    /// indices.
    pub(crate) fn on_statement(
        &self,
        multifor: &Multifor,
        statement: &Statement,
        body: usize,
        map: &Map,
        budget: &Budget,
    ) -> SetResult<Map> {
        let n_indices = multifor.bodies[body].loops.len();
        let n_dims = statement.domain.n_dims();
        let space = statement.domain.space();
        let body_space = multifor.bodies[body].domain.space();
        let universe = Map::universe(space.map_to(&body_space.with_params(space.param_names())));
        let indices = (0..n_indices.min(n_dims))
            .fold(universe, |map, dim| map.equate(DimKind::In, dim, DimKind::Out, dim));
        indices.intersect_domain_within(&statement.domain, budget)?.apply_range_within(map, budget)
    }
}

/// Pairs of instances of two statements, in either order, that access the same element, where one of them
/// writes.
#[derive(Clone, Debug)]
pub(crate) struct Conflict {
    pub(crate) first: StatementId,
    pub(crate) second: StatementId,
    pub(crate) array: String,
    pub(crate) relation: Map,
}

/// All conflicts of a region, each pair of statements in both orders.
///
/// # Errors
/// Limits.
pub(crate) fn conflicts(model: &Model, budget: &Budget) -> SetResult<Vec<Conflict>> {
    let mut found = Vec::new();
    let scop = &model.region.scop;
    for (first, _) in model.statements() {
        for (second, _) in model.statements() {
            for a in first.accesses.iter().filter(|a| a.kind != AccessKind::Kill) {
                for b in second.accesses.iter().filter(|b| b.kind != AccessKind::Kill) {
                    let is_read = |kind| kind == AccessKind::Read;
                    if a.array != b.array || is_read(a.kind) && is_read(b.kind) {
                        continue;
                    }
                    let relation = a
                        .relation
                        .intersect_domain_within(&first.domain, budget)?
                        .apply_range_within(&b.relation.reverse(), budget)?
                        .intersect_range_within(&second.domain, budget)?
                        .intersect_params_within(&scop.context, budget)?;
                    if !relation.is_empty(budget)? {
                        let array = scop.array(a.array).name.to_string();
                        found.push(Conflict {
                            first: first.id,
                            second: second.id,
                            array,
                            relation,
                        });
                    }
                }
            }
        }
    }
    Ok(found)
}

/// The text with blanks in place of pragmas of regions: only the nests are one.
fn without_region_pragmas(text: &str) -> String {
    let plain = |line: &str| {
        let words: Vec<&str> =
            line.trim_start_matches([' ', '\t', '#']).split_whitespace().collect();
        match (line.trim_start().starts_with('#'), &words[..]) {
            (true, ["pragma", "scop" | "endscop", ..]) => {
                line.chars().map(|c| if c == '\n' { c } else { ' ' }).collect()
            }
            _ => line.to_string(),
        }
    };
    text.split_inclusive('\n').map(plain).collect()
}
