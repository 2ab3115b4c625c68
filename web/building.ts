/** What the build adds to the page: the licences of all that is in it, and a digest of what it was made from. */

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { runnerImport, type Plugin } from "vite";

const HERE = import.meta.dirname;
const SOURCES = [
  "building.ts",
  "index.html",
  "package-lock.json",
  "package.json",
  "src",
  "tsconfig.json",
  "vite.config.ts",
];

/** Return the digest of the sources, as tests/web/test_built.py computes it. */
function digest(): string {
  const files = SOURCES.flatMap((name) =>
    name === "src"
      ? readdirSync(join(HERE, name), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => relative(HERE, join(entry.parentPath, entry.name)))
      : [name],
  );
  const hash = createHash("sha256");
  for (const file of files.map((name) => name.replaceAll("\\", "/")).sort()) {
    hash.update(`${file}\n`);
    hash.update(readFileSync(join(HERE, file)));
  }
  return hash.digest("hex");
}

/** Return the folder of the package that a module belongs to, or null where it is one of ours. */
function packageOf(module: string): string | null {
  return /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(module.replace(/^\0/, ""))?.[1] ?? null;
}

function licence(folder: string): string {
  const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<string, unknown>;
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  const text = file && existsSync(join(folder, file)) ? readFileSync(join(folder, file), "utf8").trim() : "";
  return `${String(about["name"])} ${String(about["version"])} (${String(about["license"])})\n\n${text}`;
}

/** Give the web component the words of the page that it has, in all languages, and no others. */
export function words(...keys: string[]): Plugin {
  const [name, folder] = ["virtual:words", join(HERE, "src", "words")];
  return {
    name: "words",
    resolveId: (source) => (source === name ? `\0${name}` : null),
    async load(source) {
      if (source !== `\0${name}`) return null;
      const tags = readdirSync(folder).flatMap((file) => /^([a-z]{2})\.ts$/.exec(file)?.[1] ?? []);
      const packs = tags.map(async (tag) => {
        const { module } = await runnerImport<Record<string, Record<string, string>>>(join(folder, `${tag}.ts`));
        return [tag, Object.fromEntries(keys.map((key) => [key, module[tag]?.[key]]))] as const;
      });
      return `export default ${JSON.stringify(Object.fromEntries(await Promise.all(packs)))}`;
    },
  };
}

/** Write LICENSES.txt and sources.sha256 beside the page. */
export function records(): Plugin {
  return {
    name: "records",
    generateBundle(_, bundle) {
      const modules = Object.values(bundle).flatMap((one) => (one.type === "chunk" ? Object.keys(one.modules) : []));
      const folders = new Set(modules.flatMap((module) => packageOf(module) ?? []));
      const line = `\n\n${"-".repeat(100)}\n\n`;
      const head = "The page is made of Triad's own sources (Apache-2.0) and of the packages below.\n";
      const earth = "The outline of the world is made from Natural Earth, which is in the public domain.";
      const source = [head + earth, ...[...folders].sort().map(licence)].join(line) + "\n";
      this.emitFile({ type: "asset", fileName: "LICENSES.txt", source });
      this.emitFile({ type: "asset", fileName: "sources.sha256", source: `${digest()}\n` });
    },
  };
}
