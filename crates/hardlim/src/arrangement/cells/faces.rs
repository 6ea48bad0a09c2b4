pub(crate) struct Faces;
