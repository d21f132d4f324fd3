import { Outlet, useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { PageHeader } from "../../ui/page.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { Calls } from "./calls.tsx";
import { Groups } from "./groups.tsx";

export function LogsPage(): ReactNode {
  const { view } = useSearch({ from: "/shell/logs" });
  const navigate = useNavigate();
  const show = (value: string) =>
    void navigate({ to: "/logs", search: (before) => ({ ...before, view: value === "calls" ? undefined : value }) as never });
  return (
    <>
      <PageHeader title="Logs">Every API call made with your token, and its response.</PageHeader>
      <Tabs
        label="Logs"
        value={view === "errors" ? "errors" : "calls"}
        onChange={show}
        tabs={[
          { value: "calls", label: "Calls", content: <Calls /> },
          { value: "errors", label: "Grouped errors", content: <Groups /> },
        ]}
      />
      <Outlet />
    </>
  );
}
