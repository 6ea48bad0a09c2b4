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
fn first_network_trains_proves_and_predicts() {
    first_network::main().unwrap();
}

#[test]
fn path_visits_every_strength() {
    path::main().unwrap();
}

#[test]
fn certify_accepts_the_data_of_the_training_and_no_other() {
    certify::main().unwrap();
}

#[test]
fn export_c_writes_its_files() {
    export_c::main().unwrap();
}

#[test]
fn own_loss_is_solved_and_proven() {
    own_loss::main().unwrap();
}
