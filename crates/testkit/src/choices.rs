//! Where random decisions come from: a seed, or bytes given by a fuzzer.

/// A source of decisions.
///
/// From a seed it never ends. From bytes it yields zeros after the last byte; generators make the
/// choice with number zero the simplest one, so that few bytes mean a small program.
#[derive(Clone, Debug)]
pub struct Choices {
    bytes: Vec<u8>,
    next: usize,
    /// The state of the generator that follows the bytes; none: zeros follow.
    state: Option<u64>,
}

impl Choices {
    /// An endless source that is determined by a number.
    pub fn from_seed(seed: u64) -> Self {
        Choices { bytes: Vec::new(), next: 0, state: Some(seed) }
    }

    /// The bytes, then zeros.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        Choices { bytes: bytes.to_vec(), next: 0, state: None }
    }

    /// A number below `n` (0 if `n` is 0).
    pub fn below(&mut self, n: usize) -> usize {
        if n == 0 { 0 } else { usize::from(self.word()) % n }
    }

    /// A number from `low` to `high`.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        let width = usize::try_from(high - low + 1).unwrap_or(0);
        low + self.below(width) as i64
    }

    /// Whether something with this probability happens.
    pub fn percent(&mut self, probability: u16) -> bool {
        self.word() % 100 >= 100 - probability.min(100)
    }

    fn word(&mut self) -> u16 {
        u16::from_le_bytes([self.byte(), self.byte()])
    }

    fn byte(&mut self) -> u8 {
        if let Some(&byte) = self.bytes.get(self.next) {
            self.next += 1;
            return byte;
        }
        match &mut self.state {
            None => 0,
            Some(state) => split_mix(state) as u8,
        }
    }
}

/// One step of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014); the high bits of the result.
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z ^ (z >> 31)) >> 32
}
