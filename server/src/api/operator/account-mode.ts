import type { FastifyReply, FastifyRequest } from "fastify";
import { ACCOUNT_MODES, type AccountMode } from "../../domain/accounts/account-mode.ts";
import type { Queryable } from "../../platform/db/connection.ts";
import { caller } from "./caller.ts";
import type { OperatorApiDependencies } from "./dependencies.ts";
import { refuse, refuseFields } from "./errors.ts";

declare module "fastify" {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be added to.
  interface FastifyContextConfig {
    /** See ActionDefinition.inTestMode. */
    inTestMode?: boolean;
  }
}

/** The query parameter `mode`: null if it is absent, undefined if it is neither live nor test. */
export function modeOf(request: FastifyRequest): AccountMode | null | undefined {
  const { mode } = request.query as { readonly mode?: unknown };
  return mode === undefined ? null : ACCOUNT_MODES.find((one) => one === mode);
}

export function refuseMode(reply: FastifyReply): FastifyReply {
  return refuseFields(reply, { mode: "Must be live or test." });
}

const OTHER = {
  live: ["This belongs to a live account.", "Switch to live mode to see or change it."],
  test: ["This belongs to a sandbox account.", "Switch to test mode to see or change it."],
} as const;

/**
 * Refuses a call with a mode that is about an account of the other mode. In test mode it also refuses changes that are about
 * no account, because they would affect live clients.
 */
export async function refuseOtherMode(deps: Databases, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
  const { mode } = caller(request);
  if (mode === null) return undefined;
  const actual = await readMode(deps, request);
  if (actual !== null && actual !== mode) return refuse(reply, "conflict", OTHER[actual].join(" "), { mode: `Must be ${actual}.` });
  const isShared = actual === null && request.method !== "GET" && request.routeOptions.config.inTestMode !== true;
  if (mode === "test" && isShared)
    return refuse(reply, "conflict", "This applies to live clients too. Switch to live mode to change it.", { mode: "Must be live." });
  return undefined;
}

type Databases = Pick<OperatorApiDependencies, "sql" | "cells">;

const ID = /^[A-Za-z0-9_-]{1,64}$/;

/** The mode of the account that a call names in its path or body; null if it names none that exists. */
async function readMode({ sql, cells }: Databases, request: FastifyRequest): Promise<AccountMode | null> {
  const named = { ...(request.body as object | undefined), ...(request.params as object) } as Readonly<Record<string, unknown>>;
  const found = SUBJECTS.find(([name]) => ID.test(String(named[name])) && typeof named[name] === "string");
  if (found === undefined) return null;
  const [name, read] = found;
  const id = String(named[name]);
  for (const cell of cells?.ofId(id) ?? [{ sql }]) {
    const [row] = await read(cell.sql, id);
    if (row) return row.sandbox ? "test" : "live";
  }
  return null;
}

type ReadSandbox = (sql: Queryable, id: string) => Promise<readonly { readonly sandbox: boolean }[]>;

const ofAccount: ReadSandbox = (sql, id) => sql`select sandbox from accounts where account_id = ${id}`;

const SUBJECTS: readonly (readonly [name: string, read: ReadSandbox])[] = [
  ["account_id", ofAccount],
  ["order_id", (sql, id) => sql`select a.sandbox from orders o join accounts a on a.account_id = o.account_id where o.order_id = ${id}`],
  [
    "callback_id",
    (sql, id) => sql`select a.sandbox from accounts a join callbacks c on c.account_id = a.account_id and c.callback_id = ${id}`,
  ],
  [
    "complaint_ref",
    (sql, id) => sql`select a.sandbox from complaints c join accounts a on a.account_id = c.account_id where c.complaint_ref = ${id}`,
  ],
  // A request for approval that is about no account, such as a fee rule for all, is live.
  [
    "approval_id",
    (sql, id) => sql`
      select coalesce(a.sandbox, false) as sandbox from approvals p left join accounts a on a.account_id = p.account_id where p.approval_id = ${id}`,
  ],
  // An entry's id begins with its account's id.
  ["entry_id", (sql, id) => ofAccount(sql, id.split("-")[0] ?? "")],
];
