//! Innermost loops, with the elements that they use again in local variables.
use super::{Pragma, Printer};
use crate::body::Element;
use crate::implied;
use crate::scalar_replacement::{Call, Keeping, KeptElement, Scope, kept_elements, named};
use loopwright_astgen::{ForLoop, Place};
use loopwright_presburger::{Name, Result, Space};
use std::collections::HashMap;

/// What stands above an innermost loop.
pub(super) enum InnermostPragma<'p> {
    None,
    /// The text of a pragma for independent iterations.
    Independent(String),
    /// The iterations combine values.
    VectorSum(&'p Pragma),
}

impl Printer<'_> {
    /// An innermost loop, with the elements that it uses again kept in local variables. If it
    /// only combines values, it is a vector loop; unless an element that it combines is not kept in a
    /// variable.
    pub(super) fn innermost(
        &mut self,
        for_loop: &ForLoop,
        iterator: &Name,
        calls: &[(&Space, &Place)],
        pragma: &InnermostPragma,
    ) -> Result<()> {
        let mut statements = Vec::new();
        for &(statement, place) in calls {
            let (statement, body) = self.call(statement, place)?;
            statements.push(Call { statement, place, body });
        }
        let of_array = |id| !self.scop.array(id).is_scalar();
        let keeping = Keeping { of: &of_array, reads: false };
        let names = (&for_loop.iterator, iterator);
        let mut kept = kept_elements(self.scop, &statements, names, &keeping)?;
        if matches!(pragma, InnermostPragma::Independent(_)) {
            kept.retain(|kept| kept.scope == Scope::Iteration);
        }
        let name_of_array = |id| self.scop.array(id).name.to_string();
        let (throughout, each): (Vec<_>, Vec<_>) = named(kept, &name_of_array, &mut self.lowering)
            .into_iter()
            .partition(|(kept, _)| kept.scope == Scope::Loop);
        let init = self.lowering.lower(&for_loop.init);
        if !throughout.is_empty() {
            let runs = implied::runs(for_loop)?;
            self.block_line(runs.as_ref());
            self.writer.depth_in();
            self.load(&throughout);
        }
        let text = match pragma {
            InnermostPragma::None => None,
            InnermostPragma::Independent(text) => Some(text.clone()),
            InnermostPragma::VectorSum(sum) => self.vector_sum_text(sum, &throughout),
        };
        self.keeps_results |= !throughout.is_empty()
            || matches!((&text, pragma), (Some(_), InnermostPragma::VectorSum(_)));
        self.is_improved |= text.is_some() || !throughout.is_empty() || !each.is_empty();
        if let Some(text) = text {
            self.writer.line(&text);
        }
        self.loop_line(for_loop, iterator, &init);
        self.writer.depth_in();
        self.load(&each);
        let named = throughout.iter().chain(&each);
        let names: HashMap<&str, &String> =
            named.map(|(kept, name)| (kept.element.as_str(), name)).collect();
        let name_of =
            |element: &Element| names.get(element.text.as_str()).map(|&name| name.clone());
        for call in &statements {
            self.writer.statement(&call.body.statement(name_of), call.statement.id);
        }
        self.store(&each);
        self.writer.depth_out();
        self.writer.line("}");
        if !throughout.is_empty() {
            self.store(&throughout);
            self.writer.depth_out();
            self.writer.line("}");
        }
        Ok(())
    }

    fn load(&mut self, named: &[(KeptElement, String)]) {
        for (kept, name) in named {
            let element_type = &self.scop.array(kept.array).element_type;
            self.writer.line(&match kept.scope == Scope::Iteration && kept.is_overwritten {
                true => format!("{element_type} {name};"),
                false => format!("{element_type} {name} = {};", kept.element),
            });
        }
    }

    fn store(&mut self, named: &[(KeptElement, String)]) {
        for (kept, name) in named {
            self.writer.line(&format!("{} = {name};", kept.element));
        }
    }

    /// The pragma of a vector loop that combines values; none if one of them is an element that is
    /// not kept in a variable.
    fn vector_sum_text(&self, sum: &Pragma, named: &[(KeptElement, String)]) -> Option<String> {
        let mut text = "#pragma omp simd".to_string();
        if !sum.private.is_empty() {
            text.push_str(&format!(" private({})", sum.private.join(", ")));
        }
        for combined in &sum.reductions {
            let array = self.scop.arrays.iter().find(|a| a.tuple_name == combined.variable)?;
            let is_kept = |(kept, _): &&(KeptElement, String)| {
                self.scop.array(kept.array).tuple_name == combined.variable
            };
            let variable = match array.is_scalar() {
                true => &combined.text,
                false => match &named.iter().filter(is_kept).collect::<Vec<_>>()[..] {
                    [(_, name)] => name,
                    _ => return None,
                },
            };
            text.push_str(&format!(" reduction({}: {variable})", combined.operator));
        }
        Some(text)
    }
}
