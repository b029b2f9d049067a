//! Memory of the device and copies: as much memory as the plan says, and copies of just the elements of the
//! plan.
//!
//! ```text
//! if (n >= 1) A_bytes = (long) n * m * sizeof(double);
//! LW_TRY(lw_allocate(&A_device, A_bytes));
//! if (n >= 1) { LW_TRY(lw_copy_in(A_device, A, first, pitch, width, height)); }
//! ```
//!
//! The function of a copy moves `height` parts of `width` bytes, a pitch apart, from the same place of one
//! memory to that of the other; that of a box moves `depth` times as many, `rows` parts apart. Which array a
//! variable is about is known from the launches, so copies are read after them.
use super::copies_apart::{STRIDE, looped_apart};
use super::elements::has_form_of;
use super::words::SIZE;
use crate::printed::outcome::{Stop, Walked};
use crate::printed::text_walk::TextWalk;
use crate::printed::tokens::TokenKind;
use crate::printed::values::Around;
use loopwright_astgen::AstExpr;
use loopwright_device::{DeviceArray, Elements};
use loopwright_presburger::{Int, Name, PwAff};
use loopwright_scop::ArrayId;
use std::collections::BTreeSet;

/// Copies of members of structures, which lie apart in the memory of the host.
const APART_IN: &str = "lw_copy_apart_in";
const APART_OUT: &str = "lw_copy_apart_out";

/// Where statements about memory of the device stand: the first token, and that behind the last.
pub(super) type Part = (usize, usize);

/// The variables of one array: of its memory, and of the bytes it has.
#[derive(Clone, Copy)]
pub(super) struct Variables<'a> {
    handle: &'a str,
    bytes: &'a str,
}

/// The arguments of a copy: places in elements or numbers of bytes.
struct Moved {
    first: AstExpr,
    pitch: AstExpr,
    /// Parts from one plane to the next, of a box of three dimensions.
    rows: Option<AstExpr>,
    width: AstExpr,
    height: AstExpr,
    /// Planes, of such a box.
    depth: Option<AstExpr>,
}

