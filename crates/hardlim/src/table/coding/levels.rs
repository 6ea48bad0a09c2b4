//! Labels that differ by case only, as `True` and `TRUE`: they are one level if training has both.

use std::collections::{BTreeMap, HashMap};

pub(super) struct Places<'a> {
    exact: HashMap<&'a str, usize>,
    /// By lower case, if the case of letters has no meaning.
    folded: HashMap<String, usize>,
}

impl<'a> Places<'a> {
    pub(super) fn new(levels: &'a [String], any_case: bool) -> Self {
        let places = || levels.iter().enumerate();
        let folded = places().filter(|_| any_case).map(|(k, level)| (level.to_lowercase(), k));
        Self {
            exact: places().map(|(k, level)| (level.as_str(), k)).collect(),
            folded: folded.collect(),
        }
    }

    /// The place of a label; none if it is no level.
    pub(super) fn get(&self, label: &str) -> Option<usize> {
        let exact = self.exact.get(label).copied();
        if self.folded.is_empty() {
            exact
        } else {
            exact.or_else(|| self.folded.get(&label.to_lowercase()).copied())
        }
    }
}

/// Adds up the counts of labels that differ by case only, under the spelling that is seen most
/// often (of equals, the first in order). Also one of the other spellings, if there are any.
pub(super) fn joined(counts: HashMap<String, usize>) -> (HashMap<String, usize>, Option<String>) {
    let mut spellings: BTreeMap<String, Vec<(String, usize)>> = BTreeMap::new();
    for (label, count) in counts {
        spellings.entry(label.to_lowercase()).or_default().push((label, count));
    }
    let mut other = None;
    let join = |(_, mut alike): (String, Vec<(String, usize)>)| {
        let total = alike.iter().map(|(_, count)| count).sum();
        alike.sort_by(|(a, m), (b, n)| n.cmp(m).then_with(|| a.cmp(b)));
        let mut alike = alike.into_iter().map(|(label, _)| label);
        let first = alike.next().unwrap_or_default();
        other = other.take().or_else(|| alike.next());
        (first, total)
    };
    let counts = spellings.into_iter().map(join).collect();
    (counts, other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_frequent_spelling_names_a_level() {
        let counts = |list: &[(&str, usize)]| -> HashMap<String, usize> {
            list.iter().map(|(label, count)| ((*label).to_owned(), *count)).collect()
        };
        let seen = counts(&[("true", 3), ("True", 5), ("TRUE", 1), ("no", 2), ("No", 2)]);
        let (levels, other) = joined(seen);
        assert_eq!(levels, counts(&[("True", 9), ("No", 4)]));
        assert_eq!(other.as_deref(), Some("no"));
        assert_eq!(joined(counts(&[("a", 1), ("b", 1)])), (counts(&[("a", 1), ("b", 1)]), None));
        let levels = ["No".to_owned(), "True".to_owned()];
        let places = Places::new(&levels, true);
        assert_eq!(
            ["No", "tRUE", "NO", "maybe"].map(|l| places.get(l)),
            [Some(0), Some(1), Some(0), None]
        );
        assert_eq!(Places::new(&levels, false).get("true"), None);
    }
}
