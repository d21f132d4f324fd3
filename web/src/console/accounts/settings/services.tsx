import { type ReactNode, useState } from "react";
import { Switch } from "../../../ui/forms/switch.tsx";
import { toast } from "../../../ui/overlays/toast.tsx";
import { Card } from "../../../ui/page.tsx";
import { clientFact } from "../../clients/client-fact.tsx";
import { ReasonDialog } from "../../reason-dialog.tsx";
import { type Account, SERVICE_NAMES, useAccountPost } from "../account.ts";

/** The services that the client may use. */
export function Services({ account, isAllowed }: { readonly account: Account; readonly isAllowed: boolean }): ReactNode {
  const [change, setChange] = useState<{ readonly service: string; readonly on: boolean } | null>(null);
  const send = useAccountPost();
  const nameOf = (service: string) => SERVICE_NAMES[service] ?? service;
  const switchService = async (service: string, on: boolean, reason: string | undefined) => {
    await send("/accounts/:account_id/services", { account_id: account.account_id, [service]: on, reason });
    toast(`${nameOf(service)} is ${on ? "on" : "off"} for ${account.name}.`);
  };
  return (
    <Card title="Services" hint="The services this client may use. A service can also be turned off for all clients under Services.">
      <div className="space-y-3">
        {Object.entries(account.services).map(([service, on]) => (
          <Switch
            key={service}
            label={nameOf(service)}
            on={on}
            disabled={!isAllowed}
            onChange={(wanted) => setChange({ service, on: wanted })}
          />
        ))}
      </div>
      {change !== null && (
        <ReasonDialog
          title={`Turn ${nameOf(change.service)} ${change.on ? "on" : "off"}?`}
          action={change.on ? "Turn on" : "Turn off"}
          danger={!change.on}
          facts={[clientFact(account)]}
          onClose={() => setChange(null)}
          run={(reason) => switchService(change.service, change.on, reason)}
        >
          {change.on
            ? `${account.name} can use it immediately.`
            : "New calls are refused with service_not_enabled, code 331. Orders in progress are completed."}
        </ReasonDialog>
      )}
    </Card>
  );
}
