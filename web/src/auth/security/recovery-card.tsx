import { type ReactNode, useState } from "react";
import { authApi } from "../../ui/auth-api.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { Card } from "../../ui/page.tsx";
import { toastError } from "../../ui/toast.tsx";
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
      title="Recovery codes"
      hint="Use these when your phone or security key is lost."
      actions={
        offered && (
          <Button busy={make.isPending} onClick={ask}>
            Create new codes
          </Button>
        )
      }
    >
      <p className={left > 0 && left < 4 ? "text-wait" : "text-soft"}>
        {offered
          ? `${left} ${left === 1 ? "code is" : "codes are"} left.`
          : "You receive codes when you add your first passkey or authenticator app."}
      </p>
      {asking && (
        <ConfirmDialog
          title="Create new recovery codes?"
          action="Create new codes"
          busy={make.isPending}
          onClose={() => setAsking(false)}
          onConfirm={() => make.mutate(undefined, { onSettled: () => setAsking(false), onError: toastError })}
        >
          The {left} unused codes stop working immediately.
        </ConfirmDialog>
      )}
      {codes && <RecoveryCodesCard codes={codes} onStored={() => setCodes(null)} />}
    </Card>
  );
}
