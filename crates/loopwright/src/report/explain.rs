//! Why a loop is or is not parallel, tilable, fused, and what became of it.
use crate::diagnostics::failure::Failure;
use crate::pipeline::compile::{Compiled, Source, compile_regions};
use crate::pipeline::outcome::{Clock, line_range};
use crate::pipeline::parametric_flow::with_finer_models;
use crate::pipeline::region_result::RegionResult;
use crate::pipeline::run::Run;
use crate::report::explained_dependences::{
    Carried, LoopOfRegion, against_fusion, against_tiling, carried, loops_of_region, n_common,
};
use crate::report::explained_schedule::{ScheduledLoop, loops_around};
use crate::report::run_time_conditions::conditions_of;
use crate::settings::options::CompileOptions;
use loopwright_cfront::{Detection, Nest, Outcome, SourceLoop, read_file};
use loopwright_presburger::Int;
use loopwright_schedule::{KernelMark, LoopKind, Node};
use loopwright_scop::{Scop, StatementId};
use std::fmt::Write;
use std::path::Path;

/// Explains the loops of a file that have to do with a line, or all of them: with pragmas and
/// without.
///
/// ```
/// use loopwright::{CompileOptions, explain_file};
/// # let folder = std::env::temp_dir().join(format!("loopwright-explain-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder).unwrap();
/// # let path = folder.join("f.c");
/// std::fs::write(&path, "void f(double *a) {\n  for (int i = 1; i < 9; i++)\n    a[i] = a[i - 1];\n}\n").unwrap();
/// let text = explain_file(&path, Some(2), &CompileOptions::new()).unwrap();
/// assert!(text.contains("not parallel") && text.contains("S0[i = "), "{text}");
/// # std::fs::remove_dir_all(&folder).unwrap();
/// ```
///
/// # Errors
/// If the file cannot be read or understood, or has no loop at the line.
pub fn explain_file(
    path: &Path,
    line: Option<u32>,
    options: &CompileOptions,
) -> Result<String, Failure> {
    let mut options = options.clone();
    options.front_end.autodetect = true;
    let refused = |found: Vec<_>| Failure::from_diagnostics(&found);
    let source = read_file(path, &options.reading()).map_err(refused)?;
    let loops = source.source_loops().map_err(refused)?;
    let Detection { mut regions, nests, .. } = source.detect().map_err(refused)?;
    with_finer_models(&source, &mut regions, &options);
    let compiled =
        compile_regions(Source::of_file(&source, regions), Run::new(&options, &Clock::default()))?;
    let file = Explained { path, loops, nests, compiled };
    let asked = file.asked(line);
    if asked.is_empty() {
        return Err(file.no_loop(line));
    }
    Ok(asked.into_iter().map(|l| file.about(l)).collect::<Vec<_>>().join("\n"))
}

/// A file with all that is known about its loops.
struct Explained<'a> {
    path: &'a Path,
    loops: Vec<SourceLoop>,
    nests: Vec<Nest>,
    compiled: Compiled,
}

impl Explained<'_> {
    /// The loops that begin at a line; if there are none, the innermost one around it.
    fn asked(&self, line: Option<u32>) -> Vec<&SourceLoop> {
        let Some(line) = line else { return self.loops.iter().collect() };
        let starting: Vec<&SourceLoop> = self.loops.iter().filter(|l| l.start.0 == line).collect();
        if !starting.is_empty() {
            return starting;
        }
        let mut around = self.loops.iter().filter(|l| l.start.0 <= line && line <= l.end.0);
        around.next_back().into_iter().collect()
    }

    /// The failure where there is no loop, with the lines that have one.
    fn no_loop(&self, line: Option<u32>) -> Failure {
        /// As many lines are named.
        const MOST: usize = 12;
        let path = self.path.display();
        let place = line.map_or(String::new(), |line| format!(":{line}"));
        let failure = Failure::refused(format!("there is no loop at {path}{place}"));
        let mut lines: Vec<u32> = self.loops.iter().map(|l| l.start.0).collect();
        lines.dedup();
        let n_more = lines.len().saturating_sub(MOST);
        let named: Vec<String> = lines.iter().take(MOST).map(u32::to_string).collect();
        let more = if n_more > 0 { format!(" and {n_more} more lines") } else { String::new() };
        match &named[..] {
            [] => failure.with_help(format!("{path} has no loop")),
            [only] => failure.with_help(format!("the only loop begins in line {only}")),
            _ => failure.with_help(format!("loops begin in lines {}{more}", named.join(", "))),
        }
    }

    fn about(&self, asked: &SourceLoop) -> String {
        let mut text = format!(
            "{}:{}: {}   in {}\n",
            self.path.display(),
            asked.start.0,
            asked.header,
            asked.function
        );
        let refused = self.nests.iter().find_map(|nest| match &nest.outcome {
            Outcome::Refused(why) if nest.first_line == asked.start.0 => Some(why),
            _ => None,
        });
        if let Some(why) = refused {
            text += "  it cannot be part of a region:\n";
            for diagnostic in why {
                text += &indented(&diagnostic.to_string(), "    ");
            }
            return text;
        }
        for result in self.compiled.regions.iter().flatten() {
            let loops = loops_of_region(&result.region, &self.loops);
            if let Some(of) = loops.iter().find(|l| l.source == *asked) {
                let region = InRegion { result, loops: &loops };
                region.explain(&mut text, of);
                return text;
            }
        }
        for (report, result) in self.compiled.report.regions.iter().zip(&self.compiled.regions) {
            let (first, last) = report.lines;
            if (first..=last).contains(&asked.start.0) {
                text += "  it is part of the region of ";
                let _ = writeln!(
                    text,
                    "{}, in which it is no loop of the model",
                    line_range(first, last)
                );
                if let Err(failure) = result {
                    text += &indented(&failure.to_string(), "    ");
                }
                text += &indented(&report.notes.join("\n"), "    ");
                return text;
            }
        }
        text + "  it is inside of statements that are left as they are\n"
    }
}

