import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Code } from "../../ui/formats/copy.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { Drawer } from "../../ui/overlays/drawer.tsx";
import { Facts, Notice } from "../../ui/page.tsx";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { type Process, sizeText, systemQuery } from "./data.ts";
import { ProcessState } from "./tables.tsx";

export function ProcessDrawer(): ReactNode {
  const { processId } = useParams({ from: "/console/system/processes/$processId" });
  const navigate = useNavigate();
  const query = useQuery(systemQuery);
  return (
    <Drawer title="Process" onClose={() => void navigate({ to: "/system" })}>
      <QueryView query={query} skeleton={<SkeletonCard />}>
        {({ processes }) => <ProcessFacts process={processes.find(({ process_id }) => process_id === processId)} />}
      </QueryView>
    </Drawer>
  );
}

function ProcessFacts({ process }: { readonly process: Process | undefined }): ReactNode {
  if (process === undefined)
    return <Notice tone="accent">This process no longer exists. Processes that stop cleanly are removed from the list.</Notice>;
  return (
    <Facts
      facts={[
        ["State", <ProcessState key="state" process={process} />],
        ["Host", process.host],
        ["Process number", `${process.pid}${process.this_one ? ", served this page" : ""}`],
        ["Id", <Code key="id" text={process.process_id} />],
        ["Started", <Time key="started" value={process.started_at} />],
        ["Last seen", <Time key="seen" value={process.seen_at} />],
        ["Version", process.version ?? "Not known yet"],
        ["Node.js", process.node ?? "Not known yet"],
        ["Memory", process.memory_bytes === null ? "Not known yet" : sizeText(process.memory_bytes)],
        ["Clock", clockText(process.clock_behind_ms)],
        ["Ledger check", <LedgerCheck key="ledger" process={process} />],
        ["Open breakers", listed(process.open_breakers?.map(({ provider, operator }) => `${provider} for ${operator}`) ?? null)],
        ["Failing jobs", listed(process.failing_jobs)],
      ]}
    />
  );
}

function clockText(behind: number | null): string {
  if (behind === null) return "Not known yet";
  if (Math.abs(behind) < 1000) return "In sync with the database";
  return `${(Math.abs(behind) / 1000).toFixed(1)} s ${behind > 0 ? "behind" : "ahead of"} the database`;
}

function LedgerCheck({ process: { ledger_violations: violations, ledger_checked_at: at } }: { readonly process: Process }): ReactNode {
  if (violations === null) return "Not known yet";
  return (
    <>
      {violations === 0 ? "No violations" : `${violations} violations`}, last checked <Time value={at} />
    </>
  );
}

function listed(names: readonly string[] | null): string {
  if (names === null) return "Not known yet";
  return names.length === 0 ? "None" : names.join(", ");
}
