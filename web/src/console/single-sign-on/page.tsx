import type { ReactNode } from "react";
import { SignOnPage } from "../../auth/single-sign-on/page.tsx";
import type { SignOnSite, SingleSignOn } from "../../auth/single-sign-on/settings.ts";
import { get, post } from "../api.ts";
import { isWaitingAction, type WaitingAction } from "../approvals/approval.ts";
import { useShowApproval } from "../approvals/show-approval.ts";
import { ROLE_NAMES, ROLES } from "../roles.ts";
import { ADMINS, useMay } from "../session.ts";

const STAFF_SIGN_ON: Omit<SignOnSite, "save" | "remove"> = {
  read: (signal) => get("/single-sign-on", {}, signal),
  stopEnforcing: () => post("/single-sign-on/stop-enforcing"),
  choosesDomains: true,
  roles: ROLES.map((value) => ({ value, label: ROLE_NAMES[value] })),
  manager: "admin",
  members: "Members of staff",
};

export function StaffSignOnPage(): ReactNode {
  const showApproval = useShowApproval();
  const mayChange = useMay(ADMINS);
  const orWaiting = async (answer: SingleSignOn | WaitingAction) => {
    if (!isWaitingAction(answer)) return answer;
    await showApproval(answer);
    return null;
  };
  const site: SignOnSite = {
    ...STAFF_SIGN_ON,
    ...(mayChange ? {} : { readOnlyBecause: "Only admins change these settings. Ask an admin if they are wrong." }),
    save: async (input) => await orWaiting(await post("/single-sign-on", input)),
    remove: async () => await orWaiting(await post("/single-sign-on/delete")),
  };
  return <SignOnPage site={site} />;
}
