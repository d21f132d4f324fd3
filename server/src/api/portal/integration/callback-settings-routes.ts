import { z } from "zod";
import { changeAccount } from "../../../domain/accounts/change-account.ts";
import { readCurrentSecrets } from "../../../domain/accounts/credentials/read-secrets.ts";
import { replaceCallbackSecret } from "../../../domain/accounts/credentials/replace-callback-secret.ts";
import { readAccount } from "../../../domain/accounts/read-account.ts";
import { recordTest } from "../../../domain/callbacks/actions/send-test.ts";
import { TOO_MANY_TESTS } from "../../../domain/callbacks/actions/test-budget.ts";
import { readVersion3Test, type Version3Test } from "../../../domain/callbacks/actions/version-3-test.ts";
import { shownRequest } from "../../../domain/callbacks/queries/shown-request.ts";
import { actorOf, changeFault, notFound, nothing, time } from "../answers.ts";
import type { PortalContext } from "../context.ts";
import { BUILDERS, EVERYBODY, type Fault, fault, json, memberRoute, type PortalAnswer, type PortalRoute } from "../route.ts";
import type { Session } from "../session.ts";

const url = z.string().max(2_000).nullable().optional();

export function callbackSettingsRoutes(ctx: PortalContext): readonly PortalRoute[] {
  return [...settingRoutes(ctx), ...version3Routes(ctx)];
}

function settingRoutes(ctx: PortalContext): readonly PortalRoute[] {
  return [
    memberRoute({
      method: "GET",
      path: "/callback-settings",
      does: "Shows callback URLs, version and the result of the last version 3 test.",
      who: EVERYBODY,
      input: nothing,
      handle: ({ session }) => showSettings(ctx, session.accountId),
    }),
    memberRoute({
      method: "POST",
      path: "/callback-settings/urls",
      does: "Sets or removes the callback URL and the complaint callback URL.",
      who: BUILDERS,
      stepUp: true,
      input: z.strictObject({ callback_url: url, complaint_callback_url: url }),
      handle: async ({ session, input }) => {
        const refusal = await urlFault(ctx, input);
        if (refusal) return refusal;
        const { callback_url: callbackUrl, complaint_callback_url: complaintCallbackUrl } = input;
        const change = { accountId: session.accountId, callbackUrl, complaintCallbackUrl };
        return changeFault(await changeAccount(ctx, actorOf(session), change)) ?? (await showSettings(ctx, session.accountId));
      },
    }),
    memberRoute({
      method: "POST",
      path: "/callback-settings/secret",
      does: "Creates or replaces the callback secret, at once.",
      who: BUILDERS,
      stepUp: true,
      input: nothing,
      handle: async ({ session }) => {
        const result = await replaceCallbackSecret(ctx, actorOf(session), { accountId: session.accountId });
        return result.kind === "done" ? json({ callback_secret: result.callbackSecret }) : notFound("account");
      },
    }),
    memberRoute({
      method: "POST",
      path: "/callback-settings/test-complaint",
      does: "Sends a test complaint callback, once.",
      who: BUILDERS,
      input: nothing,
      handle: async ({ session }) => {
        const result = await ctx.callbacks.sendTest(session.accountId);
        if (result === null) return fault("conflict", "Set a complaint callback URL first.");
        if ("kind" in result) return fault("too_many_tries", TOO_MANY_TESTS, result);
        await recordTest(ctx, actorOf(session), session.accountId, result);
        const { delivered, httpStatus, error, message } = result;
        return json({ delivered, http_status: httpStatus, error, request: message && shownRequest(message) });
      },
    }),
  ];
}

function version3Routes(ctx: PortalContext): readonly PortalRoute[] {
  return [
    memberRoute({
      method: "POST",
      path: "/callback-settings/test-v3",
      does: "Sends a signed version 3 test status callback, once.",
      who: BUILDERS,
      input: nothing,
      handle: async ({ session }) => {
        const { callbackSecret } = await readCurrentSecrets(ctx, session.accountId);
        if (!callbackSecret) return fault("conflict", "Create a callback secret first.");
        const result = await ctx.callbacks.sendVersion3Test(session.accountId);
        if (result === null) return fault("conflict", "Set a callback URL first.");
        if ("kind" in result) return fault("too_many_tries", TOO_MANY_TESTS, result);
        await recordTest(ctx, actorOf(session), session.accountId, result, { action: "account.version_3_test_sent" });
        const { delivered, httpStatus, error, message } = result;
        return json({ delivered, http_status: httpStatus, error, request: message && shownRequest(message) });
      },
    }),
    memberRoute({
      method: "POST",
      path: "/callback-settings/switch-v3",
      does: "Switches all callbacks to version 3. This cannot be undone in the portal.",
      who: BUILDERS,
      stepUp: true,
      input: nothing,
      handle: ({ session }) => switchToVersion3(ctx, session),
    }),
  ];
}

async function switchToVersion3(ctx: PortalContext, session: Session): Promise<PortalAnswer> {
  const { accountId } = session;
  const [detail, test] = await Promise.all([readAccount(ctx, accountId), readVersion3Test(ctx.sql, accountId)]);
  if (!detail) return notFound("account");
  if (detail.account.callback_version === 3) return await showSettings(ctx, accountId);
  if (!detail.callbackSecretSet) return fault("conflict", "Create a callback secret first.");
  if (!isPassed(test))
    return fault("conflict", "Send a version 3 test first. Your receiver must answer it with 2xx, using the current settings.");
  const change = { accountId, callbackVersion: 3, onlyAtCallbackEpoch: test.settings_version } as const;
  return changeFault(await changeAccount(ctx, actorOf(session), change)) ?? (await showSettings(ctx, accountId));
}

function isPassed(test: Version3Test | null): test is Version3Test {
  return test?.holds === true && test.error === null;
}

async function urlFault(ctx: PortalContext, urls: Readonly<Record<string, string | null | undefined>>): Promise<Fault | null> {
  const fields: Record<string, string> = {};
  // Checked before the transaction, because DNS may be slow.
  for (const [name, value] of Object.entries(urls)) {
    const why = typeof value === "string" ? await ctx.checkCallbackUrl(value) : null;
    if (why !== null) fields[name] = why;
  }
  const names = Object.keys(fields);
  return names.length === 0 ? null : fault("invalid_request", `Not valid: ${names.join(", ")}.`, { fields });
}

async function showSettings(ctx: PortalContext, accountId: string): Promise<PortalAnswer> {
  const [detail, secrets, test] = await Promise.all([
    readAccount(ctx, accountId),
    readCurrentSecrets(ctx, accountId),
    readVersion3Test(ctx.sql, accountId),
  ]);
  if (!detail) return notFound("account");
  const { callback_url: callbackUrl, complaint_callback_url: complaintCallbackUrl, callback_version: version } = detail.account;
  const { callbackSecret } = secrets;
  return json({
    callback_url: callbackUrl,
    complaint_callback_url: complaintCallbackUrl,
    version,
    callback_secret_set: callbackSecret !== null,
    callback_secret_created_at: callbackSecret && time(callbackSecret.createdAt),
    v3_test: test && {
      at: time(test.at),
      delivered: test.error === null,
      http_status: test.http_status,
      error: test.error,
      holds: test.holds,
    },
    can_switch: version === 2 && callbackSecret !== null && isPassed(test),
  });
}
