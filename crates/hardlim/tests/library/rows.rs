//! Rows in blocks: the same model to the last bit, however the rows are divided and wherever they
//! lie; and the optimum of the same program in memory.

use std::ops::ControlFlow;

use crate::seal::sealed;
use hardlim::arrangement::{Hyperplane, evaluate};
use hardlim::data::{Features, Targets};
use hardlim::loss::{Loss as _, LossKind};
use hardlim::network::{Rechoice, Weights};
use hardlim::program::{Beta, LassoProgram};
use hardlim::rows::{Blocks, Coded, Files, MOST_IN_MEMORY, Ready, Taken};
use hardlim::solver::ActiveSet;
use hardlim::table::{CodingOptions, ReadOptions, Table, Tally};
use hardlim::train::{Options, Request, Watch};
use hardlim::{Model, Trained};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// More rows than the sample has.
const MANY: usize = 70_000;

/// What the target is.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Two,
    Three,
    Number,
}

/// Noisy rows with a number, a label and a weight.
fn csv(rows: usize, kind: Kind) -> String {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut text = String::from("a,b,colour,w,y\n");
    for _ in 0..rows {
        let (a, b) = (rng.random_range(-2.0..2.0f64), f64::from(rng.random_range(0..20)));
        let colour = ["red", "green", "blue"][rng.random_range(0..3)];
        let hidden = a + f64::from(u8::from(b > 9.0)) * 1.5 - f64::from(u8::from(colour == "red"));
        let noisy = hidden + rng.random_range(-1.0..1.0f64);
        let y = match kind {
            Kind::Two => (if noisy > 0.0 { "yes" } else { "no" }).to_owned(),
            Kind::Three => {
                ["low", "mid", "top"][(noisy.clamp(-0.9, 1.9) + 1.0) as usize].to_owned()
            }
            Kind::Number => format!("{noisy:.3}"),
        };
        let w = [1.0, 0.5, 2.0][rng.random_range(0..3)];
        text += &format!("{a:.4},{b},{colour},{w},{y}\n");
    }
    text
}

fn table(text: &str) -> Table {
    Table::read(text.as_bytes(), "t.csv", &ReadOptions::default()).unwrap()
}

fn request() -> Request {
    let columns = CodingOptions { weight_column: Some("w".into()), ..CodingOptions::default() };
    Request::of("patterns=60 seed=3").unwrap().with_columns(columns)
}

/// A table in blocks, as many as `count`.
fn blocks(table: &Table, columns: &CodingOptions, count: usize) -> Coded {
    let mut taken = Taken::default();
    taken.add(table).unwrap();
    let (coding, sample) = taken.coded(columns, None).unwrap();
    let mut rows = Blocks::in_memory();
    rows.push_table((table, None), &coding, table.rows().div_ceil(count)).unwrap();
    Coded { coding, sample, rows, tally: Tally::default(), files: Vec::new() }
}

fn train(request: &Request, coded: &mut Coded) -> Result<(Trained, f64), hardlim::Error> {
    let Coded { coding, sample, rows, .. } = coded;
    request.train_rows(coding, sample, rows, &Watch::default())
}

/// Trains on a table in this number of blocks.
fn trained(request: &Request, table: &Table, count: usize) -> (Trained, f64) {
    train(request, &mut blocks(table, &request.columns, count)).unwrap()
}

fn certify(model: &Model, table: &Table, count: usize) -> hardlim::Check {
    model.certify_rows(&mut blocks(table, &request().columns, count).rows).unwrap()
}

#[test]
fn any_number_of_blocks_gives_the_same_model_to_the_last_bit() {
    let best = request().with("patterns=").unwrap();
    for (kind, request) in [(Kind::Two, best), (Kind::Three, request()), (Kind::Number, request())]
    {
        let table = table(&csv(3000, kind));
        let (one, score) = trained(&request, &table, 1);
        assert!(one.model.neurons() > 3);
        assert!(score > if kind == Kind::Number { 0.5 } else { 0.6 }, "{score}");
        assert_eq!(one.choice.is_some(), kind == Kind::Two);
        if let Some(choice) = &one.choice {
            assert!((choice.score - score).abs() < 0.1, "{choice:?} {score}");
        }
        for count in [3, 16] {
            let (other, same) = trained(&request, &table, count);
            assert_eq!(
                (other.model.to_text(), same),
                (one.model.to_text(), score),
                "{count} blocks"
            );
        }
    }
}

