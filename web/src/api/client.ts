/** Requests to the server. A refusal is a `Problem`; a server that cannot be reached is a `TypeError` of fetch. */

import type {
  Comparison,
  Conversation,
  ConversationInfo,
  DefinedWord,
  ExplainedQuery,
  Feedback,
  FoundName,
  GraphInfo,
  Pin,
  Pinned,
  ProblemDetails,
  Profile,
  QueryResult,
  Report,
  ReportInfo,
  Session,
  SureQuestion,
  Table,
  Thing,
  Turn,
  Verdict,
} from "./types";

const BASE = "api/v1";

/** What the server refused, and why (RFC 9457). */
export class Problem extends Error {
  constructor(
    readonly details: ProblemDetails,
    readonly retryAfter: number | null = null,
  ) {
    super(details.detail || details.title);
  }
}

export async function problemOf(response: Response): Promise<Problem> {
  const wait = Number(response.headers.get("Retry-After"));
  const retryAfter = Number.isFinite(wait) && wait > 0 ? wait : null;
  const bare: ProblemDetails = {
    type: "about:blank",
    title: response.statusText,
    status: response.status,
    detail: "",
    instance: response.headers.get("X-Request-Id") ?? "",
    name: "",
  };
  try {
    return new Problem({ ...bare, ...((await response.json()) as object) }, retryAfter);
  } catch {
    return new Problem(bare, retryAfter);
  }
}

/** Send a request as the page does: with the session's cookie and the header that no other site can send. */
export function send(path: string, options: RequestInit = {}): Promise<Response> {
  const headers = new Headers(options.headers);
  headers.set("X-Triad", "page");
  if (options.body) headers.set("Content-Type", "application/json");
  return fetch(`${BASE}${path}`, { credentials: "same-origin", ...options, headers });
}

async function json<T>(path: string, options: RequestInit = {}): Promise<T> {
  const response = await send(path, options);
  if (!response.ok) throw await problemOf(response);
  return (response.status === 204 ? null : await response.json()) as T;
}

const posted = (body: unknown, method = "POST"): RequestInit => ({ method, body: JSON.stringify(body) });

type Parameter = string | number | null | undefined;

/** Return the part of an address behind the question mark; what has no value is left out, a list is said part by part. */
export function parameters(values: Record<string, Parameter | string[]>): string {
  const given = Object.entries(values).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => (one === null || one === undefined || one === "" ? [] : [[name, String(one)]])),
  );
  return given.length ? `?${new URLSearchParams(given).toString()}` : "";
}

const part = encodeURIComponent;

export const getSession = () => json<Session>("/session");
export const openSession = (key: string) => json<Session>("/session", posted({ key }));
export const closeSession = () => json<null>("/session", { method: "DELETE" });

export const getGraphs = async () => (await json<{ graphs: GraphInfo[] }>("/graphs")).graphs;
export const getProfile = (graph: string, language: string, questions = 6) =>
  json<Profile>(`/profile${parameters({ graph, questions, language })}`);
export const getWords = async (graph: string) =>
  (await json<{ words: DefinedWord[] }>(`/words${parameters({ graph })}`)).words;
export const tryWords = async (asked: { graph: string; words: string; add: boolean }) =>
  (await json<{ words: DefinedWord[] }>("/words", posted(asked))).words;
export const getThings = async (graph: string, iri: string[]) =>
  (await json<{ things: Thing[] }>(`/things${parameters({ graph, iri })}`)).things;
export const getInstances = (graph: string, iri: string, limit?: number) =>
  json<Table>(`/instances${parameters({ graph, iri, limit })}`);
export const getNames = async (graph: string, q: string[], signal?: AbortSignal) =>
  (await json<{ names: FoundName[] }>(`/names${parameters({ graph, q, limit: 8 })}`, signal ? { signal } : {})).names;

export const getQuestionsAbout = (graph: string, iri: string) =>
  json<SureQuestion[]>(`/things/next${parameters({ graph, iri })}`);
export const getNextQuestions = (turn: string) => json<SureQuestion[]>(`/turns/${part(turn)}/next`);

export const getConversations = async (before?: string | null) =>
  json<{ conversations: ConversationInfo[]; next: string | null }>(`/conversations${parameters({ before })}`);
export const getConversation = (id: string) => json<Conversation>(`/conversations/${part(id)}`);
export const renameConversation = (id: string, title: string) =>
  json<ConversationInfo>(`/conversations/${part(id)}`, posted({ title }, "PATCH"));
export const deleteConversation = (id: string) => json<null>(`/conversations/${part(id)}`, { method: "DELETE" });
export const exportAddress = (id: string, format: "json" | "markdown") =>
  `${BASE}/conversations/${part(id)}/export${parameters({ format })}`;

export const getTurn = (id: string) => json<Turn>(`/turns/${part(id)}`);
export const giveFeedback = (id: string, verdict: Verdict, query?: string, comment?: string) =>
  json<Feedback>(`/turns/${part(id)}/feedback`, posted({ verdict, query, comment }));
export const takeBackFeedback = (id: string) => json<null>(`/turns/${part(id)}/feedback`, { method: "DELETE" });

export const getBoard = () => json<Pin[]>("/board");
export const getPinned = (id: string) => json<Pinned>(`/board/${part(id)}`);
export const putPin = (id: string, place?: number) =>
  json<null>(`/board/${part(id)}${parameters({ place })}`, { method: "PUT" });
export const removePin = (id: string) => json<null>(`/board/${part(id)}`, { method: "DELETE" });

export const runQuery = (graph: string, query: string, signal: AbortSignal) =>
  json<QueryResult>("/query", { ...posted({ graph, query }), signal });
export const explainQuery = (graph: string, query: string, signal: AbortSignal) =>
  json<ExplainedQuery>("/query/explain", { ...posted({ graph, query, seconds: 30 }), signal });

export const getReports = async () => (await json<{ reports: ReportInfo[] }>("/reports")).reports;
export const getChanges = (name: string, since: string) =>
  json<Comparison>(`/reports/${part(name)}/changes${parameters({ since })}`);
export const getReport = (name: string) => json<Report>(`/reports/${part(name)}`);
