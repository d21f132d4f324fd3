import type { StateStore } from "@corprail/connector";
import { MOST_STATE_NAMES } from "@corprail/connector/host";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Vault } from "../../../platform/crypto/vault.ts";
import type { Sql, Transaction } from "../../../platform/db/connection.ts";
import { refuseRetiredKey } from "../../accounts/account-change.ts";
import { sealedTable } from "../../accounts/master-key/sealed-table.ts";
import type { ProviderRow } from "../store.ts";

export type StateDependencies = { readonly sql: Sql; readonly vault: Vault; readonly clock: Clock };

type StateRow = { readonly key_id: string; readonly sealed: Buffer };

function context(stateId: string): string {
  return `provider-state/${stateId}`;
}

/** The small sealed values of a version of a provider, which all processes share. Another version may use another login. */
export function createStateStore(
  { sql, vault, clock }: StateDependencies,
  { provider, version }: Pick<ProviderRow, "provider" | "version">,
): StateStore {
  const prefix = `${provider}@${version}/`;
  const idOf = (name: string) => `${prefix}${name}`;
  return {
    get: async (name) => {
      const [row] = await sql<StateRow[]>`select key_id, sealed from provider_state where state_id = ${idOf(name)}`;
      return row ? await vault.open({ keyId: row.key_id, sealed: row.sealed }, context(idOf(name))) : null;
    },
    set: async (name, value) => {
      const { keyId, sealed } = vault.keyring().seal(value, context(idOf(name)));
      await sql.begin(async (tx) => {
        const written = await tx`
          insert into provider_state (state_id, provider, key_id, sealed, changed_at)
          select ${idOf(name)}, ${provider}, ${keyId}, ${sealed}, ${new Date(clock.now())}
          where (
            select count(*) from provider_state
            where provider = ${provider} and starts_with(state_id, ${prefix}) and state_id <> ${idOf(name)}) < ${MOST_STATE_NAMES}
          on conflict (state_id) do update set key_id = excluded.key_id, sealed = excluded.sealed, changed_at = excluded.changed_at
          returning state_id`;
        if (written.length === 0) throw new Error(`The store of ${provider} already holds ${MOST_STATE_NAMES} names.`);
        await refuseRetiredKey(tx, keyId);
      });
    },
    delete: async (name) => {
      await sql`delete from provider_state where state_id = ${idOf(name)}`;
    },
  };
}

/** Forgets what belongs to a provider's former settings or secrets, such as a token of another login. */
export async function clearState(tx: Transaction, provider: string): Promise<void> {
  await tx`delete from provider_state where provider = ${provider}`;
}

/** The table of providers' state, for key rotation. */
export const PROVIDER_STATE = sealedTable({
  table: "provider_state",
  id: "state_id",
  keyId: "key_id",
  sealed: "sealed",
  contextOf: context,
});
