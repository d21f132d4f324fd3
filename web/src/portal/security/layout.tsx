import type { ReactNode } from "react";
import { SecurityLayout } from "../../auth/security/layout.tsx";

const PARTS = [
  { to: "/security", label: "Sign-in methods" },
  { to: "/security/sessions", label: "Sessions" },
  { to: "/security/audit", label: "Audit" },
] as const;

export function PortalSecurity(): ReactNode {
  return <SecurityLayout parts={PARTS}>Your sign-in methods, your sessions, and the account's audit log.</SecurityLayout>;
}
