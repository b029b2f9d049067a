//! Innermost loops that keep elements in local variables.
//!
//! ```text
//! if (0 < n) {
//!   double y_value = y[c0];
//!   for (long c1 = 0; c1 < n; c1++) {
//!     y_value = y_value + A[c0][c1] * x[c1];
//!   }
//!   y[c0] = y_value;
//! }
//! ```
//!
//! The `if` is left out where the loop always runs. In kernels elements that are only read are kept as well,
//! in constants (`const double x_value = x[c0];`).
//!
//! # What is checked
//! The local variable is loaded from an element and stored to it, around the loop or in each iteration; where
//! it stands in a statement, that element is meant; nothing else that the statements have of the array is
//! ever the same element meanwhile, and the body shows all that the model says about the array; the element
//! is loaded and stored only if the loop runs; only variables that a statement writes first are not loaded;
//! and threads or lanes share no such variable unless they combine it. Constants stand in statements that
//! read the element each time they run, and are assigned nothing. Arrays do not overlap, by the model.
use crate::printed::body::{Call, Kept, Touched};
use crate::printed::outcome::{Stop, Walked};
use crate::printed::pragma::Claim;
use crate::printed::text_walk::TextWalk;
use crate::printed::tokens::{TokenKind, tokens};
use crate::printed::values::Around;
use loopwright_astgen::{AstExpr, ForLoop};
use loopwright_presburger::{Map, Name};
use loopwright_schedule::LoopMark;
use loopwright_scop::{Access, AccessKind, ArrayId, Statement};
use std::collections::HashMap;

