//! Innermost loops that carry a dependence, several of them in step.
//!
//! A loop like that of an update in place (Gauss-Seidel) waits for the result of each iteration before it can
//! begin the next: a core that could have dozens of operations in flight has one. Where the loop around it is
//! permutable with it, [`ROWS`] iterations `a` of that one advance together instead: the last two members
//! `a, b` of the points become `floor(a / ROWS), a + b, a`. Every dependence has non-negative distances along
//! `a` and `b`, so those between instances of one strip that differ in `a` or `b` are carried by `a + b`
//! (Lamport's hyperplane method again, see [`crate::loops::wavefront`]), and the instances of the new
//! innermost loop, one for each row of the strip, are independent. They are as many chains of operations that
//! the processor overlaps by itself. The loop is not marked for vector instructions: its accesses are a row
//! apart.
//!
//! This is done where no member is coincident: with independent iterations at hand there are better ways
//! (vectors, or rows that are unrolled together).
use loopwright_presburger::{Int, MultiUnionPwAff, Result, Tuple};
use loopwright_schedule::{Band, Member, Node};

/// Rows that advance together: eight chains of additions and a division keep the divider busy.
pub const ROWS: i64 = 8;

/// Whether `band` above `child`, whose innermost loop carries a dependence, is one whose rows should
/// advance in step.
pub fn pays(band: &Band, child: &Node) -> bool {
    let is_serial = band.members.iter().all(|member| !member.coincident);
    band.permutable && band.n_members() >= 2 && is_serial && matches!(child, Node::Leaf)
}

/// The points in strips of rows that advance together; the band itself if it has a single member.
///
/// ```
/// use loopwright_presburger::MultiUnionPwAff;
/// use loopwright_schedule::Band;
/// use loopwright_transform::loops::interleave::in_step;
/// let band = Band::new(MultiUnionPwAff::parse("[{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]")?);
/// let members = in_step(&Band { permutable: true, ..band })?.schedule.members().to_vec();
/// assert_eq!(members[1].to_string(), "{ S[i, j] -> [(i + j)] }");
/// assert_eq!(members[2].to_string(), "{ S[i, j] -> [(i)] }");
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
///
/// # Errors
/// Those of the sum.
pub fn in_step(points: &Band) -> Result<Band> {
    let n = points.n_members();
    if !points.permutable || n < 2 {
        return Ok(points.clone());
    }
    let mut members = points.schedule.members().to_vec();
    let (row, along) = (members[n - 2].clone(), members[n - 1].clone());
    let rows = Int::from(ROWS);
    members[n - 2] = row.scale_down(&rows).floor();
    members[n - 1] = row.add(&along)?;
    members.push(row);
    let mut flags = points.members.clone();
    flags.push(Member { coincident: false, ..flags[n - 2] });
    let schedule = MultiUnionPwAff::new(Tuple::anonymous(n + 1), members);
    Ok(Band { schedule, permutable: false, members: flags, isolate: None })
}
