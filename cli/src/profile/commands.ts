import type { Command } from "commander";
import { done, failed, type Outcome } from "../shared/outcome.ts";
import { reportingClient } from "../shared/reporting.ts";
import type { ClientContext } from "../shared/run-command.ts";
import { table } from "../shared/table.ts";
import { addProfile } from "./add-profile.ts";
import { profilePath, readProfiles, SECRET_FIELDS, writeProfiles } from "./profile-file.ts";

/** The commands under `corprail profile`. */
export function profileCommands(profile: Command): void {
  const add = profile
    .command("add <name>")
    .option("--base-url <url>", "the service's address; else CORPRAIL_BASE_URL, else it is asked for")
    .option("--stdin", "read lines of name=value from standard input: base_url, token, signing_secret, callback_secret")
    .option("--replace", "replace the profile of that name");
  reportingClient(add, addProfile, "corprail profile add acme --base-url https://api.example.in")
    .summary("Add a profile: an address and its secrets under a name")
    .description(
      "Add a profile: an address and its secrets under a name, in a file that only you can read. Secrets come from a hidden prompt, from standard input (--stdin), or from CORPRAIL_TOKEN, CORPRAIL_SIGNING_SECRET and CORPRAIL_CALLBACK_SECRET; never from arguments.",
    );
  reportingClient(profile.command("list"), listProfiles, "corprail profile list")
    .summary("Show profiles")
    .description("Show profiles; of their secrets only which are set.");
  reportingClient(profile.command("use <name>"), useProfile, "corprail profile use acme").description("Set the profile that commands use");
  reportingClient(profile.command("remove <name>"), removeProfile, "corprail profile remove acme").description(
    "Remove a profile and its secrets",
  );
}

/** Lists profiles. For secrets it only shows which ones are set. */
async function listProfiles(ctx: ClientContext): Promise<Outcome> {
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

async function useProfile(ctx: ClientContext, name: string): Promise<Outcome> {
  const path = profilePath(ctx);
  const { profiles } = await readProfiles(path);
  if (!Object.hasOwn(profiles, name)) return failed(`There is no profile ${name}.`);
  await writeProfiles(path, { current: name, profiles });
  return done(`Commands now use ${name} (${profiles[name]?.base_url}).`, { profile: name, base_url: profiles[name]?.base_url });
}

async function removeProfile(ctx: ClientContext, name: string): Promise<Outcome> {
  const path = profilePath(ctx);
  const { current, profiles } = await readProfiles(path);
  if (!Object.hasOwn(profiles, name)) return failed(`There is no profile ${name}.`);
  const { [name]: _removed, ...others } = profiles;
  // No other profile becomes current, so that the next command does not use another account unexpectedly.
  await writeProfiles(path, { current: current === name ? null : current, profiles: others });
  return done(`The profile ${name} was removed.`, { profile: name });
}
