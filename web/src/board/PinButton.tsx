/** Pins an answer to the board, or takes it away; while it is there, others may open it by its link. */

import { useState } from "preact/hooks";
import { putPin, removePin } from "../api/client";
import { FailureNote } from "../page/failure";
import { written } from "../page/route";
import { t } from "../words";
import { isPinned, refreshBoard } from "./board";

export function PinButton({ id }: { id: string }) {
  const [failure, setFailure] = useState<unknown>(null);
  const isThere = isPinned(id);
  const change = () => refreshBoard(isThere ? removePin(id) : putPin(id)).then(() => setFailure(null), setFailure);
  return (
    <>
      <button type="button" aria-pressed={isThere} onClick={() => void change()}>
        {t("pin")}
      </button>
      {isThere && <a href={written({ at: "board", id })}>{t("shareLink")}</a>}
      {failure !== null && <FailureNote failure={failure} />}
    </>
  );
}
