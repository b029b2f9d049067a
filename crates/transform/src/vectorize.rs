//! The mark of innermost loops without dependences between iterations.
//!
//! Which loop is innermost is decided in [`crate::loop_order`], whether its iterations are
//! independent in [`crate::independence`].
use crate::parallel::mark_member;
use loopwright_presburger::Name;
use loopwright_schedule::{Band, LoopKind, Node};

/// `band` above `child`, its last member marked as a vector loop with private scalars.
pub fn mark_last(band: &Band, private: &[Name], child: Node) -> Node {
    match band.n_members() {
        0 => child,
        n => mark_member(band, n - 1, LoopKind::Vector, private, child),
    }
}
