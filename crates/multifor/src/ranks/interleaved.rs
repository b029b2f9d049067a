//! Nests that advance rank by rank: at each rank the bodies of all nests, the one with the lowest number
//! first.
//!
//! The nests run together as long as none of them reaches the end of an innermost loop, so inside there is
//! one loop without conditions.
use super::lines::Lines;
use super::mapping::Chunk;
use super::nest::Nest;

/// The loop over the runs of a chunk.
pub(crate) fn interleaved(lines: &mut Lines, nests: &[Nest], chunk: &Chunk) {
    let Chunk { time, stop, run, .. } = chunk;
    lines.line(format!("while ({time} < {stop}) {{"));
    lines.line(format!("long {run} = {stop} - {time};"));
    nests.iter().for_each(|nest| begin(lines, nest, chunk));
    bodies(lines, nests, chunk);
    lines.line(format!("{time} += {run};"));
    for nest in nests {
        lines.line(format!("if ({}) {{", nest.is_on));
        lines.line(format!("{} -= {run};", nest.left));
        lines.line(format!("{} += {run};", nest.numbers[nest.last()]));
        nest.leave_ended(lines, &nest.left);
        lines.line("}");
    }
    lines.line("}");
}

/// What a nest says about the length of a run.
fn begin(lines: &mut Lines, nest: &Nest, chunk: &Chunk) {
    let Chunk { time, run, .. } = chunk;
    let (offset, is_on, left) = (nest.offset(), &nest.is_on, &nest.left);
    let begun = if offset == 0 { String::new() } else { format!("{time} >= {offset} && ") };
    lines.line(format!("const int {is_on} = {begun}{left} > 0;"));
    let rest = nest.rest();
    lines.line(format!("if ({is_on} && {rest} < {run}) {run} = {rest};"));
    if offset > 0 {
        let wait = format!("{offset} - {time}");
        lines.line(format!("if ({time} < {offset} && {wait} < {run}) {run} = {wait};"));
    }
    nest.begin_run(lines);
}

/// The bodies of a run: without conditions where all nests advance.
fn bodies(lines: &mut Lines, nests: &[Nest], chunk: &Chunk) {
    let all_on: Vec<&str> = nests.iter().map(|nest| nest.is_on.as_str()).collect();
    lines.line(format!("if ({}) {{", all_on.join(" && ")));
    lines.line(chunk.run_head());
    nests.iter().for_each(|nest| nest.bodies(lines, &chunk.step));
    lines.line("}");
    if nests.len() > 1 {
        lines.line("} else {");
        lines.line(chunk.run_head());
        for nest in nests {
            lines.line(format!("if ({}) {{", nest.is_on));
            nest.bodies(lines, &chunk.step);
            lines.line("}");
        }
        lines.line("}");
    }
    lines.line("}");
}
