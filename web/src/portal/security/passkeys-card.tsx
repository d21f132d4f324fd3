import { startRegistration } from "@simplewebauthn/browser";
import { FingerprintPattern, Plus } from "lucide-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { post } from "../../ui/api.ts";
import { useAttempt } from "../../ui/attempt.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog, Dialog } from "../../ui/dialog.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Field } from "../../ui/field.tsx";
import { Card } from "../../ui/page.tsx";
import { passkeyError } from "../../ui/passkey.ts";
import { Time } from "../../ui/time.tsx";
import { toastError } from "../../ui/toast.tsx";
import { CodesShown } from "./codes-shown.tsx";
import { type Passkey, useSecurityChange } from "./data.ts";

export function PasskeysCard({ passkeys }: { readonly passkeys: readonly Passkey[] }): ReactNode {
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Passkey | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  return (
    <Card
      title="Passkeys"
      hint="Sign in with your fingerprint, your face or a security key. Nothing to remember, nothing to steal."
      actions={
        <Button icon={Plus} onClick={() => setAdding(true)}>
          Add a passkey
        </Button>
      }
    >
      {passkeys.length === 0 ? (
        <p className="text-soft">Your passkeys will stand here.</p>
      ) : (
        <ul className="divide-y divide-line">
          {passkeys.map((passkey) => (
            <OnePasskey key={passkey.passkey_id} passkey={passkey} onRemove={() => setRemoving(passkey)} />
          ))}
        </ul>
      )}
      {adding && <AddPasskey onClose={() => setAdding(false)} onCodes={setCodes} />}
      {removing && <RemovePasskey passkey={removing} onClose={() => setRemoving(null)} />}
      {codes && <CodesShown codes={codes} onStored={() => setCodes(null)} />}
    </Card>
  );
}

function OnePasskey({ passkey, onRemove }: { readonly passkey: Passkey; readonly onRemove: () => void }): ReactNode {
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

type RegistrationOptions = Parameters<typeof startRegistration>[0]["optionsJSON"];

async function register(name: string): Promise<{ readonly recovery_codes: readonly string[] | null }> {
  const { options } = await post<{ options: RegistrationOptions }>("/security/passkeys/options");
  const response = await startRegistration({ optionsJSON: options }).catch((error: unknown) => {
    throw passkeyError(error);
  });
  return await post("/security/passkeys", { name, response });
}

type AddProps = { readonly onClose: () => void; readonly onCodes: (codes: readonly string[]) => void };

function AddPasskey({ onClose, onCodes }: AddProps): ReactNode {
  const [name, setName] = useState("");
  const { busy, error, attempt } = useAttempt();
  const add = useSecurityChange(
    () => register(name.trim()),
    (answer) => {
      onClose();
      if (answer.recovery_codes !== null) onCodes(answer.recovery_codes);
    },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void attempt(() => add.mutateAsync());
  };
  return (
    <Dialog title="Add a passkey" onClose={onClose}>
      <form onSubmit={submit} className="space-y-4">
        <Field
          label="Its name"
          hint="So that you know it again, such as “Work laptop”."
          maxLength={60}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        {error !== null && <ErrorCard error={error} />}
        <div className="flex justify-end">
          <Button type="submit" look="primary" busy={busy} disabled={name.trim() === ""}>
            Continue
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function RemovePasskey({ passkey, onClose }: { readonly passkey: Passkey; readonly onClose: () => void }): ReactNode {
  const remove = useSecurityChange(
    () => post(`/security/passkeys/${passkey.passkey_id}/delete`),
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
      Nobody can sign in with “{passkey.name}” any more.
    </ConfirmDialog>
  );
}
