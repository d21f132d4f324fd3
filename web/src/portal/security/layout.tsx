import type { ReactNode } from "react";
import { SecurityLayout } from "../../auth/security/layout.tsx";

const PARTS = [
  { to: "/security", label: "Signing in" },
  { to: "/security/sessions", label: "Sessions" },
  { to: "/security/audit", label: "Audit" },
] as const;

export function PortalSecurity(): ReactNode {
  return <SecurityLayout parts={PARTS}>How you sign in, where you are signed in, and who changed what.</SecurityLayout>;
}
