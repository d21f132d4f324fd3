import type { ReactNode } from "react";
import { SignOnPage } from "../../auth/single-sign-on/page.tsx";
import type { SignOnSite } from "../../auth/single-sign-on/settings.ts";
import { get, post } from "../api.ts";
import { ROLE_NAMES, ROLES } from "../roles.ts";

const STAFF_SIGN_ON: SignOnSite = {
  read: (signal) => get("/single-sign-on", {}, signal),
  save: (input) => post("/single-sign-on", input),
  remove: () => post("/single-sign-on/delete"),
  stopEnforcing: () => post("/single-sign-on/stop-enforcing"),
  choosesDomains: true,
  roles: ROLES.map((value) => ({ value, label: ROLE_NAMES[value] })),
  manager: "admin",
  members: "Members of staff",
};

export function StaffSignOnPage(): ReactNode {
  return <SignOnPage site={STAFF_SIGN_ON} />;
}
