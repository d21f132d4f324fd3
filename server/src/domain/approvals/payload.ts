import type { Vault } from "../../platform/crypto/vault.ts";
import type { Queryable, Sql, Transaction } from "../../platform/db/connection.ts";
import { sealedTable } from "../accounts/master-key/sealed-table.ts";

type Row = { readonly key_id: string; readonly sealed: Buffer };

function context(approvalId: string): string {
  return `approval/${approvalId}`;
}

/** The table of sealed payloads, for key rotation. */
export const APPROVAL_PAYLOADS = sealedTable({
  table: "approval_payloads",
  id: "approval_id",
  keyId: "key_id",
  sealed: "sealed",
  contextOf: context,
});

/** Returns the id of the key it was sealed with. */
export async function insertPayload(tx: Transaction, vault: Vault, approvalId: string, payload: string): Promise<string> {
  const { keyId, sealed } = vault.keyring().seal(payload, context(approvalId));
  await tx`insert into approval_payloads (approval_id, key_id, sealed) values (${approvalId}, ${keyId}, ${sealed})`;
  return keyId;
}

/** Null when the approval has ended. */
export async function unsealPayload(sql: Queryable, vault: Vault, approvalId: string): Promise<string | null> {
  const [row] = await sql<Row[]>`select key_id, sealed from approval_payloads where approval_id = ${approvalId}`;
  return row ? await vault.open({ keyId: row.key_id, sealed: row.sealed }, context(approvalId)) : null;
}

/** Deletes the payloads of ended approvals. */
export async function sweepPayloads(sql: Sql): Promise<void> {
  await sql`
    delete from approval_payloads p using approvals a
    where a.approval_id = p.approval_id and a.state not in ('waiting', 'approved')`;
}
