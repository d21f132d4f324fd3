import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useAttempt } from "../../ui/attempt.ts";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Card } from "../../ui/page.tsx";
import { Switch } from "../../ui/switch.tsx";
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
  const hint = canRequire
    ? "Recharge and GET requests are then also refused without a valid signature."
    : "To refuse unsigned requests, create a signing secret first.";
  return (
    <Card>
      <div className="space-y-4">
        <Switch
          label="Signing required"
          hint={hint}
          on={required}
          disabled={!isAllowed || busy || !(canRequire || required)}
          onChange={() => setAsking(true)}
        />
        {error !== null && <ErrorCard error={error} />}
      </div>
      {asking && (
        <ConfirmDialog
          title={required ? "Accept unsigned requests again?" : "Require a signature on every request?"}
          action={required ? "Stop requiring signatures" : "Require signatures"}
          danger={!required}
          onConfirm={change}
          onClose={() => setAsking(false)}
        >
          {required
            ? "Recharge and GET requests will need only the token and an allowed address."
            : "Requests without a valid signature will be refused immediately with invalid_signature, code 113."}
        </ConfirmDialog>
      )}
    </Card>
  );
}
