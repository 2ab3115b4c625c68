/** Where the server is not open: the field for a key. */

import { useState } from "preact/hooks";
import { openSession, Problem } from "../api/client";
import { t } from "../words";
import { FailureNote } from "./failure";
import { enter, session } from "./server";

/** Where people sign on at a provider: the way there. */
export function SignIn() {
  if (!session.value?.sign_on || session.value.key) return null;
  return (
    <a class="button" href="api/v1/session/sign-on">
      {t("signIn")}
    </a>
  );
}

export function KeyGate() {
  const [failure, setFailure] = useState<unknown>(null);
  const open = async (form: HTMLFormElement) => {
    const key = new FormData(form).get("key");
    if (typeof key !== "string" || !key.trim()) return;
    try {
      await openSession(key.trim());
      await enter();
    } catch (error) {
      setFailure(error instanceof Problem && error.details.status === 401 ? t("keyUnknown") : error);
    }
  };
  return (
    <main class="gate">
      <h1>{t("keyNeeded")}</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void open(event.currentTarget);
        }}
      >
        <label>
          {t("keyLabel")} <input name="key" type="password" autocomplete="current-password" required autofocus />
        </label>
        <button class="primary">{t("keyOpen")}</button>
      </form>
      <SignIn />
      {failure !== null && <FailureNote failure={failure} />}
    </main>
  );
}
