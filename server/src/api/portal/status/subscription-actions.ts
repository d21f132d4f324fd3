import { z } from "zod";
import { readCallbackSecretTime } from "../../../domain/accounts/credentials/read-secrets.ts";
import { readSubscriptions, setWebhook, subscribeByMail, unsubscribeFromMail } from "../../../domain/status/subscriptions.ts";
import { conflict } from "../../sites/actions/refusal.ts";
import { BUILDERS, EVERYBODY } from "../access.ts";
import { action, type PortalAction } from "../action.ts";
import { actorOf, nothing } from "../answers.ts";
import type { PortalDependencies } from "../context.ts";
import { urlRefusal } from "../integration/callback-settings-actions.ts";
import type { Session } from "../session.ts";

const subscriptionsOutput = z.strictObject({
  mail: z.boolean(),
  /** Whether the platform can send mail at all. */
  mail_is_set_up: z.boolean(),
  webhook_url: z.string().nullable(),
  callback_secret_set: z.boolean(),
});

const showSubscriptions = action({
  path: "GET /status/subscriptions",
  summary: "Shows whether the member is notified of incidents and maintenance by email, and the account by a webhook.",
  roles: EVERYBODY,
  input: nothing,
  output: subscriptionsOutput,
  handler: async ({ deps, session }) => await subscriptions(deps, session),
});

const setMail = action({
  path: "POST /status/subscriptions/mail",
  summary: "Subscribes the member to emails about incidents and maintenance, or ends that.",
  roles: EVERYBODY,
  input: z.strictObject({ subscribed: z.boolean() }),
  output: subscriptionsOutput,
  handler: async ({ deps, session, input }) => {
    if (input.subscribed && !deps.mail.isSetUp) return conflict("This installation sends no email.");
    if (input.subscribed) await subscribeByMail(deps.auth, actorOf(session), session.userId);
    else await unsubscribeFromMail(deps.auth, session.userId);
    return await subscriptions(deps, session);
  },
});

const setStatusWebhook = action({
  path: "POST /status/subscriptions/webhook",
  summary: "Sets the URL that is sent every update of incidents and maintenance, or removes it.",
  roles: BUILDERS,
  proof: "recent",
  input: z.strictObject({ url: z.string().nullable() }),
  output: subscriptionsOutput,
  handler: async ({ deps, session, input: { url } }) => {
    const refusal = await urlRefusal(deps, { url });
    if (refusal !== null) return refusal;
    if (url !== null && !(await subscriptions(deps, session)).callback_secret_set)
      return conflict("Create a callback secret first. The webhook is signed with it.");
    await setWebhook(deps.auth, actorOf(session), session.accountId, url);
    return await subscriptions(deps, session);
  },
});

async function subscriptions(deps: PortalDependencies, session: Session): Promise<z.output<typeof subscriptionsOutput>> {
  const [{ mail, webhookUrl }, secretAt] = await Promise.all([
    readSubscriptions(deps.auth.sql, session),
    readCallbackSecretTime(deps.sql, session.accountId),
  ]);
  return { mail, mail_is_set_up: deps.mail.isSetUp, webhook_url: webhookUrl, callback_secret_set: secretAt !== null };
}

/** Notifications of incidents and maintenance. */
export const subscriptionActions: readonly PortalAction[] = [showSubscriptions, setMail, setStatusWebhook];
