import type { ReactNode } from "react";
import { SignOnPage } from "../../auth/single-sign-on/page.tsx";
import type { SignOnSite } from "../../auth/single-sign-on/settings.ts";
import { singleSignOnText } from "../../messages/en/single-sign-on.ts";
import { get, post } from "../api.ts";
import { ROLE_NAMES, ROLES } from "../roles.ts";

const PORTAL_SIGN_ON: SignOnSite = {
  read: (signal) => get("/single-sign-on", {}, signal),
  save: ({ domains: _domains, ...input }) => post("/single-sign-on", input),
  remove: () => post("/single-sign-on/delete"),
  choosesDomains: false,
  roles: ROLES.map((value) => ({ value, label: ROLE_NAMES[value] })),
  manager: singleSignOnText.owner,
  members: singleSignOnText.theMembersOfThisAccount,
};

export function PortalSignOnPage(): ReactNode {
  return <SignOnPage site={PORTAL_SIGN_ON} />;
}