fn indented(text: &str, margin: &str) -> String {
    text.lines().map(|line| format!("{margin}{line}\n")).collect()
}

/// The loops of a region that are dimensions of its statements, each with its explanation.
pub(crate) fn explanations(result: &RegionResult, all: &[SourceLoop]) -> Vec<(SourceLoop, String)> {
    let loops = loops_of_region(&result.region, all);
    let region = InRegion { result, loops: &loops };
    let about = |of: &LoopOfRegion| {
        let mut text = String::new();
        region.explain(&mut text, of);
        (of.source.clone(), text)
    };
    loops.iter().map(about).collect()
}

/// A region with its loops.
struct InRegion<'a> {
    result: &'a RegionResult,
    loops: &'a [LoopOfRegion],
}

impl InRegion<'_> {
    fn scop(&self) -> &Scop {
        &self.result.region.scop
    }

    fn explain(&self, text: &mut String, of: &LoopOfRegion) {
        let names: Vec<String> = of.statements.iter().map(|s| self.place(*s)).collect();
        let _ = writeln!(text, "  statements: {}", names.join(", "));
        self.parallel(text, of);
        self.tilable(text, of);
        self.fused(text, of);
        self.became(text, of);
    }

    /// Why blocks and threads of a device do not share a loop, as a line; none if they do, or there is no
    /// device.
    fn why_no_block(&self, each: &ScheduledLoop) -> Option<String> {
        if self.result.device.is_none() || each.kind.is_some() {
            return None;
        }
        let (path, member) = &each.place;
        let tree = &self.result.tree;
        let is_kernel =
            |node: &&Node| matches!(node, Node::Mark(name, _) if KernelMark::parse(name).is_some());
        let runs = match tree.ancestors(path).iter().any(is_kernel) {
            true => "each thread runs it",
            false => "it stays on the host",
        };
        let is_independent = match tree.at(path) {
            Some(Node::Band(band, _)) => band.members.get(*member).is_some_and(|m| m.coincident),
            _ => false,
        };
        let why = match is_independent {
            true => "blocks and threads have the loops outside of it or beside it, at most three",
            false => "its iterations have to keep their order",
        };
        let name = each.dimension;
        Some(format!("      c{name} is shared by no blocks or threads, {runs}: {why}\n"))
    }

    /// `S1 (line 12)`.
    fn place(&self, id: StatementId) -> String {
        let statement = self.scop().statement(id);
        format!("{} (line {})", statement.name, statement.location.line)
    }

    fn parallel(&self, text: &mut String, of: &LoopOfRegion) {
        let dependences = &self.result.dependences;
        let found = match carried(self.scop(), dependences, self.loops, of) {
            Ok(found) => found,
            Err(error) => {
                let _ = writeln!(text, "  parallel? not known: {error}");
                return;
            }
        };
        let binding: Vec<&Carried> = found.iter().filter(|c| !c.is_private).collect();
        if binding.is_empty() {
            *text += "  parallel: no two iterations depend on each other";
            let mut names: Vec<&str> =
                found.iter().map(|c| &*self.scop().array(c.array).name).collect();
            names.sort_unstable();
            names.dedup();
            if !names.is_empty() {
                let _ = write!(text, " once each has its own copy of {}", names.join(", "));
            }
            *text += "\n";
            return;
        }
        *text += "  not parallel as it stands: iterations depend on each other\n";
        let mut calls = Vec::new();
        for dependence in &binding {
            let pair = (dependence.source, dependence.sink);
            let is_order = self.is_order_of_calls(dependence);
            if !(is_order && calls.contains(&pair)) {
                self.dependence(text, dependence);
            }
            calls.extend(is_order.then_some(pair));
        }
        if binding.iter().all(|c| c.operator.is_some()) {
            *text += "    these only combine values: with --reassociate the loop may be parallel\n";
        }
    }

    /// Whether a dependence is about no memory of the program, but the order of calls with other effects.
    fn is_order_of_calls(&self, found: &Carried) -> bool {
        self.scop().array(found.array).name.trim_end_matches('_') == "order_of_calls"
    }

    fn dependence(&self, text: &mut String, found: &Carried) {
        let (source, sink) = (self.place(found.source), self.place(found.sink));
        let what = match found.kind {
            "flow" => format!("{sink} reads what {source} has written"),
            "anti" => format!("{sink} overwrites what {source} has read"),
            "output" => format!("{sink} overwrites what {source} has written"),
            _ => format!("{sink} comes after {source}"),
        };
        let array = &self.scop().array(found.array).name;
        let is_order = self.is_order_of_calls(found);
        let _ = match is_order {
            true => writeln!(text, "    calls stay in order: {sink} comes after {source}"),
            false => writeln!(text, "    {array}: {what} ({} dependence)", found.kind),
        };
        if let Some(example) = &found.example {
            let values: Vec<String> = example
                .parameters
                .iter()
                .map(|(name, value)| format!("{name} = {value}"))
                .collect();
            let with = match values.is_empty() {
                true => String::new(),
                false => format!(", with {}", values.join(", ")),
            };
            let on = match is_order {
                true => String::new(),
                false => format!(" on {}", example.element),
            };
            let (source, sink) = (&example.source, &example.sink);
            let _ = writeln!(text, "      for example {source} and then {sink}{on}{with}");
        }
        if let Some(distance) = self.distance(found) {
            let _ = writeln!(text, "      distance: {distance}");
        }
        let mut conditions = conditions_of(&self.result.region, found.source, found.array);
        for more in conditions_of(&self.result.region, found.sink, found.array) {
            conditions.extend((!conditions.contains(&more)).then_some(more));
        }
        if !conditions.is_empty() {
            let _ = writeln!(text, "      only where {}", conditions.join(" and "));
        }
        if self.result.left.is_none()
            && let Some(kept) = self.kept(found)
        {
            let _ = writeln!(text, "      in the result: {kept}");
        }
    }

    /// `i: 1, j: 0`.
    fn distance(&self, found: &Carried) -> Option<String> {
        let iterators = &self.scop().statement(found.source).iterators;
        let parts = iterators.iter().zip(&found.distances);
        let parts: Vec<String> =
            parts.map(|(name, range)| format!("{name}: {}", range_text(range))).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    /// What the schedule does with a dependence: the loop of the result in which the two instances of
    /// the example are in different iterations.
    fn kept(&self, found: &Carried) -> Option<String> {
        let example = found.example.as_ref()?;
        let of = |id| loops_around(&self.result.tree, self.scop().statement(id));
        let (sources, sinks) = (of(found.source), of(found.sink));
        // Of a statement that stands at several places it is not known which one this is.
        let ([source], [sink]) = (&sources[..], &sinks[..]) else { return None };
        let common = source.iter().zip(sink).take_while(|(a, b)| a.place == b.place);
        let mut n_common = 0;
        for (a, b) in common {
            n_common += 1;
            let from = a.at(&example.parameters, &example.iterators.0)?;
            let to = b.at(&example.parameters, &example.iterators.1)?;
            if from != to {
                return Some(format!(
                    "c{} has {from} for the first one and {to} for the second, so the order is kept",
                    a.dimension
                ));
            }
        }
        Some(match n_common {
            0 => "the loops of the first one end before those of the second begin".to_string(),
            _ => "both are in the same iterations, one after the other".to_string(),
        })
    }

    fn tilable(&self, text: &mut String, of: &LoopOfRegion) {
        let is_inner = |l: &&LoopOfRegion| {
            l.dimension == of.dimension + 1 && of.source.contains(l.source.start)
        };
        for inner in self.loops.iter().filter(is_inner) {
            let line = inner.source.start.0;
            match against_tiling(self.scop(), &self.result.dependences, self.loops, of, inner) {
                Ok(None) => {
                    let _ = writeln!(text, "  tilable with the loop of line {line}");
                }
                Ok(Some(found)) => {
                    let _ =
                        writeln!(text, "  not tilable with the loop of line {line} as it stands");
                    self.dependence(text, &found);
                }
                Err(error) => {
                    let _ = writeln!(text, "  tilable with line {line}? not known: {error}");
                }
            }
        }
    }

    fn fused(&self, text: &mut String, of: &LoopOfRegion) {
        let Some(own) = of.statements.first() else { return };
        let next = self.loops.iter().find(|l| {
            l.dimension == of.dimension
                && l.source.start > of.source.end
                && n_common(self.loops, *own, l.statements[0]) == of.dimension
        });
        let Some(next) = next else { return };
        let line = next.source.start.0;
        let shared = self.n_shared(*own, next.statements[0]);
        if shared > of.dimension {
            let _ = writeln!(text, "  fused with the loop of line {line}");
            return;
        }
        match against_fusion(self.scop(), &self.result.dependences, self.loops, of, next) {
            Ok(Some(found)) => {
                let _ =
                    writeln!(text, "  not fused with the loop of line {line}, which comes after");
                self.dependence(text, &found);
            }
            Ok(None) => {
                let _ = writeln!(
                    text,
                    "  not fused with the loop of line {line}, although no dependence prevents it: it was \
                     not expected to pay (--fuse max asks for it)"
                );
            }
            Err(error) => {
                let _ = writeln!(text, "  fused with line {line}? not known: {error}");
            }
        }
    }

    /// The number of loops of the result that two statements share.
    fn n_shared(&self, a: StatementId, b: StatementId) -> usize {
        let of = |id| loops_around(&self.result.tree, self.scop().statement(id));
        let (a, b) = (of(a), of(b));
        let shared = |x: &[ScheduledLoop], y: &[ScheduledLoop]| {
            x.iter().zip(y).take_while(|(p, q)| p.place == q.place).count()
        };
        a.iter().flat_map(|x| b.iter().map(move |y| shared(x, y))).max().unwrap_or(0)
    }

    fn became(&self, text: &mut String, of: &LoopOfRegion) {
        *text += "  in the result:\n";
        if let Some(reason) = &self.result.left {
            let _ = writeln!(text, "    the region stays as it is written: {reason}");
            return;
        }
        for &id in &of.statements {
            let statement = self.scop().statement(id);
            let Some(iterator) = statement.iterators.get(of.dimension) else { continue };
            for chain in loops_around(&self.result.tree, statement) {
                let all: Vec<String> = chain.iter().map(ScheduledLoop::text).collect();
                let from: Vec<String> = chain
                    .iter()
                    .filter(|l| l.mentions(iterator))
                    .map(|l| format!("c{}", l.dimension))
                    .collect();
                let from = match from.is_empty() {
                    true => format!("{iterator} is no loop of its own"),
                    false => format!("{iterator} became {}", from.join(", ")),
                };
                let _ =
                    writeln!(text, "    {}: {from} (loops: {})", statement.name, all.join("; "));
                for each in chain.iter().filter(|l| l.mentions(iterator)) {
                    text.extend(self.why_no_block(each));
                }
            }
        }
        let is_shared = |kind: LoopKind| kind.is_threaded() || kind.is_of_kernel();
        let is_threaded = |l: &ScheduledLoop| l.kind.is_some_and(is_shared);
        let runs_parallel = of.statements.iter().any(|id| {
            let chains = loops_around(&self.result.tree, self.scop().statement(*id));
            chains.iter().flatten().any(is_threaded)
        });
        if !runs_parallel {
            *text += "    nothing of it runs on several threads\n";
        }
        let names: Vec<&str> =
            of.statements.iter().map(|id| &*self.scop().statement(*id).name).collect();
        let mut decisions: Vec<String> = Vec::new();
        for band in &self.result.report.bands.bands {
            if band.statements.iter().any(|s| names.contains(&s.as_str())) {
                for decision in band.decisions.iter().map(ToString::to_string) {
                    if !decisions.contains(&decision) {
                        decisions.push(decision);
                    }
                }
            }
        }
        *text += &indented(&decisions.join("\n"), "    ");
        *text += &indented(&self.result.report.notes.join("\n"), "    ");
        for tried in &self.result.report.tried {
            let _ = writeln!(text, "    tried: {tried}");
        }
    }
}

fn range_text((least, greatest): &(Option<Int>, Option<Int>)) -> String {
    match (least, greatest) {
        (Some(a), Some(b)) if a == b => a.to_string(),
        (Some(a), Some(b)) => format!("{a} to {b}"),
        (Some(a), None) => format!("{a} or more"),
        (None, Some(b)) => format!("{b} or less"),
        (None, None) => "any".to_string(),
    }
}
