import type { ReactNode } from "react";
import { SecretCard } from "../../ui/secret-card.tsx";

export function RecoveryCodesCard({ codes, onStored }: { readonly codes: readonly string[]; readonly onStored: () => void }): ReactNode {
  return (
    <SecretCard title="Your recovery codes" name="Recovery codes" secret={codes.join("\n")} onStored={onStored}>
      Each code signs you in once when you have lost your other second factors. Keep the codes separate from your password.
    </SecretCard>
  );
}
