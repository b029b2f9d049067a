//! Runs programs with a memory that knows its last writers, and asks the analysis at every read: exactly one
//! disjunct must hold, and it must name the true writer. Parameters get their values by definition, from the
//! log of writes.
use crate::parametric::mini_c::{self, Element, Instance, Read, Run};
use loopwright_cfront::SourceFile;
use loopwright_dataflow::{Disjunct, Origin, ParametricFlow, ReadFlow, SourceParameters};
use loopwright_presburger::{Budget, DimKind, Error, Int, Map, Name};
use loopwright_scop::{AccessKind, FilteredScop, StatementId};
use std::collections::BTreeMap;

/// A program with its analysis.
pub(crate) struct Analysed {
    pub(crate) program: mini_c::Statement,
    pub(crate) filtered: FilteredScop,
    pub(crate) flow: ParametricFlow,
}

/// The text of a function around the statements of a region.
pub(crate) fn file_text(statements: &str) -> String {
    format!(
        "__attribute__((const)) int f(void);\n__attribute__((const)) int g(int);\n\
         __attribute__((const)) int h(int, int, int);\n\
         void program(int n, int k)\n{{\nint a[50], b[50], c[50], d[50][50]; int x, y, z, m, l, s, v, state, sample;\n\
         #pragma scop\n{statements}\n#pragma endscop\n}}\n"
    )
}

/// Steps for the analysis of a program.
const STEPS: u64 = 200_000_000;

/// The model of a text with one region.
fn filtered_scop(text: &str) -> FilteredScop {
    let regions = SourceFile::from_text("test.c", text).with_filters().extract();
    regions.unwrap_or_else(|found| panic!("{text}\n{found:#?}"))[0].filtered_scop()
}

impl Analysed {
    pub(crate) fn new(statements: &str) -> Self {
        Analysed::changed(statements, |_| {})
    }

    /// The analysis of a random program; none if it takes more steps than it may, which is printed.
    pub(crate) fn within_limits(statements: &str) -> Option<Self> {
        let text = file_text(statements);
        let filtered = filtered_scop(&text);
        match ParametricFlow::of_filtered_scop(&filtered, &Budget::steps(STEPS)) {
            Ok(flow) => Some(Analysed { program: mini_c::parse(&text), filtered, flow }),
            Err(error @ Error::Exceeded { .. }) => {
                println!("{text}\n{error}");
                None
            }
            Err(error) => panic!("{text}\n{error}"),
        }
    }

    /// The analysis of another model than that of the program.
    pub(crate) fn changed(statements: &str, change: impl FnOnce(&mut FilteredScop)) -> Self {
        let text = file_text(statements);
        let mut filtered = filtered_scop(&text);
        change(&mut filtered);
        let flow = ParametricFlow::of_filtered_scop(&filtered, &Budget::steps(STEPS))
            .unwrap_or_else(|error| panic!("{text}\n{error}"));
        Analysed { program: mini_c::parse(&text), filtered, flow }
    }

    /// The line of a text in the statements.
    pub(crate) fn statement(&self, line: usize) -> StatementId {
        let is_it =
            |s: &&loopwright_scop::Statement| s.location.line as usize == line + 7 && !s.is_kill;
        self.filtered.scop.statements.iter().find(is_it).expect("a statement in the line").id
    }

    /// The flow of the reads of a variable in a line of the statements (the first is 1).
    pub(crate) fn read(&self, line: usize, name: &str) -> &ReadFlow {
        let statement = self.statement(line);
        let is_it = |read: &&ReadFlow| {
            read.statement == statement && *self.filtered.scop.array(read.array).name == *name
        };
        self.flow.reads.iter().find(is_it).expect("a read in the line")
    }

    /// Runs the program and checks every read; the number of reads.
    pub(crate) fn check(&self, parameters: &[(&str, i64)], seed: u64, greatest: i64) -> usize {
        let run = mini_c::run(&self.program, parameters, seed, greatest);
        let mut known: BTreeMap<(mini_c::Instance, Element, usize), ()> = BTreeMap::new();
        for read in &run.reads {
            let key = (read.instance.clone(), read.element.clone(), read.n_writes);
            if known.insert(key, ()).is_none() {
                self.check_read(read, &run, parameters);
            }
        }
        run.reads.len()
    }

