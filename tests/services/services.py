"""Fetch, start and stop the real servers that tests speak to: Elasticsearch, Virtuoso, Fuseki, PostgreSQL and Redis.

    python tests/services/services.py start                    # all of them, with the tests' data
    python tests/services/services.py start elasticsearch --name second --port 19201 --join elasticsearch
    python tests/services/services.py start elasticsearch --name secure --port 19202 --secure
    python tests/services/services.py status
    python tests/services/services.py stop

A server that runs already is left alone, so that starting twice does no harm. All that a server has (program, data,
log, and a note of its process and ports) lies in one folder: ``.services`` in the repository, or what the environment
variable TRIAD_SERVICES names. Missing programs are installed by apt-get (as root), Java programs are fetched by Maven.

Ports are fixed and not the servers' usual ones, so as not to clash with servers of the user's own; ``--port`` or a
variable such as TRIAD_VIRTUOSO_PORT chooses others. The servers listen on this machine only.
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import gzip
import hashlib
import json
import os
import re
import shutil
import signal
import socket
import ssl
import struct
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]

ELASTICSEARCH = "org.elasticsearch.distribution.integ-test-zip:elasticsearch:8.19.21:zip"
"""The official server with the modules for HTTP and security only; it comes without a JDK."""
FUSEKI = "org.apache.jena:jena-fuseki-server:5.6.0:jar"
SOON = "-XX:TieredStopAtLevel=1 -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"
"""Has Java compile quickly instead of well, and classes not verified: the start of a server takes half the work."""
JAVA_VERSIONS = range(17, 25)
"""Versions of Java that both servers run on."""

PORTS = {"elasticsearch": 19200, "virtuoso": 18890, "fuseki": 13030, "postgresql": 15432, "redis": 16379}
"""The port of each server, of several that for HTTP, unless told otherwise."""
NAMES = tuple(PORTS)

USER, PASSWORD = "triad", "triad-test"
"""Who may use an Elasticsearch with security."""
NOBODY = 65534

PATIENCE = 300.0
"""Seconds that a server may take to come up."""
TAIL = 30
"""Lines of a log that an error shows."""

DEMO_GRAPH = "http://triad.test/demo"
CK25_GRAPH = "http://triad.test/ck25"

LABEL_PROPERTIES = {
    "label": "http://www.w3.org/2000/01/rdf-schema#label",
    "prefLabel": "http://www.w3.org/2004/02/skos/core#prefLabel",
    "altLabel": "http://www.w3.org/2004/02/skos/core#altLabel",
    "foafName": "http://xmlns.com/foaf/0.1/name",
    "schemaName": "http://schema.org/name",
}
"""Properties that Fuseki's text index covers, by their field in it."""


CHILDREN: dict[int, subprocess.Popen[bytes]] = {}
"""Servers that this process started, to be waited for when they end."""
INSTALLING = threading.Lock()
"""Held while programs are installed: apt-get and Maven do one thing at a time."""


class ServiceFailed(Exception):
    """A server cannot be installed, started or stopped."""


@dataclass
class Service:
    """A server that was started, as noted in its folder."""

    name: str
    kind: str
    """One of `NAMES`."""
    port: int
    """Where it speaks HTTP."""
    admin_port: int
    """Virtuoso's SQL port, Elasticsearch's transport port; 0 where there is none."""
    url: str
    pid: int = 0
    options: dict[str, str] = field(default_factory=dict)

    @property
    def folder(self) -> Path:
        """Where its data, log and configuration lie."""
        return home() / self.name

    @property
    def log(self) -> Path:
        """What it printed."""
        return self.folder / "log.txt"

    @property
    def certificate(self) -> Path:
        """The certificate of an Elasticsearch with security, which is its own authority."""
        return self.folder / "config" / "certificate.pem"

    def running(self) -> bool:
        """Tell whether the process lives, and is still the one that was started."""
        if child := CHILDREN.get(self.pid):
            return child.poll() is None
        try:
            command = Path(f"/proc/{self.pid}/cmdline").read_bytes()
        except OSError:
            return False
        return bool(self.pid) and str(self.folder).encode() in command

    def healthy(self) -> bool:
        """Tell whether it answers."""
        with contextlib.suppress(OSError, ValueError):
            return HEALTH[self.kind](self)
        return False

    def note(self) -> None:
        """Write down what was started, so that it is found again."""
        (self.folder / "service.json").write_text(json.dumps(asdict(self), indent=2), encoding="utf-8")


