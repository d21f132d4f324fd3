import { withReason } from "../../../domain/accounts/account-change.ts";
import type { AccountsContext } from "../../../domain/accounts/context.ts";
import { type Agreed, type AskedWithPayload, approvedDetails } from "../../../domain/approvals/approval.ts";
import type { Executor } from "../../../domain/approvals/context.ts";
import { text } from "../../../domain/approvals/executors/input.ts";
import { unsealPayload } from "../../../domain/approvals/payload.ts";
import {
  type Changer,
  type checkProvider,
  removeProviderIn,
  type SaveProvider,
  saveCheckedProvider,
  shown,
} from "../../../domain/auth/single-sign-on/save-provider.ts";
import { type JsonObject, parseStrictJson } from "../../../platform/core/strict-json.ts";
import { settingsOf } from "../../sites/outputs/sign-on-view.ts";

const NONE = { kind: "single_sign_on", about: "single sign-on of staff", amount: null, accountId: null, orderId: null } as const;

type Checked = Extract<Awaited<ReturnType<typeof checkProvider>>, { readonly kind: "ready" }>;
type Saving = { readonly clientSecret: string | null | undefined; readonly reason: string | undefined; readonly requestId: string };

/** A request to save the provider of staff. The approver sees everything but the secret. */
export function savingRequest({ row, domains, before }: Checked, { clientSecret, reason, requestId }: Saving): AskedWithPayload {
  const since = before?.changed_at.getTime() ?? null;
  const secret = clientSecret === undefined ? "unchanged" : clientSecret === null ? "none" : "new";
  // Another secret is another request, although nobody may see the difference.
  const id = secret === "new" ? { request_id: requestId } : {};
  const input = { ...shown(row), domains, client_secret: secret, since, ...id };
  const payload = { settings: settingsOf(row), domains, ...(clientSecret === undefined ? {} : { clientSecret }) };
  return { ...NONE, input: withReason(input, reason), payload: JSON.stringify(payload) };
}

export function removalRequest(reason: string | undefined): AskedWithPayload {
  return { ...NONE, input: withReason({ removes: true }, reason) };
}

/** Saves or removes the provider of staff. Who requested it counts as the one who configured it. */
export function signOnExecutor(accounts: Pick<AccountsContext, "sql" | "vault" | "clock" | "ids">): Executor {
  const ctx = { ...accounts, realm: "console" } as const;
  return {
    run: async (tx, one) => {
      const by = changerOf(one);
      if (one.input["removes"] === true) {
        const removed = await removeProviderIn(tx, ctx, by, null);
        return removed.kind === "done"
          ? { kind: "done", result: {} }
          : { kind: "failed", reason: "There is no identity provider any more." };
      }
      const since = typeof one.input["since"] === "number" ? one.input["since"] : null;
      const change = readPayload(await unsealPayload(tx, ctx.vault, one.approvalId));
      const saved = await saveCheckedProvider(tx, ctx, by, { ...change, accountId: null, since });
      if (saved.kind === "done") return { kind: "done", result: {} };
      return { kind: "failed", reason: saved.kind === "conflict" ? saved.reason : Object.values(saved.fields).join(" ") };
    },
  };
}

function changerOf(one: Agreed): Changer {
  const reason = text(one.input, "reason") || undefined;
  return { actor: one.decidedBy, person: one.makerPerson, sessionId: null, reason, more: approvedDetails(one) };
}

function readPayload(sealed: string | null): Omit<SaveProvider, "accountId"> {
  const parsed = sealed === null ? null : parseStrictJson(Buffer.from(sealed));
  if (!parsed?.ok) throw new Error("The stored settings of a single sign-on approval are not valid.");
  return parsed.value as JsonObject as unknown as Omit<SaveProvider, "accountId">;
}
