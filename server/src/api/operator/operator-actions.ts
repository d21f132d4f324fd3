import { walletActions } from "./accounts/wallet-actions.ts";
import type { Action } from "./action.ts";
import { impactActions } from "./catalogue/impact-actions.ts";
import { catalogueActions } from "./catalogue/list-actions.ts";
import { switchActions } from "./catalogue/switch-actions.ts";
import { clearComplaintAction } from "./complaints/clear-action.ts";
import { complaintActions } from "./complaints/queue-actions.ts";
import { ledgerActions } from "./ledger/ledger-actions.ts";
import { orderChangeActions } from "./orders/change-actions.ts";
import { orderActions } from "./orders/order-actions.ts";
import { alertActions } from "./overview/alert-actions.ts";
import { overviewActions } from "./overview/overview-actions.ts";
import { pricingActions } from "./pricing/rule-actions.ts";
import { statementActions } from "./pricing/statement-actions.ts";
import { breakerActions } from "./providers/breaker-actions.ts";
import { definitionActions } from "./providers/definition-actions.ts";
import { providerActions } from "./providers/provider-actions.ts";
import { listRefusedCallbacksAction } from "./providers/refused-callback-actions.ts";
import { routeActions } from "./providers/route-actions.ts";
import { reconciliationItemActions } from "./reconciliation/item-actions.ts";
import { reconciliationActions } from "./reconciliation/reconciliation-actions.ts";
import { reconciliationSettleActions } from "./reconciliation/settle-actions.ts";

/** All actions of the operator API and of the console. */
export const OPERATOR_ACTIONS: readonly Action[] = [
  ...walletActions,
  ...orderActions,
  ...orderChangeActions,
  clearComplaintAction,
  ...complaintActions,
  ...catalogueActions,
  ...switchActions,
  ...impactActions,
  ...providerActions,
  ...definitionActions,
  ...routeActions,
  ...breakerActions,
  listRefusedCallbacksAction,
  ...pricingActions,
  ...statementActions,
  ...ledgerActions,
  ...overviewActions,
  ...alertActions,
  ...reconciliationActions,
  ...reconciliationItemActions,
  ...reconciliationSettleActions,
];
