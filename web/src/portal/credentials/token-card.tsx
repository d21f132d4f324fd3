import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useAttempt } from "../../ui/attempt.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Card, Facts } from "../../ui/page.tsx";
import { SecretCard } from "../../ui/secret-card.tsx";
import { Time } from "../../ui/time.tsx";
import { post } from "../api.ts";
import { useMay } from "../session.ts";
import { type Credentials, credentialsQuery } from "./credentials.ts";

export function TokenCard({ token }: { readonly token: Credentials["token"] }): ReactNode {
  const isAllowed = useMay("builders");
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const [made, setMade] = useState<string | null>(null);
  const [hadToken, setHadToken] = useState(false);
  const { busy, error, attempt } = useAttempt();
  const replace = () =>
    void attempt(async () => {
      setAsking(false);
      setHadToken(token !== null);
      setMade((await post("/credentials/token")).api_token);
      await queries.invalidateQueries(credentialsQuery);
    });
  return (
    <Card
      title="API token"
      hint="Identifies your account in every request, and is the key of version 2 callback hashes."
      {...(isAllowed
        ? {
            actions: (
              <Button busy={busy} onClick={() => (token === null ? replace() : setAsking(true))}>
                {token === null ? "Create API token" : "Replace token"}
              </Button>
            ),
          }
        : {})}
    >
      <div className="space-y-4">
        {error !== null && <ErrorCard error={error} />}
        {token === null ? (
          <p className="text-soft">Your account has no token yet. Create the first one; only you will see it, and it is shown once.</p>
        ) : (
          <Facts
            facts={Object.entries({
              Token: <code className="font-mono text-[0.8125rem]">{token.masked}</code>,
              Created: <Time value={token.created_at} />,
              "Last used": <Time value={token.last_used_at} />,
              "Last address": token.last_address ?? <span className="text-soft">None yet</span>,
            })}
          />
        )}
      </div>
      {asking && (
        <ConfirmDialog title="Replace the API token?" action="Replace token" danger onConfirm={replace} onClose={() => setAsking(false)}>
          The old token stops working immediately. Calls with it are refused until your servers use the new token. Version 2 callbacks are
          hashed with the new token.
        </ConfirmDialog>
      )}
      {made !== null && (
        <SecretCard title="Your new API token" name="API token" secret={made} onStored={() => setMade(null)}>
          Store it in your servers' settings. {hadToken && "The previous token no longer works."}
        </SecretCard>
      )}
    </Card>
  );
}
