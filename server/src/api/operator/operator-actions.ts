import { once } from "../sites/asset.ts";
import { anyObject } from "../sites/outputs/output-fields.ts";
import { EVERYBODY } from "./access.ts";
import { accountActions } from "./accounts/account-actions.ts";
import { credentialActions } from "./accounts/credential-actions.ts";
import { tokenActions } from "./accounts/token-actions.ts";
import { walletActions } from "./accounts/wallet-actions.ts";
import { type Action, action } from "./action.ts";
import { analyticsActions } from "./analytics/analytics-actions.ts";
import { apiLogActions } from "./api-log/api-log-actions.ts";
import { approvalActions } from "./approvals/approval-actions.ts";
import { approvalRulesActions } from "./approvals/rules-actions.ts";
import { auditActions } from "./audit/audit-actions.ts";
import { bulkActions } from "./bulk/bulk-actions.ts";
import { callbackActions } from "./callbacks/callback-actions.ts";
import { deliveryActions } from "./callbacks/delivery-actions.ts";
import { catalogueActions } from "./catalogue/catalogue-actions.ts";
import { impactActions } from "./catalogue/impact-actions.ts";
import { complaintActions } from "./complaints/complaint-actions.ts";
import { configurationActions } from "./configuration/configuration-actions.ts";
import { jobActions } from "./jobs/job-actions.ts";
import { keyActions } from "./keys/key-actions.ts";
import { ledgerActions } from "./ledger/ledger-actions.ts";
import { documentActions } from "./onboarding/document-actions.ts";
import { onboardingActions } from "./onboarding/onboarding-actions.ts";
import { operatorDocument } from "./openapi/document.ts";
import { orderChangeActions } from "./orders/change-actions.ts";
import { orderActions } from "./orders/order-actions.ts";
import { alertActions } from "./overview/alert-actions.ts";
import { overviewActions } from "./overview/overview-actions.ts";
import { portalUserActions } from "./portal-users/portal-user-actions.ts";
import { pricingActions } from "./pricing/rule-actions.ts";
import { statementActions } from "./pricing/statement-actions.ts";
import { breakerActions } from "./providers/breaker-actions.ts";
import { definitionActions } from "./providers/definition-actions.ts";
import { providerListActions } from "./providers/list-actions.ts";
import { listRefusedCallbacksAction, providerActions } from "./providers/provider-actions.ts";
import { routeActions } from "./providers/route-actions.ts";
import { shippedActions } from "./providers/shipped-actions.ts";
import { versionActions } from "./providers/version-actions.ts";
import { reconciliationItemActions } from "./reconciliation/item-actions.ts";
import { reconciliationActions } from "./reconciliation/reconciliation-actions.ts";
import { reconciliationSettleActions } from "./reconciliation/settle-actions.ts";
import { uploadAction } from "./reconciliation/upload-action.ts";
import { transferSettingsActions } from "./services/transfer-settings-actions.ts";
import { signingActions } from "./signing/signing-actions.ts";
import { signOnSettingsActions } from "./single-sign-on/sign-on-actions.ts";
import { staffActions } from "./staff/staff-actions.ts";
import { statusActions } from "./status/status-actions.ts";
import { notificationActions } from "./work/notification-actions.ts";
import { workActions } from "./work/work-actions.ts";

/** All actions of the operator API and of the console. */
export const OPERATOR_ACTIONS: readonly Action[] = [
  ...accountActions,
  ...apiLogActions,
  ...credentialActions,
  ...tokenActions,
  ...walletActions,
  ...onboardingActions,
  ...documentActions,
  ...orderActions,
  ...orderChangeActions,
  ...complaintActions,
  ...catalogueActions,
  ...impactActions,
  ...providerActions,
  ...definitionActions,
  ...versionActions,
  ...shippedActions,
  ...providerListActions,
  ...routeActions,
  ...breakerActions,
  listRefusedCallbacksAction,
  ...pricingActions,
  ...statementActions,
  ...ledgerActions,
  ...overviewActions,
  ...alertActions,
  ...analyticsActions,
  uploadAction,
  ...reconciliationActions,
  ...reconciliationItemActions,
  ...reconciliationSettleActions,
  ...callbackActions,
  ...deliveryActions,
  ...portalUserActions,
  ...staffActions,
  ...signOnSettingsActions,
  ...keyActions,
  ...auditActions,
  ...signingActions,
  ...approvalActions,
  ...approvalRulesActions,
  ...jobActions,
  ...bulkActions,
  ...workActions,
  ...notificationActions,
  ...transferSettingsActions,
  ...configurationActions,
  ...statusActions,
  openApiAction(() => OPERATOR_ACTIONS),
];

/** Shows the description of all actions, for the reference at /docs/operator and for generators. */
function openApiAction(actions: () => readonly Action[]): Action {
  return action({
    path: "GET /openapi",
    summary: "Shows this description.",
    roles: EVERYBODY,
    constant: true,
    output: anyObject,
    handler: once(async () => operatorDocument(actions())),
  });
}
