const INTRODUCTION = `# Database schema

<!-- Written by \`npm run schema\` from server/schema. Do not edit. -->

This page shows every table of the database by module. It is generated from the files in \`server/schema\`, whose README explains the folders. The schema has two parts. The platform part belongs to the installation. The account part belongs to one account each and can later be split over several databases, so its tables begin their primary keys with \`account_id\` and have hardly any foreign keys.

In the diagrams a solid line is a foreign key. A dotted line is an \`order_id\` without one: the order is in the same account. Amounts are ten-thousandths of a rupee. Times are UTC unless a comment says otherwise.
`;
const PARTS = [
  ["platform", "Platform part"],
  ["account", "Account part"],
];
const SHORT_TYPES = { "timestamp with time zone": "timestamptz" };

/** docs/schema.md: one section per file of the schema, with a diagram and the comments of its tables. */
export function schemaPage(tables, files) {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const parts = PARTS.map(([folder, title]) => {
    const modules = files.filter(({ name }) => name.startsWith(`${folder}/`)).map((file) => moduleSection(file, byName));
    return `## ${title}\n\n${modules.filter((text) => text !== "").join("\n")}`;
  });
  return `${INTRODUCTION}\n${parts.join("\n")}\n${functionSection(files)}`;
}

function moduleSection({ name, text }, byName) {
  const names = [...text.matchAll(/^create (?:unlogged )?(?:table|view) (\w+)/gm)].map((match) => match[1]);
  if (names.length === 0) return "";
  const tables = names.map((table) => byName.get(table)).filter(Boolean);
  const title = `### ${name.replace(/^\w+\/|\.sql$/g, "").replaceAll("-", " ")}`;
  return [title, leadingComment(text), diagram(tables), ...tables.map(tableText)].join("\n\n").concat("\n");
}

/** The comment at the top of a file, as one paragraph. */
function leadingComment(text) {
  const lines = text.split("\n");
  const end = lines.findIndex((line) => !line.startsWith("--"));
  return lines
    .slice(0, end)
    .map((line) => line.replace(/^-- ?/, ""))
    .join(" ");
}

function diagram(tables) {
  const entities = tables.map(({ name, columns }) => `  ${name} {\n${columns.map((column) => `    ${attribute(column)}`).join("\n")}\n  }`);
  return `\`\`\`mermaid\nerDiagram\n${[...entities, ...tables.flatMap(lines)].join("\n")}\n\`\`\``;
}

function attribute({ name, type, isPrimary, isForeign }) {
  const marks = [isPrimary && "PK", isForeign && "FK"].filter(Boolean).join(", ");
  return `${(SHORT_TYPES[type] ?? type).replace("[]", "_array")} ${name}${marks ? ` ${marks}` : ""}`;
}

function lines({ name, columns, references }) {
  const foreign = references.map((key) => `  ${key.target} ||--o{ ${name} : "${key.columns.join(", ")}"`);
  const byOrder = name !== "orders" && columns.some((column) => column.name === "order_id") ? [`  orders ||..o{ ${name} : "order_id"`] : [];
  return [...new Set([...foreign, ...byOrder])];
}

function tableText({ name, comment, columns }) {
  const notes = columns.filter((column) => column.comment).map((column) => `- \`${column.name}\`: ${column.comment}`);
  const values = columns
    .filter((column) => column.values && !column.comment)
    .map(({ name: of, values: all }) => `- \`${of}\`: ${all.join(", ")}.`);
  return [`**${name}**: ${comment}`, ...(notes.length + values.length > 0 ? [[...notes, ...values].join("\n")] : [])].join("\n\n");
}

function functionSection(files) {
  const functions = files.filter(({ name }) => name.startsWith("functions/"));
  const items = functions.map(({ name, text }) => `- \`${name.replace(/^functions\/|\.sql$/g, "")}\`: ${leadingComment(text)}`);
  return `## Functions\n\nEach function is in a file of its own in \`server/schema/functions\`.\n\n${items.toSorted().join("\n")}\n`;
}
