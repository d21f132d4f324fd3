import { FingerprintPattern } from "lucide-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { signInText } from "../../messages/en/sign-in.ts";
import { Button } from "../../ui/button.tsx";
import { RefusedEntry } from "../../ui/error-card.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { Field } from "../../ui/forms/field.tsx";
import { authApi } from "../../ui/requests/auth-api.ts";
import { provePasskey } from "../../ui/requests/passkey.ts";
import type { SecondFactor } from "../../ui/requests/session.ts";

type Props = { readonly methods: readonly SecondFactor[]; readonly onEntered: () => Promise<void>; readonly onBack: () => void };

const CODES = {
  totp: { label: signInText.codeFromYourAuthenticatorApp, hint: signInText.sixDigitsThatChangeEvery, path: "/sign-in/totp" },
  recovery: { label: signInText.recoveryCode, hint: signInText.eachCodeWorksOnce, path: "/sign-in/recovery" },
} as const;

/** Asks for the second factor: an app code, a passkey or a recovery code. */
export function SecondStep({ methods, onEntered, onBack }: Props): ReactNode {
  const [method, setMethod] = useState<keyof typeof CODES | null>(methods.includes("totp") ? "totp" : null);
  const [code, setCode] = useState("");
  const { busy, error, attempt, forget } = useAttempt();
  const prove = async (call: () => Promise<unknown>) => {
    const proved = await attempt(async () => {
      await call();
      await onEntered();
    });
    if (!proved) setCode("");
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (method !== null) void prove(() => authApi.postWithoutRedirect(CODES[method].path, { code: code.trim() }));
  };
  const choose = (next: keyof typeof CODES) => {
    setMethod(next);
    setCode("");
    forget();
  };
  return (
    <div className="space-y-4">
      {method !== null && (
        <CodeForm {...CODES[method]} numeric={method === "totp"} code={code} onCode={setCode} busy={busy} onSubmit={submit} />
      )}
      {error !== null && <RefusedEntry error={error} />}
      {methods.includes("passkey") && (
        <Button
          icon={FingerprintPattern}
          className="w-full"
          disabled={busy}
          onClick={() => void prove(() => provePasskey("/sign-in/passkey"))}
        >
          {signInText.useAPasskey}
        </Button>
      )}
      <div className="flex flex-wrap justify-between gap-2">
        <Button look="quiet" onClick={onBack}>
          {signInText.back}
        </Button>
        {method !== "recovery" && methods.includes("recovery") && (
          <Button look="quiet" onClick={() => choose("recovery")}>
            {signInText.useARecoveryCode}
          </Button>
        )}
        {method === "recovery" && methods.includes("totp") && (
          <Button look="quiet" onClick={() => choose("totp")}>
            {signInText.useTheAppInstead}
          </Button>
        )}
      </div>
    </div>
  );
}

type CodeFormProps = {
  readonly label: string;
  readonly hint: string;
  readonly numeric: boolean;
  readonly code: string;
  readonly onCode: (code: string) => void;
  readonly busy: boolean;
  readonly onSubmit: (event: FormEvent) => void;
};

function CodeForm({ label, hint, numeric, code, onCode, busy, onSubmit }: CodeFormProps): ReactNode {
  return (
    <form onSubmit={onSubmit} className="space-y-4">
      <Field
        label={label}
        hint={hint}
        inputMode={numeric ? "numeric" : "text"}
        autoComplete="one-time-code"
        spellCheck={false}
        autoFocus
        value={code}
        onChange={(event) => onCode(event.target.value)}
      />
      <Button type="submit" look="primary" className="w-full" busy={busy} disabled={code.trim() === ""}>
        {signInText.continue}
      </Button>
    </form>
  );
}
