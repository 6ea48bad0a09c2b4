//! Choices that have names: in errors, on the command line, in Python and in reports.

/// Gives an enum its `name`, `Display` and `FromStr`. The text says in errors what it is.
macro_rules! named {
    ($kind:ident $what:literal: $first:ident $head:literal $(, $variant:ident $name:literal)*) => {
        impl $kind {
            /// The name, which [`FromStr`](std::str::FromStr) reads.
            pub fn name(self) -> &'static str {
                match self {
                    Self::$first => $head,
                    $(Self::$variant => $name,)*
                }
            }
        }

        impl std::fmt::Display for $kind {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl std::str::FromStr for $kind {
            type Err = $crate::table::Unknown;

            fn from_str(text: &str) -> Result<Self, $crate::table::Unknown> {
                match text {
                    $head => Ok(Self::$first),
                    $($name => Ok(Self::$variant),)*
                    _ => Err($crate::table::Unknown {
                        what: $what,
                        got: text.into(),
                        expected: concat!($head $(, ", ", $name)*),
                    }),
                }
            }
        }
    };
}

pub(crate) use named;
