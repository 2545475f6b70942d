//! Generated files as blocks: in native syntax or as JSON, and easy to take apart.

use serde_json::{Map, Value as Json};

use super::kind::ATTRIBUTES;

/// What an argument is given.
#[derive(Clone, Debug)]
pub enum Given {
    Expr(String),
    /// What may refer to nothing.
    Constant(String),
    /// What JSON has as a plain string: a type, a source, an address.
    Plain(String),
    /// The same of a list: `depends_on`.
    List(Vec<String>),
}

#[derive(Clone, Debug, Default)]
pub struct Block {
    pub kind: String,
    pub labels: Vec<String>,
    pub arguments: Vec<(String, Given)>,
    pub blocks: Vec<Block>,
}

impl Block {
    pub fn new(kind: &str, labels: &[&str]) -> Block {
        let labels = labels.iter().map(|it| (*it).to_owned()).collect();
        Block { kind: kind.to_owned(), labels, ..Block::default() }
    }

    pub fn set(&mut self, name: &str, expr: impl Into<String>) {
        self.arguments.push((name.to_owned(), Given::Expr(expr.into())));
    }

    pub fn constant(&mut self, name: &str, text: impl Into<String>) {
        self.arguments.push((name.to_owned(), Given::Constant(text.into())));
    }

    pub fn with(mut self, name: &str, expr: impl Into<String>) -> Block {
        self.set(name, expr);
        self
    }

    pub fn plain(mut self, name: &str, text: impl Into<String>) -> Block {
        self.arguments.push((name.to_owned(), Given::Plain(text.into())));
        self
    }

    pub fn list(mut self, name: &str, names: Vec<String>) -> Block {
        self.arguments.push((name.to_owned(), Given::List(names)));
        self
    }

    fn native(&self, indent: usize, text: &mut String) {
        let space = " ".repeat(indent);
        let labels: String = self.labels.iter().map(|it| format!(" {it:?}")).collect();
        *text += &format!("{space}{}{labels} {{\n", self.kind);
        for (name, given) in &self.arguments {
            let given = match given {
                Given::Plain(it) if name == "source" => format!("{it:?}"),
                Given::Expr(it) | Given::Constant(it) | Given::Plain(it) => it.clone(),
                Given::List(all) => format!("[{}]", all.join(", ")),
            };
            *text += &format!("{space}  {name} = {given}\n");
        }
        self.blocks.iter().for_each(|it| it.native(indent + 2, text));
        *text += &format!("{space}}}\n");
    }

    fn json(&self) -> Json {
        let mut members = Map::new();
        for (name, given) in &self.arguments {
            let given = match given {
                Given::Plain(it) => Json::from(it.as_str()),
                Given::Constant(it) => constant(it),
                Given::Expr(it) => Json::from(format!("${{{it}}}")),
                Given::List(all) => all.iter().map(|it| Json::from(it.as_str())).collect(),
            };
            members.insert(name.clone(), given);
        }
        gather(&self.blocks, &mut members);
        Json::Object(members)
    }
}

/// A constant as JSON has it.
fn constant(text: &str) -> Json {
    let keys = ATTRIBUTES.iter().fold(text.to_owned(), |text, key| {
        text.replace(&format!(" {key} = "), &format!(" {key:?}: "))
    });
    serde_json::from_str(&keys).unwrap_or_else(|_| Json::from(text))
}

/// Blocks of a kind are together, those without labels in an array if there are several.
fn gather(blocks: &[Block], members: &mut Map<String, Json>) {
    for block in blocks {
        let mut within = &mut *members;
        let path: Vec<&String> = std::iter::once(&block.kind).chain(&block.labels).collect();
        let (last, rest) = path.split_last().unwrap();
        for name in rest {
            let next = within.entry(name.as_str()).or_insert_with(|| Json::Object(Map::new()));
            within = next.as_object_mut().unwrap();
        }
        let json = block.json();
        match within.get_mut(last.as_str()) {
            None => _ = within.insert((*last).clone(), json),
            Some(Json::Array(all)) => all.push(json),
            Some(it) => *it = Json::Array(vec![it.take(), json]),
        }
    }
}

/// The text of a file in native syntax.
pub fn native(blocks: &[Block]) -> String {
    let mut text = String::new();
    blocks.iter().for_each(|it| it.native(0, &mut text));
    text
}

/// The text of a file as JSON.
pub fn json(blocks: &[Block]) -> String {
    let mut members = Map::new();
    gather(blocks, &mut members);
    serde_json::to_string_pretty(&Json::Object(members)).unwrap() + "\n"
}
