/** Server-sent events over fetch, which unlike EventSource can post, send headers and be aborted. */

export interface ServerEvent {
  name: string;
  data: string;
}

/** Yield the events of a stream of text, however it is cut into chunks. Comments are left out. */
export async function* events(stream: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      // A carriage return at the end may be the first half of a line's end.
      const held = !done && rest.endsWith("\r") ? "\r" : "";
      const blocks = rest
        .slice(0, rest.length - held.length)
        .replace(/\r\n?/g, "\n")
        .split("\n\n");
      rest = (blocks.pop() ?? "") + held;
      for (const block of blocks) {
        const event = parsed(block);
        if (event) yield event;
      }
      if (done) return;
    }
  } finally {
    reader.releaseLock();
  }
}

function parsed(block: string): ServerEvent | null {
  let name = "message";
  const data: string[] = [];
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    if (colon === 0) continue;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") name = value;
    else if (field === "data") data.push(value);
  }
  return data.length ? { name, data: data.join("\n") } : null;
}
