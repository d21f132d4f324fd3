import { Wallet } from "lucide-react";
import type { ReactNode } from "react";
import { EmptyState } from "../../ui/empty-state.tsx";
import { countText } from "../../ui/formats/format.ts";
import { Money } from "../../ui/formats/money.tsx";
import { type Column, DataTable } from "../../ui/lists/data-table.tsx";
import { Card, Facts } from "../../ui/page.tsx";
import type { Overview, ProviderDay } from "./data.ts";

const COLUMNS: readonly Column<ProviderDay>[] = [
  { header: "Provider", cell: (row) => row.provider },
  { header: "Orders today", right: true, cell: (row) => countText(row.orders) },
  { header: "Owed for today", right: true, cell: (row) => <Money value={row.owed} /> },
];

/** The total of clients' wallets, and the amounts owed to providers for today's orders. */
export function FloatCard({ float }: { readonly float: Overview["float"] }): ReactNode {
  return (
    <Card title="Float" hint="The money in clients' wallets, and the amounts owed to providers for today's orders." flush>
      <div className="px-5 pb-4">
        <Facts
          facts={[
            ["Available to clients", <Money key="available" value={float.available} />],
            ["Held for pending orders", <Money key="held" value={float.held} />],
            ["Wallets", `${countText(float.accounts)} ${float.accounts === 1 ? "account" : "accounts"}`],
            ...(float.complete ? [] : [["Today", "Still being counted"] as const]),
          ]}
        />
      </div>
      <DataTable
        label="Providers today"
        columns={COLUMNS}
        rows={float.providers_today}
        rowKey={(row) => row.provider}
        empty={<EmptyState icon={Wallet}>Totals per provider will appear here with today's first order.</EmptyState>}
      />
    </Card>
  );
}
