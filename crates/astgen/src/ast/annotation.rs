//! What a user attaches to loops.
use loopwright_presburger::Name;
use std::any::Any;
use std::sync::Arc;

/// Something that a user attaches to a loop: a name, and any value.
#[derive(Clone, Debug)]
pub struct Annotation {
    /// The name, which is printed in outlines and JSON.
    pub name: Name,
    /// Whatever belongs to it.
    pub value: Option<Arc<dyn Any + Send + Sync>>,
}

impl Annotation {
    /// A name without a value.
    pub fn named(name: &str) -> Self {
        Annotation { name: name.into(), value: None }
    }
}
