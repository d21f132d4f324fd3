import { collect } from "../server/dist/api/operator/openapi/operation.js";
import { describeSchema } from "../server/dist/api/operator/openapi/schemas.js";

function objectType(schema) {
  const required = new Set(schema.required ?? []);
  const fields = Object.entries(schema.properties ?? {}).map(
    ([name, one]) => `readonly ${/^\w+$/.test(name) ? name : JSON.stringify(name)}${required.has(name) ? "" : "?"}: ${typeOf(one)};`,
  );
  if (fields.length > 0) return `{ ${fields.join(" ")} }`;
  if (schema.additionalProperties === false) return "Readonly<Record<string, never>>";
  // An object of another library's type, which has no index signature.
  if (schema.properties && schema.additionalProperties) return "object";
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

/** Writes the type of the named schemas. */
function schemasText(schemas) {
  const lines = Object.entries(schemas).map(([name, schema]) => `  readonly ${name}: ${typeOf(schema)};`);
  return `export type Schemas = {\n${lines.join("\n")}\n};\n`;
}

/**
 * The TypeScript types of the operator API's replies, for the console.
 *
 * @param {{ readonly components: { readonly schemas: object } }} description
 */
export function webTypes({ components }) {
  return `// Written by \`npm run openapi\` from contract/operator-openapi.json. Do not edit.

/** The named things of the operator API. */
${schemasText(components.schemas)}`;
}

/**
 * The TypeScript types of the inputs and replies of a site's actions, by path.
 *
 * @param {Readonly<Record<string, readonly object[]>>} apis
 */
export function actionTypes(apis) {
  const named = new Map();
  const typeFrom = (schema, io, path) => typeOf(collect(describeSchema(schema, io), named, path));
  const api = ([name, actions]) => {
    const lines = actions.map((action) => {
      const { path, input, output, mediaType } = action;
      const reply = output ? `reply: ${typeFrom(output, "output", path)}` : `mediaType: ${JSON.stringify(mediaType)}`;
      return `  readonly ${JSON.stringify(path)}: { readonly input: ${inputType(typeFrom(input, "input", path))}; readonly ${reply} };`;
    });
    return `/** Input and reply of each action, by method and path. */\nexport type ${name} = {\n${lines.toSorted().join("\n")}\n};\n`;
  };
  const texts = Object.entries(apis).map(api);
  const schemas = Object.fromEntries([...named].toSorted(([one], [other]) => (one < other ? -1 : 1)));
  return `// Written by \`npm run openapi\` from the definitions of the portal's and the sign-in actions. Do not edit.

/** The named schemas of these actions. */
${schemasText(schemas)}
${texts.join("\n")}`;
}

// An action without input ignores or refuses every field, so the pages send none.
function inputType(type) {
  return type === "Readonly<Record<string, unknown>>" ? "Readonly<Record<string, never>>" : type;
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
