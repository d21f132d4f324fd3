import { accountActions } from "./accounts/account-actions.ts";
import { credentialActions } from "./accounts/credential-actions.ts";
import { walletActions } from "./accounts/wallet-actions.ts";
import type { Action } from "./action.ts";
import { approvalActions } from "./approvals/approval-actions.ts";
import { approvalRulesActions } from "./approvals/rules-actions.ts";
import { auditActions } from "./audit/audit-actions.ts";
import { callbackActions } from "./callbacks/callback-actions.ts";
import { deliveryActions } from "./callbacks/delivery-actions.ts";
import { clearComplaintAction } from "./complaints/clear-action.ts";
import { jobActions } from "./jobs/job-actions.ts";
import { keyActions } from "./keys/key-actions.ts";
import { orderChangeActions } from "./orders/change-actions.ts";
import { orderActions } from "./orders/order-actions.ts";
import { portalUserActions } from "./portal-users/portal-user-actions.ts";
import { transferSettingsActions } from "./services/transfer-settings-actions.ts";
import { staffActions } from "./staff/staff-actions.ts";

/** All actions of the operator API and of the console. */
export const OPERATOR_ACTIONS: readonly Action[] = [
  ...accountActions,
  ...credentialActions,
  ...walletActions,
  ...orderActions,
  ...orderChangeActions,
  clearComplaintAction,
  ...callbackActions,
  ...deliveryActions,
  ...portalUserActions,
  ...staffActions,
  ...keyActions,
  ...auditActions,
  ...approvalActions,
  ...approvalRulesActions,
  ...jobActions,
  ...transferSettingsActions,
];
