import { z } from "zod";
import { parseAllowlist } from "../../../domain/accounts/allowlist.ts";
import { STAFF_ROLES } from "../../../domain/auth/user.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { timeListQuery, toPage, writeTimeCursor } from "../../sites/lists.ts";
import { pageOf, timeText } from "../../sites/outputs/output-fields.ts";
import { ADMINS } from "../access.ts";
import { type Action, action } from "../action.ts";
import { heldOrRefusal } from "../approvals/held.ts";
import { keyParams, newKeyBody, noBody } from "../fields.ts";
import { noSuch, Refusal, wrongFields } from "../refusal.ts";
import { effectiveRoles, isExpired, type KeyLimits } from "./key-limits.ts";
import { type OperatorKeyRow, readOperatorKeys } from "./key-store.ts";
import { deleteKey, requestKey } from "./manage-keys.ts";

const keyOutput = z
  .strictObject({
    key_id: z.string(),
    name: z.string(),
    created_at: timeText,
    role: z.enum(STAFF_ROLES).nullable().describe("The role that the key was created with. Null: every call."),
    effective_roles: z
      .array(z.enum(STAFF_ROLES))
      .readonly()
      .describe("The key may make the calls that all these roles allow: its own, and the current one of its creator. Empty: every call."),
    creator_disabled: z.boolean().describe("The key does not work while the staff member who created it is disabled."),
    expires_at: timeText.nullable(),
    expired: z.boolean(),
    source_addresses: z.array(z.string()).readonly().describe("Addresses and ranges from which it works. Empty: from everywhere."),
    last_used_at: timeText.nullable(),
    last_used_from: z.string().nullable().describe("The source address of the last use."),
  })
  .meta({ id: "OperatorKey" });

/** A new key. Nothing shows it again. */
const createdKeyOutput = z.strictObject({ key_id: z.string(), api_key: z.string() }).meta({ id: "CreatedOperatorKey" });

const listKeys = action({
  path: "GET /keys",
  summary: "Lists the operator keys, newest first.",
  roles: ADMINS,
  query: timeListQuery,
  output: pageOf(keyOutput),
  handler: async ({ deps, query: { limit, after } }) => {
    const rows = await readOperatorKeys(deps.sql, after ? { createdAt: after.at, keyId: after.id } : null, limit + 1);
    return toPage(
      rows,
      limit,
      (key) => keyView(key, deps.clock.now()),
      (key) => writeTimeCursor({ at: key.created_at, id: key.key_id }),
    );
  },
});

const addKey = action({
  path: "POST /keys",
  summary: "Creates an operator key. The reply shows it, once; it works after an approval if it needs one.",
  roles: ADMINS,
  proof: "recent",
  body: newKeyBody,
  output: createdKeyOutput,
  approval: { kinds: ["operator_key"], ask: "handler" },
  handler: async ({ deps, caller, body: { name, reason, ...asks } }) => {
    // Otherwise a key could be used to make one that outlives it or works elsewhere.
    if (caller.keyLimits !== null) return new Refusal("forbidden", LIMITED);
    const limits = limitsOrRefusal(asks, deps.clock.now());
    if (limits instanceof Refusal) return limits;
    const { keyId, apiKey, asked } = await requestKey(deps, caller, { name, reason, limits });
    const shown = { key_id: keyId, api_key: apiKey };
    return heldOrRefusal(asked, shown) ?? shown;
  },
});

const removeKey = action({
  path: "POST /keys/:key_id/delete",
  summary: "Deletes an operator key. It stops working at once.",
  roles: ADMINS,
  proof: "recent",
  params: keyParams,
  body: noBody,
  output: keyOutput,
  handler: async ({ deps, actor, params, body: { reason } }) => {
    const removed = await deleteKey(deps, actor, { keyId: params.key_id, reason });
    return removed ? keyView(removed, deps.clock.now()) : noSuch("key");
  },
});

const LIMITED = "An operator key with a role, an expiry or source addresses cannot create keys. Use a key without limits, or the console.";

function limitsOrRefusal(asks: Omit<z.output<typeof newKeyBody>, "name" | "reason">, now: number): KeyLimits | Refusal {
  const { role = null, expires_at: expiresAt = null, source_addresses: addresses = [] } = asks;
  if (expiresAt !== null && expiresAt <= now) return wrongFields({ expires_at: "Must be in the future." });
  const parsed = parseAllowlist(addresses);
  if (!parsed.ok) return wrongFields({ source_addresses: `${parsed.wrong} is neither an address nor a CIDR range.` });
  return { role, expires_at: expiresAt === null ? null : new Date(expiresAt), source_addresses: parsed.list.entries };
}

function keyView(key: OperatorKeyRow, now: number): z.output<typeof keyOutput> {
  return {
    key_id: key.key_id,
    name: key.name,
    created_at: indiaDateTime(key.created_at.getTime()),
    role: key.role,
    effective_roles: effectiveRoles(key),
    creator_disabled: key.creator_disabled,
    expires_at: timeOf(key.expires_at),
    expired: isExpired(key, now),
    source_addresses: key.source_addresses,
    last_used_at: timeOf(key.last_used_at),
    last_used_from: key.last_used_from,
  };
}

function timeOf(at: Date | null): string | null {
  return at === null ? null : indiaDateTime(at.getTime());
}

/** Operator keys. */
export const keyActions: readonly Action[] = [listKeys, addKey, removeKey];
