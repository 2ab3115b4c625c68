/** Buttons of which one is chosen. */

import { t, type Key } from "../words";

interface Given<T extends Key> {
  label: string;
  names: readonly T[];
  chosen: NoInfer<T> | null;
  onChoose(name: NoInfer<T>): void;
}

export function Choice<T extends Key>({ label, names, chosen, onChoose }: Given<T>) {
  return (
    <div class="views" role="group" aria-label={label}>
      {names.map((name) => (
        <button key={name} type="button" aria-pressed={chosen === name} onClick={() => onChoose(name)}>
          {t(name)}
        </button>
      ))}
    </div>
  );
}
