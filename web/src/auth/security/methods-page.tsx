import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { securityText } from "../../messages/en/security.ts";
import { rich } from "../../messages/rich.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { Notice } from "../../ui/page.tsx";
import { SkeletonCard } from "../../ui/skeleton.tsx";
import { securityQuery } from "./data.ts";
import { PasskeysCard } from "./passkeys-card.tsx";
import { PasswordCard } from "./password-card.tsx";
import { RecoveryCard } from "./recovery-card.tsx";
import { TotpCard } from "./totp-card.tsx";

export function SecurityPage(): ReactNode {
  const { data, error, refetch } = useQuery(securityQuery);
  if (error && data === undefined) return <ErrorCard error={error} onRetry={() => void refetch()} />;
  if (data === undefined) {
    return (
      <div className="grid gap-6 lg:grid-cols-2">
        <SkeletonCard lines={4} />
        <SkeletonCard lines={4} />
      </div>
    );
  }
  const secondFactor = data.totp.enabled || data.passkeys.length > 0;
  return (
    <div className="space-y-6">
      {!secondFactor && (
        <Notice>
          {rich(securityText.onlyYourPasswordProtectsThis, { strong: (text) => <strong className="font-semibold">{text}</strong> })}
        </Notice>
      )}
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <PasskeysCard passkeys={data.passkeys} />
        <TotpCard enabled={data.totp.enabled} />
        <RecoveryCard left={data.recovery_codes_left} offered={secondFactor} />
        <PasswordCard />
      </div>
    </div>
  );
}
