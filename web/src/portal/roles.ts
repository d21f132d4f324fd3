import { portalText } from "../messages/en/portal.ts";
import { MEMBER_ROLES } from "../roles.ts";
import type { Role } from "./session.ts";

export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  owner: portalText.owner,
  developer: portalText.developer,
  operations: portalText.operations,
  read_only: portalText.readOnly,
};

/** What each role may do. */
export const ROLE_DESCRIPTIONS: Readonly<Record<Role, string>> = {
  owner: portalText.fullAccessIncludingManagingMembers,
  developer: portalText.managesTheIntegrationCredentialsAddresses,
  operations: portalText.doesDailyWorkTransactionsComplaints,
  read_only: portalText.canViewEverythingExceptSecrets,
};

export const ROLES: readonly Role[] = MEMBER_ROLES.EVERYBODY;
