import type { Transaction } from "../../../platform/db/connection.ts";
import { refuseRetiredKey, withReason } from "../../accounts/account-change.ts";
import type { NotFound } from "../../accounts/context.ts";
import { appendAudit } from "../../audit/append.ts";
import { secretNames } from "../connector-setup.ts";
import type { ProvidersContext, SaveContext } from "../context.ts";
import type { Fault } from "../settings/faults.ts";
import { sealSecrets, unsealSecrets } from "../settings/provider-secrets.ts";
import {
  type ProviderInput,
  prepareProvider,
  refuseBreakingRoutes,
  type SaveProviderResult,
  savingFaults,
} from "../settings/save-provider.ts";
import { lockProvider, type ProviderRow, sealedOf, upsertProvider } from "../store.ts";
import { otherVersions } from "./record-version.ts";
import { insertVersion, nextVersion, retireVersion } from "./version-store.ts";

/** Stores a description as the candidate of a provider. At first it only reads answers again. */
export async function saveCandidate(ctx: SaveContext, actor: string, input: ProviderInput): Promise<SaveProviderResult | NotFound> {
  const faults = await savingFaults(ctx, input);
  if (faults.length > 0) return { kind: "invalid", faults };
  const result = await ctx.sql.begin(async (tx): Promise<SaveProviderResult | NotFound> => {
    const known = await lockProvider(tx, input.provider);
    return known ? await writeCandidate(tx, ctx, actor, input, known) : { kind: "not_found" };
  });
  if (result.kind === "done") await ctx.refresh();
  return result;
}

/** The same in the caller's transaction, which has locked the provider's row. An earlier candidate is dropped. */
export async function writeCandidate(
  tx: Transaction,
  ctx: ProvidersContext,
  actor: string,
  input: ProviderInput,
  before: ProviderRow,
): Promise<SaveProviderResult> {
  const at = new Date(ctx.clock.now());
  const prepared = await prepareProvider(ctx, input, before, await otherVersions(tx, input, at.getTime()));
  const faults = [...candidateFaults(input, before), ...(prepared.kind === "invalid" ? prepared.faults.map(asCandidate) : [])];
  if (prepared.kind === "invalid" || faults.length > 0) return { kind: "invalid", faults };
  if (!("settings_changed" in prepared.changes))
    return { kind: "invalid", faults: [{ path: "", message: "The description is the same as the current version." }] };
  const broken = await refuseBreakingRoutes(tx, before, input);
  if (broken.length > 0) return { kind: "invalid", faults: broken };
  const { provider, connector, settings, reason = null } = input;
  const version = await nextVersion(tx, provider);
  await insertVersion(tx, version, { provider, connector, settings, created_at: at, created_by: actor, reason });
  if (before.candidate_version !== null) await retireVersion(tx, provider, before.candidate_version, at);
  const secrets = { ...(await unsealSecrets(ctx.vault, provider, sealedOf(before))), ...prepared.secrets };
  const sealed = Object.keys(secrets).length === 0 ? null : sealSecrets(ctx.vault, provider, secrets);
  await upsertProvider(tx, {
    ...before,
    secret_key_id: sealed?.keyId ?? null,
    secret: sealed?.sealed ?? null,
    candidate_version: version,
    candidate_percent: 0,
  });
  const details = withReason({ version, current: before.version, ...prepared.changes, ...input.more }, input.reason);
  await appendAudit(tx, at, { actor, action: "provider.candidate_saved", subject: { kind: "provider", id: provider }, details });
  if (sealed) await refuseRetiredKey(tx, sealed.keyId);
  return { kind: "done", created: false };
}

function candidateFaults(input: ProviderInput, before: ProviderRow): readonly Fault[] {
  if (input.connector !== "description" || before.connector !== "description")
    return [{ path: "connector", message: "Only a description can be tried beside the current version." }];
  const shared = secretNames(before.connector, before.settings);
  const taken = Object.keys(input.secrets ?? {}).filter((name) => shared.includes(name));
  const message = "The current version uses this secret. Change it on the provider's page, or give the candidate's a name of its own.";
  return taken.map((name) => ({ path: `secrets.${name}`, message }));
}

/** Both versions use one set of secrets, so entering a secret again would change it for the current one too. */
export function asCandidate({ path, message }: Fault): Fault {
  if (!path.startsWith("secrets.")) return { path, message };
  return {
    path,
    message:
      "A candidate must not send a secret of the current version to a new address, or a part of it to a new place. Give it a secret with another name.",
  };
}
