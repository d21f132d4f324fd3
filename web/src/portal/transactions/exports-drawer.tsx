import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ExportForm } from "../../exports/export-form.tsx";
import { ExportList } from "../../exports/export-list.tsx";
import { exportTitle } from "../../exports/title.ts";
import { transactionsText } from "../../messages/en/transactions.ts";
import { readStatus, STATUS_OPTIONS } from "../../transactions/statuses.ts";
import { Drawer } from "../../ui/overlays/drawer.tsx";
import { Notice } from "../../ui/page.tsx";
import { get, post } from "../api.ts";
import { useOperatorOptions, useServiceOptions } from "../catalogue.ts";
import { useMay } from "../session.ts";

const JOBS = ["/jobs", "list"];
const SHOWN_JOBS = 10;

/** Starts an export and lists recent ones. */
export function ExportsDrawer(): ReactNode {
  const navigate = useNavigate();
  const isAllowed = useMay("workers");
  return (
    <Drawer title={transactionsText.exportAsCsv} onClose={() => void navigate({ to: "/transactions", search: true })}>
      {isAllowed ? <Exports /> : <Notice>{transactionsText.yourRoleIsReadOnly}</Notice>}
    </Drawer>
  );
}

function Exports(): ReactNode {
  const search = useSearch({ from: "/shell/transactions" });
  const query = useQuery({
    queryKey: JOBS,
    queryFn: ({ signal }) => get("/jobs", { limit: "50" }, signal),
    select: ({ items }) => items.filter((job) => job.kind === "export").slice(0, SHOWN_JOBS),
  });
  return (
    <>
      <ExportForm
        preset={{ ...search, status: readStatus(search.status) }}
        list={JOBS}
        choices={[
          { name: "status", label: transactionsText.status, options: STATUS_OPTIONS },
          { name: "service", label: transactionsText.service, options: useServiceOptions() },
          { name: "operator", label: transactionsText.operator, options: useOperatorOptions() },
          { name: "search", label: transactionsText.search },
        ]}
        start={({ from, to, status, service, operator, search: text }) =>
          post("/exports", { from, to, status: status || null, service: service || null, operator: operator || null, search: text || null })
        }
      >
        {transactionsText.theExportHasTheTransactions}
      </ExportForm>
      <ExportList query={query} title={(job) => exportTitle(job.input)} />
    </>
  );
}
