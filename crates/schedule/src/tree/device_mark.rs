//! The marks by which parts of a tree run on a device with its own memory: kernels, the loops whose
//! iterations are their blocks and threads, barriers of a block or of a whole launch, products of matrices
//! that a warp computes together, and copies of vectors.
use loopwright_presburger::Name;
use std::fmt;

/// An axis of the grid of blocks, or of the threads of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Axis {
    /// The fastest one: threads that follow each other along it run in one warp.
    X,
    /// The next one.
    Y,
    /// The slowest one.
    Z,
}

impl Axis {
    /// All axes, the fastest one first.
    pub const ALL: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];
}

impl fmt::Display for Axis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Axis::X => "x",
            Axis::Y => "y",
            Axis::Z => "z",
        })
    }
}

/// A mark whose subtree runs on the device: one launch each time the code for the mark is reached.
///
/// The loops below it that are spread over blocks and threads have marks of their own ([`LoopKind::Block`],
/// [`LoopKind::Thread`]); everything else below it is sequential code of each thread.
///
/// [`LoopKind::Block`]: crate::LoopKind::Block
/// [`LoopKind::Thread`]: crate::LoopKind::Thread
///
/// ```
/// use loopwright_schedule::KernelMark;
/// let mark = KernelMark::parse("kernel(product)").unwrap();
/// assert_eq!(&*mark.name, "product");
/// assert_eq!(mark.to_string(), "kernel(product)");
/// assert!(KernelMark::parse("kernel(a b)").is_none());
/// assert!(KernelMark::parse("parallel").is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct KernelMark {
    /// What the kernel is called: a name of C.
    pub name: Name,
}

impl KernelMark {
    /// Reads the text of a mark; none if it is another mark, or the name is none of C.
    pub fn parse(text: &str) -> Option<KernelMark> {
        let name = text.strip_prefix("kernel(")?.strip_suffix(')')?;
        let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && name.chars().next().is_some_and(|first| !first.is_ascii_digit());
        is_name.then(|| KernelMark { name: name.into() })
    }
}

impl fmt::Display for KernelMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "kernel({})", self.name)
    }
}

/// A mark at which all threads of a block wait for each other, before the subtree below it is executed: what
/// any of them has done before, in memory of the device and in that of the block, is seen by all of them
/// after it.
///
/// It stands below a [`KernelMark`], and above the loops that are spread over threads. Where nothing below it
/// is executed there may be no barrier.
///
/// ```
/// use loopwright_schedule::BarrierMark;
/// assert_eq!(BarrierMark::parse("barrier"), Some(BarrierMark));
/// assert_eq!(BarrierMark.to_string(), "barrier");
/// assert!(BarrierMark::parse("barrier(x)").is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BarrierMark;

impl BarrierMark {
    /// Reads the text of a mark; none if it is another mark.
    pub fn parse(text: &str) -> Option<BarrierMark> {
        (text == "barrier").then_some(BarrierMark)
    }
}

impl fmt::Display for BarrierMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("barrier")
    }
}

/// A mark above statements that copy an element each, and do not wait until it has arrived: it is there
/// behind the next barrier.
///
/// It stands below a [`KernelMark`]. Until the next [`BarrierMark`] nobody may read or write the element that
/// is written, the thread that copies included.
///
/// ```
/// use loopwright_schedule::AsynchronousMark;
/// assert_eq!(AsynchronousMark::parse("asynchronous"), Some(AsynchronousMark));
/// assert_eq!(AsynchronousMark.to_string(), "asynchronous");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AsynchronousMark;

impl AsynchronousMark {
    /// Reads the text of a mark; none if it is another mark.
    pub fn parse(text: &str) -> Option<AsynchronousMark> {
        (text == "asynchronous").then_some(AsynchronousMark)
    }
}

impl fmt::Display for AsynchronousMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("asynchronous")
    }
}

/// A mark above statements each of which updates an element in memory of the device by one instruction: no
/// other access to the element comes between its load and its store. It stands below a [`KernelMark`].
///
/// ```
/// use loopwright_schedule::AtomicMark;
/// assert_eq!(AtomicMark::parse("atomic"), Some(AtomicMark));
/// assert_eq!(AtomicMark.to_string(), "atomic");
/// assert!(AtomicMark::parse("atomic(x)").is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AtomicMark;

impl AtomicMark {
    /// Reads the text of a mark; none if it is another mark.
    pub fn parse(text: &str) -> Option<AtomicMark> {
        (text == "atomic").then_some(AtomicMark)
    }
}

impl fmt::Display for AtomicMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("atomic")
    }
}

/// A mark at which all threads of all blocks of a launch wait for each other, before the subtree below it is
/// executed: what any of them has done before in memory of the device is seen by all of them after it.
///
/// It stands below a [`KernelMark`], and above the loops that are spread over blocks and threads. All blocks
/// of such a launch have to run at the same time. Where nothing below it is executed there may be no barrier.
///
/// ```
/// use loopwright_schedule::GridBarrierMark;
/// assert_eq!(GridBarrierMark::parse("grid_barrier"), Some(GridBarrierMark));
/// assert_eq!(GridBarrierMark.to_string(), "grid_barrier");
/// assert!(GridBarrierMark::parse("barrier").is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GridBarrierMark;

impl GridBarrierMark {
    /// Reads the text of a mark; none if it is another mark.
    pub fn parse(text: &str) -> Option<GridBarrierMark> {
        (text == "grid_barrier").then_some(GridBarrierMark)
    }
}

impl fmt::Display for GridBarrierMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("grid_barrier")
    }
}

