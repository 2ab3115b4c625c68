import { defineConfig, type UserConfig } from "vite";
import { records, words } from "./building.ts";

const shared = { outDir: "../triad/server/static", target: "es2022" };

const page: UserConfig = {
  base: "./",
  plugins: [records()],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    ...shared,
    emptyOutDir: true,
    // An asset inside a data: URL would need more in the Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
  },
  server: { proxy: { "/api": "http://127.0.0.1:8000" } },
};

const HAS = ["askPlaceholder", "ask", "stop", "working", "lost", "question"];
const TELLS = ["certainty", "sure", "likely", "guess", "howCome", "moreOf"];

/** A script of one file, which pages of other sites load without being asked for their origin, as modules are. */
const component: UserConfig = {
  plugins: [words(...HAS, ...TELLS)],
  build: {
    ...shared,
    emptyOutDir: false,
    lib: { entry: "src/embed/triadAsk.ts", name: "triadAsk", formats: ["iife"], fileName: () => "triad-ask.js" },
  },
};

/** Page and component are built into the Python package, which ships them: users need no Node. */
export default defineConfig(({ mode }) => (mode === "component" ? component : page));
