//! Instruction sets: what this machine has, detected at run time.

use std::fmt;
use std::sync::LazyLock;

/// An instruction set that the kernels support and this machine has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Isa(pub(super) Level);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Isa {
    /// The fastest instruction set of this machine.
    pub(crate) fn best() -> Self {
        static BEST: LazyLock<Isa> =
            LazyLock::new(|| Isa::available().pop().expect("the portable one is always there"));
        *BEST
    }

    /// All instruction sets of this machine, the fastest last.
    pub(crate) fn available() -> Vec<Self> {
        #[cfg_attr(not(target_arch = "x86_64"), expect(unused_mut))]
        let mut found = vec![Self(Level::Portable)];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
                found.push(Self(Level::Avx2));
            }
            if is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512vpopcntdq")
            {
                found.push(Self(Level::Avx512));
            }
        }
        found
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Level::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => "avx512",
        })
    }
}
