import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { LinkButton } from "../../ui/button.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { Drawer } from "../../ui/overlays/drawer.tsx";
import { Notice } from "../../ui/page.tsx";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { AccessTab } from "./access-tab.tsx";
import { type Account, accountQuery } from "./account.ts";
import { CallbacksTab } from "./callbacks-tab.tsx";
import { SettingsTab } from "./settings/settings-tab.tsx";
import { UsersTab } from "./users-tab.tsx";
import { ViewAsClient } from "./view-as-client.tsx";
import { WalletTab } from "./wallet/wallet-tab.tsx";

export function AccountDrawer(): ReactNode {
  const { accountId } = useParams({ from: "/console/accounts/$accountId" });
  const { part, ...filters } = useSearch({ from: "/console/accounts" });
  const navigate = useNavigate();
  const query = useQuery(accountQuery(accountId));
  const choose = (chosen: string) => void navigate({ to: ".", search: { ...filters, part: chosen } as never, replace: true });
  return (
    <Drawer
      title={query.data?.name ?? "Account"}
      onClose={() => void navigate({ to: "/accounts", search: filters })}
      footer={
        query.data === undefined ? undefined : (
          <>
            <LinkButton to="/audit" search={{ subject_kind: "account", subject_id: accountId }}>
              Show changes
            </LinkButton>
            <ViewAsClient accountId={accountId} />
          </>
        )
      }
    >
      <QueryView query={query} skeleton={<SkeletonCard lines={8} />}>
        {(account) => <Parts account={account} part={part ?? "account"} onChoose={choose} />}
      </QueryView>
    </Drawer>
  );
}

type PartsProps = { readonly account: Account; readonly part: string; readonly onChoose: (part: string) => void };

function Parts({ account, part, onChoose }: PartsProps): ReactNode {
  const tabs = [
    { value: "account", label: "Account", content: <SettingsTab account={account} /> },
    { value: "wallet", label: "Wallet", content: <WalletTab account={account} /> },
    { value: "access", label: "Access", content: <AccessTab account={account} /> },
    { value: "callbacks", label: "Callbacks", content: <CallbacksTab account={account} /> },
    { value: "people", label: "Members", content: <UsersTab account={account} /> },
  ];
  return (
    <>
      {account.closed_at !== null && (
        <Notice>
          This account was closed on <Time value={account.closed_at} />. You can still view its history, but you cannot change anything.
        </Notice>
      )}
      <Tabs label="Account sections" tabs={tabs} value={part} onChange={onChoose} />
    </>
  );
}
