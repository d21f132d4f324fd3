import { Wallet } from "lucide-react";
import type { ReactNode } from "react";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { countText } from "../../ui/format.ts";
import { Money } from "../../ui/money.tsx";
import { Card, Facts } from "../../ui/page.tsx";
import type { Overview, ProviderDay } from "./data.ts";

const COLUMNS: readonly Column<ProviderDay>[] = [
  { header: "Provider", cell: (row) => row.provider },
  { header: "Orders today", right: true, cell: (row) => countText(row.orders) },
  { header: "Owed for today", right: true, cell: (row) => <Money value={row.owed} /> },
];

/** What clients have with us, and what today has cost at each provider. */
export function FloatCard({ float }: { readonly float: Overview["float"] }): ReactNode {
  return (
    <Card title="Float" hint="What clients have with us, and what providers are owed for what they carried out today." flush>
      <div className="px-5 pb-4">
        <Facts
          facts={[
            ["Clients can spend", <Money key="available" value={float.available} />],
            ["Held for pending orders", <Money key="held" value={float.held} />],
            ["In wallets", `${countText(float.accounts)} ${float.accounts === 1 ? "account" : "accounts"}`],
            ...(float.complete ? [] : [["Today", "still being counted"] as const]),
          ]}
        />
      </div>
      <DataTable
        label="Providers today"
        columns={COLUMNS}
        rows={float.providers_today}
        rowKey={(row) => row.provider}
        empty={<EmptyState icon={Wallet}>What each provider carries out today will be summed here.</EmptyState>}
      />
    </Card>
  );
}
