import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useAttempt } from "../../ui/attempt.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { SecretCard } from "../../ui/secret-card.tsx";
import { Time } from "../../ui/time.tsx";
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
  const name = set ? "Replace callback secret" : "Create callback secret";
  const make = () =>
    void attempt(async () => {
      setAsking(false);
      setMade((await post("/callback-settings/secret")).callback_secret);
      await queries.invalidateQueries(callbackSettingsQuery);
    });
  return (
    <>
      <p className="text-soft">
        {set ? (
          <>
            Created <Time value={settings.callback_secret_created_at} />.
          </>
        ) : (
          "Your receiver verifies version 3 callbacks with this secret, over the exact bytes of the body."
        )}
      </p>
      {isAllowed && (
        <Button look={set ? "plain" : "primary"} busy={busy} onClick={() => (set ? setAsking(true) : make())}>
          {name}
        </Button>
      )}
      {error !== null && <ErrorCard error={error} />}
      {asking && (
        <ConfirmDialog title="Replace the callback secret?" action={name} danger onConfirm={make} onClose={() => setAsking(false)}>
          {settings.version === 3
            ? "The new secret takes effect immediately. Callbacks that your receiver refuses until it has the new secret are retried as usual."
            : "The new secret takes effect immediately, and you must send the version 3 test again."}
        </ConfirmDialog>
      )}
      {made !== null && (
        <SecretCard title="Your new callback secret" name="Callback secret" secret={made} onStored={() => setMade(null)}>
          Store it in your receiver's settings, including the prefix <code className="font-mono">cbk_</code>.
        </SecretCard>
      )}
    </>
  );
}
