import { forRoles } from "../auth/action.ts";
import { AUTH_ACTIONS } from "../auth/auth-actions.ts";
import { EVERYBODY } from "./access.ts";
import type { PortalAction } from "./action.ts";
import { analyticsActions } from "./analytics/analytics-actions.ts";
import { catalogueActions } from "./catalogue/catalogue-actions.ts";
import { complaintActions } from "./complaints/complaint-actions.ts";
import { homeActions } from "./home/home-actions.ts";
import { allowlistActions } from "./integration/allowlist-actions.ts";
import { callbackActions } from "./integration/callback-actions.ts";
import { callbackSettingsActions } from "./integration/callback-settings-actions.ts";
import { credentialActions } from "./integration/credential-actions.ts";
import { limitActions } from "./integration/limit-actions.ts";
import { logActions } from "./integration/log-actions.ts";
import { replayActions } from "./integration/replay-actions.ts";
import { tokenActions } from "./integration/token-actions.ts";
import { jobActions } from "./jobs/job-actions.ts";
import { auditActions } from "./members/audit-actions.ts";
import { languageActions } from "./members/language-actions.ts";
import { teamActions } from "./members/team-actions.ts";
import { viewActions } from "./members/view-actions.ts";
import { sandboxActions } from "./sandbox/sandbox-actions.ts";
import type { Session } from "./session.ts";
import { signOnActions } from "./single-sign-on/sign-on-actions.ts";
import { statusActions } from "./status/status-actions.ts";
import { transactionActions } from "./transactions/transaction-actions.ts";
import { signingActions } from "./wallet/signing-actions.ts";
import { walletActions } from "./wallet/wallet-actions.ts";

/** All actions of the portal. */
export const PORTAL_ACTIONS: readonly PortalAction[] = [
  ...forRoles<Session>(EVERYBODY, AUTH_ACTIONS),
  ...viewActions,
  ...homeActions,
  ...analyticsActions,
  ...transactionActions,
  ...complaintActions,
  ...walletActions,
  ...signingActions,
  ...credentialActions,
  ...tokenActions,
  ...replayActions,
  ...allowlistActions,
  ...callbackSettingsActions,
  ...callbackActions,
  ...logActions,
  ...limitActions,
  ...catalogueActions,
  ...statusActions,
  ...sandboxActions,
  ...jobActions,
  ...languageActions,
  ...teamActions,
  ...signOnActions,
  ...auditActions,
];
