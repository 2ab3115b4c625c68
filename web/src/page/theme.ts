/** Light, dark, or as the system is; charts and drawings are told when it changes. */

import { effect, signal } from "@preact/signals";

export type Theme = "auto" | "light" | "dark";

const KEPT = "triad-theme";
const system = matchMedia("(prefers-color-scheme: dark)");
const kept = localStorage.getItem(KEPT);

export const theme = signal<Theme>(kept === "light" || kept === "dark" ? kept : "auto");
export const isDark = signal(false);

const look = () => {
  isDark.value = theme.value === "dark" || (theme.value === "auto" && system.matches);
};

system.addEventListener("change", look);
effect(() => {
  document.documentElement.dataset["theme"] = theme.value;
  localStorage.setItem(KEPT, theme.value);
  look();
});

/** Return the colours that are in force, by the name of their custom property. */
export function colours<Name extends string>(...names: Name[]): Record<Name, string> {
  // A custom property holds light-dark(…) as it was written; only a colour that is used is resolved.
  const probe = document.createElement("span");
  document.body.append(probe);
  const found = names.map((name) => {
    probe.style.color = `var(--${name})`;
    return [name, getComputedStyle(probe).color] as const;
  });
  probe.remove();
  return Object.fromEntries(found) as Record<Name, string>;
}
