import { type ReactNode, useState } from "react";
import { securityText } from "../../messages/en/security.ts";
import { fill, plural } from "../../messages/fill.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/overlays/dialog.tsx";
import { toastError } from "../../ui/overlays/toast.tsx";
import { Card } from "../../ui/page.tsx";
import { authApi } from "../../ui/requests/auth-api.ts";
import { useSecurityChange } from "./data.ts";
import { RecoveryCodesCard } from "./recovery-codes-card.tsx";

export function RecoveryCard({ left, offered }: { readonly left: number; readonly offered: boolean }): ReactNode {
  const [asking, setAsking] = useState(false);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const make = useSecurityChange(
    () => authApi.post("/security/recovery-codes"),
    (answer) => setCodes(answer.recovery_codes),
  );
  const ask = () => (left > 0 ? setAsking(true) : make.mutate(undefined, { onError: toastError }));
  return (
    <Card
      title={securityText.recoveryCodes}
      hint={securityText.useTheseWhenYourPhone}
      actions={
        offered && (
          <Button busy={make.isPending} onClick={ask}>
            {securityText.createNewCodes}
          </Button>
        )
      }
    >
      <p className={left > 0 && left < 4 ? "text-wait" : "text-soft"}>
        {offered ? plural(securityText.codesAreLeft, left, { left }) : securityText.youReceiveCodesWhenYou}
      </p>
      {asking && (
        <ConfirmDialog
          title={securityText.createNewRecoveryCodes}
          action={securityText.createNewCodes}
          busy={make.isPending}
          onClose={() => setAsking(false)}
          onConfirm={() => make.mutate(undefined, { onSettled: () => setAsking(false), onError: toastError })}
        >
          {fill(securityText.theUnusedCodesStopWorking, { left })}
        </ConfirmDialog>
      )}
      {codes && <RecoveryCodesCard codes={codes} onStored={() => setCodes(null)} />}
    </Card>
  );
}