#[test]
fn files_read_in_parts_give_the_same_model_as_a_table_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    let text = csv(2500, Kind::Two);
    let lines: Vec<&str> = text.lines().collect();
    let sources: Vec<String> = [&lines[1..1001], &lines[1001..1003], &lines[1003..]]
        .iter()
        .enumerate()
        .map(|(k, rows)| {
            let path = folder.path().join(format!("part-{k}.csv"));
            std::fs::write(&path, format!("{}\n{}\n", lines[0], rows.join("\n"))).unwrap();
            path.to_str().unwrap().to_owned()
        })
        .collect();
    let files = Files { sources, options: ReadOptions::default(), fields: 5 * 300 };
    let taken = files.take(&|_| ()).unwrap();
    let (coding, sample) = taken.coded(&request().columns, None).unwrap();
    let mut rows = Blocks::in_file().unwrap();
    let (tally, files) = files.code(&coding, &mut rows, &|_| ()).unwrap();
    assert_eq!(files.len(), 3);
    assert_eq!(rows.rows(), 2500);
    assert!(rows.count() > 8);
    let mut coded = Coded { coding, sample, rows, tally, files };
    let (model, score) = train(&request(), &mut coded).unwrap();
    let (whole, same) = trained(&request(), &table(&text), 1);
    assert_eq!((model.model.to_text(), score), (whole.model.to_text(), same));
    assert!(model.model.certify_rows(&mut coded.rows).unwrap().holds());
}

/// The patterns of a model's dictionary on the rows, and their targets, in memory.
fn in_memory(model: &Model, table: &Table) -> (hardlim::pattern::PatternMatrix, Targets) {
    let coding = model.coding();
    let x: Features = coding.features(table).unwrap();
    let listed = model.first().recipe().listed().unwrap();
    let planes: Vec<Hyperplane> =
        listed.iter().map(|neuron| neuron.hyperplane(x.dimension())).collect();
    let rows: Vec<u32> = (0..x.rows() as u32).collect();
    let (y, s) = (coding.targets(table).unwrap(), coding.weights(table).unwrap());
    (evaluate(&x, &planes), Targets::grouped(x.rows(), &rows, &y, s.as_deref()).unwrap())
}

#[test]
fn the_objective_and_the_bound_are_those_of_the_lasso_in_memory() {
    // With more rows than the sample, curvature comes from some of them only.
    for (rows, kind) in
        [(900, Kind::Two), (900, Kind::Number), (MANY, Kind::Two), (MANY, Kind::Number)]
    {
        let table = table(&csv(rows, kind));
        let request = request().with("beta_ratio=0.01 gap=1e-7").unwrap();
        let (trained, _) = trained(&request, &table, 2);
        let model = &trained.model;
        let (patterns, targets) = in_memory(model, &table);
        let loss = if kind == Kind::Two { LossKind::Logistic } else { LossKind::Squared };
        let program = LassoProgram::new(&patterns, &targets, loss, model.beta()).unwrap();
        let solution = ActiveSet { tolerance: 1e-9, ..ActiveSet::default() }.solve(&program);
        let (here, there) = (model.certificate(), solution.certificate);
        assert!(here.relative_gap() <= 1e-6, "{} {:?}", here.relative_gap(), trained.stop);
        assert!(here.lower_bound() <= there.objective() && there.lower_bound() <= here.objective());
        assert!((here.objective() / there.objective() - 1.0).abs() < 1e-6);
        // The bound over all networks holds for this one, too.
        let global = model.global();
        assert!(global.lower_bound() > 0.0 && global.lower_bound() <= here.lower_bound());
        assert!((trained.beta_max / program.beta_max() - 1.0).abs() < 1e-6);
    }
}

