//! Loops in parts: bounds and lengths of parts, what each part runs, and how results are put together.
//!
//! The parts are the ranges `[first + p * length, min(first + (p + 1) * length, end))` for `p` from 0 to 63
//! with `length = (end - first + 63) / 64`: next to each other, all iterations in all, none where there are
//! none. That parts may run at one time is proved of the mark; here the text is compared with what a mark
//! stands for.
use crate::printed::body::Call;
use crate::printed::outcome::{Stop, Walked};
use crate::printed::pragma::in_text;
use crate::printed::text_walk::TextWalk;
use crate::printed::tokens::tokens;
use crate::printed::values::Around;
use crate::printed::walk::straight_line;
use loopwright_astgen::{AstExpr, ForLoop};
use loopwright_schedule::{LoopMark, LoopReduction};
use loopwright_scop::{Compaction, Statement};

/// The names that the text has for a loop in parts.
struct Names<'a> {
    first: &'a str,
    end: &'a str,
    length: &'a str,
}

impl<'a> TextWalk<'_, 'a> {
    /// Whether the loop of a mark stands here in parts.
    pub(super) fn is_in_parts(&self, mark: &LoopMark) -> bool {
        mark.reductions.iter().any(LoopReduction::is_in_parts)
            && self.cursor.is("{")
            && self.cursor.is_ahead(1, "const")
    }

    /// A loop in parts.
    pub(super) fn in_parts(&mut self, each: &'a ForLoop, mark: &LoopMark) -> Walked<()> {
        let Some((first, others)) = mark.reductions.split_first() else {
            return Err(self.cursor.wrong("a loop that is not in parts"));
        };
        let is_one = others.iter().all(|other| other.operator == first.operator);
        if !is_one || !each.increment.is_one() || each.multiples_of.is_some() || each.degenerate {
            return Err(self.cursor.wrong("a loop that is not in parts"));
        }
        self.cursor.expect("{")?;
        let names = self.range(each)?;
        match &*first.operator {
            LoopReduction::PLACE => self.places(each, mark, &names)?,
            _ => self.best(each, mark, &names)?,
        }
        self.cursor.expect("}")
    }

    /// `const long first = ..., end = ..., length = ...;`
    fn range(&mut self, each: &'a ForLoop) -> Walked<Names<'a>> {
        self.cursor.expect("const")?;
        let first = self.new_variable("long")?;
        self.initial_value(each)?;
        self.cursor.expect(",")?;
        let end = self.cursor.word()?;
        self.new_name(end)?;
        self.cursor.expect("=")?;
        let line = self.cursor.line();
        let bound = self.cursor.expression(&self.names)?;
        let iterator = Box::new(AstExpr::Id(each.iterator.clone()));
        let condition = AstExpr::Lt(iterator, Box::new(bound));
        let about = || format!("line {line} of the printed text: the loop ends elsewhere");
        self.around.same_end(&condition, each, &about)?;
        self.cursor.expect(",")?;
        let length = self.cursor.word()?;
        self.new_name(length)?;
        self.read(&format!("= ({end} - {first} + 63) / 64;"))?;
        let are_others = first != end && first != length && end != length;
        match are_others {
            true => Ok(Names { first, end, length }),
            false => Err(self.cursor.wrong("names of different variables")),
        }
    }

    fn best(&mut self, each: &'a ForLoop, mark: &LoopMark, names: &Names<'a>) -> Walked<()> {
        let mut kept = Vec::new();
        for reduction in &mark.reductions {
            let mut arrays = self.scop.arrays.iter();
            let array = arrays.find(|array| array.tuple_name == reduction.variable);
            let array = array.ok_or_else(|| Stop::Unread("an unknown variable".to_string()))?;
            self.read(&array.element_type)?;
            let of_parts = self.own_name(names)?;
            self.read("[64];")?;
            kept.push((in_text(self.scop, &reduction.variable), of_parts));
        }
        let own: Vec<&str> = kept.iter().map(|(text, _)| text.as_str()).collect();
        let clause = format!("firstprivate({})", own.join(", "));
        let (part, (from, to)) =
            self.bounds_of_part(Some((&clause, &self.private(mark))), names)?;
        self.iterations(each, (from, to), None)?;
        for (text, of_parts) in &kept {
            self.read(&format!("{of_parts}[{part}] = {text};"))?;
        }
        self.cursor.expect("}")?;
        let part = self.head_of_parts(names)?;
        let (Some((key, of_key)), Some(first)) = (kept.first(), mark.reductions.first()) else {
            return Err(self.cursor.wrong("something that is kept"));
        };
        self.read(&format!("if ({of_key}[{part}] {} {key}) {{", first.operator))?;
        for (text, of_parts) in &kept {
            self.read(&format!("{text} = {of_parts}[{part}];"))?;
        }
        self.read("} }")
    }

    fn places(&mut self, each: &'a ForLoop, mark: &LoopMark, names: &Names<'a>) -> Walked<()> {
        let [reduction] = &mark.reductions[..] else {
            return Err(self.cursor.wrong("a loop that is not in parts"));
        };
        let place = in_text(self.scop, &reduction.variable);
        self.read(&format!("if ({} - {} < 262144) {{", names.end, names.first))?;
        self.as_loop(each, None)?;
        self.read("} else { long")?;
        let of_parts = self.own_name(names)?;
        self.read("[64];")?;
        let (part, range) = self.bounds_of_part(Some(("", "")), names)?;
        self.cursor.expect("long")?;
        let count = self.own_name(names)?;
        self.read("= 0;")?;
        self.iterations(each, range, Some(count))?;
        self.read(&format!("{of_parts}[{part}] = {count}; }}"))?;
        let part = self.head_of_parts(names)?;
        self.read(&format!("const long {count} = {of_parts}[{part}];"))?;
        self.read(&format!("{of_parts}[{part}] = {place};"))?;
        self.read(&format!("{place} += {count}; }}"))?;
        let private = self.private(mark);
        let all = match private.is_empty() {
            true => format!("private({place})"),
            false => private.replacen("private(", &format!("private({place}, "), 1),
        };
        let (part, range) = self.bounds_of_part(Some((&all, "")), names)?;
        self.read(&format!("{place} = {of_parts}[{part}];"))?;
        self.iterations(each, range, None)?;
        self.read("} }")
    }

    /// The head of a loop over parts and their bounds.
    fn bounds_of_part(
        &mut self,
        clauses: Option<(&str, &str)>,
        names: &Names<'a>,
    ) -> Walked<(&'a str, (&'a str, &'a str))> {
        if let Some((own, private)) = clauses {
            let line = format!("#pragma omp parallel for {own} {private}");
            self.cursor.expect_line(line.trim_end())?;
        }
        let part = self.head_of_parts(names)?;
        self.read("const long")?;
        let from = self.own_name(names)?;
        let Names { first, end, length } = names;
        self.read(&format!("= {first} + {part} * {length},"))?;
        let to = self.own_name(names)?;
        self.read(&format!("= {from} + {length} < {end} ? {from} + {length} : {end};"))?;
        match part != from && part != to && from != to {
            true => Ok((part, (from, to))),
            false => Err(self.cursor.wrong("names of different variables")),
        }
    }

    fn head_of_parts(&mut self, names: &Names<'a>) -> Walked<&'a str> {
        self.read("for (long")?;
        let part = self.own_name(names)?;
        self.read(&format!("= 0; {part} < 64; {part}++) {{"))?;
        Ok(part)
    }

    /// The iterations of a part, or what counts those of its only statement that pass.
    fn iterations(
        &mut self,
        each: &'a ForLoop,
        (from, to): (&'a str, &'a str),
        count: Option<&str>,
    ) -> Walked<()> {
        self.read("for (long")?;
        let name = self.cursor.word()?;
        self.new_name(name)?;
        if name == from || name == to {
            return Err(self.cursor.wrong("the name of an iterator"));
        }
        self.read(&format!("= {from}; {name} < {to}; {name}++) {{"))?;
        let outer = self.names.values.len();
        self.names.values.push((name, AstExpr::Id(each.iterator.clone())));
        self.around.enter(Around::Loop(each));
        match count {
            None => self.node(&each.body, None)?,
            Some(count) => self.counting(each, count)?,
        }
        self.around.leave();
        self.names.values.truncate(outer);
        self.cursor.expect("}")
    }

    fn counting(&mut self, each: &'a ForLoop, count: &str) -> Walked<()> {
        let nodes = straight_line(&each.body).unwrap_or_default();
        let [node] = nodes[..] else { return Err(self.cursor.wrong("a single statement")) };
        let Call { statement, tuple, arguments } = self.call(node)?;
        let found = Compaction::of(self.scop, statement);
        let found = found.ok_or_else(|| self.cursor.wrong("a statement that counts"))?;
        let counting = Statement { body: found.counting(count), ..statement.clone() };
        self.statement(Call { statement: &counting, tuple, arguments }, &[]).map(|_| ())
    }

    /// The clause for the private variables of a mark.
    fn private(&self, mark: &LoopMark) -> String {
        let names: Vec<String> = mark.private.iter().map(|name| in_text(self.scop, name)).collect();
        match names.is_empty() {
            true => String::new(),
            false => format!("private({})", names.join(", ")),
        }
    }

    /// A new name, other than those of the range.
    fn own_name(&mut self, names: &Names<'a>) -> Walked<&'a str> {
        let name = self.cursor.word()?;
        self.new_name(name)?;
        match [names.first, names.end, names.length].contains(&name) {
            true => Err(self.cursor.wrong("another name")),
            false => Ok(name),
        }
    }

    /// A text, token by token.
    pub(super) fn read(&mut self, text: &str) -> Walked<()> {
        self.cursor.expect_all(&tokens(text))
    }
}
