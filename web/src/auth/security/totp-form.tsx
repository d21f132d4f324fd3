import { useQuery } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { securityText } from "../../messages/en/security.ts";
import type { Schemas } from "../../portal-api.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Code } from "../../ui/formats/copy.tsx";
import { useAttempt } from "../../ui/forms/attempt.ts";
import { Field } from "../../ui/forms/field.tsx";
import { authApi } from "../../ui/requests/auth-api.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useSecurityChange } from "./data.ts";
import { QrCode } from "./qr-code.tsx";

type Started = Schemas["NewTotp"];

/** Sets up an authenticator app: shows the QR code and asks for a code from the app. */
export function TotpForm({ onDone }: { readonly onDone: (codes: readonly string[] | null) => void }): ReactNode {
  const [code, setCode] = useState("");
  const { busy, error, attempt } = useAttempt();
  const started = useQuery({
    queryKey: ["/security/totp/start"],
    queryFn: () => authApi.post("/security/totp/start"),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const confirm = useSecurityChange(
    () => authApi.post("/security/totp/confirm", { code: code.trim() }),
    (answer) => onDone(answer.recovery_codes ?? null),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void attempt(() => confirm.mutateAsync());
  };
  if (started.error) return <ErrorCard error={started.error} />;
  return (
    <form onSubmit={submit} className="space-y-4">
      <QrCodeAndKey started={started.data} />
      <Field
        label={securityText.currentCodeFromTheApp}
        inputMode="numeric"
        autoComplete="one-time-code"
        value={code}
        onChange={(event) => setCode(event.target.value)}
      />
      {error !== null && <ErrorCard error={error} />}
      <div className="flex justify-end">
        <Button type="submit" look="primary" busy={busy} disabled={code.trim() === "" || started.data === undefined}>
          {securityText.turnOn}
        </Button>
      </div>
    </form>
  );
}

function QrCodeAndKey({ started }: { readonly started: Started | undefined }): ReactNode {
  return (
    <div className="space-y-3">
      <p className="text-soft">{securityText.scanTheQrCodeWith}</p>
      <div className="flex justify-center">{started ? <QrCode text={started.uri} /> : <Skeleton className="size-48" />}</div>
      <div className="text-center">
        <span className="text-soft text-xs">{securityText.key}</span>
        <br />
        {started ? <Code text={started.secret} /> : <Skeleton className="max-w-64" />}
      </div>
    </div>
  );
}
