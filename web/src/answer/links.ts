/** What may become a link: addresses of the web and nothing else. */

/** Return an address that is safe to open, or null: javascript:, data: and the like are none. */
export function webAddress(text: string): string | null {
  try {
    const address = new URL(text);
    return address.protocol === "http:" || address.protocol === "https:" ? address.href : null;
  } catch {
    return null;
  }
}
