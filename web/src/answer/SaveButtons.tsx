/** Saves a drawing as SVG, which any size suits, and as PNG. */

import { t } from "../words";
import { asPng, download } from "./exporting";

export function SaveButtons({ name, svg }: { name: string; svg: () => Promise<string> | string }) {
  const save = async (as: "svg" | "png") => {
    const text = await svg();
    download(`${name}.${as}`, "image/svg+xml", as === "svg" ? text : await asPng(text));
  };
  return (
    <>
      {(["svg", "png"] as const).map((as) => (
        <button key={as} type="button" class="plain" onClick={() => void save(as)}>
          {t("download")} {as.toUpperCase()}
        </button>
      ))}
    </>
  );
}
