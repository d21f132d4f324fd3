import { type ReactNode, useState } from "react";
import { post } from "../../ui/api.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { Card } from "../../ui/page.tsx";
import { toastError } from "../../ui/toast.tsx";
import { CodesShown } from "./codes-shown.tsx";
import { useSecurityChange } from "./data.ts";

export function RecoveryCard({ left, offered }: { readonly left: number; readonly offered: boolean }): ReactNode {
  const [asking, setAsking] = useState(false);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const make = useSecurityChange(
    () => post<{ recovery_codes: readonly string[] }>("/security/recovery-codes"),
    (answer) => setCodes(answer.recovery_codes),
  );
  const ask = () => (left > 0 ? setAsking(true) : make.mutate(undefined, { onError: toastError }));
  return (
    <Card
      title="Recovery codes"
      hint="For the day your phone or key is lost."
      actions={
        offered && (
          <Button busy={make.isPending} onClick={ask}>
            Make new codes
          </Button>
        )
      }
    >
      <p className={left > 0 && left < 4 ? "text-wait" : "text-soft"}>
        {offered ? `${left} of them ${left === 1 ? "is" : "are"} left.` : "They come with your first passkey or authenticator app."}
      </p>
      {asking && (
        <ConfirmDialog
          title="Make new recovery codes?"
          action="Make new codes"
          busy={make.isPending}
          onClose={() => setAsking(false)}
          onConfirm={() => make.mutate(undefined, { onSettled: () => setAsking(false), onError: toastError })}
        >
          The {left} that are left stop working at once.
        </ConfirmDialog>
      )}
      {codes && <CodesShown codes={codes} onStored={() => setCodes(null)} />}
    </Card>
  );
}
