/** A name of the graph in place of the words that it was found by. */

/**
 * Return the text with a name completed at the caret, and where the caret then is. The longest run of words before the
 * caret that the name begins with is replaced; if it begins with none of them, the last word is.
 */
export function completed(text: string, caret: number, name: string): { text: string; caret: number } {
  const before = text.slice(0, caret);
  const begins = [...before.matchAll(/(?<![\p{L}\p{M}\p{N}])[\p{L}\p{M}\p{N}]/gu)].map((found) => found.index);
  const folded = fold(name);
  const from =
    begins.find((begin) => folded.startsWith(fold(before.slice(begin)))) ?? begins[begins.length - 1] ?? caret;
  const after = text.slice(caret).replace(/^[\p{L}\p{M}\p{N}]+/u, "");
  const space = /^[\s?.,!;:]/.test(after) || after === "" ? "" : " ";
  const written = text.slice(0, from) + name + space;
  return { text: written + after, caret: written.length };
}

/** Return what names are looked up by: the last three words before the caret, the last two, and the last one. */
export function lookedUp(text: string, caret: number): string[] {
  const words = text.slice(0, caret).split(/\s+/);
  if (!/[\p{L}\p{N}][\p{L}\p{M}\p{N}]$/u.test(words.at(-1) ?? "")) return [];
  const runs = [3, 2, 1].map((count) => words.slice(-count).join(" ").trimStart());
  return [...new Set(runs)];
}

/** Return the names that fit, each once: of several words those that begin with them. */
export function fitting<Name extends { completes: string; iri: string; label: string }>(names: Name[]): Name[] {
  const seen = new Set<string>();
  return names.filter((name) => {
    const fits = !name.completes.includes(" ") || fold(name.label).startsWith(fold(name.completes));
    return fits && !seen.has(name.iri) && seen.add(name.iri);
  });
}

const fold = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
