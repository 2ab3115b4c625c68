/** The page's words in the language that was chosen. English comes with the page, the others when they are needed. */

import { computed, effect, signal } from "@preact/signals";
import { en, type Key, type Words } from "./en";

export type { Key };

/** The languages by their tags, in the order in which they are offered. */
export const LANGUAGES = ["en", "de", "es", "fr", "it", "nl", "pt", "ro", "ru", "fa", "hi"];

const packs = import.meta.glob<Record<string, Words>>(["./??.ts", "!./en.ts"]);
const RIGHT_TO_LEFT = new Set(["fa"]);
const KEPT = "triad-language";

export const language = signal(chosen());
const words = signal<Words>(en);

function chosen(): string {
  const wished = [localStorage.getItem(KEPT) ?? "", ...navigator.languages];
  return wished.map((tag) => tag.slice(0, 2)).find((tag) => LANGUAGES.includes(tag)) ?? "en";
}

export function chooseLanguage(tag: string): void {
  localStorage.setItem(KEPT, tag);
  language.value = tag;
}

effect(() => {
  const tag = language.value;
  const load = packs[`./${tag}.ts`] ?? (() => Promise.resolve<Record<string, Words>>({ en }));
  void load().then((pack) => {
    if (language.peek() !== tag) return;
    words.value = pack[tag] ?? en;
    document.documentElement.lang = tag;
    document.documentElement.dir = RIGHT_TO_LEFT.has(tag) ? "rtl" : "ltr";
  });
});

/** Return a text of the page; values take the places of their names in it: "Rows: {n}". */
export function t(key: Key, values: Record<string, string | number> = {}): string {
  return words.value[key].replace(/\{(\w+)\}/g, (place, name: string) => {
    const value = values[name];
    return typeof value === "number" ? asNumber(value) : (value ?? place);
  });
}

const form = (options: Intl.NumberFormatOptions) => {
  const format = computed(() => new Intl.NumberFormat(language.value, options));
  return (value: number): string => format.value.format(value);
};

const precise = { maximumSignificantDigits: 2, maximumFractionDigits: 0, roundingPriority: "morePrecision" } as const;
const unit = { style: "unit", unit: "second", unitDisplay: "narrow" } as const;

export const asNumber = form({ maximumFractionDigits: 2 });
/** Write a small number with as many digits as tell something. */
export const asSmall = form(precise);
export const asSeconds = form({ ...unit, ...precise });
export const asPercent = form({ style: "percent" });
export const asMoney = form({ style: "currency", currency: "USD", maximumSignificantDigits: 3 });

const moment = computed(() => new Intl.DateTimeFormat(language.value, { dateStyle: "medium", timeStyle: "short" }));

export const asMoment = (iso: string): string => {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : moment.value.format(date);
};
