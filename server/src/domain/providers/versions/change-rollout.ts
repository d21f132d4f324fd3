import type { Transaction } from "../../../platform/db/connection.ts";
import { withReason } from "../../accounts/account-change.ts";
import type { Conflict, Done, NotFound, WithReason } from "../../accounts/context.ts";
import { appendAudit } from "../../audit/append.ts";
import type { ProvidersContext, SaveContext } from "../context.ts";
import { type ProviderInput, type SaveProviderResult, savingFaults, writeProvider } from "../settings/save-provider.ts";
import { lockProvider, type ProviderRow } from "../store.ts";
import { readVersion, retireVersion, updateCandidate } from "./version-store.ts";

export type RolloutInput = WithReason & { readonly provider: string; readonly version: number; readonly percent: number };
type RolloutResult = Done | NotFound | Conflict;

/** Sets the share of new orders that the candidate gets. With 0 it only reads the answers of the current version again. */
export async function changeRollout(ctx: ProvidersContext, actor: string, input: RolloutInput): Promise<RolloutResult> {
  const { provider, version, percent, reason } = input;
  return await ofCandidate(ctx, provider, version, async (tx, row) => {
    await updateCandidate(tx, provider, version, percent);
    await record(
      tx,
      ctx,
      actor,
      row,
      "provider.rollout_changed",
      withReason({ version, percent, percent_was: row.candidate_percent }, reason),
    );
  });
}

export type DropInput = WithReason & { readonly provider: string; readonly version: number };

/** Ends the trial of a candidate. Orders that were sent with it are finished by it. */
export async function dropCandidate(ctx: ProvidersContext, actor: string, input: DropInput): Promise<RolloutResult> {
  const { provider, version, reason } = input;
  return await ofCandidate(ctx, provider, version, async (tx, row) => {
    await updateCandidate(tx, provider, null, 0);
    await retireVersion(tx, provider, version, new Date(ctx.clock.now()));
    await record(tx, ctx, actor, row, "provider.candidate_dropped", withReason({ version, percent_was: row.candidate_percent }, reason));
  });
}

type Change = (tx: Transaction, row: ProviderRow) => Promise<void>;

async function ofCandidate(ctx: ProvidersContext, provider: string, version: number, change: Change): Promise<RolloutResult> {
  const result = await ctx.sql.begin(async (tx): Promise<RolloutResult> => {
    const row = await lockProvider(tx, provider);
    if (!row) return { kind: "not_found" };
    if (row.candidate_version !== version)
      return { kind: "conflict", reason: `Version ${version} is not the candidate of ${provider}. Load the page again.` };
    await change(tx, row);
    return { kind: "done" };
  });
  if (result.kind === "done") await ctx.refresh();
  return result;
}

async function record(
  tx: Transaction,
  ctx: ProvidersContext,
  actor: string,
  { provider }: ProviderRow,
  action: string,
  details: ReturnType<typeof withReason>,
): Promise<void> {
  await appendAudit(tx, new Date(ctx.clock.now()), { actor, action, subject: { kind: "provider", id: provider }, details });
}

export type PromoteInput = DropInput & Pick<ProviderInput, "guardSecrets">;

/** Makes a stored version the current one: the candidate, or an earlier version to go back to. */
export async function promoteVersion(
  ctx: SaveContext,
  actor: string,
  { provider, version, reason, guardSecrets }: PromoteInput,
): Promise<SaveProviderResult | NotFound | Conflict> {
  const stored = await readVersion(ctx.sql, provider, version);
  if (!stored) return { kind: "not_found" };
  const { connector, settings } = stored;
  const input: ProviderInput = { provider, connector, settings, reason, guardSecrets, version };
  const faults = await savingFaults(ctx, input);
  if (faults.length > 0) return { kind: "invalid", faults };
  const result = await ctx.sql.begin(async (tx): Promise<SaveProviderResult | NotFound | Conflict> => {
    const before = await lockProvider(tx, provider);
    if (!before) return { kind: "not_found" };
    if (before.version === version) return { kind: "conflict", reason: `Version ${version} is the current one already.` };
    return await writeProvider(tx, ctx, actor, { ...input, more: { version, version_was: before.version } }, before);
  });
  if (result.kind === "done") await ctx.refresh();
  return result;
}
