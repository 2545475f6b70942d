//! What `docs/schema.md` shows is what comes out.

use std::{fs, path::Path};

use projection::schema::{self, SchemaOptions};
use system::OsSystem;

#[test]
fn the_page_shows_real_annotations() {
    let page = fs::read_to_string("docs/schema.md").unwrap();
    let section = page.split("## Annotations").nth(1).unwrap();
    let shown = section.split("```json\n").nth(1).unwrap().split("```").next().unwrap();
    let shown: serde_json::Value = serde_json::from_str(&format!("{{{shown}}}")).unwrap();
    let dir = Path::new("examples/monorepo/live/prod");
    let (module, _) = module::load(&OsSystem, dir, &module::LoadOptions::default()).unwrap();
    let options = SchemaOptions { annotations: true, ..SchemaOptions::default() };
    let generated = schema::generate(&module, &options).schema.to_json().to_serde();
    assert_eq!(shown, generated["properties"]);
}
