import { Download } from "lucide-react";
import type { ReactNode } from "react";
import type { Schemas } from "../../operator-api.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { countText } from "../../ui/formats/format.ts";
import { Time } from "../../ui/formats/time.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { post } from "../../ui/requests/api.ts";
import { useMay, WORKERS } from "../session.ts";
import type { Exchange } from "./order.ts";

/** The requests to a provider and its replies. Secrets and identities were masked before they were stored. */
export function Exchanges({ exchanges }: { readonly exchanges: readonly Exchange[] }): ReactNode {
  if (exchanges.length === 0) return null;
  return (
    <details>
      <summary className="cursor-pointer font-medium">
        Evidence: {exchanges.length === 1 ? "1 request" : `${exchanges.length} requests`} to the provider
      </summary>
      <ol className="mt-3 space-y-4">
        {exchanges.map((exchange, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: The list only grows at its end.
          <li key={place} className="space-y-2">
            <p className="text-soft text-sm">
              {exchange.operation}, <Time value={exchange.at} />, {countText(exchange.milliseconds)} ms
            </p>
            <Text label="Request" text={exchange.request} />
            {exchange.reply !== null && <Text label="Reply" text={exchange.reply} />}
            {exchange.problem !== null && <p className="break-words text-bad">{exchange.problem}</p>}
          </li>
        ))}
      </ol>
    </details>
  );
}

function Text({ label, text }: { readonly label: string; readonly text: string }): ReactNode {
  return (
    <figure>
      <figcaption className="text-soft text-xs">{label}</figcaption>
      <pre className="rounded-md bg-sunken p-3 text-xs whitespace-pre-wrap break-all">{text}</pre>
    </figure>
  );
}

/** Downloads what was said with the providers as JSON. The service records who exported it. */
export function ExportEvidence({ orderId }: { readonly orderId: string }): ReactNode {
  const may = useMay(WORKERS);
  const { busy, error, attempt } = useAttempt();
  const save = async () => {
    const evidence = await post<Schemas["OrderEvidence"]>(`/orders/${encodeURIComponent(orderId)}/evidence`);
    download(`evidence-${orderId}.json`, JSON.stringify(evidence, null, 2));
  };
  if (!may) return null;
  return (
    <div className="mt-3 space-y-3">
      <Button icon={Download} busy={busy} onClick={() => void attempt(save)}>
        Export evidence
      </Button>
      {error !== null && <ErrorCard error={error} />}
    </div>
  );
}

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
