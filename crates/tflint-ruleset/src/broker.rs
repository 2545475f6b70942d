//! The broker: tflint announces the address of a runner on one stream, and a check names its id on
//! another; either may come first.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::sync::Notify;
use tonic::{Request, Response, Status, Streaming, server::StreamingService};

use super::{rpc::BoxFuture, wire::Address};
use system::{EntryKind, OsSystem, System};

/// The time that a check waits for its runner's address.
const PATIENCE: Duration = Duration::from_mins(1);

/// The announced addresses that are not taken yet.
#[derive(Debug, Default)]
pub(super) struct Broker {
    announced: Mutex<HashMap<u32, Address>>,
    changed: Notify,
    /// The host's sockets that existed when the last one was announced.
    sockets: Mutex<Vec<PathBuf>>,
}

impl Broker {
    /// Takes the address of a service, once it is announced.
    pub async fn take(&self, service: u32) -> Result<Address, Status> {
        let taken = tokio::time::timeout(PATIENCE, self.wait_for(service)).await;
        taken.map_err(|_| Status::unavailable(format!("tflint announced no runner {service}")))
    }

    async fn wait_for(&self, service: u32) -> Address {
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            // From here on an announcement wakes us, even if it comes before the await.
            changed.as_mut().enable();
            if let Some(address) = self.lock().remove(&service) {
                return address;
            }
            changed.await;
        }
    }

    /// Removes the sockets of a host that was killed, or that ends before it removes them.
    #[expect(clippy::disallowed_methods, reason = "the socket does not belong to the current user")]
    pub fn clean_up(&self) {
        for path in self.sockets.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            if is_socket(&path) {
                let _ = std::fs::remove_file(path);
            }
        }
    }

    fn announce(&self, address: Address) {
        let mut sockets = self.sockets.lock().unwrap_or_else(PoisonError::into_inner);
        sockets.retain(|it| is_socket(it));
        sockets.push(PathBuf::from(&address.address));
        self.lock().insert(address.service, address);
        self.changed.notify_waiters();
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<u32, Address>> {
        self.announced.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn is_socket(path: &Path) -> bool {
    OsSystem.kind(path).is_ok_and(|it| it == EntryKind::Other)
}

/// `/plugin.GRPCBroker/StartStream`
pub(super) struct StartStream(pub Arc<Broker>);

impl StreamingService<Address> for StartStream {
    type Response = Address;
    /// A stream that is silent and never ends: its end would close tflint's side of the broker.
    type ResponseStream = tokio_stream::Pending<Result<Address, Status>>;
    type Future = BoxFuture<Result<Response<Self::ResponseStream>, Status>>;

    fn call(&mut self, request: Request<Streaming<Address>>) -> Self::Future {
        let broker = self.0.clone();
        let mut announcements = request.into_inner();
        tokio::spawn(async move {
            while let Ok(Some(address)) = announcements.message().await {
                broker.announce(address);
            }
        });
        Box::pin(std::future::ready(Ok(Response::new(tokio_stream::pending()))))
    }
}
