import { done, failed, type Outcome } from "../outcome.ts";
import type { ClientContext } from "../run-command.ts";
import { profilePath, readProfiles, writeProfiles } from "./profile-file.ts";

export async function useProfile(ctx: ClientContext, name: string): Promise<Outcome> {
  const path = profilePath(ctx);
  const { profiles } = await readProfiles(path);
  if (!Object.hasOwn(profiles, name)) return failed(`There is no profile ${name}.`);
  await writeProfiles(path, { current: name, profiles });
  return done(`Commands now use ${name} (${profiles[name]?.base_url}).`, { profile: name, base_url: profiles[name]?.base_url });
}
