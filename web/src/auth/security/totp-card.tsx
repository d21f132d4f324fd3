import { type ReactNode, useState } from "react";
import { useSite } from "../../shell/site.ts";
import { authApi } from "../../ui/auth-api.ts";
import { Status } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog, Dialog } from "../../ui/dialog.tsx";
import { Card } from "../../ui/page.tsx";
import { toastError } from "../../ui/toast.tsx";
import { useSecurityChange } from "./data.ts";
import { RecoveryCodesCard } from "./recovery-codes-card.tsx";
import { TotpForm } from "./totp-form.tsx";

export function TotpCard({ enabled }: { readonly enabled: boolean }): ReactNode {
  const [opened, setOpened] = useState<"set-up" | "disable" | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const { secondFactorRequired } = useSite();
  const close = () => setOpened(null);
  const disable = useSecurityChange(() => authApi.post("/security/totp/disable"), "The authenticator app is off.");
  return (
    <Card
      title="Authenticator app"
      hint="A six-digit code from an app on your phone, entered after your password."
      actions={
        enabled ? (
          <Button look="danger" onClick={() => setOpened("disable")}>
            Turn off
          </Button>
        ) : (
          <Button onClick={() => setOpened("set-up")}>Set up</Button>
        )
      }
    >
      <Status value={enabled ? "active" : "disabled"} label={enabled ? "On" : "Off"} />
      {opened === "set-up" && (
        <Dialog title="Set up an authenticator app" onClose={close}>
          <TotpForm
            onDone={(made) => {
              close();
              setCodes(made);
            }}
          />
        </Dialog>
      )}
      {opened === "disable" && (
        <ConfirmDialog
          title="Turn off the authenticator app?"
          action="Turn off"
          danger
          busy={disable.isPending}
          onClose={close}
          onConfirm={() => disable.mutate(undefined, { onSettled: close, onError: toastError })}
        >
          {secondFactorRequired
            ? "You will need a passkey to sign in, because a password alone is not enough here."
            : "Without a passkey, your password alone will be enough to sign in."}
        </ConfirmDialog>
      )}
      {codes && <RecoveryCodesCard codes={codes} onStored={() => setCodes(null)} />}
    </Card>
  );
}
