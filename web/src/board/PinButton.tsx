/** Pins an answer to the board, or takes it away; while it is there, others may open it by its link. */

import { useState } from "preact/hooks";
import { putPin, removePin } from "../api/client";
import { FailureNote } from "../page/failure";
import { written } from "../page/route";
import { t } from "../words";
import { board, refreshBoard } from "./board";

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
