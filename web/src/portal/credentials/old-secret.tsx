import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { credentialsText } from "../../messages/en/credentials.ts";
import { fill } from "../../messages/fill.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Badge } from "../../ui/formats/badge.tsx";
import { countText, readIndiaTime } from "../../ui/formats/format.ts";
import { useNow } from "../../ui/formats/now.ts";
import { Time } from "../../ui/formats/time.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { ConfirmDialog } from "../../ui/overlays/dialog.tsx";
import { Facts, Notice } from "../../ui/page.tsx";
import { post } from "../api.ts";
import { useMay } from "../session.ts";
import { credentialsQuery, type SigningSecret } from "./credentials.ts";

type OldSecretProps = { readonly secret: SigningSecret; readonly replacedAt: string | null };

/** A replaced secret that still works, with its expiry and whether it is still used. */
export function OldSecret({ secret, replacedAt }: OldSecretProps): ReactNode {
  const isAllowed = useMay("builders");
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const { busy, error, attempt } = useAttempt();
  // Both times have the same format, so they compare as text.
  const stillUsed = secret.last_used_at !== null && replacedAt !== null && secret.last_used_at >= replacedAt;
  const end = () =>
    void attempt(async () => {
      setAsking(false);
      await post("/credentials/signing-secret/revoke-old");
      await queries.invalidateQueries(credentialsQuery);
    });
  return (
    <Notice>
      <section aria-label={credentialsText.oldSigningSecret} className="space-y-3">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h3 className="flex flex-wrap items-center gap-2 font-semibold">
            {credentialsText.theOldSecretStillWorks}
            <Badge tone={stillUsed ? "bad" : "good"}>
              {stillUsed ? credentialsText.stillInUse : credentialsText.notUsedSinceReplacement}
            </Badge>
          </h3>
          {isAllowed && (
            <Button busy={busy} onClick={() => setAsking(true)}>
              {credentialsText.revokeOldSecret}
            </Button>
          )}
        </div>
        {error !== null && <ErrorCard error={error} />}
        <Facts
          facts={Object.entries({
            [credentialsText.expiresIn]: <Countdown until={secret.expires_at} />,
            [credentialsText.expiresAt]: <Time value={secret.expires_at} />,
            [credentialsText.lastUsed]: <Time value={secret.last_used_at} />,
            [credentialsText.callsIn24Hours]: <span className="tabular-nums">{countText(secret.calls_24h)}</span>,
          })}
        />
      </section>
      {asking && (
        <ConfirmDialog
          title={credentialsText.revokeTheOldSecret}
          action={credentialsText.revokeNow}
          danger
          onConfirm={end}
          onClose={() => setAsking(false)}
        >
          {stillUsed ? credentialsText.theOldSecretWasUsed : credentialsText.theOldSecretHasNot}
        </ConfirmDialog>
      )}
    </Notice>
  );
}

function Countdown({ until }: { readonly until: string | null }): ReactNode {
  const now = useNow();
  const moment = until === null ? null : readIndiaTime(until);
  if (moment === null) return null;
  const left = Math.max(0, Math.floor((Date.parse(moment.iso) - now) / 1000));
  const twoDigits = (value: number) => String(value).padStart(2, "0");
  const clock = `${twoDigits(Math.floor(left / 3600))}:${twoDigits(Math.floor((left % 3600) / 60))}:${twoDigits(left % 60)}`;
  return (
    <span role="timer" aria-label={fill(credentialsText.theOldSecretExpiresIn, { clock })} className="font-medium tabular-nums">
      {clock}
    </span>
  );
}
