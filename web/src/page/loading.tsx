/** What is fetched for a part of the page, while it comes, when it is there, and where it cannot be had. */

import { useEffect, useState } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { t } from "../words";
import { FailureNote } from "./failure";

export type Loaded<T> = { state: "loading" } | { state: "there"; value: T } | { state: "failed"; failure: unknown };

/** Load something anew whenever one of `inputs` changes; what comes too late is left. */
export function useLoaded<T>(load: () => Promise<T>, inputs: unknown[]): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ state: "loading" });
  useEffect(() => {
    let wanted = true;
    setLoaded({ state: "loading" });
    load().then(
      (value) => {
        if (wanted) setLoaded({ state: "there", value });
      },
      (failure: unknown) => {
        if (wanted) setLoaded({ state: "failed", failure });
      },
    );
    return () => {
      wanted = false;
    };
  }, inputs);
  return loaded;
}

export function When<T>({ loaded, children }: { loaded: Loaded<T>; children: (value: T) => ComponentChildren }) {
  if (loaded.state === "failed") return <FailureNote failure={loaded.failure} />;
  if (loaded.state === "there") return <>{children(loaded.value)}</>;
  return (
    <p class="quiet" role="status">
      {t("loading")} …
    </p>
  );
}
