//! The mark of innermost loops without dependences between iterations.
use crate::parallel::mark_single;
use loopwright_schedule::{Band, Node, VECTOR_MARK};

/// `band` above `child`, its last member marked as a vector loop.
pub fn mark_last(band: &Band, child: Node) -> Node {
    match band.n_members() {
        0 => child,
        n => mark_single(band, n - 1, VECTOR_MARK, child),
    }
}
