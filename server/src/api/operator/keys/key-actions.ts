import { z } from "zod";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { timeListQuery, toPage, writeTimeCursor } from "../../sites/lists.ts";
import { pageOf, timeText } from "../../sites/output-fields.ts";
import { ADMINS } from "../access.ts";
import { type Action, action } from "../action.ts";
import { heldOrRefusal } from "../approvals/held.ts";
import { keyParams, newKeyBody, noBody } from "../fields.ts";
import { noSuch } from "../refusal.ts";
import { type OperatorKeyRow, readOperatorKeys } from "./key-store.ts";
import { deleteKey, requestKey } from "./manage-keys.ts";

const keyOutput = z.strictObject({ key_id: z.string(), name: z.string(), created_at: timeText }).meta({ id: "OperatorKey" });

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
    return toPage(rows, limit, keyView, (key) => writeTimeCursor({ at: key.created_at, id: key.key_id }));
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
  handler: async ({ deps, caller, body }) => {
    const { keyId, apiKey, asked } = await requestKey(deps, caller, body);
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
    return removed ? keyView(removed) : noSuch("key");
  },
});

function keyView(key: OperatorKeyRow): z.output<typeof keyOutput> {
  return { key_id: key.key_id, name: key.name, created_at: indiaDateTime(key.created_at.getTime()) };
}

/** Operator keys. */
export const keyActions: readonly Action[] = [listKeys, addKey, removeKey];
