//! gRPC over one connection, in both directions: plain HTTP/2, no TLS.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
};

use http::uri::PathAndQuery;
use hyper::{body::Incoming, client::conn::http2::SendRequest};
use hyper_util::rt::{TokioExecutor, TokioIo};
use prost::Message;
use tokio::io::{AsyncRead, AsyncWrite};
use tonic::{Request, Response, Status, body::Body, server::UnaryService};
use tonic_prost::ProstCodec;

use super::wire::Address;

/// A future behind a trait.
pub type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;
/// What a server answers.
pub type HttpResponse = http::Response<Body>;

/// The calling end of a connection. Messages of any size come through.
pub struct Channel(tonic::client::Grpc<Link>);

impl Channel {
    /// Connects to a service of the broker.
    pub async fn dial(to: &Address) -> Result<Channel, Status> {
        let failed = |it: std::io::Error| Status::unavailable(format!("{}: {it}", to.address));
        match to.network.as_str() {
            #[cfg(unix)]
            "unix" => {
                let stream = tokio::net::UnixStream::connect(&to.address).await.map_err(failed)?;
                Channel::over(stream).await
            }
            "tcp" => {
                let stream = tokio::net::TcpStream::connect(&to.address).await.map_err(failed)?;
                Channel::over(stream).await
            }
            other => Err(Status::unimplemented(format!("the network \"{other}\" is not known"))),
        }
    }

    /// Speaks over a stream that is connected already.
    pub async fn over<S>(stream: S) -> Result<Channel, Status>
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let io = TokioIo::new(stream);
        let opened = hyper::client::conn::http2::handshake(TokioExecutor::new(), io).await;
        let (sender, connection) = opened.map_err(|it| Status::unavailable(it.to_string()))?;
        tokio::spawn(connection);
        let origin = http::Uri::from_static("http://plugin");
        let client = tonic::client::Grpc::with_origin(Link(sender), origin);
        Ok(Channel(client.max_decoding_message_size(usize::MAX)))
    }

    /// A call with one request and one answer, such as `/proto.Runner/GetFiles`.
    pub async fn call<Q, A>(&mut self, path: &'static str, request: Q) -> Result<A, Status>
    where
        Q: Message + 'static,
        A: Message + Default + 'static,
    {
        self.0.ready().await.map_err(|it| Status::unavailable(it.to_string()))?;
        let codec = ProstCodec::<Q, A>::default();
        let answer =
            self.0.unary(Request::new(request), PathAndQuery::from_static(path), codec).await?;
        Ok(answer.into_inner())
    }

    /// The client below, for calls that are streams.
    pub fn client(&mut self) -> &mut tonic::client::Grpc<Link> {
        &mut self.0
    }
}

/// The connection as tonic wants to see it.
#[derive(Clone)]
pub struct Link(SendRequest<Body>);

impl tower_service::Service<http::Request<Body>> for Link {
    type Response = http::Response<Incoming>;
    type Error = hyper::Error;
    type Future = BoxFuture<Result<Self::Response, hyper::Error>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), hyper::Error>> {
        self.0.poll_ready(context)
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        Box::pin(self.0.send_request(request))
    }
}

/// The answering end of a connection: the codec for one call.
pub fn server<A, Q>() -> tonic::server::Grpc<ProstCodec<A, Q>>
where
    A: Message + Default + 'static,
    Q: Message + Default + 'static,
{
    tonic::server::Grpc::new(ProstCodec::default()).max_decoding_message_size(usize::MAX)
}

/// Answers a call with one request and one answer.
pub async fn unary<Q, A, F, R>(request: http::Request<Incoming>, answer: F) -> HttpResponse
where
    Q: Message + Default + 'static,
    A: Message + Default + 'static,
    F: FnMut(Q) -> R + Send + 'static,
    R: Future<Output = Result<A, Status>> + Send + 'static,
{
    server().unary(Unary(answer), request).await
}

struct Unary<F>(F);

impl<Q, A, F, R> UnaryService<Q> for Unary<F>
where
    F: FnMut(Q) -> R,
    R: Future<Output = Result<A, Status>> + Send + 'static,
    A: Message,
{
    type Response = A;
    type Future = BoxFuture<Result<Response<A>, Status>>;

    fn call(&mut self, request: Request<Q>) -> Self::Future {
        let answer = (self.0)(request.into_inner());
        Box::pin(async move { answer.await.map(Response::new) })
    }
}
