import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { operatorsText } from "../../messages/en/operators.ts";
import { serviceFacts } from "../../operators/services.tsx";
import { Money } from "../../ui/formats/money.tsx";
import { ItemDrawer } from "../../ui/lists/item-drawer.tsx";
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
      noun={operatorsText.serviceNoun}
      code={code}
      onClose={() => void navigate({ to: "/operators", search: true, resetScroll: false })}
    >
      {(service) => (
        <>
          {service.reason !== "" && <Notice>{service.reason}</Notice>}
          <Facts facts={[...serviceFacts(service, <AccountServiceState service={service} />), ...limitFacts(service)]} />
          <p>
            <Link to="/transactions" search={{ service: service.service }} className="link">
              {operatorsText.showYourTransactionsOfThis}
            </Link>
          </p>
        </>
      )}
    </ItemDrawer>
  );
}

function limitFacts({ limits }: Service): readonly Fact[] {
  return [
    [operatorsText.minimumPerTransaction, money(limits.per_transaction_min)],
    [operatorsText.maximumPerTransaction, money(limits.per_transaction_max)],
    [operatorsText.dailyLimit, money(limits.per_day)],
    [operatorsText.usedToday, limits.used_today === null ? operatorsText.notCounted : money(limits.used_today)],
  ];
}

function money(value: string | null): ReactNode {
  return value === null ? operatorsText.noLimit : <Money value={value} />;
}
