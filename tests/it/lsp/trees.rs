//! Hours of work in repositories, at random: several documents that belong together, edits that break and repair them,
//! files that come, go and get other names. After each step the client sees what `check` reports.
//!
//! `TERRASCHEMA_EDITS` is the number of steps, `TERRASCHEMA_SEED` chooses others, and `TERRASCHEMA_REPOSITORIES` is a directory
//! of repositories; without it, the work is done in a small one.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use testkit::random::Random;

use super::{
    Texts, Units,
    edits::TYPED,
    world::{Known, World},
};

/// Longer files cost the time of many edits.
const MOST_BYTES: usize = 24_000;
/// Steps in one directory and its neighbours.
const STAY: usize = 60;

const SMALL: &[(&str, &str)] = &[
    (
        ".terraschema.hcl",
        "calls = true
input \"dev\" {
  files = [\"envs/base.tfvars\", \"envs/dev.tfvars\"]
}
input \"net\" {
  module = \"modules/net\"
  files  = [\"envs/net.tfvars.json\"]
}
input \"every\" {
  modules = [\"services/*\"]
  files   = [\"envs/every.tfvars\"]
}
input \"each\" {
  module = \"services/a\"
  each   = \"regions/*.tfvars\"
}
input \"inner\" {
  module = \".\"
  files  = [\"modules/net/root.tfvars\"]
}
rule \"unknown-attribute\" {
  level = \"error\"
}
policy {
  rules = [\"policies\"]
}
",
    ),
    (
        "services/a/main.tf",
        "variable \"size\" {\n  type = number\n}\nvariable \"most\" {\n  default = 1\n}\n",
    ),
    (
        "services/b/main.tf",
        "variable \"size\" {\n  type = string\n  validation {\n    condition     = var.size != \"9\"\n    error_message = \"Not nine.\"\n  }\n}\n",
    ),
    ("envs/every.tfvars", "size = 9\n"),
    ("regions/eu.tfvars", "size = \"many\"\n"),
    ("regions/us.tfvars", "size = 3\n"),
    ("modules/net/root.tfvars", "size = 4\nextra = 1\n"),
    (
        "units/app/terragrunt.hcl",
        "terraform {\n  source = \"../../modules/unit\"\n}\ngenerate \"more\" {\n  path      = \"more.tf\"\n  if_exists = \"overwrite\"\n  contents  = \"${local.text}\"\n}\n",
    ),
    ("modules/unit/main.tf", "output \"x\" {\n  value = var.nope\n}\n"),
    ("modules/unit/dev.tfvars", "nope = 1\n"),
    (
        "policies/names.rules.hcl",
        "rule \"names\" {
  resource \"terraform_data\" {
    input = matches(\"^[a-z]+$\")
  }
}
",
    ),
    (
        "main.tf",
        "terraform {\r
  required_version = \">= 1.9\"\r
}\r
variable \"size\" {\r
  type    = number\r
  default = 2\r
  validation {\r
    condition     = var.size > 1 && var.size < var.most\r
    error_message = \"💥 Between one and ${var.most}.\"\r
  }\r
}\r
variable \"most\" {\r
  default = 9\r
}\r
variable \"secret\" {\r
  sensitive = true\r
  default   = \"geheim\"\r
}\r
module \"net\" {\r
  source = \"./modules/net\"\r
  cidr   = \"10.0.0.0/8\"\r
  zones  = { for it in range(var.size) : \"z${it}\" => { name = upper(\"é\") } }\r
}\r
module \"two\" {
  source   = \"./modules/net\"
  for_each = toset([\"a\", \"b\"])
  cidr     = each.key == \"a\" ? \"10.1.0.0/16\" : var.secret
}
output \"out\" {
  value = module.net.names[0]
}
",
    ),
    (
        "modules/net/variables.tf",
        "variable \"cidr\" {
  type = string
  validation {
    condition     = can(cidrhost(var.cidr, 1))
    error_message = \"No network.\"
  }
}
variable \"zones\" {
  type    = map(object({ name = string, on = optional(bool, true), size = optional(number) }))
  default = {}
  validation {
    condition     = alltrue([for it in var.zones : length(it.name) > 0])
    error_message = \"A zone has a name.\"
  }
}
",
    ),
    (
        "modules/net/main.tf",
        "locals {
  names = [for it in values(var.zones) : it.name]
}
module \"leaf\" {
  source = \"../leaf\"
  names  = local.names
}
output \"names\" {
  value = module.leaf.names
}
",
    ),
    (
        "modules/leaf/main.tf.json",
        "{\"variable\": {\"names\": {\"type\": \"list(string)\"}},\n \"output\": {\"names\": {\"value\": \"${var.names}\"}}}\n",
    ),
    ("envs/base.tfvars", "# é 💥 e\u{301}\nmost = 8 /* 👩‍👩‍👧 */\n"),
    ("envs/dev.tfvars", "size = 1\nnmae = \"x\"\n"),
    (
        "envs/net.tfvars.json",
        "{\"cidr\": \"10.0.0.0/33\",\r\n \"zones\": {\"💥\": {\"name\": \"\", \"nmae\": null}}}\n",
    ),
    (
        "modules/net/terraform.tfvars",
        "zones = {\n  \"a💥\" = { name = \"x\", on = \"perhaps\" }\n}\n",
    ),
    ("with blank/ä.auto.tfvars", "x = [1, 2]\n"),
    ("with blank/main.tf", "variable \"x\" {\n  type = set(string)\n}\n"),
];

