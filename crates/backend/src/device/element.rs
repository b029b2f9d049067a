//! How elements are written where arrays are linear: memory of a device has no rows.
use super::language::Language;
use super::places::HostPlace;
use super::width::Width;
use loopwright_astgen::{AstExpr, Build, Lowering};
use loopwright_device::Transfers;
use loopwright_presburger::Result;
use loopwright_scop::{Array, ArrayId, Scop};

/// The arrays of a region as linear memory.
pub(super) struct Memory<'a> {
    pub(super) language: Language,
    pub(super) width: Width,
    pub(super) scop: &'a Scop,
    pub(super) transfers: &'a Transfers,
    /// Whether threads keep elements in registers while an innermost loop uses them.
    pub(super) keeps_elements: bool,
    /// For each array the extents of all dimensions but the first.
    rows: Vec<Vec<String>>,
}

impl<'a> Memory<'a> {
    pub(super) fn new(
        (language, width, keeps_elements): (Language, Width, bool),
        scop: &'a Scop,
        transfers: &'a Transfers,
        lowering: &mut Lowering,
    ) -> Result<Self> {
        let build = Build::from_context(&scop.context)?;
        let mut rows = Vec::new();
        for (id, array) in (0u32..).map(ArrayId).zip(&scop.arrays) {
            let known = transfers.of(id).map_or(&[][..], |_| &array.extents[..]);
            let mut own = Vec::new();
            for extent in known.iter().skip(1).flatten() {
                own.push(operand(&lowering.lower(&build.expression(extent)?).to_string()));
            }
            rows.push(own);
        }
        Ok(Memory { language, width, scop, transfers, keeps_elements, rows })
    }

    /// The array of an id.
    pub(super) fn array(&self, id: ArrayId) -> &'a Array {
        self.scop.array(id)
    }

    /// Where an array lies in the memory of the program.
    pub(super) fn host(&self, id: ArrayId) -> HostPlace {
        let name = &self.array(id).name;
        // What has no place has been refused before.
        let unknown = |_| HostPlace {
            address: name.to_string(),
            value: name.to_string(),
            strides: Vec::new(),
        };
        HostPlace::of(self.scop, id).unwrap_or_else(unknown)
    }

    /// Whether the array has memory on the device, where scalars are arrays of one element.
    pub(super) fn is_in_memory(&self, id: ArrayId) -> bool {
        self.transfers.of(id).is_some()
    }

    /// The extents of the dimensions of an array but the first.
    pub(super) fn rows(&self, id: ArrayId) -> &[String] {
        &self.rows[id.0 as usize]
    }

    /// The place of an element in an array, counted in elements. The first subscript has the type of
    /// iterators.
    pub(super) fn place(&self, id: ArrayId, subscripts: &[String]) -> String {
        let Some((first, rest)) = subscripts.split_first() else { return "0".to_string() };
        let mut place = first.clone();
        for (subscript, extent) in rest.iter().zip(self.rows(id)) {
            if place == "0" {
                place.clone_from(subscript);
                continue;
            }
            let summand =
                if subscript.contains('?') { operand(subscript) } else { subscript.clone() };
            place = match summand.as_str() {
                "0" => format!("{} * {extent}", operand(&place)),
                summand => format!("{} * {extent} + {summand}", operand(&place)),
            };
        }
        place
    }

    /// An element in the text of a kernel.
    pub(super) fn element(&self, id: ArrayId, subscripts: &[AstExpr], is_private: bool) -> String {
        let array = self.array(id);
        let name = &array.tuple_name;
        if (is_private || !self.is_in_memory(id)) && !subscripts.is_empty() {
            // An array of the kernel's own, or of each thread.
            let subscripts = subscripts.iter().map(|subscript| format!("[{subscript}]"));
            return format!("{name}{}", subscripts.collect::<String>());
        }
        if !self.is_in_memory(id)
            || is_private
            || subscripts.is_empty() && !array.extents.is_empty()
        {
            return name.to_string();
        }
        let n_rows = array.extents.len() - subscripts.len();
        let mut texts: Vec<String> = subscripts.iter().map(AstExpr::to_string).collect();
        let is_narrow = || !has_name(&subscripts[0], &|name| !self.is_parameter(name));
        if texts.len() > 1 && self.width == Width::Long && is_narrow() {
            texts[0] = format!("(long) {}", operand(&texts[0]));
        }
        if n_rows > 0 {
            // A pointer to the first element of a row.
            texts.extend(vec!["0".to_string(); n_rows]);
            return format!("({name} + {})", self.place(id, &texts));
        }
        format!("{name}[{}]", self.place(id, &texts))
    }

    fn is_parameter(&self, name: &str) -> bool {
        self.scop.parameters.iter().any(|parameter| &*parameter.name == name)
    }
}

/// Whether some name in an expression is as asked for.
fn has_name(expression: &AstExpr, holds: &dyn Fn(&str) -> bool) -> bool {
    match expression {
        AstExpr::Id(name) => holds(name),
        _ => expression.operands().iter().any(|operand| has_name(operand, holds)),
    }
}

/// A text as an operand of a product.
pub(super) fn operand(text: &str) -> String {
    let is_word = text.chars().all(|c| c.is_alphanumeric() || c == '_');
    if is_word { text.to_string() } else { format!("({text})") }
}
