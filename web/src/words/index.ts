/** The page's words in the language that was chosen. English comes with the page, the others when they are needed. */

import { computed, effect, signal } from "@preact/signals";
import { en, type Key, type Words } from "./en";

export type { Key };

const PACKS: Record<string, () => Promise<Words>> = {
  en: () => Promise.resolve(en),
  de: () => import("./de").then((pack) => pack.de),
  es: () => import("./es").then((pack) => pack.es),
  fa: () => import("./fa").then((pack) => pack.fa),
  fr: () => import("./fr").then((pack) => pack.fr),
  hi: () => import("./hi").then((pack) => pack.hi),
  it: () => import("./it").then((pack) => pack.it),
  nl: () => import("./nl").then((pack) => pack.nl),
  pt: () => import("./pt").then((pack) => pack.pt),
  ro: () => import("./ro").then((pack) => pack.ro),
  ru: () => import("./ru").then((pack) => pack.ru),
};

/** The languages by tag, each by its own name. */
export const LANGUAGES: Record<string, string> = {
  en: "English",
  de: "Deutsch",
  es: "Español",
  fr: "Français",
  it: "Italiano",
  nl: "Nederlands",
  pt: "Português",
  ro: "Română",
  ru: "Русский",
  fa: "فارسی",
  hi: "हिन्दी",
};

const RIGHT_TO_LEFT = new Set(["fa"]);
const KEPT = "triad-language";

export const language = signal(chosen());
const words = signal<Words>(en);

function chosen(): string {
  const wished = [localStorage.getItem(KEPT) ?? "", ...navigator.languages];
  return wished.map((tag) => tag.slice(0, 2)).find((tag) => tag in PACKS) ?? "en";
}

export function chooseLanguage(tag: string): void {
  localStorage.setItem(KEPT, tag);
  language.value = tag;
}

effect(() => {
  const tag = language.value;
  void PACKS[tag]?.().then((pack) => {
    if (language.peek() !== tag) return;
    words.value = pack;
    document.documentElement.lang = tag;
    document.documentElement.dir = RIGHT_TO_LEFT.has(tag) ? "rtl" : "ltr";
  });
});

/** Return a text of the page; values take the places of their names in it. */
export function t(key: Key, values: Record<string, string | number> = {}): string {
  return filled(words.value[key], values);
}

/** Put values into the places of a text: "Rows: {n}". */
export function filled(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => {
    const value = values[name];
    return value === undefined ? place : typeof value === "number" ? number.value.format(value) : value;
  });
}

const number = computed(() => new Intl.NumberFormat(language.value, { maximumFractionDigits: 2 }));
const small = computed(() => new Intl.NumberFormat(language.value, { maximumSignificantDigits: 2 }));
const percent = computed(() => new Intl.NumberFormat(language.value, { style: "percent" }));
const money = computed(
  () => new Intl.NumberFormat(language.value, { style: "currency", currency: "USD", maximumSignificantDigits: 3 }),
);
const moment = computed(() => new Intl.DateTimeFormat(language.value, { dateStyle: "medium", timeStyle: "short" }));

export const asNumber = (value: number): string => number.value.format(value);
export const asSeconds = (value: number): string => small.value.format(value);
export const asPercent = (value: number): string => percent.value.format(value);
export const asMoney = (value: number): string => money.value.format(value);
export const asMoment = (iso: string): string => {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : moment.value.format(date);
};
