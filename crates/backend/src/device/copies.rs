//! Memory of the device: how much there is, and what is copied.
use super::element::{Memory, operand};
use super::host::Attempt;
use super::places::stride_name;
use super::types::element_type;
use super::value_ranges::MOST_ELEMENTS;
use crate::parameters::ITERATOR_TYPE;
use crate::writer::Writer;
use loopwright_astgen::{Build, Lowering};
use loopwright_device::{DeviceArray, Elements};
use loopwright_presburger::{Aff, Int, PwAff, Result};
use loopwright_scop::Scop;

/// Writes statements about memory of the device.
pub(super) struct Copies<'a> {
    pub(super) memory: &'a Memory<'a>,
    pub(super) lowering: &'a mut Lowering,
    pub(super) writer: &'a mut Writer,
    /// What copies to the device do that fail.
    pub(super) attempt: Attempt,
    /// Whether subscripts of kernels have 32 bits.
    pub(super) are_short: bool,
}

/// The direction of copies.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    In,
    Out,
}

impl Copies<'_> {
    fn scop(&self) -> &Scop {
        self.memory.scop
    }

    /// The subscripts of a corner of elements, where there are some.
    fn corner(&mut self, elements: &Elements, is_least: bool) -> Result<Vec<String>> {
        let known = self.scop().context.intersect(&elements.params)?;
        let build = Build::from_context(&known)?;
        let values = if is_least { &elements.least } else { &elements.most };
        values.iter().map(|v| Ok(self.lowering.lower(&build.expression(v)?).to_string())).collect()
    }

    /// The place of a corner, counted in elements, in the type of iterators.
    fn place(&self, own: &DeviceArray, corner: &[String]) -> String {
        let mut corner = corner.to_vec();
        if let Some(first) = corner.first_mut()
            && first != "0"
        {
            *first = format!("({ITERATOR_TYPE}) {}", operand(first));
        }
        self.memory.place(own.array, &corner)
    }

    /// `most - least + 1` along a dimension, in the type of iterators.
    fn extent(&mut self, elements: &Elements, at: usize) -> Result<String> {
        let (least, most) = (&elements.least[at], &elements.most[at]);
        if let ([(known, least)], [(other, most)]) = (least.pieces(), most.pieces()) {
            let extent = most.sub(least)?.add_constant(&Int::ONE);
            let known = self.scop().context.intersect(&known.intersect(other)?)?;
            let build = Build::from_context(&known.intersect(&elements.params)?)?;
            let extent = build.expression(&PwAff::from_aff(extent))?;
            return Ok(wide(&self.lowering.lower(&extent).to_string()));
        }
        let (least, most) = (self.corner(elements, true)?, self.corner(elements, false)?);
        Ok(format!("({} - {} + 1)", wide(&most[at]), operand(&least[at])))
    }

    /// Whether all values of a dimension but the first are among elements.
    fn is_whole(&mut self, own: &DeviceArray, elements: &Elements, at: usize) -> Result<bool> {
        let (least, extent) = (self.corner(elements, true)?, self.extent(elements, at)?);
        Ok(least[at] == "0" && extent == wide(&self.memory.rows(own.array)[at - 1]))
    }

    /// As many elements of the first dimension as there are to the last one.
    fn rows_to_last(&mut self, elements: &Elements) -> Result<String> {
        let Some(most) = elements.most.first() else { return Ok("1".to_string()) };
        let to_last = Elements {
            least: vec![PwAff::from_aff(Aff::zero(most.domain_space()))],
            most: vec![most.clone()],
            ..elements.clone()
        };
        self.extent(&to_last, 0)
    }

    /// The condition that there are elements; none if there always are.
    fn condition(&mut self, elements: &Elements) -> Result<Option<String>> {
        let build = Build::from_context(&self.scop().context)?;
        let condition = build.condition(&elements.params)?;
        let is_true = condition.as_int().is_some_and(|value| !value.is_zero());
        Ok((!is_true).then(|| self.lowering.lower(&condition).to_string()))
    }

    /// Allocates the memory of an array, from its first element to the last one that is accessed.
    pub(super) fn allocate(
        &mut self,
        own: &DeviceArray,
        (handle, bytes): (&str, &str),
    ) -> Result<()> {
        let element =
            element_type(self.memory.array(own.array), self.memory.language).unwrap_or_default();
        let mut factors = vec![self.rows_to_last(&own.accessed)?];
        factors.extend(self.memory.rows(own.array).iter().cloned());
        let line = format!("{bytes} = {} * sizeof({element});", factors.join(" * "));
        if own.may_be_in_front {
            let first = self.corner(&own.accessed, true)?;
            let condition = self.condition(&own.accessed)?;
            let when = condition.map_or(String::new(), |condition| format!("({condition}) && "));
            let first = first.first().map_or("0", |first| first);
            self.writer.line(&format!("if ({when}{} < 0)", operand(first)));
            self.writer.line("  goto lw_end; /* What is used begins in front of it. */");
        }
        match self.condition(&own.accessed)? {
            None => self.writer.line(&line),
            Some(condition) => {
                self.writer.line(&format!("if ({condition})"));
                self.writer.line(&format!("  {line}"));
            }
        }
        // Sums of iterators fit by themselves, as do constants.
        let is_asked = self.memory.array(own.array).extents.len() > 1
            && factors.iter().any(|factor| factor.contains(char::is_alphabetic));
        if self.are_short && is_asked {
            let fits = format!("LW_FITS({bytes} / sizeof({element}), {MOST_ELEMENTS});");
            self.writer.line(&fits);
        }
        self.writer.line(&format!("LW_TRY(lw_allocate(&{handle}, {bytes}));"));
        Ok(())
    }

    /// Copies elements of an array: a box, or all between two elements at once.
    pub(super) fn copy(
        &mut self,
        own: &DeviceArray,
        elements: &Elements,
        (handle, direction): (&str, Direction),
    ) -> Result<()> {
        let condition = self.condition(elements)?;
        if let Some(condition) = &condition {
            self.writer.line(&format!("if ({condition}) {{"));
            self.writer.depth_in();
        }
        let host = self.memory.array(own.array).tuple_name.to_string();
        let call = Call { handle, host: &host, direction, attempt: self.attempt };
        match self.memory.host(own.array).strides.len() {
            0 => self.copy_box(own, elements, &call)?,
            strides => self.copy_member(own, elements, (&call, strides))?,
        }
        if condition.is_some() {
            self.writer.depth_out();
            self.writer.line("}");
        }
        Ok(())
    }

    fn copy_box(&mut self, own: &DeviceArray, elements: &Elements, call: &Call<'_>) -> Result<()> {
        let least = self.corner(elements, true)?;
        let most = self.corner(elements, false)?;
        let rows = self.memory.rows(own.array).to_vec();
        let size = self.size(own);
        // Dimensions of which all is copied lie behind each other.
        let (mut n, mut unit) = (least.len(), Vec::new());
        while !elements.is_range && n > 1 && self.is_whole(own, elements, n - 1)? {
            n -= 1;
            unit.insert(0, rows[n - 1].clone());
        }
        unit.push(size.clone());
        let unit = unit.join(" * ");
        if n < 2 || elements.is_range {
            let first = self.place(own, &least);
            let last = self.place(own, &most);
            let width = match (n, elements.is_range) {
                (0, _) => size.clone(),
                (_, false) => format!("{} * {unit}", self.extent(elements, 0)?),
                (_, true) => in_bytes(&format!("{last} - {} + 1", operand(&first)), &size),
            };
            self.writer.line(&call.rows(&in_bytes(&first, &size), "0", &width, "1"));
            return Ok(());
        }
        // Up to three dimensions are one call.
        let n_loops = n.saturating_sub(3);
        let mut corner = least.clone();
        self.open_loops(&mut corner, &most, 0..n_loops);
        let (width, height) = (self.extent(elements, n - 1)?, self.extent(elements, n - 2)?);
        let first = in_bytes(&self.place(own, &corner), &size);
        let pitch = format!("{} * {unit}", wide(&rows[n - 2]));
        let width = format!("{width} * {unit}");
        let line = match n {
            2 => call.rows(&first, &pitch, &width, &height),
            _ => {
                let depth = self.extent(elements, n - 3)?;
                call.slices(&first, (&pitch, &wide(&rows[n - 3])), (&width, &height, &depth))
            }
        };
        self.writer.line(&line);
        self.close_loops(n_loops);
        Ok(())
    }

    /// Copies a member of the elements of an array: on the device its values lie side by side. On the host so
    /// many of the first subscripts have distances of their own; those along the last of these are the parts
    /// of one call.
    fn copy_member(
        &mut self,
        own: &DeviceArray,
        elements: &Elements,
        (call, n_strides): (&Call<'_>, usize),
    ) -> Result<()> {
        let least = self.corner(elements, true)?;
        let most = self.corner(elements, false)?;
        let rows = self.memory.rows(own.array).to_vec();
        let (size, n, along) = (self.size(own), least.len(), n_strides - 1);
        let outer = [0..along, n_strides..(n - 1).max(n_strides)];
        let n_loops = outer.iter().map(ExactSizeIterator::len).sum();
        let mut corner = least.clone();
        for dims in outer {
            self.open_loops(&mut corner, &most, dims);
        }
        let width = match n == n_strides {
            true => size.clone(),
            false => format!("{} * {size}", self.extent(elements, n - 1)?),
        };
        let height = self.extent(elements, along)?;
        let pitch = rows[along..].iter().map(|row| wide(row)).chain([size.clone()]);
        let pitch = pitch.collect::<Vec<_>>().join(" * ");
        let array = self.memory.array(own.array);
        let on_device = in_bytes(&self.place(own, &corner), &size);
        let inside = [&vec!["0".to_string(); n_strides], &corner[n_strides..]].concat();
        let apart = corner[..n_strides].iter().enumerate().filter(|(_, first)| *first != "0");
        let apart =
            apart.map(|(at, first)| format!("{} * {}", operand(first), stride_name(array, at)));
        let inside = Some(in_bytes(&self.place(own, &inside), &size)).filter(|place| place != "0");
        let on_host: Vec<String> = apart.chain(inside).collect();
        let on_host = if on_host.is_empty() { "0".to_string() } else { on_host.join(" + ") };
        let stride = stride_name(array, along);
        let line = call.apart((&on_device, &pitch), (&on_host, &stride), (&width, &height));
        self.writer.line(&line);
        self.close_loops(n_loops);
        Ok(())
    }

    /// The size of an element.
    fn size(&self, own: &DeviceArray) -> String {
        let element =
            element_type(self.memory.array(own.array), self.memory.language).unwrap_or_default();
        format!("sizeof({element})")
    }

    /// Loops over some dimensions of a box, whose iterators take the place of its corner.
    fn open_loops(&mut self, corner: &mut [String], most: &[String], dims: std::ops::Range<usize>) {
        for at in dims {
            let iterator = self.lowering.fresh(&format!("lw_d{at}"));
            self.writer.line(&format!(
                "for ({ITERATOR_TYPE} {iterator} = {}; {iterator} <= {}; {iterator}++) {{",
                corner[at], most[at]
            ));
            self.writer.depth_in();
            corner[at] = iterator;
        }
    }

    fn close_loops(&mut self, n: usize) {
        for _ in 0..n {
            self.writer.depth_out();
            self.writer.line("}");
        }
    }
}