def home() -> Path:
    """Return the folder of all servers.

    Elasticsearch refuses to run as root, so a repository that only root may enter is of no use to it.
    """
    if named := os.environ.get("TRIAD_SERVICES"):
        return Path(named).resolve()
    closed = any(not parent.stat().st_mode & 0o001 for parent in (ROOT, *ROOT.parents))
    if os.geteuid() == 0 and closed:
        return Path("/var/tmp") / f"triad-services-{hashlib.sha256(str(ROOT).encode()).hexdigest()[:8]}"
    return ROOT / ".services"


def services() -> list[Service]:
    """Return the servers that were started and not stopped, whether or not they still live."""
    return [Service(**json.loads(note.read_text("utf-8"))) for note in sorted(home().glob("*/service.json"))]


def find(name: str) -> Service | None:
    """Return the server of a name, or None if it was not started."""
    return next((service for service in services() if service.name == name), None)


# Starting and stopping ------------------------------------------------------------------------------------


def start(
    kind: str, name: str | None = None, port: int | None = None, *, join: str | None = None, secure: bool = False
) -> Service:
    """Start a server, unless it runs, and wait until it answers.

    Args:
        kind: One of `NAMES`.
        name: What to call it, if not by its kind.
        port: Its HTTP port.
        join: Name of a running Elasticsearch whose cluster a new node shall join.
        secure: Whether an Elasticsearch shall have TLS and a password.

    Raises:
        ServiceFailed: It cannot be installed, or does not come up.
    """
    known = find(name or kind)
    if known and known.running():
        await_health(known)
        return known
    if known:
        service = known
    else:
        port = port or int(os.environ.get(f"TRIAD_{kind.upper()}_PORT") or PORTS[kind])
        options = {"join": join or "", "secure": "yes" if secure else ""}
        admin_port = port + 100 if kind in ("elasticsearch", "virtuoso") else 0
        scheme = {"postgresql": "postgresql", "redis": "redis"}.get(kind, "https" if secure else "http")
        host = "triad@127.0.0.1" if kind == "postgresql" else "127.0.0.1"
        path = {"virtuoso": "/sparql", "postgresql": "/postgres"}.get(kind, "")
        service = Service(name or kind, kind, port, admin_port, f"{scheme}://{host}:{port}{path}", options=options)
    return launch(service)


def launch(service: Service) -> Service:
    """Start a server that was described before, on the data that it has."""
    service.folder.mkdir(parents=True, exist_ok=True)
    if answers(service.port):
        raise ServiceFailed(
            f"cannot start {service.name!r}: something else listens on port {service.port}; "
            f"--port or TRIAD_{service.kind.upper()}_PORT chooses another"
        )
    with INSTALLING:
        command, environment = COMMAND[service.kind](service)
    with service.log.open("ab") as log:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd=service.folder,
            env={**os.environ, **environment},
            start_new_session=True,
        )
    CHILDREN[process.pid] = process
    service.pid = process.pid
    service.note()
    await_health(service)
    if load := LOAD.get(service.kind):
        load(service)
    return service


