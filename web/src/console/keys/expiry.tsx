import type { ReactNode } from "react";
import { Badge } from "../../ui/formats/badge.tsx";
import { Time } from "../../ui/formats/time.tsx";
import type { Key } from "./key.ts";

/** When a key expires, or that it has expired. */
export function KeyExpiry({ operatorKey: { expired, expires_at: at } }: { readonly operatorKey: Key }): ReactNode {
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
      <Time value={at} none="Never" />
      {expired && <Badge tone="bad">Expired</Badge>}
    </span>
  );
}
