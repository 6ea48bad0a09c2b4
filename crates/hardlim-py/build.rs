//! What the linker of an extension module must be told, where it must be told anything.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
