//! Loops by steps: `for (j = 1 + i % 2; ...; j += 2)`.
//!
//! Which thread an iteration is on depends on its value, so of a loop whose values are apart some threads
//! would have nothing to do, and where the first value is not a constant each would have to ask which
//! iterations are its own. The values of one loop inside of others are `offset + step * t`, where the offset
//! is a form of the loops outside. Their quotients by the step are numbers without gaps, and different for
//! different iterations.
use loopwright_presburger::{
    Aff, Budget, Error, Int, Map, MultiAff, Result, Space, Tuple, UnionPwAff,
};
use loopwright_schedule::{Band, Piece, Reaching};

/// Steps of a budget for finding the step of one loop; what takes more is left as it is.
const STEPS: u64 = 200_000;

/// The band with quotients by their steps in place of members whose values have steps.
pub(crate) fn in_steps_of_one(band: &Band, reaching: &Reaching) -> Result<Band> {
    let has_congruences = |piece: &Piece| {
        let basics = piece.domain.as_map().basic_maps();
        !basics.is_empty()
            && basics
                .iter()
                .all(|basic| !basic.locals().is_empty() && !basic.equalities().is_empty())
    };
    if reaching.pieces.is_empty() || !reaching.pieces.iter().all(has_congruences) {
        return Ok(band.clone());
    }
    let steps = match steps(band, reaching, &Budget::steps(STEPS)) {
        Ok(steps) => steps,
        Err(Error::Exceeded { .. }) => return Ok(band.clone()),
        Err(error) => return Err(error),
    };
    Ok(band.tile(&steps, loopwright_schedule::TileLoops::Unscaled)?.0)
}

/// The step of each member, 1 where there is none.
fn steps(band: &Band, reaching: &Reaching, budget: &Budget) -> Result<Vec<Int>> {
    let members = band.schedule.members();
    let mut steps = vec![Int::ZERO; members.len()];
    for piece in &reaching.pieces {
        let mut known = piece.schedule.clone();
        for (member, step) in members.iter().zip(&mut steps) {
            let Some(value) = value_of(member, piece) else {
                return Ok(vec![Int::ONE; members.len()]);
            };
            let values = values(piece, &known, &value)?;
            *step = step.gcd(&values.range_stride_info(0, budget)?.stride);
            known.push(value);
        }
    }
    let of_one = |step: Int| if step.is_zero() { Int::ONE } else { step };
    Ok(steps.into_iter().map(of_one).collect())
}

/// The value of a member for the instances of a statement.
fn value_of(member: &UnionPwAff, piece: &Piece) -> Option<Aff> {
    let is_own = |part: &&loopwright_presburger::PwAff| {
        part.domain_space().has_equal_tuples(piece.domain.space())
    };
    member.parts().iter().find(is_own)?.as_aff()
}

/// From the values of loops outside to those of a loop.
fn values(piece: &Piece, known: &[Aff], value: &Aff) -> Result<Map> {
    let outside = to_tuple(piece, known)?.to_map().intersect_domain(&piece.domain)?;
    let own = to_tuple(piece, std::slice::from_ref(value))?.to_map();
    outside.reverse().apply_range(&own)
}

fn to_tuple(piece: &Piece, values: &[Aff]) -> Result<MultiAff> {
    let space = piece.domain.space().clone();
    let from = values.iter().fold(space, |space, value| space.merge_params(value.domain_space()));
    let to = Space::set(from.param_names(), Tuple::anonymous(values.len()));
    let values = values.iter().map(|value| value.align_params(&from)).collect();
    MultiAff::new(from.map_to(&to), values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use loopwright_schedule::{Node, ScheduleTree};

    fn band_of(domain: &str, schedule: &str) -> Result<String> {
        let text =
            format!("{{ domain: '{domain}', child: {{ schedule: '{schedule}', permutable: 1 }} }}");
        let tree = ScheduleTree::parse(&text)?;
        let Node::Band(band, _) = &tree.root else { return Ok(String::new()) };
        Ok(in_steps_of_one(band, &Reaching::root(&tree))?.schedule.to_string())
    }

    #[test]
    fn values_apart_become_their_quotients() -> Result<()> {
        let both = "[{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]";
        let red = "[n] -> { S[i, j] : (i + j) mod 2 = 0 and 0 < i < n and 0 < j < n }";
        assert_eq!(band_of(red, both)?, "[{ S[i, j] -> [(i)] }, { S[i, j] -> [(floor((j)/2))] }]");
        let down = "[n] -> { S[i, j] : (n - i) mod 3 = 1 and 0 < i < n and 0 < j < n }";
        assert_eq!(band_of(down, both)?, "[{ S[i, j] -> [(floor((i)/3))] }, { S[i, j] -> [(j)] }]");
        let all = "[n] -> { S[i, j] : 0 < i < n and 0 < j < n }";
        assert_eq!(band_of(all, both)?, both);
        // Of two statements the greatest step that both have.
        let two = "[{ S[i] -> [(i)]; T[i] -> [(i)] }]";
        let different =
            "[n] -> { S[i] : i mod 2 = 0 and 0 < i < n; T[i] : i mod 3 = 0 and 0 < i < n }";
        assert_eq!(band_of(different, two)?, two);
        Ok(())
    }
}
