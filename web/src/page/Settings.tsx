/** Language, colours, and leaving the session of a key. */

import { closeSession } from "../api/client";
import { chooseLanguage, language, LANGUAGES, t, type Key } from "../words";
import { forget } from "../query/history";
import { Button } from "./Button";
import { SignIn } from "./KeyGate";
import { session } from "./server";
import { theme, type Theme } from "./theme";

const THEMES: Record<Theme, Key> = { auto: "themeAuto", light: "themeLight", dark: "themeDark" };

export function Settings() {
  return (
    <details class="menu settings">
      <summary aria-label={t("settings")}>⚙</summary>
      <div class="menu-items">
        <label>
          {t("language")}
          <select value={language.value} onChange={(event) => chooseLanguage(event.currentTarget.value)}>
            {LANGUAGES.map((tag) => (
              <option key={tag} value={tag} lang={tag}>
                {new Intl.DisplayNames(tag, { type: "language" }).of(tag)}
              </option>
            ))}
          </select>
        </label>
        <label>
          {t("theme")}
          <select
            value={theme.value}
            onChange={(event) => {
              theme.value = event.currentTarget.value as Theme;
            }}
          >
            {(Object.keys(THEMES) as Theme[]).map((one) => (
              <option key={one} value={one}>
                {t(THEMES[one])}
              </option>
            ))}
          </select>
        </label>
        <SignIn />
        {session.value?.key && (
          <Button
            does={async () => {
              await closeSession();
              forget();
              location.reload();
            }}
          >
            {t("leave")} ({session.value.key.name})
          </Button>
        )}
        <p class="quiet">Triad {session.value?.version}</p>
      </div>
    </details>
  );
}
