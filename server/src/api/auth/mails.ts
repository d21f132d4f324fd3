import type { Realm } from "../../domain/auth/context.ts";
import { resetLink } from "../../domain/auth/team/links.ts";
import type { Mailer } from "../../platform/mail/mailer.ts";
import type { SiteSettings } from "../sites/actions/origin.ts";
import { mailTexts } from "./mail-texts.ts";

export type InvitationMail = {
  readonly to: string;
  readonly accountName: string;
  readonly link: string;
  readonly invitedBy: string;
  /** The inviting member's language, because the invited person has not chosen one yet. */
  readonly language: string | null;
};

export async function mailInvitation(mail: Pick<Mailer, "send">, { to, language, ...parts }: InvitationMail): Promise<void> {
  const { subject, paragraphs } = mailTexts(language).invitation(parts);
  await mail.send({ to, subject, text: bodyOf(paragraphs) });
}

export type ResetMail = {
  readonly realm: Realm;
  readonly to: string;
  readonly name: string;
  readonly language: string | null;
  readonly origin: string;
  readonly token: string;
};

export async function mailReset(mail: Pick<Mailer, "send">, { realm, to, name, language, origin, token }: ResetMail): Promise<void> {
  const { subject, paragraphs } = mailTexts(language).reset({ realm, name, link: resetLink(realm, origin, token) });
  await mail.send({ to, subject, text: bodyOf(paragraphs) });
}

function bodyOf(paragraphs: readonly string[]): string {
  return `${paragraphs.join("\n\n")}\n`;
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
