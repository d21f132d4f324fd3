import type { Clock } from "../../platform/core/clock.ts";
import type { Vault } from "../../platform/crypto/vault.ts";
import type { Sql } from "../../platform/db/connection.ts";
import { chainText, readChain, readChainHead } from "../audit/read-chain.ts";
import { jsonLine, keyLines } from "./signed-statement.ts";
import { loadSigner } from "./signing-key.ts";
import { listRuns, readInstallation } from "./store.ts";

const FORMAT = 1;

/**
 * Yields the whole audit log as lines of JSON: a head, the public keys, the signed runs with the head of the log at that time,
 * the entries, and a signed end. The bytes of an entry's line are what its hash covers.
 */
export async function* auditExport(ctx: { readonly sql: Sql; readonly clock: Clock; readonly vault: Vault }): AsyncGenerator<string> {
  const { sql, clock } = ctx;
  const signer = await loadSigner(ctx);
  const [{ installation_id }, runs] = [await readInstallation(sql), await listRuns(sql)];
  const madeAt = new Date(clock.now()).toISOString();
  yield jsonLine({ type: "audit log", format: FORMAT, installation_id, made_at: madeAt });
  yield await keyLines(sql, new Set([signer.keyId, ...runs.map((run) => run.key_id)]));
  yield runs.map((run) => jsonLine({ type: "run", signed: run.signed_text, signature: run.signature.toString("base64") })).join("");
  const head = await readChainHead(sql);
  if (!head) throw new Error("The audit log's head is missing.");
  for await (const rows of readChain(sql, head.seq)) yield rows.map((row) => `${chainText(row)}\n`).join("");
  const signed = JSON.stringify({
    type: "audit export",
    installation_id,
    entries: Number(head.seq),
    hash: head.hash.toString("hex"),
    made_at: madeAt,
    key_id: signer.keyId,
  });
  yield jsonLine({ type: "end", signed, signature: signer.sign(signed).toString("base64") });
}
