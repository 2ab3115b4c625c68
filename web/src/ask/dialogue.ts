/** The conversation on the page: its turns, and the question that is being answered. */

import { batch, signal } from "@preact/signals";
import { ask, newKey, type Asked } from "../api/asking";
import { getConversation, getTurn } from "../api/client";
import type { Step, Turn } from "../api/types";
import { refreshConversations } from "../conversations/list";
import { go, route } from "../page/route";
import { graph } from "../page/server";

export interface Pending {
  asked: Asked;
  state: "sent" | "queued" | "working" | "away";
  ahead: number;
  steps: Step[];
  begun: number;
}

export const turns = signal<Turn[]>([]);
export const conversation = signal<string | null>(null);
export const pending = signal<Pending | null>(null);
export const failure = signal<unknown>(null);
export const wasStopped = signal(false);
/** What stands in the question box, also after a question was stopped or refused. */
export const draft = signal("");

const KEPT = "triad-asked";
let stopping: AbortController | null = null;

/** Ask a question in the conversation that is open. */
export async function askQuestion(question: string): Promise<void> {
  const text = question.trim();
  if (!text || pending.value) return;
  await follow({ question: text, graph: graph.value, conversation: conversation.value, key: newKey() });
}

/** Stop the question that is being answered. */
export function stop(): void {
  stopping?.abort(new DOMException("stopped", "AbortError"));
}

/** Ask again what was being answered when the page was left. */
export async function resume(): Promise<void> {
  const kept = sessionStorage.getItem(KEPT);
  if (!kept) return;
  const asked = JSON.parse(kept) as Asked;
  if (asked.conversation === conversation.value) await follow(asked);
}

async function follow(asked: Asked): Promise<void> {
  const mine = new AbortController();
  stopping = mine;
  sessionStorage.setItem(KEPT, JSON.stringify(asked));
  batch(() => {
    pending.value = { asked, state: "sent", ahead: 0, steps: [], begun: Date.now() };
    failure.value = null;
    wasStopped.value = false;
    draft.value = "";
  });
  const change = (by: Partial<Pending>) => {
    if (stopping === mine && pending.value) pending.value = { ...pending.value, ...by };
  };
  try {
    const turn = await ask(
      asked,
      {
        begin: () => {
          change({ state: "working", steps: [] });
        },
        queued: (ahead) => {
          change({ state: "queued", ahead });
        },
        step: (step) => {
          change({ state: "working", steps: [...(pending.value?.steps ?? []), step] });
        },
        away: () => {
          change({ state: "away" });
        },
      },
      mine.signal,
    );
    if (stopping !== mine) return;
    // The steps came one by one; the turn itself has them only where it is looked up.
    const steps = pending.value?.steps ?? [];
    batch(() => {
      turns.value = [...turns.value, { ...turn, trace: turn.trace ?? traceOf(turn, steps) }];
      conversation.value = turn.conversation;
      pending.value = null;
      if (turn.conversation) go({ at: "conversation", id: turn.conversation, turn: "" }, true);
    });
    // The list at the side is a help: the answer is there without it, and the next one brings it.
    refreshConversations().catch(() => undefined);
  } catch (error) {
    if (stopping !== mine) return;
    batch(() => {
      pending.value = null;
      draft.value = asked.question;
      if (mine.signal.aborted) wasStopped.value = true;
      else failure.value = error;
    });
  } finally {
    if (stopping === mine) {
      stopping = null;
      sessionStorage.removeItem(KEPT);
    }
  }
}

const traceOf = (turn: Turn, steps: Step[]): Turn["trace"] =>
  steps.length ? { steps, seconds: turn.seconds, usage: turn.usage, by_phase: {}, by_rung: {} } : null;

/** Have a turn in the place of the one that it is a newer form of. */
export function replaceTurn(turn: Turn): void {
  turns.value = turns.value.map((one) => (one.id === turn.id ? turn : one));
}

/** Leave the conversation for an empty one. */
export function startAnew(): void {
  abandon();
  batch(() => {
    turns.value = [];
    conversation.value = null;
    failure.value = null;
    wasStopped.value = false;
  });
}

/** Open a conversation at its last turn, or one turn by its link: the next question goes on with it. */
export async function open(at: "conversation" | "turn", id: string): Promise<void> {
  if (at === "conversation" && conversation.value === id) return;
  startAnew();
  if (at === "conversation") conversation.value = id;
  const isWanted = () => route.value.at === at && route.value.id === id;
  try {
    const found = await (at === "turn" ? getTurn(id) : getConversation(id));
    if (!isWanted()) return;
    batch(() => {
      [turns.value, conversation.value] = "items" in found ? [found.items, id] : [[found], found.conversation];
      graph.value = found.graph;
    });
    await resume();
  } catch (error) {
    if (!isWanted()) return;
    conversation.value = null;
    failure.value = error;
  }
}

/** Let the question go that is being answered, without a word. */
function abandon(): void {
  const left = stopping;
  if (!left) return;
  stopping = null;
  sessionStorage.removeItem(KEPT);
  pending.value = null;
  left.abort(new DOMException("left", "AbortError"));
}
