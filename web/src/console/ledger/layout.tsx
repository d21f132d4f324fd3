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
      <PageHeader title="Ledger">Money moves only between the five buckets of a wallet, so each wallet always sums to zero.</PageHeader>
      <PartNav label="Ledger" parts={PARTS} />
      <Outlet />
    </>
  );
}
