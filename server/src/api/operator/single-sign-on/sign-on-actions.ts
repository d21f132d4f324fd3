import type { FastifyRequest } from "fastify";
import { z } from "zod";
import type { Conflict, Done, NotFound } from "../../../domain/accounts/context.ts";
import { readAccount } from "../../../domain/accounts/read-account.ts";
import { askIfNeeded } from "../../../domain/approvals/ask-approval.ts";
import type { Invalid } from "../../../domain/auth/single-sign-on/roll-back.ts";
import {
  assignDomains,
  type Changer,
  checkProvider,
  removeProvider,
  saveProvider,
  stopEnforcing,
} from "../../../domain/auth/single-sign-on/save-provider.ts";
import { findProvider } from "../../../domain/auth/single-sign-on/store.ts";
import { providerFields, settingsOf, signOnOutput, signOnView } from "../../sites/outputs/sign-on-view.ts";
import { ADMINS, EVERYBODY, OPERATIONS } from "../access.ts";
import { type Action, action } from "../action.ts";
import { heldOrRefusal } from "../approvals/held.ts";
import type { Caller } from "../caller.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { accountParams, noBody, reason } from "../fields.ts";
import { confinedKeyRefusal } from "../keys/confined-key.ts";
import { conflict, noSuch, type Refusal, wrongFields } from "../refusal.ts";
import { siteAddress } from "../site-address.ts";
import { removalRequest, savingRequest } from "./approved-sign-on.ts";

const domains = z.array(z.string().max(253)).max(100);

const showSignOn = action({
  path: "GET /single-sign-on",
  summary: "Shows the single sign-on of staff.",
  roles: EVERYBODY,
  output: signOnOutput,
  handler: async ({ deps, request }) => await staffView(deps, request),
});

const saveSignOn = action({
  path: "POST /single-sign-on",
  summary: "Saves the identity provider of staff. Its metadata is read first.",
  roles: ADMINS,
  proof: "recent",
  approval: { kinds: ["single_sign_on"], ask: "handler" },
  body: z.strictObject({ ...providerFields, domains, reason }),
  output: signOnOutput,
  handler: async ({ deps, caller, body, request }) => {
    const confined = confinedKeyRefusal(caller);
    if (confined !== null) return confined;
    const { client_secret: clientSecret, domains: written, reason: why, ...fields } = body;
    const settings = settingsOf({ ...fields, client_secret: clientSecret });
    const input = { accountId: null, settings, clientSecret, domains: written };
    const by = changer(caller, why);
    const checked = await checkProvider(staffContext(deps), by, input, isTrial(deps));
    if (checked.kind === "invalid") return wrongFields(checked.fields);
    const asked = savingRequest(checked, { clientSecret, reason: why, requestId: deps.ids.entry(deps.clock.now()) });
    const held = heldOrRefusal(await askIfNeeded(deps.approvals, caller, asked));
    if (held) return held;
    return refusalOf(await saveProvider(staffContext(deps), by, input, isTrial(deps))) ?? (await staffView(deps, request));
  },
});

const removeSignOn = action({
  path: "POST /single-sign-on/delete",
  summary: "Removes the identity provider of staff. Sessions that it began end.",
  roles: ADMINS,
  proof: "recent",
  approval: { kinds: ["single_sign_on"], ask: "handler" },
  body: noBody,
  output: signOnOutput,
  handler: async ({ deps, caller, body, request }) => {
    const confined = confinedKeyRefusal(caller);
    if (confined !== null) return confined;
    if (!(await findProvider(deps.staff.sql, { realm: "console", accountId: null }))) return noSuch("identity provider");
    const held = heldOrRefusal(await askIfNeeded(deps.approvals, caller, removalRequest(body.reason)));
    if (held) return held;
    return refusalOf(await removeProvider(deps.staff, changer(caller, body.reason), null)) ?? (await staffView(deps, request));
  },
});

const stopEnforcingSignOn = action({
  path: "POST /single-sign-on/stop-enforcing",
  summary: "Lets all members of staff sign in with their passwords again, for example while the identity provider is down.",
  roles: ADMINS,
  proof: "recent",
  body: noBody,
  output: signOnOutput,
  handler: async ({ deps, caller, body, request }) =>
    confinedKeyRefusal(caller) ??
    refusalOf(await stopEnforcing(staffContext(deps), changer(caller, body.reason), null)) ??
    (await staffView(deps, request)),
});

const showAccountSignOn = action({
  path: "GET /accounts/:account_id/single-sign-on",
  summary: "Shows the single sign-on of an account's portal.",
  roles: EVERYBODY,
  params: accountParams,
  output: signOnOutput,
  handler: async ({ deps, params, request }) => await accountView(deps, params.account_id, request),
});

const assignAccountDomains = action({
  path: "POST /accounts/:account_id/single-sign-on/domains",
  summary: "Assigns the email domains that the account's identity provider may speak for. Verify first that they are the client's.",
  roles: ADMINS,
  proof: "recent",
  params: accountParams,
  body: z.strictObject({ domains, reason }),
  output: signOnOutput,
  handler: async ({ deps, caller, params, body, request }) => {
    if (!(await readAccount(deps, params.account_id))) return noSuch("account");
    const assigned = await assignDomains(portalContext(deps), changer(caller, body.reason), params.account_id, body.domains);
    return refusalOf(assigned) ?? (await accountView(deps, params.account_id, request));
  },
});

const stopEnforcingForAccount = action({
  path: "POST /accounts/:account_id/single-sign-on/stop-enforcing",
  summary: "Lets the account's users sign in with their passwords again, for example while their identity provider is down.",
  roles: OPERATIONS,
  proof: "recent",
  params: accountParams,
  body: noBody,
  output: signOnOutput,
  handler: async ({ deps, caller, params, body, request }) =>
    refusalOf(await stopEnforcing(portalContext(deps), changer(caller, body.reason), params.account_id)) ??
    (await accountView(deps, params.account_id, request)),
});

function staffContext(deps: OperatorApiDependencies) {
  return { ...deps.staff, oidc: deps.oidc };
}

function portalContext(deps: OperatorApiDependencies) {
  return { ...deps.auth, oidc: deps.oidc };
}

function isTrial(deps: OperatorApiDependencies): boolean {
  return deps.providerRegistry.mode() === "trial";
}

function changer({ actor, person, staff }: Caller, why: string | undefined): Changer {
  return { actor, person, sessionId: staff?.sessionId ?? null, reason: why };
}

function refusalOf(result: Done | Invalid | Conflict | NotFound): Refusal | null {
  if (result.kind === "invalid") return wrongFields(result.fields);
  if (result.kind === "conflict") return conflict(result.reason);
  return result.kind === "not_found" ? noSuch("identity provider") : null;
}

async function staffView(deps: OperatorApiDependencies, request: FastifyRequest) {
  return await signOnView(deps.staff, null, siteAddress(deps, "console", request), siteAddress(deps, "portal", request));
}

async function accountView(deps: OperatorApiDependencies, accountId: string, request: FastifyRequest) {
  if (!(await readAccount(deps, accountId))) return noSuch("account");
  return await signOnView(deps.auth, accountId, siteAddress(deps, "portal", request));
}

/** Single sign-on of staff, and what staff decide about that of clients. */
export const signOnSettingsActions: readonly Action[] = [
  ...[showSignOn, saveSignOn, removeSignOn, stopEnforcingSignOn],
  ...[showAccountSignOn, assignAccountDomains, stopEnforcingForAccount],
];
