import { startRegistration } from "@simplewebauthn/browser";
import { type FormEvent, type ReactNode, useState } from "react";
import { securityText } from "../../messages/en/security.ts";
import type { Schemas } from "../../portal-api.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { Field } from "../../ui/forms/field.tsx";
import { authApi } from "../../ui/requests/auth-api.ts";
import { passkeyError } from "../../ui/requests/passkey.ts";
import { useSecurityChange } from "./data.ts";

type RegistrationOptions = Parameters<typeof startRegistration>[0]["optionsJSON"];

async function register(name: string): Promise<Schemas["NewPasskey"]> {
  const { options } = await authApi.post("/security/passkeys/options");
  const response = await startRegistration({ optionsJSON: options as RegistrationOptions }).catch((error: unknown) => {
    throw passkeyError(error);
  });
  return await authApi.post("/security/passkeys", { name, response });
}

/** Creates a named passkey. */
export function PasskeyForm({ onDone }: { readonly onDone: (codes: readonly string[] | null) => void }): ReactNode {
  const [name, setName] = useState("");
  const { busy, error, attempt } = useAttempt();
  const add = useSecurityChange(
    () => register(name.trim()),
    (answer) => onDone(answer.recovery_codes),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void attempt(() => add.mutateAsync());
  };
  return (
    <form onSubmit={submit} className="space-y-4">
      <Field
        label={securityText.passkeyName}
        hint={securityText.aNameToRecogniseThe}
        maxLength={60}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      {error !== null && <ErrorCard error={error} />}
      <div className="flex justify-end">
        <Button type="submit" look="primary" busy={busy} disabled={name.trim() === ""}>
          {securityText.continue}
        </Button>
      </div>
    </form>
  );
}
