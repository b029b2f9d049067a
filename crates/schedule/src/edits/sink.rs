//! Moving a band below everything.
use crate::tree::band::invalid;
use crate::tree::node::{Band, Node};
use loopwright_presburger::Result;

impl Node {
    /// Moves a band below everything here: every leaf becomes the band.
    ///
    /// Legal (without further proof) if the band may be interchanged with all below it.
    ///
    /// ```
    /// use loopwright_presburger::MultiUnionPwAff;
    /// use loopwright_schedule::{Band, Node};
    /// let mut node = Node::mark("m", Node::Leaf);
    /// node.sink(&Band::new(MultiUnionPwAff::parse("[{ S[i] -> [(i)] }]")?))?;
    /// assert!(matches!(node.children()[0], Node::Band(..)));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// If there is an extension (its instances have no place in the band), or a band, context or
    /// guard that counts the dimensions outside; those of the pullback below an expansion.
    pub fn sink(&mut self, band: &Band) -> Result<()> {
        if self.is_anchored() {
            return Err(invalid("sink", "a node below depends on the schedule outside".into()));
        }
        self.sink_unanchored(band)
    }

    fn sink_unanchored(&mut self, band: &Band) -> Result<()> {
        match self {
            Node::Leaf => {
                *self = Node::band(band.clone(), Node::Leaf);
                Ok(())
            }
            Node::Expansion { contraction, child, .. } => {
                let schedule = band.schedule.pullback(contraction)?;
                child.sink_unanchored(&Band { schedule, ..band.clone() })
            }
            _ => self.children_mut().iter_mut().try_for_each(|child| child.sink_unanchored(band)),
        }
    }
}
