//! A host that speaks tflint's side of the protocol to the plugin.

use std::{
    collections::HashMap,
    convert::Infallible,
    fs,
    future::ready,
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex},
    time::Duration,
};

use hyper_util::rt::{TokioExecutor, TokioIo};
use tempfile::TempDir;
use tflint_ruleset::{
    rpc::{BoxFuture, Channel, HttpResponse, unary},
    wire::{
        Address, ApplyGlobalConfig, Attribute, BodyContent, Check, ConfigContent, EmitIssue, Empty,
        Expression, Files, GetRuleConfig, GlobalConfig, IssueApplied, Position, Range, Text, Texts,
    },
};
use tokio::{net::UnixListener, sync::mpsc};
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Status};

pub const PLUGIN: &str = env!("CARGO_BIN_EXE_tflint-ruleset-terraschema");
const COOKIE: &str = "5adSn1bX8nrDfgBqiAqqEkC6OE1h3iD8SqbMc5UUONx8x3xCF0KlPDsBRNDjoYDP";

/// The plugin's process and the connection to it.
pub struct FakeHost {
    pub process: Child,
    pub handshake: String,
    pub channel: Channel,
    /// The module's directory, and the one of all sockets.
    pub dir: TempDir,
    pub sockets: TempDir,
    announce: mpsc::Sender<Address>,
    checks: u32,
}

/// What the host reports during one check.
#[derive(Clone, Debug, Default)]
pub struct RunnerFacts {
    pub module_path: Vec<String>,
    pub files: HashMap<String, Vec<u8>>,
    /// Contents of `rule` blocks.
    pub rules: HashMap<String, BodyContent>,
}

impl RunnerFacts {
    pub fn files(files: &[(&str, &str)]) -> RunnerFacts {
        let files = files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec()));
        RunnerFacts { files: files.collect(), ..RunnerFacts::default() }
    }
}

/// Starts the plugin as tflint does.
pub fn start(dir: &Path, sockets: &Path) -> Child {
    let mut command = Command::new(PLUGIN);
    command.current_dir(dir).env("TMPDIR", sockets).env("TFLINT_RULESET_PLUGIN", COOKIE);
    command.env_remove("TFLINT_LOG").stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// The line that the plugin says first.
pub fn handshake(process: &mut Child) -> String {
    let mut line = String::new();
    BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
    line
}

impl FakeHost {
    pub async fn new() -> FakeHost {
        let (dir, sockets) = (TempDir::new().unwrap(), TempDir::new().unwrap());
        let mut process = start(dir.path(), sockets.path());
        let handshake = handshake(&mut process);
        let socket = handshake.split('|').nth(3).unwrap();
        let stream = tokio::net::UnixStream::connect(socket).await.unwrap();
        let mut channel = Channel::over(stream).await.unwrap();
        let (announce, announced) = mpsc::channel(8);
        let client = channel.client();
        client.ready().await.unwrap();
        let path = http::uri::PathAndQuery::from_static("/plugin.GRPCBroker/StartStream");
        let codec = tonic_prost::ProstCodec::<Address, Address>::default();
        let stream = Request::new(ReceiverStream::new(announced));
        let answers = client.streaming(stream, path, codec).await.unwrap().into_inner();
        // The plugin must not see this stream end while it lives.
        std::mem::forget(answers);
        FakeHost { process, handshake, channel, dir, sockets, announce, checks: 0 }
    }

    /// Writes a file into the module's directory.
    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.dir.path().join(name), text).unwrap();
    }

    pub async fn ask(&mut self, method: &'static str) -> String {
        let answer: Text = self.channel.call(method, Empty {}).await.unwrap();
        answer.value
    }

    pub async fn apply_global(&mut self, config: GlobalConfig) {
        let request = ApplyGlobalConfig { config: Some(config) };
        let _: Empty =
            self.channel.call("/proto.RuleSet/ApplyGlobalConfig", request).await.unwrap();
    }

    pub async fn apply(&mut self, content: BodyContent) -> Result<(), Status> {
        let request = ConfigContent { content: Some(content) };
        let _: Empty = self.channel.call("/proto.RuleSet/ApplyConfig", request).await?;
        Ok(())
    }

    /// Runs these rules alone.
    pub async fn only(&mut self, rules: &[&str]) {
        let only = rules.iter().map(|it| (*it).to_owned()).collect();
        self.apply_global(GlobalConfig { only, ..GlobalConfig::default() }).await;
    }

    /// One check; the runner's address comes a little later than the call.
    pub async fn check(&mut self, told: RunnerFacts) -> Result<Vec<EmitIssue>, Status> {
        self.checks += 1;
        let id = self.checks;
        let socket = self.sockets.path().join(format!("broker{id}"));
        let listener = UnixListener::bind(&socket).unwrap();
        let dir = self.dir.path().to_str().unwrap().to_owned();
        let runner = Runner { told: Arc::new(told), dir, issues: Arc::default() };
        let issues = runner.issues.clone();
        tokio::spawn(async move {
            let (stream, _) = listener.accept().await.unwrap();
            let http = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
            let _ = http.serve_connection(TokioIo::new(stream), runner).await;
        });
        let address = socket.to_str().unwrap().to_owned();
        let announce = self.announce.clone();
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(20)).await;
            let network = "unix".to_owned();
            announce.send(Address { service: id, network, address }).await.unwrap();
        });
        let checked = self.channel.call::<_, Empty>("/proto.RuleSet/Check", Check { runner: id });
        let checked = checked.await;
        fs::remove_file(socket).unwrap();
        let found = issues.lock().unwrap().clone();
        checked.map(|_| found)
    }
}

