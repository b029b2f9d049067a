//! Digests of texts and outputs that are the same in every version and on every machine.

/// FNV-1a with 128 bits: for telling apart what is not made to collide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Digest(u128);

const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;

impl Digest {
    /// Of nothing.
    pub(crate) const EMPTY: Digest = Digest(OFFSET);

    /// Of these bytes alone.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        Digest::EMPTY.bytes(bytes)
    }

    /// With these bytes added.
    fn bytes(self, bytes: &[u8]) -> Self {
        let add = |hash: u128, byte: &u8| (hash ^ u128::from(*byte)).wrapping_mul(PRIME);
        Digest(bytes.iter().fold(self.0, add))
    }

    /// With a text added that cannot be mistaken for a part of the next one.
    pub(crate) fn text(self, text: &str) -> Self {
        self.bytes(&(text.len() as u64).to_le_bytes()).bytes(text.as_bytes())
    }

    /// One of its bytes.
    pub(crate) fn byte(self) -> u8 {
        (self.0 >> 64) as u8
    }

    /// As 32 digits.
    pub(crate) fn hex(self) -> String {
        format!("{:032x}", self.0)
    }

    /// From its digits.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        u128::from_str_radix(text, 16).ok().map(Digest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_digests() {
        assert_eq!(Digest::of(b"").hex(), "6c62272e07bb014262b821756295c58d");
        assert_eq!(Digest::of(b"a").hex(), "d228cb696f1a8caf78912b704e4a8964");
        assert_eq!(Digest::parse(&Digest::of(b"a").hex()), Some(Digest::of(b"a")));
        assert_ne!(Digest::EMPTY.text("ab").text("c"), Digest::EMPTY.text("a").text("bc"));
    }
}
