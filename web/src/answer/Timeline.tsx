/** Dates in order, from top to bottom; the room between two of them grows with the time between them. */

import { t } from "../words";
import type { Moment } from "./views";

const MOST = 200;
const ROOM = 5; // rem between the two dates that lie furthest apart

export function Timeline({ moments }: { moments: Moment[] }) {
  const found = moments.slice(0, MOST);
  const gaps = found.map((moment, at) => moment.time - (found[at - 1]?.time ?? moment.time));
  const widest = Math.max(...gaps, 1);
  return (
    <ol class="timeline" aria-label={t("timeline")}>
      {found.map((moment, at) => (
        <li
          key={`${moment.shown} ${moment.name}`}
          style={{ marginBlockStart: `${String((ROOM * (gaps[at] ?? 0)) / widest)}rem` }}
        >
          <time dir="auto">{moment.shown}</time> <span dir="auto">{moment.name}</span>
        </li>
      ))}
    </ol>
  );
}
