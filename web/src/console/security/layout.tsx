import type { ReactNode } from "react";
import { SecurityLayout } from "../../auth/security/layout.tsx";

const PARTS = [
  { to: "/security", label: "Sign-in methods" },
  { to: "/security/sessions", label: "Sessions" },
] as const;

export function ConsoleSecurity(): ReactNode {
  return <SecurityLayout parts={PARTS}>Your sign-in methods and sessions.</SecurityLayout>;
}
