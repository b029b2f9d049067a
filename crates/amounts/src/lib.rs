//! How much a program part computes and touches.
//!
//! All amounts are counts of integer points (see `Set::card` of `loopwright-presburger`), as functions of the
//! symbolic constants, and at given [`Sizes`]: instances and operations of statements ([`StatementAmounts`]),
//! elements and cache lines of arrays ([`ArrayAmounts`]), the ratio of both against the limits of a machine
//! ([`Roofline`]), the same for a tile ([`TileAmounts`]), and the work of the iterations of parallel loops
//! ([`LoopBalance`]). What cannot be known is a bound, or not known, and says so.
//!
//! ```
//! use loopwright_amounts::{RegionAmounts, Sizes};
//! use loopwright_machine::Machine;
//! use loopwright_cfront::SourceFile;
//! let text = "void f(int n, double a[restrict n][n], double x[restrict n]) {\n#pragma scop\n\
//!             for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) x[i] += 2 * a[i][j];\n#pragma endscop\n}\n";
//! let regions = SourceFile::from_text("f.c", text).extract().unwrap();
//! let amounts = RegionAmounts::of(&regions[0].scop, &Sizes::parse("n=10").unwrap(), &Machine::generic());
//! let triangle = &amounts.statements[0];
//! assert_eq!(triangle.instances.text(), "1/2*n^2 + 1/2*n");
//! assert_eq!(triangle.instances.value().and_then(|value| value.to_i64()), Some(55));
//! assert_eq!(triangle.operations.to_string(), "1 add, 1 mul");
//! ```

mod balance;
mod operations;
mod quantity;
mod region;
mod roofline;
mod sizes;
mod text;
mod tiles;
mod touched;

pub use balance::{LoopBalance, Shares};
pub use operations::{OperationAmount, StatementAmounts};
pub use quantity::Quantity;
pub use region::RegionAmounts;
pub use roofline::{Limit, Roofline};
pub use sizes::{Sizes, SizesError};
pub use tiles::TileAmounts;
pub use touched::ArrayAmounts;
