import type { ReactNode } from "react";
import { SecretCard } from "../../ui/secret-card.tsx";

export function CodesShown({ codes, onStored }: { readonly codes: readonly string[]; readonly onStored: () => void }): ReactNode {
  return (
    <SecretCard title="Your recovery codes" name="Recovery codes" secret={codes.join("\n")} onStored={onStored}>
      Each of them signs you in once when your other means are lost. Keep them apart from your password.
    </SecretCard>
  );
}
