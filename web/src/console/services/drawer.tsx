import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { hoursText } from "../../operators/labels.ts";
import { ApiError, post } from "../../ui/api.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Code } from "../../ui/copy.tsx";
import { Drawer } from "../../ui/drawer.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Facts, Notice } from "../../ui/page.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { OPERATIONS, useMay } from "../session.ts";
import { SwitchButton } from "../switching/switch-button.tsx";
import { HoursForm } from "./hours-form.tsx";
import { ServiceState } from "./page.tsx";
import { type Service, servicesQuery } from "./services.ts";
import { TransferSettingsCard } from "./transfer-settings-card.tsx";

const NONE = new ApiError(404, "not_found", "This service was not found.");

export function ServiceDrawer(): ReactNode {
  const { service: code } = useParams({ from: "/console/services/$service" });
  const navigate = useNavigate();
  const may = useMay(OPERATIONS);
  const { data, error } = useQuery(servicesQuery);
  const service = data?.find(({ service: known }) => known === code);
  return (
    <Drawer
      title={service?.name ?? code}
      onClose={() => void navigate({ to: "/services" })}
      {...(may && service ? { footer: <SwitchService service={service} /> } : {})}
    >
      {data === undefined && error === null && <SkeletonCard lines={5} />}
      {data === undefined && error !== null && <ErrorCard error={error} />}
      {data !== undefined && service === undefined && <ErrorCard error={NONE} />}
      {service && <About service={service} may={may} />}
    </Drawer>
  );
}

function About({ service, may }: { readonly service: Service; readonly may: boolean }): ReactNode {
  return (
    <>
      {service.state === "no_provider" && (
        <Notice tone="bad">
          The installation is live, but no enabled provider supports this service. Every order is refused before anything is charged. Add a
          route to a provider that supports it, or switch the service off.
        </Notice>
      )}
      <Facts
        facts={[
          ["Code", <Code key="code" text={service.service} />],
          ["State", <ServiceState key="state" service={service} />],
          ["Hours (IST)", hoursText(service)],
          ["Signing", service.signing === "required" ? "Required" : "Optional"],
        ]}
      />
      {may && <HoursForm key={`${service.opens_at}-${service.closes_at}`} service={service} />}
      {service.service === "transfers" && <TransferSettingsCard />}
      <p className="flex flex-wrap gap-2">
        <LinkButton to="/transactions" search={{ service: service.service }}>
          Show transactions
        </LinkButton>
        <LinkButton to="/routes" search={{ service: service.service }}>
          Show routes
        </LinkButton>
        <LinkButton to="/audit" search={{ subject_kind: "service", subject_id: service.service }}>
          Show changes
        </LinkButton>
      </p>
    </>
  );
}

function SwitchService({ service }: { readonly service: Service }): ReactNode {
  const queries = useQueryClient();
  const path = `/services/${service.service}`;
  return (
    <SwitchButton
      path={path}
      name={service.name}
      enabled={service.enabled}
      whenOff="New transactions of this service are refused immediately for all clients. Pending orders continue."
      turn={(change) => post(path, change).then(() => queries.invalidateQueries({ queryKey: ["/services"] }))}
      whenOn="New transactions of this service are accepted again from all clients that may use it."
    />
  );
}
