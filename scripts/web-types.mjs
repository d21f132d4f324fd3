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

/**
 * The TypeScript types of the operator API's replies, for the console.
 *
 * @param {{ readonly components: { readonly schemas: object } }} description
 */
export function webTypes({ components }) {
  const schemas = Object.entries(components.schemas).map(([name, schema]) => `  readonly ${name}: ${typeOf(schema)};`);
  return `// Written by \`npm run openapi\` from contract/operator-openapi.json. Do not edit.

/** The named things of the operator API. */
export type Schemas = {
${schemas.join("\n")}
};
`;
}

/**
 * The groups of roles, so that the pages show what a role may do by the same lists as the service.
 *
 * @param {Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>} sites
 */
export function webRoles(sites) {
  const site = ([name, groups]) => {
    const lines = Object.entries(groups).map(([group, roles]) => `  ${group}: [${roles.map((role) => JSON.stringify(role)).join(", ")}],`);
    return `export const ${name} = {\n${lines.join("\n")}\n} as const;\n`;
  };
  return `// Written by \`npm run openapi\` from the service's groups of roles. Do not edit.\n\n${Object.entries(sites).map(site).join("\n")}`;
}
