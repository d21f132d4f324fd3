import { type ReactNode, useState } from "react";
import { securityText } from "../../messages/en/security.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/forms/field.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { toast } from "../../ui/overlays/toast.tsx";
import { Card } from "../../ui/page.tsx";
import { ApiError } from "../../ui/requests/api.ts";
import { authApi } from "../../ui/requests/auth-api.ts";
import { NewPassword } from "../new-password.tsx";
import { useSecurityChange } from "./data.ts";

export function PasswordCard(): ReactNode {
  const [open, setOpen] = useState(false);
  return (
    <Card
      title={securityText.password}
      hint={securityText.changingThePasswordSignsOut}
      actions={<Button onClick={() => setOpen(true)}>{securityText.changePassword}</Button>}
    >
      <p className="text-soft">{securityText.useAtLeastTwelveCharacters}</p>
      {open && <ChangePassword onClose={() => setOpen(false)} />}
    </Card>
  );
}

function ChangePassword({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [current, setCurrent] = useState("");
  const [currentError, setCurrentError] = useState<string | undefined>(undefined);
  const change = useSecurityChange(
    (next: string) => authApi.post("/password", { current, next }),
    () => {
      toast(securityText.thePasswordWasChanged);
      onClose();
    },
  );
  const choose = async (next: string) => {
    if (current === "") return setCurrentError(securityText.enterYourCurrentPassword);
    await change.mutateAsync(next).catch((refused: unknown) => {
      const about = refused instanceof ApiError ? refused.fields["current"] : undefined;
      if (about === undefined) throw refused;
      setCurrentError(about);
    });
  };
  return (
    <Dialog title={securityText.changePassword} onClose={onClose}>
      <NewPassword action={securityText.savePassword} onChosen={choose}>
        <Field
          label={securityText.currentPassword}
          type="password"
          autoComplete="current-password"
          error={currentError}
          value={current}
          onChange={(event) => {
            setCurrent(event.target.value);
            setCurrentError(undefined);
          }}
        />
      </NewPassword>
    </Dialog>
  );
}
