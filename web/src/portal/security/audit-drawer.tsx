import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { readAuditEntry } from "../../auth/audit.ts";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Drawer } from "../../ui/drawer.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Facts } from "../../ui/page.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { Time } from "../../ui/time.tsx";
import { get } from "../api.ts";
import { actionText } from "./audit.ts";

export function AuditDrawer(): ReactNode {
  const { seq } = useParams({ from: "/shell/security/audit/$seq" });
  const navigate = useNavigate();
  const { data, error } = useQuery({
    queryKey: ["/audit", seq],
    queryFn: ({ signal }) => readAuditEntry(seq, (page) => get("/audit", page, signal)),
  });
  return (
    <Drawer title={data ? actionText(data.action) : "Entry"} onClose={() => void navigate({ to: "/security/audit" })}>
      {error && <ErrorCard error={error} />}
      {!data && !error && <SkeletonCard />}
      {data && (
        <>
          <Facts
            facts={[
              ["Number", String(data.seq)],
              ["When", <Time key="at" value={data.at} />],
              ["Who", data.actor_name],
              ["Action", <code key="action">{data.action}</code>],
            ]}
          />
          <CodeBlock title="Details" code={JSON.stringify(data.details, null, 2)} />
        </>
      )}
    </Drawer>
  );
}
