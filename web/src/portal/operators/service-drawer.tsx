import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { hoursText } from "../../operators/labels.ts";
import { ApiError } from "../../ui/api.ts";
import { Code } from "../../ui/copy.tsx";
import { Drawer } from "../../ui/drawer.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Money } from "../../ui/money.tsx";
import { Facts, Notice } from "../../ui/page.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { type Service, servicesQuery } from "../catalogue.ts";
import { ServiceState } from "./service-state.tsx";

const NONE = new ApiError(404, "not_found", "This service was not found.");

export function ServiceDrawer(): ReactNode {
  const { service: code } = useParams({ from: "/shell/operators/services/$service" });
  const navigate = useNavigate();
  const { data, error } = useQuery(servicesQuery);
  const service = data?.find(({ service: known }) => known === code);
  return (
    <Drawer title={service?.name ?? code} onClose={() => void navigate({ to: "/operators", search: true, resetScroll: false })}>
      {!data && !error && <SkeletonCard lines={6} />}
      {error && data === undefined && <ErrorCard error={error} />}
      {data && !service && <ErrorCard error={NONE} />}
      {service && (
        <>
          {service.reason !== "" && <Notice>{service.reason}</Notice>}
          <Facts facts={factsOf(service)} />
          <p>
            <Link to="/transactions" search={{ service: service.service }} className="link">
              Show your transactions of this service
            </Link>
          </p>
        </>
      )}
    </Drawer>
  );
}

function factsOf(service: Service): readonly (readonly [string, ReactNode])[] {
  const { limits } = service;
  return [
    ["Code", <Code key="code" text={service.service} />],
    ["State", <ServiceState key="state" service={service} />],
    ["Hours (IST)", hoursText(service)],
    ["Signing", service.signing === "required" ? "Required" : "Optional"],
    ["Minimum per transaction", money(limits.per_transaction_min)],
    ["Maximum per transaction", money(limits.per_transaction_max)],
    ["Daily limit", money(limits.per_day)],
    ["Used today", limits.used_today === null ? "Not counted" : money(limits.used_today)],
  ];
}

function money(value: string | null): ReactNode {
  return value === null ? "No limit" : <Money value={value} />;
}
