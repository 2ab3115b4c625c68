/** Pins an answer to the board, or takes it away; while it is there, others may open it by its link. */

import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { getBoard, putPin, removePin } from "../api/client";
import type { Pin } from "../api/types";
import { FailureNote } from "../page/failure";
import { written } from "../page/route";
import { t } from "../words";

/** The answers that this key or session pinned, in order. */
export const board = signal<Pin[]>([]);

/** Learn what is on the board, after something was done. */
export async function refreshBoard(done?: Promise<null>): Promise<void> {
  await done;
  board.value = await getBoard();
}

export function PinButton({ id }: { id: string }) {
  const [failure, setFailure] = useState<unknown>(null);
  const isPinned = board.value.some((pin) => pin.id === id);
  const change = () => refreshBoard(isPinned ? removePin(id) : putPin(id)).then(() => setFailure(null), setFailure);
  return (
    <>
      <button type="button" aria-pressed={isPinned} onClick={() => void change()}>
        {t("pin")}
      </button>
      {isPinned && <a href={written({ at: "board", id })}>{t("shareLink")}</a>}
      {failure !== null && <FailureNote failure={failure} />}
    </>
  );
}
