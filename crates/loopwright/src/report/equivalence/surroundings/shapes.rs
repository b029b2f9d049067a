//! Types and rows of the variables that two models have in common.
use loopwright_presburger::{Budget, PwAff, Set};
use loopwright_scop::{AccessKind, Array, ScalarType, Scop};

/// Steps for comparing two lengths.
const STEPS: u64 = 100_000;

/// The variables of two models, by their names.
pub(super) struct Shapes<'a> {
    pub(super) models: [&'a Scop; 2],
    /// Arrays whose elements correspond as a layout says.
    pub(super) with_layout: Vec<String>,
}

impl Shapes<'_> {
    fn array(&self, side: usize, name: &str) -> Option<&Array> {
        let arrays = &self.models[side].arrays;
        arrays.iter().find(|own| !own.declared_in_scop && *own.name == *name)
    }

    /// The type of a variable that is a number, or of the elements of one that has numbers.
    fn type_of(&self, side: usize, name: &str) -> Option<ScalarType> {
        let constant = self.models[side].parameters.iter().find(|own| *own.name == *name);
        match (self.array(side, name), constant) {
            (Some(array), _) if array.is_member => None,
            (Some(array), _) => array.scalar_type(),
            (None, Some(constant)) => ScalarType::of_name(&constant.c_type),
            (None, None) => None,
        }
    }

    /// Whether a variable has one known type in both models.
    pub(super) fn has_same_type(&self, name: &str) -> bool {
        let of = self.type_of(0, name);
        of.is_some() && of == self.type_of(1, name)
    }

    /// Whether one of the models writes a member of structures with this name.
    pub(super) fn writes_member(&self, name: &str) -> bool {
        let of_model = |model: &&Scop| {
            let accesses = model.statements.iter().flat_map(|own| &own.accesses);
            let mut writes = accesses.filter(|own| own.kind != AccessKind::Read);
            let is_member = |array: &Array| array.is_member && array.name.contains(name);
            writes.any(|own| is_member(model.array(own.array)))
        };
        self.models.iter().any(of_model)
    }

    /// The variables that both programs have in common.
    pub(super) fn common(&self) -> Vec<&str> {
        let has = |side: usize, name: &str| {
            let constants = &self.models[side].parameters;
            self.array(side, name).is_some() || constants.iter().any(|own| *own.name == *name)
        };
        let arrays = self.models[0].arrays.iter().filter(|own| !own.declared_in_scop);
        let constants = self.models[0].parameters.iter().map(|own| &*own.name);
        let names = arrays.map(|own| &*own.name).chain(constants);
        names.filter(|name| has(1, name)).collect()
    }

    /// Compares types and rows of what both have.
    ///
    /// # Errors
    /// In words, if one has another type or other rows.
    pub(super) fn compare(&self) -> Result<(), String> {
        for name in self.common() {
            self.compare_types(name)?;
            let arrays = self.array(0, name).zip(self.array(1, name));
            let has_layout = self.with_layout.iter().any(|own| own == name);
            if let Some((own, other)) = arrays.filter(|_| !has_layout) {
                self.compare_rows(own, other)?;
            }
        }
        Ok(())
    }

    fn compare_types(&self, name: &str) -> Result<(), String> {
        let text = |side: usize| {
            let constants = &self.models[side].parameters;
            let constant = constants.iter().find(|own| *own.name == *name);
            let array = self.array(side, name).map(|own| own.element_type.clone());
            array.or(constant.map(|own| own.c_type.clone())).unwrap_or_default()
        };
        let bytes = |side: usize| self.array(side, name).and_then(|own| own.element_bytes);
        let scalar = |side: usize| {
            let array = self.array(side, name).map(Array::scalar_type);
            array.unwrap_or_else(|| self.type_of(side, name))
        };
        let is_same = match (scalar(0), scalar(1)) {
            (None, None) => text(0) == text(1) && bytes(0) == bytes(1),
            (own, other) => own == other,
        };
        match is_same {
            true => Ok(()),
            false => Err(format!(
                "`{name}` is of type `{}` in the first program and of type `{}` in the second",
                text(0),
                text(1)
            )),
        }
    }

    fn compare_rows(&self, own: &Array, other: &Array) -> Result<(), String> {
        let pairs = own.extents.iter().zip(&other.extents).enumerate().skip(1);
        for (at, pair) in pairs {
            let is_same = match pair {
                (Some(length), Some(other)) => self.are_equal(length, other),
                (None, None) => true,
                _ => false,
            };
            if is_same {
                continue;
            }
            let text = |array: &Array| match array.extent_texts.get(at) {
                Some(text) if !text.is_empty() => format!("of `{text}` elements"),
                _ => "whose length is not known".to_string(),
            };
            return Err(format!(
                "`{}` has rows {} in the first program and {} in the second; a layout can say which elements stand for each other",
                own.name,
                text(own),
                text(other)
            ));
        }
        Ok(())
    }

    /// Whether two lengths are the same, for all symbolic constants.
    fn are_equal(&self, length: &PwAff, other: &PwAff) -> bool {
        let [before, after] = self.models.map(|model| &model.context);
        let space = before.space().merge_params(after.space());
        let differ = length.align_params(&space).ne_set(&other.align_params(&space));
        let context = |own: &Set| own.align_params(&space);
        let among = differ.and_then(|set| set.intersect(&context(before)));
        let among = among.and_then(|set| set.intersect(&context(after)));
        among.and_then(|set| set.is_empty(&Budget::steps(STEPS))).unwrap_or(false)
    }
}
