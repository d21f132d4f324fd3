import { Outlet } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { PageHeader } from "../../ui/page.tsx";
import { PartNav } from "../../ui/part-nav.tsx";

const PARTS = [
  { to: "/ledger", label: "Balance", exact: true },
  { to: "/ledger/accounts", label: "Accounts" },
  { to: "/ledger/lines", label: "Lines" },
];

export function LedgerLayout(): ReactNode {
  return (
    <>
      <PageHeader title="Ledger">
        Money only moves between the five buckets of a wallet, so that all of them sum to zero at every moment.
      </PageHeader>
      <PartNav label="Ledger" parts={PARTS} />
      <Outlet />
    </>
  );
}
