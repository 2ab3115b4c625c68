/** The field in which a query is written; a plain one where the editor cannot be loaded. */

import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../words";
import { isSparql } from "./terms";

interface Given {
  /** What stands in it at first; what then stands in it is its own, and is told by `onChange`. */
  text: string;
  graph: string;
  prefixes: Record<string, string>;
  onChange(text: string): void;
  onRun(): void;
  /** Why the server could not read it, and where; empty if it could. */
  fault: string;
}

export function QueryEditor(given: Given) {
  const place = useRef<HTMLDivElement>(null);
  const opened = useRef<{ mark(fault: string): void; destroy(): void } | null>(null);
  const latest = useRef(given);
  latest.current = given;
  const [state, setState] = useState<"loading" | "there" | "failed">("loading");

  useEffect(() => {
    let wanted = true;
    const opening = import("./editor").then(({ openEditor, mark }) => {
      if (!wanted || !place.current) return;
      const editor = openEditor(place.current, {
        text: latest.current.text,
        graph: given.graph,
        prefixes: given.prefixes,
        label: t("editor"),
        isSparql: isSparql(latest.current.text),
        changed: (text) => latest.current.onChange(text),
        run: () => latest.current.onRun(),
      });
      opened.current = { mark: (fault) => mark(editor, fault), destroy: () => editor.destroy() };
      setState("there");
    });
    opening.catch(() => setState("failed"));
    return () => {
      wanted = false;
      opened.current?.destroy();
    };
  }, [given.graph, given.prefixes]);
  useEffect(() => opened.current?.mark(given.fault), [given.fault]);

  return (
    <>
      {state === "loading" && <pre dir="ltr">{given.text}</pre>}
      {state === "failed" && (
        <textarea
          class="code"
          dir="ltr"
          rows={8}
          aria-label={t("editor")}
          value={given.text}
          onInput={(event) => given.onChange(event.currentTarget.value)}
        />
      )}
      <div ref={place} class="editor" dir="ltr" />
    </>
  );
}
