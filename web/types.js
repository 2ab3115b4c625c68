/** Makes generated/api.d.ts, the types of all that the server sends and takes, of what it says of itself. */

import { readFileSync, writeFileSync } from "node:fs";
import { compile } from "json-schema-to-typescript";

const read = JSON.parse(readFileSync("generated/openapi.json", "utf8"), (key, value) => {
  if (!value?.prefixItems) return value;
  const { prefixItems, ...tuple } = value;
  return { ...tuple, items: prefixItems };
});
const { schemas } = read.components;
for (const [name, schema] of Object.entries(schemas)) {
  // With a title, each property would have a type of its own.
  for (const property of Object.values(schema.properties ?? {})) delete property.title;
  // What has a default is sent, too; problems alone leave out what they do not have.
  if (name !== "ProblemBody") schema.required = Object.keys(schema.properties ?? {});
}
const properties = Object.fromEntries(
  Object.keys(schemas).map((name) => [name, { $ref: `#/components/schemas/${name}` }]),
);
const all = { type: "object", properties, components: { schemas } };
const options = { additionalProperties: false, bannerComment: "", ignoreMinAndMaxItems: true };
writeFileSync("generated/api.d.ts", await compile(all, "Api", options));
