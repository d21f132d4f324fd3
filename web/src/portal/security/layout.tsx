import type { ReactNode } from "react";
import { SecurityLayout } from "../../auth/security/layout.tsx";
import { securityText } from "../../messages/en/security.ts";

const PARTS = [
  { to: "/security", label: securityText.signInMethods },
  { to: "/security/sessions", label: securityText.sessions },
  { to: "/security/audit", label: securityText.audit },
] as const;

export function PortalSecurity(): ReactNode {
  return <SecurityLayout parts={PARTS}>{securityText.yourSignInMethodsYour}</SecurityLayout>;
}
