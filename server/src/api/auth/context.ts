import type { AuthContext } from "../../domain/auth/context.ts";
import type { JsonObject } from "../../platform/core/strict-json.ts";
import type { Mailer } from "../../platform/mail/mailer.ts";
import type { SiteSettings } from "../sites/origin.ts";
import type { SiteSession } from "../sites/route.ts";

/** What handlers of people's own calls work with. */
export type AuthTools = SiteSettings & {
  /** Who signs in here. */
  readonly auth: AuthContext;
  readonly mail: Pick<Mailer, "send">;
  readonly log: { readonly error: (details: object, message: string) => void };
};

/** The same with what differs between portal and console. */
export type AuthApiContext<Who extends SiteSession> = AuthTools & {
  /** Every role of the site. */
  readonly everybody: readonly Who["role"][];
  /** Contract, section 9a: every page says which it is. */
  readonly mode: () => "trial" | "live";
  /** What a page is told of a session besides the person; null when there is nothing to be signed in to any more. */
  readonly describe: (session: Who) => Promise<JsonObject | null>;
};