def await_health(service: Service) -> None:
    """Wait until a server answers; raises `ServiceFailed` with the end of its log if it does not."""
    deadline = time.monotonic() + PATIENCE
    while not service.healthy():
        ended = not service.running()
        if ended or time.monotonic() > deadline:
            fate = "ended" if ended else f"does not answer after {PATIENCE:.0f} seconds"
            log = service.log.read_text("utf-8", errors="replace").splitlines()[-TAIL:]
            kill(service)
            raise ServiceFailed("\n  ".join([f"{service.name!r} {fate}; the end of {str(service.log)!r} is:", *log]))
        time.sleep(0.2)


def stop(service: Service) -> None:
    """Have a server end in good order; its data stay."""
    if service.running():
        if service.kind == "virtuoso":
            with contextlib.suppress(ServiceFailed):
                isql(service, "shutdown;")
        else:
            signal_all(service, signal.SIGTERM)
        deadline = time.monotonic() + 30
        while service.running() and time.monotonic() < deadline:
            time.sleep(0.1)
    kill(service)
    (service.folder / "service.json").unlink(missing_ok=True)


def kill(service: Service) -> None:
    """End a server at once, as a crash would; `launch` starts it again."""
    if service.running():
        signal_all(service, signal.SIGKILL)
        while service.running():
            time.sleep(0.02)
    CHILDREN.pop(service.pid, None)


def signal_all(service: Service, number: signal.Signals) -> None:
    """Send a signal to a server and its children; it leads a process group of its own."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(service.pid, number)


def answers(port: int) -> bool:
    """Tell whether anything listens on a port."""
    try:
        request(f"http://127.0.0.1:{port}/", timeout=2)
    except urllib.error.HTTPError:
        return True
    except urllib.error.URLError as error:
        return not isinstance(error.reason, ConnectionRefusedError)
    except OSError:
        return True
    return True


def request(
    url: str,
    data: bytes | None = None,
    headers: Mapping[str, str] | None = None,
    *,
    method: str | None = None,
    timeout: float = 5.0,
    context: ssl.SSLContext | None = None,
) -> bytes:
    """Send an HTTP request, past any proxy, and return what is answered."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=context))
    with opener.open(urllib.request.Request(url, data, dict(headers or {}), method=method), timeout=timeout) as reply:
        return bytes(reply.read())


# Programs -------------------------------------------------------------------------------------------------


def run(command: list[str], purpose: str, **options: str) -> str:
    """Run a command and return what it prints; raises `ServiceFailed` with that if it fails."""
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, env={**os.environ, **options}
    )
    text = done.stdout.decode(errors="replace")
    if done.returncode:
        tail = "\n  ".join(text.splitlines()[-TAIL:])
        raise ServiceFailed(f"cannot {purpose}: {' '.join(command)!r} failed with {done.returncode}:\n  {tail}")
    return text


def install(program: str, *packages: str) -> str:
    """Return the path of a program, after installing it where it is missing."""
    path = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/bin"])
    if not shutil.which(program, path=path):
        apt_get(program, *packages)
    found = shutil.which(program, path=path)
    if not found:
        raise ServiceFailed(f"{program!r} is missing, even after installing {' '.join(packages)}")
    return found


def apt_get(purpose: str, *packages: str) -> None:
    """Install packages of Debian."""
    if os.geteuid() or not shutil.which("apt-get"):
        raise ServiceFailed(f"{purpose!r} is missing; install {' '.join(packages)} (with apt-get, as root)")
    print(f"installing {' '.join(packages)}", flush=True)  # noqa: T201
    quiet = {"DEBIAN_FRONTEND": "noninteractive"}
    run(["apt-get", "update", "-q"], "read the list of packages", **quiet)
    run(["apt-get", "install", "-q", "-y", "--no-install-recommends", *packages], f"install {purpose!r}", **quiet)


def java() -> Path:
    """Return the home of a Java that the servers run on, after installing one where none is."""
    if find_java() is None:
        apt_get("java", "default-jdk-headless")
    found = find_java()
    if found is None:
        raise ServiceFailed(f"no Java from {JAVA_VERSIONS[0]} to {JAVA_VERSIONS[-1]} is there; JAVA_HOME can name one")
    return found


