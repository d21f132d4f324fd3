import { FingerprintPattern } from "lucide-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { postOpen } from "../../ui/api.ts";
import { useAttempt } from "../../ui/attempt.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Field } from "../../ui/field.tsx";
import { provePasskey } from "../../ui/passkey.ts";
import type { SecondFactor } from "../../ui/session.ts";

type Props = { readonly methods: readonly SecondFactor[]; readonly onEntered: () => Promise<void>; readonly onBack: () => void };

const CODES = {
  totp: { label: "Code from your authenticator app", hint: "Six digits; a new one every 30 seconds.", path: "/sign-in/totp" },
  recovery: { label: "Recovery code", hint: "Each of them works once.", path: "/sign-in/recovery" },
} as const;

/** What is owed after the password: a code, a passkey, or one of the recovery codes. */
export function SecondStep({ methods, onEntered, onBack }: Props): ReactNode {
  const [way, setWay] = useState<keyof typeof CODES | null>(methods.includes("totp") ? "totp" : null);
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
    if (way !== null) void prove(() => postOpen(CODES[way].path, { code: code.trim() }));
  };
  const choose = (next: keyof typeof CODES) => {
    setWay(next);
    setCode("");
    forget();
  };
  return (
    <div className="space-y-4">
      {way !== null && <CodeForm {...CODES[way]} numeric={way === "totp"} code={code} onCode={setCode} busy={busy} onSubmit={submit} />}
      {error !== null && <ErrorCard error={error} />}
      {methods.includes("passkey") && (
        <Button
          icon={FingerprintPattern}
          className="w-full"
          disabled={busy}
          onClick={() => void prove(() => provePasskey("/sign-in/passkey"))}
        >
          Use a passkey
        </Button>
      )}
      <div className="flex flex-wrap justify-between gap-2">
        <Button look="quiet" onClick={onBack}>
          Back
        </Button>
        {way !== "recovery" && methods.includes("recovery") && (
          <Button look="quiet" onClick={() => choose("recovery")}>
            Use a recovery code
          </Button>
        )}
        {way === "recovery" && methods.includes("totp") && (
          <Button look="quiet" onClick={() => choose("totp")}>
            Use the app instead
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
        Continue
      </Button>
    </form>
  );
}
