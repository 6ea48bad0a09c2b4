//! `hardlim halfspace`.

use super::{Folder, json, refused, run_line};

/// Points of a grid; those above a line are good, but for some.
fn noisy(rows: usize) -> String {
    let number = |i: usize, j: usize| ((i + 1) * (7919 + 104_729 * j) % 10_007) % 20;
    let row = |i: usize| {
        let (u, v, w) = (number(i, 0), number(i, 1), number(i, 2));
        let good = (2 * u + v > 25 + w) != (i % 10 == 3);
        format!("{u},{v},{w},{}\n", if good { "good" } else { "bad" })
    };
    "u,v,w,label\n".to_owned() + &(0..rows).map(row).collect::<String>()
}

#[test]
fn the_halfspace_is_proven_optimal_and_its_numbers_agree() {
    let folder = Folder::new();
    let table = folder.write("t.csv", noisy(100));
    let object = json(&format!("halfspace {table}"));
    let number = |name: &str| object[name].as_f64().unwrap();
    assert_eq!((number("relative_gap"), &object["optimal"]), (0.0, &true.into()));
    assert_eq!(number("weight"), 100.0);
    assert_eq!(number("agreement") + number("loss"), 100.0);
    assert_eq!(number("loss"), number("lower_bound"));
    // A tenth of the labels were turned, so no more errors are needed.
    assert!(number("loss") <= 10.0, "{object}");
    assert_eq!(object["weights"].as_array().unwrap().len(), 3);
    assert_eq!(json(&format!("halfspace {table} --threads 1"))["weights"], object["weights"]);
    // Fewer inputs agree less.
    let mut losses = vec![number("loss")];
    for inputs in [2, 1] {
        let object = json(&format!("halfspace {table} --max-inputs {inputs}"));
        let read = object["weights"].as_array().unwrap().iter().filter(|w| **w != 0.0).count();
        assert!(read <= inputs && object["optimal"] == true, "{object}");
        losses.push(object["loss"].as_f64().unwrap());
    }
    assert!(losses.is_sorted(), "{losses:?}");
}

#[test]
fn a_number_as_the_target_is_a_weight_of_its_sign() {
    let folder = Folder::new();
    let table = folder.write("t.csv", "x,charge\n1,2\n2,-3.5\n3,4\n4,0\n5,1\n5,0.25\n");
    let object = json(&format!("halfspace {table} --task regress"));
    assert_eq!((object["value"].as_f64(), object["loss"].as_f64()), (Some(5.25), Some(2.0)));
    has!(object, { "inside": 4, "n": 6 });
    let through_zero = json(&format!("halfspace {table} --task regress --no-bias"));
    assert_eq!(through_zero["value"].as_f64(), Some(3.75));
    run_line(&format!("halfspace {table} --task regress")).says(&[
        "inside     4 of 6 rows, sum 5.25",
        "agreement  8.75 of 10.75",
        "optimal: no halfspace",
    ]);
}

#[test]
fn a_gap_that_is_not_reached_is_told_by_the_exit_code() {
    let folder = Folder::new();
    let row = |i: u64| {
        let scattered = (i + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let number = |j: u32| scattered.rotate_left(7 * j) % 1009;
        (0..7).map(|j| format!("{},", number(j))).collect::<String>()
            + &format!("{}\n", number(8) % 2)
    };
    let rows: String = (0..400).map(row).collect();
    let table = folder.write("t.csv", format!("a,b,c,d,e,f,g,label\n{rows}"));
    let object = run_line(&format!("halfspace {table} --gap 0 --time-limit 0.3 --json")).json(1);
    let number = |name: &str| object[name].as_f64().unwrap();
    assert!(0.0 <= number("lower_bound") && number("lower_bound") < number("loss"), "{object}");
    assert!(number("relative_gap") > 0.0);
}

#[test]
fn what_cannot_be_answered_is_refused() {
    let folder = Folder::new();
    let table = folder.write("t.csv", "x,y,kind\n1,0,a\n2,1,b\n3,0,c\n");
    refused(
        &format!("halfspace {table}"),
        "has 3 classes; give a column with two values, or a number",
    );
    let table = folder.write("u.csv", noisy(20));
    refused(&format!("halfspace {table} --gap -1"), "--gap");
    refused(&format!("halfspace {table} --max-inputs 0"), "inputs");
    refused(&format!("halfspace {table} --time-limit 0"), "--time-limit");
}
