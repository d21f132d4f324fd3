import { type ReactNode, useState } from "react";
import { ApiError } from "../../ui/api.ts";
import { authApi } from "../../ui/auth-api.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Card } from "../../ui/page.tsx";
import { toast } from "../../ui/toast.tsx";
import { NewPassword } from "../new-password.tsx";
import { useSecurityChange } from "./data.ts";

export function PasswordCard(): ReactNode {
  const [open, setOpen] = useState(false);
  return (
    <Card
      title="Password"
      hint="Changing the password signs out all your other sessions."
      actions={<Button onClick={() => setOpen(true)}>Change password</Button>}
    >
      <p className="text-soft">Use at least twelve characters, and a password that you use nowhere else.</p>
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
      toast("The password was changed.");
      onClose();
    },
  );
  const choose = async (next: string) => {
    if (current === "") return setCurrentError("Enter your current password.");
    await change.mutateAsync(next).catch((refused: unknown) => {
      const about = refused instanceof ApiError ? refused.fields["current"] : undefined;
      if (about === undefined) throw refused;
      setCurrentError(about);
    });
  };
  return (
    <Dialog title="Change password" onClose={onClose}>
      <NewPassword action="Save password" onChosen={choose}>
        <Field
          label="Current password"
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