/// A mark above statements that copy a register of another thread of the warp: of the lane that is `distance`
/// further, or of their own lane where the warp has none that far.
///
/// The lanes of a warp are 32 threads that follow each other along the fastest axis, from a multiple of 32
/// on. It stands below a [`KernelMark`] and a loop over threads along that axis. All lanes of a warp execute
/// such a copy together: what is read is what the other thread has done before its own copy, and nothing that
/// it does behind that.
///
/// ```
/// use loopwright_schedule::ShuffleMark;
/// let mark = ShuffleMark::parse("shuffle(16)").unwrap();
/// assert_eq!(mark.distance, 16);
/// assert_eq!(mark.to_string(), "shuffle(16)");
/// assert!(ShuffleMark::parse("shuffle(0)").is_none());
/// assert!(ShuffleMark::parse("shuffle(32)").is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ShuffleMark {
    /// How far away the lane is whose register is read: from 1 to 31.
    pub distance: u32,
}

impl ShuffleMark {
    /// The lanes of a warp.
    pub const LANES: u32 = 32;

    /// Reads the text of a mark; none if it is another mark, or no lane is that far away.
    pub fn parse(text: &str) -> Option<ShuffleMark> {
        let distance = text.strip_prefix("shuffle(")?.strip_suffix(')')?.parse().ok()?;
        (1..Self::LANES).contains(&distance).then_some(ShuffleMark { distance })
    }
}

impl fmt::Display for ShuffleMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "shuffle({})", self.distance)
    }
}

/// A mark above a band that the 32 threads of a warp execute together, as one instruction that adds the
/// product of two small matrices to a third one.
///
/// It stands below loops over threads along x and y, of which four and a multiple of eight have a block. For
/// each value of the loops outside, thread (c, r) of a warp, for c below 4 along x and r below 8 along y, has
/// rows `r + 8 h` of the result, and columns `2 c + e`, for each e below 2 and each h below the number of its
/// rows, [`MatrixMark::rows_of_thread`]. The members of the band are the position along the sum, then h if a
/// thread has several rows, and e at last. What the instruction adds up for an element, it adds up in any
/// order. Which rows and columns of the program the rows and columns of the matrix are does not matter.
///
/// ```
/// use loopwright_schedule::MatrixMark;
/// let mark = MatrixMark::parse("matrix(8, 8, 4)").unwrap();
/// assert_eq!(mark, MatrixMark::SMALL);
/// assert_eq!(mark.to_string(), "matrix(8, 8, 4)");
/// assert_eq!((mark.rows_of_thread(), MatrixMark::LARGE.rows_of_thread()), (1, 2));
/// assert!(MatrixMark::parse("matrix(8, 8)").is_none());
/// assert!(MatrixMark::parse("matrix(0, 8, 4)").is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MatrixMark {
    /// The rows of the result.
    pub rows: u32,
    /// The columns of the result.
    pub columns: u32,
    /// The products that are added up for each of its elements.
    pub products: u32,
}

impl MatrixMark {
    /// The matrices of `double` that one instruction multiplies.
    pub const SMALL: MatrixMark = MatrixMark { rows: 8, columns: 8, products: 4 };

    /// Those of `double` on devices that have larger ones; those of `float`, of which the instruction has
    /// factors rounded to tf32.
    pub const LARGE: MatrixMark = MatrixMark { rows: 16, columns: 8, products: 8 };

    /// The rows of the result that a thread has.
    pub fn rows_of_thread(self) -> u32 {
        self.rows / 8
    }

    /// Reads the text of a mark; none if it is another mark, or a number is not positive.
    pub fn parse(text: &str) -> Option<MatrixMark> {
        let inside = text.strip_prefix("matrix(")?.strip_suffix(')')?;
        let numbers = inside.split(',').map(|number| number.trim().parse().ok().filter(|n| *n > 0));
        match numbers.collect::<Option<Vec<u32>>>()?[..] {
            [rows, columns, products] => Some(MatrixMark { rows, columns, products }),
            _ => None,
        }
    }
}

impl fmt::Display for MatrixMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "matrix({}, {}, {})", self.rows, self.columns, self.products)
    }
}

/// A mark above a band of one member with so many iterations, each of which copies an element: they are one
/// access of 16 bytes.
///
/// It stands below a [`KernelMark`]. The elements lie side by side on both sides, in the order of the
/// iterations, and in different arrays; the first one lies at a multiple of 16 bytes where it is in memory of
/// the device or of a block. What is copied may also come from registers, or go there.
///
/// ```
/// use loopwright_schedule::VectorCopyMark;
/// let mark = VectorCopyMark::parse("vector_copy(2)").unwrap();
/// assert_eq!(mark, VectorCopyMark::of_bytes(8).unwrap());
/// assert_eq!(mark.to_string(), "vector_copy(2)");
/// assert!(VectorCopyMark::parse("vector_copy(3)").is_none());
/// assert!(VectorCopyMark::of_bytes(16).is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VectorCopyMark {
    /// How many elements one access has: 2 or 4.
    pub elements: u32,
}

impl VectorCopyMark {
    /// The bytes of an access.
    pub const BYTES: u32 = 16;

    /// That of elements of so many bytes; none if no vector has them.
    pub fn of_bytes(bytes: u64) -> Option<VectorCopyMark> {
        match bytes {
            4 => Some(VectorCopyMark { elements: 4 }),
            8 => Some(VectorCopyMark { elements: 2 }),
            _ => None,
        }
    }

    /// Reads the text of a mark; none if it is another mark, or no access has so many elements.
    pub fn parse(text: &str) -> Option<VectorCopyMark> {
        let elements = text.strip_prefix("vector_copy(")?.strip_suffix(')')?.parse().ok()?;
        matches!(elements, 2 | 4).then_some(VectorCopyMark { elements })
    }
}

impl fmt::Display for VectorCopyMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "vector_copy({})", self.elements)
    }
}
