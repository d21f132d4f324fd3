import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { rateText } from "../../operators/labels.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Code } from "../../ui/formats/copy.tsx";
import { countText } from "../../ui/formats/format.ts";
import { Money } from "../../ui/formats/money.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { Drawer } from "../../ui/overlays/drawer.tsx";
import { Facts, Notice } from "../../ui/page.tsx";
import { QueryView } from "../../ui/requests/query-view.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { post } from "../api.ts";
import { BreakerList } from "../routes/breaker-list.tsx";
import { OPERATIONS, useMay } from "../session.ts";
import { SwitchButton } from "../switching/switch-button.tsx";
import { ConnectionCheck } from "./connection-check.tsx";
import { CONNECTOR_NAMES, type Provider, type ProviderDetail, providerQuery, useProvidersChanged } from "./provider.ts";
import { ProviderLists } from "./provider-lists.tsx";
import { ProviderStatus } from "./provider-status.tsx";
import { RefusedCallbacks } from "./refused-callbacks.tsx";
import { RouteList } from "./route-list.tsx";
import { SecretList } from "./secret-list.tsx";

export function ProviderDrawer(): ReactNode {
  const { provider: name } = useParams({ from: "/console/providers/$provider" });
  const navigate = useNavigate();
  const isAllowed = useMay(OPERATIONS);
  const query = useQuery(providerQuery(name));
  return (
    <Drawer
      title={name}
      onClose={() => void navigate({ to: "/providers", search: true })}
      {...(isAllowed && query.data ? { footer: <Actions provider={query.data} /> } : {})}
    >
      <QueryView query={query} skeleton={<SkeletonCard lines={8} />}>
        {(provider) => <About provider={provider} isAllowed={isAllowed} />}
      </QueryView>
    </Drawer>
  );
}

function About({ provider, isAllowed }: { readonly provider: ProviderDetail; readonly isAllowed: boolean }): ReactNode {
  return (
    <>
      {provider.fault !== null && (
        <Notice tone="bad">
          <p className="break-words">This provider gets no orders. {provider.fault}</p>
        </Notice>
      )}
      <Facts facts={factsOf(provider)} />
      <LastHour provider={provider} />
      {isAllowed && provider.connector !== "simulator" && <ConnectionCheck provider={provider.provider} />}
      <SecretList provider={provider} isAllowed={isAllowed} />
      <RouteList provider={provider} />
      <ProviderLists provider={provider.provider} isAllowed={isAllowed} />
      <section aria-labelledby="breakers" className="space-y-3">
        <h3 id="breakers" className="font-semibold">
          Breakers
        </h3>
        <BreakerList breakers={provider.breakers} isAllowed={isAllowed} />
      </section>
      {provider.callback_path !== null && <RefusedCallbacks provider={provider.provider} />}
      <p className="flex flex-wrap gap-2">
        <LinkButton to="/transactions" search={{ provider: provider.provider }}>
          Show transactions
        </LinkButton>
        {isAllowed && provider.connector === "description" && (
          <LinkButton to="/providers/$provider/versions" params={{ provider: provider.provider }}>
            Versions and roll-out
          </LinkButton>
        )}
        <LinkButton to="/audit" search={{ subject_kind: "provider", subject_id: provider.provider }}>
          Show changes
        </LinkButton>
      </p>
    </>
  );
}

function factsOf(provider: Provider): readonly (readonly [string, ReactNode])[] {
  return [
    ["State", <ProviderStatus key="status" status={provider.status} />],
    ["Connector", CONNECTOR_NAMES[provider.connector]],
    ...(provider.addresses.length === 0 ? [] : [["Address", <Addresses key="address" addresses={provider.addresses} />] as const]),
    ...(provider.callback_path === null ? [] : [["Callback path", <Code key="callback" text={provider.callback_path} />] as const]),
    ["Balance", <Balance key="balance" balance={provider.balance} />],
    ["Added", <Time key="added" value={provider.created_at} />],
  ];
}

function Balance({ balance }: { readonly balance: Provider["balance"] }): ReactNode {
  if (balance === null) return "The provider has not reported one";
  return (
    <span>
      <Money value={balance.amount} /> at <Time value={balance.at} />
    </span>
  );
}

function Addresses({ addresses }: { readonly addresses: readonly string[] }): ReactNode {
  return (
    <span className="flex flex-col">
      {addresses.map((address) => (
        <Code key={address} text={address} />
      ))}
    </span>
  );
}

function LastHour({ provider: { last_hour: counts, success_rate_1h: rate } }: { readonly provider: Provider }): ReactNode {
  const figures = [
    ["Succeeded", countText(counts.succeeded)],
    ["Declined", countText(counts.declined)],
    ["Pending", countText(counts.pending)],
    ["No response", countText(counts.unheard)],
    ["Internal errors", countText(counts.ours)],
    ["Success rate", rateText(rate)],
    ["Average response time", counts.average_ms === null ? "–" : `${countText(counts.average_ms)} ms`],
  ] as const;
  return (
    <section aria-labelledby="hour" className="space-y-3">
      <h3 id="hour" className="font-semibold">
        Last hour in this process
      </h3>
      <dl className="grid grid-cols-2 gap-3 sm:grid-cols-3">
        {figures.map(([name, value]) => (
          <div key={name} className="rounded-lg border border-line px-3 py-2">
            <dt className="text-soft text-xs">{name}</dt>
            <dd className="font-semibold tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Actions({ provider: { provider, connector, enabled } }: { readonly provider: Provider }): ReactNode {
  const changed = useProvidersChanged();
  return (
    <>
      {connector !== "simulator" && (
        <LinkButton to="/providers/$provider/definition" params={{ provider }}>
          Definition and dry run
        </LinkButton>
      )}
      <SwitchButton
        switched={{ kind: "provider", name: provider }}
        name={provider}
        enabled={enabled}
        whenOff="The provider gets no new orders. Its existing orders are still checked."
        whenOn="Its routes send orders to it again immediately."
        turn={(change) => post("/providers/:provider/switch", { provider, ...change }).then(changed)}
      />
    </>
  );
}