/// What is typed in modules.
const OF_MODULES: &[&str] = &[
    "variable \"size\" {\n  type = number\n}\n",
    "variable \"extra\" {}\n",
    "validation {\n  condition = var.size > 3\n  error_message = \"More.\"\n}\n",
    "nullable = false\n",
    "sensitive = true\n",
    "default = null\n",
    "default = []\n",
    "type = object({ a = optional(string, \"x\") })\n",
    "type = any\n",
    "locals {\n  l = var.size\n}\n",
    "count = 0\n",
    "source = \"./\"\n",
    "for_each = {}\n",
    "output \"o\" { value = local.l }\n",
    "moved {\n  from = module.a\n  to = module.b\n}\n",
    "required_version = \">= 1.3\"\n",
    "[for x in var.",
    "? 1 : 2",
    "depends_on = [",
    "%{ if true }",
];

/// What is typed in values files.
const OF_VALUES: &[&str] = &[
    " = null\n",
    " = true\n",
    " = {}\n",
    " = [\n  1,\n]\n",
    " = { name = \"x\", }\n",
    " = \"${1}\"\n",
    " = <<EOT\n  a\nEOT\n",
    " = -1e400\n",
    "(\"a\") = 1\n",
    "block {}\n",
    ": [1]",
    "\"b\": {},",
];

/// What is typed in a configuration.
const OF_CONFIGURATION: &[&str] = &[
    "terraform_version = \"1.9\"\n",
    "opentofu = true\n",
    "calls = false\n",
    "given = [\"size\", \"c*\"]\n",
    "input \"x\" {\n  files = [\"envs/dev.tfvars\"]\n}\n",
    "input \"y\" {\n  modules = [\"modules/*\", \"services/*\"]\n  files = [\"envs/net.tfvars.json\"]\n}\n",
    "input \"z\" {\n  module = \"services/b\"\n  each = \"envs/*.tfvars\"\n}\n",
    "input \"root\" {\n  module = \".\"\n  files = [\"services/a/x.tfvars\"]\n}\n",
    "rule \"undeclared-variable\" {\n  level = \"error\"\n}\n",
    "rule \"validation-failed\" {\n  level = \"off\"\n}\n",
    "ignore \"missing-variable\" {\n  reason = \"later\"\n}\n",
    "modules {\n  exclude = [\"modules/**\"]\n}\n",
    "policy {\n  rules = [\"nowhere\"]\n}\n",
    "partial = true\n",
    "schema {\n  file = \"s.json\"\n}\n",
];

/// Who works where.
struct Worker {
    random: Random,
    world: World,
    /// Words of the repository.
    words: Vec<String>,
    /// The directories of the modules.
    dirs: Vec<String>,
    /// Where the work is at the moment.
    dir: String,
    /// Texts before an edit that broke something, to be restored.
    before: Vec<(String, String)>,
}

fn dir_of(name: &str) -> &str {
    name.rsplit_once('/').map_or("", |it| it.0)
}

fn is_document(name: &str) -> bool {
    [".tf", ".tfvars", ".tf.json", ".tfvars.json", ".rules.hcl", ".terraschema.hcl"]
        .iter()
        .any(|it| name.ends_with(it))
}