/// A place in bytes.
fn in_bytes(place: &str, size: &str) -> String {
    match place {
        "0" => "0".to_string(),
        place => format!("{} * {size}", operand(place)),
    }
}

/// The calls of functions that copy, as statements.
struct Call<'a> {
    /// The variable that stands for memory of the device.
    handle: &'a str,
    /// The address of the array in the program.
    host: &'a str,
    direction: Direction,
    attempt: Attempt,
}

impl Call<'_> {
    /// So many rows of so many bytes, a pitch apart.
    fn rows(&self, first: &str, pitch: &str, width: &str, height: &str) -> String {
        self.of("lw_copy", &format!("{first}, {pitch}, {width}, {height}"))
    }

    /// The same in several slices, of so many rows each.
    fn slices(
        &self,
        first: &str,
        (pitch, rows): (&str, &str),
        (width, height, depth): (&str, &str, &str),
    ) -> String {
        self.of("lw_copy_box", &format!("{first}, {pitch}, {rows}, {width}, {height}, {depth}"))
    }

    /// Rows that lie at other distances on the host.
    fn apart(
        &self,
        (on_device, pitch): (&str, &str),
        (on_host, stride): (&str, &str),
        (width, height): (&str, &str),
    ) -> String {
        let arguments = format!("{on_device}, {pitch}, {on_host}, {stride}, {width}, {height}");
        self.of("lw_copy_apart", &arguments)
    }

    fn of(&self, function: &str, arguments: &str) -> String {
        let Call { handle, host, attempt, .. } = self;
        let attempt = attempt.name();
        match self.direction {
            Direction::In => format!("{attempt}({function}_in({handle}, {host}, {arguments}));"),
            Direction::Out => format!("LW_MUST({function}_out({host}, {handle}, {arguments}));"),
        }
    }
}

/// A text as an operand of the type of iterators.
fn wide(text: &str) -> String {
    let own = text.strip_prefix("(long) ");
    match (text.parse::<u64>(), own) {
        (Ok(_), _) => text.to_string(),
        (Err(_), Some(rest)) if operand(rest) == rest => text.to_string(),
        (Err(_), Some(_)) => format!("({text})"),
        (Err(_), None) => format!("({ITERATOR_TYPE}) {}", operand(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::wide;

    #[test]
    fn sums_are_operands_in_parentheses() {
        assert_eq!(wide("12"), "12");
        assert_eq!(wide("n"), "(long) n");
        assert_eq!(wide("n - m + 1"), "(long) (n - m + 1)");
        assert_eq!(wide("(long) n"), "(long) n");
        assert_eq!(wide("(long) n - m + 1"), "((long) n - m + 1)");
    }
}
