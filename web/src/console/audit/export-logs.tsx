import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { DownloadButton } from "../../ui/button.tsx";
import { apiUrl } from "../../ui/requests/api.ts";
import { get } from "../api.ts";

/** The signed export of the audit log. Every cell has a chain of its own, and so a file of its own. */
export function ExportLogs(): ReactNode {
  const { data } = useQuery({ queryKey: ["/audit/chains"], queryFn: ({ signal }) => get("/audit/chains", {}, signal) });
  const chains = data?.items ?? [];
  if (chains.length < 2) return <DownloadButton href={apiUrl("/audit/export")}>Export signed log</DownloadButton>;
  return (
    <>
      {chains.map(({ cell, name }) => (
        <DownloadButton key={cell} href={apiUrl(`/audit/export?cell=${cell}`)}>
          Export signed log of {name}
        </DownloadButton>
      ))}
    </>
  );
}
