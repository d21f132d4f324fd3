import { type ReactNode, useState } from "react";
import { post } from "../../ui/api.ts";
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
      hint="A change signs out all your other sessions."
      actions={<Button onClick={() => setOpen(true)}>Change it</Button>}
    >
      <p className="text-soft">At least twelve characters, used nowhere else.</p>
      {open && <ChangePassword onClose={() => setOpen(false)} />}
    </Card>
  );
}

function ChangePassword({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [current, setCurrent] = useState("");
  const change = useSecurityChange(
    (next: string) => post("/password", { current, next }),
    () => {
      toast("The password is changed.");
      onClose();
    },
  );
  return (
    <Dialog title="Change the password" onClose={onClose}>
      <NewPassword
        action="Change the password"
        onChosen={async (next) => {
          await change.mutateAsync(next);
        }}
      >
        <Field
          label="Current password"
          type="password"
          autoComplete="current-password"
          required
          value={current}
          onChange={(event) => setCurrent(event.target.value)}
        />
      </NewPassword>
    </Dialog>
  );
}
