import { lazy, type ReactNode, Suspense } from "react";
import type { Site } from "../shell/site.ts";
import { useFound } from "./find.ts";
import { MENU } from "./menu.ts";
import { ROLE_NAMES } from "./roles.ts";
import { useSession } from "./session.ts";
import { useMenuCounts } from "./work/counts.ts";

const Bell = lazy(async () => ({ default: (await import("./work/bell.tsx")).Bell }));

/** The console for the platform's staff. */
export const CONSOLE: Site = {
  name: "Corprail console",
  tag: "Console",
  menu: MENU,
  About: UserName,
  HeaderTools,
  useMenuCounts,
  liveOnly: [
    ...["/alerts", "/operators", "/services", "/providers", "/routes", "/reconciliation", "/pricing", "/statements"],
    ...["/staff", "/audit", "/keys", "/single-sign-on", "/system", "/onboarding", "/status"],
  ],
  finds: [
    { title: (text) => `Search transactions for “${text}”`, to: "/transactions", filter: "search" },
    { title: (text) => `Search accounts for “${text}”`, to: "/accounts", filter: "search" },
  ],
  useFound,
  roleNames: ROLE_NAMES,
  secondFactorRequired: true,
  noMailHelp: "Ask an administrator to set up a mail server (CORPRAIL_SMTP_URL).",
  reference: { label: "Operator API reference", href: "/docs/operator" },
  freshFor: "money, secrets, addresses and users",
};

function HeaderTools(): ReactNode {
  return (
    <Suspense fallback={<span className="size-10 shrink-0" />}>
      <Bell />
    </Suspense>
  );
}

function UserName(): ReactNode {
  const user = useSession()?.user;
  if (user === undefined) return null;
  return (
    <p className="truncate text-soft" title={user.email}>
      <span className="font-medium text-ink">{user.name}</span>, {ROLE_NAMES[user.role]}
    </p>
  );
}
