/** What the server sends, as docs/how-to/serve.md and its OpenAPI say it. */

export type Scope = "ask" | "query" | "admin";

export interface Session {
  open: boolean;
  key: { name: string; scopes: Scope[] } | null;
  scopes: Scope[];
  /** Whether pictures of other servers are shown. */
  pictures: boolean;
  /** Whether one may sign on at a provider. */
  sign_on: boolean;
  version: string;
}

export interface GraphInfo {
  name: string;
  title: string;
  description: string;
  model: string | null;
  language: string | null;
  default: boolean;
  ready: boolean;
}

export type ValueKind = "entity" | "number" | "date" | "text" | "boolean" | "place";

export interface Value {
  type: "uri" | "literal" | "bnode";
  value: string;
  datatype: string | null;
  language: string | null;
  label: string;
  text: string | null;
  kind: ValueKind;
}

export type Row = (Value | null)[];

export interface Fact {
  subject: Value;
  predicate: Value;
  object: Value;
  inferred: boolean;
  qualifiers?: [Value, Value][];
}

export interface Link {
  iri: string;
  label: string;
  kind: "entity" | "relation" | "class" | "literal";
  description: string;
  score: number;
}

export type Rung = "solver" | "template" | "repair" | "retrieval" | "exploration" | "knowledge";
export type Phase = "parsing" | "linking" | "construction" | "answering";

export interface Usage {
  calls: number;
  cached: number;
  input_tokens: number;
  output_tokens: number;
  money: number;
  seconds: number;
}

export interface Citation {
  number: number;
  source: "graph" | "table" | "passages" | "documents";
  title: string;
  text: string;
  things: string[];
  facts: Fact[];
  query: string | null;
  document: string | null;
  date: string | null;
}

export interface CitedSentence {
  text: string;
  cites: number[];
  held: boolean;
  missing: string[];
}

export interface Table {
  variables: string[];
  rows: Row[];
  truncated: boolean;
}

export interface WordUse {
  words: string;
  kind: "name" | "class" | "relation" | "value" | "operator" | "instead" | "left_out";
  became: string;
}

export interface Reading {
  text: string;
  answer: string;
  query: string | null;
  taken: string;
}

export interface Answer extends Table {
  type: string;
  values: Value[];
  boolean: boolean | null;
  text: string;
  query: string | null;
  links: Record<string, Link>;
  facts: Fact[];
  source: "graph" | "table" | "passages" | "documents" | "model";
  method: "model" | "lexical";
  rung: Rung | null;
  confidence: number;
  words: WordUse[];
  readings: Reading[];
  notes: string[];
  prefixes: Record<string, string>;
  doubts: { kind: string; text: string }[];
  sentences: CitedSentence[];
  citations: Citation[];
  below: { rung: Rung | null; text: string; confidence: number; query: string | null }[];
}

export interface Unknown {
  reasons: { kind: "name" | "relation" | "words" | "empty" | "doubt"; words: string; text: string; near: string[] }[];
  guess: Answer | null;
  words: WordUse[];
  readings: Reading[];
  passages: Citation[];
}

export interface Step {
  number: number;
  phase: Phase;
  rung: Rung | null;
  service: "model" | "graph" | "index" | "tables" | "passages";
  action: string;
  role: string | null;
  request: string;
  reply: string;
  prompt: { role: string; content: string }[] | null;
  candidates: string[];
  usage: Usage;
  seconds: number;
  attempt: number;
  error: string | null;
}

export interface Cost {
  usage: Usage;
  seconds: number;
}

export interface Trace {
  steps: Step[];
  seconds: number;
  usage: Usage;
  by_phase: Record<string, Cost>;
  by_rung: Record<string, Cost>;
}

export type Verdict = "right" | "wrong" | "corrected";

export interface Feedback {
  verdict: Verdict;
  query: string | null;
  comment: string | null;
  at: string;
  used: boolean;
}

export interface Turn {
  id: string;
  conversation: string | null;
  number: number;
  at: string;
  graph: string;
  question: string;
  standalone: string;
  language: string;
  kind: "question" | "follow_up" | "clarification" | "social" | "complaint" | "undo" | "start_over";
  outcome: "answer" | "unknown" | "said";
  reply: string;
  answer: Answer | null;
  unknown: Unknown | null;
  options: { label: string; question: string }[];
  usage: Usage;
  seconds: number;
  feedback: Feedback | null;
  trace: Trace | null;
}

export interface ConversationInfo {
  id: string;
  title: string;
  graph: string;
  turns: number;
  created: string;
  updated: string;
}

export interface Conversation extends ConversationInfo {
  items: Turn[];
}

export interface QueryResult extends Table {
  boolean: boolean | null;
  query: string;
  seconds: number;
}

/** A pinned answer, as it is now. */
export interface Pinned {
  id: string;
  graph: string;
  question: string;
  query: string;
  at: string;
  /** What changes with the graph; null where only asking tells. */
  state: string | null;
  found: QueryResult;
}

export type Pin = Omit<Pinned, "found">;

export interface FoundName {
  /** The text that it completes. */
  completes: string;
  iri: string;
  label: string;
  kind: Link["kind"];
  description: string;
  score: number;
}

/** What a thing has by one relation, or what has it. */
export interface Relation {
  iri: string;
  label: string;
  direction: "out" | "in";
  count: number;
  values: Value[];
}

export interface Thing {
  iri: string;
  label: string;
  description: string;
  types: { iri: string; label: string }[];
  image: string | null;
  coordinates: { latitude: number; longitude: number } | null;
  relations: Relation[];
}

export interface DefinedWord {
  word: string;
  meaning: string;
  /** Of how many things it holds; empty for a word that stands for terms of the graph. */
  holds: number | "";
  examples: string;
  owner: string;
}

export interface RelationInfo {
  iri: string;
  label: string;
  direction: "out" | "in";
  share: number;
  kind: "entities" | "numbers" | "dates" | "texts" | "both";
  classes: string[];
  least: string;
  greatest: string;
  units: string[];
  samples: string[];
  description: string;
}

export interface ClassInfo {
  iri: string;
  label: string;
  instances: number;
  statement: boolean;
  above: string[];
  relations: RelationInfo[];
  description: string;
}

/** A question that surely has an answer. */
export interface SureQuestion {
  question: string;
  answer: string;
  confidence: number;
}

export interface Profile {
  name: string;
  triples: number | null;
  things: number | null;
  classes: ClassInfo[];
  more_classes: number;
  graphs: { iri: string; triples: number; relations: string[] }[];
  languages: Record<string, number>;
  questions: SureQuestion[];
  prefixes: Record<string, string>;
  short: boolean;
  partial: string[];
}

export interface ReportInfo {
  name: string;
  title: string;
  questions: number | null;
  created: string | null;
}

/** The parts of a run's report.json that the page shows. */
export interface Report {
  name: string;
  model: string;
  graph: string;
  dataset: string;
  questions: number;
  asked: number;
  failed: number;
  declined: number;
  scores: Record<string, { mean: number; low: number | null; high: number | null; count: number | null }>;
  rungs: Record<string, { climbed: number; answered: number; score: number | null; usage: Usage }>;
  latency: Record<string, { mean: number; p50: number; p95: number }>;
  usage: Usage;
}

export interface ProblemDetails {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  name: string;
  errors?: { where: string; what: string }[];
}