    /// The statement that an instance belongs to, and its coordinates there.
    fn instance(
        &self,
        instance: &Instance,
        is_first_test: bool,
    ) -> Option<(StatementId, Vec<i64>)> {
        let (line, around) = instance;
        let found =
            self.filtered.scop.statements.iter().filter(|s| s.location.line as usize == *line);
        for statement in found.filter(|s| !s.is_kill) {
            let n = statement.domain.n_dims();
            // The bound of a loop is evaluated in front of it.
            if n == around.len() || n + 1 == around.len() && is_first_test {
                // Where the values of an iterator are no coordinates, its iterations are counted.
                let here = statement.iterators.iter().zip(around);
                let coordinates = here.map(|(iterator, iteration)| match iterator {
                    name if name.starts_with("count") => iteration.count,
                    _ => iteration.value,
                });
                return Some((statement.id, coordinates.collect()));
            }
            if n + 1 == around.len() {
                return None;
            }
        }
        // Conditions on values that are known are no statements.
        None
    }

    fn check_read(&self, read: &Read, run: &Run, parameters: &[(&str, i64)]) {
        let Some((statement, instance)) = self.instance(&read.instance, read.is_first_test) else {
            return;
        };
        let scop = &self.filtered.scop;
        let mut n_found = 0;
        for flow in self.flow.reads.iter().filter(|flow| {
            flow.statement == statement && *scop.array(flow.array).name == *read.element.0
        }) {
            let access =
                scop.statement(statement).accesses.iter().find(|a| a.reference == flow.reference);
            let values = self.program_values(&access.unwrap().relation, run, parameters);
            let point = [values, instance.clone(), read.element.1.clone()].concat();
            if !contains(&access.unwrap().relation, &point) {
                continue;
            }
            n_found += 1;
            let is_wrapped = flow.reads.n_dims() > instance.len();
            let key = match is_wrapped {
                true => [instance.clone(), read.element.1.clone()].concat(),
                false => instance.clone(),
            };
            self.check_flow(flow, &key, read, run, parameters);
        }
        // Where the value of a variable is known it is not read.
        let is_read = |access: &&loopwright_scop::Access| {
            access.kind == AccessKind::Read && *scop.array(access.array).name == *read.element.0
        };
        let n_reads = scop.statement(statement).accesses.iter().filter(is_read).count();
        assert!(n_found > 0 || n_reads == 0, "no flow for {read:?}");
    }

    fn program_values(&self, map: &Map, run: &Run, parameters: &[(&str, i64)]) -> Vec<i64> {
        let value = |name: &Name| self.program_value(name, run, parameters);
        map.space().param_names().iter().map(value).collect()
    }

    /// The value of a symbolic constant: an argument, or what a variable holds in front of the region; where
    /// that is never read it may be anything.
    fn program_value(&self, name: &Name, run: &Run, parameters: &[(&str, i64)]) -> i64 {
        if let Some((_, value)) = parameters.iter().find(|(own, _)| **own == **name) {
            return *value;
        }
        let declared = self.filtered.scop.parameters.iter().find(|own| own.name == *name).unwrap();
        let variable = declared.value.clone().unwrap_or(name.to_string());
        let mut parts = variable.split(['[', ']']).filter(|part| !part.is_empty());
        let array = parts.next().unwrap_or_default().to_string();
        let subscripts = parts.map(|part| part.trim().parse().expect("a number")).collect();
        *run.initial.get(&(array, subscripts)).unwrap_or(&0)
    }

