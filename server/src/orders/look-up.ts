import { createBatcher } from "../db/batcher.ts";
import type { Sql } from "../db/connection.ts";
import type { Standing } from "./open-orders.ts";
import { type Reference, readStandings } from "./store.ts";

/** Finds an order by its client's reference, together with all others that are asked for meanwhile. */
export type LookUp = (reference: Reference) => Promise<Standing | null>;

export function createLookUp(sql: Sql): LookUp {
  const batcher = createBatcher<Reference, Standing | null>({
    run: async (references) => {
      const found = new Map((await readStandings(sql, references)).map((one) => [keyOf(one.order), one]));
      return references.map((reference) => found.get(keyOf(reference)) ?? null);
    },
    maxItems: 500,
    maxInFlight: 2,
  });
  return batcher.submit;
}

function keyOf(one: Reference): string {
  return `${one.accountId}/${one.service}/${one.reference}`;
}
