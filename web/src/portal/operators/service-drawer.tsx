import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { serviceFacts } from "../../operators/services.tsx";
import { ItemDrawer } from "../../ui/item-drawer.tsx";
import { Money } from "../../ui/money.tsx";
import { type Fact, Facts, Notice } from "../../ui/page.tsx";
import { type Service, servicesQuery } from "../catalogue.ts";
import { AccountServiceState } from "./service-state.tsx";

export function ServiceDrawer(): ReactNode {
  const { service: code } = useParams({ from: "/shell/operators/services/$service" });
  const navigate = useNavigate();
  return (
    <ItemDrawer
      query={useQuery(servicesQuery)}
      find={({ service }) => service === code}
      noun="service"
      code={code}
      onClose={() => void navigate({ to: "/operators", search: true, resetScroll: false })}
    >
      {(service) => (
        <>
          {service.reason !== "" && <Notice>{service.reason}</Notice>}
          <Facts facts={[...serviceFacts(service, <AccountServiceState service={service} />), ...limitFacts(service)]} />
          <p>
            <Link to="/transactions" search={{ service: service.service }} className="link">
              Show your transactions of this service
            </Link>
          </p>
        </>
      )}
    </ItemDrawer>
  );
}

function limitFacts({ limits }: Service): readonly Fact[] {
  return [
    ["Minimum per transaction", money(limits.per_transaction_min)],
    ["Maximum per transaction", money(limits.per_transaction_max)],
    ["Daily limit", money(limits.per_day)],
    ["Used today", limits.used_today === null ? "Not counted" : money(limits.used_today)],
  ];
}

function money(value: string | null): ReactNode {
  return value === null ? "No limit" : <Money value={value} />;
}
