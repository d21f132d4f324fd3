import { heldOutput } from "../../server/dist/api/operator/approvals/outputs.js";
import { collect } from "../../server/dist/api/operator/openapi/operation.js";
import { describeSchema } from "../../server/dist/api/operator/openapi/schemas.js";

// An action without input ignores or refuses every field, so the pages send none.
const NO_FIELDS = "Readonly<Record<string, unknown>>";

function objectType(schema, io) {
  const required = new Set(schema.required ?? []);
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
    if (required.has(name)) return `readonly ${key}: ${typeOf(field, io)};`;
    // A field of an input that is undefined is not sent.
    return `readonly ${key}?: ${typeOf(field, io)}${io === "input" ? " | undefined" : ""};`;
  });
  const others = schema.additionalProperties;
  // An index signature covers the named fields too.
  if (fields.length > 0 && others?.type !== undefined) {
    const types = new Set([others, ...Object.values(schema.properties)].map((field) => typeOf(field, io)));
    fields.push(`readonly [name: string]: ${[...types, "undefined"].join(" | ")};`);
  }
  if (fields.length > 0) return `{ ${fields.join(" ")} }`;
  if (schema.additionalProperties === false) return "Readonly<Record<string, never>>";
  // An object of another library's type, which has no index signature.
  if (schema.properties && schema.additionalProperties) return "object";
  const value = typeof schema.additionalProperties === "object" ? typeOf(schema.additionalProperties, io) : "unknown";
  return `Readonly<Record<string, ${value}>>`;
}

function typeOf(schema, io) {
  if (schema.$ref) return `Schemas["${schema.$ref.split("/").at(-1)}"]`;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches) return branches.map((branch) => typeOf(branch, io)).join(" | ");
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type }, io)).join(" | ");
  switch (schema.type) {
    case "object":
      return objectType(schema, io);
    case "array":
      return `readonly (${typeOf(schema.items ?? {}, io)})[]`;
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
  const lines = Object.entries(schemas).map(([name, schema]) => `  readonly ${name}: ${typeOf(schema, "output")};`);
  return `export type Schemas = {\n${lines.join("\n")}\n};\n`;
}

/**
 * The TypeScript types of the inputs and replies of actions, by method and path.
 *
 * @param {string} source whose definitions they are
 * @param {Readonly<Record<string, readonly object[]>>} apis
 */
export function actionTypes(source, apis) {
  const named = new Map();
  const texts = Object.entries(apis).map(([name, actions]) => {
    const lines = actions.map((action) =>
      actionLine(action, (schema, io) => typeOf(collect(describeSchema(schema, io), named, action.path), io)),
    );
    return `/** Input and reply of each action, by method and path. */\nexport type ${name} = {\n${lines.toSorted().join("\n")}\n};\n`;
  });
  const schemas = Object.fromEntries([...named].toSorted(([one], [other]) => (one < other ? -1 : 1)));
  return `// Written by \`npm run openapi\` from the definitions of ${source}. Do not edit.

/** The named schemas of these actions. */
${schemasText(schemas)}
${texts.join("\n")}`;
}

function actionLine(action, typeFrom) {
  const { path, output, mediaType, upload } = action;
  const fields = [
    `input: ${inputType(action, typeFrom)}`,
    ...(upload ? [`upload: ${JSON.stringify(upload)}`] : []),
    output ? `reply: ${replyType(action, typeFrom)}` : `mediaType: ${JSON.stringify(mediaType)}`,
  ];
  return `  readonly ${JSON.stringify(path)}: { ${fields.map((field) => `readonly ${field}`).join("; ")} };`;
}

/** The input of a site's action is one schema; the operator API has one each for the path, the query and the body. */
function inputType({ input, params, query, body }, typeFrom) {
  const parts = [input, params, query, body].filter((schema) => schema !== undefined).map((schema) => typeFrom(schema, "input"));
  return parts.filter((type) => type !== NO_FIELDS).join(" & ") || "Readonly<Record<string, never>>";
}

/** An action that may need a second person answers with the approval instead. */
function replyType({ output, approval }, typeFrom) {
  const types = [typeFrom(output, "output"), ...(approval ? [typeFrom(heldOutput, "output")] : [])];
  return types.join(" | ");
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
