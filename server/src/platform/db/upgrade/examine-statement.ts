/** What a statement of a migration does to those who use its table at the same time. */
export type Examined = {
  /** The statement in one line. */
  readonly text: string;
  /** The existing table that it concerns; null if it concerns none. */
  readonly table: string | null;
  /** The lock, by PostgreSQL's name. */
  readonly lock: string | null;
  readonly blocks: "nothing" | "writes" | "reads and writes";
  /** What takes time while the lock is held, beside the change of the catalogue. */
  readonly work: "none" | "scan" | "rewrite" | "index" | "rows";
};

type Kind = Pick<Examined, "lock" | "blocks" | "work">;

const NOTHING: Kind = { lock: null, blocks: "nothing", work: "none" };
const EXCLUSIVE = { lock: "ACCESS EXCLUSIVE", blocks: "reads and writes" } as const;
const TABLE = String.raw`(?:only\s+)?(?:if\s+exists\s+)?([a-z0-9_.]+)`;

// The first that matches applies. The order matters: the special forms come before the general ones.
const KINDS: readonly (readonly [pattern: RegExp, kind: Kind])[] = [
  [
    /^create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?[a-z0-9_]+\s+on\s+([a-z0-9_.]+)/,
    { lock: "SHARE UPDATE EXCLUSIVE", blocks: "nothing", work: "index" },
  ],
  [
    /^create\s+(?:unique\s+)?index\s+(?:if\s+not\s+exists\s+)?[a-z0-9_]+\s+on\s+(?:only\s+)?([a-z0-9_.]+)/,
    { lock: "SHARE", blocks: "writes", work: "index" },
  ],
  [
    new RegExp(`^alter\\s+table\\s+${TABLE}\\s+validate\\s+constraint`),
    { lock: "SHARE UPDATE EXCLUSIVE", blocks: "nothing", work: "scan" },
  ],
  [new RegExp(`^alter\\s+table\\s+${TABLE}\\s+add\\s+constraint\\s[^;]*not\\s+valid`), { ...EXCLUSIVE, work: "none" }],
  [new RegExp(`^alter\\s+table\\s+${TABLE}\\s+add\\s+constraint`), { ...EXCLUSIVE, work: "scan" }],
  [new RegExp(`^alter\\s+table\\s+${TABLE}\\s+alter\\s+(?:column\\s+)?\\S+\\s+set\\s+not\\s+null`), { ...EXCLUSIVE, work: "scan" }],
  [
    new RegExp(`^alter\\s+table\\s+${TABLE}\\s+alter\\s+(?:column\\s+)?\\S+\\s+(?:set\\s+data\\s+)?type`),
    { ...EXCLUSIVE, work: "rewrite" },
  ],
  // A default that is computed for each row, or a stored column, writes the table anew; a constant does not.
  [
    new RegExp(
      `^alter\\s+table\\s+${TABLE}\\s+add\\s+(?:column\\s+)?[^;]*(?:default\\s+[a-z_.]+\\s*\\((?!\\))|random\\(|clock_timestamp\\(|gen_random_uuid\\(|generated\\s+always\\s+as\\s+\\()`,
    ),
    { ...EXCLUSIVE, work: "rewrite" },
  ],
  [new RegExp(`^alter\\s+table\\s+${TABLE}`), { ...EXCLUSIVE, work: "none" }],
  [new RegExp(`^(?:vacuum\\s+full|cluster)\\s+${TABLE}`), { ...EXCLUSIVE, work: "rewrite" }],
  [new RegExp(`^(?:drop\\s+table|truncate(?:\\s+table)?|lock\\s+table)\\s+${TABLE}`), { ...EXCLUSIVE, work: "none" }],
  [/^drop\s+index\s+concurrently/, { lock: "SHARE UPDATE EXCLUSIVE", blocks: "nothing", work: "none" }],
  [/^drop\s+(?:index|view|trigger|function|policy)/, { ...EXCLUSIVE, work: "none" }],
  [/^create\s+(?:or\s+replace\s+)?trigger\s[^;]*?\son\s+([a-z0-9_.]+)/, { lock: "SHARE ROW EXCLUSIVE", blocks: "writes", work: "none" }],
  [new RegExp(`^(?:update|delete\\s+from)\\s+${TABLE}`), { lock: "ROW EXCLUSIVE", blocks: "nothing", work: "rows" }],
];

/** Says what each statement of a migration does. `created` are the tables that the same migration creates. */
export function examineStatements(sql: string): readonly Examined[] {
  const statements = splitStatements(sql).map((text) => text.replaceAll(/\s+/g, " ").trim());
  const created = statements.flatMap(
    (text) => /^create (?:unlogged )?table (?:if not exists )?([a-z0-9_.]+)/i.exec(text)?.[1]?.toLowerCase() ?? [],
  );
  return statements.map((text) => {
    const lower = text.toLowerCase();
    const [pattern, kind] = KINDS.find(([one]) => one.test(lower)) ?? [null, NOTHING];
    const table = pattern?.exec(lower)?.[1] ?? null;
    // Nobody uses a table that does not exist yet.
    if (table !== null && created.includes(table)) return { text, table: null, ...NOTHING };
    return { text, table, ...kind };
  });
}

// A text with a doubled quote is two parts. What has no end goes on to the end of the file, so that it is read once.
const PARTS = /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'[^']*'?|"[^"]*"?|\$([a-z_]*)\$[\s\S]*?(?:\$\1\$|$)|;|[^;'"$/-]+|./gi;

/** The statements without comments; a semicolon in a text or a function's body does not end one. */
export function splitStatements(sql: string): readonly string[] {
  const statements = [""];
  for (const [part] of sql.matchAll(PARTS)) {
    if (part === ";") statements.push("");
    else statements.push(`${statements.pop() ?? ""}${part.startsWith("--") || part.startsWith("/*") ? " " : part}`);
  }
  return statements.filter((text) => text.trim() !== "");
}

/** Why a migration must not expand like this: it would hold up the running version. Null if it may. */
export function expandFault({ text, table, work, blocks }: Examined): string | null {
  if (table === null || blocks === "nothing" || work === "none") return null;
  const advice =
    work === "index" ? "Make it a migration of the phase index" : "Add the constraint as not valid, and validate it in a later migration";
  return `"${text.slice(0, 80)}" ${work === "index" ? "builds an index" : `has to ${work} the table ${table}`} while it blocks ${blocks}. ${advice}.`;
}
