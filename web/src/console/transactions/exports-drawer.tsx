import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ExportForm } from "../../exports/export-form.tsx";
import { ExportList } from "../../exports/export-list.tsx";
import { exportTitle } from "../../exports/title.ts";
import { Drawer } from "../../ui/overlays/drawer.tsx";
import { Notice } from "../../ui/page.tsx";
import { post } from "../api.ts";
import { jobsQuery } from "../jobs/job.ts";
import { useMay, WORKERS } from "../session.ts";
import { filterText, type OrderSearch, orderQueryOf } from "./order-search.ts";

const EXPORTS = jobsQuery("orders_export", 10);

/** Starts an export of the filtered orders and lists recent ones. */
export function OrderExportsDrawer(): ReactNode {
  const navigate = useNavigate();
  const isAllowed = useMay(WORKERS);
  return (
    <Drawer title="Export as CSV" onClose={() => void navigate({ to: "/transactions", search: true })}>
      {isAllowed ? <OrderExportForm /> : <Notice>Your role is read-only. Ask an admin or finance colleague to export.</Notice>}
      <ExportList query={useQuery(EXPORTS)} title={(job) => exportTitle(job.input)} isAllowed={isAllowed} />
    </Drawer>
  );
}

function OrderExportForm(): ReactNode {
  const search: OrderSearch = useSearch({ from: "/console/transactions" });
  const { from, to, ...others } = search;
  return (
    <ExportForm
      preset={{ from, to }}
      list={EXPORTS.queryKey}
      start={({ from, to }) => post("/orders/export", { ...orderQueryOf(search), from, to })}
    >
      {filterText(others) ?? "All transactions of these days, for all clients."}
    </ExportForm>
  );
}
