import { changeUnderLock } from "./account-change.ts";
import type { AccountsContext, Done, NotFound, WithReason } from "./context.ts";
import { updateCallbacksPaused } from "./store.ts";

export type CallbacksOfAccount = WithReason & { readonly accountId: string };

/** Stops deliveries to the account's receivers. Callbacks wait meanwhile. */
export async function pauseCallbacks(ctx: AccountsContext, actor: string, input: CallbacksOfAccount): Promise<Done | NotFound> {
  return await setPaused(ctx, actor, input, true);
}

/** Resumes deliveries. Waiting callbacks are sent when due. */
export async function resumeCallbacks(ctx: AccountsContext, actor: string, input: CallbacksOfAccount): Promise<Done | NotFound> {
  return await setPaused(ctx, actor, input, false);
}

async function setPaused(ctx: AccountsContext, actor: string, input: CallbacksOfAccount, paused: boolean): Promise<Done | NotFound> {
  return await changeUnderLock<Done>(ctx, actor, input, async (tx, account, at) => {
    if (account.callbacks_paused === paused) return { result: { kind: "done" }, audit: null };
    await updateCallbacksPaused(tx, account.account_id, paused, at);
    return { result: { kind: "done" }, audit: { action: paused ? "account.callbacks_paused" : "account.callbacks_resumed", details: {} } };
  });
}
