/** Buttons that do something, and send no form; a plain one looks like a link. */

import type { ComponentChildren } from "preact";

interface Given {
  does: () => unknown;
  look?: "plain" | "primary" | "stop" | "danger";
  disabled?: boolean;
  children: ComponentChildren;
}

export function Button({ does, look, disabled = false, children }: Given) {
  return (
    <button type="button" class={look ?? ""} disabled={disabled} onClick={() => void does()}>
      {children}
    </button>
  );
}

export const Plain = (given: Given) => <Button look="plain" {...given} />;
