import type { Clock } from "../../../platform/core/clock.ts";
import { negate, parseMoney } from "../../../platform/core/money.ts";
import type { Queryable, Sql } from "../../../platform/db/connection.ts";
import type { Row } from "../../../platform/db/schema/row-types.ts";
import type { Log } from "../../../platform/observability/log.ts";
import type { Connector } from "../connector.ts";

/** The latest known balance of ours at a provider, in ten-thousandths of a rupee. */
export type ProviderBalance = {
  readonly balance: bigint | null;
  readonly at: number | null;
  /** When the provider last declined an order because our balance was too low. */
  readonly declinedAt: number | null;
};

export type ProviderBalances = {
  readonly note: (provider: string, balance: bigint, at: number) => void;
  readonly noteFloatDecline: (provider: string, at: number) => void;
  readonly of: (provider: string) => ProviderBalance | null;
  readonly all: () => ReadonlyMap<string, ProviderBalance>;
  /** Writes what is new and reads what other processes know. */
  readonly synchronise: () => Promise<void>;
};

const NOTHING: ProviderBalance = { balance: null, at: null, declinedAt: null };

/** Balances in memory. They change with every answer, so the table is written every few seconds only. */
export function createProviderBalances({ sql }: { readonly sql: Sql }): ProviderBalances {
  const known = new Map<string, ProviderBalance>();
  const changed = new Set<string>();

  function take(provider: string, update: ProviderBalance): void {
    const before = known.get(provider) ?? NOTHING;
    const isNewer = update.at !== null && (before.at === null || update.at >= before.at);
    const declinedAt = Math.max(update.declinedAt ?? 0, before.declinedAt ?? 0) || null;
    known.set(provider, {
      ...(isNewer ? { balance: update.balance, at: update.at } : { balance: before.balance, at: before.at }),
      declinedAt,
    });
  }

  return {
    note: (provider, balance, at) => {
      take(provider, { ...NOTHING, balance, at });
      changed.add(provider);
    },
    noteFloatDecline: (provider, at) => {
      take(provider, { ...NOTHING, declinedAt: at });
      changed.add(provider);
    },
    of: (provider) => known.get(provider) ?? null,
    all: () => known,
    synchronise: async () => {
      const names = [...changed].sort();
      changed.clear();
      try {
        if (names.length > 0) await upsertBalances(sql, names, (name) => known.get(name) ?? NOTHING);
      } catch (error) {
        for (const name of names) changed.add(name);
        throw error;
      }
      for (const [name, balance] of await readBalances(sql)) take(name, balance);
    },
  };
}

async function upsertBalances(sql: Sql, names: readonly string[], of: (name: string) => ProviderBalance): Promise<void> {
  const times = (read: (one: ProviderBalance) => number | null) => names.map((name) => read(of(name)));
  await sql`
    insert into provider_balances as b (provider, balance, at, declined_at)
    select provider, balance, to_timestamp(at::double precision / 1000), to_timestamp(declined_at::double precision / 1000)
    from unnest(${names as string[]}::text[], ${names.map((name) => of(name).balance?.toString() ?? null)}::bigint[], ${times(({ at }) => at)}::bigint[],
      ${times(({ declinedAt }) => declinedAt)}::bigint[]) as n (provider, balance, at, declined_at)
    on conflict (provider) do update set
      balance = case when excluded.at >= coalesce(b.at, '-infinity') then excluded.balance else b.balance end,
      at = case when excluded.at >= coalesce(b.at, '-infinity') then excluded.at else b.at end,
      declined_at = greatest(b.declined_at, excluded.declined_at)`;
}

/** The stored balances by provider. */
export async function readBalances(sql: Queryable): Promise<ReadonlyMap<string, ProviderBalance>> {
  const rows = await sql<Row<"provider_balances">[]>`select provider, balance, at, declined_at from provider_balances`;
  return new Map(
    rows.map((row) => [
      row.provider,
      { balance: row.balance, at: row.at?.getTime() ?? null, declinedAt: row.declined_at?.getTime() ?? null },
    ]),
  );
}

/** Reads an amount as connectors report it, such as "10.5" or "-3"; null if it is none. */
export function parseBalance(text: string | undefined): bigint | null {
  const [, sign, digits = ""] = /^(-?)([0-9.]+)$/.exec(text ?? "") ?? [];
  // Further decimals than we keep are cut off.
  const amount = parseMoney(digits.replace(/^(0|[1-9][0-9]*)\.([0-9]{4})[0-9]+$/, "$1.$2"));
  return amount === null || sign !== "-" ? amount : negate(amount);
}

export type BalanceQueryDependencies = {
  readonly balances: Pick<ProviderBalances, "note">;
  readonly providers: readonly { readonly name: string; readonly connector: Connector }[];
  /** True when a provider that must not be asked often was not asked within this time. */
  readonly isTurn: (provider: string, milliseconds: number) => Promise<boolean>;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
};

/** Asks every provider that has a balance query. */
export async function queryBalances({ balances, providers, isTurn, clock, log, signal }: BalanceQueryDependencies): Promise<void> {
  await Promise.all(
    providers.map(async ({ name, connector }) => {
      if (!connector.operations.has("balance")) return;
      if (connector.balanceMilliseconds !== undefined && !(await isTurn(name, connector.balanceMilliseconds))) return;
      const result = await connector.query("balance", {}, signal);
      const balance = result.kind === "answered" ? parseBalance(result.value.balance) : null;
      if (balance !== null) balances.note(name, balance, clock.now());
      else if (result.kind !== "answered") log.warn({ provider: name, result: result.kind }, "a provider did not tell its balance");
    }),
  );
}
