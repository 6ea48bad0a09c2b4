//! Protocol buffers, as far as a model needs them: fields of integers, strings and messages.
//!
//! A field starts with its number and the kind of its content, `8·number + kind`. The kind is 0
//! for an integer, and 2 for a length and that many bytes. Integers are written seven bits at a
//! time, the lowest first; the eighth bit says that more follow.

#[derive(Debug, Clone, Default)]
pub(super) struct Message(Vec<u8>);

impl Message {
    pub(super) fn new() -> Self {
        Self::default()
    }

    fn whole(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    pub(super) fn int(mut self, field: u32, value: i64) -> Self {
        self.whole(u64::from(field) << 3);
        self.whole(value as u64);
        self
    }

    /// Adds a field of text or bytes.
    pub(super) fn bytes(mut self, field: u32, value: impl AsRef<[u8]>) -> Self {
        let value = value.as_ref();
        self.whole(u64::from(field) << 3 | 2);
        self.whole(value.len() as u64);
        self.0.extend_from_slice(value);
        self
    }

    pub(super) fn message(self, field: u32, value: &Self) -> Self {
        self.bytes(field, &value.0)
    }

    /// Adds a field for each of these messages.
    pub(super) fn messages<'a>(
        self,
        field: u32,
        values: impl IntoIterator<Item = &'a Self>,
    ) -> Self {
        values.into_iter().fold(self, |message, value| message.message(field, value))
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_written_as_the_format_says() {
        // The examples of the format's specification.
        assert_eq!(Message::new().int(1, 150).into_bytes(), [0x08, 0x96, 0x01]);
        let text = Message::new().bytes(2, "testing");
        assert_eq!(text.0, [&[0x12, 0x07][..], b"testing"].concat());
        let inner = Message::new().int(1, 150);
        assert_eq!(Message::new().message(3, &inner).0, [0x1a, 0x03, 0x08, 0x96, 0x01]);
        let negative = Message::new().int(1, -1).into_bytes();
        assert_eq!(negative, [&[0x08][..], &[0xff; 9], &[0x01]].concat());
    }
}
