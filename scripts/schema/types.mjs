const TYPES = {
  text: "string",
  uuid: "string",
  bigint: "bigint",
  integer: "number",
  smallint: "number",
  real: "number",
  boolean: "boolean",
  bytea: "Buffer",
  jsonb: "unknown",
  date: "Date",
  "timestamp with time zone": "Date",
};

/** The file with the types of all rows, as the driver returns them. */
export function rowTypes(tables) {
  return `// Written by \`npm run schema\` from server/schema. Do not edit.

type Rows = {
${tables.map(rowType).join("\n")}
};

/** A row of a table or view, as the driver returns it. */
export type Row<Name extends keyof Rows> = Rows[Name];
`;
}

function rowType({ name, columns }) {
  return `  readonly ${name}: {\n${columns.map((column) => `    readonly ${column.name}: ${typeOf(column)};`).join("\n")}\n  };`;
}

function typeOf({ name, type, values, isRequired }) {
  const item = TYPES[type.replace(/\[\]$/, "")];
  if (!item) throw new Error(`The column ${name} has the type ${type}, for which scripts/schema/types.mjs knows no TypeScript type.`);
  const one = values ? values.map((value) => (item === "number" ? value : `"${value}"`)).join(" | ") : item;
  const typed = type.endsWith("[]") ? `${item}[]` : one;
  return isRequired || typed === "unknown" ? typed : `${typed} | null`;
}
