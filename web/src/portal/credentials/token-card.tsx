import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { credentialsText } from "../../messages/en/credentials.ts";
import { tokensText } from "../../messages/en/tokens.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { SecretCard } from "../../ui/forms/secret-card.tsx";
import { ConfirmDialog } from "../../ui/overlays/dialog.tsx";
import { Card, Facts } from "../../ui/page.tsx";
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
      title={tokensText.primaryApiToken}
      hint={credentialsText.identifiesYourAccountInEvery}
      {...(isAllowed
        ? {
            actions: (
              <Button busy={busy} onClick={() => (token === null ? replace() : setAsking(true))}>
                {token === null ? credentialsText.createApiToken : credentialsText.replaceToken}
              </Button>
            ),
          }
        : {})}
    >
      <div className="space-y-4">
        {error !== null && <ErrorCard error={error} />}
        {token === null ? (
          <p className="text-soft">{credentialsText.yourAccountHasNoToken}</p>
        ) : (
          <Facts
            facts={Object.entries({
              [credentialsText.token]: <code className="font-mono text-[0.8125rem]">{token.masked}</code>,
              [credentialsText.created]: <Time value={token.created_at} />,
              [credentialsText.lastUsed]: <Time value={token.last_used_at} />,
              [credentialsText.lastAddress]: token.last_address ?? <span className="text-soft">{credentialsText.noneYet}</span>,
            })}
          />
        )}
      </div>
      {asking && (
        <ConfirmDialog
          title={credentialsText.replaceTheApiToken}
          action={credentialsText.replaceToken}
          danger
          onConfirm={replace}
          onClose={() => setAsking(false)}
        >
          {credentialsText.theOldTokenStopsWorking}
        </ConfirmDialog>
      )}
      {made !== null && (
        <SecretCard title={credentialsText.yourNewApiToken} name={credentialsText.apiToken} secret={made} onStored={() => setMade(null)}>
          {credentialsText.storeItInYourServers} {hadToken && credentialsText.thePreviousTokenNoLonger}
        </SecretCard>
      )}
    </Card>
  );
}
