/** The question box, with completion of the names that the graph has; a new topic can be begun from it. */

import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { FoundName } from "../api/types";
import { useNames } from "../graph/useNames";
import { graph } from "../page/server";
import { asNumber, t } from "../words";
import { completed, fitting, lookedUp } from "./completing";
import { go } from "../page/route";
import { askQuestion, draft, pending, startAnew, stop, turns } from "./dialogue";

const MOST = 8;

export function QuestionBox() {
  const box = useRef<HTMLInputElement>(null);
  const list = useId();
  const [runs, setRuns] = useState<string[]>([]);
  const [found, setNames] = useNames(graph.value, runs);
  const names = fitting(found).slice(0, MOST);
  const [active, setActive] = useState(-1);
  const isOpen = names.length > 0;

  useEffect(() => setActive(-1), [runs.join()]);

  const close = () => {
    setRuns([]);
    setNames([]);
  };
  const send = () => {
    close();
    void askQuestion(draft.value);
  };
  const take = (name: FoundName) => {
    const { text, caret } = completed(draft.value, box.current?.selectionStart ?? draft.value.length, name.label);
    draft.value = text;
    close();
    requestAnimationFrame(() => {
      box.current?.focus();
      box.current?.setSelectionRange(caret, caret);
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const chosen = names[active];
    if (isOpen && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      // One place more than there are names: in it no name is chosen.
      const places = names.length + 1;
      setActive(((active + 1 + (event.key === "ArrowDown" ? 1 : places - 1)) % places) - 1);
    } else if (isOpen && event.key === "Escape") {
      event.preventDefault();
      close();
    } else if (chosen && (event.key === "Enter" || event.key === "Tab")) {
      event.preventDefault();
      take(chosen);
    }
  };

  return (
    <form
      class="question-box"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <input
        ref={box}
        id="question"
        type="text"
        autocomplete="off"
        enterkeyhint="send"
        dir="auto"
        maxLength={2000}
        role="combobox"
        aria-label={t("question")}
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={list}
        aria-activedescendant={active >= 0 ? `${list}-${String(active)}` : undefined}
        placeholder={t(turns.value.length ? "askFollowUp" : "askPlaceholder")}
        value={draft.value}
        onInput={(event) => {
          draft.value = event.currentTarget.value;
          setRuns(lookedUp(draft.value, event.currentTarget.selectionStart ?? draft.value.length));
        }}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      {turns.value.length > 0 && !pending.value && (
        <button
          key="new"
          type="button"
          class="plain"
          aria-label={t("newConversation")}
          onClick={() => {
            startAnew();
            go({ at: "ask", graph: graph.value, question: draft.value });
            box.current?.focus();
          }}
        >
          + <span>{t("newConversation")}</span>
        </button>
      )}
      {/* Two buttons and not one: the click that stops must not send what is in the box again. */}
      {pending.value ? (
        <button key="stop" type="button" class="stop" onClick={stop}>
          {t("stop")}
        </button>
      ) : (
        <button key="send" class="primary" disabled={!draft.value.trim()}>
          {t("ask")}
        </button>
      )}
      <ul id={list} role="listbox" aria-label={t("names")} class="names" hidden={!isOpen}>
        {names.map((name, at) => (
          <li
            key={name.iri + name.label}
            id={`${list}-${String(at)}`}
            role="option"
            aria-selected={at === active}
            // The box keeps the focus, or it would close the list before the click is done.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => take(name)}
          >
            <span dir="auto">{name.label}</span> <span class="quiet">{name.description || name.kind}</span>
          </li>
        ))}
      </ul>
      <span class="unseen" role="status">
        {isOpen && `${t("names")}: ${asNumber(names.length)}`}
      </span>
    </form>
  );
}
