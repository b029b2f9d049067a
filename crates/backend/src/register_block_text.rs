//! The C text of a register block.
use crate::linear::Linear;
use crate::register_block::{Operand, Piece, RegisterBlock, Role};
use loopwright_astgen::Lowering;
use loopwright_presburger::Int;
use loopwright_scop::Scop;

/// The lines of a block.
pub(crate) struct BlockText {
    /// Declarations and loads before the loop along the sum.
    pub(crate) before: Vec<String>,
    /// The body of that loop.
    pub(crate) body: Vec<String>,
    /// Stores after it.
    pub(crate) after: Vec<String>,
}

/// The lines of `block`, with names that are free in the program. Its results are in the array `staged`
/// instead of where the program has them, if one is given: by row and column of the block.
///
/// Vectors are of GNU C (gcc and clang): no instruction set is asked for. They need only be aligned
/// like their elements, and may alias these.
pub(crate) fn text(
    scop: &Scop,
    block: &RegisterBlock,
    staged: Option<&str>,
    lowering: &mut Lowering,
) -> BlockText {
    let vector_type = lowering.fresh(&format!("{}_x{}", block.element_type, block.lanes));
    let mut writer = Writer { scop, block, staged, lowering, vector_type };
    let (element_type, lanes) = (block.element_type, block.lanes);
    let bytes = lanes * if element_type == "float" { 4 } else { 8 };
    let name = &writer.vector_type;
    let typedef = match lanes {
        1 => format!("typedef {element_type} {name};"),
        _ => format!(
            "typedef {element_type} {name} \
             __attribute__((vector_size({bytes}), aligned(sizeof({element_type})), may_alias));"
        ),
    };
    let mut before = vec![typedef];
    let mut after = Vec::new();
    for row in 0..block.row.count {
        for vector in 0..writer.vectors() {
            let (name, load) = writer.load(0, row, vector);
            before.push(format!("{} {name} = {load};", writer.vector_type));
            after.push(format!("{load} = {name};"));
        }
    }
    if bytes == 64 {
        let (name, _) = writer.load(0, 0, 0);
        before.extend(full_width_in_clang(&name));
    }
    let mut body = writer.shared_loads();
    for row in 0..block.row.count {
        body.extend(writer.row_loads(row));
        for vector in 0..writer.vectors() {
            body.push(writer.statement(row, vector));
        }
    }
    BlockText { before, body, after }
}

/// Lines without effect on a variable after which clang keeps vectors of 64 bytes in registers.
///
/// For processors that prefer shorter vectors, clang cuts longer ones in halves unless the function
/// mentions one in a place such as this; the block is made for whole ones.
fn full_width_in_clang(name: &str) -> [String; 3] {
    [
        "#if defined(__clang__) && defined(__AVX512F__)".to_string(),
        format!("__asm__(\"\" : \"+v\"({name}));"),
        "#endif".to_string(),
    ]
}

struct Writer<'a> {
    scop: &'a Scop,
    block: &'a RegisterBlock<'a>,
    staged: Option<&'a str>,
    lowering: &'a mut Lowering,
    vector_type: String,
}

impl Writer<'_> {
    fn vectors(&self) -> i64 {
        self.block.column.count / self.block.lanes
    }

    /// The loads that all rows share.
    fn shared_loads(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        for operand in 0..self.block.operands.len() {
            if !self.moves_with_rows(operand) {
                lines.extend(self.operand_loads(operand, 0));
            }
        }
        lines
    }

    /// The loads of one row.
    fn row_loads(&mut self, row: i64) -> Vec<String> {
        let mut lines = Vec::new();
        for operand in 0..self.block.operands.len() {
            if self.moves_with_rows(operand) {
                lines.extend(self.operand_loads(operand, row));
            }
        }
        lines
    }

    fn operand_loads(&mut self, operand: usize, row: i64) -> Vec<String> {
        let element_type = self.block.element_type;
        match self.block.operands[operand].role {
            Role::Result => Vec::new(),
            Role::Scalar if self.block.operands[operand].subscripts.is_empty() => Vec::new(),
            Role::Scalar => {
                let (name, load) = self.load(operand, row, 0);
                vec![format!("const {element_type} {name} = {load};")]
            }
            Role::Vector => {
                let vectors = 0..self.vectors();
                let line = |vector| {
                    let (name, load) = self.load(operand, row, vector);
                    format!("const {} {name} = {load};", self.vector_type)
                };
                vectors.map(line).collect()
            }
        }
    }

    /// The statement for one row and one vector.
    fn statement(&mut self, row: i64, vector: i64) -> String {
        let mut text = String::new();
        for piece in &self.block.pieces {
            match piece {
                Piece::Text(piece) => text.push_str(piece),
                Piece::Operand(operand) => text.push_str(&self.name(*operand, row, vector)),
            }
        }
        text + ";"
    }

    fn moves_with_rows(&self, operand: usize) -> bool {
        self.block.operands[operand].moves_with(&self.block.row.iterator)
    }

    /// The variable of an operand, and the text that it is loaded from (or stored to).
    fn load(&mut self, operand: usize, row: i64, vector: i64) -> (String, String) {
        let name = self.name(operand, row, vector);
        let element = match (self.staged, self.block.operands[operand].role) {
            (Some(staged), Role::Result) => {
                format!("{staged}[{row}][{}]", vector * self.block.lanes)
            }
            _ => self.element(operand, row, vector),
        };
        let text = match self.block.operands[operand].role {
            Role::Scalar => element,
            Role::Result | Role::Vector => format!("*({} *) &{element}", self.vector_type),
        };
        (name, text)
    }

    /// The name of an operand's variable: its array, then its row and its vector if it moves with
    /// them. A scalar variable of the program stands for itself.
    fn name(&mut self, operand: usize, row: i64, vector: i64) -> String {
        let Operand { array, base, subscripts, role } = &self.block.operands[operand];
        if subscripts.is_empty() {
            return base.with(&[]);
        }
        let same_array = |other: &&Operand| other.array == *array;
        let earlier = self.block.operands[..operand].iter().filter(same_array).count();
        let mut wanted: String = self.scop.array(*array).name.to_string();
        wanted.retain(|c| c.is_alphanumeric() || c == '_');
        if earlier > 0 {
            wanted.push_str(&format!("_{}", (b'a' + earlier.min(25) as u8) as char));
        }
        if self.moves_with_rows(operand) {
            wanted.push_str(&format!("_r{row}"));
        }
        if *role != Role::Scalar {
            wanted.push_str(&format!("_v{vector}"));
        }
        self.lowering.fresh(&wanted)
    }

    /// How C has the first element of an operand for one row and one vector.
    fn element(&mut self, operand: usize, row: i64, vector: i64) -> String {
        let (block, operand) = (self.block, &self.block.operands[operand]);
        let row = block.row.first.plus(&Linear::from_int(Int::from(row)));
        let column = Int::from(vector * block.lanes);
        let column = block.column.first.plus(&Linear::from_int(column));
        let mut subscripts = Vec::with_capacity(operand.subscripts.len());
        for subscript in &operand.subscripts {
            let here = subscript.with(&block.row.iterator, &row);
            let here = here.with(&block.column.iterator, &column);
            let lowered = self.lowering.lower(&here.to_expression());
            subscripts.push(lowered.to_string());
        }
        operand.base.with(&subscripts)
    }
}
