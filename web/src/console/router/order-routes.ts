import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { readFilters } from "../../ui/lists/search.ts";
import { shell } from "../shell.ts";
import { ORDER_FILTERS } from "../transactions/order-search.ts";

const transactions = createRoute({
  getParentRoute: () => shell,
  path: "/transactions",
  validateSearch: readFilters(...ORDER_FILTERS),
  component: lazyRouteComponent(() => import("../transactions/page.tsx"), "TransactionsPage"),
});
const exports = createRoute({
  getParentRoute: () => transactions,
  path: "exports",
  component: lazyRouteComponent(() => import("../transactions/exports-drawer.tsx"), "OrderExportsDrawer"),
});
const transaction = createRoute({
  getParentRoute: () => transactions,
  path: "$orderId",
  component: lazyRouteComponent(() => import("../transactions/drawer.tsx"), "TransactionDrawer"),
});

const complaintFilters = readFilters("view", "search", "account_id", "assigned_to");
const complaints = createRoute({
  getParentRoute: () => shell,
  path: "/complaints",
  // The default view shows the complaints due today.
  validateSearch: (search: Record<string, unknown>) => ({ view: "due", ...complaintFilters(search) }),
  component: lazyRouteComponent(() => import("../complaints/page.tsx"), "ComplaintsPage"),
});
const complaint = createRoute({
  getParentRoute: () => complaints,
  path: "$complaintRef",
  component: lazyRouteComponent(() => import("../complaints/drawer.tsx"), "ComplaintDrawer"),
});

const ledger = createRoute({
  getParentRoute: () => shell,
  path: "/ledger",
  component: lazyRouteComponent(() => import("../ledger/layout.tsx"), "LedgerLayout"),
});
const ledgerBalance = createRoute({
  getParentRoute: () => ledger,
  path: "/",
  component: lazyRouteComponent(() => import("../ledger/balance-page.tsx"), "LedgerBalancePage"),
});
const ledgerAccounts = createRoute({
  getParentRoute: () => ledger,
  path: "accounts",
  validateSearch: readFilters("search"),
  component: lazyRouteComponent(() => import("../ledger/accounts-page.tsx"), "LedgerAccountsPage"),
});
const ledgerWallet = createRoute({
  getParentRoute: () => ledgerAccounts,
  path: "$accountId",
  component: lazyRouteComponent(() => import("../ledger/wallet-drawer.tsx"), "WalletDrawer"),
});
const ledgerLines = createRoute({
  getParentRoute: () => ledger,
  path: "lines",
  validateSearch: readFilters("account_id", "order_id", "kind", "from", "to"),
  component: lazyRouteComponent(() => import("../ledger/lines-page.tsx"), "LedgerLinesPage"),
});
const ledgerEntry = createRoute({
  getParentRoute: () => ledgerLines,
  path: "$entryId",
  component: lazyRouteComponent(() => import("../ledger/entry-drawer.tsx"), "EntryDrawer"),
});

/** Routes of the transaction, complaint and ledger pages. */
export const orderRoutes = [
  transactions.addChildren([exports, transaction]),
  complaints.addChildren([complaint]),
  ledger.addChildren([ledgerBalance, ledgerAccounts.addChildren([ledgerWallet]), ledgerLines.addChildren([ledgerEntry])]),
] as const;
