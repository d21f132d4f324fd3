import { FingerprintPattern, Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { securityText } from "../../messages/en/security.ts";
import { fill } from "../../messages/fill.ts";
import { rich } from "../../messages/rich.tsx";
import { Button } from "../../ui/button.tsx";
import { Time } from "../../ui/formats/time.tsx";
import { ConfirmDialog, Dialog } from "../../ui/overlays/dialog.tsx";
import { toastError } from "../../ui/overlays/toast.tsx";
import { Card } from "../../ui/page.tsx";
import { authApi } from "../../ui/requests/auth-api.ts";
import { type Passkey, useSecurityChange } from "./data.ts";
import { PasskeyForm } from "./passkey-form.tsx";
import { RecoveryCodesCard } from "./recovery-codes-card.tsx";

export function PasskeysCard({ passkeys }: { readonly passkeys: readonly Passkey[] }): ReactNode {
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Passkey | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  return (
    <Card
      title={securityText.passkeys}
      hint={securityText.signInWithYourFingerprint}
      actions={
        <Button icon={Plus} onClick={() => setAdding(true)}>
          {securityText.addAPasskey}
        </Button>
      }
    >
      {passkeys.length === 0 ? (
        <p className="text-soft">{securityText.passkeysYouAddWillAppear}</p>
      ) : (
        <ul className="divide-y divide-line">
          {passkeys.map((passkey) => (
            <PasskeyItem key={passkey.passkey_id} passkey={passkey} onRemove={() => setRemoving(passkey)} />
          ))}
        </ul>
      )}
      {adding && (
        <Dialog title={securityText.addAPasskey} onClose={() => setAdding(false)}>
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
          {rich(securityText.addedLastUsed, {
            added: <Time value={passkey.created_at} dayOnly />,
            lastUsed: <Time value={passkey.last_used_at} />,
          })}
        </p>
      </div>
      <Button look="quiet" aria-label={fill(securityText.removeThePasskey, { name: passkey.name })} onClick={onRemove}>
        {securityText.remove}
      </Button>
    </li>
  );
}

function RemovePasskey({ passkey, onClose }: { readonly passkey: Passkey; readonly onClose: () => void }): ReactNode {
  const remove = useSecurityChange(
    () => authApi.post("/security/passkeys/:passkey_id/delete", { passkey_id: passkey.passkey_id }),
    fill(securityText.thePasskeyWasRemoved, { name: passkey.name }),
  );
  return (
    <ConfirmDialog
      title={securityText.removeThisPasskey}
      action={securityText.remove}
      danger
      busy={remove.isPending}
      onClose={onClose}
      onConfirm={() => remove.mutate(undefined, { onSettled: onClose, onError: toastError })}
    >
      {fill(securityText.canNoLongerBeUsed, { name: passkey.name })}
    </ConfirmDialog>
  );
}
