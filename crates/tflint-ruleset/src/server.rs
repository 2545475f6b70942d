//! The calls that tflint makes.

use std::{convert::Infallible, future::ready, sync::Arc, time::Duration};

use hyper::body::Incoming;
use tokio::sync::Notify;
use tonic::Status;

use super::{
    broker::{Broker, StartStream},
    check,
    rpc::{BoxFuture, HttpResponse, server, unary},
    ruleset::{self, Ruleset},
    runner::Runner,
    wire,
};

/// The time left to tflint between its `Shutdown` call and our end: it removes its sockets then.
pub(super) const GRACE: Duration = Duration::from_millis(1);

/// Everything that the connection's calls share.
#[derive(Clone, Default)]
pub(super) struct Server {
    pub broker: Arc<Broker>,
    ruleset: Arc<Ruleset>,
    /// Notified when the process is to end.
    pub finished: Arc<Notify>,
}

impl hyper::service::Service<http::Request<Incoming>> for Server {
    type Response = HttpResponse;
    type Error = Infallible;
    type Future = BoxFuture<Result<HttpResponse, Infallible>>;

    fn call(&self, request: http::Request<Incoming>) -> Self::Future {
        let server = self.clone();
        Box::pin(async move { Ok(server.answer(request).await) })
    }
}

impl Server {
    async fn answer(self, request: http::Request<Incoming>) -> HttpResponse {
        let path = request.uri().path().to_owned();
        let Some((service, method)) = path.trim_start_matches('/').split_once('/') else {
            return Status::unimplemented(path).into_http();
        };
        match (service, method) {
            ("proto.RuleSet", "Check") => {
                unary(request, move |it: wire::Check| self.clone().check(it.runner)).await
            }
            ("proto.RuleSet", _) => self.ruleset(method, request).await,
            ("plugin.GRPCBroker", "StartStream") => {
                server().streaming(StartStream(self.broker), request).await
            }
            ("plugin.GRPCController", "Shutdown") => {
                tokio::spawn(async move {
                    tokio::time::sleep(GRACE).await;
                    self.finished.notify_one();
                });
                constant(request, wire::Empty {}).await
            }
            ("grpc.health.v1.Health", "Check") => {
                constant(request, wire::Health { status: 1 }).await
            }
            _ => Status::unimplemented(path).into_http(),
        }
    }

    async fn ruleset(self, method: &str, request: http::Request<Incoming>) -> HttpResponse {
        let ruleset = self.ruleset;
        let text = |value: &str| wire::Text { value: value.to_owned() };
        match method {
            "GetName" => constant(request, text(ruleset::NAME)).await,
            "GetVersion" => constant(request, text(env!("CARGO_PKG_VERSION"))).await,
            "GetVersionConstraint" => constant(request, text(ruleset::TFLINT_VERSIONS)).await,
            "GetSDKVersion" => constant(request, text(ruleset::SDK_VERSION)).await,
            "GetRuleNames" => constant(request, ruleset::rule_names()).await,
            "GetConfigSchema" => constant(request, ruleset::config_schema()).await,
            "ApplyGlobalConfig" => {
                let apply = move |it: wire::ApplyGlobalConfig| {
                    ruleset.apply_global(&it.config.unwrap_or_default());
                    ready(Ok(wire::Empty {}))
                };
                unary(request, apply).await
            }
            "ApplyConfig" => {
                let apply = move |it: wire::ConfigContent| {
                    let applied = ruleset.apply(&it.content.unwrap_or_default());
                    ready(applied.map(|()| wire::Empty {}).map_err(Status::failed_precondition))
                };
                unary(request, apply).await
            }
            _ => Status::unimplemented(method.to_owned()).into_http(),
        }
    }

    async fn check(self, runner: u32) -> Result<wire::Empty, Status> {
        let address = self.broker.take(runner).await?;
        check::run(Runner::dial(&address).await?, self.ruleset.config()).await?;
        Ok(wire::Empty {})
    }
}

/// Answers with the same whatever the request says.
async fn constant<A>(request: http::Request<Incoming>, answer: A) -> HttpResponse
where
    A: prost::Message + Default + Clone + 'static,
{
    unary(request, move |_: wire::Empty| ready(Ok(answer.clone()))).await
}
