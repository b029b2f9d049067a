//! Memory of the device: how much there is, and what is copied.
use super::element::{Memory, operand};
use super::kernel::ITERATOR_TYPE;
use super::types::element_type;
use crate::writer::Writer;
use loopwright_astgen::{Build, Lowering};
use loopwright_device::{DeviceArray, Elements};
use loopwright_presburger::Result;
use loopwright_scop::Scop;

/// Writes statements about memory of the device.
pub(super) struct Copies<'a> {
    pub(super) memory: &'a Memory<'a>,
    pub(super) lowering: &'a mut Lowering,
    pub(super) writer: &'a mut Writer,
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
        if let Some(first) = corner.first_mut() {
            *first = match first.parse::<u64>() {
                Ok(_) if self.memory.rows(own.array).is_empty() => first.clone(),
                _ => format!("({ITERATOR_TYPE}) {}", operand(first)),
            };
        }
        match corner.first().map(String::as_str) {
            Some("(long) 0") => match &corner[1..] {
                [] => "0".to_string(),
                rest => self.memory.place(own.array, &[&["0".to_string()], rest].concat()),
            },
            _ => self.memory.place(own.array, &corner),
        }
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
        let element = element_type(self.memory.array(own.array)).unwrap_or_default();
        let last = self.corner(&own.accessed, false)?;
        let last = self.place(own, &last);
        let line = match last.parse::<u64>() {
            Ok(last) => format!("{bytes} = {} * sizeof({element});", last + 1),
            Err(_) => format!("{bytes} = (size_t) ({last} + 1) * sizeof({element});"),
        };
        match self.condition(&own.accessed)? {
            None => self.writer.line(&line),
            Some(condition) => {
                self.writer.line(&format!("if ({condition})"));
                self.writer.line(&format!("  {line}"));
            }
        }
        self.writer.line(&format!("LW_TRY(lw_allocate(&{handle}, {bytes}));"));
        Ok(())
    }

    /// Copies elements of an array: row by row of a box, or all between two elements at once.
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
        let least = self.corner(elements, true)?;
        let most = self.corner(elements, false)?;
        let array = self.memory.array(own.array);
        let element = element_type(array).unwrap_or_default();
        let rows = self.memory.rows(own.array).to_vec();
        let size = format!("sizeof({element})");
        let host = &array.tuple_name;
        let call = |first: &str, pitch: &str, width: &str, height: &str| match direction {
            Direction::In => format!(
                "LW_TRY(lw_copy_in({handle}, {host}, {first}, {pitch}, {width}, {height}));"
            ),
            Direction::Out => format!(
                "LW_MUST(lw_copy_out({host}, {handle}, {first}, {pitch}, {width}, {height}));"
            ),
        };
        let in_bytes = |place: &str| match place {
            "0" => "0".to_string(),
            place => format!("{} * {size}", operand(place)),
        };
        let n = least.len();
        if n < 2 || elements.is_range {
            let first = self.place(own, &least);
            let last = self.place(own, &most);
            let width = match (first.as_str(), last.parse::<u64>()) {
                ("0", Ok(last)) => in_bytes(&(last + 1).to_string()),
                ("0", Err(_)) => in_bytes(&format!("{last} + 1")),
                _ => in_bytes(&format!("{last} - {} + 1", operand(&first))),
            };
            self.writer.line(&call(&in_bytes(&first), "0", &width, "1"));
        } else {
            let mut corner = least.clone();
            for at in 0..n - 2 {
                let iterator = self.lowering.fresh(&format!("lw_d{at}"));
                self.writer.line(&format!(
                    "for ({ITERATOR_TYPE} {iterator} = {}; {iterator} <= {}; {iterator}++) {{",
                    least[at], most[at]
                ));
                self.writer.depth_in();
                corner[at] = iterator;
            }
            let extent = |at: usize| match least[at].as_str() {
                "0" => format!("({ITERATOR_TYPE}) {} + 1", operand(&most[at])),
                least => {
                    format!("({ITERATOR_TYPE}) {} - {} + 1", operand(&most[at]), operand(least))
                }
            };
            let first = in_bytes(&self.place(own, &corner));
            let pitch = in_bytes(&rows[n - 2]);
            let line = call(&first, &pitch, &in_bytes(&extent(n - 1)), &extent(n - 2));
            self.writer.line(&line);
            for _ in 0..n - 2 {
                self.writer.depth_out();
                self.writer.line("}");
            }
        }
        if condition.is_some() {
            self.writer.depth_out();
            self.writer.line("}");
        }
        Ok(())
    }
}
