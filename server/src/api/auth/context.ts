import type { z } from "zod";
import type { AuthContext } from "../../domain/auth/context.ts";
import type { Oidc } from "../../domain/auth/single-sign-on/oidc.ts";
import type { Mailer } from "../../platform/mail/mailer.ts";
import type { SiteSession } from "../sites/actions/action.ts";
import type { SiteSettings } from "../sites/actions/origin.ts";
import type { sessionAccountOutput } from "./outputs.ts";

/** The context of sign-in and security handlers. */
export type AuthTools = SiteSettings & {
  /** Users of this site. */
  readonly auth: AuthContext;
  /** Speaks with identity providers. */
  readonly oidc: Oidc;
  readonly mail: Pick<Mailer, "send" | "isSetUp">;
  readonly log: { readonly error: (details: object, message: string) => void };
};

/** Facts about a session that only the portal has. */
export type SessionFacts = { readonly account?: z.output<typeof sessionAccountOutput>; readonly viewing?: true };

/** What sign-in and security actions need, with the differences between portal and console. */
export type AuthDependencies = AuthTools & {
  /** Contract, section 9a: every page shows the mode. */
  readonly mode: () => "trial" | "live";
  /** Additional facts about a session for its page; null if its account no longer exists. */
  readonly describe: (session: SiteSession) => Promise<SessionFacts | null>;
};
