/** Other questions that may have been meant, with their answers, each one click away. */

import type { Reading } from "../api/types";
import { askQuestion, pending } from "../ask/dialogue";
import { t } from "../words";

/** A reading with its answer, or a question by itself. */
type Offered = Pick<Reading, "text"> & Partial<Reading>;

export function Readings({ title, readings }: { title: string; readings: Offered[] }) {
  if (!readings.length) return null;
  const taken = [...new Set(readings.flatMap((one) => one.taken || []))];
  return (
    <div class="readings">
      {taken.length > 0 && (
        <p dir="auto">
          {t("understoodAs")}: {taken.join(", ")}
        </p>
      )}
      <h3>{title}</h3>
      <ul class="chips">
        {readings.map(({ text, answer }) => (
          <li key={text}>
            <button type="button" dir="auto" disabled={pending.value !== null} onClick={() => void askQuestion(text)}>
              {text}
            </button>{" "}
            {answer && <span dir="auto">{answer}</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}
