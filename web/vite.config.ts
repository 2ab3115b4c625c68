import { defineConfig } from "vite";
import { records } from "./building.ts";

/** The page is built into the Python package, which ships it: users need no Node. */
export default defineConfig({
  base: "./",
  plugins: [records()],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "../triad/server/static",
    emptyOutDir: true,
    target: "es2022",
    // An asset inside a data: URL would need more in the Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
  },
  server: { proxy: { "/api": "http://127.0.0.1:8000" } },
});
