//! The fingerprint of a training set, by which we recognise it again.

use sha2::{Digest as _, Sha256};

use super::Dataset;
use crate::table::Fingerprint;

impl Dataset {
    /// The fingerprint of the training set.
    pub fn fingerprint(&self) -> Fingerprint {
        let mut hash = Sha256::new();
        hash.update(b"hardlim training set 1\n");
        for length in [self.samples(), self.distinct(), self.dimension()] {
            hash.update((length as u64).to_le_bytes());
        }
        self.features().values().iter().for_each(|v| hash.update(v.to_bits().to_le_bytes()));
        self.row_of().iter().for_each(|g| hash.update(g.to_le_bytes()));
        for atoms in self.targets().iter() {
            hash.update((atoms.len() as u64).to_le_bytes());
            for (y, s) in atoms.iter() {
                hash.update((y + 0.0).to_bits().to_le_bytes()); // -0.0 is 0.0
                hash.update(s.to_bits().to_le_bytes());
            }
        }
        Fingerprint::of(hash)
    }
}
