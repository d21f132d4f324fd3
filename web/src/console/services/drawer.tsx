import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ServiceState, serviceFacts } from "../../operators/services.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { ItemDrawer } from "../../ui/lists/item-drawer.tsx";
import { Facts, Notice } from "../../ui/page.tsx";
import { post } from "../api.ts";
import { OPERATIONS, useMay } from "../session.ts";
import { SwitchButton } from "../switching/switch-button.tsx";
import { HoursForm } from "./hours-form.tsx";
import { type Service, servicesQuery } from "./services.ts";
import { TransferSettingsCard } from "./transfer-settings-card.tsx";

export function ServiceDrawer(): ReactNode {
  const { service: code } = useParams({ from: "/console/services/$service" });
  const navigate = useNavigate();
  const isAllowed = useMay(OPERATIONS);
  return (
    <ItemDrawer
      query={useQuery(servicesQuery)}
      find={({ service }) => service === code}
      noun="service"
      code={code}
      onClose={() => void navigate({ to: "/services" })}
      footer={isAllowed ? (service) => <SwitchService service={service} /> : undefined}
    >
      {(service) => <About service={service} isAllowed={isAllowed} />}
    </ItemDrawer>
  );
}

function About({ service, isAllowed }: { readonly service: Service; readonly isAllowed: boolean }): ReactNode {
  return (
    <>
      {service.state === "no_provider" && (
        <Notice tone="bad">
          The installation is live, but no enabled provider supports this service. Every order is refused before anything is charged. Add a
          route to a provider that supports it, or switch the service off.
        </Notice>
      )}
      <Facts facts={serviceFacts(service, <ServiceState service={service} />)} />
      {isAllowed && <HoursForm key={`${service.opens_at}-${service.closes_at}`} service={service} />}
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
  return (
    <SwitchButton
      switched={{ kind: "service", name: service.service }}
      name={service.name}
      enabled={service.enabled}
      whenOff="New transactions of this service are refused immediately for all clients. Pending orders continue."
      turn={async (change) => {
        await post("/services/:service", { service: service.service, ...change });
        await queries.invalidateQueries({ queryKey: ["/services"] });
      }}
      whenOn="New transactions of this service are accepted again from all clients that may use it."
    />
  );
}
