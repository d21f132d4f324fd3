import { z } from "zod";
import { changeAccount } from "../../../domain/accounts/change-account.ts";
import { readCallbackSecretTime } from "../../../domain/accounts/credentials/read-secrets.ts";
import { replaceCallbackSecret } from "../../../domain/accounts/credentials/replace-callback-secret.ts";
import { readAccount } from "../../../domain/accounts/read-account.ts";
import { recordTest, type TestResult } from "../../../domain/callbacks/actions/send-test.ts";
import { TOO_MANY_TESTS } from "../../../domain/callbacks/actions/test-budget.ts";
import { readVersion3Test, type Version3Test } from "../../../domain/callbacks/actions/version-3-test.ts";
import { shownRequest } from "../../../domain/callbacks/queries/shown-request.ts";
import { conflict, noSuch, Refusal, wrongFields } from "../../sites/actions/refusal.ts";
import { BUILDERS, EVERYBODY } from "../access.ts";
import { action, type PortalAction } from "../action.ts";
import { actorOf, changeRefusal, nothing, time } from "../answers.ts";
import type { PortalContext } from "../context.ts";
import { liveReceiverRefusal } from "../sandbox/sandbox.ts";
import type { Session } from "../session.ts";
import { callbackSettingsOutput, callbackTestOutput, newCallbackSecretOutput } from "./outputs.ts";

const url = z.string().max(2_000).nullable().optional();

const showSettings = action({
  path: "GET /callback-settings",
  summary: "Shows callback URLs, version and the result of the last version 3 test.",
  roles: EVERYBODY,
  input: nothing,
  output: callbackSettingsOutput,
  handler: async ({ deps, session }) => await readSettings(deps, session.accountId),
});

const setUrls = action({
  path: "POST /callback-settings/urls",
  summary: "Sets or removes the callback URL and the complaint callback URL.",
  roles: BUILDERS,
  proof: "recent",
  input: z.strictObject({ callback_url: url, complaint_callback_url: url }),
  output: callbackSettingsOutput,
  handler: async ({ deps, session, input }) => {
    const refusal = (await urlRefusal(deps, input)) ?? (await liveReceiverRefusal(deps.sql, session.accountId, input));
    if (refusal) return refusal;
    const { callback_url: callbackUrl, complaint_callback_url: complaintCallbackUrl } = input;
    const change = { accountId: session.accountId, callbackUrl, complaintCallbackUrl };
    return changeRefusal(await changeAccount(deps, actorOf(session), change)) ?? (await readSettings(deps, session.accountId));
  },
});

const newSecret = action({
  path: "POST /callback-settings/secret",
  summary: "Creates or replaces the callback secret, at once.",
  roles: BUILDERS,
  proof: "recent",
  input: nothing,
  output: newCallbackSecretOutput,
  handler: async ({ deps, session }) => {
    const result = await replaceCallbackSecret(deps, actorOf(session), { accountId: session.accountId });
    return result.kind === "done" ? { callback_secret: result.callbackSecret } : noSuch("account");
  },
});

const testComplaint = action({
  path: "POST /callback-settings/test-complaint",
  summary: "Sends a test complaint callback, once.",
  roles: BUILDERS,
  input: nothing,
  output: callbackTestOutput,
  handler: async ({ deps, session }) => {
    const result = await deps.callbacks.sendTest(session.accountId);
    if (result === null) return conflict("Set a complaint callback URL first.");
    if ("kind" in result) return new Refusal("too_many_tries", TOO_MANY_TESTS, result);
    await recordTest(deps, actorOf(session), session.accountId, result);
    return testView(result);
  },
});

const testVersion3 = action({
  path: "POST /callback-settings/test-v3",
  summary: "Sends a signed version 3 test status callback, once.",
  roles: BUILDERS,
  input: nothing,
  output: callbackTestOutput,
  handler: async ({ deps, session }) => {
    if ((await readCallbackSecretTime(deps.sql, session.accountId)) === null) return conflict("Create a callback secret first.");
    const result = await deps.callbacks.sendVersion3Test(session.accountId);
    if (result === null) return conflict("Set a callback URL first.");
    if ("kind" in result) return new Refusal("too_many_tries", TOO_MANY_TESTS, result);
    await recordTest(deps, actorOf(session), session.accountId, result, { action: "account.version_3_test_sent" });
    return testView(result);
  },
});

function testView({ delivered, httpStatus, error, message }: TestResult): z.output<typeof callbackTestOutput> {
  return { delivered, http_status: httpStatus, error, request: message && shownRequest(message) };
}

const switchVersion = action({
  path: "POST /callback-settings/switch-v3",
  summary: "Switches all callbacks to version 3. This cannot be undone in the portal.",
  roles: BUILDERS,
  proof: "recent",
  input: nothing,
  output: callbackSettingsOutput,
  handler: async ({ deps, session }) => await switchToVersion3(deps, session),
});

type Settings = z.output<typeof callbackSettingsOutput>;

async function switchToVersion3(ctx: PortalContext, session: Session): Promise<Settings | Refusal> {
  const { accountId } = session;
  const [detail, test] = await Promise.all([readAccount(ctx, accountId), readVersion3Test(ctx.sql, accountId)]);
  if (!detail) return noSuch("account");
  if (detail.account.callback_version === 3) return await readSettings(ctx, accountId);
  if (!detail.callbackSecretSet) return conflict("Create a callback secret first.");
  if (!isPassed(test)) return conflict("Send a version 3 test first. Your receiver must answer it with 2xx, using the current settings.");
  const change = { accountId, callbackVersion: 3, onlyAtCallbackEpoch: test.current_settings_version } as const;
  return changeRefusal(await changeAccount(ctx, actorOf(session), change)) ?? (await readSettings(ctx, accountId));
}

function isPassed(test: Version3Test | null): test is Version3Test {
  return test?.holds === true && test.error === null;
}

/** Why one of the URLs cannot receive callbacks. */
export async function urlRefusal(ctx: PortalContext, urls: Readonly<Record<string, string | null | undefined>>): Promise<Refusal | null> {
  const fields: Record<string, string> = {};
  // Checked before the transaction, because DNS may be slow.
  for (const [name, value] of Object.entries(urls)) {
    const why = typeof value === "string" ? await ctx.checkCallbackUrl(value) : null;
    if (why !== null) fields[name] = why;
  }
  return Object.keys(fields).length === 0 ? null : wrongFields(fields);
}

async function readSettings(ctx: PortalContext, accountId: string): Promise<Settings | Refusal> {
  const [detail, secretAt, test] = await Promise.all([
    readAccount(ctx, accountId),
    readCallbackSecretTime(ctx.sql, accountId),
    readVersion3Test(ctx.sql, accountId),
  ]);
  if (!detail) return noSuch("account");
  const { callback_url: callbackUrl, complaint_callback_url: complaintCallbackUrl, callback_version: version } = detail.account;
  return {
    callback_url: callbackUrl,
    complaint_callback_url: complaintCallbackUrl,
    version,
    callback_secret_set: secretAt !== null,
    callback_secret_created_at: secretAt && time(secretAt),
    v3_test: test && {
      at: time(test.at),
      delivered: test.error === null,
      http_status: test.http_status,
      error: test.error,
      holds: test.holds,
    },
    can_switch: version === 2 && secretAt !== null && isPassed(test),
  };
}

export const callbackSettingsActions: readonly PortalAction[] = [
  showSettings,
  setUrls,
  newSecret,
  testComplaint,
  testVersion3,
  switchVersion,
];