/// What git ignores and what it tracks, in one of two repositories.
fn known(files: &Texts, random: &mut Random) -> Known {
    if random.chance(50) {
        return Known::default();
    }
    let names: Vec<&String> = files.keys().collect();
    let mut ignored = String::new();
    for _ in 0..=random.below(4) {
        let name = *random.pick(&names);
        let pattern = match random.below(6) {
            0 => "*.tfvars".to_owned(),
            1 => "*.auto.tfvars".to_owned(),
            2 => "new.*".to_owned(),
            3 => format!("{}/*.tfvars*", dir_of(name)),
            4 => format!("!{}", name.rsplit('/').next().unwrap()),
            _ => format!("/{name}"),
        };
        ignored += &format!("{pattern}\n");
    }
    let share = *random.pick(&[20, 50, 100]);
    let tracked = names.into_iter().filter(|_| random.chance(share)).cloned().collect();
    Known { ignored, tracked }
}

impl Worker {
    fn new(files: &Texts, units: Units, watches: bool, mut random: Random) -> Worker {
        let mut words: Vec<String> = Vec::new();
        let mut dirs: Vec<String> = Vec::new();
        for (name, text) in files {
            let is_word = |it: &&str| it.len() > 2 && it.is_ascii();
            let found = text.split(|it: char| !it.is_alphanumeric() && it != '_').filter(is_word);
            words.extend(found.map(str::to_owned));
            let dir = dir_of(name).to_owned();
            if name.ends_with(".tf") && !dirs.contains(&dir) {
                dirs.push(dir);
            }
        }
        let dir = random.pick(&dirs).clone();
        let known = known(files, &mut random);
        let world = World::new(files, units, watches, known);
        Worker { random, world, words, dirs, dir, before: Vec::new() }
    }

    /// Something to type in a file.
    fn typed(&mut self, name: &str) -> String {
        let of_kind = match name {
            it if it.ends_with(".terraschema.hcl") => OF_CONFIGURATION,
            it if it.contains(".tfvars") => OF_VALUES,
            _ => OF_MODULES,
        };
        match self.random.below(10) {
            0..=3 => (*self.random.pick(TYPED)).to_owned(),
            4..=6 => (*self.random.pick(of_kind)).to_owned(),
            7 => format!("{} = {}\n", self.word(), self.random.below(9)),
            8 => format!("var.{}", self.word()),
            _ => self.word(),
        }
    }

    fn word(&mut self) -> String {
        self.random.pick(&self.words).clone()
    }

    /// An open document; one is opened if none is.
    fn document(&mut self) -> Option<String> {
        if self.world.open.is_empty() {
            self.open();
        }
        let names: Vec<String> = self.world.open.keys().cloned().collect();
        (!names.is_empty()).then(|| self.random.pick(&names).clone())
    }

    /// Opens a file of this directory or of one that has to do with it.
    fn open(&mut self) {
        let near = |name: &&String| {
            let dir = dir_of(name);
            let is_below = dir.starts_with(&self.dir) && dir.len() < self.dir.len() + 20;
            dir == self.dir || is_below || name.ends_with(".terraschema.hcl")
        };
        let texts = &self.world.disk;
        let mut names: Vec<String> = texts.keys().filter(near).cloned().collect();
        // The modules that it calls, by their sources.
        let calls = texts.iter().filter(|it| dir_of(it.0) == self.dir);
        let sources = calls.flat_map(|it| it.1.split('"')).filter(|it| it.starts_with('.'));
        for source in sources.map(|it| clean(&format!("{}/{it}", self.dir))) {
            names.extend(texts.keys().filter(|it| dir_of(it) == source).cloned());
        }
        names.retain(|it| !self.world.open.contains_key(it) && is_document(it));
        if !names.is_empty() {
            let name = self.random.pick(&names).clone();
            self.world.open(&name);
        }
    }

    /// The starts of the characters of a text at which somebody can type.
    fn places(text: &str) -> Vec<usize> {
        let is_place = |it: &usize| text.is_char_boundary(*it) && !text[..*it].ends_with('\r');
        (0..=text.len()).filter(is_place).collect()
    }

    /// An edit of a few characters.
    fn small_edit(&mut self, text: &str, name: &str) -> (usize, usize, String) {
        let places = Self::places(text);
        let start = *self.random.pick(&places);
        let long = if self.random.chance(10) { 60 } else { 3 };
        let end = (start + self.random.below(long)).min(text.len());
        let end = *places.iter().find(|it| **it >= end).unwrap();
        let new = if self.random.chance(70) { self.typed(name) } else { String::new() };
        (start, end, new)
    }