    fn check_flow(
        &self,
        flow: &ReadFlow,
        key: &[i64],
        read: &Read,
        run: &Run,
        parameters: &[(&str, i64)],
    ) {
        let before = &run.writes[..read.n_writes];
        let mut values: BTreeMap<Name, i64> =
            parameters.iter().map(|(name, value)| (Name::from(*name), *value)).collect();
        for own in &self.filtered.scop.parameters {
            values.insert(own.name.clone(), self.program_value(&own.name, run, parameters));
        }
        for own in &flow.parameters {
            self.set_parameters(own, key, &read.element, before, &mut values);
        }
        let holding: Vec<&Disjunct> = flow
            .disjuncts
            .iter()
            .filter(|disjunct| contains_named(disjunct.reads.as_map(), &values, key))
            .collect();
        let context = || format!("{read:?}\nvalues {values:?}\n{}", self.describe(flow));
        assert_eq!(holding.len(), 1, "disjuncts that hold\n{}", context());
        let writer = before.iter().rev().find(|(_, element)| *element == read.element);
        match (holding[0].origin, writer) {
            (Origin::Before, None) => {}
            (Origin::Write(statement, _), Some((instance, _))) => {
                let (writing, coordinates) = self.instance(instance, false).expect("a statement");
                assert_eq!(statement, writing, "writer {instance:?}\n{}", context());
                let relation = holding[0].relation.as_ref().unwrap();
                let point = [key.to_vec(), coordinates].concat();
                assert!(
                    contains_named(relation, &values, &point),
                    "writer {instance:?}\n{}",
                    context()
                );
                assert_eq!(n_images(relation, &values, key), 1, "sources\n{}", context());
            }
            (origin, writer) => panic!("{origin:?} but {writer:?}\n{}", context()),
        }
    }

    /// The values of the parameters of a source, by definition.
    fn set_parameters(
        &self,
        own: &SourceParameters,
        key: &[i64],
        element: &Element,
        before: &[(Instance, Element)],
        values: &mut BTreeMap<Name, i64>,
    ) {
        let last = before.iter().rev().find_map(|(instance, written)| {
            let (statement, coordinates) = self.instance(instance, false)?;
            let point = [key.to_vec(), coordinates.clone()].concat();
            let is_it = statement == own.statement
                && written == element
                && contains_named(&own.candidates, values, &point);
            is_it.then_some(coordinates)
        });
        let has_run = last.is_some() == own.ran_value;
        // Sources that share a parameter agree where both have candidates.
        let is_asked = contains_named(own.candidates.domain().as_map(), values, key);
        match values.get(&own.ran) {
            Some(known) if is_asked => assert_eq!(*known, i64::from(has_run), "{}", own.ran),
            Some(_) => {}
            None if is_asked => drop(values.insert(own.ran.clone(), i64::from(has_run))),
            None => drop(values.insert(own.ran.clone(), 1)),
        }
        for (position, name) in own.last.iter().enumerate() {
            if let Some(name) = name {
                // Where nothing has run it may be anything.
                let value = last.as_ref().map_or(1, |last| last[position]);
                values.insert(name.clone(), value);
            }
        }
    }

    pub(crate) fn describe(&self, flow: &ReadFlow) -> String {
        let parameter = |own: &SourceParameters| {
            format!("  {} ({}) {:?}: {}\n", own.ran, own.ran_value, own.last, own.candidates)
        };
        let disjunct = |d: &Disjunct| match &d.relation {
            Some(relation) => format!("  {:?}: {relation}\n", d.origin),
            None => format!("  {:?}: {}\n", d.origin, d.reads),
        };
        let parameters: String = flow.parameters.iter().map(parameter).collect();
        let disjuncts: String = flow.disjuncts.iter().map(disjunct).collect();
        format!("{parameters}{disjuncts}")
    }
}

fn fixed(map: &Map, values: &BTreeMap<Name, i64>) -> Map {
    let names = map.space().param_names().to_vec();
    names.iter().enumerate().fold(map.clone(), |map, (position, name)| match values.get(name) {
        Some(value) => map.fix(DimKind::Param, position, &Int::from(*value)),
        None => map,
    })
}

fn contains_named(map: &Map, values: &BTreeMap<Name, i64>, point: &[i64]) -> bool {
    let names = map.space().param_names();
    let value = |name: &Name| *values.get(name).unwrap_or_else(|| panic!("{name} has no value"));
    contains(map, &[names.iter().map(value).collect(), point.to_vec()].concat())
}

fn contains(map: &Map, point: &[i64]) -> bool {
    let point: Vec<Int> = point.iter().map(|value| Int::from(*value)).collect();
    map.contains_point(&point, &Budget::unlimited()).unwrap()
}

fn n_images(map: &Map, values: &BTreeMap<Name, i64>, key: &[i64]) -> usize {
    let mut map = fixed(map, values);
    for (dim, value) in key.iter().enumerate() {
        map = map.fix(DimKind::In, dim, &Int::from(*value));
    }
    map.points(3, &Budget::unlimited()).unwrap().len()
}
