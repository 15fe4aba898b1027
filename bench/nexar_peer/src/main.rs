//! What `bench/compare` times of the crate nexar 0.1.2: an allReduce (sum of f32) of two processes,
//! each call timed on rank 0, as in mpi_peer.c.
//!
//!     cargo run --release -- 8,1048576,4194304
//!
//! The first process is the seed too, and starts the second. The crate tells no worker where the
//! others listen, so the second one reads that from its standard input. NEXAR_ENABLE_TCP_BULK_SIDECAR=0
//! leaves all to QUIC; by default the crate sends collectives over TCP with TLS, as here.

use nexar::transport::tcp_bulk;
use nexar::transport::tls;
use nexar::{
    CpuAdapter, DataType, NexarClient, NexarConfig, PeerConnection, PoolProfile, ReduceOp, SeedNode,
    TaggedBulkTransport, TransportListener, WorkerNode,
};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::collections::HashMap;
use std::error::Error;
use std::io::Write;
use std::net::SocketAddr;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

type Outcome<T> = Result<T, Box<dyn Error>>;

const LOOPBACK: &str = "127.0.0.1:0";

/// A client, and what must live as long as it does.
struct Member {
    client: NexarClient,
    _worker: WorkerNode,
    _endpoint: quinn::Endpoint,
}

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // With threads the crate is slower, and its side lane loses messages that come while their
    // receive begins.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    match &arguments[..] {
        [sizes] => runtime.block_on(first(sizes)),
        [sizes, seed] => runtime.block_on(second(sizes, seed.parse()?)),
        _ => Err("usage: nexar_peer SIZE,...".into()),
    }
}

async fn first(sizes: &str) -> Outcome<()> {
    let seed = SeedNode::bind_local(LOOPBACK.parse()?, 2)?;
    let at = seed.local_addr();
    let mut child = Command::new(std::env::current_exe()?)
        .args([sizes, &at.to_string()])
        .stdin(Stdio::piped())
        .spawn()?;
    let (formed, worker) = tokio::join!(seed.form_cluster(), WorkerNode::connect(at));
    formed?;
    let worker = worker?;
    let (cert, key, ca) = credentials(&worker)?;
    let listener = TransportListener::bind_with_mtls(LOOPBACK.parse()?, cert, key, &ca)?;
    let (bulk, bulk_at) = tcp_bulk::tcp_bulk_listen(LOOPBACK.parse()?).await?;
    let mut told = child.stdin.take().ok_or("the other has no standard input")?;
    writeln!(told, "{} {bulk_at}", listener.local_addr())?;
    let peer = PeerConnection::new(1 - worker.rank, listener.accept().await?);
    if NexarConfig::from_env().enable_tcp_bulk_sidecar {
        let (cert, key, ca) = credentials(&worker)?;
        let config = tls::make_bulk_tls_server_config(cert, key, &ca)?;
        attach(&peer, tcp_bulk::tcp_bulk_accept_tls(&bulk, config).await?)?;
    }
    let member = join(worker, peer, listener.endpoint().clone()).await;
    measure(&member.client, sizes).await?;
    drop(told);
    match child.wait()?.success() {
        true => Ok(()),
        false => Err("the other process failed".into()),
    }
}

async fn second(sizes: &str, seed: SocketAddr) -> Outcome<()> {
    let worker = WorkerNode::connect(seed).await?;
    let mut line = String::new();
    std::io::stdin().read_line(&mut line)?;
    let (at, bulk_at) = line.trim().split_once(' ').ok_or("no addresses came")?;
    let (cert, key, ca) = credentials(&worker)?;
    let mut endpoint = quinn::Endpoint::client(LOOPBACK.parse()?)?;
    endpoint.set_default_client_config(tls::make_client_config_mtls(cert, key, &ca)?);
    let connection = endpoint.connect(at.parse()?, "localhost")?.await?;
    let peer = PeerConnection::new(1 - worker.rank, connection);
    if NexarConfig::from_env().enable_tcp_bulk_sidecar {
        let (cert, key, ca) = credentials(&worker)?;
        let config = tls::make_bulk_tls_client_config(cert, key, &ca)?;
        attach(&peer, tcp_bulk::tcp_bulk_connect_tls(bulk_at.parse()?, config).await?)?;
    }
    let member = join(worker, peer, endpoint).await;
    measure(&member.client, sizes).await?;
    std::io::stdin().read_line(&mut line)?; // until the first is through too
    Ok(())
}

