//! Sizes of kernels that the user gives, in the notation of isl and by the names of PPCG.
use loopwright_presburger::{Budget, DimKind, Int, Map, Result, Set, UnionMap};

/// Steps for the sizes of one kernel.
const STEPS: u64 = 20_000;

/// The largest size that makes sense.
const MOST: i64 = 1 << 20;

/// The sizes of kernels by their numbers: `{ kernel[0] -> tile[32, 32]; kernel[i] -> block[16, 8] : i > 0 }`.
#[derive(Clone, Debug)]
pub struct GivenSizes {
    text: String,
    sizes: UnionMap,
}

impl PartialEq for GivenSizes {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

/// What is given for one kernel: numbers for its loops that become blocks and threads, the outermost first.
/// Empty where nothing is given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelSizes {
    /// Iterations of a block.
    pub tile: Vec<i64>,
    /// Threads of a block.
    pub block: Vec<i64>,
    /// The most blocks.
    pub grid: Vec<i64>,
}

impl GivenSizes {
    /// Reads sizes.
    ///
    /// # Errors
    /// In words: if the text is no union of relations from `kernel[i]` to `tile[...]`, `block[...]` and
    /// `grid[...]`, or if it has symbolic constants.
    ///
    /// # Examples
    /// ```
    /// use loopwright_device::GivenSizes;
    /// let sizes = GivenSizes::parse("{ kernel[0] -> tile[64, 32]; kernel[i] -> block[16, 8] }")?;
    /// assert_eq!(sizes.of(0)?.tile, [64, 32]);
    /// assert_eq!(sizes.of(1)?.tile, []);
    /// assert_eq!(sizes.of(1)?.block, [16, 8]);
    /// # Ok::<(), String>(())
    /// ```
    pub fn parse(text: &str) -> std::result::Result<GivenSizes, String> {
        let sizes = UnionMap::parse(text).map_err(|error| error.to_string())?;
        if let Some(name) = sizes.param_names().first() {
            return Err(format!("`{name}` has no value"));
        }
        let strange = sizes.maps().iter().find(|map| role(map).is_none());
        match strange {
            Some(map) => Err(format!(
                "`{map}` is none of kernel[i] -> tile[...], kernel[i] -> block[...] and kernel[i] -> grid[...]"
            )),
            None => Ok(GivenSizes { text: text.to_string(), sizes }),
        }
    }

    /// The text that was read.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What is given for the kernel with a number.
    ///
    /// # Errors
    /// In words: if there are several sizes of one kind, or sizes that are not positive or too large.
    pub fn of(&self, kernel: usize) -> std::result::Result<KernelSizes, String> {
        let mut found = KernelSizes::default();
        for map in self.sizes.maps() {
            let Some(role) = role(map) else { continue };
            let failed = |error: loopwright_presburger::Error| format!("sizes: {error}");
            let Some(values) = values(map, kernel).map_err(failed)? else { continue };
            let place = match role {
                "tile" => &mut found.tile,
                "block" => &mut found.block,
                _ => &mut found.grid,
            };
            let several = || format!("kernel[{kernel}] has several sizes {role}[...]");
            let [only] = &values[..] else { return Err(several()) };
            if !place.is_empty() {
                return Err(several());
            }
            let in_range = |value: &Int| value.to_i64().filter(|value| (1..=MOST).contains(value));
            let sizes: Option<Vec<i64>> = only.iter().map(in_range).collect();
            *place = sizes.ok_or_else(|| {
                format!("sizes {role}[...] of kernel[{kernel}] are not all from 1 to {MOST}")
            })?;
        }
        Ok(found)
    }
}

/// What a relation gives: `tile`, `block` or `grid`.
fn role(map: &Map) -> Option<&str> {
    let is_kernel =
        map.space().input().and_then(|tuple| tuple.name()).is_some_and(|n| &**n == "kernel");
    let role = map.space().output().and_then(|tuple| tuple.name());
    let known = role.filter(|role| ["tile", "block", "grid"].contains(&&***role));
    let has_sizes = map.n(DimKind::In) == 1 && map.n(DimKind::Out) > 0;
    known.filter(|_| is_kernel && has_sizes).map(|name| &**name)
}

/// The values for a kernel, at most two; none if there are none.
fn values(map: &Map, kernel: usize) -> Result<Option<Vec<Vec<Int>>>> {
    let number = Int::from(i64::try_from(kernel).unwrap_or(i64::MAX));
    let own: Set = map.fix(DimKind::In, 0, &number).range();
    let budget = Budget::steps(STEPS);
    let Some(first) = own.sample_point(&budget)? else { return Ok(None) };
    match own.is_singleton(&budget)? {
        true => Ok(Some(vec![first])),
        false => Ok(Some(vec![first.clone(), first])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_texts_are_refused_with_reasons() {
        for (text, part) in [
            ("{ kernel[i] -> tiles[3] }", "is none of"),
            ("{ [i] -> tile[3] }", "is none of"),
            ("{ kernel[i, j] -> tile[3] }", "is none of"),
            ("{ kernel[i] -> tile[] }", "is none of"),
            ("[n] -> { kernel[i] -> tile[n] }", "`n` has no value"),
            ("{ kernel[0] -> ", "expected"),
        ] {
            let message = GivenSizes::parse(text).unwrap_err();
            assert!(message.contains(part), "{text}: {message}");
        }
        for (text, part) in [
            ("{ kernel[i] -> tile[i] }", "from 1 to"),
            ("{ kernel[i] -> tile[-3] }", "from 1 to"),
            ("{ kernel[i] -> tile[a] : 1 <= a <= 2 }", "several"),
            ("{ kernel[0] -> tile[1]; kernel[i] -> tile[2, 2] }", "several"),
            ("{ kernel[i] -> tile[99999999] }", "from 1 to"),
            ("{ kernel[i] -> grid[a] }", "several"),
        ] {
            let message = GivenSizes::parse(text).unwrap().of(0).unwrap_err();
            assert!(message.contains(part), "{text}: {message}");
        }
    }

    #[test]
    fn conditions_choose_kernels() {
        let text = "{ kernel[i] -> tile[8, 4, 4] : i >= 2; kernel[i] -> grid[7] : i mod 2 = 0 }";
        let sizes = GivenSizes::parse(text).unwrap();
        assert_eq!(sizes.of(1), Ok(KernelSizes::default()));
        let last = sizes.of(2).unwrap();
        assert_eq!((last.tile, last.block, last.grid), (vec![8, 4, 4], vec![], vec![7]));
    }
}
