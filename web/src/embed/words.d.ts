/** The page's words by language, of which the component has those that vite.config.ts names. */
declare module "virtual:words" {
  const packs: { en: import("../words/en").Words; [tag: string]: import("../words/en").Words };
  export default packs;
}
