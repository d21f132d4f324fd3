import { type FormEvent, type ReactNode, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Badge } from "../../ui/formats/badge.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { Field } from "../../ui/forms/field.tsx";
import { ConfirmDialog, Dialog, FormEnd } from "../../ui/overlays/dialog.tsx";
import { toast, toastError } from "../../ui/overlays/toast.tsx";
import { ApiError } from "../../ui/requests/api.ts";
import { post } from "../api.ts";
import { isWaitingAction } from "../approvals/approval.ts";
import { useShowApproval } from "../approvals/show-approval.ts";
import { type Provider, type Secret, useProvidersChanged } from "./provider.ts";

/** The provider's secrets. They can be set but never read. */
export function SecretList({ provider, isAllowed }: { readonly provider: Provider; readonly isAllowed: boolean }): ReactNode {
  const [setting, setSetting] = useState<string | null>(null);
  if (provider.secrets.length === 0) return null;
  return (
    <section aria-labelledby="secrets" className="space-y-3">
      <h3 id="secrets" className="font-semibold">
        Secrets
      </h3>
      <ul className="space-y-2">
        {provider.secrets.map((secret) => (
          <li key={secret.name} className="flex flex-wrap items-center justify-between gap-3 rounded-lg border border-line px-3 py-2">
            <span className="flex items-center gap-2">
              <code className="font-mono text-[0.8125rem]">{secret.name}</code>
              {secret.set ? <Badge tone="good">Set</Badge> : <Badge tone="bad">Missing</Badge>}
            </span>
            {isAllowed && (
              <span className="flex gap-2">
                {secret.set && <RemoveSecret provider={provider.provider} secret={secret} />}
                <Button onClick={() => setSetting(secret.name)} aria-label={`${secret.set ? "Replace" : "Set"} the secret ${secret.name}`}>
                  {secret.set ? "Replace" : "Set"}
                </Button>
              </span>
            )}
          </li>
        ))}
      </ul>
      {setting !== null && <SetSecret provider={provider.provider} name={setting} onClose={() => setSetting(null)} />}
    </section>
  );
}

function SetSecret({
  provider,
  name,
  onClose,
}: {
  readonly provider: string;
  readonly name: string;
  readonly onClose: () => void;
}): ReactNode {
  const changed = useProvidersChanged();
  const showApproval = useShowApproval();
  const [value, setValue] = useState("");
  const { busy, error, attempt } = useAttempt();
  const refused = error instanceof ApiError ? error.fields["value"] : undefined;
  const save = (event: FormEvent) => {
    event.preventDefault();
    void attempt(async () => {
      const saved = await post("/providers/:provider/secret", { provider, name, value });
      await changed();
      if (isWaitingAction(saved)) return await showApproval(saved);
      toast(`The secret ${name} was set.`);
      onClose();
    });
  };
  return (
    <Dialog title={`Set the secret ${name}`} onClose={onClose}>
      <form onSubmit={save} className="space-y-4">
        <p className="text-soft">The secret is encrypted in the database and used from the next order. It is never shown again.</p>
        <Field
          label="Value"
          type="password"
          autoComplete="off"
          required
          maxLength={4000}
          error={refused}
          value={value}
          onChange={(event) => setValue(event.target.value)}
        />
        {error !== null && refused === undefined && <ErrorCard error={error} />}
        <FormEnd onClose={onClose} busy={busy} disabled={value === ""}>
          Set secret
        </FormEnd>
      </form>
    </Dialog>
  );
}

function RemoveSecret({ provider, secret: { name } }: { readonly provider: string; readonly secret: Secret }): ReactNode {
  const changed = useProvidersChanged();
  const showApproval = useShowApproval();
  const [asking, setAsking] = useState(false);
  const { busy, attempt } = useAttempt();
  const remove = () =>
    void attempt(async () => {
      try {
        const removed = await post("/providers/:provider/secret", { provider, name, value: null });
        if (isWaitingAction(removed)) return await showApproval(removed);
        toast(`The secret ${name} was removed.`);
      } catch (error) {
        toastError(error);
      }
      await changed();
      setAsking(false);
    });
  return (
    <>
      <Button look="quiet" aria-label={`Remove the secret ${name}`} onClick={() => setAsking(true)}>
        Remove
      </Button>
      {asking && (
        <ConfirmDialog
          title={`Remove the secret ${name}?`}
          action="Remove secret"
          danger
          busy={busy}
          onConfirm={remove}
          onClose={() => setAsking(false)}
        >
          Without it {provider} gets no orders, unless the service's environment sets the secret. This cannot be undone.
        </ConfirmDialog>
      )}
    </>
  );
}
