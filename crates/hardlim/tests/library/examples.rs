//! Every example runs to its end.

#[path = "../../examples/certify.rs"]
mod certify;
#[path = "../../examples/export_c.rs"]
mod export_c;
#[path = "../../examples/first_network.rs"]
mod first_network;
#[path = "../../examples/own_loss.rs"]
mod own_loss;
#[path = "../../examples/path.rs"]
mod path;

#[test]
fn every_example_runs_to_its_end() {
    first_network::main().unwrap();
    path::main().unwrap();
    certify::main().unwrap();
    export_c::main().unwrap();
    own_loss::main().unwrap();
}