    /// Whole lines that go somewhere else, as two edits.
    fn moved_lines(&mut self, text: &str) -> Vec<(usize, usize, String)> {
        let ends = text.match_indices('\n').map(|it| it.0 + 1);
        let starts: Vec<usize> = [0].into_iter().chain(ends).collect();
        let first = self.random.below(starts.len());
        let last = (first + 1 + self.random.below(4)).min(starts.len() - 1).max(first);
        let (start, end) = (starts[first], starts[last]);
        let lines = text[start..end].to_owned();
        let to = *self.random.pick(&starts);
        let to = if to >= end { to - lines.len() } else { to.min(start) };
        if self.random.chance(30) {
            // Written twice.
            return vec![(start, start, lines)];
        }
        vec![(start, end, String::new()), (to, to, lines)]
    }

    fn edit(&mut self, name: &str, edits: Vec<(usize, usize, String)>) {
        let mut text = self.world.open[name].clone();
        for (start, end, new) in &edits {
            if !text.is_char_boundary(*start) || !text.is_char_boundary(*end) {
                return;
            }
            text.replace_range(start..end, new);
            // A lone carriage return is a line end of the protocol and not of ours.
            if text.replace("\r\n", "").contains('\r') || text.len() > 2 * MOST_BYTES {
                return;
            }
        }
        self.before.push((name.to_owned(), self.world.open[name].clone()));
        self.world.edit(name, &edits);
    }

    /// Takes a step; returns what it was.
    fn step(&mut self) -> String {
        let choice = self.random.below(100);
        if choice < 4 || self.world.open.is_empty() {
            self.open();
            return "open".to_owned();
        }
        let Some(name) = self.document() else { return "nothing".to_owned() };
        let text = self.world.open[&name].clone();
        match choice {
            4..=5 if self.world.open.len() > 1 => {
                self.world.close(&name);
                format!("close {name}")
            }
            6..=8 => {
                self.world.save(&name);
                format!("save {name}")
            }
            9..=10 => {
                // As it was before the first of the last edits.
                let Some(at) = self.before.iter().position(|it| it.0 == name) else {
                    return "nothing".to_owned();
                };
                let (_, text) = self.before.remove(at);
                self.before.retain(|it| it.0 != name);
                self.world.replace(&name, &text);
                format!("restore {name}")
            }
            11..=26 => {
                // Undone in one step.
                let Some(at) = self.before.iter().rposition(|it| it.0 == name) else {
                    return "nothing".to_owned();
                };
                let (_, text) = self.before.remove(at);
                let old = self.world.open[&name].len();
                self.world.edit(&name, &[(0, old, text)]);
                format!("undo in {name}")
            }
            27..=36 => {
                let edits = self.moved_lines(&text);
                self.edit(&name, edits);
                format!("move lines of {name}")
            }
            37..=40 if self.world.watches => self.change_disk(),
            41..=45 => {
                let edits = vec![self.small_edit(&text, &name)];
                self.edit(&name, edits);
                let text = self.world.open[&name].clone();
                let edits = vec![self.small_edit(&text, &name)];
                self.edit(&name, edits);
                format!("two edits of {name}")
            }
            _ => {
                let edits = vec![self.small_edit(&text, &name)];
                self.edit(&name, edits);
                format!("edit {name}")
            }
        }
    }

    /// Makes, writes, deletes or renames a file behind the documents.
    fn change_disk(&mut self) -> String {
        let near: Vec<String> = self
            .world
            .disk
            .keys()
            .filter(|it| dir_of(it) == self.dir || it.ends_with(".terraschema.hcl"))
            .filter(|it| is_document(it))
            .cloned()
            .collect();
        if near.is_empty() {
            return "nothing".to_owned();
        }
        let name = self.random.pick(&near).clone();
        let text = self.world.disk[&name].clone();
        let dir = self.dir.clone();
        let within = |name: &str| match &*dir {
            "" => name.to_owned(),
            dir => format!("{dir}/{name}"),
        };
        match self.random.below(5) {
            0 => {
                let new = match self.random.below(4) {
                    0 => within("new.auto.tfvars"),
                    1 => within("new.tf"),
                    2 => within("new.tfvars.json"),
                    _ => ".terraschema.hcl".to_owned(),
                };
                let text = match self.random.below(3) {
                    0 if new.ends_with(".json") => "{}".to_owned(),
                    _ => format!("{}{}", self.typed(&new), self.typed(&new)),
                };
                self.world.write(&new, Some(&text));
                format!("write {new}")
            }
            1 => {
                self.world.write(&name, None);
                format!("delete {name}")
            }
            2 => {
                let ending = name.rsplit_once('.').map_or("tf", |it| it.1);
                let new = within(&format!("{}.{ending}", self.word()));
                self.world.write(&name, None);
                self.world.write(&new, Some(&text));
                format!("rename {name} to {new}")
            }
            _ => {
                let (start, end, new) = self.small_edit(&text, &name);
                let mut text = text;
                text.replace_range(start..end, &new);
                if text.replace("\r\n", "").contains('\r') {
                    return "nothing".to_owned();
                }
                self.world.write(&name, Some(&text));
                format!("write {name}")
            }
        }
    }

