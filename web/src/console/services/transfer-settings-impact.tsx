import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ErrorCard } from "../../ui/error-card.tsx";
import { countText, moneyText } from "../../ui/formats/format.ts";
import { Time } from "../../ui/formats/time.tsx";
import { usePaused } from "../../ui/lists/paused.ts";
import { Notice } from "../../ui/page.tsx";
import { ApiError } from "../../ui/requests/api.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { post } from "../api.ts";
import { LABELS, SETTING_NAMES, type SettingsImpact, settingText, type TransferSettings } from "./transfer-settings.ts";

type ImpactProps = { readonly settings: TransferSettings; readonly changes: Partial<TransferSettings> };

/** The changes and their impact on recent transfers, requested after a pause in typing. */
export function SettingsImpactOf({ settings, changes }: ImpactProps): ReactNode {
  const paused = usePaused(changes);
  const { data, error } = useQuery({
    queryKey: ["transfer settings impact", paused],
    queryFn: () => post("/services/transfers/settings/impact", paused),
    enabled: Object.keys(paused).length > 0,
    retry: false,
    placeholderData: keepPreviousData,
  });
  if (Object.keys(changes).length === 0) return <p className="text-soft">No changes yet.</p>;
  return (
    <section aria-label="Impact" aria-live="polite">
      <Notice tone={data !== undefined && data.refused + data.senders_over_limit > 0 ? "wait" : "accent"}>
        <ul className="list-disc pl-5">
          {SETTING_NAMES.filter((name) => changes[name] !== undefined).map((name) => (
            <li key={name}>
              {LABELS[name]}: {settingText(name, settings[name])} → {changes[name] === "" ? "?" : displayText(name, changes[name] ?? "")}
            </li>
          ))}
        </ul>
        {error !== null ? (
          <ImpactError error={error} />
        ) : data === undefined ? (
          <Skeleton className="mt-2 h-10" />
        ) : (
          <Effect impact={data} />
        )}
      </Notice>
    </section>
  );
}

function displayText(name: (typeof SETTING_NAMES)[number], value: string): string {
  return /^[0-9]+(\.[0-9]+)?$/.test(value) ? settingText(name, value) : value;
}

/** Invalid fields are reported when the change is saved; until then their messages are shown here. */
function ImpactError({ error }: { readonly error: unknown }): ReactNode {
  if (!(error instanceof ApiError) || Object.keys(error.fields).length === 0) return <ErrorCard error={error} />;
  return <p className="mt-2">{Object.values(error.fields).join(" ")}</p>;
}

function Effect({ impact }: { readonly impact: SettingsImpact }): ReactNode {
  if (impact.transfers === 0) return <p className="mt-2">There were no transfers in the last {impact.days} days.</p>;
  const { transfers, accounts, refused, senders_over_limit: over } = impact;
  return (
    <>
      <p className="mt-2">
        Of the last {impact.days} days’ {countText(transfers)} {transfers === 1 ? "transfer" : "transfers"} of {countText(accounts)}{" "}
        {accounts === 1 ? "account" : "accounts"}, {countText(refused)} would have been refused. Fees would have been{" "}
        {moneyText(impact.fees)} instead of {moneyText(impact.current_fees)}.{" "}
        {over > 0 && `${countText(over)} ${over === 1 ? "sender has" : "senders have"} already sent more than the new limit this month.`}
      </p>
      {!impact.complete && (
        <p className="mt-1 text-xs">
          Only transfers since <Time value={impact.since} /> were counted, because there are too many.
        </p>
      )}
    </>
  );
}