#[test]
fn certificates_are_checked_on_other_blocks_but_not_on_other_rows() {
    for kind in [Kind::Two, Kind::Three, Kind::Number] {
        let table = table(&csv(1200, kind));
        let (trained, _) = trained(&request(), &table, 3);
        let model = Model::from_text(&trained.model.to_text()).unwrap();
        assert_eq!(model, trained.model);
        for count in [1, 5] {
            let check = certify(&model, &table, count);
            assert!(check.holds(), "{:?}", check.reason());
            assert_eq!(check.certificate().unwrap(), model.certificate());
            assert_eq!(check.global().unwrap(), model.global());
        }
        let others: Vec<usize> = (1..1200).chain([0]).collect();
        assert_eq!(certify(&model, &table.select(&others), 2), hardlim::Check::OtherData);
        assert!(model.certify(&model.training_data(&table).unwrap()).is_err());
    }
}

/// A request with folds, and few strengths.
fn folded(folds: usize) -> Request {
    request().with(&format!("cv={folds} n_ratios=6 least_ratio=0.01")).unwrap()
}

#[test]
fn folds_and_neurons_of_one_input_do_not_depend_on_the_blocks_or_where_they_lie() {
    let one_input = request().with("max_inputs=1 beta_ratio=0.02 patterns=").unwrap();
    for kind in [Kind::Two, Kind::Three, Kind::Number] {
        let table = table(&csv(1500, kind));
        for request in [folded(4), one_input.clone()] {
            let (one, score) = trained(&request, &table, 1);
            for count in [3, 16] {
                let (other, same) = trained(&request, &table, count);
                assert_eq!((other.model.to_text(), same), (one.model.to_text(), score));
            }
            let mut coded = blocks(&table, &request.columns, 1);
            coded.rows = Blocks::in_file().unwrap();
            coded.rows.push_table((&table, None), &coded.coding, 300).unwrap();
            let (other, same) = train(&request, &mut coded).unwrap();
            assert_eq!((other.model.to_text(), same), (one.model.to_text(), score), "in a file");
        }
    }
}

#[test]
fn cross_validation_tries_strengths_and_the_model_remembers_it() {
    for kind in [Kind::Two, Kind::Number] {
        let table = table(&csv(2000, kind));
        let (trained, score) = trained(&folded(5), &table, 3);
        let choice = trained.choice.unwrap();
        let found = choice.predicted.as_ref().unwrap();
        assert_eq!((choice.folds, choice.ratios.len()), (5, found.losses.len()));
        assert!(found.losses.len() > 2 && found.losses.iter().all(|loss| *loss >= found.loss));
        // Rows that were not trained on are predicted a little worse.
        assert!(choice.score <= score + 0.005 && choice.score > score - 0.05, "{choice:?} {score}");
        assert!(trained.model.to_text().contains("cv"));
    }
}

/// The fold of a row, by its definition: splitmix64 of its number.
fn fold(row: u64, folds: u64) -> u64 {
    let mut x = row.wrapping_add(1 << 62).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (x ^ (x >> 31)) % folds
}

