/**
 * One question to the server, until it is answered or refused.
 *
 * The question has a key of its own: asked again with it, after the connection or the server was lost, it gives the
 * same turn and costs nothing twice.
 */

import { EventSourceParserStream } from "eventsource-parser/stream";
import { Problem, problemOf, send } from "./client";
import type { ProblemDetails, Step, Turn } from "./types";

export interface Asked {
  question: string;
  graph: string;
  /** The conversation that it goes on with; null begins one. */
  conversation: string | null;
  key: string;
}

export interface Listener {
  begin?(accepted: { turn: string; conversation: string | null }): void;
  queued?(ahead: number): void;
  step?(step: Step): void;
  /** The server is away or busy; the question is asked again in some seconds. */
  away?(): void;
}

const WAITS = [1, 2, 3, 5, 8];
const TRIES = 60;

/** Ask, and return the turn. Throws a Problem, or an AbortError where it was stopped. */
export async function ask(asked: Asked, listener: Listener, signal: AbortSignal): Promise<Turn> {
  for (let attempt = 0; ; attempt++) {
    let wait = WAITS[Math.min(attempt, WAITS.length - 1)] ?? 8;
    try {
      const turn = await askOnce(asked, listener, signal);
      if (turn) return turn;
    } catch (error) {
      if (signal.aborted) throw error;
      if (error instanceof Problem) {
        if (error.details.status !== 503 || attempt >= TRIES) throw error;
        wait = error.retryAfter ?? wait;
      } else if (!(error instanceof TypeError) || attempt >= TRIES) throw error;
    }
    listener.away?.();
    await pause(wait * 1000, signal);
  }
}

/** Return the turn, or null where the stream broke off before its end. */
async function askOnce(asked: Asked, listener: Listener, signal: AbortSignal): Promise<Turn | null> {
  const { question, graph, conversation, key } = asked;
  const [path, body] = conversation
    ? [`/conversations/${encodeURIComponent(conversation)}/turns`, { question }]
    : ["/ask", { question, graph, conversation: "new" }];
  const response = await send(path, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { Accept: "text/event-stream", "Idempotency-Key": key },
    signal,
  });
  if (!response.ok) throw await problemOf(response);
  // Where the turn is there already, a server may send it at once.
  if (!response.headers.get("Content-Type")?.startsWith("text/event-stream")) return (await response.json()) as Turn;
  if (!response.body) return null;
  const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  const reader = events.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const data: unknown = JSON.parse(read.value.data);
    switch (read.value.event) {
      case "begin":
        listener.begin?.(data as { turn: string; conversation: string | null });
        break;
      case "queued":
        listener.queued?.((data as { ahead: number }).ahead);
        break;
      case "step":
        listener.step?.(data as Step);
        break;
      case "answer":
      case "unknown":
      case "said":
        return data as Turn;
      case "error":
        throw new Problem(data as ProblemDetails);
    }
  }
  return null;
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    setTimeout(resolve, milliseconds);
  });
}

/** Return a random key; `crypto.randomUUID` is there on secure origins only. */
export const newKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join("-");