impl<'a> TextWalk<'_, 'a> {
    /// A loop whose body is straight-line code.
    pub(super) fn innermost(
        &mut self,
        each: &'a ForLoop,
        calls: &[Call<'a>],
        mark: Option<&LoopMark>,
    ) -> Walked<()> {
        let throughout = self.kept_throughout(each, calls)?;
        let named = |name: &str| {
            let kept = throughout.iter().find(|kept| kept.name == name)?;
            Some(self.scop.array(kept.array).tuple_name.clone())
        };
        let claim = self.claim(mark, &named)?;
        self.shared_variables(&claim, &throughout)?;
        let outer = self.names.values.len();
        let n_declared = self.declared.len();
        self.loop_head(each)?;
        self.own_arrays(mark, &claim)?;
        self.around.enter(Around::Loop(each));
        let own = self.loads(calls)?;
        let kept: Vec<Kept<'a>> = throughout.iter().chain(&own).cloned().collect();
        let start = self.cursor.at;
        let mut touched = Vec::with_capacity(calls.len());
        for call in calls {
            touched.push(self.statement(*call, &kept)?);
        }
        self.written_before_read(&own, start)?;
        self.alone(&kept, calls, &touched)?;
        self.stores(&own, calls)?;
        self.cursor.expect("}")?;
        self.around.leave();
        self.names.values.truncate(outer);
        self.declared.truncate(n_declared);
        if !throughout.is_empty() {
            self.stores(&throughout, calls)?;
            self.cursor.expect("}")?;
        }
        Ok(())
    }

    /// The elements that are loaded in front of a loop, in a block that is run only if the loop is.
    fn kept_throughout(&mut self, each: &ForLoop, calls: &[Call<'a>]) -> Walked<Vec<Kept<'a>>> {
        let line = self.cursor.line();
        let meant = || with_value(&each.condition, &each.iterator, &each.init);
        let about = || format!("line {line} of the printed text: the loop runs at other times");
        if self.cursor.take_if("if") {
            self.cursor.expect("(")?;
            let runs = self.expression()?;
            self.around.same_condition(&runs, &meant(), &about)?;
            self.cursor.expect(")")?;
        } else if self.cursor.is("{") {
            self.around.always(&meant(), &about)?;
        } else {
            return Ok(Vec::new());
        }
        self.cursor.expect("{")?;
        // Nothing that is computed from here on happens if the loop does not run.
        let loaded = self.loads(calls)?;
        if loaded.is_empty() {
            return Err(self.cursor.wrong("variables that the loop keeps"));
        }
        if loaded.iter().any(|kept| !kept.is_loaded) {
            return Err(self.cursor.wrong("a variable with a value"));
        }
        Ok(loaded)
    }

    /// `TYPE NAME = ELEMENT;` or `TYPE NAME;`, as many as there are.
    fn loads(&mut self, calls: &[Call<'a>]) -> Walked<Vec<Kept<'a>>> {
        let mut loads: Vec<Kept<'a>> = Vec::new();
        let mut stores = None;
        loop {
            let start = self.cursor.at;
            let is_constant = self.device.is_some() && self.cursor.take_if("const");
            let start = start + usize::from(is_constant);
            let Some(length) = self.length_of_type() else {
                self.cursor.at = start - usize::from(is_constant);
                return Ok(loads);
            };
            let c_type: Vec<&str> =
                self.cursor.tokens[start..start + length].iter().map(|token| token.text).collect();
            self.cursor.at += length;
            let name = self.cursor.word()?;
            let is_loaded = self.cursor.take_if("=");
            let found = match is_loaded {
                true => self.any_element(calls),
                false => {
                    let all = match stores.take() {
                        Some(known) => known,
                        None => self.assignments()?,
                    };
                    let here = self.cursor.at;
                    let found = all.get(name).and_then(|store| {
                        self.cursor.at = *store;
                        self.any_element(calls)
                    });
                    self.cursor.at = here;
                    stores = Some(all);
                    found
                }
            };
            let mut kept = found.ok_or_else(|| self.cursor.wrong("an element"))?;
            let array = self.scop.array(kept.array);
            if self.device.is_some() {
                self.check_type(&c_type, array)?;
            } else if !tokens(&array.element_type).iter().map(|token| token.text).eq(c_type) {
                return Err(self.cursor.wrong("a variable of the element's type"));
            }
            self.cursor.expect(";")?;
            self.new_name(name)?;
            if loads.iter().any(|other| other.name == name) {
                return Err(self.cursor.wrong(&format!("a new name instead of `{name}`")));
            }
            (kept.name, kept.is_loaded, kept.is_constant) = (name, is_loaded, is_constant);
            loads.push(kept);
        }
    }

    /// The words of the type at the cursor, if there is a declaration of a variable.
    fn length_of_type(&mut self) -> Option<usize> {
        if self.device.is_some() {
            let start = self.cursor.at;
            let length = self.type_words().len();
            self.cursor.at = start;
            return (length > 0 && self.is_declared_behind(length)).then_some(length);
        }
        let lengths = self.types.iter().filter_map(|words| {
            let is_here = words.iter().enumerate().all(|(n, word)| self.cursor.is_ahead(n, word));
            let is_declaration =
                is_here && !words.is_empty() && self.is_declared_behind(words.len());
            is_declaration.then_some(words.len())
        });
        lengths.max()
    }

    /// Whether a name and a value, or the end of a declaration, follow so many words.
    fn is_declared_behind(&self, length: usize) -> bool {
        let name = self.cursor.tokens.get(self.cursor.at + length);
        name.is_some_and(|name| name.kind == TokenKind::Word)
            && ["=", ";"].iter().any(|end| self.cursor.is_ahead(length + 1, end))
    }

    /// Where statements `... = NAME;` begin from here to the end of the block, by name: the last one of each
    /// name, which is the store (statements of the program may assign a variable to other elements before).
    fn assignments(&self) -> Walked<HashMap<&'a str, usize>> {
        let (mut found, mut cursor) = (HashMap::new(), self.cursor.clone());
        cursor.expect(";")?;
        while cursor.peek().is_some() && !cursor.is("}") {
            let start = cursor.at;
            cursor.skip_statement()?;
            let text = |back: usize| Some(cursor.tokens.get(cursor.at.checked_sub(back)?)?.text);
            if let (Some("="), Some(name)) = (text(3), text(2)) {
                found.insert(name, start);
            }
        }
        Ok(found)
    }

    /// `ELEMENT = NAME;` for each.
    fn stores(&mut self, kept: &[Kept<'a>], calls: &[Call<'a>]) -> Walked<()> {
        for each in kept.iter().filter(|kept| !kept.is_constant) {
            let line = self.cursor.line();
            let found = self.any_element(calls);
            let found = found.filter(|found| found.array == each.array && found.base == each.base);
            let found = found.ok_or_else(|| self.cursor.wrong("the element of a variable"))?;
            let about = || format!("line {line} of the printed text stores to another element");
            for (printed, meant) in found.subscripts.iter().zip(&each.subscripts) {
                self.around.same_value(printed, meant, &about)?;
            }
            self.cursor.expect("=")?;
            self.cursor.expect(each.name)?;
            self.cursor.expect(";")?;
        }
        Ok(())
    }

    /// Variables without a value are first written, by a plain assignment that does not read them.
    fn written_before_read(&self, own: &[Kept<'a>], start: usize) -> Walked<()> {
        let body = &self.cursor.tokens[start..self.cursor.at];
        for kept in own.iter().filter(|kept| !kept.is_loaded) {
            let first = body.iter().position(|token| token.text == kept.name);
            let statement = first.map(|at| {
                let begins = at == 0 || matches!(body[at - 1].text, ";" | "}");
                let assigns = body.get(at + 1).is_some_and(|token| token.text == "=");
                let rest = body[at + 1..].iter().take_while(|token| token.text != ";");
                begins && assigns && !rest.into_iter().any(|token| token.text == kept.name)
            });
            if statement != Some(true) {
                return Err(self
                    .cursor
                    .wrong(&format!("a value for `{}` before it is used", kept.name)));
            }
        }
        Ok(())
    }

    /// Nothing else is the same element while it is kept.
    fn alone(&mut self, kept: &[Kept<'a>], calls: &[Call<'a>], touched: &[Touched]) -> Walked<()> {
        for (position, each) in kept.iter().enumerate() {
            if each.is_constant {
                self.constant_element(each, calls, touched)?;
                if !has_writes(calls, each.array) {
                    continue;
                }
            }
            let mut is_written = each.is_constant;
            for (call, touched) in calls.iter().zip(touched) {
                self.shows_all(call.statement, each)?;
                let writes = |a: &Access| a.array == each.array && a.kind == AccessKind::MustWrite;
                let first =
                    touched.elements.first().filter(|first| first.2 && first.0 == each.array);
                is_written = is_written
                    || (first.is_some_and(|first| first.1 == each.subscripts)
                        && call.statement.accesses.iter().any(writes));
            }
            if !is_written {
                return Err(self.cursor.wrong("a statement that writes the kept element"));
            }
            for (array, subscripts, is_kept) in touched.iter().flat_map(|touched| &touched.elements)
            {
                if *array == each.array
                    && !is_kept
                    && !self.around.never_same(&each.subscripts, subscripts)?
                {
                    return Err(self.may_be_same(each));
                }
            }
            for other in kept[..position].iter().filter(|other| other.array == each.array) {
                if !self.around.never_same(&each.subscripts, &other.subscripts)? {
                    return Err(self.may_be_same(each));
                }
            }
        }
        Ok(())
    }

    /// A constant is an element that statements without conditions read each time they run, and none writes.
    fn constant_element(
        &self,
        kept: &Kept<'a>,
        calls: &[Call<'a>],
        touched: &[Touched],
    ) -> Walked<()> {
        let mut is_read = false;
        for (call, touched) in calls.iter().zip(touched) {
            let is_it = |element: &(ArrayId, Vec<AstExpr>, bool)| {
                element.2 && element.0 == kept.array && element.1 == kept.subscripts
            };
            let Some(first) = touched.elements.iter().position(is_it) else { continue };
            let is_plain = call.statement.body.plain_assignment().is_some();
            if has_writes(std::slice::from_ref(call), kept.array) && (first == 0 || !is_plain) {
                return Err(self.cursor.wrong(&format!("no value for `{}`", kept.name)));
            }
            is_read |= is_plain;
        }
        match is_read && kept.is_loaded {
            true => Ok(()),
            false => Err(self.cursor.wrong(&format!("a statement that reads `{}`", kept.name))),
        }
    }

    fn may_be_same(&self, kept: &Kept<'a>) -> Stop {
        let array = &self.scop.array(kept.array).name;
        self.cursor
            .wrong(&format!("statements that use no other name for the element of `{array}`"))
    }

    /// The body shows every access to the array of an element: the model has no other.
    pub(super) fn shows_all(&self, statement: &Statement, kept: &Kept<'a>) -> Walked<()> {
        if self.local.contains(&self.scop.array(kept.array).tuple_name) {
            // Nothing of the program knows the array. (What bodies have of it are cells, accesses are of
            // elements.)
            return Ok(());
        }
        let elements = statement.body.elements();
        let mut own = elements.iter().filter(|element| element.array == kept.array);
        if kept.subscripts.is_empty() && own.next().is_some() {
            return Ok(());
        }
        let own = elements.iter().filter(|element| element.array == kept.array);
        let shown = own.filter_map(|element| {
            let values = element.subscripts.iter().map(|subscript| Some(subscript.to_map()));
            values.reduce(|all, next| all?.flat_range_product(&next?).ok()).flatten()
        });
        let shown: Vec<Map> = shown.collect();
        for access in statement.accesses.iter().filter(|access| access.array == kept.array) {
            let mut is_shown = false;
            for elements in &shown {
                let relation = &access.relation;
                let space = relation.space();
                let elements = match elements.space().output().map(|tuple| tuple.n_dims())
                    == space.output().map(|tuple| tuple.n_dims())
                {
                    true => elements.with_space_tuples(
                        &elements
                            .space()
                            .with_tuples(space.input().cloned(), space.output().cloned()),
                    )?,
                    false => continue,
                };
                is_shown = is_shown || relation.is_subset(&elements, self.budget)?;
            }
            if !is_shown {
                let what = "an access that a statement's text does not show";
                return Err(Stop::Unread(what.to_string()));
            }
        }
        Ok(())
    }

    /// Lanes and threads have one variable for all of them only if they combine it.
    fn shared_variables(&self, claim: &Claim, throughout: &[Kept<'a>]) -> Walked<()> {
        let shared = throughout.iter().find(|kept| !claim.combines(kept.name));
        match shared {
            Some(kept) if claim.kind.is_some() => {
                Err(self.cursor.wrong(&format!("a pragma with a reduction of `{}`", kept.name)))
            }
            _ => Ok(()),
        }
    }
}

/// Whether statements may write an array.
fn has_writes(calls: &[Call<'_>], array: ArrayId) -> bool {
    let mut accesses = calls.iter().flat_map(|call| &call.statement.accesses);
    accesses.any(|access| access.array == array && access.kind != AccessKind::Read)
}

/// An expression with a value for a name.
pub(super) fn with_value(expression: &AstExpr, name: &Name, value: &AstExpr) -> AstExpr {
    match expression {
        AstExpr::Id(known) if known == name => value.clone(),
        other => other.map_operands(&mut |operand| with_value(operand, name, value)),
    }
}