    /// Goes on somewhere else.
    fn go(&mut self) {
        let names: Vec<String> = self.world.open.keys().cloned().collect();
        names.iter().for_each(|it| self.world.close(it));
        self.before.clear();
        self.dir = self.random.pick(&self.dirs).clone();
        for _ in 0..=self.random.below(4) {
            self.open();
        }
    }
}

/// A relative path without `.` and `..`.
fn clean(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => (),
            ".." => _ = parts.pop(),
            it => parts.push(it),
        }
    }
    parts.join("/")
}

/// The files of a repository that matter.
fn files_below(root: &Path) -> Texts {
    let mut files = Texts::new();
    let mut pending: Vec<PathBuf> = vec![root.to_owned()];
    while let Some(dir) = pending.pop() {
        for entry in fs::read_dir(&dir).unwrap().flatten() {
            let (path, kind) = (entry.path(), entry.file_type().unwrap());
            let name = path.strip_prefix(root).unwrap().to_str().unwrap_or_default().to_owned();
            if kind.is_dir() && !name.ends_with(".git") {
                pending.push(path);
            } else if kind.is_file()
                && is_document(&name)
                && let Ok(text) = fs::read_to_string(&path)
                && text.len() <= MOST_BYTES
            {
                files.insert(name, text);
            }
        }
    }
    files
}

/// The resident memory of this process in KiB.
fn memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|it| it.strip_prefix("VmRSS:"));
    let number = line.and_then(|it| it.trim().strip_suffix(" kB")?.parse().ok());
    number.unwrap_or_default()
}

#[test]
fn work_in_repositories_is_judged_as_check_does() {
    let number = |name: &str| env::var(name).ok().and_then(|it| it.parse::<usize>().ok());
    let steps = number("TERRASCHEMA_EDITS").unwrap_or(150);
    let seed = number("TERRASCHEMA_SEED").unwrap_or(1);
    let small = || SMALL.iter().map(|it| (it.0.to_owned(), it.1.to_owned())).collect::<Texts>();
    let trees: Vec<(String, Texts)> = match env::var_os("TERRASCHEMA_REPOSITORIES") {
        None => vec![("small".to_owned(), small())],
        Some(dir) => {
            let mut dirs: Vec<PathBuf> =
                fs::read_dir(dir).unwrap().map(|it| it.unwrap().path()).collect();
            dirs.sort();
            dirs.iter().map(|it| (it.display().to_string(), files_below(it))).collect()
        }
    };
    assert!(!trees.is_empty());
    let each = steps.div_ceil(2 * trees.len());
    for (at, (tree, files)) in trees.iter().enumerate() {
        for (units, watches) in [(Units::Utf16, true), (Units::Bytes, false)] {
            let random = Random::new((seed * 1000 + at) as u64 * 2 + u64::from(watches));
            let mut worker = Worker::new(files, units, watches, random);
            for step in 0..each {
                if step % STAY == 0 {
                    worker.go();
                }
                let did = worker.step();
                let mut what = format!("seed {seed}, {tree}, {units:?}, step {step}: {did}");
                if !worker.world.known.ignored.is_empty() {
                    what += &format!(", ignored {:?}", worker.world.known.ignored);
                }
                // Some edits follow each other before the verdict is there.
                if worker.random.chance(85) {
                    worker.world.assert_same(&what);
                }
                // That takes the longer the more files there are.
                if step % files.len().max(40) == 39 {
                    worker.world.assert_same_as_whole(&what);
                }
                if step % 1000 == 999 {
                    eprintln!("{tree} {units:?}: {step} steps, {} KiB", memory());
                }
            }
        }
    }
}
