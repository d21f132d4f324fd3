import type { AuthContext } from "../../domain/auth/context.ts";
import type { JsonObject } from "../../platform/core/strict-json.ts";
import type { Mailer } from "../../platform/mail/mailer.ts";
import type { SiteSettings } from "../sites/origin.ts";
import type { SiteSession } from "../sites/route.ts";

/** The context of sign-in and security handlers. */
export type AuthTools = SiteSettings & {
  /** Users of this site. */
  readonly auth: AuthContext;
  readonly mail: Pick<Mailer, "send">;
  readonly log: { readonly error: (details: object, message: string) => void };
};

/** The context of sign-in and security routes, with the differences between portal and console. */
export type AuthApiContext<Who extends SiteSession> = AuthTools & {
  /** Every role of the site. */
  readonly everybody: readonly Who["role"][];
  /** Contract, section 9a: every page shows the mode. */
  readonly mode: () => "trial" | "live";
  /** Additional facts about a session for its page; null if its account no longer exists. */
  readonly describe: (session: Who) => Promise<JsonObject | null>;
};
