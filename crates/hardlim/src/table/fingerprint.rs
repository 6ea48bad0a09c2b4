//! Hashes by which files and training sets are recognised again.

use std::fmt::{self, Debug, Display, Formatter};
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::error::Damaged;

/// SHA-256 of the bytes of a file, or of a training set: the rows of `X` sample by sample, to the last bit, and the targets
/// and weights of each distinct row. Two sets have the same fingerprint when they are the same
/// problem, whatever file they came from. It is written as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Fingerprint([u8; 32]);

impl Fingerprint {
    /// The hash of the bytes so far.
    pub(crate) fn of(hash: Sha256) -> Self {
        Self(hash.finalize().into())
    }
}

impl Display for Fingerprint {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl Debug for Fingerprint {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "Fingerprint({self})")
    }
}

impl FromStr for Fingerprint {
    type Err = Damaged;

    fn from_str(text: &str) -> Result<Self, Damaged> {
        let bad =
            || Damaged { what: "fingerprint", reason: "expected 64 hexadecimal digits".into() };
        if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(bad());
        }
        let mut bytes = [0; 32];
        for (k, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[2 * k..2 * k + 2], 16).map_err(|_| bad())?;
        }
        Ok(Self(bytes))
    }
}

impl From<Fingerprint> for String {
    fn from(fingerprint: Fingerprint) -> Self {
        fingerprint.to_string()
    }
}

impl TryFrom<String> for Fingerprint {
    type Error = Damaged;

    fn try_from(text: String) -> Result<Self, Damaged> {
        text.parse()
    }
}
