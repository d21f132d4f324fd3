import type { ReactNode } from "react";
import { securityText } from "../../messages/en/security.ts";
import { SecretCard } from "../../ui/forms/secret-card.tsx";

export function RecoveryCodesCard({ codes, onStored }: { readonly codes: readonly string[]; readonly onStored: () => void }): ReactNode {
  return (
    <SecretCard title={securityText.yourRecoveryCodes} name={securityText.recoveryCodes} secret={codes.join("\n")} onStored={onStored}>
      {securityText.eachCodeSignsYouIn}
    </SecretCard>
  );
}
