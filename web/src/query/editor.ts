/**
 * The query editor by CodeMirror, which is loaded with the first of them. It lives in a shadow root: there its styles
 * are constructed sheets, which the page's policy allows, and no <style> elements, which it does not.
 */

import { autocompletion, closeBrackets, completionKeymap, type CompletionContext } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { standardSQL } from "@codemirror/legacy-modes/mode/sql";
import { sparql } from "@codemirror/legacy-modes/mode/sparql";
import { setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { getNames, getThings } from "../api/client";
import { profileOf } from "../graph/profile";
import { compact, KEYWORDS, placeOf, termAt } from "./terms";

export interface Given {
  text: string;
  graph: string;
  prefixes: Record<string, string>;
  label: string;
  isSparql: boolean;
  changed(text: string): void;
  run(): void;
}

// Custom properties reach into a shadow root.
const highlighting = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--code-keyword)", fontWeight: "600" },
  { tag: [tags.variableName, tags.special(tags.variableName)], color: "var(--code-variable)" },
  { tag: [tags.string, tags.literal, tags.number], color: "var(--code-literal)" },
  { tag: tags.comment, color: "var(--quiet)", fontStyle: "italic" },
  { tag: [tags.atom, tags.tagName, tags.typeName], color: "var(--code-name)" },
]);

const look = EditorView.theme({
  "&": { color: "var(--text)", backgroundColor: "var(--paper)", border: "1px solid var(--edge)", borderRadius: "6px" },
  "&.cm-focused": { outline: "2px solid var(--accent)" },
  ".cm-content": { fontFamily: "ui-monospace, monospace", fontSize: "0.9rem", caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "var(--shade)", color: "var(--quiet)", border: "none" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--selection) !important" },
  ".cm-tooltip": { backgroundColor: "var(--paper)", color: "var(--text)", border: "1px solid var(--edge)" },
  ".cm-tooltip-hover > div": { padding: "0.3rem 0.6rem", maxWidth: "30rem" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
  ".cm-scroller": { maxHeight: "24rem", overflow: "auto" },
});

// Where text is typed over a selection, the browser keeps its looks by inline styles, which the page's policy refuses
// with a complaint. So such text is put in here.
const overSelection = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { from, to } = view.state.selection.main;
    const { data } = event;
    if (event.inputType !== "insertText" || data === null || from === to || view.composing) return false;
    event.preventDefault();
    const insert = () => view.state.update(view.state.replaceSelection(data), { userEvent: "input.type" });
    const handlers = view.state.facet(EditorView.inputHandler);
    if (!handlers.some((handle) => handle(view, from, to, data, insert))) view.dispatch(insert());
    return true;
  },
});

/** Open an editor in an element that has a shadow root of its own. */
export function openEditor(into: HTMLElement, given: Given): EditorView {
  const shadow = into.shadowRoot ?? into.attachShadow({ mode: "open" });
  shadow.replaceChildren();
  return new EditorView({
    root: shadow,
    parent: shadow,
    state: EditorState.create({
      doc: given.text,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        bracketMatching(),
        closeBrackets(),
        StreamLanguage.define(given.isSparql ? sparql : standardSQL),
        syntaxHighlighting(highlighting),
        look,
        overSelection,
        hoverTooltip((view, at) => about(view, at, given)),
        EditorView.lineWrapping,
        // A query is written from left to right in every language.
        EditorView.contentAttributes.of({ "aria-label": given.label, dir: "ltr" }),
        autocompletion({ override: given.isSparql ? [(context) => complete(context, given)] : [] }),
        // Tab leaves the editor, as it leaves any other field.
        keymap.of([
          { key: "Mod-Enter", run: () => (given.run(), true) },
          ...completionKeymap,
          ...defaultKeymap,
          ...historyKeymap,
        ]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) given.changed(update.state.doc.toString());
        }),
      ],
    }),
  });
}

/** Mark the place of a query at which the server says it cannot be read; without one, take the mark away. */
export function mark(view: EditorView, message: string): void {
  const { doc } = view.state;
  const at = placeOf(message, doc.toString());
  const from = Math.min(at ?? 0, doc.length);
  const to = view.state.wordAt(from)?.to ?? Math.min(from + 1, doc.length);
  view.dispatch(setDiagnostics(view.state, at === null ? [] : [{ from, to, severity: "error", message }]));
}

/** Tell what a name in a query is called and stands for. */
async function about(view: EditorView, at: number, { graph, prefixes }: Given) {
  const line = view.state.doc.lineAt(at);
  const declared = view.state.doc.toString().matchAll(/PREFIX\s+([\w-]*):\s*<([^>]*)>/gi);
  const own = Object.fromEntries(Array.from(declared, ([, prefix, namespace]) => [prefix, namespace]));
  const term = termAt(line.text, at - line.from, { ...prefixes, ...own });
  if (!term) return null;
  const known = (await profileOf(graph)).classes.flatMap((one) => [one, ...one.relations]);
  const found =
    known.find(({ iri }) => iri === term.iri) ?? (await getThings(graph, [term.iri]).catch(() => []))[0] ?? null;
  if (!found) return null;
  const dom = document.createElement("div");
  dom.dir = "auto";
  dom.append(Object.assign(document.createElement("strong"), { textContent: found.label }), ` ${found.description}`);
  return { pos: line.from + term.from, end: line.from + term.to, above: true, create: () => ({ dom }) };
}

async function complete(context: CompletionContext, { graph, prefixes }: Given) {
  const variable = context.matchBefore(/\?\w*/);
  if (variable) {
    const known = new Set(context.state.doc.toString().match(/\?\w+/g));
    known.delete(variable.text);
    return { from: variable.from, options: [...known].map((label) => ({ label, type: "variable" })) };
  }
  const word = context.matchBefore(/[\p{L}\p{M}\p{N}_:]+/u);
  if (!word || (word.text.length < 2 && !context.explicit)) return null;
  const asked = word.text.replace(/^.*:/, "");
  const names = asked ? await getNames(graph, [asked]).catch(() => []) : [];
  return {
    from: word.from,
    // What the server found fits by its name, which need not begin as the word does.
    filter: false,
    options: [
      ...KEYWORDS.filter((keyword) => keyword.startsWith(word.text.toUpperCase())).map((label) => ({
        label,
        type: "keyword",
      })),
      ...names
        .filter((name) => name.kind !== "literal")
        .map((name) => ({
          label: name.label,
          detail: compact(name.iri, prefixes),
          type: name.kind === "class" ? "class" : name.kind === "relation" ? "property" : "constant",
          apply: compact(name.iri, prefixes),
        })),
    ],
  };
}