def find_java() -> Path | None:
    """Return the home of a Java that the servers run on."""
    homes = [os.environ.get("JAVA_HOME", ""), *map(str, sorted(Path("/usr/lib/jvm").glob("*")))]
    if program := shutil.which("java"):
        homes.append(str(Path(program).resolve().parents[1]))
    for name in filter(None, homes):
        release = Path(name) / "release"
        found = release.is_file() and re.search(r'JAVA_VERSION="(\d+)', release.read_text("utf-8"))
        if found and int(found[1]) in JAVA_VERSIONS and (Path(name) / "bin" / "java").exists():
            return Path(name)
    return None


def fetch(artifact: str) -> Path:
    """Return the file of a Maven artifact, fetched on first use."""
    _, name, version, suffix = artifact.split(":")
    folder = home() / "programs"
    file = folder / f"{name}-{version}.{suffix}"
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        print(f"fetching {name} {version}", flush=True)  # noqa: T201
        maven = [install("mvn", "maven"), "-B", "-q"]
        run([*maven, "dependency:get", "-Dtransitive=false", f"-Dartifact={artifact}"], f"fetch {artifact!r}")
        copy = [f"-Dartifact={artifact}", f"-DoutputDirectory={folder}", "-Dmdep.useBaseVersion=true"]
        run([*maven, "-o", "dependency:copy", *copy], f"copy {artifact!r}")
    return file


# Elasticsearch --------------------------------------------------------------------------------------------