type Credentials = (
    CertificateDer<'static>,
    PrivateKeyDer<'static>,
    CertificateDer<'static>,
);

fn credentials(worker: &WorkerNode) -> Outcome<Credentials> {
    Ok((
        CertificateDer::from(worker.node_cert.clone()),
        PrivateKeyDer::try_from(worker.node_key.clone())?,
        CertificateDer::from(worker.ca_cert.clone()),
    ))
}

fn attach(peer: &PeerConnection, bulk: nexar::TcpBulkTransport) -> Outcome<()> {
    peer.add_extension(Arc::new(bulk) as Arc<dyn TaggedBulkTransport>)?;
    Ok(())
}

async fn join(worker: WorkerNode, peer: PeerConnection, endpoint: quinn::Endpoint) -> Member {
    peer.warm_stream_pool().await;
    let client = NexarClient::new_with_config(
        worker.rank,
        worker.world_size,
        HashMap::from([(peer.rank, peer)]),
        Arc::new(CpuAdapter::new()),
        PoolProfile::Training,
        NexarConfig::from_env(),
    );
    Member {
        client,
        _worker: worker,
        _endpoint: endpoint,
    }
}

async fn measure(client: &NexarClient, sizes: &str) -> Outcome<()> {
    for size in sizes.split(',') {
        let bytes: usize = size.parse()?;
        let iterations = match bytes {
            0..65536 => 20_000,
            65536..1_048_576 => 2_000,
            _ => 100,
        };
        verify(client, bytes).await?;
        let mut data = vec![0.0; bytes / 4]; // the sum is in place, and that of zeros stays so
        let mut times = Vec::with_capacity(iterations);
        for call in 0..iterations / 5 + 1 + iterations {
            let start = Instant::now();
            sum(client, &mut data).await?;
            if call > iterations / 5 {
                times.push(start.elapsed().as_nanos() as f64 / 1e3);
            }
        }
        verify(client, bytes).await?;
        if client.rank() == 0 {
            tell(bytes, times);
        }
    }
    Ok(())
}

async fn sum(client: &NexarClient, data: &mut [f32]) -> nexar::Result<()> {
    let at = data.as_mut_ptr() as u64;
    unsafe { client.all_reduce(at, data.len(), DataType::F32, ReduceOp::Sum).await }
}

/// One call on numbers that differ from item to item and from rank to rank.
async fn verify(client: &NexarClient, bytes: usize) -> Outcome<()> {
    let own = |rank: usize, item: usize| ((item * 7 + rank * 3) % 1021) as f32;
    let rank = client.rank() as usize;
    let mut data: Vec<f32> = (0..bytes / 4).map(|item| own(rank, item)).collect();
    sum(client, &mut data).await?;
    match (0..data.len()).find(|&item| data[item] != own(0, item) + own(1, item)) {
        None => Ok(()),
        Some(item) => Err(format!("of {bytes} bytes item {item} came out as {}", data[item]).into()),
    }
}

fn tell(bytes: usize, mut times: Vec<f64>) {
    times.sort_by(f64::total_cmp);
    let at = |part: f64| times[(times.len() as f64 * part) as usize];
    println!(
        "{{\"peer\":\"nexar-0.1.2\",\"op\":\"allreduce\",\"ranks\":2,\"bytes\":{bytes},\
         \"iterations\":{},\"min_us\":{:.3},\"p50_us\":{:.3},\"p99_us\":{:.3}}}",
        times.len(),
        times[0],
        at(0.5),
        at(0.99)
    );
}
