//! Stencils whose blocks walk along one dimension of the data (2.5-D blocking).
//!
//! A block has a tile of all dimensions but the slowest one, along which it walks. At each step its threads
//! copy a plane of what the statement reads, with the places around the tile, into shared memory, one plane
//! ahead of where it is needed. Elements that lie behind each other along the walk are a *column*: a thread
//! reads the foremost one, and moves the others from register to register, so that each of them is read once.
//!
//! ```text
//!     for each step
//!       barrier
//!       planes[(step + 2) mod 4][..] = A[step + 2][..]
//!       back = centre; centre = front; front = planes[(step + 1) mod 4][y][x]
//!       B[step][y][x] = f(back, centre, front, planes[step mod 4][y][x - 1], ..)
//! ```
//!
//! Copies and moves are statements like others, and the tree is the order of the promoted program, as for
//! tiles of operands. A block walks along a part of the data only, so that there are enough blocks. Paulius
//! Micikevicius, "3D finite difference computation on GPUs using CUDA", GPGPU 2009; Nguyen, Satish, Chhugani,
//! Kim, Dubey, "3.5-D blocking optimization for stencil computations on modern CPUs and GPUs", SC 2010.
mod columns;
mod costs;
mod statements;
mod tree;

use super::copies::Run;
use super::kernel::PromotedKernel;
use super::promoting::Promoting;
use super::site::Site;
use loopwright_presburger::Result;
use loopwright_schedule::Node;
use statements::Walk;

/// The loops of a kernel: blocks walk along the first one.
const LOOPS: usize = 3;

impl Promoting<'_> {
    /// The kernel of a stencil that walks; none if it is no stencil, has no memory for it, or is as fast
    /// without.
    pub(super) fn stream(&mut self, site: &Site, inside: &Node) -> Result<Option<PromotedKernel>> {
        let [own] = &site.statements[..] else { return Ok(None) };
        if !self.streams || !inside.is_leaf() || site.n != LOOPS {
            return Ok(None);
        }
        let sources = self.sources(site, own)?;
        let Some(walk) = Walk::of(self, site, own, &sources)? else { return Ok(None) };
        if !costs::is_better(self, own, (&walk, &sources)) {
            return Ok(None);
        }
        let streams = walk.streams(self, &sources)?;
        self.n_streams += 1;
        let is_asynchronous = |run: &Run| {
            let element = self.scop.statement(run.id).body.plain_assignment();
            element.is_some_and(|own| self.copies.is_asynchronous(own.value, &self.scop))
        };
        Ok(Some(walk.kernel(&self.scop, &streams, is_asynchronous)?))
    }
}
