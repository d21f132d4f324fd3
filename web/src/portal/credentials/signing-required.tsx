import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { credentialsText } from "../../messages/en/credentials.ts";
import { ErrorCard } from "../../ui/error-card.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { Switch } from "../../ui/forms/switch.tsx";
import { ConfirmDialog } from "../../ui/overlays/dialog.tsx";
import { Card } from "../../ui/page.tsx";
import { post } from "../api.ts";
import { useMay } from "../session.ts";
import { credentialsQuery } from "./credentials.ts";

type Props = { readonly required: boolean; readonly canRequire: boolean };

export function SigningRequired({ required, canRequire }: Props): ReactNode {
  const isAllowed = useMay("builders");
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const { busy, error, attempt } = useAttempt();
  const change = () =>
    void attempt(async () => {
      setAsking(false);
      queries.setQueryData(credentialsQuery.queryKey, await post("/credentials/signing-required", { required: !required }));
    });
  const hint = canRequire ? credentialsText.rechargeAndGetRequestsAre : credentialsText.toRefuseUnsignedRequestsCreate;
  return (
    <Card>
      <div className="space-y-4">
        <Switch
          label={credentialsText.signingRequired}
          hint={hint}
          on={required}
          disabled={!isAllowed || busy || !(canRequire || required)}
          onChange={() => setAsking(true)}
        />
        {error !== null && <ErrorCard error={error} />}
      </div>
      {asking && (
        <ConfirmDialog
          title={required ? credentialsText.acceptUnsignedRequestsAgain : credentialsText.requireASignatureOnEvery}
          action={required ? credentialsText.stopRequiringSignatures : credentialsText.requireSignatures}
          danger={!required}
          onConfirm={change}
          onClose={() => setAsking(false)}
        >
          {required ? credentialsText.rechargeAndGetRequestsWill : credentialsText.requestsWithoutAValidSignature}
        </ConfirmDialog>
      )}
    </Card>
  );
}
