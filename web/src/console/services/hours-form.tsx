import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { TimeField } from "../../ui/forms/time-field.tsx";
import { CLOCK } from "../../ui/forms/typed-time.ts";
import { toast } from "../../ui/overlays/toast.tsx";
import { post } from "../api.ts";
import { SwitchDialog } from "../switching/switch-dialog.tsx";
import type { Service } from "./services.ts";

/** The service's opening hours. An empty field means no limit. */
export function HoursForm({ service }: { readonly service: Service }): ReactNode {
  const queries = useQueryClient();
  const [opens, setOpens] = useState(service.opens_at ?? "");
  const [closes, setCloses] = useState(service.closes_at ?? "");
  const [asking, setAsking] = useState(false);
  const { busy, error, attempt } = useAttempt();
  const save = async (hours: { opens: string; closes: string }, reason?: string) => {
    const body = { opens_at: hours.opens || null, closes_at: hours.closes || null, reason };
    await post("/services/:service", { service: service.service, ...body });
    await queries.invalidateQueries({ queryKey: ["/services"] });
    toast("The hours were saved.");
  };
  const allDay = () => void attempt(() => save({ opens: "", closes: "" }));
  const ask = (event: FormEvent) => {
    event.preventDefault();
    setAsking(true);
  };
  const changed = opens !== (service.opens_at ?? "") || closes !== (service.closes_at ?? "");
  const isRead = [opens, closes].every((text) => text === "" || CLOCK.read(text) !== null);
  return (
    <section aria-labelledby="hours" className="space-y-3">
      <h3 id="hours" className="font-semibold">
        Hours
      </h3>
      <p className="text-soft">
        Outside these hours, new transactions are refused because the service is closed. Hours may span midnight, for example 22:00 to
        06:00.
      </p>
      <form onSubmit={ask} className="flex flex-wrap items-end gap-3">
        <TimeField kind={CLOCK} label="Opens (IST)" className="w-36" value={opens} onChange={setOpens} />
        <TimeField kind={CLOCK} label="Closes (IST)" className="w-36" value={closes} onChange={setCloses} />
        <Button type="submit" look="primary" disabled={!(changed && isRead)}>
          Set hours
        </Button>
        {(service.opens_at !== null || service.closes_at !== null) && (
          <Button busy={busy} onClick={allDay}>
            Open all day
          </Button>
        )}
      </form>
      {error !== null && <ErrorCard error={error} />}
      {asking && (
        <SwitchDialog
          title={`Set hours of ${service.name}?`}
          action="Set opening hours"
          danger={false}
          switched={{ kind: "service", name: service.service }}
          onClose={() => setAsking(false)}
          onConfirm={(reason) => save({ opens, closes }, reason)}
        >
          The service will be open daily from {opens || "00:00"} to {closes || "24:00"} India time for all clients, starting now.
        </SwitchDialog>
      )}
    </section>
  );
}
