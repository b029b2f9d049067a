//! Marks for the loops of a part that is executed in parallel.
//!
//! With `k` sequential dimensions outside (Quilleré, Rajopadhye, Wilde, section 6.3) the loops
//! inside are nests of single statements, and the outermost of each nest is marked.
use crate::nest::tree::Nest;

/// The nest in which every outermost loop at dimension `first` or deeper is marked `parallel`.
pub(crate) fn with_parallel_marks(nest: Nest, first: usize) -> Nest {
    let inside = |child: Box<Nest>| Box::new(with_parallel_marks(*child, first));
    match nest {
        Nest::For { level, .. } if level >= first => {
            Nest::Mark { name: "parallel".into(), dimension: level, child: Box::new(nest) }
        }
        Nest::For { level, bounds, piecewise, stride, coincident, body } => {
            Nest::For { level, bounds, piecewise, stride, coincident, body: inside(body) }
        }
        Nest::Value { level, value, body } => Nest::Value { level, value, body: inside(body) },
        Nest::If { condition, then, otherwise } => {
            Nest::If { condition, then: inside(then), otherwise: otherwise.map(inside) }
        }
        Nest::Block(children) => {
            let children = children.into_iter().map(|child| with_parallel_marks(child, first));
            Nest::Block(children.collect())
        }
        Nest::Known { condition, body } => Nest::Known { condition, body: inside(body) },
        Nest::Mark { name, dimension, child } => {
            Nest::Mark { name, dimension, child: inside(child) }
        }
        Nest::User { .. } | Nest::Leaf { .. } => nest,
    }
}
