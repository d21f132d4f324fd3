import { Outlet, useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { logsText } from "../../messages/en/logs.ts";
import { PageHeader } from "../../ui/page.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { Calls } from "./calls.tsx";
import { Groups } from "./groups.tsx";
import { KeptBodies } from "./kept-bodies.tsx";

export function LogsPage(): ReactNode {
  const { view } = useSearch({ from: "/shell/logs" });
  const navigate = useNavigate();
  const show = (value: string) =>
    void navigate({ to: "/logs", search: (before) => ({ ...before, view: value === "calls" ? undefined : value }) as never });
  return (
    <>
      <PageHeader title={logsText.logs}>{logsText.everyApiCallMadeWith}</PageHeader>
      <KeptBodies />
      <Tabs
        label={logsText.logs}
        value={view === "errors" ? "errors" : "calls"}
        onChange={show}
        tabs={[
          { value: "calls", label: logsText.calls, content: <Calls /> },
          { value: "errors", label: logsText.groupedErrors, content: <Groups /> },
        ]}
      />
      <Outlet />
    </>
  );
}
