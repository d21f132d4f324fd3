import type { z } from "zod";
import type { EntryRow } from "../../../domain/ledger/browse-entries.ts";
import type { SavedCheckState } from "../../../domain/ledger/check-state-store.ts";
import { entryId } from "../../../domain/ledger/store.ts";
import { type Buckets, sumOf, type WalletLine, type WalletSums } from "../../../domain/ledger/trial-balance.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { formatMoney } from "../../../platform/core/money.ts";
import type { continuousCheckOutput, ledgerEntryOutput, ledgerWalletOutput, trialBalanceOutput } from "./outputs.ts";

function money(amount: bigint): string {
  return formatMoney(amount);
}

function bucketFields(buckets: Buckets) {
  return {
    available: money(buckets.available),
    held: money(buckets.held),
    cleared: money(buckets.cleared),
    funding: money(buckets.funding),
    fees: money(buckets.fees),
    sum: money(sumOf(buckets)),
  };
}

/** The sums of all live or all sandbox wallets. */
export function sideFields(side: WalletSums | undefined): z.output<typeof trialBalanceOutput>["live"] {
  const none = { available: 0n, held: 0n, cleared: 0n, funding: 0n, fees: 0n };
  return {
    ...bucketFields(side ?? none),
    wallets: side?.wallets ?? 0,
    unbalanced: side?.unbalanced ?? 0,
    overdraft: money(side?.overdraft ?? 0n),
    overdrawn: money(side?.overdrawn ?? 0n),
  };
}

export function walletFields(wallet: WalletLine): z.output<typeof ledgerWalletOutput> {
  return {
    account_id: wallet.account_id,
    account_name: wallet.name,
    sandbox: wallet.sandbox,
    ...bucketFields(wallet),
    overdraft: money(wallet.overdraft),
    entries: Number(wallet.seq),
  };
}

export function entryFields(entry: EntryRow, accountName: string): z.output<typeof ledgerEntryOutput> {
  return {
    entry_id: entryId(entry.account_id, entry.seq),
    account_id: entry.account_id,
    account_name: accountName,
    seq: Number(entry.seq),
    kind: entry.kind,
    from: entry.from_bucket,
    to: entry.to_bucket,
    amount: money(entry.amount),
    balance_after: money(entry.available_after),
    order_id: entry.order_id,
    reference: entry.reference,
    note: entry.narration,
    at: indiaDateTime(entry.at.getTime()),
  };
}

export function checkStateFields(state: SavedCheckState): z.output<typeof continuousCheckOutput>["processes"][number] {
  return {
    process_id: state.process_id,
    checked: state.checked,
    wallets: state.wallets,
    violations: state.violations,
    broken: state.broken.map(({ accountId, check, violations }) => ({ account_id: accountId, check, violations })),
    round_began_at: indiaDateTime(state.round_began_at.getTime()),
    round_ended_at: state.round_ended_at && indiaDateTime(state.round_ended_at.getTime()),
    at: indiaDateTime(state.at.getTime()),
  };
}
