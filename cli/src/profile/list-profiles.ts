import { done, type Outcome } from "../outcome.ts";
import type { ClientContext } from "../run-command.ts";
import { table } from "../table.ts";
import { profilePath, readProfiles, SECRET_FIELDS } from "./profile-file.ts";

/** Lists profiles. For secrets it only shows which ones are set. */
export async function listProfiles(ctx: ClientContext): Promise<Outcome> {
  const path = profilePath(ctx);
  const { current, profiles } = await readProfiles(path);
  const rows = Object.entries(profiles).map(([name, profile]) => ({
    profile: name,
    base_url: profile.base_url,
    secrets: SECRET_FIELDS.filter((field) => profile[field] !== undefined),
    current: name === current,
  }));
  const cells = rows.map((row) => [row.current ? "*" : "", row.profile, row.base_url, row.secrets.join(", ")]);
  const report = rows.length === 0 ? null : table(["", "PROFILE", "ADDRESS", "SECRETS"], cells);
  return done(
    rows.length === 0 ? "There is no profile yet: corprail profile add NAME" : `In ${path}.`,
    { profiles: rows, file: path },
    report,
  );
}
