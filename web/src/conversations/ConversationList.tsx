/** The conversations at the side: open, rename, delete, export. */

import { useState } from "preact/hooks";
import { deleteConversation, exportAddress, renameConversation } from "../api/client";
import type { ConversationInfo } from "../api/types";
import { conversation, failure, startAnew } from "../ask/dialogue";
import { go, written } from "../page/route";
import { asMoment, t } from "../words";
import { conversations, moreConversations, nextConversations, refreshConversations } from "./list";

export function ConversationList({ onChosen }: { onChosen: () => void }) {
  return (
    <nav class="conversations" aria-label={t("conversations")}>
      <a
        class="button"
        href="#/"
        onClick={() => {
          startAnew();
          onChosen();
        }}
      >
        + {t("newConversation")}
      </a>
      {conversations.value.length === 0 && <p class="quiet">{t("noConversations")}</p>}
      <ul>
        {conversations.value.map((one) => (
          <Item key={one.id} of={one} onChosen={onChosen} />
        ))}
      </ul>
      {nextConversations.value && (
        <button
          type="button"
          class="plain"
          onClick={() => {
            moreConversations().catch((error: unknown) => {
              failure.value = error;
            });
          }}
        >
          {t("more")}
        </button>
      )}
    </nav>
  );
}

function Item({ of, onChosen }: { of: ConversationInfo; onChosen: () => void }) {
  const [state, setState] = useState<"shown" | "renaming" | "deleting">("shown");
  const isOpen = conversation.value === of.id;

  const done = async (action: () => Promise<unknown>) => {
    try {
      await action();
      await refreshConversations();
    } catch (error) {
      failure.value = error;
    }
    setState("shown");
  };

  if (state === "renaming")
    return (
      <li>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const title = new FormData(event.currentTarget).get("title");
            if (typeof title === "string" && title.trim()) void done(() => renameConversation(of.id, title.trim()));
          }}
        >
          <input name="title" aria-label={t("renameTo")} value={of.title} maxLength={200} autofocus required />
          <button>{t("save")}</button>
          <button
            type="button"
            class="plain"
            onClick={() => {
              setState("shown");
            }}
          >
            {t("cancel")}
          </button>
        </form>
      </li>
    );
  if (state === "deleting")
    return (
      <li role="group" aria-label={t("remove")}>
        <p>{t("removeSure", { name: of.title })}</p>
        <button
          type="button"
          class="danger"
          onClick={() =>
            void done(async () => {
              await deleteConversation(of.id);
              if (isOpen) {
                startAnew();
                go({ at: "ask", graph: "", question: "" });
              }
            })
          }
        >
          {t("remove")}
        </button>
        <button
          type="button"
          class="plain"
          onClick={() => {
            setState("shown");
          }}
        >
          {t("cancel")}
        </button>
      </li>
    );
  return (
    <li class={isOpen ? "open" : ""}>
      <a
        href={written({ at: "conversation", id: of.id, turn: "" })}
        dir="auto"
        aria-current={isOpen ? "page" : undefined}
        title={asMoment(of.updated)}
        onClick={onChosen}
      >
        {of.title || t("newConversation")}
      </a>
      <details class="menu">
        <summary aria-label={t("actions", { name: of.title })}>⋯</summary>
        <div class="menu-items">
          <button
            type="button"
            class="plain"
            onClick={() => {
              setState("renaming");
            }}
          >
            {t("rename")}
          </button>
          <a href={exportAddress(of.id, "json")} download>
            {t("exportJson")}
          </a>
          <a href={exportAddress(of.id, "markdown")} download>
            {t("exportMarkdown")}
          </a>
          <button
            type="button"
            class="plain"
            onClick={() => {
              setState("deleting");
            }}
          >
            {t("remove")}
          </button>
        </div>
      </details>
    </li>
  );
}
