//! Nests that do not depend on each other advance in blocks: [`BLOCK`] ranks of one nest, then the same ranks
//! of the next.
//!
//! Rank by rank, a run ends where the innermost loop of any nest does. These ends come at irregular
//! distances, and at each of them all bodies have a remainder of their vector loop; a triangle of 200 rows on
//! a rectangle of 100 took 1.3 times as long as loops by hand. In a block each nest has the runs of its own
//! rows only.
use super::lines::Lines;
use super::mapping::Chunk;
use super::nest::Nest;

/// The ranks of a block: 32 KiB of an array of `double`, so that what nests share is still in the first
/// cache.
const BLOCK: u32 = 4096;

/// The loop over the blocks of a chunk.
pub(crate) fn blocks(lines: &mut Lines, nests: &[Nest], chunk: &Chunk) {
    let Chunk { time, stop, end, .. } = chunk;
    lines.line(format!("while ({time} < {stop}) {{"));
    lines
        .line(format!("const long {end} = {stop} - {time} < {BLOCK} ? {stop} : {time} + {BLOCK};"));
    nests.iter().for_each(|nest| of_nest(lines, nest, chunk));
    lines.line(format!("{time} = {end};"));
    lines.line("}");
}

/// A block of a nest: `left` has to become what is left at its end.
fn of_nest(lines: &mut Lines, nest: &Nest, chunk: &Chunk) {
    let Chunk { end, run, then, .. } = chunk;
    let (left, total, offset) = (&nest.left, &nest.total, nest.offset());
    lines.line("{");
    let since = if offset == 0 { end.clone() } else { format!("({end} - {offset})") };
    match offset {
        0 => lines.line(format!("const long {then} = {total} > {since} ? {total} - {since} : 0;")),
        _ => lines.line(format!(
            "const long {then} = {end} < {offset} ? {left} : {total} > {since} ? {total} - {since} : 0;"
        )),
    }
    lines.line(format!("while ({left} > {then}) {{"));
    lines.line(format!("long {run} = {left} - {then};"));
    let rest = nest.rest();
    lines.line(format!("if ({rest} < {run}) {run} = {rest};"));
    nest.begin_run(lines);
    lines.line(chunk.run_head());
    nest.bodies(lines, &chunk.step);
    lines.line("}");
    lines.line(format!("{left} -= {run};"));
    lines.line(format!("{} += {run};", nest.numbers[nest.last()]));
    nest.leave_ended(lines, left);
    lines.line("}");
    lines.line("}");
}
