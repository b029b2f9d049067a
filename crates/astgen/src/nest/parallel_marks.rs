//! Marks for the loops of a part that is executed in parallel.
//!
//! With `k` sequential dimensions outside (Quilleré, Rajopadhye, Wilde, section 6.3) the loops
//! inside are nests of single statements, and the outermost of each nest is marked.
use crate::nest::tree::Nest;
use loopwright_presburger::Result;

/// The nest in which every outermost loop at dimension `first` or deeper is marked `parallel`.
pub(crate) fn with_parallel_marks(nest: Nest, first: usize) -> Result<Nest> {
    match nest {
        Nest::For(each) if each.level >= first => {
            let dimension = each.level;
            let child = Box::new(Nest::For(each));
            Ok(Nest::Mark { name: "parallel".into(), dimension, child })
        }
        other => other.map_children(&mut |child| with_parallel_marks(child, first)),
    }
}
