import { type ReactNode, useState } from "react";
import { securityText } from "../../messages/en/security.ts";
import { useSite } from "../../shell/site.ts";
import { Button } from "../../ui/button.tsx";
import { Status } from "../../ui/formats/badge.tsx";
import { ConfirmDialog, Dialog } from "../../ui/overlays/dialog.tsx";
import { toastError } from "../../ui/overlays/toast.tsx";
import { Card } from "../../ui/page.tsx";
import { authApi } from "../../ui/requests/auth-api.ts";
import { useSecurityChange } from "./data.ts";
import { RecoveryCodesCard } from "./recovery-codes-card.tsx";
import { TotpForm } from "./totp-form.tsx";

export function TotpCard({ enabled }: { readonly enabled: boolean }): ReactNode {
  const [opened, setOpened] = useState<"set-up" | "disable" | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const { secondFactorRequired } = useSite();
  const close = () => setOpened(null);
  const disable = useSecurityChange(() => authApi.post("/security/totp/disable"), securityText.theAuthenticatorAppIsOff);
  return (
    <Card
      title={securityText.authenticatorApp}
      hint={securityText.aSixDigitCodeFrom}
      actions={
        enabled ? (
          <Button look="danger" onClick={() => setOpened("disable")}>
            {securityText.turnOff}
          </Button>
        ) : (
          <Button onClick={() => setOpened("set-up")}>{securityText.setUp}</Button>
        )
      }
    >
      <Status value={enabled ? "active" : "disabled"} label={enabled ? securityText.on : securityText.off} />
      {opened === "set-up" && (
        <Dialog title={securityText.setUpAnAuthenticatorApp} onClose={close}>
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
          title={securityText.turnOffTheAuthenticatorApp}
          action={securityText.turnOff}
          danger
          busy={disable.isPending}
          onClose={close}
          onConfirm={() => disable.mutate(undefined, { onSettled: close, onError: toastError })}
        >
          {secondFactorRequired ? securityText.youWillNeedAPasskey : securityText.withoutAPasskeyYourPassword}
        </ConfirmDialog>
      )}
      {codes && <RecoveryCodesCard codes={codes} onStored={() => setCodes(null)} />}
    </Card>
  );
}
