import type { ApprovalKind } from "../../../domain/approvals/approval.ts";
import { askIfNeeded } from "../../../domain/approvals/ask-approval.ts";
import { type ProviderPayload, providerFingerprint } from "../../../domain/approvals/executors/provider.ts";
import type { Fault } from "../../../domain/providers/settings/faults.ts";
import { originsOf } from "../../../domain/providers/settings/provider-origins.ts";
import { type ProviderInput, prepareProvider, savingFaults } from "../../../domain/providers/settings/save-provider.ts";
import type { ProviderRow } from "../../../domain/providers/store.ts";
import { otherVersions } from "../../../domain/providers/versions/record-version.ts";
import { asCandidate } from "../../../domain/providers/versions/save-candidate.ts";
import { type Held, heldOrRefusal } from "../approvals/held.ts";
import type { Caller } from "../caller.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import type { Refusal } from "../refusal.ts";
import { refuseFaults } from "./faults.ts";

/** What shall be saved: a whole description, or one secret. */
type ProviderChange = {
  readonly kind: Extract<ApprovalKind, "provider" | "provider_secret">;
  readonly input: ProviderInput;
  /** The description becomes the candidate, beside the current version. */
  readonly isCandidate?: boolean;
};

/**
 * Requests approval of a new or changed provider, if needed; null lets it be saved. A description defines where orders go,
 * how answers are read and who may call back, so every change of it needs approval.
 */
export async function askForProvider(
  deps: OperatorApiDependencies,
  caller: Caller,
  change: ProviderChange,
): Promise<Held | Refusal | null> {
  const { kind, input, isCandidate = false } = change;
  // Another process may have changed it within the last second.
  await deps.refresh();
  const before = deps.providerRegistry.providers().find(({ row }) => row.provider === input.provider)?.row;
  const prepared = await prepareProvider(deps, input, before, await otherVersions(deps.sql, input, deps.clock.now()));
  if (prepared.kind === "invalid") return await refuseInvalid(deps, change, prepared.faults);
  if (before && Object.keys(prepared.changes).length === 0) return null;
  const { connector, settings, secrets, provider, reason } = input;
  const saved: ProviderPayload = { connector, settings, ...(secrets ? { secrets } : {}), ...(isCandidate ? { isCandidate } : {}) };
  const payload = JSON.stringify(saved);
  const asked = {
    provider,
    new: before === undefined,
    ...(isCandidate ? { candidate: true } : {}),
    ...prepared.changes,
    ...addresses(before, input),
    before: providerFingerprint(before),
    // Distinguishes two requests that differ only in a secret.
    digest: deps.vault.keyring().digest(payload).toString("hex"),
    ...(reason === undefined ? {} : { reason }),
  };
  const about = { about: `provider ${provider}`, amount: null, accountId: null, orderId: null };
  return heldOrRefusal(await askIfNeeded(deps.approvals, caller, { kind, input: asked, payload, ...about }));
}

/**
 * Refused already here, with the words of the handler: before that saves, another version may be made current, beside which
 * the change is valid, and nobody would have approved it.
 */
async function refuseInvalid(
  deps: OperatorApiDependencies,
  { kind, input, isCandidate }: ProviderChange,
  faults: readonly Fault[],
): Promise<Refusal> {
  if (kind === "provider_secret") return refuseFaults([{ path: "name", message: "This provider has no such secret." }], "");
  const own = await savingFaults(deps, input);
  return refuseFaults(own.length > 0 ? own : isCandidate ? faults.map(asCandidate) : faults, "definition");
}

/** The new and the previous address of the provider. */
function addresses(before: ProviderRow | undefined, input: ProviderInput) {
  const [from, to] = [before ? originsOf(before) : [], originsOf(input)].map((origins) => [...new Set(origins)].join(", "));
  return from === to ? {} : { addresses_from: from ?? "", addresses_to: to ?? "" };
}
