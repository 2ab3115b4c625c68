#!/usr/bin/env bash
# Makes made_by_1.0.tar.xz: what a user of 1.0.0 has. It is run with version 1.0.0 installed, and with curl:
#
#     bash tests/upgrade/make.sh .venv-1.0/bin/python /srv/library
#
# The folder, which must not exist, is where paths in the files lead to.
set -euo pipefail
python=$1 folder=$2 archive=$(realpath "$(dirname "$0")")/made_by_1.0.tar.xz
triad() { "$python" -m triad --quiet "$@"; }
export TRIAD_CACHE=$folder/cache TRIAD_SETTINGS=$folder/settings TRIAD_CHATS=$folder/chats.db
[ "$(triad --version)" = "triad 1.0.0" ]
mkdir "$folder" "$folder/documents" && cd "$folder"

cat > books.ttl <<'TTL'
@prefix : <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Book a rdfs:Class ; rdfs:label "book" . :Person a rdfs:Class ; rdfs:label "person" .
:author rdfs:label "author" . :pages rdfs:label "pages" .
:Momo a :Book ; rdfs:label "Momo" ; :author :Ende ; :pages 304 .
:Story a :Book ; rdfs:label "The Neverending Story" ; :author :Ende ; :pages 396 .
:Emma a :Book ; rdfs:label "Emma" ; :author :Austen ; :pages 474 .
:Ende a :Person ; rdfs:label "Michael Ende" . :Austen a :Person ; rdfs:label "Jane Austen" .
TTL
echo "Momo listens to her friends. The men in grey steal the time of people." > documents/momo.md
cat > pairs.jsonl <<'JSONL'
{"id": "1", "question": "Who wrote Momo?", "sparql": "SELECT ?who { <http://example.org/Momo> <http://example.org/author> ?who }"}
{"id": "2", "question": "How many pages does Emma have?", "sparql": "SELECT ?n { <http://example.org/Emma> <http://example.org/pages> ?n }"}
JSONL
# All keys of a config of 1.0 that need no server, with values of their own where that changes nothing.
cat > config.yaml <<'YAML'
description: Books
graph: books
graph_options: {timeout: 20}
lookup_hours: 12
index: books
index_options: {}
fallback: null
model: none
model_options: {temperature: 0.0, seed: 1, timeout: 60, retries: 2, api_key_file: null, calls_per_minute: 30, cache: true}
on_model_failure: lexical
specialist: null
embedder: null
documents: documents
passages: books/passages
roles: {advisor: {own_knowledge: none}, generalist: generalist.yaml}
language: auto
labels: [rdfs:label]
min_confidence: 0.4
words: {novel: http://example.org/Book, scribe: [http://example.org/author]}
weights: weights.json
examples: pairs.jsonl
limits: {calls: 8, input_tokens: 10000, output_tokens: 1000, money: 0.1}
route: {rungs: [solver, template, repair, retrieval, exploration, knowledge], sure: 0.85, content: 0.7, calls: {exploration: 4}}
retrieval: {branches: [graph, sql, passages], rule: as needed, rounds: 3, tokens: 3000, passages: 6, rows: 20, strict: false}
dataset: {path: pairs.jsonl, format: jsonl, language: en, answers: null, strict: false, limit: 2, ids: ["1", "2"], filter: null}
run: {workers: 1, repeat: 1, seed: 0, out: run, executor: threads, leak_guard: true, budget: {calls: 10, input_tokens: 1000, output_tokens: 1000, money: 1, seconds: 600}}
YAML
cat > server.yaml <<YAML
graphs:
  books: {config: {graph: books}, title: Books, limits: {concurrent: 4, queue: 100, seconds: 30}, datasets: [http://example.org/set/]}
open: true
learn: true
pictures: false
inspect: false
hosts: [ask.example.org]
origins: [https://intranet.example.org]
state: sqlite:///$folder/server.db
counters: memory://
limits: {requests_a_minute: 120, calls_a_day: 1000, money_a_day: 5}
runs: runs
body_limit: 100000
body_seconds: 10
grace: 30
traces: true
secure: false
YAML
echo "tables: {book: {comment: All books, columns: {pages: {comment: printed ones}}}}" > edits.yaml

triad copy roles generalist . > said.txt
for name in $(triad list prompts | tail -n +2 | cut -f 2); do triad copy prompts "$name" >> said.txt; done
triad index books.ttl --to books --passages --documents documents > said.txt
triad index --to books --tables --edits edits.yaml > said.txt
triad copy configs demo . > said.txt
triad learn demo/questions.json --graph demo/graph.ttl --to weights.json --folds 2 --force > said.txt
triad run config.yaml > said.txt
printf 'Who wrote Momo?\nand Emma?\n' | triad chat --graph books > said.txt
triad ask "Who wrote Momo?" --graph books --save-trace answer.json > said.txt
triad ask "Who wrote Momo?" --graph books --json > answers.jsonl
triad models default openai:gpt-4.1-mini > said.txt

triad keys add ann --server server.yaml --scope ask --scope query > key.txt
triad keys add bob --server server.yaml > said.txt
triad keys revoke bob --server server.yaml > said.txt
"$python" -m triad --quiet serve server.yaml --port 8777 2> said.txt > said.txt &
server=$!
trap 'kill $server' EXIT
ask() { curl --silent --fail "http://127.0.0.1:8777/api/v1/$1" -H "Authorization: Bearer $(cat key.txt)" -H "Content-Type: application/json" "${@:2}"; }
until curl --silent --fail --output said.txt http://127.0.0.1:8777/readyz; do sleep 1; done
id() { "$python" -c 'import json, sys; print(json.load(sys.stdin)["id"])'; }
ask ask -d '{"question": "Who wrote Emma?"}' | id > asked.txt
ask "turns/$(cat asked.txt)/feedback" > said.txt \
  -d '{"verdict": "corrected", "query": "SELECT ?scribe { <http://example.org/Emma> <http://example.org/author> ?scribe }"}'
ask conversations -d '{"graph": "books"}' | id > conversation.txt
ask "conversations/$(cat conversation.txt)/turns" -d '{"question": "Which books did Michael Ende write?"}' > said.txt
ask "conversations/$(cat conversation.txt)/turns" -d '{"question": "Who painted the moon?"}' > said.txt
curl --silent --fail http://127.0.0.1:8777/api/v1/session --cookie-jar cookies.txt -H "Content-Type: application/json" \
  -H "X-Triad: 1" -d "{\"key\": \"$(cat key.txt)\"}" > said.txt
curl --silent --fail http://127.0.0.1:8777/text2sparql -G --data-urlencode "question=Who wrote Momo?" -d dataset=books > said.txt
kill $server && trap - EXIT
wait $server || true

rm -r said.txt demo demo.yaml cache books/store/LOG run/report.*
tar --create --xz --sort=name --mtime=2026-11-23 --owner=0 --group=0 --numeric-owner --file "$archive" ./*