def elasticsearch_command(service: Service) -> tuple[list[str], dict[str, str]]:
    """Write the configuration of a node, and return how to start it."""
    config = service.folder / "config"
    program = unpacked(fetch(ELASTICSEARCH))
    if not config.exists():
        shutil.copytree(program / "config", config)
    first = service
    if joined := service.options.get("join"):
        found = find(joined)
        if not found:
            raise ServiceFailed(f"there is no cluster {joined!r} to join; start it first")
        first = found
    settings: dict[str, object] = {
        "cluster.name": f"triad-{first.name}",
        "node.name": service.name,
        "path.data": str(service.folder / "data"),
        "path.logs": str(service.folder / "logs"),
        "network.host": "127.0.0.1",
        "http.port": service.port,
        "transport.port": service.admin_port,
        "discovery.seed_hosts": [f"127.0.0.1:{first.admin_port}"],
        "xpack.security.enabled": bool(service.options.get("secure")),
        # Laptops have fuller disks than servers should.
        "cluster.routing.allocation.disk.threshold_enabled": False,
    }
    if first is service:
        # A node that may be joined later, but does not wait for others.
        settings["cluster.initial_master_nodes"] = [service.name]
    environment = {
        "ES_JAVA_HOME": str(java()),
        "ES_JAVA_OPTS": f"-Xms512m -Xmx512m {SOON}",
        "CLI_JAVA_OPTS": SOON,  # of the program that starts the node and stays beside it
        "ES_PATH_CONF": str(config),
        "HOME": str(service.folder),
    }
    if service.options.get("secure"):
        settings |= {
            "xpack.security.http.ssl.enabled": True,
            "xpack.security.http.ssl.key": "key.pem",
            "xpack.security.http.ssl.certificate": "certificate.pem",
            "xpack.security.transport.ssl.enabled": False,
        }
    lines = [f"{name}: {json.dumps(value)}" for name, value in settings.items()]
    (config / "elasticsearch.yml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    if service.options.get("secure") and not service.certificate.exists():
        make_certificate(config)
        users = [str(program / "bin" / "elasticsearch-users"), "useradd", USER, "-p", PASSWORD, "-r", "superuser"]
        run(users, "add a user", **environment)
    command = [str(program / "bin" / "elasticsearch"), f"-Epath.data={service.folder / 'data'}"]
    return unprivileged(service, command), environment


def unprivileged(service: Service, command: list[str]) -> list[str]:
    """Return how to run a command that refuses to run as root."""
    if os.geteuid():
        return command
    for path in (service.folder, *service.folder.rglob("*")):
        os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
    setpriv = install("setpriv", "util-linux")
    return [setpriv, f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", *command]


def unpacked(archive: Path) -> Path:
    """Return the folder of a zipped program, unpacked on first use."""
    folder = archive.with_suffix("")
    if not folder.exists():
        part = archive.with_suffix(".part")
        shutil.rmtree(part, ignore_errors=True)
        with zipfile.ZipFile(archive) as zipped:
            for item in zipped.infolist():
                path = Path(zipped.extract(item, part))
                if mode := item.external_attr >> 16 & 0o777:
                    path.chmod(mode | 0o444)
        [inner] = part.iterdir()
        inner.rename(folder)
        part.rmdir()
    return folder


def make_certificate(folder: Path) -> None:
    """Write a key and a certificate for this machine."""
    run(
        [
            *[install("openssl", "openssl"), "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "3650"],
            *["-keyout", str(folder / "key.pem"), "-out", str(folder / "certificate.pem"), "-subj", "/CN=localhost"],
            *["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
        ],
        "make a certificate",
    )


def elasticsearch_is_healthy(service: Service) -> bool:
    """Tell whether a node has found its cluster."""
    headers, context = {}, None
    if service.options.get("secure"):
        context = ssl.create_default_context(cafile=str(service.certificate))
        headers["Authorization"] = "Basic " + base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
    health = json.loads(request(f"{service.url}/_cluster/health", headers=headers, context=context))
    return health["status"] in ("yellow", "green") and not health["timed_out"]


# Virtuoso -------------------------------------------------------------------------------------------------

VIRTUOSO_INI = """\
[Database]
DatabaseFile = {folder}/data/virtuoso.db
ErrorLogFile = {folder}/virtuoso.log
LockFile = {folder}/data/virtuoso.lck
TransactionFile = {folder}/data/virtuoso.trx
xa_persistent_file = {folder}/data/virtuoso.pxa
ErrorLogLevel = 7
FileExtend = 200
MaxCheckpointRemap = 2000

[TempDatabase]
DatabaseFile = {folder}/data/virtuoso-temp.db
TransactionFile = {folder}/data/virtuoso-temp.trx
MaxCheckpointRemap = 2000

[Parameters]
ServerPort = 127.0.0.1:{admin_port}
ServerThreads = 20
NumberOfBuffers = 100000
MaxDirtyBuffers = 75000
DirsAllowed = {folder}/load
CheckpointInterval = 60

[HTTPServer]
ServerPort = 127.0.0.1:{port}
ServerRoot = {folder}
ServerThreads = 20

[SPARQL]
ResultSetMaxRows = 10000
MaxQueryCostEstimationTime = 400
MaxQueryExecutionTime = 60
"""
"""The caps on rows and cost are those of the sample configuration and of public endpoints."""


def virtuoso_command(service: Service) -> tuple[list[str], dict[str, str]]:
    """Write Virtuoso's configuration, and return how to start it."""
    program = install("virtuoso-t", "virtuoso-opensource-7-bin")
    for folder in ("data", "load"):
        (service.folder / folder).mkdir(exist_ok=True)
    ini = service.folder / "virtuoso.ini"
    text = VIRTUOSO_INI.format(folder=service.folder, port=service.port, admin_port=service.admin_port)
    ini.write_text(text, encoding="utf-8")
    return [program, "+configfile", str(ini), "+foreground"], {}


def virtuoso_is_healthy(service: Service) -> bool:
    """Tell whether Virtuoso answers queries."""
    return b'"head"' in request(f"{service.url}?query=ASK%7B%7D", headers={"Accept": "application/json"})


def isql(service: Service, *statements: str) -> str:
    """Have Virtuoso run SQL statements, each ending in a semicolon, and return what it prints."""
    script = service.folder / "load" / f"{os.getpid()}-{time.monotonic_ns()}.sql"
    script.write_text("\n".join(statements) + "\n", encoding="utf-8")
    try:
        client = install("isql-vt", "virtuoso-opensource-7-bin")
        address = f"127.0.0.1:{service.admin_port}"
        text = run([client, address, "dba", "dba", "ERRORS=STDOUT", "VERBOSE=OFF", str(script)], "reach Virtuoso")
    finally:
        script.unlink()
    if failed := re.search(r"\*\*\* Error.*", text, re.DOTALL):
        raise ServiceFailed(f"Virtuoso refuses {statements[0]!r}: {failed[0][:500]}")
    return text


def load_into_virtuoso(service: Service, graph: str, data: bytes) -> None:
    """Replace what is in a graph of Virtuoso; the data are Turtle or N-Triples."""
    file = service.folder / "load" / f"{hashlib.sha256(graph.encode()).hexdigest()[:16]}.ttl"
    file.write_bytes(data)
    try:
        isql(
            service,
            "log_enable(3);",  # without a log of each row, which a big transaction would not survive
            f"SPARQL CLEAR GRAPH <{graph}>;",
            f"DB.DBA.TTLP(file_to_string_output('{file}'), '', '{graph}', 0);",
            "DB.DBA.VT_INC_INDEX_DB_DBA_RDF_OBJ();",
            "checkpoint;",
        )
    finally:
        file.unlink()


def load_virtuoso(service: Service) -> None:
    """Load the tests' graphs, and the index for ``bif:contains``, unless they are there."""
    with changed(service) as files:
        if files:
            isql(service, "DB.DBA.RDF_OBJ_FT_RULE_ADD(null, null, 'All');")
        for graph, file in files.items():
            load_into_virtuoso(service, graph, content(file))
    if files:
        # What queries cost it tells from statistics that it reads when it starts.
        stop(service)
        launch(service)


# Fuseki ---------------------------------------------------------------------------------------------------

FUSEKI_PREFIXES = """\
PREFIX : <#>
PREFIX fuseki: <http://jena.apache.org/fuseki#>
PREFIX ja: <http://jena.hpl.hp.com/2005/11/Assembler#>
PREFIX tdb2: <http://jena.apache.org/2016/tdb#>
PREFIX text: <http://jena.apache.org/text#>

:entities a text:EntityMap ;
    text:defaultField "label" ; text:entityField "uri" ; text:uidField "uid" ; text:graphField "graph" ;
    text:langField "lang" ;
    text:map ( {fields} ) .
"""

FUSEKI_DATASET = """
:{name}_service a fuseki:Service ; fuseki:name "{name}" ; fuseki:dataset :{name} ;
    fuseki:endpoint [ fuseki:operation fuseki:query ; fuseki:name "sparql" ] ,
        [ fuseki:operation fuseki:query ] ,
        [ fuseki:operation fuseki:update ; fuseki:name "update" ] ,
        [ fuseki:operation fuseki:gsp-rw ; fuseki:name "data" ] .
:{name} a text:TextDataset ; text:dataset :{name}_triples ; text:index :{name}_text .
:{name}_triples a tdb2:DatasetTDB2 ; tdb2:location "{folder}/data/{name}" .
:{name}_text a text:TextIndexLucene ; text:directory "{folder}/data/{name}_text" ; text:entityMap :entities .
"""

FUSEKI_DATASETS = ("demo", "ck25", "test")
"""What Fuseki serves; ``test`` is for what a test brings along."""


def fuseki_command(service: Service) -> tuple[list[str], dict[str, str]]:
    """Write Fuseki's configuration, and return how to start it."""
    fields = " ".join(f'[ text:field "{name}" ; text:predicate <{iri}> ]' for name, iri in LABEL_PROPERTIES.items())
    text = FUSEKI_PREFIXES.format(fields=fields) + "".join(
        FUSEKI_DATASET.format(name=name, folder=service.folder) for name in FUSEKI_DATASETS
    )
    config = service.folder / "fuseki.ttl"
    config.write_text(text, encoding="utf-8")
    for name in FUSEKI_DATASETS:
        (service.folder / "data" / name).mkdir(parents=True, exist_ok=True)
    program = [str(java() / "bin" / "java"), "-Xmx1g", *SOON.split(), "-jar", str(fetch(FUSEKI))]
    return [*program, f"--conf={config}", f"--port={service.port}", "--localhost", "--ping"], {
        "FUSEKI_BASE": str(service.folder / "base")
    }


def fuseki_is_healthy(service: Service) -> bool:
    """Tell whether Fuseki answers queries."""
    return b"true" in request(f"{service.url}/demo/sparql?query=ASK%7B%7D", headers={"Accept": "application/json"})


def load_into_fuseki(service: Service, dataset: str, data: bytes, graph: str = "") -> None:
    """Replace what is in a graph of a dataset of Fuseki, if not in the default one; the data are Turtle."""
    which = f"graph={graph}" if graph else "default"
    headers = {"Content-Type": "text/turtle"}
    request(f"{service.url}/{dataset}/data?{which}", data, headers, method="PUT", timeout=300)


def load_fuseki(service: Service) -> None:
    """Load the tests' graphs, unless they are there."""
    with changed(service) as files:
        for graph, file in files.items():
            load_into_fuseki(service, graph.rpartition("/")[2], content(file))


# Data -----------------------------------------------------------------------------------------------------


def sources() -> dict[str, Path]:
    """Return the files that the servers shall have, by the IRI of their graph."""
    shared = Path(os.environ.get("TRIAD_DATA") or ROOT.parent / "shared" / "data")
    files = {DEMO_GRAPH: ROOT / "configs" / "demo" / "graph.ttl", CK25_GRAPH: shared / "ck25" / "kg.ttl.gz"}
    return {graph: file for graph, file in files.items() if file.is_file()}


def content(file: Path) -> bytes:
    """Return what is in a file, unpacked."""
    return gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()


@contextlib.contextmanager
def changed(service: Service) -> Iterator[dict[str, Path]]:
    """Give the files that a server has not loaded yet; they count as loaded when all went well."""
    note = service.folder / "loaded.json"
    loaded = json.loads(note.read_text("utf-8")) if note.exists() else {}
    sums = {graph: hashlib.sha256(file.read_bytes()).hexdigest() for graph, file in sources().items()}
    yield {graph: file for graph, file in sources().items() if loaded.get(graph) != sums[graph]}
    note.write_text(json.dumps({**loaded, **sums}, indent=2), encoding="utf-8")


# The table ------------------------------------------------------------------------------------------------

# PostgreSQL and Redis -------------------------------------------------------------------------------------


def postgresql_command(service: Service) -> tuple[list[str], dict[str, str]]:
    """Make an empty cluster of databases, and return how to start it."""
    if not find_postgres():
        apt_get("postgres", "postgresql")
    programs = find_postgres()
    if programs is None:
        raise ServiceFailed("'postgres' is missing, even after installing postgresql")
    data = service.folder / "data"
    if not (data / "PG_VERSION").exists():
        data.mkdir(exist_ok=True)
        # Whoever reaches it on this machine may use it, as with the other servers.
        make = [str(programs / "initdb"), "-D", str(data), "-U", "triad", "--auth=trust", "-E", "UTF8", "--no-sync"]
        run(unprivileged(service, make), "make a cluster of databases", LC_ALL="C")
    options = [f"-cport={service.port}", "-clisten_addresses=127.0.0.1", f"-cunix_socket_directories={service.folder}"]
    return unprivileged(service, [str(programs / "postgres"), "-D", str(data), *options]), {"LC_ALL": "C"}


def find_postgres() -> Path | None:
    """Return the folder of PostgreSQL's programs, those of the newest version."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[-3]))
    return found[-1].parent if found else None


def postgresql_is_healthy(service: Service) -> bool:
    """Tell whether PostgreSQL takes connections: it says whether it would encrypt them."""
    with socket.create_connection(("127.0.0.1", service.port), timeout=5) as connection:
        connection.sendall(struct.pack("!ii", 8, 80877103))
        return connection.recv(1) in (b"S", b"N")


def redis_command(service: Service) -> tuple[list[str], dict[str, str]]:
    """Return how to start Redis, which keeps nothing."""
    program = install("redis-server", "redis-server")
    options = ["--bind", "127.0.0.1", "--dir", str(service.folder), "--save", "", "--appendonly", "no"]
    title = ["--set-proc-title", "no"]  # a process is known by its command, which Redis would write over
    return [program, "--port", str(service.port), *options, *title], {}


def redis_is_healthy(service: Service) -> bool:
    """Tell whether Redis answers."""
    with socket.create_connection(("127.0.0.1", service.port), timeout=5) as connection:
        connection.sendall(b"PING\r\n")
        return connection.recv(16).startswith(b"+PONG")


COMMAND = {
    "elasticsearch": elasticsearch_command,
    "virtuoso": virtuoso_command,
    "fuseki": fuseki_command,
    "postgresql": postgresql_command,
    "redis": redis_command,
}
HEALTH = {
    "elasticsearch": elasticsearch_is_healthy,
    "virtuoso": virtuoso_is_healthy,
    "fuseki": fuseki_is_healthy,
    "postgresql": postgresql_is_healthy,
    "redis": redis_is_healthy,
}
LOAD: dict[str, Callable[[Service], None]] = {"virtuoso": load_virtuoso, "fuseki": load_fuseki}
"""How the tests' graphs come into the servers that hold graphs."""


def main() -> int:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(description="Real servers for the tests.")
    commands = parser.add_subparsers(dest="command", required=True)
    starting = commands.add_parser("start", help="start servers, all by default")
    starting.add_argument("kinds", nargs="*", metavar="SERVER", help=f"one of {', '.join(NAMES)}")
    starting.add_argument("--name", help="what to call it, to have several of a kind")
    starting.add_argument("--port", type=int, help="its port")
    starting.add_argument("--join", metavar="NAME", help="an Elasticsearch whose cluster to join")
    starting.add_argument("--secure", action="store_true", help="an Elasticsearch with TLS and a password")
    stopping = commands.add_parser("stop", help="stop servers, all by default")
    stopping.add_argument("names", nargs="*", metavar="NAME")
    commands.add_parser("status", help="say what runs where")
    arguments = parser.parse_args()

    if arguments.command == "start":
        kinds = arguments.kinds or NAMES
        if unknown := [kind for kind in kinds if kind not in NAMES]:
            parser.error(f"there is no server {unknown[0]!r}; known are {', '.join(NAMES)}")
        alone = arguments.name or arguments.port or arguments.join or arguments.secure
        if alone and len(kinds) > 1:
            parser.error("--name, --port, --join and --secure are for one server at a time")

        def begin(kind: str) -> None:
            began = time.monotonic()
            service = start(kind, arguments.name, arguments.port, join=arguments.join, secure=arguments.secure)
            print(f"{service.name} answers at {service.url} after {time.monotonic() - began:.1f} s", flush=True)  # noqa: T201

        with ThreadPoolExecutor(len(kinds)) as pool:
            list(pool.map(begin, kinds))
    elif arguments.command == "stop":
        for service in reversed(services()):
            if not arguments.names or service.name in arguments.names:
                stop(service)
                print(f"{service.name} is stopped")  # noqa: T201
    else:
        for service in services():
            state = "runs" if service.healthy() else "hangs" if service.running() else "is dead"
            print(f"{service.name} {state}: {service.url}, process {service.pid}, log {service.log}")  # noqa: T201
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ServiceFailed as failure:
        sys.exit(f"services: {failure}")
