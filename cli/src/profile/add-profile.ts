import { done, type Outcome, UsageFault } from "../shared/outcome.ts";
import type { ClientContext } from "../shared/run-command.ts";
import { collectProfile, type Source } from "./collect-profile.ts";
import { type Profile, profileName, profilePath, readProfiles, SECRET_FIELDS, writeProfiles } from "./profile-file.ts";

export type AddOptions = Source & { readonly replace?: boolean };

export async function addProfile(ctx: ClientContext, name: string, options: AddOptions): Promise<Outcome> {
  const path = profilePath(ctx);
  await refuseTaken(path, name, options);
  const profile = await collectProfile(ctx, options);
  const current = await keepProfile(path, name, profile);
  const secrets = SECRET_FIELDS.filter((field) => profile[field] !== undefined);
  const words = `The profile ${name} is saved in ${path}: ${secrets.join(", ")}.${current === name ? " Commands use it." : ""}`;
  return done(words, { profile: name, base_url: profile.base_url, secrets, current: current === name, file: path });
}

/** Checked before anything is asked or created. */
export async function refuseTaken(path: string, name: string, { replace = false }: Pick<AddOptions, "replace"> = {}): Promise<void> {
  const { profiles } = await readProfiles(path);
  if (Object.hasOwn(profiles, profileName(name)) && !replace)
    throw new UsageFault(`There is a profile ${name} already. Choose another name, or remove it first: corprail profile remove ${name}`);
}

/** Saves a profile and returns the name of the current one. The first profile becomes the current one. */
export async function keepProfile(path: string, name: string, profile: Profile): Promise<string> {
  const { current, profiles } = await readProfiles(path);
  const next = current ?? name;
  await writeProfiles(path, { current: next, profiles: { ...profiles, [name]: profile } });
  return next;
}
