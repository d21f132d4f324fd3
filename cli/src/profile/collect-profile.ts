import { text } from "node:stream/consumers";
import { CallbackVerifier, Corprail, UsageError } from "@corprail/sdk";
import { UsageFault } from "../shared/outcome.ts";
import type { ClientContext } from "../shared/run-command.ts";
import { ask } from "./ask.ts";
import { type Profile, SECRET_FIELDS } from "./profile-file.ts";

export type Source = { readonly baseUrl?: string; readonly stdin?: boolean };
type Given = Readonly<Record<string, string | undefined>>;

const QUESTIONS: readonly (readonly [field: keyof Profile, question: string, how: "shown" | "hidden"])[] = [
  ["base_url", "Address of the service, such as https://api.example.in: ", "shown"],
  ["token", "API token (not shown): ", "hidden"],
  ["signing_secret", "Signing secret, if there is one (not shown): ", "hidden"],
  ["callback_secret", "Callback secret, if there is one (not shown): ", "hidden"],
];

/** Reads a profile from standard input or the environment and asks for missing values. Secrets are never arguments. */
export async function collectProfile(ctx: ClientContext, source: Source): Promise<Profile> {
  const given = source.stdin ? parseLines(await text(process.stdin)) : fromEnvironment(ctx);
  const known: Given = { ...given, ...(source.baseUrl === undefined ? {} : { base_url: source.baseUrl }) };
  return checked(await asked(ctx, known, !source.stdin));
}

export function fromEnvironment({ environment }: Pick<ClientContext, "environment">): Given {
  return {
    base_url: environment["CORPRAIL_BASE_URL"],
    token: environment["CORPRAIL_TOKEN"],
    signing_secret: environment["CORPRAIL_SIGNING_SECRET"],
    callback_secret: environment["CORPRAIL_CALLBACK_SECRET"],
  };
}

async function asked(ctx: ClientContext, known: Given, mayAsk: boolean): Promise<Given> {
  // If the token is given, only required values are asked for.
  const wanted = QUESTIONS.filter(([field]) => !known[field] && (field === "base_url" || field === "token" || !known["token"]));
  const answers: [string, string][] = [];
  if (ctx.mayAsk && mayAsk) for (const [field, question, how] of wanted) answers.push([field, await ask(question, how)]);
  return { ...known, ...Object.fromEntries(answers.filter(([, answer]) => answer !== "")) };
}

function checked(given: Given): Profile {
  const { base_url: baseUrl = "", token = "", signing_secret: signingSecret = "", callback_secret: callbackSecret = "" } = given;
  const missing = [baseUrl === "" ? "the address (--base-url or CORPRAIL_BASE_URL)" : "", token === "" ? "the token (CORPRAIL_TOKEN)" : ""];
  const named = missing.filter((one) => one !== "");
  if (named.length > 0) throw new UsageFault(`Missing: ${named.join(", ")}. Set the variables, use --stdin, or run it at a terminal.`);
  const profile = {
    base_url: baseUrl.replace(/\/$/, ""),
    token,
    ...(signingSecret === "" ? {} : { signing_secret: signingSecret }),
    ...(callbackSecret === "" ? {} : { callback_secret: callbackSecret }),
  };
  refuseUnusable(profile);
  return profile;
}

// The SDK validates address and secrets, and its messages repeat neither.
function refuseUnusable(profile: Profile): void {
  const { base_url: baseUrl, token, signing_secret: signingSecret, callback_secret: callbackSecret } = profile;
  new Corprail({ baseUrl, token, signingSecret });
  if (callbackSecret !== undefined) new CallbackVerifier({ callbackSecret });
  if (/\s/.test(callbackSecret ?? "")) throw new UsageError("callbackSecret must be a text without spaces.");
}

/** Parses lines of name=value. */
function parseLines(input: string): Given {
  const pairs = input
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "" && !line.startsWith("#"))
    .map((line) => {
      const equals = line.indexOf("=");
      const name = line.slice(0, Math.max(equals, 0)).trim();
      if (![...SECRET_FIELDS, "base_url"].includes(name))
        throw new UsageFault(`Standard input holds lines such as token=…; known are base_url, ${SECRET_FIELDS.join(", ")}.`);
      return [name, line.slice(equals + 1).trim()];
    });
  return Object.fromEntries(pairs);
}
