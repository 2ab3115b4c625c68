/** The conversations of this key or session, the newest first. */

import { signal } from "@preact/signals";
import { getConversations } from "../api/client";
import type { ConversationInfo } from "../api/types";

export const conversations = signal<ConversationInfo[]>([]);
export const nextConversations = signal<string | null>(null);

export async function refreshConversations(): Promise<void> {
  const found = await getConversations();
  conversations.value = found.conversations;
  nextConversations.value = found.next;
}

export async function moreConversations(): Promise<void> {
  const found = await getConversations(nextConversations.value);
  conversations.value = [...conversations.value, ...found.conversations];
  nextConversations.value = found.next;
}
