import { useQueryClient } from "@tanstack/react-query";
import { Building2, FingerprintPattern } from "lucide-react";
import { type FormEvent, type ReactNode, useState, useSyncExternalStore } from "react";
import { uiText } from "../../messages/en/ui.ts";
import { fill } from "../../messages/fill.ts";
import { Button } from "../button.tsx";
import { RefusedEntry } from "../error-card.tsx";
import { useAttempt } from "../forms/attempt.ts";
import { Field } from "../forms/field.tsx";
import { authApi } from "../requests/auth-api.ts";
import { provePasskey } from "../requests/passkey.ts";
import { sessionQuery, useSession } from "../requests/session.ts";
import { Dialog } from "./dialog.tsx";

let answer: ((proved: boolean) => void) | null = null;
const listeners = new Set<() => void>();

function set(next: typeof answer): void {
  answer = next;
  for (const listener of listeners) listener();
}

/** Opens the dialog; true once the user has confirmed their identity. A second call waits for the same dialog. */
export function askStepUp(): Promise<boolean> {
  const earlier = answer;
  return new Promise((resolve) => {
    set((proved) => {
      earlier?.(proved);
      resolve(proved);
    });
  });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function finish(proved: boolean): void {
  const waiting = answer;
  set(null);
  waiting?.(proved);
}

type StepUpProps = {
  /** Whether the password is enough, because the site does not require a second factor. */
  readonly passwordProves: boolean;
  readonly freshFor: string;
};

/** Rendered once in the shell; opens when the service responds `step_up_required`. */
export function StepUp(props: StepUpProps): ReactNode {
  const open = useSyncExternalStore(subscribe, () => answer !== null);
  return open ? <StepUpDialog {...props} /> : null;
}

function StepUpDialog({ passwordProves, freshFor }: StepUpProps): ReactNode {
  const session = useSession();
  const methods = session?.methods ?? [];
  const atProvider = session?.single_sign_on === true;
  const queries = useQueryClient();
  const withCode = methods.includes("totp");
  // A member who signed in through an identity provider may have no password.
  const typing = withCode || (passwordProves && !atProvider);
  const [typed, setTyped] = useState("");
  const { busy, error, attempt } = useAttempt();
  const prove = (send: () => Promise<unknown>) =>
    attempt(async () => {
      await send();
      await queries.invalidateQueries(sessionQuery);
      finish(true);
    });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void prove(() => authApi.postWithoutRedirect("/step-up", withCode ? { totp: typed } : { password: typed }));
  };
  return (
    <Dialog title={uiText.confirmYourIdentity} onClose={() => finish(false)}>
      <form onSubmit={submit} className="space-y-4">
        <p className="text-soft">{fill(uiText.changesToNeedARecent, { freshFor })}</p>
        {typing && <Typed withCode={withCode} value={typed} onChange={setTyped} />}
        {error !== null && <RefusedEntry error={error} />}
        <div className="flex flex-wrap justify-end gap-2">
          {atProvider && (
            <Button look={typing ? "plain" : "primary"} icon={Building2} disabled={busy} onClick={() => void attempt(proveAtProvider)}>
              {uiText.confirmAtYourIdentityProvider}
            </Button>
          )}
          {methods.includes("passkey") && (
            <Button
              look={typing ? "plain" : "primary"}
              icon={FingerprintPattern}
              disabled={busy}
              onClick={() => void prove(() => provePasskey("/step-up/passkey"))}
            >
              {uiText.useAPasskey}
            </Button>
          )}
          {typing && (
            <Button type="submit" look="primary" busy={busy} disabled={typed === ""}>
              {uiText.confirm}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  );
}

/** Leaves this page; the identity provider leads back to it, and the change is then made again. */
async function proveAtProvider(): Promise<void> {
  const base = import.meta.env.BASE_URL.replace(/\/$/, "");
  const next = location.pathname.slice(base.length) + location.search || "/";
  location.assign((await authApi.post("/step-up/single-sign-on", { next })).redirect_url);
}

type TypedProps = { readonly withCode: boolean; readonly value: string; readonly onChange: (value: string) => void };

function Typed({ withCode, value, onChange }: TypedProps): ReactNode {
  return withCode ? (
    <Field
      label={uiText.codeFromYourAuthenticatorApp}
      inputMode="numeric"
      autoComplete="one-time-code"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  ) : (
    <Field
      label={uiText.yourPassword}
      type="password"
      autoComplete="current-password"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
