/** The conversations at the side: open, rename, delete, export. */

import { useState } from "preact/hooks";
import { deleteConversation, exportAddress, renameConversation } from "../api/client";
import type { ConversationInfo } from "../api/types";
import { conversation, failure, startAnew } from "../ask/dialogue";
import { Button, Plain } from "../page/Button";
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
      <ul>
        {conversations.value.map((one) => (
          <Item key={one.id} of={one} onChosen={onChosen} />
        ))}
      </ul>
      {nextConversations.value && (
        <Plain
          does={() =>
            moreConversations().catch((error: unknown) => {
              failure.value = error;
            })
          }
        >
          {t("more")}
        </Plain>
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

  const cancel = <Plain does={() => setState("shown")}>{t("cancel")}</Plain>;

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
          <input name="title" aria-label={t("rename")} value={of.title} maxLength={200} autofocus required />
          <button>{t("save")}</button>
          {cancel}
        </form>
      </li>
    );
  if (state === "deleting")
    return (
      <li role="group" aria-label={t("remove")}>
        <p>{t("removeSure", { name: of.title })}</p>
        <Button
          look="danger"
          does={() =>
            done(async () => {
              await deleteConversation(of.id);
              if (isOpen) {
                startAnew();
                go({ at: "ask", graph: "", question: "" });
              }
            })
          }
        >
          {t("remove")}
        </Button>
        {cancel}
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
        <summary aria-label={`${t("more")}: ${of.title}`}>⋯</summary>
        <div class="menu-items">
          <Plain does={() => setState("renaming")}>{t("rename")}</Plain>
          <a href={exportAddress(of.id, "json")} download>
            {t("download")} JSON
          </a>
          <a href={exportAddress(of.id, "markdown")} download>
            {t("download")} Markdown
          </a>
          <Plain does={() => setState("deleting")}>{t("remove")}</Plain>
        </div>
      </details>
    </li>
  );
}
