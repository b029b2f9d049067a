//! Words of the command line: which one is meant.

/// The one of some words that a mistyped one is likely to be: it differs by at most a third of its letters.
/// The nearest one; of several, the first.
///
/// *Method.* The distance of Damerau and Levenshtein in the form with restricted transpositions: letters that
/// are missing, additional, other, or swapped with the next one. *Cost.* The product of the lengths for each
/// word.
///
/// ```
/// use loopwright::nearest_word;
/// assert_eq!(nearest_word("opnemp", ["c", "openmp"]), Some("openmp"));
/// assert_eq!(nearest_word("gpu", ["c", "openmp"]), None);
/// ```
pub fn nearest_word<'w>(word: &str, known: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    nearest_of(word, &mut known.into_iter())
}

/// [`nearest_word`], compiled once and not for each kind of iterator.
fn nearest_of<'w>(word: &str, known: &mut dyn Iterator<Item = &'w str>) -> Option<&'w str> {
    let distances = known.map(|other| (distance(word, other), other));
    let (distance, nearest) = distances.min_by_key(|(distance, _)| *distance)?;
    let length = word.chars().count().max(nearest.chars().count());
    (distance > 0 && distance * 3 <= length.max(3)).then_some(nearest)
}

fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let other = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = other.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            let is_swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if is_swap {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

/// What is said about a value of an option that is none of the words that there are.
///
/// ```
/// use loopwright::one_of;
/// let said = one_of("--target", "opnemp", ["c", "openmp"].into_iter());
/// assert_eq!(said, "--target takes one of c, openmp, not `opnemp`; did you mean `openmp`?");
/// ```
pub fn one_of<'w>(
    option: &str,
    value: &str,
    words: impl Iterator<Item = &'w str> + Clone,
) -> String {
    one_of_all(option, value, &words.collect::<Vec<_>>())
}

/// [`one_of`], compiled once and not for each kind of iterator.
fn one_of_all(option: &str, value: &str, words: &[&str]) -> String {
    let meant = nearest_word(value, words.iter().copied());
    let meant = meant.map_or(String::new(), |word| format!("; did you mean `{word}`?"));
    format!("{option} takes one of {}, not `{value}`{meant}", words.join(", "))
}

/// The meaning of a word.
///
/// # Errors
/// In words, with those that there are.
pub(crate) fn word<T: Clone>(option: &str, value: &str, words: &[(&str, T)]) -> Result<T, String> {
    let found = words.iter().find(|(name, _)| *name == value);
    found
        .map(|(_, meaning)| meaning.clone())
        .ok_or_else(|| one_of(&format!("--{option}"), value, words.iter().map(|(name, _)| *name)))
}

/// The word for a meaning; the first one if there is none.
pub(crate) fn word_of<T: PartialEq>(meaning: &T, words: &[(&str, T)]) -> String {
    let found = words.iter().find(|(_, known)| known == meaning).or(words.first());
    found.map_or(String::new(), |(name, _)| (*name).to_string())
}
