/** What is on the board. */

import { signal } from "@preact/signals";
import { getBoard } from "../api/client";
import type { Pin } from "../api/types";

/** The answers that this key or session pinned, in order. */
export const board = signal<Pin[]>([]);

export const isPinned = (id: string): boolean => board.value.some((pin) => pin.id === id);

/** Learn what is on the board, after something was done. */
export async function refreshBoard(done?: Promise<null>): Promise<void> {
  await done;
  board.value = await getBoard();
}
