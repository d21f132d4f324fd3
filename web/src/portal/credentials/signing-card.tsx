import { useQueryClient } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { type ReactNode, useState } from "react";
import { credentialsText } from "../../messages/en/credentials.ts";
import { rich } from "../../messages/rich.tsx";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { countText } from "../../ui/formats/format.ts";
import { Time } from "../../ui/formats/time.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { SecretCard } from "../../ui/forms/secret-card.tsx";
import { ConfirmDialog } from "../../ui/overlays/dialog.tsx";
import { Card, Facts } from "../../ui/page.tsx";
import { post } from "../api.ts";
import { useMay } from "../session.ts";
import { credentialsQuery, type SigningSecret } from "./credentials.ts";
import { OldSecret } from "./old-secret.tsx";

const EXAMPLE = `LINES=$(printf '%s\\n' GET /api/corp/v1/balance "" \\
  e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 "$TS" "$NONCE")
printf '%s' "$LINES" | openssl dgst -sha256 -hmac "$SIGNING_SECRET" -hex`;

export function SigningCard({ secrets }: { readonly secrets: readonly SigningSecret[] }): ReactNode {
  const isAllowed = useMay("builders");
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const [made, setMade] = useState<string | null>(null);
  const { busy, error, attempt } = useAttempt();
  const current = secrets.find((secret) => secret.expires_at === null);
  const old = secrets.filter((secret) => secret.expires_at !== null);
  const name = current === undefined ? credentialsText.createSigningSecret : credentialsText.replaceSigningSecret;
  const make = () =>
    void attempt(async () => {
      setAsking(false);
      setMade((await post("/credentials/signing-secret")).signing_secret);
      await queries.invalidateQueries(credentialsQuery);
    });
  const button = isAllowed && (
    <Button
      look={current === undefined ? "primary" : "plain"}
      busy={busy}
      onClick={() => (current === undefined ? make() : setAsking(true))}
    >
      {name}
    </Button>
  );
  return (
    <Card
      title={credentialsText.signingSecret}
      hint={credentialsText.signsRequestsBillsTransfersBus}
      {...(current !== undefined && isAllowed ? { actions: button } : {})}
    >
      <div className="space-y-4">
        {error !== null && <ErrorCard error={error} />}
        {current === undefined ? (
          <EmptyState icon={KeyRound} action={button} code={EXAMPLE} codeTitle={credentialsText.signARequest}>
            {credentialsText.theSigningSecretsCreationDate}
          </EmptyState>
        ) : (
          <Current secret={current} />
        )}
        {old.map((secret) => (
          <OldSecret key={secret.credential_id} secret={secret} replacedAt={current?.created_at ?? null} />
        ))}
      </div>
      {asking && (
        <ConfirmDialog title={credentialsText.replaceTheSigningSecret} action={name} onConfirm={make} onClose={() => setAsking(false)}>
          {credentialsText.aNewSecretIsCreated}
        </ConfirmDialog>
      )}
      {made !== null && (
        <SecretCard
          title={credentialsText.yourNewSigningSecret}
          name={credentialsText.signingSecret}
          secret={made}
          onStored={() => setMade(null)}
        >
          {rich(credentialsText.theKeyIsTheWhole, { code: (text) => <code className="font-mono">{text}</code> })}
        </SecretCard>
      )}
    </Card>
  );
}

function Current({ secret }: { readonly secret: SigningSecret }): ReactNode {
  return (
    <Facts
      facts={Object.entries({
        [credentialsText.created]: <Time value={secret.created_at} />,
        [credentialsText.lastUsed]: <Time value={secret.last_used_at} />,
        [credentialsText.callsIn24Hours]: <span className="tabular-nums">{countText(secret.calls_24h)}</span>,
      })}
    />
  );
}
