import type { AuthAction } from "./action.ts";
import { invitationActions } from "./invitation-actions.ts";
import { proofActions } from "./proof-actions.ts";
import { securityActions } from "./security-actions.ts";
import { sessionActions } from "./session-actions.ts";
import { signOnActions } from "./sign-on-actions.ts";

/** Signing in and the user's own security, the same at portal and console. */
export const AUTH_ACTIONS: readonly AuthAction[] = [
  ...sessionActions,
  ...signOnActions,
  ...proofActions,
  ...invitationActions,
  ...securityActions,
];
