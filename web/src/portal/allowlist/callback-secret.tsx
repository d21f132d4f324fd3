import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { allowlistText } from "../../messages/en/allowlist.ts";
import { rich } from "../../messages/rich.tsx";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { SecretCard } from "../../ui/forms/secret-card.tsx";
import { ConfirmDialog } from "../../ui/overlays/dialog.tsx";
import { post } from "../api.ts";
import { type CallbackSettings, callbackSettingsQuery } from "../callback-settings.ts";
import { useMay } from "../session.ts";

export function CallbackSecret({ settings }: { readonly settings: CallbackSettings }): ReactNode {
  const isAllowed = useMay("builders");
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const [made, setMade] = useState<string | null>(null);
  const { busy, error, attempt } = useAttempt();
  const set = settings.callback_secret_set;
  const name = set ? allowlistText.replaceCallbackSecret : allowlistText.createCallbackSecret;
  const make = () =>
    void attempt(async () => {
      setAsking(false);
      setMade((await post("/callback-settings/secret")).callback_secret);
      await queries.invalidateQueries(callbackSettingsQuery);
    });
  return (
    <>
      <p className="text-soft">
        {set
          ? rich(allowlistText.created, { time: <Time value={settings.callback_secret_created_at} /> })
          : allowlistText.yourReceiverVerifiesVersion3}
      </p>
      {isAllowed && (
        <Button look={set ? "plain" : "primary"} busy={busy} onClick={() => (set ? setAsking(true) : make())}>
          {name}
        </Button>
      )}
      {error !== null && <ErrorCard error={error} />}
      {asking && (
        <ConfirmDialog
          title={allowlistText.replaceTheCallbackSecret}
          action={name}
          danger
          onConfirm={make}
          onClose={() => setAsking(false)}
        >
          {settings.version === 3 ? allowlistText.theNewSecretTakesEffect : allowlistText.theNewSecretTakesEffectImmediately}
        </ConfirmDialog>
      )}
      {made !== null && (
        <SecretCard
          title={allowlistText.yourNewCallbackSecret}
          name={allowlistText.callbackSecret}
          secret={made}
          onStored={() => setMade(null)}
        >
          {rich(allowlistText.storeItInYourReceivers, { code: (text) => <code className="font-mono">{text}</code> })}
        </SecretCard>
      )}
    </>
  );
}
