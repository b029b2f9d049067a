//! Edits of the order of statements: distribution, fusion, statement reordering.
use crate::error::EditError;
use crate::mapping::{Component, Mapping};
use loopwright_presburger::Int;

impl Mapping {
    /// Distributes the loop at `level` over groups of statements: each group gets a loop of its
    /// own, in the given order.
    ///
    /// *Method.* A constant, the number of the group, is inserted before the loop.
    ///
    /// # Errors
    /// If the component is not a loop that all the statements share.
    pub fn distribute(&self, groups: &[Vec<String>], level: usize) -> Result<Mapping, EditError> {
        let (selected, group_of) = self.grouped(groups)?;
        self.expect_common(&selected, level + 1)?;
        let mut result = self.clone();
        for (&position, &group) in selected.iter().zip(&group_of) {
            result = result.edited(&[position], |piece| {
                piece.loop_component(level)?;
                let mut components = piece.components[..self.depth()].to_vec();
                components.insert(level, Component::new(piece.constant(group as i64)));
                Ok(components)
            })?;
        }
        Ok(result)
    }

    /// Fuses the loops at `level` of statements that follow each other in an outer loop, or in none.
    ///
    /// *Method.* The constant before the loops is moved after them and orders the bodies; in
    /// front all get the least of these constants.
    ///
    /// # Errors
    /// If the components are not loops right after constants, or the statements are in different
    /// outer loops.
    pub fn fuse(&self, labels: &[String], level: usize) -> Result<Mapping, EditError> {
        let selected = self.select(labels)?;
        if level == 0 {
            return Err(EditError::refused("component 1 has no constant in front of it"));
        }
        self.expect_common(&selected, level - 1)?;
        let mut least: Option<Int> = None;
        for &position in &selected {
            self.pieces()[position].loop_component(level)?;
            let value = self.constant_at(position, level - 1)?;
            least = Some(least.map_or(value.clone(), |least| least.min(value)));
        }
        let least = least.unwrap_or(Int::ZERO);
        self.edited(&selected, |piece| {
            let mut components = piece.components.clone();
            let body = components.remove(level - 1);
            components.insert(level, body);
            let front = piece.constant(0).add_constant(&least);
            components.insert(level - 1, Component::new(front));
            Ok(components)
        })
    }

    /// Puts groups of statements in the given order at a constant component.
    ///
    /// *Method.* The groups get the constants that the statements have now, in ascending order; if
    /// these are not as many as there are groups, they get 0, 1, 2, ...
    ///
    /// # Errors
    /// If the component is not a constant, or the statements do not share the loops around it.
    pub fn reorder(&self, groups: &[Vec<String>], level: usize) -> Result<Mapping, EditError> {
        let (selected, group_of) = self.grouped(groups)?;
        self.expect_common(&selected, level)?;
        let mut values = Vec::new();
        for &position in &selected {
            values.push(self.constant_at(position, level)?);
        }
        values.sort();
        values.dedup();
        if values.len() != groups.len() {
            values = (0..groups.len() as i64).map(Int::from).collect();
        }
        let mut result = self.clone();
        for (&position, &group) in selected.iter().zip(&group_of) {
            result = result.edited(&[position], |piece| {
                let mut components = piece.components.clone();
                let value = piece.constant(0).add_constant(&values[group]);
                components[level] = Component::new(value);
                Ok(components)
            })?;
        }
        Ok(result)
    }

    /// The pieces in the groups, and the number of the group of each.
    fn grouped(&self, groups: &[Vec<String>]) -> Result<(Vec<usize>, Vec<usize>), EditError> {
        let (mut selected, mut group_of) = (Vec::new(), Vec::new());
        for (number, group) in groups.iter().enumerate() {
            for position in self.select(group)? {
                if selected.contains(&position) {
                    let label = &self.pieces()[position].label;
                    return Err(EditError::refused(format!("{label} is in two groups")));
                }
                selected.push(position);
                group_of.push(number);
            }
        }
        Ok((selected, group_of))
    }

    /// The constant that a component is.
    fn constant_at(&self, position: usize, level: usize) -> Result<Int, EditError> {
        let piece = &self.pieces()[position];
        let value = piece.component(level)?.value.constant_value();
        match value.filter(|value| value.is_integer()) {
            Some(value) => Ok(value.floor()),
            None => Err(EditError::refused(format!(
                "component {} of {} is not a constant but a loop",
                level + 1,
                piece.label
            ))),
        }
    }
}
