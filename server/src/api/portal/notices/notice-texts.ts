import { indiaDateTime } from "../../../platform/core/india-time.ts";
import type { JsonObject, JsonValue } from "../../../platform/core/strict-json.ts";

/** An audit entry that an account's owners may be notified of. */
export type NoticedEntry = {
  readonly seq: bigint;
  readonly at: Date;
  readonly actor: string;
  readonly action: string;
  readonly details: JsonObject;
  readonly accountId: string;
  readonly accountName: string;
  /** The name of a member of the client's team; null for the platform's staff and its programs. */
  readonly actorName: string | null;
};

type Notice = { readonly subject: string; readonly sentence: string };

/** The text for each action; null if owners are not notified of the change. */
const NOTICES: Readonly<Record<string, (details: JsonObject) => Notice | null>> = {
  "account.token_replaced": () => notice("the API token was replaced", "The API token was replaced. The old one no longer works."),
  "account.token_created": ({ name }) => notice("an API token was created", `The API token "${text(name)}" was created.`),
  "account.token_revoked": ({ name }) =>
    notice("an API token was revoked", `The API token "${text(name)}" was revoked and no longer works.`),
  "account.primary_token_changed": ({ name }) =>
    notice(
      "another API token is the primary one",
      `The API token "${text(name)}" is now the primary one. Version 2 callbacks are signed with it.`,
    ),
  "account.signing_secret_replaced": () => notice("the signing secret was replaced", "A signing secret was created or replaced."),
  "account.old_signing_secrets_revoked": () =>
    notice("old signing secrets were revoked", "Replaced signing secrets were revoked and no longer work."),
  "account.callback_secret_replaced": () => notice("the callback secret was replaced", "A callback secret was created or replaced."),
  "account.allowlist_replaced": ({ changes }) =>
    notice("the IP allowlist was changed", `The IP allowlist was changed. It now reads: ${listed(changeOf(changes, "allowlist")["to"])}.`),
  "account.changed": ({ changes }) => settingsNotice(changes),
  "portal_user.invited": ({ email, role }) =>
    notice("somebody was invited to the portal", `${text(email) || "Somebody"} was invited to the portal as ${roleName(role)}.`),
  "portal_user.invitation_accepted": ({ email, role }) =>
    notice("somebody joined the portal", `${text(email)} accepted an invitation and is at the portal as ${roleName(role)}.`),
  "portal_user.second_factor_reset": ({ email }) =>
    notice(
      "a second factor was reset",
      `The second factor of ${text(email)} was reset. They can now set up a new one with their password alone.`,
    ),
  "portal_user.password_link_created": ({ email }) =>
    notice("a password link was created", `A link with which ${text(email)} can choose a new password was created. It works for a day.`),
  "portal_user.role_changed": ({ email, from, to }) =>
    notice("a role was changed", `The role of ${text(email)} was changed from ${roleName(from)} to ${roleName(to)}.`),
  "portal_user.single_sign_on_saved": ({ name, issuer, enforced }) =>
    notice(
      "single sign-on was changed",
      `The identity provider ${text(name)} (${text(issuer)}) was saved. Single sign-on is ${enforced === true ? "" : "not "}enforced.`,
    ),
  "portal_user.single_sign_on_removed": ({ name, issuer }) =>
    notice("single sign-on was removed", `The identity provider ${text(name)} (${text(issuer)}) was removed.`),
  "portal_user.single_sign_on_enforcement_ended": ({ name }) =>
    notice("single sign-on is no longer enforced", `Members can sign in with their passwords again, and not only through ${text(name)}.`),
  "portal_user.sign_on_domains_assigned": ({ domains }) =>
    notice("the email domains of single sign-on were changed", `The email domains of single sign-on are now: ${listed(domains)}.`),
  "portal_user.created_by_single_sign_on": ({ email, role }) =>
    notice(
      "somebody joined the portal",
      `${text(email)} signed in through the identity provider and is at the portal as ${roleName(role)}.`,
    ),
  "portal_user.identity_unlinked": ({ email }) =>
    notice(
      "somebody was unlinked from their identity",
      `${text(email)} was unlinked. The next sign-in with this address links a new identity.`,
    ),
  "portal_user.break_glass_set": ({ email }) =>
    notice("somebody was made an emergency account", `${text(email)} can sign in with a password while single sign-on is enforced.`),
  "portal_user.break_glass_removed": ({ email }) =>
    notice("an emergency account was removed", `${text(email)} is no longer an emergency account of single sign-on.`),
  "portal_user.disabled": ({ email }) => notice("somebody was disabled", `${text(email)} was disabled and can no longer sign in.`),
};

export const NOTICED_ACTIONS = Object.keys(NOTICES);

export function noticeWords(entry: NoticedEntry): { readonly subject: string; readonly body: string } | null {
  const found = NOTICES[entry.action]?.(entry.details);
  if (!found) return null;
  const program = entry.actor.startsWith("identity_provider:") ? "your identity provider" : "the staff of the payment platform";
  const by = entry.actorName ?? program;
  return {
    subject: `${entry.accountName}: ${found.subject}`,
    body: [
      found.sentence,
      `Account: ${entry.accountName} (${entry.accountId})\nWhen: ${indiaDateTime(entry.at.getTime())} India time\nBy: ${by}`,
      "If you expected this, there is nothing to do.",
      "If you did not, sign in to the portal, check Security and Team, replace the API token and secrets, and contact your account manager.",
      "You receive this email because you are an owner of the account and did not make this change yourself.",
    ].join("\n\n"),
  };
}

function notice(subject: string, sentence: string): Notice {
  return { subject, sentence };
}

const SETTINGS: Readonly<Record<string, string>> = {
  callback_url: "callback URL",
  complaint_callback_url: "complaint callback URL",
  callback_version: "callback version",
  signing_required: "requirement to sign every request",
};

/** Settings of callbacks and request signing. Owners are not notified of other settings. */
function settingsNotice(changes: JsonValue | undefined): Notice | null {
  const changed = Object.keys(SETTINGS).filter((name) => changes !== undefined && name in Object(changes));
  if (changed.length === 0) return null;
  const lines = changed.map((name) => `The ${SETTINGS[name]} is now: ${listed(changeOf(changes, name)["to"])}.`);
  return notice("callback or signing settings were changed", lines.join("\n"));
}

function changeOf(changes: JsonValue | undefined, name: string): JsonObject {
  return Object((changes as JsonObject | undefined)?.[name] ?? {}) as JsonObject;
}

function listed(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return value.length === 0 ? "empty" : value.map(String).join(", ");
  return value === null || value === undefined ? "none" : String(value);
}

function roleName(role: JsonValue | undefined): string {
  return text(role).replace("_", "-");
}

function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