impl Drop for FakeHost {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[derive(Clone)]
struct Runner {
    told: Arc<RunnerFacts>,
    dir: String,
    issues: Arc<Mutex<Vec<EmitIssue>>>,
}

impl hyper::service::Service<http::Request<hyper::body::Incoming>> for Runner {
    type Response = HttpResponse;
    type Error = Infallible;
    type Future = BoxFuture<Result<HttpResponse, Infallible>>;

    fn call(&self, request: http::Request<hyper::body::Incoming>) -> Self::Future {
        let Runner { told, dir, issues } = self.clone();
        Box::pin(async move {
            let path = request.uri().path().to_owned();
            Ok(match path.as_str() {
                "/proto.Runner/GetModulePath" => {
                    let answer = Texts { values: told.module_path.clone() };
                    unary(request, move |_: Empty| ready(Ok(answer.clone()))).await
                }
                "/proto.Runner/GetOriginalwd" => {
                    unary(request, move |_: Empty| ready(Ok(Text { value: dir.clone() }))).await
                }
                "/proto.Runner/GetFiles" => {
                    let answer = Files { files: told.files.clone() };
                    unary(request, move |_: Empty| ready(Ok(answer.clone()))).await
                }
                "/proto.Runner/GetRuleConfigContent" => {
                    let answer = move |it: GetRuleConfig| {
                        let content = told.rules.get(&it.rule).cloned().unwrap_or_default();
                        ready(Ok(ConfigContent { content: Some(content) }))
                    };
                    unary(request, answer).await
                }
                "/proto.Runner/EmitIssue" => {
                    let answer = move |it: EmitIssue| {
                        issues.lock().unwrap().push(it);
                        ready(Ok(IssueApplied { applied: true }))
                    };
                    unary(request, answer).await
                }
                _ => Status::unimplemented(path).into_http(),
            })
        })
    }
}

/// The content of a block with one attribute, whose value is source text of this file.
pub fn content(name: &str, source: &str, filename: &str) -> BodyContent {
    let start = Some(Position { line: 3, column: 15, byte: 40 });
    let range = Some(Range { filename: filename.to_owned(), start, end: start });
    let expression = Some(Expression { source: source.as_bytes().to_vec(), range: range.clone() });
    let attribute = Attribute { name: name.to_owned(), range, expression };
    BodyContent { attributes: HashMap::from([(name.to_owned(), attribute)]) }
}

/// Runs a test's future.
pub fn run<T>(test: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test)
}
