//! Disjoint regions in which each of several sets is either all or nothing.
use loopwright_presburger::*;

/// The common refinement of the sets: disjoint parts, each inside or outside of every set.
///
/// `known` holds for the dimensions outside of the last one: parts that are empty where it holds
/// are left out.
///
/// *Method.* One set after the other cuts the parts so far in what it shares with them and what it
/// does not, and leaves its own rest: step 3 of the algorithm in section 5.1 of Quilleré,
/// Rajopadhye, Wilde, in the corrected form. *Cost.* Up to `2^n` parts for `n` sets, though
/// usually about as many as there are different bounds.
pub(crate) fn separated(domains: &[Set], known: Option<&Set>, budget: &Budget) -> Result<Vec<Set>> {
    let is_empty = |set: &Set| match known {
        Some(known) => {
            let outside = known.insert_dims(DimKind::Out, set.n(DimKind::Out) - 1, 1);
            set.intersect(&outside)?.is_empty(budget)
        }
        None => set.is_empty(budget),
    };
    let mut parts: Vec<Set> = Vec::new();
    for domain in domains {
        let mut rest = domain.clone();
        let mut next = Vec::new();
        for part in parts {
            let both = part.intersect(&rest)?;
            if is_empty(&both)? {
                next.push(part);
                continue;
            }
            next.push(part.subtract(&rest, budget)?);
            rest = rest.subtract(&part, budget)?;
            next.push(both);
        }
        next.push(rest);
        parts = Vec::new();
        for part in next {
            if !is_empty(&part)? {
                parts.push(part.coalesce(budget)?);
            }
        }
    }
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_sets_make_regions_with_fixed_members() {
        let texts = ["{ [i] : 0 <= i <= 9 }", "{ [i] : 4 <= i <= 12 }", "{ [i] : 8 <= i <= 20 }"];
        let sets: Vec<Set> = texts.iter().map(|text| Set::parse(text).expect("a set")).collect();
        let budget = Budget::unlimited();
        let parts = separated(&sets, None, &budget).expect("no limit");
        assert_eq!(parts.len(), 5);
        for (position, part) in parts.iter().enumerate() {
            for set in &sets {
                let inside = part.is_subset(set, &budget).expect("no limit");
                assert!(inside || part.is_disjoint(set, &budget).expect("no limit"));
            }
            for other in &parts[..position] {
                assert!(part.is_disjoint(other, &budget).expect("no limit"));
            }
        }
    }

    #[test]
    fn parts_outside_of_what_is_known_are_left_out() {
        let set = |text| Set::parse(text).expect("a set");
        let sets = [set("{ [i, j] : 0 <= j <= i }"), set("{ [i, j] : 10 <= j <= 20 }")];
        let known = set("{ [i] : 0 <= i <= 9 }");
        let parts = separated(&sets, Some(&known), &Budget::unlimited()).expect("no limit");
        assert_eq!(parts.len(), 2);
    }
}
