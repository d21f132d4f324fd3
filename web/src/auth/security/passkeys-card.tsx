import { FingerprintPattern, Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { authApi } from "../../ui/auth-api.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog, Dialog } from "../../ui/dialog.tsx";
import { Card } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { toastError } from "../../ui/toast.tsx";
import { type Passkey, useSecurityChange } from "./data.ts";
import { PasskeyForm } from "./passkey-form.tsx";
import { RecoveryCodesCard } from "./recovery-codes-card.tsx";

export function PasskeysCard({ passkeys }: { readonly passkeys: readonly Passkey[] }): ReactNode {
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Passkey | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  return (
    <Card
      title="Passkeys"
      hint="Sign in with your fingerprint, your face or a security key instead of a password."
      actions={
        <Button icon={Plus} onClick={() => setAdding(true)}>
          Add a passkey
        </Button>
      }
    >
      {passkeys.length === 0 ? (
        <p className="text-soft">Passkeys you add will appear here.</p>
      ) : (
        <ul className="divide-y divide-line">
          {passkeys.map((passkey) => (
            <PasskeyItem key={passkey.passkey_id} passkey={passkey} onRemove={() => setRemoving(passkey)} />
          ))}
        </ul>
      )}
      {adding && (
        <Dialog title="Add a passkey" onClose={() => setAdding(false)}>
          <PasskeyForm
            onDone={(newCodes) => {
              setAdding(false);
              if (newCodes !== null) setCodes(newCodes);
            }}
          />
        </Dialog>
      )}
      {removing && <RemovePasskey passkey={removing} onClose={() => setRemoving(null)} />}
      {codes && <RecoveryCodesCard codes={codes} onStored={() => setCodes(null)} />}
    </Card>
  );
}

function PasskeyItem({ passkey, onRemove }: { readonly passkey: Passkey; readonly onRemove: () => void }): ReactNode {
  return (
    <li className="flex items-center gap-3 py-3 first:pt-0 last:pb-0">
      <FingerprintPattern aria-hidden className="size-5 shrink-0 text-accent" />
      <div className="min-w-0 grow">
        <p className="truncate font-medium">{passkey.name}</p>
        <p className="text-soft text-xs">
          Added <Time value={passkey.created_at} dayOnly />, last used <Time value={passkey.last_used_at} />
        </p>
      </div>
      <Button look="quiet" aria-label={`Remove the passkey ${passkey.name}`} onClick={onRemove}>
        Remove
      </Button>
    </li>
  );
}

function RemovePasskey({ passkey, onClose }: { readonly passkey: Passkey; readonly onClose: () => void }): ReactNode {
  const remove = useSecurityChange(
    () => authApi.post("/security/passkeys/:passkey_id/delete", { passkey_id: passkey.passkey_id }),
    `The passkey ${passkey.name} was removed.`,
  );
  return (
    <ConfirmDialog
      title="Remove this passkey?"
      action="Remove"
      danger
      busy={remove.isPending}
      onClose={onClose}
      onConfirm={() => remove.mutate(undefined, { onSettled: onClose, onError: toastError })}
    >
      “{passkey.name}” can no longer be used to sign in.
    </ConfirmDialog>
  );
}
