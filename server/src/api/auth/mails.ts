import type { Realm } from "../../domain/auth/context.ts";
import { resetLink } from "../../domain/auth/team/links.ts";
import type { Mailer } from "../../platform/mail/mailer.ts";
import type { SiteSettings } from "../sites/origin.ts";

export type InvitationMail = { readonly to: string; readonly accountName: string; readonly link: string; readonly invitedBy: string };

export async function mailInvitation(mail: Pick<Mailer, "send">, { to, accountName, link, invitedBy }: InvitationMail): Promise<void> {
  await mail.send({
    to,
    subject: `Your invitation to the portal of ${accountName}`,
    text: [
      `${invitedBy} invites you to the portal of ${accountName}.`,
      "",
      "Open this link within seven days and choose a password. It works once.",
      "",
      link,
      "",
      "If you did not expect this, do nothing.",
      "",
    ].join("\n"),
  });
}

export type ResetMail = {
  readonly realm: Realm;
  readonly to: string;
  readonly name: string;
  readonly origin: string;
  readonly token: string;
};

export async function mailReset(mail: Pick<Mailer, "send">, { realm, to, name, origin, token }: ResetMail): Promise<void> {
  await mail.send({
    to,
    subject: `A new password for the ${realm}`,
    text: [
      `Hello ${name},`,
      "",
      "somebody asked for a new password for this address. Open this link within the hour to choose one. It works once.",
      "",
      resetLink(realm, origin, token),
      "",
      "If it was not you, do nothing: your password stays as it is.",
      "",
    ].join("\n"),
  });
}

/** Whether a link can be mailed: there is a mail server, and an address that the link can lead to. */
export function canMailLinks(deps: SiteSettings & { readonly mail: Pick<Mailer, "isSetUp"> }, origin: string): boolean {
  return deps.mail.isSetUp && trustedOrigin(deps, origin) !== null;
}

/**
 * The origin of a mailed link. The requester controls the Host header, so without a configured address only this machine
 * is accepted; null if there is no trusted origin.
 */
export function trustedOrigin({ publicUrl }: SiteSettings, origin: string): string | null {
  if (publicUrl !== null) return new URL(publicUrl).origin;
  const host = URL.canParse(origin) ? new URL(origin).hostname : "";
  return ["localhost", "127.0.0.1", "[::1]"].includes(host) ? origin : null;
}
