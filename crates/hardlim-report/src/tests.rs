use hardlim::model::Model;
use hardlim::table::{ReadOptions, Table};
use hardlim::train::Request;

use super::*;

fn table(text: &str) -> Table {
    Table::read(text.as_bytes(), "t.csv", &ReadOptions::default()).unwrap()
}

fn trained(table: &Table, max_inputs: usize) -> Model {
    let request = Request::of(&format!("beta=0.5 max_inputs={max_inputs}")).unwrap();
    request.train(table).unwrap().model
}

/// A number, a label, and a class that both decide.
fn rows() -> String {
    let row = |i: usize| {
        let (a, b) = (i * 7 % 19, ["u", "v", "w"][i % 3]);
        format!("{a},{b},{}\n", u8::from(a > 8 || b == "v"))
    };
    "a,b,y\n".to_owned() + &(0..90).map(row).collect::<String>()
}

fn object(subject: &Subject<'_>) -> serde_json::Value {
    let page = page(subject);
    let (_, rest) = page.split_once("id=\"payload\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn no_name_leaves_its_place() {
    let evil = "</script><script>alert(1)</script>";
    let text = rows().replacen("a,b", &format!("{evil},\u{2028}&lt;"), 1).replace('u', "<!--");
    let table = table(&text);
    let model = trained(&table, 1);
    let data = model.training_data(&table).unwrap();
    let check = model.certify(&data).unwrap();
    let subject = Subject::of_table(evil, &model, &table, Some(&check)).unwrap();
    let page = page(&subject);
    assert_eq!(page.matches("</script>").count(), 2);
    assert!(!page.contains("<!--") && !page.contains("alert(1)<"));
    assert!(page.contains("<title>&lt;/script&gt;"));
    assert_eq!(object(&subject)["columns"][0]["name"], evil);
}

#[test]
fn one_row_is_enough() {
    let table = table(&rows());
    let model = trained(&table, 2);
    for text in ["a,b,y\n3.5,v,1\n", "b,a\nnew,\n"] {
        let one = self::table(text);
        let subject = Subject::of_table("m", &model, &one, None).unwrap();
        assert_eq!(object(&subject)["rows"], 1);
    }
    let none = self::table("a,b,y\n3,v,1\n").select(&[]);
    assert!(Subject::of_table("m", &model, &none, None).is_err());
}

#[test]
fn shares_have_one_decimal() {
    assert_eq!(percent(0.12345), "12.3 %");
}
