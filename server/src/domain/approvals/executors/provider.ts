import { createHash } from "node:crypto";
import { canonicalJson } from "../../../platform/core/canonical-json.ts";
import { type JsonObject, parseStrictJson } from "../../../platform/core/strict-json.ts";
import type { ProvidersContext } from "../../providers/context.ts";
import { type ProviderInput, writeProvider } from "../../providers/settings/save-provider.ts";
import { lockProvider, type ProviderRow } from "../../providers/store.ts";
import { writeCandidate } from "../../providers/versions/save-candidate.ts";
import { type Agreed, approvedDetails } from "../approval.ts";
import type { Executor } from "../context.ts";
import { unsealPayload } from "../payload.ts";
import { text } from "./input.ts";

/** The provider's new settings. They are sealed, because they contain secrets. */
export type ProviderPayload = Pick<ProviderInput, "connector" | "settings" | "secrets"> & {
  /** The settings become the candidate, beside the current version. */
  readonly isCandidate?: boolean;
};

export type ProviderExecutorContext = ProvidersContext & { readonly providerSecrets: ProviderInput["guardSecrets"] };

/** The state of a provider when a change was requested; null when it did not exist. */
export function providerFingerprint(row: Pick<ProviderRow, "connector" | "settings"> | undefined): string | null {
  if (!row) return null;
  return createHash("sha256")
    .update(canonicalJson({ connector: row.connector, settings: row.settings }))
    .digest("hex");
}

/** Adds or changes a provider or its secrets. It fails when the provider has changed since the request. */
export function providerExecutor(ctx: ProviderExecutorContext): Executor {
  return {
    run: async (tx, approval) => {
      const provider = text(approval.input, "provider");
      const before = await lockProvider(tx, provider);
      if (providerFingerprint(before) !== (approval.input["before"] ?? null))
        return { kind: "failed", reason: "The provider was changed in the meantime. Request the change again." };
      const payload = readPayload(await unsealPayload(tx, ctx.vault, approval.approvalId));
      const { isCandidate = false, ...saved } = payload;
      const input = inputOf(ctx, approval, provider, saved);
      if (isCandidate && before === undefined) return { kind: "failed", reason: "There is no such provider any more." };
      const result =
        isCandidate && before
          ? await writeCandidate(tx, ctx, approval.decidedBy, input, before)
          : await writeProvider(tx, ctx, approval.decidedBy, input, before);
      if (result.kind === "done") return { kind: "done", result: { provider } };
      return { kind: "failed", reason: result.faults.map(({ path, message }) => `${path}: ${message}`).join(" ") };
    },
    after: () => ctx.refresh(),
  };
}

function inputOf(
  ctx: ProviderExecutorContext,
  approval: Agreed,
  provider: string,
  payload: Omit<ProviderPayload, "isCandidate">,
): ProviderInput {
  const reason = text(approval.input, "reason") || undefined;
  return { provider, ...payload, reason, guardSecrets: ctx.providerSecrets, more: approvedDetails(approval) };
}

function readPayload(sealed: string | null): ProviderPayload {
  const parsed = sealed === null ? null : parseStrictJson(Buffer.from(sealed));
  if (!parsed?.ok) throw new Error("The stored settings of a provider approval are not valid.");
  return parsed.value as JsonObject as unknown as ProviderPayload;
}
