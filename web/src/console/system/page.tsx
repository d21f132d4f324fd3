import { useQuery } from "@tanstack/react-query";
import { Outlet } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Badge, type Tone } from "../../ui/formats/badge.tsx";
import { durationText } from "../../ui/formats/format.ts";
import { Card, Facts, Notice, PageHeader } from "../../ui/page.tsx";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { type Part, type System, systemQuery } from "./data.ts";
import { DatabaseCards } from "./database.tsx";
import { SigningCard } from "./signing.tsx";
import { JobsCard, ProcessesCard, SettingsCard } from "./tables.tsx";

/** The parts of the installation and their state. */
export function SystemPage(): ReactNode {
  const query = useQuery(systemQuery);
  return (
    <>
      <PageHeader title="System">The parts of this installation and their state. Secrets are not shown.</PageHeader>
      <QueryView query={query} skeleton={<SkeletonCard />}>
        {(system) => <SystemCards system={system} />}
      </QueryView>
      <Outlet />
    </>
  );
}

function SystemCards({ system }: { readonly system: System }): ReactNode {
  return (
    <div className="space-y-4">
      {system.mode_conflict !== null && <Notice>{system.mode_conflict}</Notice>}
      <div className="grid items-start gap-4 xl:grid-cols-[3fr_2fr]">
        <Card title="Health">
          <ul className="space-y-3">
            {system.parts.map((part) => (
              <PartItem key={part.name} part={part} />
            ))}
          </ul>
        </Card>
        <Card title="Program" hint="The process that served this page.">
          <Facts
            facts={[
              ["Mode", MODES[system.mode]],
              ["Version", system.version],
              ["Node.js", system.node],
              ["Machine", system.platform],
              ["Uptime", durationText(system.uptime_seconds)],
              ["Process", <code key="id">{system.process_id}</code>],
            ]}
          />
        </Card>
      </div>
      <ProcessesCard processes={system.processes} />
      <DatabaseCards system={system} />
      <SigningCard />
      <JobsCard jobs={system.jobs} />
      <SettingsCard settings={system.settings} />
    </div>
  );
}

const MODES: Readonly<Record<System["mode"], string>> = {
  trial: "Trial: no real money moves",
  live: "Live: real money moves",
};

const STATES: Readonly<Record<Part["state"], { readonly tone: Tone; readonly label: string }>> = {
  good: { tone: "good", label: "Good" },
  attention: { tone: "wait", label: "Check" },
  bad: { tone: "bad", label: "Bad" },
};

function PartItem({ part }: { readonly part: Part }): ReactNode {
  const { tone, label } = STATES[part.state];
  return (
    <li className="grid grid-cols-[4.5rem_1fr] items-baseline gap-x-3">
      <span>
        <Badge tone={tone}>
          <span aria-hidden className="size-1.5 rounded-full bg-current" />
          {label}
        </Badge>
      </span>
      <p className="min-w-0">
        <span className="font-medium">{part.name}.</span> <span className="text-soft">{part.says}</span>
      </p>
    </li>
  );
}
