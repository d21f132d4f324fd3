import { Corprail, type CorprailOptions } from "@corprail/sdk";
import { fromEnvironment } from "../profile/collect-profile.ts";
import { profilePath, readProfiles } from "../profile/profile-file.ts";
import { UsageFault } from "../shared/outcome.ts";
import type { ClientContext } from "../shared/run-command.ts";

export type ProfileOption = { readonly profile?: string };

/** What a command calls or verifies with, all from one source. */
export type Credentials = {
  /** For messages: where they came from. */
  readonly source: string;
  readonly baseUrl: string | null;
  readonly token: string | null;
  readonly signingSecret: string | null;
  readonly callbackSecret: string | null;
};

/**
 * --profile, else CORPRAIL_PROFILE, else the environment's own when any of it is set, else the current profile.
 * Sources are never mixed: a token must not go to the address of another profile.
 */
export async function findCredentials(ctx: ClientContext, { profile }: ProfileOption): Promise<Credentials> {
  const named = profile ?? (ctx.environment["CORPRAIL_PROFILE"] || undefined);
  const given = fromEnvironment(ctx);
  if (named === undefined && Object.values(given).some((value) => value)) return credentials("the environment", given);
  const path = profilePath(ctx);
  const { current, profiles } = await readProfiles(path);
  const name = named ?? current;
  if (name === null) {
    throw new UsageFault(
      "No credentials: set CORPRAIL_BASE_URL and CORPRAIL_TOKEN, or add a profile (corprail profile add NAME) and choose it (corprail profile use NAME).",
    );
  }
  if (!Object.hasOwn(profiles, name)) throw new UsageFault(`There is no profile ${name} in ${path}. Add it: corprail profile add ${name}`);
  return credentials(`the profile ${name}`, profiles[name] ?? {});
}

/** The SDK's client; whatever it needs and is not there is named. */
export async function createClient(ctx: ClientContext, option: ProfileOption, more: Partial<CorprailOptions> = {}): Promise<Corprail> {
  const found = await findCredentials(ctx, option);
  const { signingSecret } = found;
  return new Corprail({ ...needed(found), ...(signingSecret === null ? {} : { signingSecret }), ...more });
}

export function needed({ baseUrl, token, source }: Credentials): { readonly baseUrl: string; readonly token: string } {
  if (baseUrl === null) throw new UsageFault(`${source} has no address: set CORPRAIL_BASE_URL.`);
  if (token === null) throw new UsageFault(`${source} has no token: set CORPRAIL_TOKEN.`);
  return { baseUrl, token };
}

type Fields = Readonly<Record<string, string | undefined>>;

function credentials(source: string, fields: Fields): Credentials {
  const { base_url: baseUrl, token, signing_secret: signingSecret, callback_secret: callbackSecret } = fields;
  // An empty variable counts as not set.
  const orNull = (value: string | undefined) => value?.trim() || null;
  return {
    source,
    baseUrl: orNull(baseUrl)?.replace(/\/$/, "") ?? null,
    token: orNull(token),
    signingSecret: orNull(signingSecret),
    callbackSecret: orNull(callbackSecret),
  };
}
