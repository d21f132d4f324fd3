import type { Queryable, Sql } from "../../platform/db/connection.ts";
import type { AccountMode } from "../accounts/account-mode.ts";
import { isCountedHere, type MovingAccount } from "../accounts/moving-accounts.ts";
import type { Bucket } from "./moves.ts";

export const BUCKETS = ["available", "held", "cleared", "funding", "fees"] as const satisfies readonly Bucket[];

export type Buckets = Readonly<Record<Bucket, bigint>>;

/** An account's wallet with all its buckets. */
export type WalletLine = Buckets & {
  readonly account_id: string;
  readonly name: string;
  readonly sandbox: boolean;
  readonly overdraft: bigint;
  /** The number of transfers of the wallet. */
  readonly seq: bigint;
};

export type WalletSums = Buckets & {
  /** Sandbox money is summed separately. */
  readonly sandbox: boolean;
  readonly wallets: number;
  /** Wallets whose buckets do not sum to zero. */
  readonly unbalanced: number;
  /** The sum of overdraft limits, and of the overdrafts in use. */
  readonly overdraft: bigint;
  readonly overdrawn: bigint;
};

/** Sums all wallets by bucket. It reads the wallets only; the invariants compare them with their transfers. */
export async function sumWallets(sql: Queryable, moving: readonly MovingAccount[] = []): Promise<readonly WalletSums[]> {
  return await sql<WalletSums[]>`
    select a.sandbox, count(*)::int as wallets, sum(w.available)::bigint as available, sum(w.held)::bigint as held,
      sum(w.cleared)::bigint as cleared, sum(w.funding)::bigint as funding, sum(w.fees)::bigint as fees,
      (count(*) filter (where w.available + w.held + w.cleared + w.funding + w.fees <> 0))::int as unbalanced,
      sum(w.overdraft)::bigint as overdraft, sum(greatest(-w.available, 0))::bigint as overdrawn
    from wallets w join accounts a on a.account_id = w.account_id where ${isCountedHere(sql, "w.account_id", moving)}
    group by a.sandbox order by a.sandbox`;
}

const BALANCES = { available: "w.available", held: "w.held", overdraft: "greatest(w.overdraft, -w.available)" } as const;

/** The accounts with the largest balance of a kind. */
export async function largestWallets(
  sql: Queryable,
  by: keyof typeof BALANCES,
  { mode, most, moving = [] }: { readonly mode: AccountMode; readonly most: number; readonly moving?: readonly MovingAccount[] },
): Promise<readonly WalletLine[]> {
  const weight = sql.unsafe(BALANCES[by]);
  return await sql<WalletLine[]>`
    ${walletLines(sql)} where a.sandbox = ${mode === "test"} and ${weight} > 0 and ${isCountedHere(sql, "w.account_id", moving)}
    order by ${weight} desc, w.account_id limit ${most}`;
}

export type WalletsFilter = {
  /** An account's id, or a part of its name. */
  readonly search: string | null;
  readonly mode: AccountMode | null;
  readonly after: string | null;
  readonly limit: number;
};

/** Lists wallets by account id, which unlike a balance does not change between two pages. */
export async function listWallets(sql: Sql, { search, mode, after, limit }: WalletsFilter): Promise<readonly WalletLine[]> {
  const named = search === null ? sql`true` : sql`(w.account_id = ${search} or position(lower(${search}) in lower(a.name)) > 0)`;
  return await sql<WalletLine[]>`
    ${walletLines(sql)} where ${named} ${mode === null ? sql`` : sql`and a.sandbox = ${mode === "test"}`}
      ${after === null ? sql`` : sql`and w.account_id > ${after}`} order by w.account_id limit ${limit}`;
}

function walletLines(sql: Queryable) {
  return sql`
    select w.account_id, a.name, a.sandbox, w.available, w.held, w.cleared, w.funding, w.fees, w.overdraft, w.seq
    from wallets w join accounts a on a.account_id = w.account_id`;
}

export function sumOf(buckets: Buckets): bigint {
  return BUCKETS.reduce((sum, bucket) => sum + buckets[bucket], 0n);
}