#[test]
fn the_score_of_cross_validation_is_that_of_optima_without_each_fold() {
    // The sample has all rows, so the networks without a fold are optima, but for the tolerance of
    // comparisons.
    for (kind, loss) in [(Kind::Two, LossKind::Logistic), (Kind::Number, LossKind::Squared)] {
        let table = table(&csv(2000, kind));
        let request = folded(4).with("n_ratios=2 least_ratio=0.02").unwrap();
        let (trained, _) = trained(&request, &table, 3);
        let model = &trained.model;
        let (patterns, _) = in_memory(model, &table);
        let (y, s) =
            (model.coding().targets(&table).unwrap(), model.coding().weights(&table).unwrap());
        let s = s.unwrap();
        let (all, rows): (f64, Vec<u32>) = (s.iter().sum(), (0..s.len() as u32).collect());
        let mut lost = 0.0;
        for k in 0..4 {
            let out: Vec<bool> = (0..s.len() as u64).map(|row| fold(row, 4) == k).collect();
            let kept: Vec<f64> =
                s.iter().zip(&out).map(|(s, out)| if *out { 0.0 } else { *s }).collect();
            let targets = Targets::grouped(s.len(), &rows, &y, Some(&kept)).unwrap();
            let beta = Beta::new(model.beta().get() * kept.iter().sum::<f64>() / all).unwrap();
            let program = LassoProgram::new(&patterns, &targets, loss, beta).unwrap();
            let solution = ActiveSet { tolerance: 1e-9, ..ActiveSet::default() }.solve(&program);
            let u = patterns.combine(solution.coefficients.iter().copied().enumerate());
            lost += (0..s.len())
                .filter(|&i| out[i])
                .map(|i| s[i] * loss.value(u[i], y[i]))
                .sum::<f64>();
        }
        let found = trained.choice.unwrap().predicted.unwrap().loss;
        assert!((found / (lost / all) - 1.0).abs() < 2e-3, "{found} {}", lost / all);
    }
}

#[test]
fn over_neurons_of_one_input_the_optimum_and_the_certificate_are_those_in_memory() {
    for kind in [Kind::Two, Kind::Number] {
        let table = table(&csv(800, kind));
        let loss = if kind == Kind::Two { LossKind::Logistic } else { LossKind::Squared };
        let request = request().with("max_inputs=1 beta_ratio=0.02 gap=1e-5 patterns=").unwrap();
        let (rows, _) = trained(&request, &table, 3);
        let memory = request.with(&format!("loss={loss}")).unwrap().train(&table).unwrap();
        let (here, there) = (rows.model.certificate(), memory.model.certificate());
        assert_eq!(
            (here.scope(), here.bound(), here.class()),
            (there.scope(), there.bound(), there.class())
        );
        assert!(here.claim().starts_with(
            "no two-layer threshold network of any width whose neurons read one input"
        ));
        assert!((rows.beta_max / memory.beta_max - 1.0).abs() < 1e-9);
        assert!(here.relative_gap() <= 1.1e-5, "{} {:?}", here.relative_gap(), rows.stop);
        assert!(here.lower_bound() <= there.objective() && there.lower_bound() <= here.objective());
        assert!((here.objective() / there.objective() - 1.0).abs() < 2e-5);
        let model = Model::from_text(&rows.model.to_text()).unwrap();
        for count in [1, 5] {
            let check = certify(&model, &table, count);
            assert!(check.holds(), "{:?}", check.reason());
            assert_eq!(check.certificate().unwrap(), model.certificate());
        }
    }
}

#[test]
fn a_path_in_blocks_falls_from_beta_max_and_every_point_is_certified() {
    let table = table(&csv(900, Kind::Two));
    let options = Options::read("patterns=60 seed=3 n_ratios=5 least_ratio=0.02").unwrap();
    let request = Request::path_of(&options).unwrap().with_columns(request().columns);
    let path = |count| {
        let Coded { coding, mut sample, mut rows, .. } = blocks(&table, &request.columns, count);
        let mut points = Vec::new();
        let watch = Watch::default();
        let path = request.path_rows(&coding, &mut sample, &mut rows, &watch, |point| {
            points.push((point.beta, point.coefficients, point.certificate, point.scores));
            ControlFlow::Continue(())
        });
        assert!(path.unwrap().complete);
        points
    };
    let points = path(1);
    assert_eq!(points.len(), 5);
    assert!(points[0].1.is_empty() && points[4].1.len() > 5);
    assert!(points.windows(2).all(|p| p[1].2.objective() < p[0].2.objective()));
    assert!(points.iter().all(|(.., certificate, _)| certificate.relative_gap() <= 1e-3));
    assert_eq!(path(4), points);
}

#[test]
fn a_time_limit_returns_a_network_with_its_certificate() {
    let table = table(&csv(600, Kind::Two));
    let request = request().with("time_limit=1e-6").unwrap();
    let (trained, _) = trained(&request, &table, 2);
    assert_eq!(trained.stop.name(), "time");
    let certificate = trained.model.certificate();
    assert!(certificate.lower_bound() <= certificate.objective());
    assert!(certify(&trained.model, &table, 3).holds());
}

