import { done, failed, type Outcome } from "../outcome.ts";
import type { ClientContext } from "../run-command.ts";
import { profilePath, readProfiles, writeProfiles } from "./profile-file.ts";

export async function removeProfile(ctx: ClientContext, name: string): Promise<Outcome> {
  const path = profilePath(ctx);
  const { current, profiles } = await readProfiles(path);
  if (!Object.hasOwn(profiles, name)) return failed(`There is no profile ${name}.`);
  const { [name]: _removed, ...others } = profiles;
  // No other profile becomes current, so that the next command does not use another account unexpectedly.
  await writeProfiles(path, { current: current === name ? null : current, profiles: others });
  return done(`The profile ${name} is gone.`, { profile: name });
}
