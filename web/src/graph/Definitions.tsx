/** What words of users stand for in the graph, and of how much that holds; administrators try others, and add them. */

import { useState } from "preact/hooks";
import { getWords, tryWords } from "../api/client";
import { useLoaded, When } from "../page/loading";
import { may } from "../page/server";
import { t } from "../words";

export function Definitions({ graph }: { graph: string }) {
  const [asked, setAsked] = useState<{ words: string; add: boolean } | null>(null);
  const loaded = useLoaded(() => (asked ? tryWords({ graph, ...asked }) : getWords(graph)), [graph, asked]);
  return (
    <>
      <h2>{t("definitions")}</h2>
      {may("admin") && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const words = String(new FormData(event.currentTarget).get("words"));
            setAsked({ words, add: (event.submitter as HTMLButtonElement | null)?.name === "add" });
          }}
        >
          <textarea
            class="code"
            name="words"
            aria-label={t("definitions")}
            placeholder="large city: {of: City, where: population > 150000}"
            required
          />
          <button>{t("run")}</button> <button name="add">{t("save")}</button>
        </form>
      )}
      <When loaded={loaded}>
        {(found) => (
          <ul>
            {found.map((one) => (
              <li key={one.word} dir="auto">
                <strong>{one.word}</strong> {one.meaning} <span class="quiet">{one.owner}</span>
                {one.holds !== "" && <p class="quiet">{`${t("things")}: ${String(one.holds)}. ${one.examples}`}</p>}
              </li>
            ))}
          </ul>
        )}
      </When>
    </>
  );
}