/// A narrow table of this number of rows, some of whose cells are missing.
fn narrow(rows: usize, kind: Kind) -> String {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let mut text = String::from("a,day,colour,y\n");
    for _ in 0..rows {
        let (a, day) = (f64::from(rng.random_range(0..40)), rng.random_range(1..29));
        let colour = ["red", "green", ""][rng.random_range(0..3)];
        let noisy = a - 3.0 * f64::from(u8::from(colour == "red")) + rng.random_range(-9.0..9.0);
        let y = match kind {
            Kind::Two => (if noisy > 19.0 { "yes" } else { "no" }).to_owned(),
            Kind::Three => {
                ["low", "mid", "top"][(noisy / 20.0).clamp(0.0, 2.0) as usize].to_owned()
            }
            Kind::Number => format!("{noisy:.1}"),
        };
        let a = if rng.random_range(0..30) == 0 { String::new() } else { a.to_string() };
        text += &format!("{a},2024-02-{day:02},{colour},{y}\n");
    }
    text
}

#[test]
fn a_table_in_memory_and_files_within_a_memory_give_the_same_model_small_or_large() {
    let folder = tempfile::tempdir().unwrap();
    let few = Request::of("beta_ratio=0.05 patterns=30").unwrap();
    let one = Request::of("beta_ratio=0.05 max_inputs=1").unwrap();
    let own = Request::of("beta_ratio=0.1").unwrap();
    let cases = [
        (300, Kind::Two, Request::default()),
        (300, Kind::Three, own),
        (300, Kind::Number, few.clone()),
        (MANY, Kind::Two, few.clone()),
        (MANY, Kind::Three, few),
        (MANY, Kind::Number, one),
    ];
    for (rows, kind, request) in cases {
        let text = narrow(rows, kind);
        let (header, lines) = text.split_once('\n').unwrap();
        let lines: Vec<&str> = lines.lines().collect();
        let write = |(k, lines): (usize, &[&str])| {
            let path = folder.path().join(format!("{k}.csv"));
            std::fs::write(&path, format!("{header}\n{}\n", lines.join("\n"))).unwrap();
            path.to_str().unwrap().to_owned()
        };
        let sources = lines.chunks(rows / 3 + 1).enumerate().map(write).collect();
        let options = ReadOptions::default();
        let ready = request.open(sources, options, 64 << 20, &|_| ()).unwrap();
        let model = match ready {
            Ready::Table(table) => request.train(&table).unwrap().model,
            Ready::Blocks(mut coded) => {
                assert!(coded.rows.count() > 1);
                train(&request, &mut coded).unwrap().0.model
            }
        };
        let whole = request.train(&table(&text)).unwrap().model;
        assert_eq!(model.is_of_rows(), rows > MOST_IN_MEMORY);
        assert!(model.to_text() == whole.to_text(), "{rows} rows, {request:?}");
    }
}

#[test]
fn a_class_that_the_sample_does_not_have_is_trained_in_memory() {
    let rows = (0..MANY).map(|i| format!("{},{}\n", i % 97, ["no", "yes"][i % 2]));
    let text = "a,y\n".to_owned() + &rows.collect::<String>() + "5,maybe\n";
    let request = Request::of("patterns=2 beta_ratio=0.5").unwrap();
    assert!(request.divided(&table(&text), &request.columns, None).is_none());
}

#[test]
fn other_weights_in_the_cells_keep_the_certificate_of_rows_in_blocks() {
    for (kind, neurons) in [(Kind::Two, "patterns=20"), (Kind::Number, "patterns= max_inputs=1")] {
        let table = table(&csv(300, kind));
        let request = request().with(&format!("beta_ratio=0.1 {neurons}")).unwrap();
        let model = trained(&request, &table, 2).0.model;
        let data = model.training_data(&table).unwrap();
        let other = model.rechoose(&data, &Rechoice::new(Weights::Integer)).unwrap();
        assert_ne!(other.first().network(), model.first().network());
        let other = Model::from_text(&other.to_text()).unwrap();
        let check = certify(&other, &table, 3);
        assert!(check.holds(), "{:?}", check.reason());
        assert_eq!(model.training_rows(&table), Some(300));
        let fewer = table.select(&(1..300).collect::<Vec<_>>());
        assert!(matches!(model.training_data(&fewer), Err(hardlim::Error::OtherData)));
    }
}

