import type { Command } from "commander";
import { reportingClient } from "../reporting.ts";
import { addProfile } from "./add-profile.ts";
import { listProfiles } from "./list-profiles.ts";
import { removeProfile } from "./remove-profile.ts";
import { useProfile } from "./use-profile.ts";

/** The commands under `corprail profile`. */
export function profileCommands(profile: Command): void {
  const add = profile
    .command("add <name>")
    .option("--base-url <url>", "the service's address; else CORPRAIL_BASE_URL, else it is asked for")
    .option("--stdin", "read lines of name=value from standard input: base_url, token, signing_secret, callback_secret")
    .option("--replace", "take the place of a profile of that name");
  reportingClient(add, addProfile, "corprail profile add acme --base-url https://api.example.in")
    .summary("Keep an address and its secrets under a name")
    .description(
      "Keep an address and its secrets under a name, in a file that only you can read. Secrets come from a hidden prompt, from standard input (--stdin), or from CORPRAIL_TOKEN, CORPRAIL_SIGNING_SECRET and CORPRAIL_CALLBACK_SECRET; never from arguments.",
    );
  reportingClient(profile.command("list"), listProfiles, "corprail profile list")
    .summary("Show profiles")
    .description("Show profiles; of their secrets only which are set.");
  reportingClient(profile.command("use <name>"), useProfile, "corprail profile use acme").description("Let commands use this profile");
  reportingClient(profile.command("remove <name>"), removeProfile, "corprail profile remove acme").description(
    "Take a profile and its secrets away",
  );
}
