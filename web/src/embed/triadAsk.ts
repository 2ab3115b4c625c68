/**
 * `<triad-ask server="…" graph="…">`: a question box with its answer, for pages of other sites.
 *
 * It is one script without a framework. It asks without cookies, and shows what it is told as text. Its style is a sheet
 * of its own, which a policy against inline styles lets pass.
 */

import packs from "virtual:words";
import { webAddress } from "../answer/links";
import { certaintyOf, shown } from "../answer/views";
import type { Answer, ProblemDetails, Turn } from "../api/types";
import style from "../style.css?inline";

const MOST = 20; // rows that are shown
const script = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : location.href;

/** Make an element. */
function made<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

class TriadAsk extends HTMLElement {
  #words = packs.en;
  #asking: AbortController | null = null;
  readonly #box = made("input", { id: "question", maxLength: 2000, autocomplete: "off", dir: "auto" });
  readonly #button = made("button", { className: "primary" });
  readonly #said = made("div", { className: "answer", role: "status" });

  connectedCallback(): void {
    if (this.shadowRoot) return;
    const wished = [this.closest<HTMLElement>("[lang]")?.lang ?? "", ...navigator.languages];
    const lang = wished.map((tag) => tag.slice(0, 2)).find((tag) => tag in packs) ?? "en";
    this.#words = packs[lang] ?? this.#words;
    this.#box.placeholder = this.#words.askPlaceholder;
    this.#button.textContent = this.#words.ask;
    const label = made("label", { htmlFor: "question" }, this.#words.question);
    const form = made("form", { className: "question-box", role: "search" }, this.#box, this.#button);
    form.onsubmit = (event) => {
      event.preventDefault();
      if (this.#asking) this.#asking.abort();
      else void this.ask(this.#box.value);
    };
    const root = this.attachShadow({ mode: "open", delegatesFocus: true });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    root.adoptedStyleSheets = [sheet];
    root.append(made("section", { className: "turn", lang, dir: lang === "fa" ? "rtl" : "" }, label, form, this.#said));
  }

  /** Ask a question; the event `triad-answer` tells the turn. */
  async ask(question: string): Promise<void> {
    if (!question.trim() || this.#asking) return;
    const { signal } = (this.#asking = new AbortController());
    this.#box.value = question;
    this.#button.textContent = this.#words.stop;
    this.#said.replaceChildren(`${this.#words.working} …`);
    try {
      const server = webAddress(new URL((this.getAttribute("server") ?? ".").replace(/\/*$/, "/"), script).href);
      if (!server) throw new Error(this.#words.lost);
      const turn = await this.#answered(server, question, signal);
      this.#said.replaceChildren(...this.#told(server, turn));
      this.dispatchEvent(new CustomEvent("triad-answer", { detail: turn, bubbles: true, composed: true }));
    } catch (error) {
      const text = error instanceof TypeError ? this.#words.lost : (error as Error).message;
      this.#said.replaceChildren(signal.aborted ? "" : text);
    } finally {
      this.#asking = null;
      this.#button.textContent = this.#words.ask;
    }
  }

  async #answered(server: string, question: string, signal: AbortSignal): Promise<Turn> {
    const [graph, key] = [this.getAttribute("graph"), this.getAttribute("key")];
    const response = await fetch(`${server}api/v1/ask`, {
      method: "POST",
      credentials: "omit",
      headers: { "Content-Type": "application/json", ...(key && { Authorization: `Bearer ${key}` }) },
      body: JSON.stringify({ question, graph }),
      signal,
    });
    const found = (await response.json()) as Turn & ProblemDetails;
    if (!response.ok) throw new Error(found.detail || found.title);
    return found;
  }

  /** Return what is shown of a turn: the reply or a table, how sure it is, and the way to the whole page. */
  #told(server: string, turn: Turn): HTMLElement[] {
    const answer = turn.outcome === "answer" ? turn.answer : null;
    const reply = made("p", { className: answer ? "headline" : "reply", dir: "auto", lang: turn.language }, turn.reply);
    const told: HTMLElement[] = [answer && answer.variables.length > 1 ? this.#table(answer) : reply];
    for (const { label, question } of turn.options)
      told.push(made("button", { type: "button", dir: "auto", onclick: () => void this.ask(question) }, label));
    if (answer) {
      const level = certaintyOf(answer.confidence);
      const sure = ` ${String(Math.round(100 * answer.confidence))} %`;
      const summary = made("summary", {}, `${this.#words.certainty}: `, made("strong", {}, this.#words[level]), sure);
      const became = answer.words.map((one) => made("li", {}, made("bdi", {}, `${one.words} → ${one.became}`)));
      told.push(made("details", { className: `certainty ${level}` }, summary, made("ul", {}, ...became)));
    }
    const place = new URLSearchParams({ graph: turn.graph, question: turn.standalone || turn.question }).toString();
    told.push(made("a", { href: `${server}#/?${place}`, target: "_blank", rel: "noopener" }, this.#words.howCome));
    return told;
  }

  #table({ variables, rows }: Answer): HTMLElement {
    const heads = variables.map((name, at) =>
      made("th", { scope: "col", className: rows[0]?.[at]?.kind ?? "" }, name.replaceAll("_", " ")),
    );
    const lines = rows.slice(0, MOST).map((row) => {
      const cells = row.map((one) => made("td", { dir: "auto", className: one?.kind ?? "" }, one ? shown(one) : ""));
      return made("tr", {}, ...cells);
    });
    const more = rows.length > MOST ? this.#words.moreOf.replace("{n}", String(rows.length - MOST)) : "";
    const table = made("table", {}, made("caption", {}, more), made("tr", {}, ...heads), ...lines);
    return made("div", { className: "scroll", tabIndex: 0 }, table);
  }
}

if (!customElements.get("triad-ask")) customElements.define("triad-ask", TriadAsk);
