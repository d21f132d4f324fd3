import { type ReactNode, useState } from "react";
import { Card } from "../../ui/page.tsx";
import { Switch } from "../../ui/switch.tsx";
import { toast } from "../../ui/toast.tsx";
import { ReasonDialog } from "../reason-dialog.tsx";
import { type Account, SERVICE_NAMES, useAccountPost } from "./account.ts";

/** Which services this client may use. */
export function Services({ account, may }: { readonly account: Account; readonly may: boolean }): ReactNode {
  const [turning, setTurning] = useState<{ readonly service: string; readonly on: boolean } | null>(null);
  const send = useAccountPost(account.account_id);
  const nameOf = (service: string) => SERVICE_NAMES[service] ?? service;
  const turn = async (service: string, on: boolean, reason: string | undefined) => {
    await send("/services", { [service]: on, reason });
    toast(`${nameOf(service)} is ${on ? "on" : "off"} for ${account.name}.`);
  };
  return (
    <Card title="Services" hint="What this client may use. A service can also be off for everybody, under Services.">
      <div className="space-y-3">
        {Object.entries(account.services).map(([service, on]) => (
          <Switch
            key={service}
            label={nameOf(service)}
            on={on}
            disabled={!may}
            onChange={(wanted) => setTurning({ service, on: wanted })}
          />
        ))}
      </div>
      {turning !== null && (
        <ReasonDialog
          title={`Turn ${nameOf(turning.service)} ${turning.on ? "on" : "off"}?`}
          action={turning.on ? "Turn on" : "Turn off"}
          danger={!turning.on}
          onClose={() => setTurning(null)}
          run={(reason) => turn(turning.service, turning.on, reason)}
        >
          {turning.on
            ? `${account.name} can use it from this moment.`
            : "New calls of it are refused with service_not_enabled, code 331. Orders under way still end."}
        </ReasonDialog>
      )}
    </Card>
  );
}
