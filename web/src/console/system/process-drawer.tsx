import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Code } from "../../ui/copy.tsx";
import { Drawer } from "../../ui/drawer.tsx";
import { Facts, Notice } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { Time } from "../../ui/time.tsx";
import { type Process, sizeText, systemQuery } from "./data.ts";
import { ProcessState } from "./tables.tsx";

export function ProcessDrawer(): ReactNode {
  const { processId } = useParams({ from: "/console/system/processes/$processId" });
  const navigate = useNavigate();
  const query = useQuery(systemQuery);
  return (
    <Drawer title="Process" onClose={() => void navigate({ to: "/system" })}>
      <QueryView query={query} skeleton={<SkeletonCard />}>
        {({ processes }) => <Shown process={processes.find((one) => one.process_id === processId)} />}
      </QueryView>
    </Drawer>
  );
}

function Shown({ process }: { readonly process: Process | undefined }): ReactNode {
  if (process === undefined)
    return <Notice tone="accent">There is no such process any more. One that ends in order leaves nothing behind.</Notice>;
  return (
    <Facts
      facts={[
        ["State", <ProcessState key="state" process={process} />],
        ["Host", process.host],
        ["Number", `${process.pid}${process.this_one ? ", the one that answered" : ""}`],
        ["Id", <Code key="id" text={process.process_id} />],
        ["Started", <Time key="started" value={process.started_at} />],
        ["Last heard of", <Time key="seen" value={process.seen_at} />],
        ["Version", process.version ?? "not told yet"],
        ["Node.js", process.node ?? "not told yet"],
        ["Memory", process.memory_bytes === null ? "not told yet" : sizeText(process.memory_bytes)],
        ["Clock", clockText(process.clock_behind_ms)],
        ["Ledger check", <LedgerCheck key="ledger" process={process} />],
        ["Open breakers", listed(process.open_breakers?.map(({ provider, operator }) => `${provider} for ${operator}`) ?? null)],
        ["Failing", listed(process.failing_jobs)],
      ]}
    />
  );
}

function clockText(behind: number | null): string {
  if (behind === null) return "not told yet";
  if (Math.abs(behind) < 1000) return "as the database's";
  return `${(Math.abs(behind) / 1000).toFixed(1)} s ${behind > 0 ? "behind" : "ahead of"} the database's`;
}

function LedgerCheck({ process: { ledger_violations: violations, ledger_checked_at: at } }: { readonly process: Process }): ReactNode {
  if (violations === null) return "not told yet";
  return (
    <>
      {violations === 0 ? "nothing found" : `${violations} found`}, last looked <Time value={at} />
    </>
  );
}

function listed(names: readonly string[] | null): string {
  if (names === null) return "not told yet";
  return names.length === 0 ? "none" : names.join(", ");
}