#[test]
fn a_model_that_states_what_rows_in_blocks_never_have_is_refused() {
    let table = table(&csv(200, Kind::Two));
    let text = trained(&request(), &table, 1).0.model.to_text();
    let altered = |old: &str, new: &str| {
        assert!(text.contains(old), "{old}");
        let Ok(model) = Model::from_text(&sealed(&text.replace(old, new))) else { return };
        let mut rows = blocks(&table, &request().columns, 1).rows;
        match model.certify_rows(&mut rows) {
            Ok(check) => assert!(!check.holds(), "{new}"),
            Err(error) => assert!(error.to_string().contains("rows in blocks"), "{error}"),
        }
    };
    altered(r#""intercept":false"#, r#""intercept":true"#);
    altered(r#""non_negative":false"#, r#""non_negative":true"#);
    altered(r#""balanced":false"#, r#""balanced":true"#);
    altered(r#""split": null"#, r#""split": {"fraction":0.2,"seed":1}"#);
}

#[test]
fn what_is_not_asked_of_rows_in_blocks_is_refused() {
    let table = table(&csv(200, Kind::Two));
    for (options, words) in [
        ("max_inputs=2 patterns=", "`max_inputs=2` needs the rows in memory, at most 65536"),
        ("max_inputs=1 bias=false patterns=", "needs the rows in memory"),
        ("cv=200 n_ratios=6 least_ratio=0.01", "of 200 rows, a fold would have none"),
        ("loss=hinge", "`loss=hinge` needs the rows in memory"),
        ("intercept beta=1", "needs the rows in memory"),
        // A problem over all patterns.
        ("beta=1 patterns=", "`beta=1` needs the rows in memory, at most 65536"),
    ] {
        let request = request().with(options).unwrap();
        let coded = &mut blocks(&table, &request.columns, 1);
        let error = train(&request, coded).unwrap_err().to_string();
        assert!(error.contains(words), "{options}: {error}");
    }
}

#[test]
fn a_part_that_does_not_fit_is_named_with_its_column() {
    let folder = tempfile::tempdir().unwrap();
    let error = |second: &str| {
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            path.to_str().unwrap().to_owned()
        };
        let sources = vec![write("one.csv", &csv(60, Kind::Two)), write("two.csv", second)];
        let files = Files { sources, options: ReadOptions::default(), fields: 1000 };
        let all = || {
            // A label that is new has to be in rows that the sample does not have.
            let first = Files { sources: files.sources[..1].to_vec(), ..files.clone() };
            let sampled = if second.contains("maybe") { &first } else { &files };
            let (coding, _) = sampled.take(&|_| ())?.coded(&request().columns, None)?;
            files.code(&coding, &mut Blocks::in_file()?, &|_| ())
        };
        let error = all().map(|_| ()).unwrap_err().to_string();
        error.replace(folder.path().to_str().unwrap(), "")
    };
    let missing = error("a,colour,w,y\n1,red,1,yes\n");
    assert!(missing.contains("/two.csv: no column \"b\""), "{missing}");
    let changed = error("a,b,colour,w,y\nlots,1,red,1,yes\n1,2,red,1,no\n");
    assert!(
        changed.contains("/two.csv: row 2, column \"a\"") && changed.contains("lots"),
        "{changed}"
    );
    let unknown = error("a,b,colour,w,y\n1,1,red,1,maybe\n");
    assert!(
        unknown.contains("/two.csv: row 2, column \"y\"") && unknown.contains("maybe"),
        "{unknown}"
    );
    let empty = error("");
    assert!(empty.contains("/two.csv"), "{empty}");
}
