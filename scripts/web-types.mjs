const PREFIX = "/api/operator/v1";

function objectType(schema) {
  const required = new Set(schema.required ?? []);
  const fields = Object.entries(schema.properties ?? {}).map(
    ([name, one]) => `readonly ${/^\w+$/.test(name) ? name : JSON.stringify(name)}${required.has(name) ? "" : "?"}: ${typeOf(one)};`,
  );
  if (fields.length > 0) return `{ ${fields.join(" ")} }`;
  const value = typeof schema.additionalProperties === "object" ? typeOf(schema.additionalProperties) : "unknown";
  return `Readonly<Record<string, ${value}>>`;
}

function typeOf(schema) {
  if (schema.$ref) return `Schemas["${schema.$ref.split("/").at(-1)}"]`;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches) return branches.map(typeOf).join(" | ");
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(" | ");
  switch (schema.type) {
    case "object":
      return objectType(schema);
    case "array":
      return `readonly (${typeOf(schema.items ?? {})})[]`;
    case "integer":
    case "number":
      return "number";
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    default:
      return "unknown";
  }
}

function repliesOf(paths) {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { responses }]) => {
      const schema = (responses["200"] ?? responses["201"])?.content?.["application/json"]?.schema;
      const name = `${method.toUpperCase()} ${path.slice(PREFIX.length).replaceAll(/\{(\w+)\}/g, ":$1")}`;
      return schema ? [`  readonly ${JSON.stringify(name)}: ${typeOf(schema)};`] : [];
    }),
  );
}

/**
 * The TypeScript types of the operator API's replies, for the console.
 *
 * @param {{ readonly paths: object, readonly components: { readonly schemas: object } }} description
 */
export function webTypes({ paths, components }) {
  const schemas = Object.entries(components.schemas).map(([name, schema]) => `  readonly ${name}: ${typeOf(schema)};`);
  return `// Written by \`npm run openapi\` from contract/operator-openapi.json. Do not edit.

/** The named things of the operator API. */
export type Schemas = {
${schemas.join("\n")}
};

/** The reply of each action of the operator API, by method and path. */
export type Replies = {
${repliesOf(paths).join("\n")}
};
`;
}
