import { z } from "zod";
import type { Conflict, Done, NotFound } from "../../../domain/accounts/context.ts";
import { personActor } from "../../../domain/auth/record.ts";
import type { Invalid } from "../../../domain/auth/single-sign-on/roll-back.ts";
import { type Changer, removeProvider, saveProvider } from "../../../domain/auth/single-sign-on/save-provider.ts";
import { trustedOrigin } from "../../auth/mails.ts";
import { conflict, noSuch, type Refusal, wrongFields } from "../../sites/actions/refusal.ts";
import { providerFields, settingsOf, signOnOutput, signOnView } from "../../sites/outputs/sign-on-view.ts";
import { OWNERS } from "../access.ts";
import { action, type PortalAction, type PortalCall } from "../action.ts";

const showSignOn = action({
  path: "GET /single-sign-on",
  summary: "Shows the account's single sign-on.",
  ofClient: true,
  roles: OWNERS,
  input: z.object({}),
  output: signOnOutput,
  handler: async (call) => await view(call),
});

const owners = { roles: OWNERS, proof: "recent", ofClient: true } as const;

const saveSignOn = action({
  ...owners,
  path: "POST /single-sign-on",
  summary: "Saves the account's identity provider. Its metadata is read first.",
  input: z.strictObject(providerFields),
  output: signOnOutput,
  handler: async (call) => {
    const { client_secret: clientSecret } = call.input;
    const input = { accountId: call.session.accountId, settings: settingsOf(call.input), clientSecret };
    const saved = await saveProvider(contextOf(call), changer(call), input, call.deps.mode() === "trial");
    return refusalOf(saved) ?? (await view(call));
  },
});

const removeSignOn = action({
  ...owners,
  path: "POST /single-sign-on/delete",
  summary: "Removes the account's identity provider. Sessions that it began end.",
  input: z.strictObject({}),
  output: signOnOutput,
  handler: async (call) => refusalOf(await removeProvider(contextOf(call), changer(call), call.session.accountId)) ?? (await view(call)),
});

function contextOf({ deps }: PortalCall) {
  return { ...deps.auth, oidc: deps.oidc };
}

function changer({ session }: PortalCall): Changer {
  const actor = personActor("portal", session.userId);
  return { actor, person: actor, sessionId: session.sessionId };
}

async function view({ deps, session, origin }: PortalCall) {
  return await signOnView(deps.auth, session.accountId, trustedOrigin(deps, origin) ?? origin);
}

function refusalOf(result: Done | Invalid | Conflict | NotFound): Refusal | null {
  if (result.kind === "invalid") return wrongFields(result.fields);
  if (result.kind === "conflict") return conflict(result.reason);
  return result.kind === "not_found" ? noSuch("identity provider") : null;
}

/** The account's own identity provider. Staff assign its email domains. */
export const signOnActions: readonly PortalAction[] = [showSignOn, saveSignOn, removeSignOn];