impl<'a> TextWalk<'_, 'a> {
    /// The declarations of all variables of memory.
    pub(super) fn memory_variables(&mut self) -> Walked<Vec<Variables<'a>>> {
        let mut found = Vec::new();
        while !self.cursor.is("LW_TRY") {
            let words = self.type_words();
            if words == ["cl_kernel"] {
                let name = self.cursor.word()?;
                self.device()?.kernel_variables.insert(name, None);
                self.expect_words(&["=", "NULL", ";"])?;
                continue;
            }
            let is_pointer = self.cursor.take_if("*");
            if words.is_empty() || is_pointer == (words == ["cl_mem"]) {
                return Err(self.cursor.wrong("a variable of the device's memory"));
            }
            let handle = self.cursor.word()?;
            self.expect_words(&["=", "NULL", ";", "size_t"])?;
            let bytes = self.cursor.word()?;
            self.cursor.expect("=")?;
            self.cursor.word()?;
            self.cursor.expect(";")?;
            found.push(Variables { handle, bytes });
        }
        Ok(found)
    }

    /// Passes over the statements about memory at the cursor.
    pub(super) fn copies_at(&mut self, variables: &[Variables<'a>]) -> Walked<Part> {
        const WORDS: [&str; 3] = ["lw_allocate", "goto", "lw_pin_all"];
        let start = self.cursor.at;
        loop {
            let mut behind = self.cursor.clone();
            if behind.peek().is_none() || behind.skip_statement().is_err() {
                break;
            }
            let inside = &self.cursor.tokens[self.cursor.at..behind.at];
            let is_about_memory = inside.iter().any(|token| {
                WORDS.contains(&token.text)
                    || direction(token.text).is_some()
                    || variables.iter().any(|own| own.bytes == token.text)
            });
            if !is_about_memory {
                break;
            }
            self.cursor.at = behind.at;
        }
        Ok((start, self.cursor.at))
    }

    /// The statements about memory, now that it is known which array each variable is about: the copies of
    /// each part, with whether they are to the device.
    pub(super) fn check_copies(
        &mut self,
        variables: &[Variables<'a>],
        parts: &[Part],
    ) -> Walked<Vec<Vec<(ArrayId, bool)>>> {
        for word in self.words_of_the_program() {
            self.names.numbers.push((word.into(), AstExpr::Id(word.into())));
        }
        let (mut allocated, mut copied) = (BTreeSet::new(), BTreeSet::new());
        let mut all = Vec::new();
        for (number, (start, end)) in parts.iter().enumerate() {
            let mut copies = Vec::new();
            self.cursor.at = *start;
            while self.cursor.at < *end {
                let Some(is_in) = self.copy_ahead().and_then(direction) else {
                    if number > 0 {
                        return Err(self.cursor.wrong("a copy"));
                    }
                    if self.is_pinned(variables)? {
                        continue;
                    }
                    let id = self.allocation(variables)?;
                    if !allocated.insert(id) {
                        return Err(self.cursor.wrong("memory that is allocated once"));
                    }
                    continue;
                };
                if !self.device()?.overlaps && is_in != (number == 0) {
                    return Err(self.cursor.wrong("a copy in the other direction"));
                }
                let id = self.copy()?;
                if (is_in && !allocated.contains(&id)) || !copied.insert((id, is_in)) {
                    return Err(self.cursor.wrong("a copy of allocated memory, once"));
                }
                copies.push((id, is_in));
            }
            all.push(copies);
        }
        self.elements_are_counted()?;
        let device = self.device()?;
        let (transfers, handles) = (device.transfers, device.handles.clone());
        let missing = transfers.arrays.iter().find(|own| {
            let (id, is_used) = (own.array, handles.contains_key(&own.array));
            (is_used && !allocated.contains(&id))
                || (is_used && own.copy_in.is_some() && !copied.contains(&(id, true)))
                || (own.copy_out.is_some() && !copied.contains(&(id, false)))
        });
        match missing {
            None => Ok(all),
            Some(own) => {
                let name = &self.scop.array(own.array).name;
                Err(self
                    .cursor
                    .wrong(&format!("a text with all allocations and copies of `{name}`")))
            }
        }
    }

    /// `lw_pin(A, A_bytes);`, or `lw_pin_all();`: whether that stands here. Memory of the program stays in
    /// its pages, whatever it is.
    fn is_pinned(&mut self, variables: &[Variables<'a>]) -> Walked<bool> {
        if !self.device()?.pins {
            return Ok(false);
        }
        if self.cursor.take_if("lw_pin_all") {
            self.expect_words(&["(", ")", ";"])?;
            return Ok(true);
        }
        if !self.cursor.take_if("lw_pin") {
            return Ok(false);
        }
        self.cursor.expect("(")?;
        let name = self.cursor.word()?;
        self.cursor.expect(",")?;
        let bytes = self.cursor.word()?;
        let own = variables.iter().find(|own| own.bytes == bytes);
        let planned = own.map(|own| self.planned(own.handle)).transpose()?;
        if planned.is_none_or(|own| *self.scop.array(own.array).tuple_name != *name) {
            return Err(self.cursor.wrong("an array and the bytes of its memory"));
        }
        self.expect_words(&[")", ";"])?;
        Ok(true)
    }

    /// The words that stand for sizes of types, and for distances of structures.
    fn words_of_the_program(&self) -> BTreeSet<&'a str> {
        let all = self.cursor.tokens.iter().filter(|token| token.kind == TokenKind::Word);
        let is_size = |text: &&str| text.starts_with(SIZE) || text.starts_with(STRIDE);
        all.map(|token| token.text).filter(is_size).collect()
    }

    /// What the statement at the cursor copies with, if it copies.
    fn copy_ahead(&self) -> Option<&'a str> {
        let mut behind = self.cursor.clone();
        behind.skip_statement().ok()?;
        let inside = &self.cursor.tokens[self.cursor.at..behind.at];
        let mut words = inside.iter().map(|token| token.text);
        words.find(|word| direction(word).is_some())
    }

    fn planned(&mut self, handle: &str) -> Walked<&'a DeviceArray> {
        let device = self.device()?;
        let id = device.handles.iter().find(|(_, own)| **own == handle).map(|(id, _)| *id);
        let planned = id.and_then(|id| device.transfers.of(id));
        planned.ok_or_else(|| self.cursor.wrong("memory that a kernel is given"))
    }

    /// One array's memory: as long as from its first element to the last row that is accessed.
    fn allocation(&mut self, variables: &[Variables<'a>]) -> Walked<ArrayId> {
        let bytes = {
            let mut ahead = self.cursor.clone();
            let mut found = None;
            while let Some(token) = ahead.peek() {
                found = variables.iter().find(|own| own.bytes == token.text);
                if found.is_some() {
                    break;
                }
                ahead.at += 1;
            }
            found.copied().ok_or_else(|| self.cursor.wrong("an allocation"))?
        };
        let planned = self.planned(bytes.handle)?;
        if planned.may_be_in_front {
            self.leaves_if_in_front(planned)?;
        }
        let depth = self.around.depth();
        if self.cursor.take_if("if") {
            let (condition, line) = self.in_parentheses()?;
            let about = || format!("line {line} of the printed text: memory is missing");
            self.around.holds_for(&condition, &planned.accessed.params, &about)?;
            self.around.enter(Around::Holds(condition));
        }
        self.cursor.expect(bytes.bytes)?;
        self.cursor.expect("=")?;
        let line = self.cursor.line();
        let size = self.cursor.expression(&self.names)?;
        self.cursor.expect(";")?;
        let rows = self.without_unit(planned.array, size, 1)?;
        let about = || format!("line {line} of the printed text: there is less memory");
        match planned.accessed.most.first() {
            Some(most) => {
                let count = most.clone().add_constant(&Int::ONE);
                self.around.same_for_parameters(
                    &rows,
                    (&count, &planned.accessed.params),
                    &about,
                )?;
            }
            None if rows == AstExpr::int(1) => {}
            None => return Err(self.cursor.wrong("memory for one element")),
        }
        self.around.leave_to(depth);
        if self.cursor.is("LW_FITS") {
            self.check_of_elements(planned.array, bytes.bytes)?;
        }
        self.expect_words(&["LW_TRY", "(", "lw_allocate", "(", "&", bytes.handle, ","])?;
        self.expect_words(&[bytes.bytes, ")", ")", ";"])?;
        Ok(planned.array)
    }

    /// `if (X < 0) goto lw_end;`, where elements in front of the first one may be accessed.
    fn leaves_if_in_front(&mut self, planned: &DeviceArray) -> Walked<()> {
        self.cursor.expect("if")?;
        let (condition, line) = self.in_parentheses()?;
        let about = || format!("line {line} of the printed text: elements are accessed in front");
        if let Some(least) = planned.accessed.least.first() {
            let zero = least.clone().sub(least)?;
            let in_front = least.lt_set(&zero)?.params();
            let in_front = in_front.intersect_params(&planned.accessed.params)?;
            self.around.holds_for(&condition, &in_front, &about)?;
        }
        self.expect_words(&["goto", "lw_end", ";"])
    }

    fn in_parentheses(&mut self) -> Walked<(AstExpr, u32)> {
        self.cursor.expect("(")?;
        let line = self.cursor.line();
        let condition = self.cursor.expression(&self.names)?;
        self.cursor.expect(")")?;
        Ok((condition, line))
    }

    /// What a product has besides the extents of an array from one dimension on, and the size of an element.
    pub(super) fn without_unit(
        &mut self,
        id: ArrayId,
        product: AstExpr,
        from: usize,
    ) -> Walked<AstExpr> {
        let array = self.scop.array(id);
        let Some((rest, size)) = last_factor(product) else {
            return Err(self.cursor.wrong("a number of bytes"));
        };
        let words = match &size {
            AstExpr::Id(name) => name.strip_prefix(SIZE).map(|own| own.replace('_', " ")),
            _ => None,
        };
        let words = words.ok_or_else(|| self.cursor.wrong("the size of an element"))?;
        self.check_type(&words.split(' ').collect::<Vec<_>>(), array)?;
        let mut rest = rest;
        for extent in array.extents.iter().skip(from).rev() {
            let Some(extent) = extent else {
                return Err(Stop::Unread("an array of unknown extents".to_string()));
            };
            // An extent may be a product, with a constant.
            if has_form_of(&rest, extent) {
                rest = AstExpr::int(1);
                continue;
            }
            let factors = last_factor(rest);
            let (before, factor) = factors.ok_or_else(|| self.cursor.wrong("whole rows"))?;
            if !self.is_extent(&factor, extent)? {
                return Err(self.cursor.wrong("as many elements as rows have"));
            }
            rest = before;
        }
        Ok(rest)
    }

    /// A copy of the elements of the plan, or of nothing else.
    fn copy(&mut self) -> Walked<ArrayId> {
        let function = self.copy_ahead().ok_or_else(|| self.cursor.wrong("a copy"))?;
        let is_in = direction(function) == Some(true);
        let is_box = function.starts_with("lw_copy_box");
        let handle = self.handle_ahead(function, is_in)?;
        let planned = self.planned(handle)?;
        let name = &self.scop.array(planned.array).tuple_name;
        let elements = if is_in { &planned.copy_in } else { &planned.copy_out };
        let elements = elements.as_ref().ok_or_else(|| self.cursor.wrong("no copy"))?;
        let (depth, n_names) = (self.around.depth(), self.names.values.len());
        let mut closing = 0;
        if self.cursor.take_if("if") {
            let (condition, line) = self.in_parentheses()?;
            let about = || format!("line {line} of the printed text: copies are missing");
            self.around.holds_for(&condition, &elements.params, &about)?;
            let about = || format!("line {line} of the printed text: nothing is to be copied");
            self.around.holds_only_for(&condition, &elements.params, &about)?;
            self.around.enter(Around::Holds(condition));
            self.cursor.expect("{")?;
            closing += 1;
        }
        let strided = matches!(function, APART_IN | APART_OUT).then(|| self.strided(planned.array));
        let looped = match strided {
            None => (0..elements.least.len()).collect(),
            Some(n) => looped_apart(elements.least.len(), n),
        };
        let mut outer = Vec::new();
        while self.cursor.is("for") {
            let Some(at) = looped.get(outer.len()) else {
                return Err(self.cursor.wrong("fewer loops"));
            };
            outer.push((*at, self.loop_over_planes(elements, *at)?));
            closing += 1;
        }
        self.device()?.is_back |= !is_in;
        let attempt = if self.device()?.is_back { "LW_MUST" } else { "LW_TRY" };
        let (to, from) = if is_in { (handle, &**name) } else { (&**name, handle) };
        self.expect_words(&[attempt, "(", function, "(", to, ",", from])?;
        if let Some(n) = strided {
            if outer.len() != looped.len() {
                return Err(self.cursor.wrong("a loop over each subscript but those of one call"));
            }
            self.moves_apart(planned.array, elements, (&outer, n))?;
            return self.end_of_copy((planned.array, closing), (depth, n_names));
        }
        let moved = Moved {
            first: self.next_argument()?,
            pitch: self.next_argument()?,
            rows: if is_box { Some(self.next_argument()?) } else { None },
            width: self.next_argument()?,
            height: self.next_argument()?,
            depth: if is_box { Some(self.next_argument()?) } else { None },
        };
        self.expect_words(&[")", ")", ";"])?;
        self.moves(planned.array, elements, &outer, moved)?;
        self.end_of_copy((planned.array, closing), (depth, n_names))
    }

    /// The braces behind a copy.
    fn end_of_copy(
        &mut self,
        (array, closing): (ArrayId, usize),
        (depth, n_names): (usize, usize),
    ) -> Walked<ArrayId> {
        for _ in 0..closing {
            self.cursor.expect("}")?;
        }
        self.around.leave_to(depth);
        self.names.values.truncate(n_names);
        Ok(array)
    }

    pub(super) fn next_argument(&mut self) -> Walked<AstExpr> {
        self.cursor.expect(",")?;
        self.cursor.expression(&self.names)
    }

    fn handle_ahead(&self, function: &str, is_in: bool) -> Walked<&'a str> {
        let ahead = self.cursor.tokens[self.cursor.at..].iter();
        let at = ahead.clone().position(|token| token.text == function);
        let handle = at.and_then(|at| ahead.clone().nth(at + if is_in { 2 } else { 4 }));
        handle.map(|token| token.text).ok_or_else(|| self.cursor.wrong("a copy"))
    }

    /// `for (long D = least; D <= most; D++) {`: the name.
    fn loop_over_planes(&mut self, elements: &Elements, at: usize) -> Walked<&'a str> {
        let name = self.loop_variable()?;
        let (least, most) = elements
            .least
            .get(at)
            .zip(elements.most.get(at))
            .ok_or_else(|| self.cursor.wrong("fewer loops"))?;
        let line = self.cursor.line();
        let about = || format!("line {line} of the printed text: other planes are copied");
        let first = self.cursor.expression(&self.names)?;
        self.around.same_for_parameters(&first, (least, &elements.params), &about)?;
        self.expect_words(&[";", name, "<="])?;
        let last = self.cursor.expression(&self.names)?;
        self.around.same_for_parameters(&last, (most, &elements.params), &about)?;
        self.expect_words(&[";", name, "++", ")", "{"])?;
        self.names.values.push((name, AstExpr::Id(name.into())));
        Ok(name)
    }

    /// Whether what a call moves are the elements, plane by plane.
    fn moves(
        &mut self,
        id: ArrayId,
        elements: &Elements,
        outer: &[(usize, &'a str)],
        moved: Moved,
    ) -> Walked<()> {
        let n = elements.least.len();
        let line = self.cursor.line();
        let about = || format!("line {line} of the printed text: other elements are copied");
        let first = match last_factor(moved.first.clone()) {
            Some((place, size)) if is_size(&size) => place,
            _ if moved.first == AstExpr::int(0) => AstExpr::int(0),
            _ => return Err(self.cursor.wrong("the place of the first byte")),
        };
        let corner = self.subscripts(id, first, n)?;
        self.is_corner(&corner, elements, (outer, &about))?;
        let is_one_part = moved.rows.is_none()
            && moved.pitch == AstExpr::int(0)
            && moved.height == AstExpr::int(1);
        if elements.is_range {
            return match is_one_part && outer.is_empty() {
                true => self.whole_range(id, elements, (corner, moved.width), &about),
                false => Err(self.cursor.wrong("one range of memory")),
            };
        }
        // The dimensions that are whole from here on: their elements lie behind each other.
        let together = if moved.rows.is_some() { 3 } else { 2 };
        let parts = if is_one_part { n.min(1) } else { outer.len() + together };
        if parts > n || (is_one_part && !outer.is_empty()) {
            return Err(self.cursor.wrong("a copy with other dimensions"));
        }
        for at in parts..n {
            self.is_whole(id, elements, at, &about)?;
        }
        let along = |at: usize| -> Walked<PwAff> {
            Ok(elements.most[at].sub(&elements.least[at])?.add_constant(&Int::ONE))
        };
        if n == 0 {
            let width = self.without_unit(id, times_one(moved.width), 0)?;
            return match width == AstExpr::int(1) {
                true => Ok(()),
                false => Err(self.cursor.wrong("one element")),
            };
        }
        let width = self.without_unit(id, moved.width, parts)?;
        let params = &elements.params;
        self.around.same_for_parameters(&width, (&along(parts - 1)?, params), &about)?;
        if is_one_part {
            return Ok(());
        }
        self.around.same_for_parameters(&moved.height, (&along(parts - 2)?, params), &about)?;
        if let (Some(rows), Some(depth)) = (&moved.rows, &moved.depth) {
            let extent = self.scop.array(id).extents[parts - 2].as_ref();
            let extent = extent.ok_or_else(|| self.cursor.wrong("rows of known extents"))?;
            self.around.same_for_parameters(rows, (extent, params), &about)?;
            self.around.same_for_parameters(depth, (&along(parts - 3)?, params), &about)?;
        }
        let pitch = self.without_unit(id, times_one(moved.pitch), parts - 1)?;
        match pitch == AstExpr::int(1) {
            true => Ok(()),
            false => Err(self.cursor.wrong("rows that are as far apart as in memory")),
        }
    }

    /// Whether subscripts are those of the loops around, and the least ones otherwise.
    pub(super) fn is_corner(
        &mut self,
        corner: &[AstExpr],
        elements: &Elements,
        (outer, about): (&[(usize, &'a str)], &dyn Fn() -> String),
    ) -> Walked<()> {
        for (at, printed) in corner.iter().enumerate() {
            match outer.iter().find(|(own, _)| *own == at) {
                Some((_, name)) if *printed == AstExpr::Id((*name).into()) => {}
                Some(_) => return Err(self.cursor.wrong("the plane of the loop")),
                None => {
                    let least = (&elements.least[at], &elements.params);
                    self.around.same_for_parameters(printed, least, about)?;
                }
            }
        }
        Ok(())
    }

    /// All values of a dimension are among the elements.
    fn is_whole(
        &mut self,
        id: ArrayId,
        elements: &Elements,
        at: usize,
        about: &dyn Fn() -> String,
    ) -> Walked<()> {
        let extent = self.scop.array(id).extents[at].as_ref();
        let extent = extent.ok_or_else(|| self.cursor.wrong("rows of known extents"))?;
        let zero = AstExpr::int(0);
        self.around.same_for_parameters(&zero, (&elements.least[at], &elements.params), about)?;
        let behind = elements.most[at].clone().add_constant(&Int::ONE);
        self.around.same_parameters((&behind, extent), &elements.params, about)
    }

    /// `(last - first + 1) * sizeof(T)`.
    fn whole_range(
        &mut self,
        id: ArrayId,
        elements: &Elements,
        (corner, width): (Vec<AstExpr>, AstExpr),
        about: &dyn Fn() -> String,
    ) -> Walked<()> {
        let n = elements.most.len();
        let count = match last_factor(width) {
            Some((count, size)) if is_size(&size) => count,
            _ => return Err(self.cursor.wrong("a number of bytes")),
        };
        let AstExpr::Add(difference, one) = count else {
            return Err(self.cursor.wrong("a number of elements"));
        };
        let AstExpr::Sub(last, first) = *difference else {
            return Err(self.cursor.wrong("a difference of places"));
        };
        if *one != AstExpr::int(1) || self.subscripts(id, *first, n)? != corner {
            return Err(self.cursor.wrong("the elements from the first one on"));
        }
        let last = self.subscripts(id, *last, n)?;
        for (printed, most) in last.iter().zip(&elements.most) {
            self.around.same_for_parameters(printed, (most, &elements.params), about)?;
        }
        Ok(())
    }
}

/// Whether a function of copies copies to the device, if it is one.
fn direction(function: &str) -> Option<bool> {
    match function {
        "lw_copy_in" | "lw_copy_box_in" | APART_IN => Some(true),
        "lw_copy_out" | "lw_copy_box_out" | APART_OUT => Some(false),
        _ => None,
    }
}

/// A product without its last factor, and that.
pub(super) fn last_factor(product: AstExpr) -> Option<(AstExpr, AstExpr)> {
    match product {
        AstExpr::Mul(rest, factor) => Some((*rest, *factor)),
        AstExpr::Id(_) => Some((AstExpr::int(1), product)),
        _ => None,
    }
}

/// The same number as a product that begins with one.
pub(super) fn times_one(product: AstExpr) -> AstExpr {
    match product {
        AstExpr::Mul(a, b) => AstExpr::Mul(Box::new(times_one(*a)), b),
        AstExpr::Int(value) if value.is_one() => AstExpr::Int(value),
        other => AstExpr::Mul(Box::new(AstExpr::int(1)), Box::new(other)),
    }
}

pub(super) fn is_size(factor: &AstExpr) -> bool {
    matches!(factor, AstExpr::Id(name) if is_size_word(name))
}

fn is_size_word(name: &Name) -> bool {
    name.starts_with(SIZE)
}
